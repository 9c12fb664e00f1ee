"""The reranker: from what was recalled to one ranking in which every place has its reasons.

`signals.SIGNALS` is the table of reasons, `weights.json` what each is worth. Knows hits and the arrays of a snapshot, and never how a
recaller found something. Modules that need numpy are imported when they are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from coderag.rerank.weights import Weights, load_weights
from coderag.types import Hit, Query

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from coderag.recall.fusion import Fused
    from coderag.rerank.candidates import Candidates
    from coderag.rerank.neighbours import Linked
    from coderag.rerank.reading import Reading

__all__ = ["Ranking", "Weights", "gather", "load_weights", "order", "read", "rerank"]


@dataclass(frozen=True, slots=True)
class Ranking:
    """As many as the query wants, best first, and how many more were considered."""

    ranked: tuple[Fused, ...]
    below: int


def read(snapshot: Linked, query: Query) -> Reading:
    """The query as recallers should see it, with the frames of its traces and the surroundings of its focus found."""
    from coderag.rerank.reading import read

    return read(snapshot, query)


def gather(
    snapshot: Linked, query: Query, rankings: Sequence[Sequence[Hit]], allowed: NDArray[np.bool_] | None = None
) -> Candidates:
    """What was proposed and the definitions that the first of it use; `allowed` are the rows that filters leave.

    The order of the rankings does not matter.
    """
    from coderag.rerank.candidates import Candidates
    from coderag.rerank.neighbours import definitions_used, leaders

    kept = [[hit for hit in hits if allowed is None or allowed[hit.row]] for hits in rankings]
    used = definitions_used(snapshot, leaders(kept))
    allowed_used = {row: worth for row, worth in used.items() if allowed is None or allowed[row]}
    return Candidates(snapshot, query, kept, allowed_used)


def order(candidates: Candidates, weights: Weights) -> Ranking:
    """The best of the candidates, as many as their query wants."""
    from coderag.rerank.ranking import rank

    ranked = rank(candidates, weights, candidates.query.k)
    return Ranking(tuple(ranked), len(candidates) - len(ranked))


def rerank(
    snapshot: Linked,
    query: Query,
    rankings: Sequence[Sequence[Hit]],
    weights: Weights,
    allowed: NDArray[np.bool_] | None = None,
) -> Ranking:
    """`gather`, then `order`."""
    return order(gather(snapshot, query, rankings, allowed), weights)
