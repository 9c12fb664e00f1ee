"""What a word of a question is worth: rare words more than common ones, repeated words more than single ones."""

from __future__ import annotations

import math


def rarity(total: int, having: int) -> float:
    """Inverse document frequency in the form that stays positive (Lucene's): ln(1 + (N - n + 0.5) / (n + 0.5))."""
    return math.log1p((total - having + 0.5) / (having + 0.5))


def repeated(count: int) -> float:
    """What a word is worth that a query says several times."""
    return math.sqrt(count)
