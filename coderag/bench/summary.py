"""Averages over questions, with intervals by a bootstrap over repositories.

Questions about one repository stand or fall together, so repositories are drawn, not questions (the cluster bootstrap; Davison and
Hinkley, Bootstrap Methods and their Application, 1997, 3.8). The draws have a fixed seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

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
    grouped = [[scores for name, scores in graded if name == repository] for repository in repositories]
    metrics = list(graded[0][1])
    return Summary(len(graded), len(grouped), {metric: _average(grouped, metric) for metric in metrics})


def grouped(outcomes: Iterable[Outcome], key: Callable[[Outcome], str]) -> dict[str, list[Outcome]]:
    """The outcomes by a key, in the order of the keys."""
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(key(outcome), []).append(outcome)
    return dict(sorted(found.items()))


def _average(groups: Sequence[Sequence[Mapping[str, float]]], metric: str) -> Average:
    parts = [(sum(scores[metric] for scores in group), len(group)) for group in groups]
    mean = _ratio(parts)
    if len(parts) == 1:
        return Average(mean, mean, mean)
    chance = random.Random(SEED)
    drawn = sorted(_ratio(chance.choices(parts, k=len(parts))) for _ in range(DRAWS))
    return Average(mean, drawn[int(TAIL * DRAWS)], drawn[int((1 - TAIL) * DRAWS) - 1])


def _ratio(parts: Sequence[tuple[float, int]]) -> float:
    return sum(total for total, _ in parts) / sum(count for _, count in parts)
