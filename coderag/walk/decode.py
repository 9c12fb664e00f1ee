"""From the bytes of a file to the UTF-8 that is parsed, and from offsets in that back to the original bytes.

Order: a byte order mark decides; otherwise UTF-8; otherwise Latin-1, if the bytes look like text at all. Pure.
"""

from __future__ import annotations

import codecs
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from coderag.types import Reason, SourceFile

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_PROBE_BYTES = 8192
# Controls that no text editor writes: all but tab, line feed, vertical tab, form feed, return, backspace, bell, escape.
_CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\t\n\v\f\r\b\a\x1b")
_HIGH_CONTROLS = bytes(range(0x80, 0xA0))
_UTF8_CONTROL_SHARE = 0.10
_OTHER_CONTROL_SHARE = 0.02
_OTHER_HIGH_CONTROL_SHARE = 0.10


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text as UTF-8 without a byte order mark, how it was encoded, and what the reader should know."""

    text: bytes
    encoding: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotText:
    """Why the bytes are no text."""

    reason: Reason
    detail: str


def decode(data: bytes) -> Decoded | NotText:
    """The text in `data`, or why there is none."""
    if data.startswith(_WIDE_MARKS) and not len(data) % 4 and b"\0\0" in data[:8]:
        return NotText(Reason.UNDECODABLE, "UTF-32")
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    body = data[len(mark) :] if mark else data
    if encoding.startswith("utf-16"):
        return _from_utf16(body, encoding)
    if b"\0" in body[:_PROBE_BYTES]:
        return NotText(Reason.BINARY, f"a NUL at byte {data.index(0)}")
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        return _from_latin1(data, error.start + len(mark))
    if _share(body[:_PROBE_BYTES], _CONTROLS) > _UTF8_CONTROL_SHARE:
        return NotText(Reason.BINARY, "mostly control characters")
    return Decoded(body, encoding)


def _from_utf16(body: bytes, encoding: str) -> Decoded | NotText:
    try:
        text = body.decode(encoding).encode("utf-8")
    except UnicodeError as error:
        return NotText(Reason.UNDECODABLE, f"broken {encoding.upper()}: {error}")
    if _share(text[:_PROBE_BYTES], _CONTROLS) > _UTF8_CONTROL_SHARE:
        return NotText(Reason.BINARY, "mostly control characters")
    return Decoded(text, encoding, (f"decoded from {encoding.upper()}",))


def _from_latin1(data: bytes, broken_at: int) -> Decoded | NotText:
    """Any bytes are Latin-1, so their likeness to text decides. In random bytes a tenth are controls, an eighth are C1 controls."""
    if _share(data, _CONTROLS) > _OTHER_CONTROL_SHARE or _share(data, _HIGH_CONTROLS) > _OTHER_HIGH_CONTROL_SHARE:
        return NotText(Reason.BINARY, "neither UTF-8 nor plausible Latin-1")
    note = f"decoded as Latin-1: byte {broken_at} is not UTF-8"
    return Decoded(data.decode("latin-1").encode("utf-8"), "latin-1", (note,))


def _share(data: bytes, members: bytes) -> float:
    return (len(data) - len(data.translate(None, members))) / len(data) if data else 0.0


def original_offsets(source: SourceFile) -> Callable[[int], int]:
    """A function from a byte offset in `source.text` to the byte offset in `source.data`.

    An offset inside of a character maps to that character's beginning.
    """
    if source.encoding == "utf-8":
        return lambda offset: offset
    if source.encoding == "utf-8-sig":
        return lambda offset: offset + len(codecs.BOM_UTF8)
    if source.encoding == "latin-1":
        return _mapping(source.text, mark=0, unit=1)
    return _mapping(source.text, mark=2, unit=2)


def _mapping(text: bytes, *, mark: int, unit: int) -> Callable[[int], int]:
    """Between two characters outside of ASCII, the distance in both is the same number of units."""
    starts, ends, origins = _wide_characters(text, mark, unit)

    def original(offset: int) -> int:
        at = bisect_right(starts, offset) - 1
        if at < 0:
            return mark + offset * unit
        after = origins[at] + (offset - ends[at]) * unit
        return after if offset >= ends[at] else _width_before(origins, ends, starts, at, mark, unit)

    return original


def _width_before(origins: list[int], ends: list[int], starts: list[int], at: int, mark: int, unit: int) -> int:
    """Where the character number `at` itself begins in the original."""
    if at == 0:
        return mark + starts[0] * unit
    return origins[at - 1] + (starts[at] - ends[at - 1]) * unit


def _wide_characters(text: bytes, mark: int, unit: int) -> tuple[list[int], list[int], list[int]]:
    """For every character outside of ASCII: where it begins and ends in `text`, and where it ends in the original."""
    starts: list[int] = []
    ends: list[int] = []
    origins: list[int] = []
    at, origin = 0, mark
    for character in text.decode("utf-8"):
        code = ord(character)
        if code < 0x80:
            at, origin = at + 1, origin + unit
            continue
        starts.append(at)
        at += 2 if code < 0x800 else 3 if code < 0x10000 else 4
        origin += unit if code < 0x10000 else 2 * unit
        ends.append(at)
        origins.append(origin)
    return starts, ends, origins
