"""What the whole input of a model consists of: layers in their order, each with a source and a limit, and the window they share.

A configuration is JSON (`.assistant/context.json`) or the table `[tool.coderag.context]`. `read_configuration` finds every mistake and
names its line. Pure: which file it is and what the sources hold is found elsewhere. Refuses unknown keys, for a mistyped limit would
otherwise be no limit.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from coderag.assemble.located import Located, read_json
from coderag.errors import ConfigError
from coderag.types import Problem

VERSION = 1
WINDOW = 32_000
RESERVE_OUTPUT_TOKENS = 3_000
KEEP_TURNS = 4
MEMORY_FILE = ".assistant/memory.md"
CONFIGURATION_FILE = ".assistant/context.json"


class Source(StrEnum):
    """Where a layer's text comes from. `file:PATH` and `callable:NAME` carry a name behind the colon."""

    STATIC = "static"
    FILE = "file"
    MEMORY = "memory"
    INDEX = "index"
    SESSION = "session"
    EDITOR = "editor"
    CALLABLE = "callable"


class Strategy(StrEnum):
    """What happens to a layer that is longer than its limit."""

    NONE = "none"  # it is whole or absent; one that must be there is an error
    DROP_OLD = "drop_old"
    SUMMARIZE_OLD = "summarize_old"
    TRUNCATE_TAIL = "truncate_tail"


_ONLY_ONCE = (Source.MEMORY, Source.INDEX, Source.SESSION, Source.EDITOR)
_CHANGING = (Source.INDEX, Source.SESSION, Source.EDITOR)


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer. `argument` is what stands behind the colon of its source; `line` is where the configuration has it."""

    name: str
    source: Source
    max_tokens: int
    argument: str = ""
    cacheable: bool = False
    rerank: bool = False
    strategy: Strategy = Strategy.NONE
    required: bool = False
    text: str = ""  # of a static layer
    line: int = field(default=0, compare=False)

    @property
    def is_fixed(self) -> bool:
        """Whether its cost comes off the window before anything is shared: what is stable, and what must be there."""
        return self.cacheable or self.required or self.source in (Source.STATIC, Source.FILE)

    @property
    def changes(self) -> bool:
        """Whether it differs from one request to the next by what it is."""
        return self.source in _CHANGING or (not self.cacheable and self.source in (Source.MEMORY, Source.CALLABLE))

    @property
    def written_source(self) -> str:
        """The source as the configuration writes it."""
        return f"{self.source.value}:{self.argument}" if self.argument else self.source.value


@dataclass(frozen=True, slots=True)
class Configuration:
    """The layers in order, and the window in tokens that they share with the output. `path` is where it was read."""

    layers: tuple[Layer, ...]
    window: int = WINDOW
    reserve_output_tokens: int = RESERVE_OUTPUT_TOKENS
    keep_turns: int = KEEP_TURNS
    memory_file: str = MEMORY_FILE
    version: int = VERSION
    path: str = field(default="", compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The configuration as `read_configuration` reads it, without what is as it would be anyway."""
        own = {name: getattr(self, name) for name in ("window", "reserve_output_tokens", "keep_turns", "memory_file")}
        return {
            "version": self.version,
            "layers": [_layer_document(layer) for layer in self.layers],
            **{name: value for name, value in own.items() if name != "keep_turns" or value != KEEP_TURNS},
        }


def default_configuration() -> Configuration:
    """Stable things first, the most needed at the end: system, rules, facts, code, history, focus; then the user's input."""
    return Configuration(
        (
            Layer("system", Source.STATIC, 3_000, cacheable=True),
            Layer("project_rules", Source.FILE, 1_200, ".assistant/rules.md", cacheable=True),
            Layer("confirmed_facts", Source.MEMORY, 800),
            Layer("retrieved_code", Source.INDEX, 12_000, rerank=True),
            Layer("chat_history", Source.SESSION, 4_000, strategy=Strategy.SUMMARIZE_OLD),
            Layer("focus", Source.EDITOR, 4_000, strategy=Strategy.TRUNCATE_TAIL),
        )
    )


@dataclass(frozen=True, slots=True)
class _Field:
    """A key of the configuration: what its value must be, and what it is for."""

    kind: type
    about: str
    least: int = 0
    choices: tuple[str, ...] = ()
    needed: bool = False


_TOP: Mapping[str, _Field] = {
    "$schema": _Field(str, "The schema that an editor checks this file by."),
    "version": _Field(int, "The version of this format.", least=1),
    "layers": _Field(list, "The layers, in the order in which a model reads them.", needed=True),
    "window": _Field(int, f"The model's window in tokens (default: {WINDOW}).", least=1),
    "reserve_output_tokens": _Field(int, f"Tokens kept free for the answer (default: {RESERVE_OUTPUT_TOKENS})."),
    "keep_turns": _Field(int, f"Turns of the history that stay word for word (default: {KEEP_TURNS}).", least=1),
    "memory_file": _Field(str, f"The memory, relative to the root (default: {MEMORY_FILE})."),
}
_LAYER: Mapping[str, _Field] = {
    "name": _Field(str, "The name of the layer, unique.", needed=True),
    "source": _Field(
        str,
        "static, file:PATH, memory, index, session, editor, or callable:NAME for one that the program gives.",
        needed=True,
    ),
    "max_tokens": _Field(int, "The most tokens that the layer may take.", least=1, needed=True),
    "cacheable": _Field(bool, "Whether equal input gives equal bytes, so that a provider's cache can hold it."),
    "rerank": _Field(bool, "Whether what the index finds is ranked a second time (default: true)."),
    "strategy": _Field(str, "What happens to what is too long.", choices=tuple(Strategy)),
    "required": _Field(bool, "Whether the payload fails rather than go without this layer."),
    "text": _Field(str, "The text of a static layer."),
}
_TYPE_NAMES = {str: "a text", int: "a whole number", bool: "true or false", list: "an array"}
_SCHEMA_NAMES = {str: "string", int: "integer", bool: "boolean", list: "array"}
_NAME = re.compile(r"[^\W\d][\w.-]{0,63}")


def read_configuration(
    text: str, path: str = CONFIGURATION_FILE, *, callables: Collection[str] | None = None
) -> Configuration:
    """The configuration in a JSON text.

    Raises:
        ConfigError: as `configuration_of`.
    """
    return configuration_of(read_json(text, path), path, callables=callables)


def configuration_of(document: Located, path: str, *, callables: Collection[str] | None = None) -> Configuration:
    """The configuration in a document. Of `callables`, the names that the program knows, None means that anything goes.

    Raises:
        ConfigError: it has mistakes; the message lists all of them, each with `path:line`.
    """
    mistakes = tuple(_mistakes(document, callables))
    if mistakes:
        raise ConfigError("; ".join(f"{path}:{each.line}: {each.message}" for each in mistakes))
    plain = document.plain
    layers = tuple(_layer(each) for each in document.value["layers"].value)
    own = {name: plain[name] for name in _TOP if name in plain and name not in ("$schema", "layers")}
    return Configuration(layers, path=path, **own)


def _layer(document: Located) -> Layer:
    plain = document.plain
    source, argument = split_source(plain["source"])
    rest = {name: plain[name] for name in ("cacheable", "required", "text") if name in plain}
    rest["rerank"] = plain.get("rerank", source is Source.INDEX)
    strategy = Strategy(plain.get("strategy", Strategy.NONE))
    return Layer(plain["name"], source, plain["max_tokens"], argument, strategy=strategy, line=document.line, **rest)


def split_source(written: str) -> tuple[Source, str]:
    """`file:PATH` as its two parts. A bare name that is no source is that of a callable."""
    head, _, argument = written.partition(":")
    if head in (Source.FILE, Source.CALLABLE):
        return Source(head), argument
    return (Source(written), "") if written in set(Source) else (Source.CALLABLE, written)


def _layer_document(layer: Layer) -> dict[str, Any]:
    rest = {
        "rerank": None if layer.source is not Source.INDEX else layer.rerank,
        "strategy": layer.strategy.value if layer.strategy is not Strategy.NONE else "",
        "required": layer.required,
        "text": layer.text,
    }
    return {
        "name": layer.name,
        "source": layer.written_source,
        "cacheable": layer.cacheable,
        "max_tokens": layer.max_tokens,
        **{name: value for name, value in rest.items() if value or (name == "rerank" and value is False)},
    }


def _mistakes(document: Located, callables: Collection[str] | None) -> Iterator[Problem]:
    yield from (found := list(_wrong_fields(document, _TOP, "the configuration")))
    if found:
        return
    version = document.value.get("version")
    if version is not None and version.plain > VERSION:
        yield Problem(version.line, f"version {version.value} is newer than this program, which knows {VERSION}")
    memory = document.value.get("memory_file")
    if memory is not None and (reason := _wrong_path(memory.value)):
        yield Problem(memory.line, f"memory_file {memory.value!r} {reason}")
    layers = document.value["layers"]
    if not layers.value:
        yield Problem(layers.line, "there must be at least one layer")
    sound = []
    for number, layer in enumerate(layers.value, 1):
        wrong = list(_wrong_fields(layer, _LAYER, f"layer {number}")) or list(_wrong_source(layer, callables))
        yield from wrong
        sound += [] if wrong else [layer]
    yield from _repeated(sound)


def _wrong_fields(document: Located, table: Mapping[str, _Field], what: str) -> Iterator[Problem]:
    if not isinstance(document.value, dict):
        yield Problem(document.line, f"{what} must be an object")
        return
    for name, known in table.items():
        if known.needed and name not in document.value:
            yield Problem(document.line, f"{what} has no {name!r}")
    for name, found in document.value.items():
        if name not in table:
            yield Problem(found.line, f"{what} has an unknown key {name!r}; known are {', '.join(table)}")
        elif message := _wrong_value(found.value, table[name]):
            yield Problem(found.line, f"{name!r} of {what} {message}")


def _wrong_value(value: Any, known: _Field) -> str:
    """What is wrong with a value, "" when nothing is."""
    if type(value) is not known.kind:
        shown = "an object" if isinstance(value, dict) else "an array" if isinstance(value, list) else repr(value)
        return f"must be {_TYPE_NAMES[known.kind]}, not {shown}"
    if isinstance(value, int) and value < known.least:
        return f"must be at least {known.least}, not {value}"
    if known.choices and value not in known.choices:
        return f"must be one of {', '.join(known.choices)}, not {value!r}"
    return ""


def _wrong_source(layer: Located, callables: Collection[str] | None) -> Iterator[Problem]:
    written = layer.value["source"]
    source, argument = split_source(written.value)
    name = layer.value["name"]
    if not _NAME.fullmatch(name.value):
        yield Problem(
            name.line, f"the name {name.value!r} must be letters, digits, '_', '-' or '.', and begin with a letter"
        )
    if source is Source.FILE and (reason := _wrong_path(argument)):
        yield Problem(written.line, f"the path {argument!r} {reason}")
    if source is Source.CALLABLE and not _NAME.fullmatch(argument):
        yield Problem(written.line, f"the source {written.value!r} is none; known are {_sources()}")
    elif source is Source.CALLABLE and callables is not None and argument not in callables:
        given = ", ".join(sorted(callables)) or "none"
        yield Problem(
            written.line, f"nothing called {argument!r} gives a layer (known: {given}); sources are {_sources()}"
        )
    if "text" in layer.value and source is not Source.STATIC:
        yield Problem(layer.value["text"].line, f"only a static layer has a 'text', not one from {written.value!r}")
    if "rerank" in layer.value and layer.value["rerank"].value and source is not Source.INDEX:
        yield Problem(
            layer.value["rerank"].line, f"only a layer from 'index' can be reranked, not one from {written.value!r}"
        )
    if layer.value.get("strategy", written).value == Strategy.SUMMARIZE_OLD and source is not Source.SESSION:
        yield Problem(layer.value["strategy"].line, "'summarize_old' is for a layer from 'session'")


def _sources() -> str:
    return ", ".join(
        {Source.FILE: "file:PATH", Source.CALLABLE: "callable:NAME"}.get(each, each.value) for each in Source
    )


def _wrong_path(path: str) -> str:
    parts = path.replace("\\", "/").split("/")
    if not path or "\0" in path:
        return "is none"
    if path.startswith(("/", "\\", "~")) or re.match(r"[A-Za-z]:", path) or ".." in parts:
        return "must lie below the root"
    return ""


def _repeated(layers: list[Located]) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for layer in layers:
        for kind in ("name", "source"):
            found = layer.value[kind]
            label = f"{kind}:{found.value}"
            if label in seen and (kind == "name" or found.value in _ONLY_ONCE):
                yield Problem(
                    found.line, f"the {kind} {found.value!r} is already that of the layer on line {seen[label]}"
                )
            seen.setdefault(label, found.line)


def json_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of the configuration file, for editors; made from the table that validates."""
    layer = _schema_of(_LAYER)
    top = _schema_of(_TOP)
    top["properties"]["layers"] |= {"items": layer, "minItems": 1}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Layers of a model's input", **top}


def _schema_of(table: Mapping[str, _Field]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for name, known in table.items():
        properties[name] = {"type": _SCHEMA_NAMES[known.kind], "description": known.about}
        properties[name] |= {"minimum": known.least} if known.kind is int else {}
        properties[name] |= {"enum": list(known.choices)} if known.choices else {}
    needed = [name for name, known in table.items() if known.needed]
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}
