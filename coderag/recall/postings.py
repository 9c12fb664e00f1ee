"""Postings: for each term the chunks that have it. Built for many files at once, stored as one record per term, merged on reading.

Knows rows and counts, not where they are kept. A record names its terms, so that two terms with one key never answer for each
other.
"""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count, groupby
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coderag.recall.snapshot import FIELDS, Postings
from coderag.recall.terms import FileTerms

_BODY = len(FIELDS) - 1
_HEADER = struct.Struct("<HII")

Rows = NDArray[np.int32]


def hash_term(term: str) -> int:
    """The key of a term's record: 63 bits of BLAKE2b, so that it fits a signed integer column."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "little") >> 1


@dataclass(frozen=True, slots=True)
class _Columns:
    """All entries of many files, sorted by (term, row). `starts[i]` is where term i begins, in entries and in heads."""

    terms: list[str]
    rows: NDArray[np.int32]
    body: NDArray[np.uint8]
    starts: NDArray[np.int64]
    head_positions: NDArray[np.uint32]  # counted from the term's first entry
    heads: NDArray[np.uint32]
    head_starts: NDArray[np.int64]


def build(files: Iterable[tuple[Rows, FileTerms]]) -> Iterator[tuple[int, bytes]]:
    """Records by ascending key. Each file comes with the row of each of its chunks; a row belongs to one chunk."""
    columns = _collect(files)
    keys = np.fromiter(map(hash_term, columns.terms), np.int64, len(columns.terms))
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    records = zip(ordered.tolist(), _records(columns, order.tolist()), strict=True)
    twins = bool((ordered[1:] == ordered[:-1]).any())
    return _joined(records) if twins else iter(records)


def _collect(files: Iterable[tuple[Rows, FileTerms]]) -> _Columns:
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    keys, body, head_entries, heads, seen = [], [], [], [], 0
    for rows, file in files:
        of_file = np.fromiter(map(numbers.__getitem__, file.terms), np.int64, len(file.terms))
        sizes = _column(file.sizes)
        keys.append(of_file[_column(file.entries)] << 32 | np.repeat(rows, sizes))
        body.append(np.frombuffer(file.body, np.uint8))
        head_entries.append(_head_entries(sizes, _column(file.head_sizes)) + seen)
        heads.append(_column(file.heads))
        seen += len(file.body)
    key = _concatenated(keys, np.int64)
    order = np.argsort(key)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    head_place = place[_concatenated(head_entries, np.int64)]
    head_order = np.argsort(head_place)
    head_place = head_place[head_order]
    key = key[order]
    starts = np.searchsorted(key, np.arange(len(numbers) + 1, dtype=np.int64) << 32)
    head_starts = np.searchsorted(head_place, starts)
    positions = head_place - np.repeat(starts[:-1], np.diff(head_starts))
    return _Columns(
        list(numbers),
        (key & 0xFFFFFFFF).astype("<i4"),
        _concatenated(body, np.uint8)[order],
        starts,
        positions.astype("<u4"),
        _concatenated(heads, np.uint32)[head_order].astype("<u4"),
        head_starts,
    )


def _column(numbers: array[int]) -> NDArray[np.uint32]:
    return np.frombuffer(numbers, np.uint32)


def _concatenated(parts: list[NDArray[Any]], dtype: type[np.generic]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.empty(0, dtype)


def _head_entries(sizes: NDArray[np.uint32], head_sizes: NDArray[np.uint32]) -> NDArray[np.int64]:
    """The indices of the entries that have a head: the first ones of each chunk."""
    head_counts = head_sizes.astype(np.int64)
    chunk_starts = np.cumsum(sizes, dtype=np.int64) - sizes
    skipped = chunk_starts - (np.cumsum(head_counts) - head_counts)
    return np.repeat(skipped, head_counts) + np.arange(head_counts.sum())


def _records(columns: _Columns, order: Iterable[int]) -> Iterator[bytes]:
    rows, body = columns.rows.tobytes(), columns.body.tobytes()
    positions, heads = columns.head_positions.tobytes(), columns.heads.tobytes()
    starts, head_starts = columns.starts.tolist(), columns.head_starts.tolist()
    for i in order:
        start, end, first, last = starts[i], starts[i + 1], head_starts[i], head_starts[i + 1]
        term = columns.terms[i].encode()
        yield b"".join(
            (
                _HEADER.pack(len(term), end - start, last - first),
                term,
                rows[4 * start : 4 * end],
                body[start:end],
                positions[4 * first : 4 * last],
                heads[4 * first : 4 * last],
            )
        )


def _joined(records: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    for key, group in groupby(records, key=itemgetter(0)):
        yield key, b"".join(record for _, record in group)


def encode(term: str, postings: Postings) -> bytes:
    """One record. Records of terms with the same key are joined by concatenation."""
    text = term.encode()
    head = np.flatnonzero(postings.counts[:, :_BODY].any(axis=1)).astype("<u4")
    return b"".join(
        (
            _HEADER.pack(len(text), len(postings.rows), len(head)),
            text,
            postings.rows.astype("<i4").tobytes(),
            np.ascontiguousarray(postings.counts[:, _BODY]).tobytes(),
            head.tobytes(),
            np.ascontiguousarray(postings.counts[head, :_BODY]).tobytes(),
        )
    )


def entries(data: bytes) -> Iterator[tuple[str, Postings]]:
    """Every term of a record with its postings.

    Raises:
        ValueError: the bytes are not a record.
    """
    position = 0
    while position < len(data):
        term, postings, position = _entry(data, position)
        yield term, postings


def decode(data: bytes, term: str) -> Postings | None:
    """The postings of a term in a record; None when the record is of another term."""
    return next((postings for name, postings in entries(data) if name == term), None)


def _entry(data: bytes, position: int) -> tuple[str, Postings, int]:
    if len(data) - position < _HEADER.size:
        raise ValueError("postings: too short")
    text_size, size, head_size = _HEADER.unpack_from(data, position)
    text_start = position + _HEADER.size
    rows_start = text_start + text_size
    body_start = rows_start + 4 * size
    head_start = body_start + size
    end = head_start + 8 * head_size
    if end > len(data):
        raise ValueError("postings: too short")
    counts = np.zeros((size, len(FIELDS)), np.uint8, order="F")
    counts[:, _BODY] = np.frombuffer(data, np.uint8, size, body_start)
    head = np.frombuffer(data, "<u4", head_size, head_start)
    heads = np.frombuffer(data, np.uint8, 4 * head_size, head_start + 4 * head_size)
    counts[head, :_BODY] = heads.reshape(head_size, _BODY)
    rows = np.frombuffer(data, "<i4", size, rows_start)
    return data[text_start:rows_start].decode(), Postings(rows, counts), end


def find(file: FileTerms, rows: Rows, term: str) -> Postings | None:
    """Where a term occurs in one file whose chunks have these rows."""
    number = bisect_left(file.terms, term)
    if number == len(file.terms) or file.terms[number] != term:
        return None
    sizes = _column(file.sizes)
    found = np.flatnonzero(_column(file.entries) == number)
    counts = np.zeros((len(found), len(FIELDS)), np.uint8)
    counts[:, _BODY] = np.frombuffer(file.body, np.uint8)[found]
    head_entries = _head_entries(sizes, _column(file.head_sizes))
    place = np.searchsorted(head_entries, found)
    head = np.flatnonzero(np.append(head_entries, -1)[place] == found)
    values = _column(file.heads).astype("<u4").view(np.uint8).reshape(-1, _BODY)
    counts[head, :_BODY] = values[place[head]]
    return _sorted(np.repeat(rows, sizes)[found], counts)


def _sorted(rows: Rows, counts: NDArray[np.uint8]) -> Postings:
    order = np.argsort(rows)
    return Postings(rows[order].astype(np.int32, copy=False), counts[order])


def merge(base: Postings | None, alive: NDArray[np.bool_], deltas: Iterable[Postings]) -> Postings:
    """The base's postings in rows that still belong to it, and those of the files that changed since; rows do not overlap."""
    parts = list(deltas)
    if base is not None:
        kept = alive[base.rows]
        parts.insert(0, base if kept.all() else Postings(base.rows[kept], base.counts[kept]))
    if len(parts) == 1:
        return parts[0]
    rows = _concatenated([part.rows for part in parts], np.int32)
    counts = np.concatenate([part.counts for part in parts]) if parts else np.empty((0, len(FIELDS)), np.uint8)
    return _sorted(rows, counts)
