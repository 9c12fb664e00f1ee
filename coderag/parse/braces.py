"""Braces that were never closed, found by indentation: code while it is being typed must not swallow what stands below.

Knows that `{` opens and `}` closes, what strings and comments look like in the languages that use braces, and nothing else. What it
writes is a guess for a second look at a file with errors; it never changes the length of the text or what is not white space.
"""

from __future__ import annotations

import re

_HIDDEN = re.compile(
    rb"""(?s)"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n<>])*'|`(?:\\.|[^`\\])*`|(?P<comment>//[^\n]*|/\*.*?\*/)"""
)
_NOT_BREAK = re.compile(rb"[^\n]")
_BRACE = re.compile(rb"[{}]")
_SAME_LEVEL = re.compile(rb"[)\]]|(?:case|default|public|private|protected)\b[^\n{]*:|\w+:\s*$|#|\x01")
_HIDDEN_MARK, _COMMENT_MARK = b"\x02", b"\x01"


def close_braces(text: bytes) -> tuple[bytes, tuple[int, ...]]:
    """The text with a `}` on white space wherever a line shows that a block above has ended, and the lines below such a place.

    A block ends at the latest before the next line that is indented no more than the line that opened it and closes nothing.
    """
    masked = _HIDDEN.sub(_mask, text)
    closed = bytearray(text)
    opened: list[int] = []
    guessed: list[int] = []
    free = start = 0
    for number, line in enumerate(masked.split(b"\n"), 1):
        content = line.strip()
        if content.strip(_COMMENT_MARK):
            indent = len(line) - len(line.lstrip())
            missing = _missing(opened, indent, content)
            if missing and _write(closed, masked, free, start + indent, missing):
                guessed.append(number)
            _follow(opened, indent, content)
            free = start + len(line.rstrip()) + line.endswith(_COMMENT_MARK)
        start += len(line) + 1
    return bytes(closed), tuple(guessed)


def _mask(match: re.Match[bytes]) -> bytes:
    mark = _COMMENT_MARK if match.group("comment") else _HIDDEN_MARK
    return _NOT_BREAK.sub(mark, match.group())


def _missing(opened: list[int], indent: int, content: bytes) -> int:
    """How many of the open blocks have ended before a line; they are taken off."""
    closes = content.startswith(b"}")
    if not closes and _SAME_LEVEL.match(content):
        return 0
    count = 0
    while opened and (opened[-1] > indent if closes else opened[-1] >= indent):
        opened.pop()
        count += 1
    return count


def _write(closed: bytearray, masked: bytes, first: int, end: int, count: int) -> bool:
    """Write closing braces on the first white space of a stretch, as many as fit. False when there is none."""
    places = [place for place in range(first, end) if masked[place : place + 1].isspace()][:count]
    for place in places:
        closed[place] = ord("}")
    return bool(places)


def _follow(opened: list[int], indent: int, content: bytes) -> None:
    for brace in _BRACE.findall(content):
        if brace == b"{":
            opened.append(indent)
        elif opened:
            opened.pop()
