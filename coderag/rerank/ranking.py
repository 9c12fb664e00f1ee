"""From candidates to places: signals times weights, then what depends on the others, and every part of the score kept.

The score is the logistic function of the sum of all contributions, so contributions are log-odds, and a score between 0 and 1 is how
sure the ranking is that a chunk is wanted. A linear model, because each of its parts can be read, questioned and switched off.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from coderag.recall.fusion import Fused
from coderag.rerank.candidates import Candidates, Floats
from coderag.rerank.signals import SIGNALS, Signal
from coderag.rerank.weights import Weights
from coderag.types import SignalValue

_REPEATS_COUNTED: Final = 3


class Grouped(Protocol):
    """What a later signal may ask of candidates; see `Candidates`."""

    @property
    def file_place(self) -> NDArray[np.int64]:
        """The same number for candidates of one file."""

    @property
    def looks(self) -> NDArray[np.int64]:
        """The same number for candidates that look the same."""

    @property
    def brevity(self) -> float:
        """How much the question asks briefly for places, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Later:
    """A signal that depends on the scores so far: a name, a function of candidates and scores, and why."""

    name: str
    values: Callable[[Grouped, Floats], Floats]
    why: str


def rank(candidates: Candidates, weights: Weights, most: int, signals: Sequence[Signal] = SIGNALS) -> list[Fused]:
    """The best candidates, at most `most`, best first; ties by path and position."""
    if not len(candidates):
        return []
    names = [signal.name for signal in signals]
    values = np.stack([signal.values(candidates) for signal in signals])
    parts = values * np.array([weights.weight(name, candidates.manner) for name in names])[:, None]
    scores = _summed(parts, weights.bias)
    for later in LATER_SIGNALS:
        value = later.values(candidates, scores)
        part = value * weights.weight(later.name, candidates.manner)
        scores = scores + part
        names.append(later.name)
        values, parts = np.vstack((values, value)), np.vstack((parts, part))
    order = np.argsort(-scores, kind="stable")
    return [
        _fused(candidates, place, float(scores[place]), names, values, parts)
        for place in order[: max(most, 0)].tolist()
    ]


def _summed(parts: Floats, bias: float) -> Floats:
    """One after another, so that the sum of the reasons is the score to the last bit on every machine."""
    total = np.full(parts.shape[1], bias)
    for part in parts:
        total = total + part
    return total


def further_of_file(candidates: Grouped, scores: Floats) -> Floats:
    """How many better chunks of its file stand before it, up to three, in thirds; 0 for a text that describes one place at length."""
    places = _places_within(candidates.file_place, scores)
    return candidates.brevity * np.minimum(places, _REPEATS_COUNTED) / _REPEATS_COUNTED


def duplicates(candidates: Grouped, scores: Floats) -> Floats:
    """1 for a chunk that has the same kind, the same lengths and the same words of the question as a better one."""
    groups = candidates.looks
    return np.minimum(_places_within(groups, scores), 1).astype(np.float64)


LATER_SIGNALS: Final = (
    Later(
        "further of its file", further_of_file, "a short question asks for places: one file should not fill them all"
    ),
    Later("duplicate", duplicates, "the same code again, elsewhere"),
)
"""Applied in this order, each on the scores that the one before it left."""


def _places_within(groups: NDArray[np.int64], scores: Floats) -> NDArray[np.int64]:
    """For each candidate how many of its group have a higher score, or the same and come before it."""
    order = np.lexsort((np.arange(len(scores)), -scores, groups))
    sorted_groups = groups[order]
    first = (
        np.flatnonzero(np.append(True, sorted_groups[1:] != sorted_groups[:-1]))
        if len(order)
        else np.zeros(0, np.int64)
    )
    places = np.empty(len(scores), np.int64)
    places[order] = np.arange(len(scores)) - np.repeat(first, np.diff(np.append(first, len(scores))))
    return places


def _fused(
    candidates: Candidates, place: int, score: float, names: Sequence[str], values: Floats, parts: Floats
) -> Fused:
    row = int(candidates.rows[place])
    reasons = tuple(
        SignalValue(name, float(values[number, place]), float(parts[number, place]), candidates.said(name, row))
        for number, name in enumerate(names)
        if parts[number, place] != 0.0
    )
    return Fused(row, 1.0 / (1.0 + math.exp(-score)), reasons)
