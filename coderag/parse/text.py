"""The bytes of a file with its line starts, and the small questions that every part of the parser asks of them."""

from __future__ import annotations

import re
from bisect import bisect_right

from tree_sitter import Node, QueryCursor

MAX_RECEIVER = 160
"""Bytes that are looked at before a name, and letters of a type."""
BLANK = b" \t"
SEPARATORS = re.compile(r"[?&]?\.|->|::|:|\\|(?<=\w)#")
_BLANKS = bytes(byte if byte in b"\r\n" else ord(" ") for byte in range(256))
MAX_DEPTH = 400
"""Patterns are not tried deeper: real code stays below 100, and a query on a tree 30,000 deep takes minutes."""


class Text:
    """The bytes of a file with its line starts. `parsed` is `data` without what was blanked to parse it."""

    __slots__ = ("data", "parsed", "starts")

    def __init__(self, data: bytes) -> None:
        self.data = self.parsed = data
        self.starts = [0, *(match.end() for match in re.finditer(b"\n", data))]
        if len(self.starts) > 1 and self.starts[-1] == len(data):
            self.starts.pop()

    def line(self, offset: int) -> int:
        """The 1-based line of a byte."""
        return bisect_right(self.starts, offset)

    def line_end(self, offset: int) -> int:
        """Where the line of a byte ends, before its line break."""
        end = self.data.find(b"\n", offset)
        end = len(self.data) if end < 0 else end
        return end - 1 if end > offset and self.data[end - 1] == 13 else end

    def indent_start(self, offset: int) -> int:
        """The start of the line when only white space stands before the byte, otherwise the byte itself."""
        start = self.starts[self.line(offset) - 1]
        return start if not self.parsed[start:offset].strip(BLANK) else offset

    def cut(self, start: int, end: int) -> str:
        """The text between two bytes."""
        return self.data[start:end].decode("utf-8", "replace")


def extent(node: Node) -> tuple[int, int]:
    """The first byte of a node and the one behind it."""
    return node.start_byte, node.end_byte


def blanked(text: bytes) -> bytes:
    """Blanks for all but the line breaks."""
    return text.translate(_BLANKS)


def one_line(text: str) -> str:
    """The text with single blanks for white space."""
    return " ".join(text.split())


def cursor_of(query: object) -> QueryCursor:
    """A cursor that goes no deeper than `MAX_DEPTH`."""
    cursor = QueryCursor(query)  # type: ignore[arg-type]
    cursor.set_max_start_depth(MAX_DEPTH)
    return cursor
