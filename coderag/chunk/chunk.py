"""SourceFile and Parsed -> chunks. Pure: the same file gives the same chunks, whatever else is in the repository.

Every line that is not blank is shown by at least one chunk: symbols show theirs, the module outline shows what no symbol holds.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

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


@dataclass(frozen=True, slots=True)
class _Line:
    """One line that a chunk shows: its number in the file and its text without the line break."""

    number: int
    text: str


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

    def line_of(self, offset: int) -> int:
        """1-based line of a byte of the text."""
        low, high = 0, len(self.starts)
        while low < high:
            middle = (low + high) // 2
            if self.starts[middle] <= offset:
                low = middle + 1
            else:
                high = middle
        return low


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
    starts, position = [], 0
    for line in raw:
        starts.append(position)
        position += len(line) + 1
    layout = lay_out(parsed.symbols)
    file = _File(
        source,
        parsed,
        layout,
        [line.rstrip(b"\r").decode("utf-8", "replace") for line in raw],
        starts,
        settings,
        _names_by_home(parsed, layout),
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
    members = file.layout.members[index]
    chunk = Chunk(
        id=f"{file.source.path}#{symbol.qualified_name}",
        path=file.source.path,
        language=file.source.language,
        kind=symbol.kind,
        symbol=symbol.qualified_name,
        span=symbol.span,
        text="\n".join(line.text for line in shown),
        signature=symbol.signature,
        doc=symbol.doc,
        enclosing=_enclosing(file, symbol),
        imports=_imports_in_use(file, index),
        defines=tuple(dict.fromkeys(file.parsed.symbols[each].qualified_name for each in members)),
        refers=file.names.get(index, ()),
        symbols=members,
    )
    borders = dict(symbol.borders)
    yield from _parts(file, chunk, shown, borders, _header(file, symbol))


def _shown(file: _File, index: int) -> list[_Line]:
    symbols, layout = file.parsed.symbols, file.layout
    outline = is_outline(symbols, layout, index)
    shown = _lines_of(file, index, whole=not outline)
    if not outline and layout.children[index] and _too_long(file, shown):
        return _lines_of(file, index, whole=False)
    return shown


def _too_long(file: _File, shown: Sequence[_Line]) -> bool:
    if len(shown) > file.settings.max_chunk_lines:
        return True
    return sum(len(line.text) + 1 for line in shown) > file.settings.max_chunk_bytes


def _lines_of(file: _File, index: int, whole: bool) -> list[_Line]:
    """The lines of a symbol's pieces; where a piece ends inside a line the mark takes the place of what is left out."""
    result: list[_Line] = []
    for piece in pieces(file.parsed.symbols, file.layout, index, whole):
        text = file.source.text[piece.start : piece.end].decode("utf-8", "replace")
        first = file.line_of(piece.start)
        lines = [line.rstrip("\r") for line in text.split("\n")]
        if piece.elided:
            while len(lines) > 1 and not lines[-1].strip():
                lines.pop()
            lines[-1] = f"{lines[-1].rstrip()} {MARK}"
        if result and result[-1].number == first:
            joined = result.pop().text + lines[0]
            lines[0] = joined
        result.extend(_Line(first + offset, line) for offset, line in enumerate(lines))
    return _squeezed(result)


def _squeezed(lines: Sequence[_Line]) -> list[_Line]:
    """Long literals shortened; runs of blank lines between elided members made one, blank lines at the end removed."""
    result: list[_Line] = []
    for line in lines:
        if not line.text.strip() and result and not result[-1].text.strip():
            continue
        result.append(replace(line, text=elided(line.text)) if len(line.text) > 1_000 else line)
    while len(result) > 1 and not result[-1].text.strip():
        result.pop()
    return result


def _enclosing(file: _File, symbol: Symbol) -> str:
    if symbol.owner:
        return symbol.owner
    return file.parsed.symbols[symbol.parent].qualified_name if symbol.parent >= 0 else file.parsed.module


def _imports_in_use(file: _File, home: int) -> tuple[str, ...]:
    used = set(file.names.get(home, ()))
    return tuple(dict.fromkeys(_import_text(each) for each in file.parsed.imports if each.alias in used and each.alias))


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
    file: _File, chunk: Chunk, shown: Sequence[_Line], borders: Mapping[int, int], header: Sequence[str]
) -> Iterator[Chunk]:
    """The chunk itself, or its parts i/n when it is longer than the budget."""
    if not _too_long(file, shown):
        yield _with_context(file, chunk)
        return
    room = file.settings.max_chunk_lines - len(header)
    positions = {position: borders[line.number] for position, line in enumerate(shown) if line.number in borders}
    if not positions:
        positions = {p + 1: 0 for p, line in enumerate(shown) if not line.text.strip()}
    header_bytes = sum(len(line.encode()) + 1 for line in header)
    sizes = [len(line.text.encode()) + 1 for line in shown]
    ranges = split_lines(sizes, positions, max(1, room), max(1, file.settings.max_chunk_bytes - header_bytes))
    for number, (first, end) in enumerate(ranges, 1):
        part = shown[first:end]
        lines = [line.text for line in part]
        text = "\n".join(lines if number == 1 or not header else [*header, f"    {MARK}", *lines])
        start_line = chunk.span.start_line if number == 1 else part[0].number
        end_line = chunk.span.end_line if number == len(ranges) else part[-1].number
        span = Span(
            chunk.span.start_byte if number == 1 else file.starts[start_line - 1],
            chunk.span.end_byte
            if number == len(ranges)
            else file.starts[end_line - 1] + len(file.lines[end_line - 1].encode()),
            start_line,
            end_line,
        )
        yield _with_context(
            file,
            replace(
                chunk,
                id=f"{chunk.id}@{number}/{len(ranges)}",
                span=span,
                text=text,
                part=number,
                parts=len(ranges),
                symbols=chunk.symbols if number == 1 else (),
                defines=chunk.defines if number == 1 else (),
            ),
        )


def _with_context(file: _File, chunk: Chunk) -> Chunk:
    first, last = chunk.span.start_line, chunk.span.end_line
    digest = hashlib.blake2b(digest_size=16)
    for field in (chunk.language, chunk.kind, chunk.symbol, chunk.signature, chunk.doc, chunk.text):
        digest.update(field.encode("utf-8", "surrogatepass") + b"\0")
    return replace(
        chunk,
        before="\n".join(elided(line) for line in file.lines[max(0, first - 1 - CONTEXT_LINES) : first - 1]),
        after="\n".join(elided(line) for line in file.lines[last : last + CONTEXT_LINES]),
        content_hash=digest.hexdigest(),
    )


# What no symbol holds


def _module_chunks(file: _File) -> Iterator[Chunk]:
    rest = _uncovered(file)
    while rest and not file.lines[rest[-1] - 1].strip():
        rest.pop()
    shown = _residue(file, rest)
    if not any(line.text.strip() for line in shown):
        return
    kind = Kind.MODULE if file.parsed.symbols or file.parsed.references else Kind.PARAGRAPH
    first, last = shown[0].number, shown[-1].number
    chunk = Chunk(
        id=f"{file.source.path}#",
        path=file.source.path,
        language=file.source.language,
        kind=kind,
        symbol="",
        span=Span(file.starts[first - 1], file.starts[last - 1] + len(file.lines[last - 1].encode()), first, last),
        text="\n".join(line.text for line in shown),
        enclosing=file.parsed.module,
        imports=tuple(dict.fromkeys(_import_text(each) for each in file.parsed.imports)),
        refers=file.names.get(-1, ()),
    )
    if kind is Kind.PARAGRAPH:
        limited = replace(file.settings, max_chunk_lines=min(PARAGRAPH_LINES, file.settings.max_chunk_lines))
        file = replace(file, settings=limited)
    yield from _parts(file, chunk, shown, {}, ())


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
    for number in rest:
        text = file.lines[number - 1]
        if not text.strip() and (not shown or number != previous + 1 or not shown[-1].text.strip()):
            continue
        if shown and number != previous + 1 and shown[-1].text != MARK:
            if not shown[-1].text.strip():
                shown.pop()
            shown.append(_Line(previous, MARK))
        shown.append(_Line(number, elided(text)))
        previous = number
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
