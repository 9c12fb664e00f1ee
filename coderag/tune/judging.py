"""How good weights are: ranks and metrics as `coderag bench` has them, on questions that the weights were not fitted to.

Several repositories are left out in turn, each as a whole. Of a single one the newer commits judge what was fitted to the older ones, as
in use, where weights always meet what comes later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from coderag.bench.scoring import by_rank
from coderag.bench.values import DEPTH
from coderag.rerank.ranking import LATER_SIGNALS
from coderag.rerank.weights import Weights
from coderag.tune.examples import Examples, Flags, Floats, Numbers
from coderag.tune.fit import Model, fit

FOLDS: Final = 4
JUDGING: Final = 3
"""One in so many of the questions of a single repository, the newest ones, judges."""

Figures = Mapping[str, Mapping[str, Mapping[str, float]]]
"""By task, level and metric."""


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Which questions weights are fitted to, and which judge them."""

    fitted: Flags
    judging: Flags


def splits(examples: Examples) -> tuple[Split, ...]:
    """By repository where there are several, each in one fold with all of its tasks; else by time, in the order of the questions."""
    names = [name.split("/")[-1].split("+")[-1] for name in examples.repositories]
    numbers = {name: number % FOLDS for number, name in enumerate(sorted(set(names)))}
    if len(numbers) < 2:
        return (by_time(examples.tasks),)
    folds = np.array([numbers[name] for name in names])
    return tuple(Split(folds != fold, folds == fold) for fold in sorted(set(numbers.values())))


def by_time(tasks: Sequence[str]) -> Split:
    """The newest third of each task's questions judges, the others are fitted to; `tasks` has an entry for each question."""
    is_new = np.zeros(len(tasks), bool)
    for task in sorted(set(tasks)):
        own = np.flatnonzero([each == task for each in tasks])
        is_new[own[len(own) - len(own) // JUDGING :]] = True
    return Split(~is_new, is_new)


def scored(examples: Examples, weights: Floats) -> Floats:
    """The score of each candidate by weights of [signals, 3], without the bias and what depends on the others."""
    return np.asarray(((examples.values @ weights) * examples.manners).sum(axis=1), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class CrossValidated:
    """The weights of each split, and the scores that they give to the candidates of the questions that judge them."""

    examples: Examples
    splits: tuple[Split, ...]
    weights: tuple[Floats, ...]

    @property
    def judging(self) -> Flags:
        """The questions that judge."""
        return np.asarray(np.any([split.judging for split in self.splits], axis=0), np.bool_)

    def scores(self) -> Floats:
        """One score for each candidate of a judging question, 0 for the others."""
        return self._by_split([scored(self.examples, weights) for weights in self.weights])

    def parts(self, signal: int) -> Floats:
        """What the signal of this number adds to each of `scores`."""
        manners, values = self.examples.manners, self.examples.values[:, signal]
        return self._by_split([values * (manners @ weights[signal]) for weights in self.weights])

    def _by_split(self, values: Sequence[Floats]) -> Floats:
        number = np.repeat(np.arange(len(self.examples)), self.examples.sizes)
        found = np.zeros(len(number))
        for split, given in zip(self.splits, values, strict=True):
            judged = split.judging[number]
            found[judged] = given[judged]
        return found


def cross_validated(examples: Examples, model: Model) -> CrossValidated:
    """Weights for each of the `splits`, fitted without the questions that judge them."""
    parts = splits(examples)
    return CrossValidated(examples, parts, tuple(fit(examples, part.fitted, model) for part in parts))


def figures(examples: Examples, scores: Floats, later: Weights, chosen: Flags) -> Figures:
    """The means of all metrics over the chosen questions. `later` weighs the signals that depend on scores."""
    found: dict[str, dict[str, list[dict[str, float]]]] = {}
    for question in np.flatnonzero(chosen).tolist():
        levels = found.setdefault(examples.tasks[question], {})
        for level, ranks in ranks_of(examples, scores, later, question).items():
            levels.setdefault(level, []).append(by_rank(ranks))
    return {
        task: {level: _means(grades) for level, grades in sorted(levels.items())}
        for task, levels in sorted(found.items())
    }


def _means(grades: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {metric: sum(each[metric] for each in grades) / len(grades) for metric in grades[0]}


def ranks_of(examples: Examples, scores: Floats, later: Weights, question: int) -> dict[str, list[int]]:
    """By level the rank at which each target of a question is found, 0 for not at all."""
    start, end = examples.starts[question : question + 2].tolist()
    order = start + ordered(examples, scores, later, question)[:DEPTH]
    kept = order[examples.counts[order]]
    places = dict(zip(kept.tolist(), range(1, len(kept) + 1), strict=True))
    of_files = _ranks_of_files(examples.files[kept], kept) if examples.merges_files[question] else places
    pairs = examples.hits[(examples.hits[:, 0] >= start) & (examples.hits[:, 0] < end)]
    found: dict[str, list[int]] = {}
    for target in np.flatnonzero(examples.question_of == question).tolist():
        is_file = bool(examples.is_file[target])
        ranks = of_files if is_file else places
        best = min((ranks[one] for one in pairs[pairs[:, 1] == target, 0].tolist() if one in ranks), default=0)
        rank = best if best <= examples.depth[question] else 0
        found.setdefault("file" if is_file else "function", []).append(rank)
    return found


def _ranks_of_files(files: Numbers, kept: Numbers) -> dict[int, int]:
    """For each candidate the rank of its file, where every file takes one."""
    ranks: dict[int, int] = {}
    for file in files.tolist():
        ranks.setdefault(file, len(ranks) + 1)
    return {candidate: ranks[file] for candidate, file in zip(kept.tolist(), files.tolist(), strict=True)}


@dataclass(frozen=True, slots=True, eq=False)
class _Grouped:
    """What the later signals ask of candidates."""

    file_place: Numbers
    looks: Numbers
    brevity: float


def ordered(examples: Examples, scores: Floats, later: Weights, question: int) -> Numbers:
    """The candidates of a question, counted from its first, in the order of the reranker."""
    start, end = examples.starts[question : question + 2].tolist()
    if start == end:
        return np.zeros(0, np.int64)
    # What is equal stays equal, whatever arithmetic in blocks does to the last bits.
    own = np.round(scores[start:end], 6)
    grouped = _Grouped(examples.files[start:end], examples.looks[start:end], float(examples.brevity[question]))
    short, long, trace = examples.manners[start].tolist()
    for signal in LATER_SIGNALS:
        own = np.round(own + signal.values(grouped, own) * later.weight(signal.name, (short, long, trace)), 6)
    return np.argsort(-own, kind="stable")
