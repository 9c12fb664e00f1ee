"""The number that items are ordered by, in floats of 32 bits, so that ties fall as they do in the programs that coderag is compatible with.

score = relevance + 0.25 * priority + 0.15 * trust + 0.10 * freshness, rounded to 32 bits after every step, from left to right. Sums and
products of two floats of 32 bits that are rounded from 64 bits are what the processor gives for 32 bits, so no library is needed.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import add
from typing import Final, TypeGuard

from coderag.assemble.items import FRESHNESS, PRIORITY, TRUST, ContextItem, clamped

_WEIGHTS: Final = tuple(zip((PRIORITY, TRUST, FRESHNESS), array("f", (0.25, 0.15, 0.10)), strict=True))


def ranks(items: Sequence[ContextItem]) -> tuple[Sequence[float], Sequence[float]]:
    """For each item its score and its relevance, both of 32 bits."""
    scores = relevances = array("f", [item.relevance for item in items])
    metadata = [item.metadata for item in items]
    for key, weight in _WEIGHTS:
        written = [each.get(key) for each in metadata]
        if any(value is not None for value in written):
            values = array("f", [value if _is_share(value) else clamped(value) for value in written])
            parts = array("f", [weight * value for value in values])
            scores = array("f", map(add, scores, parts))
    return scores, relevances


def _is_share(value: object) -> TypeGuard[float]:
    return type(value) is float and 0.0 <= value <= 1.0


def ranking_score(item: ContextItem) -> float:
    """The score of one item."""
    return ranks([item])[0][0]
