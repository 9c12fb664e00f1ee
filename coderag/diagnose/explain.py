"""Why a question has the answer that it has: for each hit who recalled it, what every signal added, and the edges around it.

Built on a trial of the same question, so that nothing is asked in another way than a search asks it. Recallers are known by name
alone: one that is added appears here without a change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coderag.diagnose.relations import Relation, edges_of_row
from coderag.diagnose.trial import Trial
from coderag.records import CONFIDENCES
from coderag.rerank.neighbours import leaders
from coderag.snapshot import StoredSnapshot
from coderag.types import Chunk, Hit, Query, SignalValue

EDGES_SHOWN = 5
"""Edges of one hit at most."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """What one recaller did for a question: how many it proposed, and the first of them."""

    recaller: str
    proposed: int
    first: str


@dataclass(frozen=True, slots=True)
class BroughtBy:
    """An edge between a hit and another chunk that the question leads to. `outgoing`: the hit depends on the other one."""

    relation: Relation
    outgoing: bool


@dataclass(frozen=True, slots=True)
class ExplainedHit:
    """A hit with everything that was known of it. The contributions and the bias add up to the log-odds of the score."""

    rank: int
    chunk: Chunk
    score: float
    proposals: tuple[Hit, ...]
    signals: tuple[SignalValue, ...]
    edges: tuple[BroughtBy, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A ranking taken apart. `candidates` is how many chunks were ranked, `bias` what every score begins with, in log-odds."""

    query: Query
    hits: tuple[ExplainedHit, ...]
    recallers: tuple[Recalled, ...]
    candidates: int
    bias: float
    generation: int
    notes: tuple[str, ...] = ()


def explain(trial: Trial) -> Explanation:
    """Explain the hits of a question, as many as it wants.

    Raises:
        QueryError: the query is empty or names something unknown.
    """
    snapshot, rankings = trial.snapshot, trial.rankings()
    ranking = trial.ranking()
    rows = [fused.row for fused in ranking.ranked]
    chunks = snapshot.chunks(rows)
    near = frozenset((*rows, *leaders(rankings)))
    hits = (
        ExplainedHit(
            rank,
            chunks[fused.row],
            fused.score,
            proposals_of(rankings, fused.row),
            by_weight(fused.reasons),
            _edges(snapshot, fused.row, near),
        )
        for rank, fused in enumerate(ranking.ranked, 1)
    )
    return Explanation(
        trial.query,
        tuple(hits),
        tuple(Recalled(found[0].recaller, len(found), snapshot.chunk_id(found[0].row)) for found in rankings),
        len(ranking.ranked) + ranking.below,
        trial.bias,
        snapshot.generation,
        (*trial.notes(), *snapshot.vector_notes),
    )


def proposals_of(rankings: Sequence[Sequence[Hit]], row: int) -> tuple[Hit, ...]:
    """What each recaller that proposed a row said of it, in the order of the recallers."""
    return tuple(hit for hits in rankings for hit in hits if hit.row == row)


def by_weight(signals: Sequence[SignalValue]) -> tuple[SignalValue, ...]:
    """Signals with those first that moved the score most, whichever way; ties by name."""
    return tuple(sorted(signals, key=lambda each: (-abs(each.contribution), each.name)))


def _edges(snapshot: StoredSnapshot, row: int, near: frozenset[int]) -> tuple[BroughtBy, ...]:
    """The surest edges between a row and others that the question leads to: those that use it first."""
    found = {*_incoming(snapshot, row, near), *_outgoing(snapshot, row, near)}
    return tuple(sorted(found, key=_order)[:EDGES_SHOWN])


def _incoming(snapshot: StoredSnapshot, row: int, near: frozenset[int]) -> Iterator[BroughtBy]:
    sources = {int(snapshot.edges.sources[position]) for position in snapshot.edges_to(row).tolist()}
    for source in sorted((sources & near) - {row}):
        for relation in edges_of_row(snapshot, source, target=row):
            yield BroughtBy(relation, False)


def _outgoing(snapshot: StoredSnapshot, row: int, near: frozenset[int]) -> Iterator[BroughtBy]:
    ids = {snapshot.chunk_id(each) for each in near if each != row}
    for relation in edges_of_row(snapshot, row, target=None):
        if relation.chunk_id in ids:
            yield BroughtBy(relation, True)


def _order(each: BroughtBy) -> tuple[bool, int, float, str, str, str]:
    relation = each.relation
    sureness = CONFIDENCES.index(relation.confidence)
    return each.outgoing, sureness, -relation.weight, relation.chunk_id, relation.kind, relation.name
