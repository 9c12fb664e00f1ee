"""The weights of one repository: fitted to the fixes in its history, held to the bundled ones, and judged before they are written.

The messages of the older fixes, each at the commit before it, say which functions should have come first. The newer third judges: the
figures that it gives to the bundled weights and to the fitted ones decide. The penalty on the distance from the bundled weights is a
fixed one for all questions together, so it weighs little against many commits and much against few. What is written are the weights that
were judged, and only those of signals that have changed: all others follow the package.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, Final

import numpy as np

from coderag.bench.history import MOST_FUNCTIONS, fixes
from coderag.bench.tasks import around
from coderag.config import Settings
from coderag.rerank.weights import PROJECT_FILE, VERSION, Weights, load_weights
from coderag.store import prepare_directory, remove_beside, write_beside
from coderag.tune.examples import MANNERS, Examples, Flags, Floats, gather, joined, signal_names
from coderag.tune.fit import Model, Penalty, fit
from coderag.tune.judging import by_time, figures, scored
from coderag.update import Progress

FEWEST: Final = 24
"""Commits below which nothing is fitted."""

HOLD: Final = 20.0
"""The penalty on the distance from the bundled weights is this in parts of the number of fitted questions.

Of 2, 5, 10, 20, 40 and 80 the one with the best mean over cross-validation within three repositories.
"""

JUDGED: Final = (("function", "any@3"), ("function", "MRR"))
"""Level and metric of the figures of which none may fall and one must rise."""

SHOWN: Final = (("function", "any@1"), *JUDGED, ("file", "any@3"))
_TASK: Final = "yours"


@dataclass(frozen=True, slots=True)
class Change:
    """What fitting did to one weight of a signal; `manner` is one of `MANNERS`."""

    signal: str
    manner: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Tuned:
    """What came of fitting.

    `commit` is the newest one of the history, `passed_over` counts by reason. `not_recalled` commits judge but teach nothing: no function
    that they changed was among the candidates. `before` and `after` are figures of the judging ones, `obstacle` is why nothing was fitted.
    """

    name: str
    commit: str
    passed_over: Mapping[str, int]
    problems: tuple[str, ...]
    fitted: int = 0
    judging: int = 0
    not_recalled: int = 0
    before: Mapping[str, float] = field(default_factory=dict)
    after: Mapping[str, float] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    obstacle: str = ""

    @property
    def holds(self) -> bool:
        """Whether there are changes, no judged figure has fallen and one has risen."""
        if not self.changes:
            return False
        rises = [self.after[name] - self.before[name] for name in (f"{level} {metric}" for level, metric in JUDGED)]
        return min(rises) >= 0.0 < max(rises)

    @property
    def document(self) -> dict[str, Any]:
        """The file of weights, without a date, so that the same history gives the same bytes."""
        bundled = load_weights().of
        weights = {each.signal: dict(zip(MANNERS, bundled[each.signal], strict=True)) for each in self.changes}
        for each in self.changes:
            weights[each.signal][each.manner] = each.after
        return {
            "version": VERSION,
            "data": f"{self.fitted} fixes of {self.name} up to {self.commit}, judged on the {self.judging} newest after them",
            "before": dict(self.before),
            "after": dict(self.after),
            "weights": weights,
        }


def tune(root: Path, settings: Settings, work: Path, commits: int, progress: Progress) -> Tuned:
    """Fit to the newest fixes, at most so many `commits`, of the work tree around `root`. `work` holds trees and an index; writes no weights.

    Raises:
        BenchError: there is no work tree, it has no commit, or git cannot answer.
        StorageError: the disk refused.
    """
    name, repository, head = around(root)
    directory = root / settings.index_directory
    if work.is_relative_to(directory):
        prepare_directory(directory)
    history = fixes(repository, name, head, commits)
    numbers = count(1)
    gathered = gather(history.cases, work, settings, lambda line: progress("learn", next(numbers), len(history.cases)))
    silent = {f"it changes no function, or more than {MOST_FUNCTIONS}": gathered.silent} if gathered.silent else {}
    passed_over = {**history.passed_over, **silent}
    found = Tuned(name, head, passed_over, gathered.problems)
    if len(gathered.parts) < FEWEST:
        obstacle = f"{len(gathered.parts)} fixes of functions are too few to fit and to judge; it takes {FEWEST}"
        return replace(found, obstacle=obstacle)
    return _fitted(found, joined(gathered.parts), load_weights())


def _fitted(found: Tuned, examples: Examples, bundled: Weights) -> Tuned:
    split, start = by_time(examples.tasks), as_array(bundled)
    weights = start + np.round(fit(examples, split.fitted, model_of(examples, split.fitted, bundled)) - start, 2)
    return replace(
        found,
        fitted=int(split.fitted.sum()),
        judging=int(split.judging.sum()),
        not_recalled=not_recalled(examples),
        before=judged(examples, start, bundled, split.judging),
        after=judged(examples, weights, bundled, split.judging),
        changes=changes(start, weights),
    )


def as_array(weights: Weights) -> Floats:
    """The weights as [signals, 3]."""
    return np.array([weights.of.get(name, (0.0, 0.0, 0.0)) for name in signal_names()], np.float64)


def model_of(examples: Examples, fitted: Flags, bundled: Weights) -> Model:
    """Anchored to the bundled weights. What no fitted question exercises, a manner of asking or a signal, stays as it is."""
    number = np.repeat(np.arange(len(examples)), examples.sizes)
    rows = fitted[number] & examples.counts
    manners = examples.manners[rows].any(axis=0)
    signals = examples.values[rows].any(axis=0) & np.array([name not in bundled.held for name in signal_names()])
    hold = HOLD / int(fitted.sum())
    return Model(as_array(bundled), signals[:, None] & manners, Penalty(hold, hold, hold))


def judged(examples: Examples, weights: Floats, later: Weights, judging: Flags) -> dict[str, float]:
    """The figures that are shown."""
    found = figures(examples, scored(examples, weights), later, judging)[_TASK]
    return {f"{level} {metric}": round(found[level][metric], 4) for level, metric in SHOWN}


def not_recalled(examples: Examples) -> int:
    """Questions of which no target is among the candidates: they judge, but nothing can be learned from them."""
    return len(examples) - len(np.unique(examples.question_of[examples.hits[:, 1]]))


def changes(before: Floats, after: Floats) -> tuple[Change, ...]:
    """The weights that differ, the largest changes first."""
    found = [
        Change(name, manner, round(float(old), 2), round(float(new), 2) or 0.0)
        for name, olds, news in zip(signal_names(), before, after, strict=True)
        for manner, old, new in zip(MANNERS, olds, news, strict=True)
        if round(float(new - old), 2)
    ]
    return tuple(sorted(found, key=lambda each: -abs(each.after - each.before)))


def write(directory: Path, tuned: Tuned) -> Path:
    """Put the weights into an index directory, where a search finds them.

    Raises:
        StorageError: the disk refused.
    """
    write_beside(directory, PROJECT_FILE, (json.dumps(tuned.document, indent=1) + "\n").encode("ascii"))
    return directory / PROJECT_FILE


def reset(directory: Path) -> bool:
    """Remove the weights of an index directory; False where there are none.

    Raises:
        StorageError: the disk refused.
    """
    return remove_beside(directory, PROJECT_FILE)
