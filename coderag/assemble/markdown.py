"""Markdown as blocks with their lines: headings, list items with what is indented below them, paragraphs, fenced code, comments.

As much of it as a memory needs, and no line is lost: the blocks of a text, one after the other, are the text. Lines end at a line feed
alone. Only what begins in the first column is a heading or a fence, so that text indented below an item can be neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*\r?\n?\Z")
_SHOUTED = re.compile(
    r"(?:\*\*|__)([^*_\n]{1,60})(?:\*\*|__)[ \t]*[:：]?[ \t]*\r?\n?\Z|【([^】\n]{1,60})】[ \t]*[:：]?\s*\Z"
)
_PLAIN = re.compile(r"([^\s\-*+>#<][^:：\n]{0,40})[:：][ \t]*\r?\n?\Z")
_UNDERLINE = re.compile(r"(=+|-+)[ \t]*\r?\n?\Z")
_ITEM = re.compile(r" {0,3}(?:[-*+•]|\d{1,9}[.)、])(?:[ \t]+|(?=\r?\n?\Z))")
_FENCE = re.compile(r"(`{3,}|~{3,})")
_LONGEST_HEADING = 300
_LOWEST = 7  # below every heading


@dataclass(frozen=True, slots=True)
class Block:
    """A block with every line that it has, blank ones behind it included. `section` is the name that the headings above give it."""

    lines: tuple[str, ...]
    first_line: int  # 0-based
    section: str | None = None
    title: str = ""  # of a heading
    is_heading: bool = False
    has_words: bool = True

    @property
    def last_line(self) -> int:
        """The line behind the last one that is not blank."""
        return self.first_line + self.height

    @property
    def height(self) -> int:
        """How many lines, without the blank ones behind."""
        lines = list(self.lines)
        while lines and not lines[-1].strip():
            lines.pop()
        return len(lines)

    @property
    def body(self) -> str:
        """The words: without the marker of a list and the indentation of what belongs to it."""
        lines = [line.rstrip() for line in self.lines[: self.height]]
        if not lines or lines[0].lstrip().startswith("<!--"):
            return ""
        first = _ITEM.sub("", lines[0], count=1)
        return "\n".join([first, *(line.strip() for line in lines[1:])]).strip()


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends; only a line feed ends one."""
    return _LINE.findall(text)


def title_key(title: str) -> str:
    """A heading's words for comparison: without numbers, marks, counts in brackets and emphasis."""
    bare = re.sub(r"[(（\[【][^)）\]】]{0,100}[)）\]】]", " ", title)
    bare = re.sub(r"[^\w\s]|_", " ", bare)
    return " ".join(re.sub(r"\A\s*\d+\s+|\s+\d+\s*\Z", " ", bare).split()).casefold()


def blocks(text: str, sections: Mapping[str, str]) -> list[Block]:
    """The blocks of a text. `sections` maps the key of a heading to the section that it opens; others end one of their rank."""
    found: list[Block] = []
    section: str | None = None
    depth = _LOWEST
    for block, rank in _ranked(lines_of(text), sections):
        if block.is_heading:
            named = sections.get(title_key(block.title))
            if named is not None:
                section, depth = named, rank
            elif rank <= depth:
                section, depth = None, _LOWEST
        found.append(Block(block.lines, block.first_line, section, block.title, block.is_heading, block.has_words))
    return found


def _ranked(lines: list[str], sections: Mapping[str, str]) -> Iterator[tuple[Block, int]]:
    at = 0
    while at < len(lines):
        start = at
        title, rank, height = _heading(lines, at, sections)
        at = start + height if height else _end_of_text(lines, start, sections)
        while at < len(lines) and not lines[at].strip():
            at += 1
        own = tuple(lines[start:at])
        words = any(line.strip() for line in own) and not own[0].lstrip().startswith("<!--")
        yield Block(own, start, None, title, bool(height), words), rank


def _heading(lines: list[str], at: int, sections: Mapping[str, str]) -> tuple[str, int, int]:
    """The title, the rank and the lines of a heading; no lines where there is none."""
    line = lines[at]
    if len(line) > _LONGEST_HEADING:
        return "", 0, 0
    if found := _HEADING.match(line):
        return found[2], len(found[1]), 1
    if at + 1 < len(lines) and _UNDERLINE.match(lines[at + 1]) and line[0] not in " \t" and not _ITEM.match(line):
        title = line.strip()
        if title and (lines[at + 1][0] == "=" or title_key(title) in sections):
            return title, 1 if lines[at + 1][0] == "=" else 2, 2
    found = _SHOUTED.match(line) or _PLAIN.match(line)
    title = next(filter(None, found.groups()), "") if found else ""
    if title and title_key(title) in sections:
        return title, _LOWEST - 1, 1
    return "", 0, 0


def _end_of_text(lines: list[str], start: int, sections: Mapping[str, str]) -> int:
    if not lines[start].strip():
        return start + 1
    if fence := _FENCE.match(lines[start]):
        closed = _closing(lines, start, fence[1])
        if closed:
            return closed
    if lines[start].lstrip().startswith("<!--"):
        return next((n + 1 for n in range(start, len(lines)) if "-->" in lines[n]), start + 1)
    is_item = _ITEM.match(lines[start]) is not None
    at = start + 1
    while at < len(lines) and not _begins(lines, at, sections):
        blank = not lines[at].strip()
        if blank and not (is_item and _next_is_indented(lines, at)):
            break
        at += 1
    return at


def _closing(lines: list[str], start: int, fence: str) -> int:
    for at in range(start + 1, len(lines)):
        if lines[at].strip().startswith(fence) and not lines[at].strip().strip(fence[0]):
            return at + 1
    return 0


def _begins(lines: list[str], at: int, sections: Mapping[str, str]) -> bool:
    line = lines[at]
    if line[0] in " \t":
        return bool(_ITEM.match(line)) and not line.startswith(("  ", "\t"))
    return bool(_ITEM.match(line) or line.startswith("<!--") or _heading(lines, at, sections)[2])


def _next_is_indented(lines: list[str], at: int) -> bool:
    following = next((line for line in lines[at:] if line.strip()), "")
    return following.startswith(("  ", "\t"))
