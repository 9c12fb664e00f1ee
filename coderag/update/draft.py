"""The next generation while it is being made: files with their numbers and rows, and what has changed.

A row belongs to a chunk id: a chunk that keeps its id keeps its row through any number of updates, so that edges which other files have
to it stay right. Freed rows are used again, lowest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from coderag.analyse import Analysis
from coderag.records import FIELD_COUNT, GIT_IDS_BYTES, MOST_PARTS, FileRecord, Manifest
from coderag.types import FileStat


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of the next generation. Columns as in `Manifest`."""

    number: int
    path: str
    language: str
    content_hash: str
    git_ids: bytes
    stat: FileStat
    lines: int
    base: bool
    rows: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    parts: NDArray[np.uint8]
    lengths: NDArray[np.int32]


@dataclass(slots=True)
class Draft:
    """All files by path; rows in use; numbers in use."""

    entries: dict[str, Entry]
    next_number: int
    free: Iterator[int]
    freed: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, manifest: Manifest) -> Draft:
        """A draft that equals a stored generation."""
        bounds = np.concatenate(([0], np.cumsum(manifest.chunk_counts))).tolist()
        entries = {}
        for index, (path, number, lines, base) in enumerate(
            zip(manifest.paths, manifest.ids.tolist(), manifest.lines.tolist(), manifest.base.tolist(), strict=True)
        ):
            first, end = bounds[index], bounds[index + 1]
            entries[path] = Entry(
                number,
                path,
                manifest.languages[index],
                manifest.hashes[index],
                manifest.git_ids[index].tobytes(),
                manifest.stat(index),
                lines,
                base,
                manifest.rows[first:end],
                manifest.kinds[first:end],
                manifest.parts[first:end],
                manifest.lengths[first:end],
            )
        used = manifest.rows
        holes = np.setdiff1d(np.arange(int(used.max()) + 1, dtype=np.int32), used).tolist() if len(used) else []
        following = int(used.max()) + 1 if len(used) else 0
        return cls(entries, max(manifest.ids.tolist(), default=-1) + 1, _rows(holes, following))

    def remove(self, path: str) -> Entry:
        """Take a file out; its rows are free from the next generation on."""
        entry = self.entries.pop(path)
        self.freed.extend(entry.rows.tolist())
        return entry

    def restat(self, path: str, stat: FileStat) -> None:
        """Give a file another stat."""
        self.entries[path] = replace(self.entries[path], stat=stat)

    def put(self, result: Analysis, stat: FileStat, lengths: NDArray[np.int32], known: Mapping[str, int]) -> Entry:
        """Enter a file that was analysed. `known`: chunk id -> row of the file's chunks in the last generation."""
        old = self.entries.get(result.path)
        if old is None:
            number, self.next_number = self.next_number, self.next_number + 1
        else:
            number = old.number
        rows = [known[each] if each in known else next(self.free) for each in result.chunk_ids]
        self.freed.extend(set(known.values()).difference(rows))
        entry = Entry(
            number,
            result.path,
            result.language,
            result.content_hash,
            result.git_ids,
            stat,
            result.lines,
            False,
            np.asarray(rows, np.int32),
            np.asarray(result.chunk_kinds, np.uint8),
            np.minimum(np.asarray(result.chunk_parts, np.int64), MOST_PARTS).astype(np.uint8),
            lengths,
        )
        self.entries[result.path] = entry
        return entry

    def manifest(self) -> Manifest:
        """The draft as columns, files by path."""
        ordered = [self.entries[path] for path in sorted(self.entries)]
        return Manifest(
            tuple(each.path for each in ordered),
            tuple(each.language for each in ordered),
            tuple(each.content_hash for each in ordered),
            np.asarray([each.number for each in ordered], np.int32),
            np.asarray(
                [[each.stat.size, each.stat.mtime_ns, each.stat.ctime_ns, each.stat.inode] for each in ordered],
                np.int64,
            ).reshape(-1, 4),
            np.asarray([each.lines for each in ordered], np.int32),
            np.asarray([each.base for each in ordered], bool),
            np.asarray([len(each.rows) for each in ordered], np.int32),
            np.frombuffer(b"".join(each.git_ids for each in ordered), np.uint8).reshape(-1, GIT_IDS_BYTES),
            joined([each.rows for each in ordered], np.int32),
            joined([each.kinds for each in ordered], np.uint8),
            joined([each.parts for each in ordered], np.uint8),
            joined([each.lengths for each in ordered], np.int32).reshape(-1, FIELD_COUNT),
        )


def entry_at(manifest: Manifest, index: int) -> Entry:
    """One file of a stored generation."""
    first = int(manifest.chunk_counts[:index].sum())
    chunks = slice(first, first + int(manifest.chunk_counts[index]))
    return Entry(
        int(manifest.ids[index]),
        manifest.paths[index],
        manifest.languages[index],
        manifest.hashes[index],
        manifest.git_ids[index].tobytes(),
        manifest.stat(index),
        int(manifest.lines[index]),
        bool(manifest.base[index]),
        manifest.rows[chunks],
        manifest.kinds[chunks],
        manifest.parts[chunks],
        manifest.lengths[chunks],
    )


def file_record(result: Analysis) -> FileRecord:
    """What is kept of an analysed file beside the manifest."""
    return FileRecord(
        result.path,
        result.encoding,
        result.lines,
        result.secrets,
        result.notes,
        result.problems,
        result.homes,
        result.starts,
        tuple(each[len(result.path) + 1 :] for each in result.chunk_ids),
    )


def _rows(holes: list[int], following: int) -> Iterator[int]:
    yield from holes
    while True:
        yield following
        following += 1


def joined(parts: list[NDArray], kind: type) -> NDArray:  # type: ignore[type-arg]
    """Columns one after another; an empty column of `kind` where there is none."""
    return np.concatenate(parts) if parts else np.zeros(0, kind)
