"""The vectors of a generation: which have to be made, and the records that hold them.

A vector belongs to the content of a chunk, so a file that moves, or an unchanged chunk of a file that changes, keeps its vector; that
of the place is kept apart. The same content has the same vector whoever computes it and whatever is computed beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from coderag.embed.choose import is_pure
from coderag.embed.passage import encode_contents, encode_places
from coderag.embed.protocol import Embedder, Identity
from coderag.records import FileVectors, chunk_from_bytes, chunk_hash, to_json
from coderag.store import Table, Writer
from coderag.types import Chunk
from coderag.update.draft import Entry
from coderag.update.embedding import BLOCK, UNEMBEDDED, Embedding, identity_to_bytes
from coderag.workers import spread

TEXTS_AT_ONCE = 256
SHARED_TEXTS = 2_000
"""From so many texts on, encoding is shared among forks; fewer are encoded in less time than forks take."""
FILES_AT_ONCE = 2_000
"""Files whose chunks are in memory at a time when a whole index is embedded anew."""

Halves = NDArray[np.float16]


@dataclass(frozen=True, slots=True)
class _Task:
    """One file: its encoded chunks, and what is known already of its place and of contents."""

    path: str
    number: int
    chunks: Sequence[bytes]
    place: Halves | None
    known: Mapping[bytes, Halves]

    def missing(self) -> list[int]:
        """Chunks whose content has no vector yet."""
        return [ordinal for ordinal, data in enumerate(self.chunks) if chunk_hash(data) not in self.known]

    def fresh(self) -> list[Chunk]:
        """Chunks whose content has to be encoded."""
        return [chunk_from_bytes(self.chunks[ordinal]) for ordinal in self.missing()]

    def record(self, place: Halves, contents: Halves) -> FileVectors:
        """The vectors of the file, given those of its place and of `fresh`."""
        hashes = [chunk_hash(data) for data in self.chunks]
        rows = np.empty((1 + len(hashes), len(place)), np.float16)
        rows[0] = place
        for ordinal, key in enumerate(hashes, 1):
            if key in self.known:
                rows[ordinal] = self.known[key]
        for ordinal, content in zip(self.missing(), contents, strict=True):
            rows[1 + ordinal] = content
        return FileVectors(b"".join(hashes), rows)


@dataclass(frozen=True, slots=True)
class Lent:
    """Vectors of the wanted model that need not be made: of contents by their hash, and of places by path."""

    contents: dict[bytes, Halves] = field(default_factory=dict)
    places: dict[str, Halves] = field(default_factory=dict)

    def add(self, path: str, vectors: FileVectors, *, has_place: bool) -> None:
        """Those of one file; `has_place` when its place is that of `path`."""
        self.contents.update(vectors.by_hash())
        if has_place:
            self.places[path] = vectors.rows[0]


def write_vectors(
    writer: Writer,
    embedding: Embedding,
    before: Mapping[str, Entry],
    after: Mapping[str, Entry],
    changed: Mapping[str, Sequence[bytes]],
    made: Mapping[str, bytes],
    lent: Lent,
    workers: int,
    advance: Callable[[int, int], None],
) -> int:
    """Bring table and blocks up to date and hand back how many chunks were encoded. `changed`: path -> encoded chunks.

    `made`, by path, are records that the embedder has made already; `lent` is known from elsewhere; `advance` is told how many files
    are done, and of how many.

    Raises:
        EmbeddingError: the embedder gives no answer.
    """
    outdated = [entry for path, entry in before.items() if path not in after or path in changed]
    kept = {} if embedding.is_new else _stored(writer, embedding, outdated)
    if embedding.is_new:
        writer.clear(Table.VECTORS)
    else:
        writer.delete(Table.VECTORS, sorted(before[path].number for path in kept))
    if embedding.embedder is None:
        _write_blocks(writer, embedding.wanted, _still_unembedded(embedding, after, changed))
        return 0
    paths = sorted(
        path for path in after if embedding.is_new or path in changed or after[path].number in embedding.unembedded
    )
    known = lent.contents | {key: row for record in kept.values() for key, row in record.by_hash().items()}
    places = lent.places | {path: record.rows[0] for path, record in kept.items()}
    writer.put_many(Table.VECTORS, sorted((after[path].number, data) for path, data in made.items()))
    encoded = sum(len(changed[path]) for path in made)
    paths = [path for path in paths if path not in made]
    for first in range(0, len(paths), FILES_AT_ONCE):
        some = paths[first : first + FILES_AT_ONCE]
        chunks = _chunks(writer, after, changed, some)
        tasks = {path: _Task(path, after[path].number, chunks[path], places.get(path), known) for path in some}
        encoded += sum(len(task.missing()) for task in tasks.values())
        records = []
        for done, record in enumerate(_records(embedding.embedder, tasks, workers), first + 1):
            records.append(record)
            advance(done, len(paths))
        writer.put_many(Table.VECTORS, sorted(records))
    _write_blocks(writer, embedding.embedder.identity, ())
    return encoded


def _stored(writer: Writer, embedding: Embedding, outdated: Iterable[Entry]) -> dict[str, FileVectors]:
    """The vectors of files that change or go, by path."""
    paths = {entry.number: entry.path for entry in outdated if entry.number not in embedding.unembedded}
    found = writer.get_many(Table.VECTORS, sorted(paths))
    return {paths[number]: FileVectors.from_bytes(data) for number, data in found.items()}


def _still_unembedded(embedding: Embedding, after: Mapping[str, Entry], changed: Iterable[str]) -> list[int]:
    """Files that have no vectors for want of an embedder."""
    if embedding.wanted is None:
        return []
    fresh = {after[path].number for path in changed}
    return sorted(entry.number for entry in after.values() if entry.number in fresh | embedding.unembedded)


def _write_blocks(writer: Writer, identity: Identity | None, unembedded: Iterable[int]) -> None:
    if identity is None:
        writer.delete_block(BLOCK)
        writer.delete_block(UNEMBEDDED)
        return
    writer.put_block(BLOCK, identity_to_bytes(identity))
    writer.put_block(UNEMBEDDED, to_json(list(unembedded)))


def _chunks(
    writer: Writer, after: Mapping[str, Entry], changed: Mapping[str, Sequence[bytes]], paths: Iterable[str]
) -> dict[str, Sequence[bytes]]:
    """The encoded chunks of these files, from the store where they have not just been made."""
    found: dict[str, Sequence[bytes]] = {}
    for path in paths:
        if path in changed:
            found[path] = changed[path]
        else:
            rows = after[path].rows.tolist()
            stored = writer.get_many(Table.CHUNKS, sorted(rows))
            found[path] = [stored[row] for row in rows]
    return found


def _records(embedder: Embedder, tasks: Mapping[str, _Task], workers: int) -> Iterator[tuple[int, bytes]]:
    """Every file's number and record, encoded in forks where there is much to do and the embedder allows it."""

    def compute(part: Sequence[str]) -> Iterator[bytes]:
        for group in _groups(part, tasks):
            places = _places(embedder, [tasks[path] for path in group])
            fresh = [tasks[path].fresh() for path in group]
            chunks = [chunk for each in fresh for chunk in each]
            rows = encode_contents(embedder, chunks).astype(np.float16) if chunks else np.zeros((0, 0), np.float16)
            ends = np.cumsum([0, *(len(each) for each in fresh)]).tolist()
            for path, place, (start, end) in zip(group, places, pairwise(ends), strict=True):
                yield tasks[path].record(place, rows[start:end]).to_bytes()

    paths = list(tasks)
    shares = _shares(paths, tasks, workers) if is_pure(embedder) else [paths]
    with spread(compute, *((paths, []) if len(shares) == 1 else ([], shares))) as records:
        for path, data in zip(paths, records, strict=True):
            yield tasks[path].number, data


def _places(embedder: Embedder, tasks: Sequence[_Task]) -> list[Halves]:
    """The vectors of where files stand; those that are known are not encoded again."""
    unknown = [task.path for task in tasks if task.place is None]
    made = iter(encode_places(embedder, unknown).astype(np.float16) if unknown else ())
    return [next(made) if task.place is None else task.place for task in tasks]


def _groups(paths: Sequence[str], tasks: Mapping[str, _Task]) -> Iterator[list[str]]:
    """Runs of files with about `TEXTS_AT_ONCE` chunks."""
    group: list[str] = []
    size = 0
    for path in paths:
        group.append(path)
        size += len(tasks[path].chunks)
        if size >= TEXTS_AT_ONCE:
            yield group
            group, size = [], 0
    if group:
        yield group


def _shares(paths: Sequence[str], tasks: Mapping[str, _Task], workers: int) -> list[Sequence[str]]:
    """Runs of files with about the same number of bytes each; one run where sharing would not pay."""
    if sum(len(tasks[path].chunks) for path in paths) < SHARED_TEXTS:
        return [paths]
    weights = np.cumsum([sum(map(len, tasks[path].chunks)) for path in paths])
    cuts = np.searchsorted(weights, weights[-1] * np.arange(1, workers) / workers).tolist()
    return [paths[first:end] for first, end in pairwise([0, *cuts, len(paths)])]
