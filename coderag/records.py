"""Values as bytes and back: what the worker pipe and the store carry. Knows the value types and no disk.

Every record is either JSON by position (small, readable with any tool) or little-endian columns. `indexes/FORMAT.md` lists them; a
change here is a new format version. No pickle: a record from a hostile index is data, never code.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coderag.errors import IndexCorruptError
from coderag.types import (
    Binding,
    Chunk,
    Confidence,
    Definition,
    EdgeKind,
    FileStat,
    History,
    Import,
    Kind,
    Parsed,
    Problem,
    Reference,
    ReferenceKind,
    Skipped,
    Span,
    Symbol,
    Visibility,
)

KINDS = tuple(Kind)
EDGE_KINDS = tuple(EdgeKind)
CONFIDENCES = tuple(Confidence)
FIELD_COUNT = 5
GIT_IDS_BYTES = 40  # two ids of git; see `walk.git_ids`
MOST_PARTS = 255
_COMPRESSION = 1


def to_json(value: Any) -> bytes:
    """Compact JSON in ASCII, so that a path with surrogate escapes survives."""
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def from_json(data: bytes) -> Any:
    """The inverse of `to_json`.

    Raises:
        IndexCorruptError: the bytes are not JSON.
    """
    try:
        return json.loads(data)
    except ValueError as error:
        raise IndexCorruptError(
            f"a record of the index is not JSON ({error}); run `coderag index --rebuild`"
        ) from error


def name_key(name: str) -> int:
    """The key of a name in the names table: 63 bits of BLAKE2b over its case-folded form."""
    return (
        int.from_bytes(blake2b(name.casefold().encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little") >> 1
    )


# Parsed


def parsed_to_bytes(parsed: Parsed) -> bytes:
    """A parsed file, compressed."""
    document = [
        parsed.language,
        parsed.lines,
        [
            [
                each.name,
                each.qualified_name,
                each.kind,
                [each.span.start_byte, each.span.end_byte, each.span.start_line, each.span.end_line],
                each.name_line,
                each.header_end,
                each.parent,
                each.signature,
                each.doc,
                each.decorators,
                each.visibility,
                each.bases,
                each.type,
                each.owner,
                each.declaration,
                each.borders,
            ]
            for each in parsed.symbols
        ],
        [[each.name, each.receiver, each.kind, each.scope, each.lines] for each in parsed.references],
        [[each.module, each.name, each.alias, each.line, each.scope, each.reexport] for each in parsed.imports],
        [[each.scope, each.name, each.type] for each in parsed.bindings],
        parsed.exports,
        parsed.module,
        [[each.line, each.message] for each in parsed.problems],
    ]
    return zlib.compress(to_json(document), _COMPRESSION)


def parsed_from_bytes(data: bytes) -> Parsed:
    """The inverse of `parsed_to_bytes`.

    Raises:
        IndexCorruptError: the bytes are not of that form.
    """
    try:
        document = from_json(zlib.decompress(data))
    except zlib.error as error:
        raise IndexCorruptError(f"a parsed file cannot be read ({error}); run `coderag index --rebuild`") from error
    language, lines, symbols, references, imports, bindings, exports, module, problems = document
    kinds, uses, sights = Kind._value2member_map_, ReferenceKind._value2member_map_, Visibility._value2member_map_
    return Parsed(
        language,
        lines,
        tuple(
            Symbol(
                name,
                qualified,
                kinds[kind],  # type: ignore[arg-type]
                Span(*span),
                name_line,
                header_end,
                parent,
                signature,
                doc,
                tuple(decorators),
                sights[visibility],  # type: ignore[arg-type]
                tuple(bases),
                written,
                owner,
                declaration,
                tuple((line, depth) for line, depth in borders),
            )
            for (
                name,
                qualified,
                kind,
                span,
                name_line,
                header_end,
                parent,
                signature,
                doc,
                decorators,
                visibility,
                bases,
                written,
                owner,
                declaration,
                borders,
            ) in symbols
        ),
        tuple(
            Reference(name, receiver, uses[kind], scope, tuple(at))  # type: ignore[arg-type]
            for name, receiver, kind, scope, at in references
        ),
        tuple(Import(*each) for each in imports),
        tuple(Binding(*each) for each in bindings),
        tuple((name, local) for name, local in exports),
        module,
        tuple(Problem(*each) for each in problems),
    )


# Chunks


def chunk_to_bytes(chunk: Chunk) -> bytes:
    """One chunk."""
    span = chunk.span
    return to_json(
        [
            chunk.id,
            chunk.path,
            chunk.language,
            chunk.kind,
            chunk.symbol,
            [span.start_byte, span.end_byte, span.start_line, span.end_line],
            chunk.text,
            chunk.signature,
            chunk.doc,
            chunk.enclosing,
            chunk.before,
            chunk.after,
            chunk.imports,
            chunk.defines,
            chunk.refers,
            chunk.symbols,
            chunk.part,
            chunk.parts,
            chunk.content_hash,
        ]
    )


def chunk_from_bytes(data: bytes) -> Chunk:
    """The inverse of `chunk_to_bytes`."""
    fields = from_json(data)
    fields[3] = Kind(fields[3])
    fields[5] = Span(*fields[5])
    for position in (12, 13, 14, 15):
        fields[position] = tuple(fields[position])
    return Chunk(*fields)


HASH_BYTES = 16


def chunk_hash(data: bytes) -> bytes:
    """The content hash of an encoded chunk: the last field, read without the rest."""
    return bytes.fromhex(data[-2 - 2 * HASH_BYTES : -2].decode("ascii"))


# Vectors


@dataclass(frozen=True, slots=True)
class FileVectors:
    """The vectors of one file: one of its place, and one of the content of each chunk with the hash of that content.

    `hashes` holds `HASH_BYTES` for each chunk; `rows` is [1 + chunks, dimension], the place first.
    """

    hashes: bytes
    rows: NDArray[np.float16]

    def to_bytes(self) -> bytes:
        """The number of chunks, the dimension, the hashes, the rows."""
        header = np.asarray([len(self.rows) - 1, self.rows.shape[1]], "<u4").tobytes()
        return b"".join((header, self.hashes, self.rows.astype("<f2", copy=False).tobytes()))

    @classmethod
    def from_bytes(cls, data: bytes) -> FileVectors:
        """The inverse of `to_bytes`."""
        chunks, dimension = np.frombuffer(data, "<u4", 2).tolist()
        start = 8 + chunks * HASH_BYTES
        rows = np.frombuffer(data, "<f2", (chunks + 1) * dimension, start).reshape(chunks + 1, dimension)
        return cls(data[8:start], rows)

    def by_hash(self) -> dict[bytes, NDArray[np.float16]]:
        """The vector of each content."""
        starts = range(0, len(self.hashes), HASH_BYTES)
        return {self.hashes[at : at + HASH_BYTES]: row for at, row in zip(starts, self.rows[1:], strict=True)}


# Files


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What is kept of one file beside its arrays in the manifest.

    `homes[i]` is the ordinal of the chunk that holds symbol i; `starts` are the first lines of the chunks and `names` their
    ids without path and "#", in order.
    """

    path: str
    encoding: str
    lines: int
    secrets: int
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]
    homes: tuple[int, ...]
    starts: tuple[int, ...]
    names: tuple[str, ...]

    def to_bytes(self) -> bytes:
        """JSON by position."""
        problems = [[each.line, each.message] for each in self.problems]
        return to_json(
            [
                self.path,
                self.encoding,
                self.lines,
                self.secrets,
                self.notes,
                problems,
                self.homes,
                self.starts,
                self.names,
            ]
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> FileRecord:
        """The inverse of `to_bytes`."""
        path, encoding, lines, secrets, notes, problems, *columns = from_json(data)
        found = tuple(Problem(*each) for each in problems)
        homes, starts, names = map(tuple, columns)
        return cls(path, encoding, lines, secrets, tuple(notes), found, homes, starts, names)


def skipped_to_bytes(skipped: Iterable[Skipped]) -> bytes:
    """Everything that was left out, in the order given."""
    return to_json([[each.path, each.reason, each.detail] for each in skipped])


# Names


def definitions_to_bytes(entries: Iterable[tuple[int, Definition]]) -> bytes:
    """Definitions under one name, each with the number of its file."""
    return to_json(
        [
            [
                file,
                each.index,
                each.name,
                each.qualified_name,
                KINDS.index(each.kind),
                each.visibility,
                KINDS.index(each.parent_kind) if each.parent_kind is not None else -1,
                each.owner,
                each.declaration,
            ]
            for file, each in entries
        ]
    )


def definitions_from_bytes(data: bytes, paths: dict[int, str]) -> list[tuple[int, Definition]]:
    """The inverse of `definitions_to_bytes`; definitions in files that `paths` (number -> path) does not have are left out."""
    return [
        (
            file,
            Definition(
                paths[file],
                index,
                name,
                qualified,
                KINDS[kind],
                Visibility(visibility),
                KINDS[parent] if parent >= 0 else None,
                owner,
                declaration,
            ),
        )
        for file, index, name, qualified, kind, visibility, parent, owner, declaration in from_json(data)
        if file in paths
    ]


# Edges


@dataclass(frozen=True, slots=True)
class EdgeColumns:
    """The edges that leave one file's chunks, as columns of one length, and the names on which they depend.

    `sources` and `targets` are chunk rows (int32), `kinds` and `confidences` indices into the enums (uint8), `counts` the n of an
    ambiguous edge (weight 1/n, otherwise 1), `names` the name as written, `lines` the lines of use in the file. `used` are the keys
    (`use_key`, uint32, sorted) of all names that a change could make these edges differ.
    """

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    confidences: NDArray[np.uint8]
    counts: NDArray[np.uint8]
    used: NDArray[np.uint32]
    names: tuple[str, ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()

    def to_bytes(self) -> bytes:
        """Two counts, the columns, then names and lines as JSON."""
        columns = (
            np.asarray([len(self.sources), len(self.used)], "<u4"),
            self.sources.astype("<i4"),
            self.targets.astype("<i4"),
            self.kinds.astype("u1"),
            self.confidences.astype("u1"),
            self.counts.astype("u1"),
            self.used.astype("<u4"),
        )
        return b"".join(column.tobytes() for column in columns) + to_json([self.names, self.lines])

    @classmethod
    def from_bytes(cls, data: bytes, *, texts: bool = True) -> EdgeColumns:
        """The inverse of `to_bytes`; without `texts` the names and lines are left empty, which is much faster."""
        count, used = int.from_bytes(data[:4], "little"), int.from_bytes(data[4:8], "little")
        sources = np.frombuffer(data, "<i4", count, 8)
        targets = np.frombuffer(data, "<i4", count, 8 + 4 * count)
        kinds = np.frombuffer(data, "u1", count, 8 + 8 * count)
        confidences = np.frombuffer(data, "u1", count, 8 + 9 * count)
        counts = np.frombuffer(data, "u1", count, 8 + 10 * count)
        end = 8 + 11 * count
        keys = np.frombuffer(data, "<u4", used, end)
        names, lines = from_json(data[end + 4 * used :]) if texts else ((), ())
        return cls(
            sources, targets, kinds, confidences, counts, keys, tuple(names), tuple(tuple(each) for each in lines)
        )


@dataclass(frozen=True, slots=True)
class Graph:
    """The edges of all files without their texts, and which files use which names: what is read as a whole.

    The first five columns are those of `EdgeColumns`, in no order that means anything; `users` are file numbers (int32), each
    beside one of the keys that the file's links depend on (`used`, uint32).
    """

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    confidences: NDArray[np.uint8]
    counts: NDArray[np.uint8]
    users: NDArray[np.int32]
    used: NDArray[np.uint32]

    def to_bytes(self) -> bytes:
        """Two counts, then the columns."""
        header = np.asarray([len(self.sources), len(self.users)], "<u4").tobytes()
        columns = zip(self._columns(), _GRAPH_COLUMNS, strict=True)
        return header + b"".join(column.astype(kind, copy=False).tobytes() for column, kind in columns)

    def _columns(self) -> tuple[NDArray[Any], ...]:
        return (self.sources, self.targets, self.kinds, self.confidences, self.counts, self.users, self.used)

    @classmethod
    def from_bytes(cls, data: bytes | None) -> Graph:
        """The inverse of `to_bytes`; no block is a graph without edges."""
        edges, uses = np.frombuffer(data or bytes(8), "<u4", 2).tolist()
        columns: list[NDArray[Any]] = []
        position = 8
        for kind, count in zip(_GRAPH_COLUMNS, (edges,) * 5 + (uses,) * 2, strict=True):
            columns.append(np.frombuffer(data or b"", kind, count, position) if count else np.zeros(0, kind))
            position += columns[-1].nbytes
        return cls(*columns)

    def without(self, rows: NDArray[np.int32], files: NDArray[np.int32]) -> Graph:
        """The graph less the edges that leave `rows` and the uses of `files`."""
        edges, uses = ~np.isin(self.sources, rows), ~np.isin(self.users, files)
        *columns, users, used = self._columns()
        return Graph(*[*(column[edges] for column in columns), users[uses], used[uses]])

    def plus(self, files: Iterable[tuple[int, EdgeColumns]]) -> Graph:
        """The graph and the edges of more files, each with its number."""
        added = [
            Graph(
                each.sources,
                each.targets,
                each.kinds,
                each.confidences,
                each.counts,
                np.full(len(each.used), number, np.int32),
                each.used,
            )
            for number, each in files
        ]
        columns = zip(*(each._columns() for each in (self, *added)), strict=True)
        return Graph(*[np.concatenate(parts) for parts in columns])


_GRAPH_COLUMNS = ("<i4", "<i4", "u1", "u1", "u1", "<i4", "<u4")


def use_key(name: str) -> int:
    """A 32-bit key of a name that links may depend on. A collision costs a needless relink, nothing else."""
    return zlib.crc32(name.encode("utf-8", "surrogatepass"))


# What git remembers


def history_to_bytes(history: History) -> bytes:
    """JSON: the paths, recency and churn of each in thousandths, and for each the numbers of its partners with thousandths."""
    paths = sorted(history.churn.keys() | history.recency.keys())
    number = {path: index for index, path in enumerate(paths)}
    partners = [
        [[number[other], round(1000 * share)] for other, share in history.together.get(path, {}).items()]
        for path in paths
    ]
    columns = ([round(1000 * values.get(path, 0.0)) for path in paths] for values in (history.recency, history.churn))
    return zlib.compress(to_json([paths, *columns, partners]))


def history_from_bytes(data: bytes | None) -> History:
    """The inverse of `history_to_bytes`; no block is no history."""
    if not data:
        return History()
    paths, recency, churn, partners = from_json(zlib.decompress(data))
    return History(
        {path: value / 1000 for path, value in zip(paths, recency, strict=True)},
        {path: value / 1000 for path, value in zip(paths, churn, strict=True)},
        {
            path: {paths[other]: share / 1000 for other, share in found}
            for path, found in zip(paths, partners, strict=True)
            if found
        },
    )


# The manifest


@dataclass(frozen=True, slots=True)
class Manifest:
    """Every indexed file and every chunk as columns: what a reader needs before it looks at anything else.

    Files are sorted by path; `ids` are their numbers in the tables, `base[i]` tells that the postings of file i are in the base records,
    `chunk_counts[i]` its chunks, `git_ids` [files, `GIT_IDS_BYTES`] its ids in git. The chunk columns follow file order, then position:
    `rows`, `kinds` (index into the enum), `parts` (of how many it is one, up to `MOST_PARTS`), `lengths` [chunks, 5] (terms by field).
    """

    paths: tuple[str, ...]
    languages: tuple[str, ...]
    hashes: tuple[str, ...]
    ids: NDArray[np.int32]
    stats: NDArray[np.int64]  # [files, 4]: size, mtime, ctime, inode
    lines: NDArray[np.int32]
    base: NDArray[np.bool_]
    chunk_counts: NDArray[np.int32]
    git_ids: NDArray[np.uint8]
    rows: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    parts: NDArray[np.uint8]
    lengths: NDArray[np.int32]

    def stat(self, index: int) -> FileStat:
        """The stat of file `index` when it was read."""
        return FileStat(*self.stats[index].tolist())

    def to_bytes(self) -> bytes:
        """A JSON header with its length before it, then the columns."""
        header = to_json([self.paths, self.languages, self.hashes, len(self.rows)])
        columns = (
            self.ids.astype("<i4"),
            self.stats.astype("<i8"),
            self.lines.astype("<i4"),
            self.base.astype("u1"),
            self.chunk_counts.astype("<i4"),
            self.git_ids.astype("u1", copy=False),
            self.rows.astype("<i4"),
            self.kinds.astype("u1"),
            self.parts.astype("u1"),
            np.minimum(self.lengths, 65535).astype("<u2"),
        )
        return len(header).to_bytes(4, "little") + header + b"".join(column.tobytes() for column in columns)

    @classmethod
    def from_bytes(cls, data: bytes) -> Manifest:
        """The inverse of `to_bytes`."""
        size = int.from_bytes(data[:4], "little")
        paths, languages, hashes, chunks = from_json(data[4 : 4 + size])
        position, columns = 4 + size, []
        shapes = (
            ("<i4", len(paths)),
            ("<i8", 4 * len(paths)),
            ("<i4", len(paths)),
            ("u1", len(paths)),
            ("<i4", len(paths)),
            ("u1", GIT_IDS_BYTES * len(paths)),
            ("<i4", chunks),
            ("u1", chunks),
            ("u1", chunks),
            ("<u2", FIELD_COUNT * chunks),
        )
        for kind, count in shapes:
            columns.append(np.frombuffer(data, kind, count, position))
            position += columns[-1].nbytes
        ids, stats, lines, base, counts, git_ids, rows, kinds, parts, lengths = columns
        return cls(
            tuple(paths),
            tuple(languages),
            tuple(hashes),
            ids,
            stats.reshape(-1, 4),
            lines,
            base.astype(bool),
            counts,
            git_ids.reshape(-1, GIT_IDS_BYTES),
            rows,
            kinds,
            parts,
            lengths.astype(np.int32).reshape(-1, FIELD_COUNT),
        )

    @classmethod
    def empty(cls) -> Manifest:
        """The manifest of an index of nothing."""
        return cls.from_bytes(b"\x0c\0\0\0[[],[],[],0]")


def keys_to_bytes(*keys: NDArray[np.int64]) -> bytes:
    """The sorted set of all these record keys, none of which is negative."""
    ordered: NDArray[np.int64] = np.sort(np.concatenate(keys))
    distinct: NDArray[np.int64] = ordered[np.diff(ordered, prepend=-1) != 0]
    return distinct.astype("<i8").tobytes()


def keys_from_bytes(data: bytes | None) -> NDArray[np.int64]:
    """The inverse of `keys_to_bytes`; no block is an empty set."""
    return np.frombuffer(data or b"", "<i8")


def has_key(keys: NDArray[np.int64], key: int) -> bool:
    """Whether a sorted set of keys holds one."""
    position = int(np.searchsorted(keys, key))
    return position < len(keys) and int(keys[position]) == key
