"""What is done about a file that its grammar cannot read: one break must not hide the symbols around it.

Knows disguises, noise and splits of `Language`, and how to count what a reading defines; it writes white space and braces over the
text that the grammar sees, never over the text of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from tree_sitter import Tree

from coderag.languages import Language, noise_patterns
from coderag.languages.grammar import Compiled
from coderag.parse.braces import close_braces
from coderag.parse.found import Match, count_definitions, matches_of
from coderag.parse.text import Text, blanked
from coderag.types import Problem

_CLEANINGS, _REPAIRS = 4, 2  # how often a text with errors is parsed again: without noise, without lines
_MAX_PROBLEMS = 20
_MAX_NOISE = 500  # bytes that one match of `Language.noise` may span; searched in vain behind every statement
_MAX_SPLIT = 2_000  # bytes behind a break that a match of `Language.splits` may span
_MAX_STATEMENT = 30  # lines that are looked at around a break


def disguised(text: bytes, row: Language) -> bytes:
    """The text that the grammar sees: what it does not know looks like something that it does, byte for byte as long."""
    for pattern, end in row.disguises:
        text = re.sub(pattern.encode(), partial(_disguise, end.encode()), text)
    return text


def _disguise(end: bytes, match: re.Match[bytes]) -> bytes:
    if not end:
        return blanked(match.group())
    return end.rjust(len(match.group()), b"_")


@dataclass(frozen=True, slots=True, order=True)
class _Break:
    """Lines that the grammar could not read, the first and the last."""

    line: int
    last: int


def _breaks(source: Text, tree: Tree) -> tuple[_Break, ...]:
    found: set[_Break] = set()
    end = len(source.starts)
    stack = [tree.root_node] if tree.root_node.has_error else []
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            found.add(_Break(min(node.start_point.row + 1, end), min(node.end_point.row + 1, end)))
        stack += (child for child in node.children if child.has_error or child.is_error)
    return tuple(sorted(found))


def _problems(breaks: tuple[_Break, ...]) -> tuple[Problem, ...]:
    return tuple(Problem(line, "syntax error") for line in dict.fromkeys(each.line for each in breaks))


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a file: the text as the grammar saw it, its tree, what is defined in it, and what was lost."""

    text: bytes
    tree: Tree
    matches: list[Match]
    problems: tuple[Problem, ...] = ()


def repaired(source: Text, rules: Compiled, row: Language, tree: Tree) -> Reading:
    """The reading that defines the most: one break must not hide the symbols around it."""
    text, tree, breaks = _without_noise(source, rules, row, tree)
    readings = [*_readings(source, rules, text, tree, breaks, ())]
    closed, guessed = close_braces(text) if row.braces else (text, ())
    if guessed:
        lost = _problems(breaks) + tuple(Problem(line, "a block above is not closed") for line in guessed)
        tree = rules.parser.parse(closed)
        readings += _readings(source, rules, closed, tree, _breaks(source, tree), lost)
    best = max(readings, key=lambda each: count_definitions(each.matches))
    return replace(best, problems=_in_order(best.problems))


def _in_order(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    return tuple(sorted(set(problems), key=lambda problem: (problem.line, problem.message)))[:_MAX_PROBLEMS]


def _readings(
    source: Text, rules: Compiled, text: bytes, tree: Tree, breaks: tuple[_Break, ...], lost: tuple[Problem, ...]
) -> Iterator[Reading]:
    """A text as it is, then without the lines where an error begins, again for as long as that hides nothing."""
    most = -1
    for _ in range(_REPAIRS + 1):
        errors, matches = _problems(breaks), matches_of(rules, tree)
        lost += errors
        yield Reading(text, tree, matches, lost)
        definitions = count_definitions(matches)
        if not errors or definitions < most:
            break
        most, before = definitions, text
        text = _without_lines(source, text, errors)
        tree = _parsed_again(rules, tree, before, text)
        breaks = _breaks(source, tree)


def _parsed_again(rules: Compiled, tree: Tree, before: bytes, text: bytes) -> Tree:
    """The tree of a text in which some lines differ from the one before; they are as long as they were."""
    edited, start = tree.copy(), 0
    for row, (old, new) in enumerate(zip(before.split(b"\n"), text.split(b"\n"), strict=True)):
        end = start + len(old)
        if old != new:
            edited.edit(start, end, end, (row, 0), (row, len(old)), (row, len(old)))
        start = end + 1
    return rules.parser.parse(text, edited)


def _without_noise(source: Text, rules: Compiled, row: Language, tree: Tree) -> tuple[bytes, Tree, tuple[_Break, ...]]:
    """The text and the tree with the fewest errors that can be had by blanking noise, and where those are."""
    best, fewest, kept = tree, _breaks(source, tree), source.parsed
    breaks, text, data = fewest, kept, bytearray(kept)
    for _ in range(_CLEANINGS):
        if not breaks or not _blank_noise(source, row, data, breaks):
            break
        before, text = text, bytes(data)
        tree = _parsed_again(rules, tree, before, text)
        breaks = _breaks(source, tree)
        if len(breaks) < len(fewest):
            best, fewest, kept = tree, breaks, text
    return kept, best, fewest


def _blank_noise(source: Text, row: Language, data: bytearray, breaks: tuple[_Break, ...]) -> bool:
    """Blank what `Language.noise` matches on or above the lines where breaks begin, and `Language.splits` anywhere in a
    break but for its group "kept". False if there is nothing to blank.
    """
    noise, splits = noise_patterns(row.name)
    found = False
    for start, end in _stretches(source, breaks):
        for match in splits.finditer(data, start, end) if splits else ():
            found = True
            _blank(data, match.start(), match.start("kept"))
            _blank(data, match.end("kept"), match.end())
    for start, end in _statements(source, breaks) if noise else ():
        for match in noise.finditer(data, start, end + _MAX_NOISE) if noise else ():
            if match.start() > end:
                break
            if not _is_directive(source, match.start()):
                found = True
                _blank(data, match.start(), match.end())
    return found


def _statements(source: Text, breaks: tuple[_Break, ...]) -> Iterator[tuple[int, int]]:
    """The bytes from where the statement around a break begins to the end of its first line or, if it is short, of the break."""
    reached = 0
    for each in breaks:
        line = max(1, each.line - 1)
        while line > max(1, each.line - _MAX_STATEMENT) and not _ends_statement(source, line - 1):
            line -= 1
        last = each.last if each.last - each.line < _MAX_STATEMENT else each.line
        start, end = max(reached, source.starts[line - 1]), source.line_end(source.starts[last - 1])
        if start < end:
            yield start, end
        reached = max(reached, end)


def _ends_statement(source: Text, line: int) -> bool:
    content = source.parsed[source.starts[line - 1] : source.line_end(source.starts[line - 1])].rstrip()
    return content.endswith((b";", b"}", b"{"))


def _is_directive(source: Text, offset: int) -> bool:
    start = source.starts[source.line(offset) - 1]
    return source.data[start : source.line_end(start)].lstrip().startswith(b"#")


def _stretches(source: Text, breaks: tuple[_Break, ...]) -> Iterator[tuple[int, int]]:
    """The bytes of the breaks with a line above and what is left of a condition below, none twice."""
    reached = 0
    for each in breaks:
        start = max(reached, source.starts[max(0, each.line - 2)])
        reached = max(reached, source.line_end(source.starts[each.last - 1]) + _MAX_SPLIT)
        if start < reached:
            yield start, reached


def _blank(data: bytearray, start: int, end: int) -> None:
    data[start:end] = blanked(bytes(data[start:end]))


def _without_lines(source: Text, text: bytes, errors: tuple[Problem, ...]) -> bytes:
    data = bytearray(text)
    for problem in errors:
        start = source.starts[problem.line - 1]
        end = source.line_end(start)
        data[start:end] = b" " * (end - start)
    return bytes(data)
