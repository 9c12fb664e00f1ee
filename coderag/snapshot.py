"""One generation of a stored index as recallers see it: arrays by row, records by key, decoded when asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coderag.embed.protocol import Identity
from coderag.errors import EmbeddingError, IndexCorruptError
from coderag.recall.filters import superseded_folders
from coderag.recall.postings import decode, entries, find, hash_term, merge
from coderag.recall.snapshot import Postings
from coderag.recall.terms import FileTerms
from coderag.records import (
    EDGE_KINDS,
    FIELD_COUNT,
    EdgeColumns,
    FileRecord,
    FileVectors,
    Graph,
    Manifest,
    chunk_from_bytes,
    definitions_from_bytes,
    from_json,
    has_key,
    history_from_bytes,
    keys_from_bytes,
    name_key,
    parsed_from_bytes,
)
from coderag.store import Reader, Table
from coderag.types import Chunk, Definition, EdgeKind, History, Parsed

if TYPE_CHECKING:
    from coderag.embed.choose import Source
    from coderag.recall.vector import Space

_IMPORTING = (EDGE_KINDS.index(EdgeKind.IMPORTS), EDGE_KINDS.index(EdgeKind.RE_EXPORTS))
_DECLARING = EDGE_KINDS.index(EdgeKind.DECLARES)

POSTINGS_KEPT = 4_096
EDGES_KEPT = 128


class StoredSnapshot:
    """Implements `coderag.recall.snapshot.Snapshot` over a reader, which it owns and closes.

    `embedder` gives what encodes questions; without it a snapshot has no space of vectors.
    """

    def __init__(self, reader: Reader, embedder: Source | None = None) -> None:
        self._reader = reader
        self._embedder = embedder
        self._space: Space | None = None
        self.generation = reader.generation
        block = reader.block("manifest")
        self.manifest = Manifest.from_bytes(block) if block else Manifest.empty()
        manifest = self.manifest
        self.paths: Sequence[str] = manifest.paths
        self.languages: Sequence[str] = manifest.languages
        self._index_of = {path: index for index, path in enumerate(manifest.paths)}
        size = int(manifest.rows.max()) + 1 if len(manifest.rows) else 0
        self.order = np.full(size, -1, np.int32)
        self.order[manifest.rows] = np.arange(len(manifest.rows), dtype=np.int32)
        self.file_of_row = np.full(size, -1, np.int32)
        self.file_of_row[manifest.rows] = np.repeat(
            np.arange(len(manifest.paths), dtype=np.int32), manifest.chunk_counts
        )
        self.kind_of_row = np.zeros(size, np.uint8)
        self.kind_of_row[manifest.rows] = manifest.kinds
        self.parts_of_row = np.ones(size, np.uint8)
        self.parts_of_row[manifest.rows] = manifest.parts
        self.lengths = np.zeros((size, FIELD_COUNT), np.int32)
        self.lengths[manifest.rows] = manifest.lengths
        self.importance = self._by_row("importance", "<f4", size)
        self.reference_count = self._by_row("reference_count", "<i4", size)
        self._term_keys = keys_from_bytes(reader.block("terms"))
        self._name_keys = keys_from_bytes(reader.block("names"))
        self._base_rows = int.from_bytes(reader.block("base_rows") or b"", "little")
        self._first_chunk = np.concatenate(([0], np.cumsum(manifest.chunk_counts)))
        self._postings: dict[str, Postings | None] = {}
        self._files: dict[int, FileRecord] = {}
        self._edges_of: dict[str, EdgeColumns] = {}

    def _by_row(self, name: str, kind: str, size: int) -> NDArray:  # type: ignore[type-arg]
        array = np.frombuffer(self._reader.block(name) or b"", kind)
        if len(array) != size:
            raise IndexCorruptError(
                f"the index holds {len(array)} of {size} values of {name}; run `coderag index --rebuild`"
            )
        return array

    def close(self) -> None:
        """Let the generation go."""
        self._reader.close()

    def block(self, name: str) -> bytes | None:
        """A named block as stored."""
        return self._reader.block(name)

    # The whole

    @property
    def present(self) -> int:
        """Rows that hold a chunk."""
        return len(self.manifest.rows)

    @cached_property
    def total_lengths(self) -> Sequence[int]:
        """Terms of the whole index by field. Column by column: numpy is slow at sums along the long axis."""
        return [int(self.lengths[:, field].sum(dtype=np.int64)) for field in range(FIELD_COUNT)]

    # Files

    def index_of(self, path: str) -> int:
        """The position of a path in `paths`, -1 where it is not indexed."""
        return self._index_of.get(path, -1)

    def rows_of(self, path: str) -> NDArray[np.int32]:
        """The rows of a file's chunks, by position."""
        index = self._index_of[path]
        return self.manifest.rows[self._first_chunk[index] : self._first_chunk[index + 1]]

    def file(self, path: str) -> FileRecord:
        """What is kept of a file."""
        key = int(self.manifest.ids[self._index_of[path]])
        if key not in self._files:
            self._files[key] = FileRecord.from_bytes(self._reader.get(Table.FILES, key))
        return self._files[key]

    def parsed(self, path: str) -> Parsed:
        """The structure of a file."""
        return parsed_from_bytes(self._reader.get(Table.PARSED, int(self.manifest.ids[self._index_of[path]])))

    def row_of(self, path: str, symbol: int) -> int:
        """The row of the chunk that is the home of a symbol; symbol -1: of the file's first chunk (its module outline)."""
        ordinal = self.file(path).homes[symbol] if symbol >= 0 else 0
        return int(self.rows_of(path)[ordinal])

    @cached_property
    def superseded(self) -> Mapping[str, str]:
        """Folders of a version beside which there is a later one, each with its name."""
        return superseded_folders(self.paths)

    # What git remembers

    @cached_property
    def history(self) -> History:
        """Which files changed lately, how often, and together."""
        return history_from_bytes(self._reader.block("history"))

    @cached_property
    def uncommitted(self) -> frozenset[str]:
        """Files that are not as the commit that is checked out has them."""
        return frozenset(from_json(self._reader.block("uncommitted") or b"[]"))

    # Chunks

    def chunk(self, row: int) -> Chunk:
        """The chunk in a row."""
        return chunk_from_bytes(self._reader.get(Table.CHUNKS, row))

    def chunks(self, rows: Sequence[int]) -> dict[int, Chunk]:
        """The chunks in many rows."""
        found = self._reader.get_many(Table.CHUNKS, rows)
        return {row: chunk_from_bytes(data) for row, data in found.items()}

    # Names and terms

    def definitions(self, name: str) -> Sequence[Definition]:
        """Definitions whose last name component equals `name` when both are case-folded, by (path, index)."""
        key = name_key(name)
        if not has_key(self._name_keys, key):
            return ()
        found = definitions_from_bytes(self._reader.get(Table.NAMES, key), self._path_of_id)
        folded = name.casefold()
        return sorted(
            (entry for _, entry in found if entry.name.casefold() == folded),
            key=lambda entry: (entry.path, entry.index),
        )

    @cached_property
    def _path_of_id(self) -> dict[int, str]:
        return dict(zip(self.manifest.ids.tolist(), self.paths, strict=True))

    @cached_property
    def _in_base(self) -> NDArray[np.bool_]:
        alive = np.zeros(max(len(self.order), self._base_rows), bool)
        alive[self.manifest.rows] = np.repeat(self.manifest.base, self.manifest.chunk_counts)
        return alive

    @cached_property
    def _base_is_whole(self) -> bool:
        """Whether the base postings name exactly the rows of this generation."""
        return self._base_rows == len(self.order) and bool(self._in_base.all())

    @cached_property
    def _deltas(self) -> list[tuple[NDArray[np.int32], FileTerms]]:
        changed = [index for index, base in enumerate(self.manifest.base.tolist()) if not base]
        ids = {int(self.manifest.ids[index]): index for index in changed}
        records = self._reader.get_many(Table.TERMS, list(ids))
        return [(self.rows_of(self.paths[ids[key]]), FileTerms.from_bytes(data)) for key, data in records.items()]

    def postings(self, term: str) -> Postings | None:
        """Where the term occurs, None where nowhere."""
        if term not in self._postings:
            if len(self._postings) >= POSTINGS_KEPT:
                self._postings.clear()
            self._postings[term] = self._find_postings(term)
        return self._postings[term]

    def _find_postings(self, term: str) -> Postings | None:
        key = hash_term(term)
        base = decode(self._reader.get(Table.POSTINGS, key), term) if has_key(self._term_keys, key) else None
        if self._base_is_whole:
            return base
        found = [each for rows, terms in self._deltas if (each := find(terms, rows, term)) is not None]
        merged = merge(base, self._in_base, found)
        return merged if len(merged.rows) else None

    def all_terms(self) -> set[str]:
        """Every term that occurs, among them some whose chunks may all be gone."""
        found = {term for _, data in self._reader.scan(Table.POSTINGS) for term, _ in entries(data)}
        return found.union(*(terms.terms for _, terms in self._deltas))

    # Vectors

    @cached_property
    def embedding(self) -> Identity | None:
        """Whose vectors these are, None where there are none."""
        block = self._reader.block("embedding")
        return Identity(*from_json(block)) if block is not None else None

    @cached_property
    def unembedded(self) -> frozenset[int]:
        """The numbers of files that have no vectors yet, where others have."""
        return frozenset(from_json(self._reader.block("unembedded") or b"[]"))

    @property
    def vector_notes(self) -> tuple[str, ...]:
        """What a search by vectors cannot find, in words."""
        count = len(self.unembedded)
        files = "1 file has" if count == 1 else f"{count:,} files have"
        return (f"{files} no vectors yet; run `coderag index` to make them",) if self._space and count else ()

    def vectors(self, path: str) -> FileVectors | None:
        """The vectors of a file, None where it has none."""
        key = int(self.manifest.ids[self._index_of[path]])
        if self.embedding is None or key in self.unembedded:
            return None
        return FileVectors.from_bytes(self._reader.get(Table.VECTORS, key))

    def space(self) -> Space | None:
        """The vectors of this generation, ready to be searched; None when none are wanted.

        Raises:
            EmbeddingError: they are wanted and cannot be searched; the message says why and what to do.
        """
        if self._space is None and self._embedder is not None:
            self._space = self._made_space(self._embedder)
        return self._space

    def _made_space(self, source: Source) -> Space | None:
        from coderag.embed.choose import differences
        from coderag.embed.passage import TEMPLATES
        from coderag.recall.vector import Space, composed

        chosen = source()
        if chosen.obstacle:
            raise EmbeddingError(chosen.obstacle)
        if chosen.embedder is None:
            return None
        if self.embedding is None:
            raise EmbeddingError("the index holds none; run `coderag index` to make them")
        difference = differences(self.embedding, chosen.embedder.identity)
        if difference:
            raise EmbeddingError(f"{difference}; run `coderag index` to embed anew, or name the former model")
        numbers = [number for number in self.manifest.ids.tolist() if number not in self.unembedded]
        records = self._reader.get_many(Table.VECTORS, numbers)
        known = np.repeat(~np.isin(self.manifest.ids, list(self.unembedded)), self.manifest.chunk_counts)
        files = [FileVectors.from_bytes(records[number]) for number in numbers]
        vectors = composed(files, self.embedding.dimension, TEMPLATES[self.embedding.template].place_share)
        return Space(chosen.embedder, self.manifest.rows[known], vectors, self.order)

    # Edges

    @cached_property
    def _by_target(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Edge positions sorted by target row, and those sorted targets."""
        order = np.argsort(self.edges.targets, kind="stable")
        return order, self.edges.targets[order]

    def edges_to(self, row: int) -> NDArray[np.int64]:
        """Positions in `edges` of those that end in a row."""
        order, targets = self._by_target
        first, end = _span(targets, row)
        return order[first:end]

    @cached_property
    def _by_source(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Edge positions sorted by source row, and those sorted sources."""
        order = np.argsort(self.edges.sources, kind="stable")
        return order, self.edges.sources[order]

    def edges_from(self, row: int) -> NDArray[np.int64]:
        """Positions in `edges` of those that begin in a row."""
        order, sources = self._by_source
        first, end = _span(sources, row)
        return order[first:end]

    def callers(self, row: int, limit: int) -> tuple[str, ...]:
        """Ids of up to `limit` chunks that depend on a chunk: surest and most important first, those that only import it last."""
        edges = self.edges
        found: dict[int, tuple[bool, int, int]] = {}
        for position in self.edges_to(row).tolist():
            source = int(edges.sources[position])
            if source != row:
                sure, count = int(edges.confidences[position]), int(edges.counts[position])
                sureness = (int(edges.kinds[position]) in _IMPORTING, sure, count)
                found[source] = min(sureness, found.get(source, sureness))
        ordered = sorted(found, key=lambda each: (found[each], -float(self.importance[each]), int(self.order[each])))
        return tuple(self.chunk_id(each) for each in ordered[:limit])

    def chunk_id(self, row: int) -> str:
        """The id of the chunk in a row."""
        index = int(self.file_of_row[row])
        path = self.paths[index]
        return f"{path}#{self.file(path).names[int(self.order[row]) - int(self._first_chunk[index])]}"

    def edges_of(self, path: str) -> EdgeColumns:
        """The edges that leave a file's chunks. Some are kept, for who asks about one chunk asks about its neighbours."""
        found = self._edges_of.get(path)
        if found is None:
            if len(self._edges_of) >= EDGES_KEPT:
                del self._edges_of[next(iter(self._edges_of))]
            key = int(self.manifest.ids[self._index_of[path]])
            found = self._edges_of[path] = EdgeColumns.from_bytes(self._reader.get(Table.EDGES, key))
        return found

    def links_of(self, path: str) -> EdgeColumns:
        """As `edges_of` without names and lines, which is much faster."""
        key = int(self.manifest.ids[self._index_of[path]])
        return EdgeColumns.from_bytes(self._reader.get(Table.EDGES, key), texts=False)

    @cached_property
    def declarations(self) -> NDArray[np.int32]:
        """Rows that declare what is defined elsewhere."""
        return np.unique(self.edges.sources[self.edges.kinds == _DECLARING])

    @cached_property
    def edges(self) -> Graph:
        """All edges as columns."""
        return Graph.from_bytes(self._reader.block("graph"))


def _span(rows: NDArray[np.int32], row: int) -> tuple[int, int]:
    """Where a row stands in sorted rows. What is looked for has their type, for numpy would convert all of them to another."""
    first, end = np.searchsorted(rows, np.asarray((row, row + 1), rows.dtype)).tolist()
    return first, end
