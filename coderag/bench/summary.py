"""Averages over questions, with intervals by a bootstrap over repositories.

Questions about one repository stand or fall together, so repositories are drawn, not questions (the cluster bootstrap; Davison and
Hinkley, Bootstrap Methods and their Application, 1997, 3.8). The draws have a fixed seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from coderag.bench.values import Outcome

DRAWS: Final = 1_000
SEED: Final = 7
TAIL: Final = 0.025


@dataclass(frozen=True, slots=True)
class Average:
    """The mean of a metric over questions, between the ends of its interval of 95 %."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Summary:
    """Metrics of a group of outcomes at one level."""

    questions: int
    repositories: int
    averages: Mapping[str, Average]

    def mean(self, metric: str) -> float:
        """The mean of a metric."""
        return self.averages[metric].mean


def levels_of(outcomes: Iterable[Outcome]) -> list[str]:
    """The levels that some outcome has, in order."""
    return list(dict.fromkeys(level for outcome in outcomes for level in outcome.scores))


def summarise(outcomes: Iterable[Outcome], level: str) -> Summary | None:
    """The averages of the outcomes that have the level; None where none has."""
    graded = [(outcome.asked.repository, outcome.scores[level]) for outcome in outcomes if level in outcome.scores]
    if not graded:
        return None
    repositories = sorted({repository for repository, _ in graded})
    metrics = list(graded[0][1])
    totals, counts = np.zeros((len(repositories), len(metrics))), np.zeros(len(repositories))
    for repository, scores in sorted(graded, key=lambda each: (each[0], sorted(each[1].items()))):
        place = repositories.index(repository)
        totals[place] += [scores[metric] for metric in metrics]
        counts[place] += 1
    return Summary(len(graded), len(repositories), dict(zip(metrics, _averages(totals, counts), strict=True)))


def _averages(totals: NDArray[np.float64], counts: NDArray[np.float64]) -> list[Average]:
    means = totals.sum(axis=0) / counts.sum()
    chosen = _draws(len(counts))
    drawn = np.sort(totals[chosen].sum(axis=1) / counts[chosen].sum(axis=1)[:, None], axis=0)
    low, high = drawn[int(TAIL * DRAWS)], drawn[int((1 - TAIL) * DRAWS) - 1]
    return [Average(*map(float, each)) for each in zip(means, low, high, strict=True)]


@cache
def _draws(count: int) -> NDArray[np.int64]:
    """[draws, count]: so many repositories, with repetition."""
    return np.random.default_rng(SEED).integers(0, count, (DRAWS, count))


def grouped(outcomes: Iterable[Outcome], key: Callable[[Outcome], str]) -> dict[str, list[Outcome]]:
    """The outcomes by a key, in the order of the keys."""
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(key(outcome), []).append(outcome)
    return dict(sorted(found.items()))
