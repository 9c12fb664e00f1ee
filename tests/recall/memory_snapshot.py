"""A snapshot in memory, made from chunks: what the recall tests search instead of an index on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coderag.embed.passage import encode_chunks
from coderag.embed.protocol import Embedder
from coderag.recall.filters import superseded_folders
from coderag.recall.postings import build, decode, hash_term
from coderag.recall.snapshot import FIELDS, Postings
from coderag.recall.terms import FileTerms, file_terms
from coderag.recall.vector import Space
from coderag.records import EDGE_KINDS, EdgeColumns, Graph
from coderag.types import Chunk, Definition, EdgeKind, History, Kind, Span


@dataclass
class MemorySnapshot:
    """Satisfies the Snapshot protocol. Rows are handed out in the order in which the files are given."""

    chunks: list[Chunk]
    records: dict[int, bytes]
    order: NDArray[np.int32]
    file_of_row: NDArray[np.int32]
    kind_of_row: NDArray[np.uint8]
    parts_of_row: NDArray[np.uint8]
    lengths: NDArray[np.int32]
    importance: NDArray[np.float32]
    reference_count: NDArray[np.int32]
    paths: Sequence[str]
    languages: Sequence[str]
    names: dict[str, list[Definition]] = field(default_factory=dict)
    homes: dict[tuple[str, int], int] = field(default_factory=dict)
    generation: int = 1
    vectors: Space | None = None
    links: list[tuple[int, int, EdgeKind]] = field(default_factory=list)
    written: dict[int, str] = field(default_factory=dict)  # by row: the name that edges to it are written with
    history: History = field(default_factory=History)
    uncommitted: frozenset[str] = frozenset()

    @property
    def edges(self) -> Graph:
        columns = self._columns(self.links)
        return Graph(*columns, np.zeros(0, np.int32), np.zeros(0, np.uint32))

    def links_of(self, path: str) -> EdgeColumns:
        here = [link for link in self.links if self.chunks[link[0]].path == path]
        return EdgeColumns(*self._columns(here), np.zeros(0, np.uint32))

    @property
    def present(self) -> int:
        return int(np.count_nonzero(self.order >= 0))

    @property
    def total_lengths(self) -> Sequence[int]:
        found: list[int] = self.lengths.sum(axis=0, dtype=np.int64).tolist()
        return found

    def edges_of(self, path: str) -> EdgeColumns:
        links = self.links_of(path)
        written = (self.written.get(int(target), self.chunks[target].symbol) for target in links.targets)
        return replace(links, names=tuple(written), lines=((),) * len(links.targets))

    @property
    def declarations(self) -> NDArray[np.int32]:
        return np.unique([source for source, _, kind in self.links if kind is EdgeKind.DECLARES]).astype(np.int32)

    @property
    def superseded(self) -> Mapping[str, str]:
        return superseded_folders(self.paths)

    def edges_from(self, row: int) -> NDArray[np.int64]:
        return np.flatnonzero(self.edges.sources == row)

    def edges_to(self, row: int) -> NDArray[np.int64]:
        return np.flatnonzero(self.edges.targets == row)

    @staticmethod
    def _columns(links: Sequence[tuple[int, int, EdgeKind]]) -> tuple[NDArray[Any], ...]:
        return (
            np.array([source for source, _, _ in links], np.int32),
            np.array([target for _, target, _ in links], np.int32),
            np.array([EDGE_KINDS.index(kind) for _, _, kind in links], np.uint8),
            np.zeros(len(links), np.uint8),
            np.ones(len(links), np.uint8),
        )

    def postings(self, term: str) -> Postings | None:
        record = self.records.get(hash_term(term))
        return None if record is None else decode(record, term)

    def definitions(self, name: str) -> Sequence[Definition]:
        return self.names.get(name.casefold(), [])

    def row_of(self, path: str, symbol: int) -> int:
        return self.homes[path, symbol]

    def chunk(self, row: int) -> Chunk:
        return self.chunks[row]

    def space(self) -> Space | None:
        return self.vectors


def make_chunk(
    path: str,
    symbol: str,
    text: str = "",
    *,
    kind: Kind = Kind.FUNCTION,
    line: int = 1,
    language: str = "python",
    signature: str = "",
    doc: str = "",
) -> Chunk:
    span = Span(0, len(text.encode()), line, line + text.count("\n"))
    return Chunk(f"{path}#{symbol}", path, language, kind, symbol, span, text or symbol, signature=signature, doc=doc)


def definitions_of(chunks: Sequence[Chunk]) -> list[tuple[Definition, int]]:
    """One definition for each chunk with a symbol, with the row of its chunk; indices count the symbols of a file."""
    found, counts = [], {}
    for row, chunk in enumerate(chunks):
        index = counts.get(chunk.path, 0)
        if chunk.symbol and chunk.part == 1:
            counts[chunk.path] = index + 1
            name = chunk.symbol.rpartition(".")[2]
            found.append((Definition(chunk.path, index, name, chunk.symbol, chunk.kind), row))
    return found


def snapshot_of(
    chunks: Sequence[Chunk],
    definitions: Sequence[tuple[Definition, int]] | None = None,
    importance: Sequence[float] | None = None,
    embedder: Embedder | None = None,
) -> MemorySnapshot:
    """An index of the chunks. Chunks of one path stand together; `definitions` come with the row of their home chunk."""
    chunks = list(chunks)
    files: list[tuple[NDArray[np.int32], FileTerms]] = []
    row = 0
    for _, group in groupby(chunks, key=lambda chunk: chunk.path):
        of_file = list(group)
        files.append((np.arange(row, row + len(of_file), dtype=np.int32), file_terms(of_file)))
        row += len(of_file)
    languages = {chunk.path: chunk.language for chunk in chunks}
    paths = sorted(languages)
    number = {path: index for index, path in enumerate(paths)}
    kinds = {kind: index for index, kind in enumerate(Kind)}
    ranked = sorted(range(len(chunks)), key=lambda i: (chunks[i].path, chunks[i].span.start_line, i))
    order = np.empty(len(chunks), np.int32)
    order[ranked] = np.arange(len(chunks))
    lengths = [np.array(terms.lengths, np.int32).reshape(-1, len(FIELDS)) for _, terms in files]
    snapshot = MemorySnapshot(
        chunks=chunks,
        records=dict(build(files)),
        order=order,
        file_of_row=np.array([number[chunk.path] for chunk in chunks], np.int32),
        kind_of_row=np.array([kinds[chunk.kind] for chunk in chunks], np.uint8),
        parts_of_row=np.array([chunk.parts for chunk in chunks], np.uint8),
        lengths=np.concatenate(lengths) if lengths else np.zeros((0, len(FIELDS)), np.int32),
        importance=np.array(importance or [1 / max(len(chunks), 1)] * len(chunks), np.float32),
        reference_count=np.zeros(len(chunks), np.int32),
        paths=paths,
        languages=[languages[path] for path in paths],
    )
    for definition, home in definitions_of(chunks) if definitions is None else definitions:
        snapshot.names.setdefault(definition.name.casefold(), []).append(definition)
        snapshot.homes[definition.path, definition.index] = home
    for found in snapshot.names.values():
        found.sort(key=lambda definition: (definition.path, definition.index))
    if embedder is not None:
        rows = np.arange(len(chunks), dtype=np.int32)
        snapshot.vectors = Space(embedder, rows, encode_chunks(embedder, chunks).astype(np.float16), order)
    return snapshot
