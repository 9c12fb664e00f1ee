"""The records of the shelf: what a file was, as one record, and what goes on the shelf and off it with a generation."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from coderag.analyse import AS_TEXT, Analysis, pack, unpack
from coderag.embed.protocol import Identity as Model
from coderag.errors import IndexCorruptError
from coderag.records import FileRecord, FileVectors
from coderag.store import Reader, Table, Writer
from coderag.types import Skipped
from coderag.update.draft import Entry
from coderag.update.identity import Identity
from coderag.update.shelf import BLOCK, Shelved, listed, maker, model_mark

_ENTRY_BYTES = 256  # what an entry costs beside its record: its row, and its place in the block
_COMPRESSION = 1
_LENGTH = struct.Struct("<I")


def taken(reader: Reader, entry: Shelved) -> tuple[Analysis, FileVectors | None]:
    """An analysis from the shelf, and its vectors if it has any.

    Raises:
        IndexCorruptError: the record is damaged, or is another one.
    """
    data = reader.get(Table.SHELF, entry.number)
    try:
        (size,) = _LENGTH.unpack_from(data)
        analysis = next(unpack(zlib.decompress(data[_LENGTH.size + size :])))
    except (struct.error, zlib.error, StopIteration) as error:
        raise IndexCorruptError(f"a record of the shelf cannot be read ({error})") from error
    if isinstance(analysis, Skipped) or (analysis.path, analysis.content_hash) != (entry.path, entry.content_hash):
        raise IndexCorruptError("a record of the shelf is not that of its entry")
    return analysis, FileVectors.from_bytes(data[_LENGTH.size : _LENGTH.size + size]) if size else None


def stored(reader: Reader, entry: Entry) -> Analysis:
    """The analysis of a file as a generation holds it.

    Raises:
        IndexCorruptError: a record of it is damaged.
    """
    number, rows = entry.number, entry.rows.tolist()
    record = FileRecord.from_bytes(reader.get(Table.FILES, number))
    chunks = reader.get_many(Table.CHUNKS, rows)
    return Analysis(
        path=entry.path,
        language=entry.language,
        encoding=record.encoding,
        content_hash=entry.content_hash,
        git_ids=entry.git_ids,
        stat=entry.stat,
        lines=entry.lines,
        secrets=record.secrets,
        notes=record.notes,
        problems=record.problems,
        chunk_ids=tuple(f"{entry.path}#{name}" for name in record.names),
        chunk_kinds=tuple(entry.kinds.tolist()),
        chunk_parts=tuple(entry.parts.tolist()),
        homes=record.homes,
        starts=record.starts,
        parsed=reader.get(Table.PARSED, number),
        chunks=tuple(chunks[row] for row in rows),
        terms=reader.get(Table.TERMS, number),
    )


def follows_from_bytes(analysis: Analysis) -> bool:
    """Whether the same bytes give the same analysis again; not so where a parser died of them, or of something else."""
    return not any(each.message.endswith(AS_TEXT) for each in analysis.problems)


@dataclass(frozen=True, slots=True)
class Leaving:
    """Files of a generation whose contents the next one no longer has, who analysed them, and which model their vectors are of."""

    reader: Reader
    entries: tuple[Entry, ...]
    identity: Identity
    model: Model | None
    unembedded: frozenset[int]

    def records(self, room: int) -> Iterator[tuple[Entry, str, bytes]]:
        """Each file with the mark of its model and what goes on the shelf, up to `room` bytes; those that are of no use left out."""
        for entry in self.entries:
            has_vectors = self.model is not None and entry.number not in self.unembedded
            record = self._record(entry, has_vectors)
            if record is None:
                continue
            room -= _size(record)
            if room < 0:
                return
            yield entry, model_mark(self.model) if has_vectors else "", record

    def _record(self, entry: Entry, has_vectors: bool) -> bytes | None:
        try:
            analysis = stored(self.reader, entry)
            vectors = self.reader.get(Table.VECTORS, entry.number) if has_vectors else b""
        except IndexCorruptError:  # nobody else has to read it any more
            return None
        if not follows_from_bytes(analysis):
            return None
        return _LENGTH.pack(len(vectors)) + vectors + zlib.compress(pack([analysis]), _COMPRESSION)


def restock(writer: Writer, before: Sequence[Shelved], returned: Collection[int], leaving: Leaving, limit: int) -> None:
    """Put away what leaves; let go what `returned` (numbers), what another coderag made, and the oldest beyond `limit` bytes."""
    identity = leaving.identity
    fresh: list[Shelved] = []
    records: list[tuple[int, bytes]] = []
    following = max((each.number for each in before), default=0) + 1
    for number, (entry, model, record) in enumerate(leaving.records(limit), following):
        made_by = maker(identity, entry.language)
        fresh.append(Shelved(number, entry.path, entry.language, entry.content_hash, made_by, model, _size(record)))
        records.append((number, record))
    replaced = {each.content for each in fresh}
    useful = (
        each
        for each in before
        if each.number not in returned and each.content not in replaced and each.maker == maker(identity, each.language)
    )
    kept = list(_within(limit - sum(each.size for each in fresh), useful))
    dropped = {each.number for each in before}.difference(each.number for each in kept)
    if fresh or dropped:
        writer.delete(Table.SHELF, dropped)
        writer.put_many(Table.SHELF, records)
        writer.put_block(BLOCK, listed((*fresh, *kept)))


def _within(room: int, entries: Iterable[Shelved]) -> Iterator[Shelved]:
    """The first of these that together take no more than `room`."""
    for entry in entries:
        room -= entry.size
        if room < 0:
            return
        yield entry


def _size(record: bytes) -> int:
    return len(record) + _ENTRY_BYTES
