"""What is done about a file that its grammar cannot read: one break must not hide the symbols around it.

Knows disguises, noise and splits of `Language`, and how to count what a reading defines; it writes white space and braces over the
text that the grammar sees, never over the text of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from tree_sitter import Tree

from coderag.languages import Language, noise_patterns
from coderag.languages.grammar import Compiled
from coderag.parse.braces import close_braces
from coderag.parse.found import gather_structure
from coderag.parse.text import NOT_BREAK, Text, cursor_of
from coderag.types import Problem

_CLEANINGS, _REPAIRS = 4, 2  # how often a text with errors is parsed again: without noise, without lines
_MAX_PROBLEMS = 20
_MAX_NOISE = 2_000  # bytes that one match of `Language.noise` may span


def disguised(text: bytes, row: Language) -> bytes:
    """The text that the grammar sees: what it does not know looks like something that it does, byte for byte as long."""
    for pattern, end in row.disguises:
        text = re.sub(pattern.encode(), partial(_disguise, end.encode()), text)
    return text


def _disguise(end: bytes, match: re.Match[bytes]) -> bytes:
    if not end:
        return NOT_BREAK.sub(b" ", match.group())
    return end.rjust(len(match.group()), b"_")


@dataclass(frozen=True, slots=True, order=True)
class _Break:
    """Lines that the grammar could not read, the first and the last."""

    line: int
    last: int


def _breaks(source: Text, tree: Tree, rules: Compiled) -> tuple[_Break, ...]:
    if not tree.root_node.has_error:
        return ()
    nodes = cursor_of(rules.errors).captures(tree.root_node).get("error", [])
    end = len(source.starts)
    found = {_Break(min(node.start_point.row + 1, end), min(node.end_point.row + 1, end)) for node in nodes}
    return tuple(sorted(found))


def _problems(source: Text, tree: Tree, rules: Compiled) -> tuple[Problem, ...]:
    lines = dict.fromkeys(each.line for each in _breaks(source, tree, rules))
    return tuple(Problem(line, "syntax error") for line in lines)


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read a file: the text as the grammar saw it, its tree, what was lost, and how much it defines."""

    text: bytes
    tree: Tree
    problems: tuple[Problem, ...]
    definitions: int


def repaired(source: Text, rules: Compiled, row: Language, tree: Tree) -> tuple[Tree, tuple[Problem, ...]]:
    """The tree of the reading that defines the most, and what is wrong with it: one break must not hide the symbols around it.

    `source.parsed` becomes the text of that reading.
    """
    tree, errors = _without_noise(source, rules, row, tree)
    text, guessed = close_braces(source.parsed) if row.braces else (source.parsed, ())
    readings = [*_readings(source, rules, row, source.parsed, tree, ())]
    if guessed:
        known = errors + tuple(Problem(line, "a block above is not closed") for line in guessed)
        readings += _readings(source, rules, row, text, rules.parser.parse(text), known)
    best = max(readings, key=lambda each: each.definitions)
    source.parsed = best.text
    return best.tree, _in_order(best.problems)


def _in_order(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    return tuple(sorted(set(problems), key=lambda problem: (problem.line, problem.message)))[:_MAX_PROBLEMS]


def _readings(
    source: Text, rules: Compiled, row: Language, text: bytes, tree: Tree, lost: tuple[Problem, ...]
) -> Iterator[_Reading]:
    """A text as it is, then without the lines where an error begins, again and again for as long as errors remain."""
    for _ in range(_REPAIRS + 1):
        errors = _problems(source, tree, rules)
        yield _Reading(text, tree, lost + errors, len(gather_structure(source, tree, rules, row)[0]))
        if not errors:
            break
        lost += errors
        data = bytearray(text)
        _blank_lines(source, data, errors)
        text = bytes(data)
        tree = rules.parser.parse(text)


def _without_noise(source: Text, rules: Compiled, row: Language, tree: Tree) -> tuple[Tree, tuple[Problem, ...]]:
    """The tree with the fewest errors that can be had by blanking noise, and what remains wrong with it."""
    best, fewest = tree, _breaks(source, tree, rules)
    breaks, data = fewest, bytearray(source.parsed)
    for _ in range(_CLEANINGS):
        if not breaks or not _blank_noise(source, row, data, breaks):
            break
        text = bytes(data)
        tree = rules.parser.parse(text)
        breaks = _breaks(source, tree, rules)
        if len(breaks) < len(fewest):
            best, fewest, source.parsed = tree, breaks, text
    return best, _problems(source, best, rules)


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
    for line in dict.fromkeys(each.line for each in breaks):
        start, end = source.starts[max(0, line - 2)], source.line_end(source.starts[line - 1])
        for match in noise.finditer(data, start, end + _MAX_NOISE) if noise else ():
            if match.start() > end:
                break
            found = True
            _blank(data, match.start(), match.end())
    return found


def _stretches(source: Text, breaks: tuple[_Break, ...]) -> Iterator[tuple[int, int]]:
    """The bytes of the breaks with a line above and what is left of a condition below, none twice."""
    reached = 0
    for each in breaks:
        start = max(reached, source.starts[max(0, each.line - 2)])
        reached = max(reached, source.line_end(source.starts[each.last - 1]) + _MAX_NOISE)
        if start < reached:
            yield start, reached


def _blank(data: bytearray, start: int, end: int) -> None:
    data[start:end] = NOT_BREAK.sub(b" ", data[start:end])


def _blank_lines(source: Text, data: bytearray, errors: tuple[Problem, ...]) -> None:
    for problem in errors:
        start = source.starts[problem.line - 1]
        end = source.line_end(start)
        data[start:end] = b" " * (end - start)
