"""SourceFile and Parsed -> chunks. Pure: the same file gives the same chunks, whatever else is in the repository.

Every line that is not blank is shown by at least one chunk: symbols show theirs, the module outline shows what no symbol holds.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from coderag.chunk.layout import Layout, is_outline, lay_out, pieces
from coderag.chunk.split import split_lines
from coderag.config import Settings
from coderag.languages import view_of
from coderag.types import Chunk, Import, Kind, Parsed, SourceFile, Span, Symbol
from coderag.walk import elided, original_offsets

CONTEXT_LINES = 2
HEADER_LINES = 6  # of a split symbol's header that every part repeats
PARAGRAPH_LINES = 40
MARK = "…"
MAX_NAMES = 400  # names kept in `Chunk.refers`
_WORD = re.compile(rb"[\w\x80-\xff]")


_Line = tuple[int, str]
"""One line that a chunk shows: its number in the file and its text without the line break."""


@dataclass(frozen=True, slots=True)
class _File:
    """What every chunk of one file is made from."""

    source: SourceFile
    parsed: Parsed
    layout: Layout
    lines: Sequence[str]
    starts: Sequence[int]
    settings: Settings
    names: Mapping[int, tuple[str, ...]]  # names referred to, by the symbol whose chunk holds the use
    imports: Sequence[tuple[str, str]]  # what is imported: the name that it has here, and as it is shown

    def line_of(self, offset: int) -> int:
        """1-based line of a byte of the text."""
        return bisect_right(self.starts, offset)

    def before(self, line: int) -> str:
        """The lines right before a line."""
        return "\n".join(map(elided, self.lines[max(0, line - 1 - CONTEXT_LINES) : line - 1]))

    def after(self, line: int) -> str:
        """The lines right after a line."""
        return "\n".join(map(elided, self.lines[line : line + CONTEXT_LINES]))


def chunk_file(source: SourceFile, parsed: Parsed, settings: Settings) -> tuple[Chunk, ...]:
    """The chunks of one file, by position; the module outline is first. Spans are in bytes of the original file."""
    lay_view = view_of(source.language)
    if lay_view is None:
        chunks: Sequence[Chunk] = _chunks(source, parsed, settings)
    else:
        view = lay_view(source.text)
        readable = view.parse() if parsed.symbols else replace(parsed, lines=view.text.count(b"\n") + 1)
        shown = _chunks(replace(source, text=view.text), readable, settings)
        chunks = [replace(chunk, span=view.original(chunk.span)) for chunk in shown]
    return tuple(_numbered(_with_original_spans(source, chunks)))


def _chunks(source: SourceFile, parsed: Parsed, settings: Settings) -> list[Chunk]:
    raw = source.text.split(b"\n")
    if raw and not raw[-1]:
        raw.pop()
    layout = lay_out(parsed.symbols, settings.max_chunk_lines, settings.max_chunk_bytes)
    file = _File(
        source,
        parsed,
        layout,
        [line.rstrip(b"\r").decode("utf-8", "replace") for line in raw],
        [0, *accumulate(len(line) + 1 for line in raw[:-1])] if raw else [],
        settings,
        _names_by_home(parsed, layout),
        [(each.alias, _import_text(each)) for each in parsed.imports],
    )
    chunks = [*_module_chunks(file)]
    for index, home in enumerate(layout.homes):
        if index == home:
            chunks.extend(_symbol_chunks(file, index))
    return chunks


def _names_by_home(parsed: Parsed, layout: Layout) -> dict[int, tuple[str, ...]]:
    names: dict[int, dict[str, None]] = {}
    for reference in parsed.references:
        home = layout.homes[reference.scope] if reference.scope >= 0 else -1
        known = names.setdefault(home, {})
        if len(known) < MAX_NAMES:
            known[reference.name] = None
            root = reference.receiver.partition(".")[0]
            if root.isidentifier():
                known[root] = None
    return {home: tuple(known) for home, known in names.items()}


# Symbols


def _symbol_chunks(file: _File, index: int) -> Iterator[Chunk]:
    symbol = file.parsed.symbols[index]
    shown = _shown(file, index)
    text = _text(shown)
    members = file.layout.members[index]
    language, span = file.source.language, symbol.span
    chunk = Chunk(
        id=f"{file.source.path}#{symbol.qualified_name}",
        path=file.source.path,
        language=language,
        kind=symbol.kind,
        symbol=symbol.qualified_name,
        span=span,
        text=text,
        signature=symbol.signature,
        doc=symbol.doc,
        enclosing=_enclosing(file, symbol),
        before=file.before(span.start_line),
        after=file.after(span.end_line),
        imports=_imports_in_use(file, index),
        defines=tuple(dict.fromkeys([file.parsed.symbols[each].qualified_name for each in members])),
        refers=file.names.get(index, ()),
        symbols=members,
        content_hash=_content_hash(language, symbol.kind, symbol.qualified_name, symbol.signature, symbol.doc, text),
    )
    yield from _parts(file, chunk, shown, dict(symbol.borders), lambda: _header(file, symbol))


def _text(shown: Sequence[_Line]) -> str:
    return "\n".join([text for _, text in shown])


def _content_hash(*fields: str) -> str:
    """Of language, kind, name, signature, doc and text: what a chunk is, wherever it stands."""
    data = "\0".join((*fields, "")).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _shown(file: _File, index: int) -> list[_Line]:
    symbols, layout = file.parsed.symbols, file.layout
    outline = is_outline(symbols, layout, index)
    shown = _lines_of(file, index, whole=not outline)
    if not outline and layout.children[index] and _too_long(file, shown, _text(shown)):
        return _lines_of(file, index, whole=False)
    return shown


def _too_long(file: _File, shown: Sequence[_Line], text: str) -> bool:
    return len(shown) > file.settings.max_chunk_lines or len(text) >= file.settings.max_chunk_bytes


def _lines_of(file: _File, index: int, whole: bool) -> list[_Line]:
    """The lines of a symbol's pieces; where a piece ends inside a line the mark takes the place of what is left out."""
    result: list[_Line] = []
    for piece in pieces(file.parsed.symbols, file.layout, index, whole):
        text = file.source.text[piece.start : piece.end].decode("utf-8", "replace")
        first = file.line_of(piece.start)
        lines = text.split("\n")
        if "\r" in text:
            lines = [line.rstrip("\r") for line in lines]
        if piece.elided:
            while len(lines) > 1 and not lines[-1].strip():
                lines.pop()
            lines[-1] = f"{lines[-1].rstrip()} {MARK}"
        if result and result[-1][0] == first:
            lines[0] = result.pop()[1] + lines[0]
        result.extend(enumerate(lines, first))
    return _squeezed(result)


def _squeezed(lines: Sequence[_Line]) -> list[_Line]:
    """Long literals shortened; runs of blank lines between elided members made one, blank lines at the end removed."""
    result: list[_Line] = []
    after_blank = False
    for number, text in lines:
        blank = not text or text.isspace()
        if not (blank and after_blank):
            result.append((number, elided(text)))
        after_blank = blank
    while len(result) > 1 and not result[-1][1].strip():
        result.pop()
    return result


def _enclosing(file: _File, symbol: Symbol) -> str:
    if symbol.owner:
        return symbol.owner
    return file.parsed.symbols[symbol.parent].qualified_name if symbol.parent >= 0 else file.parsed.module


def _imports_in_use(file: _File, home: int) -> tuple[str, ...]:
    if not file.imports:
        return ()
    used = set(file.names.get(home, ()))
    return tuple(dict.fromkeys([written for alias, written in file.imports if alias and alias in used]))


def _import_text(entry: Import) -> str:
    joint = "" if not entry.name or entry.module.endswith((".", "/")) else "."
    whole = f"{entry.module}{joint}{entry.name}"
    return whole if entry.alias in ("", entry.name or whole) else f"{whole} as {entry.alias}"


def _header(file: _File, symbol: Symbol) -> list[str]:
    last = file.line_of(max(symbol.span.start_byte, symbol.header_end - 1))
    first = max(symbol.span.start_line, min(symbol.name_line, last - HEADER_LINES + 1))
    return [file.lines[number - 1] for number in range(first, min(last, first + HEADER_LINES - 1) + 1)]


# Parts


def _parts(
    file: _File,
    chunk: Chunk,
    shown: Sequence[_Line],
    borders: Mapping[int, int],
    repeated: Callable[[], Sequence[str]],
) -> Iterator[Chunk]:
    """The chunk itself, or its parts i/n when it is longer than the budget, each with the `repeated` lines before it."""
    if not _too_long(file, shown, chunk.text):
        yield chunk
        return
    header = repeated()
    room = file.settings.max_chunk_lines - len(header)
    positions = {position: borders[number] for position, (number, _) in enumerate(shown) if number in borders}
    if not positions:
        positions = {position: 0 for position, (_, text) in enumerate(shown, 1) if not text.strip()}
    header_bytes = sum(len(line.encode()) + 1 for line in header)
    sizes = [len(text.encode()) + 1 for _, text in shown]
    ranges = split_lines(sizes, positions, max(1, room), max(1, file.settings.max_chunk_bytes - header_bytes))
    for number, (first, end) in enumerate(ranges, 1):
        part = shown[first:end]
        lines = [line for _, line in part]
        text = "\n".join(lines if number == 1 or not header else [*header, f"    {MARK}", *lines])
        start_line = chunk.span.start_line if number == 1 else part[0][0]
        end_line = chunk.span.end_line if number == len(ranges) else part[-1][0]
        span = Span(
            chunk.span.start_byte if number == 1 else file.starts[start_line - 1],
            chunk.span.end_byte
            if number == len(ranges)
            else file.starts[end_line - 1] + len(file.lines[end_line - 1].encode()),
            start_line,
            end_line,
        )
        yield replace(
            chunk,
            id=f"{chunk.id}@{number}/{len(ranges)}",
            span=span,
            text=text,
            before=file.before(start_line),
            after=file.after(end_line),
            part=number,
            parts=len(ranges),
            symbols=chunk.symbols if number == 1 else (),
            defines=chunk.defines if number == 1 else (),
            content_hash=_content_hash(chunk.language, chunk.kind, chunk.symbol, chunk.signature, chunk.doc, text),
        )


# What no symbol holds


def _module_chunks(file: _File) -> Iterator[Chunk]:
    rest = _uncovered(file)
    while rest and not file.lines[rest[-1] - 1].strip():
        rest.pop()
    shown = _residue(file, rest)
    text = _text(shown)
    if not text.strip():
        return
    kind = Kind.MODULE if file.parsed.symbols or file.parsed.references else Kind.PARAGRAPH
    first, last = shown[0][0], shown[-1][0]
    chunk = Chunk(
        id=f"{file.source.path}#",
        path=file.source.path,
        language=file.source.language,
        kind=kind,
        symbol="",
        span=Span(file.starts[first - 1], file.starts[last - 1] + len(file.lines[last - 1].encode()), first, last),
        text=text,
        enclosing=file.parsed.module,
        before=file.before(first),
        after=file.after(last),
        imports=tuple(dict.fromkeys([written for _, written in file.imports])),
        refers=file.names.get(-1, ()),
        content_hash=_content_hash(file.source.language, kind, "", "", "", text),
    )
    if kind is Kind.PARAGRAPH:
        limited = replace(file.settings, max_chunk_lines=min(PARAGRAPH_LINES, file.settings.max_chunk_lines))
        file = replace(file, settings=limited)
    yield from _parts(file, chunk, shown, {}, tuple)


def _uncovered(file: _File) -> list[int]:
    """Lines at module level that no symbol holds, and those of which it holds a part with words left over."""
    spans = [file.parsed.symbols[index].span for index in file.layout.children[-1]]
    covered = bytearray(len(file.lines) + 2)
    for span in spans:
        covered[span.start_line : span.end_line + 1] = b"\1" * (span.end_line - span.start_line + 1)
    text, position, line = file.source.text, 0, 1
    for span in spans:
        covered[line] &= not _has_word_on_line(text, position, span.start_byte)
        line_start = file.starts[span.start_line - 1]
        covered[span.start_line] &= not _WORD.search(text, max(position, line_start), span.start_byte)
        if position < span.end_byte:
            position, line = span.end_byte, span.end_line
    covered[line] &= not _has_word_on_line(text, position, len(text))
    return [number for number in range(1, len(file.lines) + 1) if not covered[number]]


def _has_word_on_line(text: bytes, position: int, end: int) -> bool:
    """Whether the line that goes on at `position` has a word there before `end`."""
    if text[position - 1 : position] == b"\n":
        return False
    line_end = text.find(b"\n", position, end)
    return _WORD.search(text, position, end if line_end < 0 else line_end) is not None


def _residue(file: _File, rest: Sequence[int]) -> list[_Line]:
    """Lines at module level, a mark where symbols stand between two groups of them."""
    shown: list[_Line] = []
    previous = 0
    after_blank = True
    for number in rest:
        text = file.lines[number - 1]
        blank = not text or text.isspace()
        if blank and (number != previous + 1 or after_blank):
            continue
        if shown and number != previous + 1 and shown[-1][1] != MARK:
            if after_blank:
                shown.pop()
            shown.append((previous, MARK))
        shown.append((number, elided(text)))
        previous, after_blank = number, blank
    return shown


# Identity


def _with_original_spans(source: SourceFile, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    if source.encoding == "utf-8":
        return chunks
    original = original_offsets(source)
    return [
        replace(
            chunk,
            span=replace(
                chunk.span, start_byte=original(chunk.span.start_byte), end_byte=original(chunk.span.end_byte)
            ),
        )
        for chunk in chunks
    ]


def _numbered(chunks: Sequence[Chunk]) -> Iterator[Chunk]:
    """Give the n-th chunk with the same name its `~n`, so that ids are unique in the file."""
    seen: dict[str, int] = {}
    for chunk in chunks:
        count = seen.get(chunk.id, 0)
        seen[chunk.id] = count + 1
        if count == 0:
            yield chunk
        else:
            name, at, part = chunk.id.rpartition("@") if chunk.parts > 1 else (chunk.id, "", "")
            yield replace(chunk, id=f"{name}~{count}{at}{part}")
