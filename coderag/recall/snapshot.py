"""What a recaller may ask of an index: one consistent generation, as arrays by chunk row and records by key.

A row is a small integer that names a chunk inside one index; it says nothing about order. `order` does: it ranks rows by path
and position, and every tie in a ranking ends on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from coderag.recall.terms import FIELDS
from coderag.records import EdgeColumns
from coderag.types import Chunk, Definition, History

if TYPE_CHECKING:
    from coderag.recall.vector import Space

__all__ = ["FIELDS", "Postings", "Snapshot"]


@dataclass(frozen=True, slots=True)
class Postings:
    """Where one term occurs: `rows` int32 [n], ascending, and `counts` uint8 [n, 5], occurrences by field (255: 255 or more)."""

    rows: NDArray[np.int32]
    counts: NDArray[np.uint8]


class Snapshot(Protocol):
    """One generation of an index. Arrays have one entry per row; rows in holes have `order` -1 and `lengths` 0."""

    generation: int
    order: NDArray[np.int32]  # [rows] rank by (path, position), -1 for a hole
    file_of_row: NDArray[np.int32]  # [rows] index into `paths`, -1 for a hole
    kind_of_row: NDArray[np.uint8]  # [rows] index into list(Kind)
    parts_of_row: NDArray[np.uint8]  # [rows] 1 for a whole chunk, n for a part of n (255: 255 or more)
    lengths: NDArray[np.int32]  # [rows, 5] terms by field
    importance: NDArray[np.float32]  # [rows] PageRank, sums to 1
    reference_count: NDArray[
        np.int32
    ]  # [rows] distinct chunks that depend on the chunk with confidence above ambiguous
    paths: Sequence[str]  # indexed files, sorted
    languages: Sequence[str]  # language of each path

    @property
    def present(self) -> int:
        """Rows that hold a chunk."""

    @property
    def total_lengths(self) -> Sequence[int]:
        """Terms of the whole index by field."""

    @property
    def history(self) -> History:
        """Which files changed lately, how often, and together."""

    @property
    def uncommitted(self) -> frozenset[str]:
        """Files that are not as the commit that is checked out has them."""

    @property
    def declarations(self) -> NDArray[np.int32]:
        """Rows that declare what is defined elsewhere."""

    @property
    def superseded(self) -> Mapping[str, str]:
        """Folders of a version beside which there is a later one, each with its name."""

    def postings(self, term: str) -> Postings | None:
        """Where the term occurs, None where nowhere."""

    def definitions(self, name: str) -> Sequence[Definition]:
        """Definitions whose last name component equals `name` when both are case-folded, by (path, index)."""

    def edges_of(self, path: str) -> EdgeColumns:
        """The edges that leave a file's chunks, with names and lines."""

    def row_of(self, path: str, symbol: int) -> int:
        """The row of the chunk that is the home of a symbol; -1: of the module outline."""

    def chunk(self, row: int) -> Chunk:
        """The chunk in a row."""

    def space(self) -> Space | None:
        """The vectors, ready to be searched; None when none are wanted.

        Raises:
            EmbeddingError: they are wanted and cannot be searched; the message says why and what to do.
        """
