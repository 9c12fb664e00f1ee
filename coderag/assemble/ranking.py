"""The number that items are ordered by, in floats of 32 bits, so that ties fall as they do in the programs that coderag is compatible with.

score = relevance + 0.25 * priority + 0.15 * trust + 0.10 * freshness, rounded to 32 bits after every step, from left to right. Sums and
products of two floats of 32 bits that are rounded from 64 bits are what the processor gives for 32 bits, so no library is needed.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final

from coderag.assemble.items import FRESHNESS, PRIORITY, TRUST, ContextItem

_BOOSTING: Final = (PRIORITY, TRUST, FRESHNESS)
_WEIGHTS: Final = array("f", (0.25, 0.15, 0.10))


def ranks(items: Sequence[ContextItem]) -> tuple[Sequence[float], Sequence[float]]:
    """For each item its score and its relevance, both of 32 bits."""
    relevances = array("f", [item.relevance for item in items])
    scores = array("f", relevances)
    known: dict[tuple[float, float, float], Sequence[float]] = {}
    for position, item in enumerate(items):
        metadata = item.metadata
        if metadata and (PRIORITY in metadata or TRUST in metadata or FRESHNESS in metadata):
            boosts = (item.priority, item.trust, item.freshness)
            parts = known.get(boosts)
            if parts is None:
                parts = known[boosts] = _products(boosts)
            for part in parts:
                scores[position] = scores[position] + part
    return scores, relevances


def _products(boosts: Sequence[float]) -> Sequence[float]:
    return array("f", [weight * boost for weight, boost in zip(_WEIGHTS, array("f", boosts), strict=True)])


def ranking_score(item: ContextItem) -> float:
    """The score of one item."""
    return ranks([item])[0][0]
