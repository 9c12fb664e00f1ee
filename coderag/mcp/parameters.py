"""The arguments of tools: one table of parameters, from which the schemas are made and by which arguments are checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from coderag.errors import QueryError

MAX_TEXT = 2_000_000
MAX_NAME = 4_000
MAX_LIST = 200
MIN_TOKENS, MAX_TOKENS = 200, 100_000
MAX_HITS = 100
MAX_WAIT_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a call was given; every tool uses some of it."""

    root: str = ""
    question: str = ""
    task: str = ""
    focus: str = ""
    trace: str = ""
    open_files: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    k: int = 10
    name: str = ""
    path: str = ""
    target: str = ""
    max_tokens: int = 4_000
    wait_seconds: int = 0


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool. `minimum` and `maximum` bound an integer, `maximum` a text's or a list's length."""

    name: str
    type: str  # of the schema: "string", "integer" or "array" (of strings)
    description: str
    maximum: int
    minimum: int = 0
    default: int | None = None
    required: bool = False

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the argument."""
        described = {"type": self.type, "description": self.description}
        if self.type == "integer":
            return described | {"minimum": self.minimum, "maximum": self.maximum, "default": self.default}
        if self.type == "array":
            return described | {"items": {"type": "string", "maxLength": MAX_NAME}, "maxItems": self.maximum}
        return described | {"maxLength": self.maximum}

    def checked(self, value: object) -> str | int | tuple[str, ...]:
        """The value as `Arguments` has it.

        Raises:
            QueryError: it is not what the schema says.
        """
        if self.type == "array":
            return tuple(self._text(each, MAX_NAME) for each in self._items(value))
        return self._number(value) if self.type == "integer" else self._text(value, self.maximum)

    def _items(self, value: object) -> Sequence[object]:
        if not isinstance(value, list):
            raise QueryError(f"{self.name}: must be a list of texts, not {_kind(value)}")
        if len(value) > self.maximum:
            raise QueryError(f"{self.name}: has {len(value):,} entries; at most {self.maximum}")
        return value

    def _text(self, value: object, limit: int) -> str:
        if not isinstance(value, str):
            raise QueryError(f"{self.name}: must be a text, not {_kind(value)}")
        if len(value) > limit:
            raise QueryError(f"{self.name}: has {len(value):,} characters; at most {limit:,}")
        return value

    def _number(self, value: object) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not self.minimum <= value <= self.maximum:
            raise QueryError(
                f"{self.name}: must be a whole number from {self.minimum} to {self.maximum:,}, not {_shown(value)}"
            )
        return value


def _kind(value: object) -> str:
    names = {
        str: "a text",
        bool: "a truth value",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "an object",
    }
    return names.get(type(value), "null")


def _shown(value: object) -> str:
    return repr(value) if isinstance(value, int | float) and abs(value) < 1e12 else _kind(value)


def _text(name: str, description: str, maximum: int = MAX_NAME, *, required: bool = False) -> Parameter:
    return Parameter(name, "string", description, maximum, required=required)


def _list(name: str, description: str) -> Parameter:
    return Parameter(name, "array", description, MAX_LIST)


ROOT = _text("root", "Which root to ask, as `status` names it. Only needed when the server has several.")
TOKENS = Parameter(
    "max_tokens", "integer", "The answer fits into so many tokens.", MAX_TOKENS, MIN_TOKENS, default=4_000
)
QUESTION = _text("question", "Words, a symbol, code, or an error message with its stack trace.", MAX_TEXT)
TASK = _text("task", "What is to be done, in words.", MAX_TEXT)
FOCUS = _text("focus", "Where the editor is: PATH:LINE or PATH:FIRST-LAST. Ranks what belongs to it higher.")
TRACE = _text("trace", "A stack trace or log; its frames are found in the repository.", MAX_TEXT)
OPEN_FILES = _list("open_files", "Paths that are open in the editor.")
PATHS = _list("paths", "Only files that match these globs, as in .gitignore; `!` before one excludes.")
LANGUAGES = _list("languages", "Only these languages (python, go, …).")
KINDS = _list("kinds", "Only these kinds of symbol (function, method, class, constant, …).")
K = Parameter("k", "integer", "How many hits at most.", MAX_HITS, 1, default=10)
NAME = _text("name", "A name (`put`), a qualified one (`Cart.total`), PATH#NAME, or the id of a hit.", required=True)
PATH = _text("path", "A file or folder; without it, the root.")
TARGET = _text("target", "PATH, PATH:LINE or PATH#SYMBOL.", required=True)
WAIT = Parameter(
    "wait_seconds",
    "integer",
    "While the index is being built: wait so long for it, with progress.",
    MAX_WAIT_SECONDS,
    default=0,
)


def schema_of(parameters: Sequence[Parameter]) -> dict[str, Any]:
    """The input schema of a tool."""
    required = [each.name for each in parameters if each.required]
    return {
        "type": "object",
        "properties": {each.name: each.schema() for each in parameters},
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def checked(parameters: Sequence[Parameter], given: Mapping[str, object]) -> Arguments:
    """The arguments of a call. An argument that is null counts as not given.

    Raises:
        QueryError: one is missing, unknown, or not what its schema says; the message names it.
    """
    known = {each.name: each for each in parameters}
    for name in given:
        if name not in known:
            raise QueryError(f"{name[:60]!r}: no such argument; known are {', '.join(known)}")
    for each in parameters:
        if each.required and not given.get(each.name):
            raise QueryError(f"{each.name}: is missing; {each.description}")
    defaults: dict[str, Any] = {each.name: each.default for each in parameters if each.default is not None}
    values: dict[str, Any] = {name: known[name].checked(value) for name, value in given.items() if value is not None}
    return replace(Arguments(), **{**defaults, **values})
