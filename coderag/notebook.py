"""Jupyter notebooks: the cells of an `.ipynb` file as text that can be parsed, and the way back into the file.

A notebook is JSON, and what its author wrote stands in it as escaped strings. `read_notebook` lays the cells' sources out as one text, the
view, and knows for every byte of it where it stands in the file; `parse_view` parses each cell in its own language. Outputs and
attachments are never looked at. Broken JSON costs the cells behind the break. Pure; knows no disk and no chunks.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from coderag.languages import BY_NAME, TEXT
from coderag.parse import parse
from coderag.types import Kind, Parsed, Problem, Span, Symbol

DEFAULT_LANGUAGE = "python"
MAX_SIGNATURE = 400

_ALIASES = {
    "python2": "python",
    "python3": "python",
    "ipython": "python",
    "sh": "bash",
    "js": "javascript",
    "c++": "cpp",
    "c++17": "cpp",
    "c#": "csharp",
    "f#": TEXT,
    "r": TEXT,
    "julia": TEXT,
}
_SPACE = re.compile(r"[ \t\r\n]*")
_STRING_PART = re.compile(rb'[^"\\]+|\\u[0-9a-fA-F]{4}|\\.', re.DOTALL)
_SURROGATES = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"f": b"\f"}
_CELL_MAGIC = re.compile(rb"\s*%%(\w+)[^\n]*")
_MAGIC_LINE = re.compile(rb"(?m)^[ \t]*(?:[%!?][^\n]*|[^\n#'\"]*\?[ \t]*$)")
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its number from 1, its language ("markdown" for prose), and its stretch [start, end) of the view."""

    number: int
    language: str
    start: int
    end: int


@dataclass(slots=True)
class _Written:
    """The view while it grows: its bytes, and for each piece where it begins in the view and in the file, and how long it is there."""

    text: bytearray = field(default_factory=bytearray)
    views: list[int] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)

    def add(self, piece: bytes, position: int, length: int) -> None:
        self.views.append(len(self.text))
        self.files.append(position)
        self.lengths.append(length)
        self.text += piece


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook as text; `original` leads from there into the file. `problems` have lines of the file."""

    text: bytes
    cells: tuple[Cell, ...]
    problems: tuple[Problem, ...]
    _written: _Written
    _view_lines: tuple[int, ...]
    _file_lines: tuple[int, ...]
    _bytes: int

    def original(self, span: Span) -> Span:
        """The stretch of the file in which a stretch of the view stands."""
        start, end = self._place(span.start_byte, after=False), self._place(max(0, span.end_byte - 1), after=True)
        return Span(
            start, end, bisect_right(self._file_lines, start), bisect_right(self._file_lines, max(start, end - 1))
        )

    def parse(self) -> Parsed:
        """The symbols of all cells, in the coordinates of `text`."""
        return parse_view(self)

    def original_line(self, line: int) -> int:
        """The 1-based line of the file in which a line of the view begins."""
        return bisect_right(self._file_lines, self._place(self._view_lines[line - 1], after=False))

    def _place(self, offset: int, *, after: bool) -> int:
        """Where a byte of the view begins, or ends, in the file. The signs of one escape have all its place."""
        written = self._written
        if not written.views:
            return 0
        at = max(0, bisect_right(written.views, offset) - 1)
        size = (written.views[at + 1] if at + 1 < len(written.views) else len(written.text)) - written.views[at]
        if size != written.lengths[at]:
            return written.files[at] + (written.lengths[at] if after else 0)
        return written.files[at] + min(offset - written.views[at], size) + after


def parse_notebook(data: bytes) -> Parsed:
    """The symbols of all cells, in the coordinates of the file. `data` is UTF-8."""
    notebook = read_notebook(data)
    return _in_file(notebook, parse_view(notebook))


def _in_file(notebook: Notebook, parsed: Parsed) -> Parsed:
    """What a notebook defines and refers to, with the lines and bytes of its file instead of those of the view."""
    line = notebook.original_line
    return replace(
        parsed,
        lines=len(notebook._file_lines) if notebook._bytes else 0,
        symbols=tuple(
            replace(
                each,
                span=notebook.original(each.span),
                name_line=line(each.name_line),
                header_end=notebook.original(replace(each.span, end_byte=each.header_end)).end_byte,
                borders=tuple((line(number), depth) for number, depth in each.borders),
            )
            for each in parsed.symbols
        ),
        references=tuple(replace(each, lines=tuple(map(line, each.lines))) for each in parsed.references),
        imports=tuple(replace(each, line=line(each.line)) for each in parsed.imports),
    )


def read_notebook(data: bytes) -> Notebook:
    """The view of a notebook. Cells behind a place that is no JSON are left out, which is a problem."""
    file_lines = _line_starts(data)
    problems: list[Problem] = []
    written = _Written()
    found: list[tuple[str, int, int]] = []
    language = DEFAULT_LANGUAGE
    reader = _Reader(data, written)
    try:
        for kind, start, end in reader.cells() if data.strip() else ():
            found.append((kind, start, end))
        language = _kernel_language(reader.metadata)
    except (ValueError, RecursionError) as error:
        position = error.pos if isinstance(error, json.JSONDecodeError) else reader.position
        problems.append(Problem(bisect_right(file_lines, position), "broken notebook: what follows is left out"))
    text = bytes(written.text)
    view_lines = _line_starts(text)
    cells = tuple(
        Cell(number, *_cell_language(kind, text[start:end], language), start, end)
        for number, (kind, start, end) in enumerate(found, 1)
    )
    return Notebook(text, cells, tuple(problems), written, view_lines, file_lines, len(data))


def _line_starts(text: bytes) -> tuple[int, ...]:
    starts = [0, *(match.end() for match in re.finditer(b"\n", text))]
    return tuple(starts[:-1] if len(starts) > 1 and starts[-1] == len(text) else starts)


def _cell_language(kind: str, text: bytes, kernel: str) -> tuple[str]:
    if kind != "code":
        return ("markdown" if kind in ("markdown", "heading") else TEXT,)
    magic = _CELL_MAGIC.match(text)
    named = magic.group(1).decode("ascii", "replace").lower() if magic else ""
    named = _ALIASES.get(named, named)
    return (named if named in BY_NAME else kernel,)


def _kernel_language(metadata: Any) -> str:
    """The language that the metadata name, "text" for one without a grammar."""
    for group, key in (("kernelspec", "language"), ("language_info", "name"), ("kernelspec", "name")):
        named = metadata.get(group, {}).get(key) if isinstance(metadata.get(group), dict) else None
        if isinstance(named, str):
            name = _ALIASES.get(named.lower(), named.lower())
            return name if name in BY_NAME else TEXT
    return DEFAULT_LANGUAGE


# From JSON to the view


class _Reader:
    """Walks the JSON as far as the sources; everything else is skipped by the decoder.

    The JSON is read as Latin-1, so that an index is a byte offset; strings that are kept are decoded from the bytes.
    """

    def __init__(self, data: bytes, written: _Written) -> None:
        self.data = data
        self.text = data.decode("latin-1")
        self.written = written
        self.position = 0
        self.metadata: dict[str, Any] = {}

    def cells(self) -> Iterator[tuple[str, int, int]]:
        """(cell type, start, end) of every cell, the stretch being one of the view."""
        for key in self._members():
            if key == "cells":
                yield from self._cells()
            elif key == "worksheets":
                for _ in self._elements():
                    for inner in self._members():
                        if inner == "cells":
                            yield from self._cells()
                        else:
                            self._value()
            else:
                value = self._value()
                if key == "metadata" and isinstance(value, dict):
                    self.metadata = value

    def _cells(self) -> Iterator[tuple[str, int, int]]:
        for _ in self._elements():
            kind, start = "code", len(self.written.text)
            for key in self._members():
                if key in ("source", "input"):
                    self._source()
                else:
                    value = self._value()
                    kind = value if key == "cell_type" and isinstance(value, str) else kind
            end = len(self.written.text)
            if end > start:
                self.written.add(b"\n" if self.written.text.endswith(b"\n") else b"\n\n", self.position, 0)
            yield kind, start, end

    def _source(self) -> None:
        if self._next() == "[":
            for _ in self._elements():
                self._string()
        elif self._next() == '"':
            self._string()
        else:
            self._value()

    def _string(self) -> None:
        """Write a string of the file into the view, escape by escape."""
        if self._next() != '"':
            self._value()
            return
        start = self.position
        self._value()
        position, end = start + 1, self.position - 1
        while position < end:
            pair = _SURROGATES.match(self.data, position, end)
            match = pair or _STRING_PART.match(self.data, position, end)
            assert match is not None
            self.written.add(_unescaped(match.group()), position, match.end() - position)
            position = match.end()

    def _next(self) -> str:
        """The next sign that is no white space; it stays where it is."""
        match = _SPACE.match(self.text, self.position)
        self.position = match.end() if match else self.position
        return self.text[self.position : self.position + 1]

    def _take(self, expected: str) -> str:
        sign = self._next()
        if not sign or sign not in expected:
            raise json.JSONDecodeError(f"expected one of {expected}", "", self.position)
        self.position += 1
        return sign

    def _value(self) -> Any:
        self._next()
        value, self.position = _DECODER.raw_decode(self.text, self.position)
        return value

    def _members(self) -> Iterator[str]:
        """The keys of an object; the caller takes the value of each before it asks for the next."""
        self._take("{")
        while self._next() != "}":
            key = self._value()
            self._take(":")
            yield key if isinstance(key, str) else ""
            if self._next() != "}":
                self._take(",")
        self._take("}")

    def _elements(self) -> Iterator[None]:
        """Once for each element of a list; the caller takes the element before it asks for the next."""
        self._take("[")
        while self._next() != "]":
            yield None
            if self._next() != "]":
                self._take(",")
        self._take("]")


def _unescaped(part: bytes) -> bytes:
    if not part.startswith(b"\\"):
        return part
    if part.startswith(b"\\u"):
        return bytes.fromhex(part.replace(b"\\u", b"").decode("ascii")).decode("utf-16-be", "replace").encode("utf-8")
    return _ESCAPES.get(part[1:], part[1:])


# From the view to symbols


def parse_view(notebook: Notebook) -> Parsed:
    """The symbols of all cells, in the coordinates of the view; the lines of problems are those of the file."""
    whole = Parsed("notebook", len(notebook._view_lines))
    problems = list(notebook.problems)
    for cell in notebook.cells:
        text = notebook.text[cell.start : cell.end]
        if not text.strip():
            continue
        parsed = parse(_without_magic(text), cell.language) if cell.language != "markdown" else Parsed("markdown", 0)
        first = bisect_right(notebook._view_lines, cell.start)
        for each in parsed.problems:
            line = notebook.original_line(first + each.line - 1)
            problems.append(Problem(line, f"cell {cell.number}: {each.message}"))
        whole = _joined(whole, parsed, cell, text, first)
    return replace(whole, problems=tuple(problems))


def _without_magic(text: bytes) -> bytes:
    """The text with blanks for what is meant for the notebook, not for the language: `%time`, `!pip`, `help?`, `%%writefile`."""
    return _MAGIC_LINE.sub(lambda match: b" " * len(match.group()), text)


def _joined(whole: Parsed, part: Parsed, cell: Cell, text: bytes, first: int) -> Parsed:
    """The symbols of one cell added to those before it, below a symbol for the cell where they are not all of it."""
    outer = () if part.symbols and _covered(text, part) else (_cell_symbol(cell, text, first),)
    base = len(whole.symbols) + len(outer)
    home = base - 1 if outer else -1

    def scope(index: int) -> int:
        return base + index if index >= 0 else home

    symbols = [
        replace(
            each,
            qualified_name=f"cell {cell.number}.{each.qualified_name}",
            span=_moved(each.span, cell.start, first - 1),
            name_line=each.name_line + first - 1,
            header_end=each.header_end + cell.start,
            parent=scope(each.parent),
            borders=tuple((line + first - 1, depth) for line, depth in each.borders),
        )
        for each in part.symbols
    ]
    return replace(
        whole,
        symbols=(*whole.symbols, *outer, *symbols),
        references=(
            *whole.references,
            *(
                replace(each, scope=scope(each.scope), lines=tuple(line + first - 1 for line in each.lines))
                for each in part.references
            ),
        ),
        imports=(
            *whole.imports,
            *(replace(each, scope=scope(each.scope), line=each.line + first - 1) for each in part.imports),
        ),
        bindings=(*whole.bindings, *(replace(each, scope=scope(each.scope)) for each in part.bindings)),
    )


def _covered(text: bytes, parsed: Parsed) -> bool:
    """Whether nothing but blanks stands outside of the outermost symbols."""
    rest = bytearray(text)
    for each in parsed.symbols:
        rest[each.span.start_byte : each.span.end_byte] = b" " * (each.span.end_byte - each.span.start_byte)
    return not rest.strip()


def _moved(span: Span, offset: int, lines: int) -> Span:
    return Span(span.start_byte + offset, span.end_byte + offset, span.start_line + lines, span.end_line + lines)


def _cell_symbol(cell: Cell, text: bytes, first: int) -> Symbol:
    lead = len(text) - len(text.lstrip())
    begin, end = first + text[:lead].count(b"\n"), cell.start + len(text.rstrip())
    name = f"cell {cell.number}"
    signature = text.strip().partition(b"\n")[0].decode("utf-8", "replace").strip()
    last = first + text.rstrip().count(b"\n")
    return Symbol(
        name,
        name,
        Kind.CELL,
        Span(cell.start + lead, end, begin, last),
        begin,
        end,
        signature=signature[:MAX_SIGNATURE],
    )
