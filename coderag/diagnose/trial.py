"""One question taken apart: what each recaller proposed, and every ranking that some of the stages make of it.

A search is a trial without anything left out. Recall is asked once for each set of recallers, however many rankings are wanted of it.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from coderag.languages import BY_NAME
from coderag.recall import DEPTH, Proposals, graph, propose
from coderag.recall.expressions import shape_of
from coderag.recall.filters import allowed_rows
from coderag.recall.fusion import Fused, fuse
from coderag.rerank import Ranking, Weights, gather, order, read
from coderag.rerank.candidates import Candidates
from coderag.rerank.ranking import rank
from coderag.rerank.reading import Reading
from coderag.snapshot import StoredSnapshot
from coderag.types import Hit, Query, Without

WHOLE = Without()


class Trial:
    """A question to one generation of an index."""

    def __init__(self, snapshot: StoredSnapshot, query: Query, weights: Weights) -> None:
        self.snapshot = snapshot
        self.query = query
        self._weights = weights
        self._proposals: dict[frozenset[str], Proposals] = {}
        self._candidates: dict[frozenset[str], Candidates] = {}

    @cached_property
    def reading(self) -> Reading:
        """The question as recallers see it, with the rankings that come from itself."""
        return read(self.snapshot, self.query)

    @cached_property
    def _allowed(self) -> NDArray[np.bool_] | None:
        return allowed_rows(self.snapshot, self.query, BY_NAME)

    def notes(self, without: Without = WHOLE) -> tuple[str, ...]:
        """What the search could not consider."""
        return (*self._proposed(without.recallers).notes, *self.reading.notes)

    def rankings(self, without: Without = WHOLE) -> list[tuple[Hit, ...]]:
        """What each recaller proposed, and what the question itself names, best first; empty ones are left out.

        Raises:
            QueryError: the query is empty or names an unknown language.
        """
        own = [hits for hits in self.reading.rankings if hits and hits[0].recaller not in without.recallers]
        if (allowed := self._allowed) is not None:
            own = [tuple(hit for hit in hits if allowed[hit.row]) for hits in own]
        own = [*filter(None, own)]
        walked = (
            graph.recall(self.snapshot, graph.seeds_of(own), DEPTH, allowed)
            if graph.NAME not in without.recallers
            else []
        )
        return [*filter(None, self._proposed(without.recallers).rankings), *own, *([tuple(walked)] if walked else [])]

    def candidates(self, without: Without = WHOLE) -> Candidates:
        """What the reranker orders."""
        if without.recallers not in self._candidates:
            found = gather(self.snapshot, self.reading.query, self.rankings(without), self._allowed)
            self._candidates[without.recallers] = found
        return self._candidates[without.recallers]

    def ranking(self, without: Without = WHOLE) -> Ranking:
        """As many as the query wants, best first."""
        if not without.reranker:
            return order(self.candidates(without), self._weights.without(without.signals))
        fused = fuse(self.snapshot, shape_of(self.reading.query.text), self.rankings(without))
        return Ranking(tuple(fused[: self.query.k]), max(len(fused) - self.query.k, 0))

    def everything(self) -> list[Fused]:
        """Every candidate in its place, best first, however few the query wants."""
        found = self.candidates()
        return rank(found, self._weights, len(found))

    @property
    def bias(self) -> float:
        """What the contributions of a candidate are added to, in log-odds."""
        return self._weights.bias

    @property
    def allowed(self) -> NDArray[np.bool_] | None:
        """The rows that the filters of the query leave; None without filters."""
        return self._allowed

    def _proposed(self, without: frozenset[str]) -> Proposals:
        if without not in self._proposals:
            self._proposals[without] = propose(self.snapshot, self.reading.query, BY_NAME, without)
        return self._proposals[without]
