"""Unified diffs as models write them: read, and applied to a text that they may describe wrongly. Pure.

A header's line numbers are a hint: models count badly. What a hunk says of the text, its context and what it removes, must be there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

_HUNK = re.compile(r"@@ (?:-(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? )?@@|@@$|@@ ")
_MARKS = ("+", "-", " ")
_NO_FILE = "/dev/null"


@dataclass(frozen=True, slots=True)
class HunkLine:
    """A line of a hunk: "+", "-" or " ", its text, and its line in the answer."""

    mark: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Hunk:
    """One hunk; `start` is the line of the old text that it claims to begin at, 0 where it claims none."""

    start: int
    lines: tuple[HunkLine, ...]
    line: int

    @property
    def before(self) -> list[str]:
        """What it says of the old text."""
        return [each.text for each in self.lines if each.mark != "+"]


@dataclass(frozen=True, slots=True)
class FilePatch:
    """The hunks of one file. `old` is "" for a new file, `new` for one that goes; `line` is where it begins in the answer."""

    old: str
    new: str
    line: int
    hunks: tuple[Hunk, ...] = ()


@dataclass(frozen=True, slots=True)
class Applied:
    """The new text; its added lines with their lines in the answer; the hunks that say of the text what is not so."""

    text: str
    added: Mapping[int, int] = field(default_factory=dict)
    failed: tuple[Hunk, ...] = ()


def is_patch(text: str) -> bool:
    """Whether a text has a file header or a hunk of a unified diff."""
    return bool(re.search(r"^(?:diff --git |--- \S.*\n\+\+\+ \S|@@ -\d+(?:,\d+)? \+\d+)", text, re.MULTILINE))


def read_patches(text: str, first_line: int = 1) -> list[FilePatch]:
    """The files of a diff in order. `first_line` is the line of the answer that the text begins at."""
    lines = text.split("\n")
    found: list[FilePatch] = []
    old, begun, position = "", first_line, 0
    while position < len(lines):
        line = lines[position]
        if _begins_file(lines, position):
            old, begun = _path(line[4:]), first_line + position
            found.append(FilePatch(old, _path(lines[position + 1][4:]), begun))
            position += 2
        elif (header := _HUNK.match(line)) and found:
            hunk, position = _hunk(lines, position, header, first_line)
            last = found[-1]
            found[-1] = FilePatch(last.old, last.new, last.line, (*last.hunks, hunk))
        else:
            position += 1
    return found


def _begins_file(lines: Sequence[str], position: int) -> bool:
    return lines[position].startswith("--- ") and position + 1 < len(lines) and lines[position + 1].startswith("+++ ")


def _path(written: str) -> str:
    """The path of a header without its prefix and what follows a tab; "" for no file."""
    path = written.partition("\t")[0].strip().strip('"')
    if path == _NO_FILE:
        return ""
    return path[2:] if path[:2] in ("a/", "b/", "i/", "w/", "c/", "o/") else path.removeprefix("./")


def _hunk(lines: Sequence[str], position: int, header: re.Match[str], first_line: int) -> tuple[Hunk, int]:
    start = int(header[1] or 0)
    old_left, new_left = int(header[2] or 1) if header[1] else 0, int(header[4] or 1) if header[1] else 0
    begun = first_line + position
    position += 1
    taken: list[HunkLine] = []
    while position < len(lines):
        line = lines[position]
        inside = old_left > 0 or new_left > 0
        if line.startswith(("diff --git ", "@@")) or (_begins_file(lines, position) and not (inside and old_left > 1)):
            break
        mark, text = (line[0], line[1:]) if line[:1] in _MARKS else (" ", line)
        if line.startswith("\\") or (not inside and line[:1] not in _MARKS):
            if not line.startswith("\\"):
                break
        else:
            taken.append(HunkLine(mark, text, first_line + position))
            old_left -= mark != "+"
            new_left -= mark != "-"
        position += 1
    return Hunk(start, tuple(_without_blank_end(taken, inside=header[1] is not None)), begun), position


def _without_blank_end(lines: list[HunkLine], inside: bool) -> list[HunkLine]:
    """Blank context at the end is the answer's own spacing."""
    while lines and lines[-1].mark == " " and not lines[-1].text.strip():
        lines = lines[:-1]
    return lines


def applied(text: str, patch: FilePatch) -> Applied:
    """The text with every hunk that fits it, in order of the hunks."""
    lines = text.split("\n") if text else []
    result: list[str] = []
    added: dict[int, int] = {}
    failed: list[Hunk] = []
    position = 0
    for hunk in patch.hunks:
        place = _found(lines, hunk, position)
        if place is None:
            failed.append(hunk)
            continue
        result += lines[position:place]
        position = place
        for each in hunk.lines:
            if each.mark == "+":
                result.append(each.text)
                added[len(result)] = each.line
            else:
                if each.mark == " ":
                    result.append(lines[position])
                position += 1
    return Applied("\n".join([*result, *lines[position:]]), added, tuple(failed))


def _found(lines: Sequence[str], hunk: Hunk, position: int) -> int | None:
    """The line (from 0) at which the hunk's old text stands, nearest to where it claims to be; None where it does not."""
    wanted = [line.rstrip() for line in hunk.before]
    if not wanted:
        return min(max(hunk.start, position), len(lines)) if hunk.start or not lines else len(lines)
    claimed = max(hunk.start - 1, 0)
    places = (place for place in _places(lines, wanted[0], position) if _stands(lines, place, wanted))
    return min(places, key=lambda place: (abs(place - claimed), place), default=None)


def _places(lines: Sequence[str], first: str, position: int) -> Iterator[int]:
    return (place for place in range(position, len(lines)) if lines[place].rstrip() == first)


def _stands(lines: Sequence[str], place: int, wanted: Sequence[str]) -> bool:
    return place + len(wanted) <= len(lines) and all(
        lines[place + offset].rstrip() == line for offset, line in enumerate(wanted)
    )
