"""The weights that the package ships: fitted to everything that was gathered, with the figures of cross-validation beside them.

Signals that are marked as held keep the weights they have. Beside each of the others stands what the figures lose without it, measured on
repositories that were not fitted to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from coderag.rerank.weights import Weights
from coderag.tune.examples import MANNERS, Examples, Floats, signal_names
from coderag.tune.fit import Model, Penalty, fit
from coderag.tune.judging import CrossValidated, Figures, cross_validated, figures, scored

PENALTY: Final = Penalty(distance=0.001, apart=0.0003, traced=0.1)
"""Anchored to 0. Traces are few, so their weights are held to those of reports more firmly: their any@3 is 0.675 with 0.01, 0.700 with 0.03
and 0.725 with 0.1, and 0.650 where they are fitted after all else instead of together with it. Cross-validated on the development queries,
distances of 0.001 and 0.003 lie within 0.01 of each other in every figure, and so do 0.0003 and 0.003 between short and long."""

STATED: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "questions": (("file", "NDCG@10"), ("file", "recall@3")),
    "": (("function", "any@3"), ("file", "any@3")),
}
"""Level and metric of the figures that are kept, by task; "": any other."""


def model_of(known: Weights) -> Model:
    """Free weights begin at 0, held ones stay where they are; a signal without a weight yet is free."""
    is_held = np.array([name in known.held for name in signal_names()])
    of = np.array([known.of.get(name, (0.0, 0.0, 0.0)) for name in signal_names()])
    free = np.repeat(~is_held[:, None], len(MANNERS), axis=1)
    return Model(np.where(is_held[:, None], of, 0.0), free, PENALTY)


def fitted(document: Mapping[str, Any], known: Weights, examples: Examples, date: str) -> dict[str, Any]:
    """The file of weights after a fit; `known` is what `document` holds, which stays as it is."""
    model = model_of(known)
    weights = fit(examples, np.ones(len(examples), bool), model)
    judged = cross_validated(examples, model)
    scores = judged.scores()
    whole = stated(figures(examples, scores, known, judged.judging))
    entries = {name: dict(entry) for name, entry in document["weights"].items()}
    for number, name in enumerate(signal_names()):
        if name not in known.held:
            rounded = [round(float(weight), 2) or 0.0 for weight in weights[number]]
            entries[name] = dict(zip(MANNERS, rounded, strict=True))
            if any(rounded):
                entries[name]["without"] = _lost(judged, scores - judged.parts(number), known, whole)
    later = [name for name in entries if name not in signal_names()]
    return {
        **document,
        "bias": round(_bias(examples, weights), 2),
        "fitted": date,
        "data": _described(examples),
        "cross_validated": whole,
        "weights": {name: entries[name] for name in (*signal_names(), *later)},
    }


def _bias(examples: Examples, weights: Floats) -> float:
    """The log-odds to begin with by which the scores of the first hits add up to as many as are wanted."""
    scores = np.where(examples.counts, scored(examples, weights), -np.inf)
    is_wanted = np.zeros(len(scores), bool)
    is_wanted[examples.hits[:, 0]] = True
    asked = zip(examples.starts[:-1].tolist(), examples.starts[1:].tolist(), strict=True)
    first = np.array(
        [start + int(scores[start:end].argmax()) for start, end in asked if examples.counts[start:end].any()]
    )
    low, high = -40.0, 40.0
    for _ in range(50):
        middle = (low + high) / 2
        is_more = (1.0 / (1.0 + np.exp(-(scores[first] + middle)))).sum() > is_wanted[first].sum()
        low, high = (low, middle) if is_more else (middle, high)
    return low


def stated(found: Figures) -> dict[str, float]:
    """The figures that are kept, by name."""
    return {
        f"{task} {level} {metric}": round(levels[level][metric], 4)
        for task, levels in found.items()
        for level, metric in STATED.get(task, STATED[""])
        if level in levels
    }


def _lost(judged: CrossValidated, scores: Any, later: Weights, whole: Mapping[str, float]) -> dict[str, float]:
    without = stated(figures(judged.examples, scores, later, judged.judging))
    return {name: round(without[name] - figure, 4) or 0.0 for name, figure in whole.items()}


def _described(examples: Examples) -> str:
    questions = Counter(examples.tasks)
    pairs = {*zip(examples.tasks, examples.repositories, strict=True)}
    repositories = Counter(task for task, _ in pairs)
    told = [f"{questions[task]} {task} in {repositories[task]} repositories" for task in sorted(questions)]
    return f"{'; '.join(told)}; scripts/fit_weights.py. Weights marked as held are set by hand."
