"""What the graph says of candidates: what the best of them use, and how near a chunk is to the focus.

Asks a snapshot for the edges of single files, never for all edges unless somebody's dependents are wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from coderag.recall.snapshot import Snapshot
from coderag.records import EDGE_KINDS, EdgeColumns, Graph
from coderag.types import EdgeKind, Hit, Kind

LEADERS: Final = 8
"""Best hits whose definitions are looked up."""

MAX_NEIGHBOURS: Final = 60
_KINDS: Final = tuple(Kind)
DEFINING: Final = frozenset(
    {Kind.CLASS, Kind.STRUCT, Kind.INTERFACE, Kind.TRAIT, Kind.ENUM, Kind.TYPE_ALIAS, Kind.CONSTANT}
)
"""Kinds whose definition one must see to read what uses it."""

_SURE: Final = 3  # confidences are ordered; the last, ambiguous, begins here
_FOLLOWED: Final = np.array([kind not in (EdgeKind.TESTS, EdgeKind.IMPORTS) for kind in EDGE_KINDS])


class Linked(Snapshot, Protocol):
    """A snapshot that knows edges."""

    @property
    def edges(self) -> Graph:
        """All edges as columns."""

    def links_of(self, path: str) -> EdgeColumns:
        """The edges that leave a file's chunks, without names and lines."""

    def edges_to(self, row: int) -> NDArray[np.int64]:
        """Positions in `edges` of those that end in a row."""


def used_by(snapshot: Linked, row: int) -> dict[int, float]:
    """The chunks that a chunk depends on, each with how surely (1, or 1/n for one of n guesses)."""
    links = snapshot.links_of(snapshot.paths[int(snapshot.file_of_row[row])])
    chosen = np.flatnonzero((links.sources == row) & (links.targets != row) & _FOLLOWED[links.kinds])
    found: dict[int, float] = {}
    for target, count in zip(links.targets[chosen].tolist(), links.counts[chosen].tolist(), strict=True):
        found[target] = max(found.get(target, 0.0), 1.0 / max(count, 1))
    return found


def users_of(snapshot: Linked, row: int) -> dict[int, float]:
    """The chunks that depend on a chunk, each with how surely."""
    edges, positions = snapshot.edges, snapshot.edges_to(row)
    positions = positions[_FOLLOWED[edges.kinds[positions]]][: 4 * MAX_NEIGHBOURS]
    found: dict[int, float] = {}
    for source, count in zip(edges.sources[positions].tolist(), edges.counts[positions].tolist(), strict=True):
        if source != row:
            found[source] = max(found.get(source, 0.0), 1.0 / max(count, 1))
    return found


def leaders(rankings: Iterable[Sequence[Hit]]) -> list[int]:
    """The rows that stand first in the rankings, by the sum of their reciprocal ranks; ties by row."""
    found: dict[int, float] = {}
    for hits in rankings:
        for hit in hits[: 4 * LEADERS]:
            found[hit.row] = found.get(hit.row, 0.0) + 1.0 / (LEADERS + hit.rank)
    return sorted(found, key=lambda row: (-found[row], row))[:LEADERS]


def definitions_used(snapshot: Linked, rows: Sequence[int]) -> Mapping[int, float]:
    """Definitions of types and constants that the rows use: for each the sum of what its users are worth, the first 1, at most 1.

    A definition that everything uses says little about any of its users: the share falls with its dependents.
    """
    found: dict[int, float] = {}
    for place, row in enumerate(rows):
        for target, sureness in used_by(snapshot, row).items():
            if _KINDS[snapshot.kind_of_row[target]] in DEFINING:
                dependents = max(int(snapshot.reference_count[target]), 1)
                worth = sureness / (1.0 + place / 4.0) / (1.0 + np.log10(dependents))
                found[target] = min(found.get(target, 0.0) + float(worth), 1.0)
    kept = sorted(found, key=lambda row: (-found[row], int(snapshot.order[row])))[:MAX_NEIGHBOURS]
    return {row: found[row] for row in kept}
