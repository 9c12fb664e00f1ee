"""The chunks next to the hits, by edges: a few of each hit, those first that stand next to many hits, and what depends on most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coderag.diagnose.relations import edges_of_row
from coderag.inspect.values import Connection, Neighbourhood, Node
from coderag.records import CONFIDENCES
from coderag.snapshot import StoredSnapshot

OF_ONE = 4
"""Neighbours of one hit on either side."""

OF_ALL = 14
"""Neighbours on either side in all."""


def neighbourhood(snapshot: StoredSnapshot, hits: Sequence[int]) -> Neighbourhood:
    """The neighbourhood of rows, best first."""
    users = {row: _users(snapshot, row) for row in hits}
    used = {row: _used(snapshot, row) for row in hits}
    before = _chosen(snapshot, hits, users)
    after = [row for row in _chosen(snapshot, hits, used) if row not in before]
    shown = frozenset((*hits, *before, *after))
    return Neighbourhood(
        tuple(
            _node(snapshot, row, row in users, (_hidden(users.get(row, ()), shown), _hidden(used.get(row, ()), shown)))
            for row in (*hits, *before, *after)
        ),
        tuple(_connections(snapshot, frozenset(hits), shown)),
    )


def _users(snapshot: StoredSnapshot, row: int) -> list[int]:
    found = {int(snapshot.edges.sources[position]) for position in snapshot.edges_to(row).tolist()} - {row}
    return sorted(found, key=lambda other: (-float(snapshot.importance[other]), int(snapshot.order[other])))


def _used(snapshot: StoredSnapshot, row: int) -> list[int]:
    found = {int(snapshot.edges.targets[position]) for position in snapshot.edges_from(row).tolist()} - {row}
    return sorted(found, key=lambda other: (int(snapshot.reference_count[other]), int(snapshot.order[other])))


def _chosen(snapshot: StoredSnapshot, hits: Sequence[int], neighbours: dict[int, list[int]]) -> list[int]:
    """Neighbours that are no hits: next to many hits first, then next to the better hit, then as their hit lists them."""
    places: dict[int, tuple[int, int]] = {}
    shared: dict[int, int] = {}
    for rank, hit in enumerate(hits):
        others = [row for row in neighbours[hit] if row not in neighbours]
        for place, row in enumerate(others):
            shared[row] = shared.get(row, 0) + 1
            if place < OF_ONE:
                places.setdefault(row, (rank, place))
    return sorted(places, key=lambda row: (-shared[row], places[row], int(snapshot.order[row])))[:OF_ALL]


def _hidden(neighbours: Sequence[int], shown: frozenset[int]) -> int:
    return sum(row not in shown for row in neighbours)


def _node(snapshot: StoredSnapshot, row: int, is_hit: bool, more: tuple[int, int]) -> Node:
    chunk = snapshot.chunk(row)
    return Node(chunk.id, chunk.path, chunk.span.start_line, chunk.symbol, chunk.kind.value, is_hit, more)


def _connections(snapshot: StoredSnapshot, hits: frozenset[int], shown: frozenset[int]) -> Iterator[Connection]:
    """Edges with a hit at one end at least, the surest of each kind between two chunks, in the order of the files."""
    ids = {snapshot.chunk_id(row): row for row in shown}
    for source in sorted(shown, key=lambda row: int(snapshot.order[row])):
        found = (
            Connection(
                snapshot.chunk_id(source), each.chunk_id, each.kind, each.confidence, each.weight, each.name, each.lines
            )
            for each in edges_of_row(snapshot, source, target=None)
            if ids.get(each.chunk_id, source) != source and (source in hits or ids[each.chunk_id] in hits)
        )
        yield from sorted(
            set(found),
            key=lambda each: (each.target, each.kind, CONFIDENCES.index(each.confidence), each.name, each.lines),
        )
