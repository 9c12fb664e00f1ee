"""What is wrong with a configuration, or with the texts that its layers have, although it can be used.

Each rule is a small function. `lint_configuration` needs the configuration alone; `lint_texts` the texts of its stable layers;
`lint_tools` the definitions of tools. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from coderag.assemble.configuration import Configuration, Layer, Source, Strategy
from coderag.assemble.layers import tool_name


@dataclass(frozen=True, slots=True)
class LintFinding:
    """One thing that is wrong: a name for the rule, `path:line` where it can be said, what it costs, and what to do."""

    rule: str
    place: str
    message: str
    advice: str


_TIMES = re.compile(
    r"\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?"
    r"|\b\d{1,2}:\d{2}:\d{2}\b"
    r"|\b(?:generated|updated|last (?:updated|modified|changed)|created|as of|today is|current (?:date|time))\b[^\n]{0,20}?"
    r"\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b"
    r"|\b(?:today is|current (?:date|time))\b\s*[:=]?[^\n]{0,40}\d"
    r"|(?:生成于|更新于|更新时间|生成时间|今天是|当前时间|当前日期|最后修改)[^\n]{0,10}\d"
    r"|\d{4}\s*年\s*\d{1,2}\s*月\s*\d{1,2}\s*日\s*\d{1,2}\s*[:：时点]"
    r"|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d"
    r"|(?<![\w.])1[6-9]\d{8}(?:\d{3})?(?![\w.])"
    r"|\{\{?\s*(?:now|date|time|timestamp|today|datetime)\s*(?:\(\))?\s*\}?\}|\$\((?:date)\b|\$\{?(?:DATE|TIMESTAMP|NOW)\b",
    re.IGNORECASE,
)


def lint_configuration(configuration: Configuration) -> tuple[LintFinding, ...]:
    """What is wrong with the layers and their order."""
    return tuple(finding for rule in _RULES for finding in rule(configuration))


def lint_texts(
    configuration: Configuration, texts: Mapping[str, str], paths: Mapping[str, str]
) -> tuple[LintFinding, ...]:
    """What is wrong with the texts of stable layers. `texts` and `paths` are by the name of the layer."""
    found: list[LintFinding] = []
    for layer in configuration.layers:
        if layer.cacheable:
            text = layer.text or texts.get(layer.name, "")
            found += _times(text, paths.get(layer.name, ""), layer, configuration)
    return tuple(found)


def lint_tools(text: str, path: str = "") -> tuple[LintFinding, ...]:
    """What is wrong with definitions of tools as a JSON text: their order, and that of their keys."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        return (LintFinding("tools", path, f"the definitions of tools are no JSON: {error}", "correct the file"),)
    tools = document.get("tools") if isinstance(document, dict) else document
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        return (LintFinding("tools", path, "the definitions of tools are no array of objects", "correct the file"),)
    return tuple(_unsorted(tools, path))


def _unsorted(tools: Sequence[Mapping[str, Any]], path: str) -> Iterator[LintFinding]:
    names = [tool_name(tool) for tool in tools]
    wrong = next((second for first, second in pairwise(names) if second < first), None)
    if wrong is not None:
        message = f"the tools are not sorted by name, first at {wrong!r}"
        yield LintFinding(
            "unsorted tools", path, message, "sort them, so that equal tools give equal bytes and the cache holds"
        )
    keyed = next((name for tool, name in zip(tools, names, strict=True) if not _is_sorted(tool)), None)
    if keyed is not None:
        message = f"the keys of the tool {keyed!r} are not sorted"
        yield LintFinding("unsorted keys", path, message, "write tools with sorted keys")


def _is_sorted(value: Any) -> bool:
    if isinstance(value, Mapping):
        return list(value) == sorted(value) and all(map(_is_sorted, value.values()))
    return all(map(_is_sorted, value)) if isinstance(value, list) else True


def _place(configuration: Configuration, layer: Layer) -> str:
    return f"{configuration.path}:{layer.line}" if configuration.path and layer.line else configuration.path


def _dynamic_first(configuration: Configuration) -> Iterator[LintFinding]:
    for number, layer in enumerate(configuration.layers):
        later = [each.name for each in configuration.layers[number + 1 :] if each.cacheable]
        if not layer.cacheable and later and (layer.changes or layer.source is not Source.STATIC):
            yield LintFinding(
                "dynamic before stable",
                _place(configuration, layer),
                f"the layer {layer.name!r} changes and stands before {', '.join(map(repr, later))}, which no cache can then hold",
                f"put {layer.name!r} behind {later[-1]!r}",
            )


def _cacheable_that_changes(configuration: Configuration) -> Iterator[LintFinding]:
    for layer in configuration.layers:
        if layer.cacheable and layer.changes:
            yield LintFinding(
                "cacheable but dynamic",
                _place(configuration, layer),
                f"the layer {layer.name!r} is from {layer.source.value!r}, which changes with every request, and is marked cacheable",
                'remove "cacheable"',
            )


def _limits(configuration: Configuration) -> Iterator[LintFinding]:
    fixed = (
        sum(layer.max_tokens for layer in configuration.layers if layer.is_fixed) + configuration.reserve_output_tokens
    )
    everything = sum(layer.max_tokens for layer in configuration.layers) + configuration.reserve_output_tokens
    if fixed > configuration.window:
        message = f"at their limits the fixed layers and the reserve need {fixed:,} tokens; the window has {configuration.window:,}"
        yield LintFinding("fixed over window", configuration.path, message, "lower max_tokens of a fixed layer")
    elif everything > configuration.window:
        message = f"all limits and the reserve come to {everything:,} tokens, more than the window of {configuration.window:,}"
        yield LintFinding(
            "limits over window",
            configuration.path,
            message,
            "when it is full, the dynamic layers get less than their limits",
        )


def _no_strategy(configuration: Configuration) -> Iterator[LintFinding]:
    for layer in configuration.layers:
        if layer.source is Source.SESSION and layer.strategy in (Strategy.NONE, Strategy.TRUNCATE_TAIL):
            yield LintFinding(
                "history without strategy",
                _place(configuration, layer),
                f"the layer {layer.name!r} is a history that grows, and {layer.strategy.value!r} loses it, or its newest part, once it is long",
                'set "strategy" to "summarize_old" or "drop_old"',
            )


def _needed_not_last(configuration: Configuration) -> Iterator[LintFinding]:
    names = [layer.source for layer in configuration.layers]
    if Source.EDITOR in names and Source.INDEX in names and names.index(Source.EDITOR) < names.index(Source.INDEX):
        layer = configuration.layers[names.index(Source.EDITOR)]
        yield LintFinding(
            "focus before the rest",
            _place(configuration, layer),
            f"the layer {layer.name!r} is what is needed most and stands before what was retrieved",
            "put it last, next to the user's input",
        )


def _times(text: str, path: str, layer: Layer, configuration: Configuration) -> Iterator[LintFinding]:
    where = path or _place(configuration, layer)
    for number, line in enumerate(text.split("\n"), 1):
        if found := _TIMES.search(line):
            yield LintFinding(
                "timestamp",
                f"{where}:{number}" if path else where,
                f"the stable layer {layer.name!r} has a time, {found[0]!r}: when it changes, nothing behind it is cached",
                "remove it, or put it into a layer at the end",
            )


_RULES = (_dynamic_first, _cacheable_that_changes, _limits, _no_strategy, _needed_not_last)
