"""The model: the weights by which the targets of the questions most likely come first.

The likelihood of a target is the share of exp(score) that its chunks have among all candidates of its question, any chunk of it being
alike; the loss is the mean of its negative logarithm. Each signal has three weights, between which a text's manner chooses: short
question, report, trace. What is added to the loss holds the weights to an anchor and the three of a signal to each other (ridge,
scaled by each signal's spread). A weight keeps the sign that the table of signals states; what is not free stays at its anchor.

A linear model, because each part of a score can then be read, questioned and switched off. Pure: arrays in, arrays out, no chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from coderag.rerank.signals import SIGNALS
from coderag.tune.examples import Examples, Flags, Floats, Numbers, Signs

STEPS: Final = 200
STEP: Final = 0.05
LEAST_SPREAD: Final = 0.12
"""A signal that is seldom above 0 is not held down because of that."""

_MEMORY: Final = (0.9, 0.99)  # of the gradient and of its square (Adam; Kingma and Ba, 2015)


@dataclass(frozen=True, slots=True)
class Penalty:
    """What the square of a weight's distance costs: from its anchor, short from long, trace from long."""

    distance: float
    apart: float
    traced: float


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """Where weights begin and are held, which of them are free, and how firmly: arrays of [signals, 3]."""

    anchor: Floats
    free: Flags
    penalty: Penalty


def fit(examples: Examples, chosen: Flags, model: Model) -> Floats:
    """The weights [signals, 3] that explain the chosen questions best, by a fixed number of steps of Adam from the anchor."""
    sample = _sample(examples, chosen)
    if not len(sample.pairs):
        return model.anchor.copy()
    spread = spread_of(examples)[:, None]
    signs = np.array([[float(signal.sign)] for signal in SIGNALS])
    away = np.zeros_like(model.anchor)  # from the anchor, in spreads
    first, second = np.zeros_like(away), np.zeros_like(away)
    for step in range(1, STEPS + 1):
        weights = model.anchor + away / spread
        slope = _slope(sample, weights) / spread + _pull_back(away, model.penalty)
        slope[~model.free] = 0.0
        first = _MEMORY[0] * first + (1 - _MEMORY[0]) * slope
        second = _MEMORY[1] * second + (1 - _MEMORY[1]) * slope**2
        size = np.sqrt(second / (1 - _MEMORY[1] ** step)) + 1e-8
        away = away - STEP * (1.0 - step / (STEPS + 1)) * first / (1 - _MEMORY[0] ** step) / size
        is_wrong = model.free & (signs * (model.anchor + away / spread) < 0)
        away = np.where(is_wrong, -model.anchor * spread, away)
    return np.asarray(model.anchor + away / spread, np.float64)


def spread_of(examples: Examples) -> Floats:
    """The standard deviation of each signal over the candidates that count, at least `LEAST_SPREAD`."""
    found = examples.values.std(axis=0, dtype=np.float64, where=examples.counts[:, None])
    return np.asarray(np.maximum(np.nan_to_num(found), LEAST_SPREAD), np.float64)


def _pull_back(away: Floats, penalty: Penalty) -> Floats:
    """The slope of what the penalty costs."""
    short, long, trace = away.T
    apart, traced = penalty.apart * (short - long), penalty.traced * (trace - long)
    return np.asarray(2 * penalty.distance * away + 2 * np.stack((apart, -apart - traced, traced), axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class _Sample:
    """The candidates of the questions that are fitted to, questions without any left out."""

    values: Signs  # [candidates, signals]
    manners: Signs  # [candidates, 3]
    starts: Numbers  # [questions]
    question_of: Numbers  # [candidates]
    pairs: Numbers  # [pairs, 2]: candidate, target
    share: Floats  # [targets]: of the loss
    question_share: Floats  # [questions]


def _sample(examples: Examples, chosen: Flags) -> _Sample:
    number = np.repeat(np.arange(len(examples)), examples.sizes)
    kept = np.flatnonzero(chosen[number] & examples.counts)
    share = np.where(chosen[examples.question_of] & _can_be_missed(examples), examples.weights, 0.0)
    share /= max(float(share.sum()), 1e-12)
    pairs = examples.hits[share[examples.hits[:, 1]] > 0]
    questions, starts, question_of = np.unique(number[kept], return_index=True, return_inverse=True)
    by_question = np.bincount(examples.question_of, share, len(examples))
    return _Sample(
        examples.values[kept],
        examples.manners[kept],
        starts.astype(np.int64),
        question_of.astype(np.int64),
        np.stack((np.searchsorted(kept, pairs[:, 0]), pairs[:, 1]), axis=1),
        share,
        np.asarray(by_question[questions], np.float64),
    )


def _can_be_missed(examples: Examples) -> Flags:
    """Whether some but not all of its question's candidates hit a target; nothing can be learned from the others."""
    number = np.repeat(np.arange(len(examples)), examples.sizes)
    sizes = np.bincount(number, examples.counts, len(examples))[examples.question_of]
    hits = np.bincount(examples.hits[:, 1], minlength=len(examples.weights))
    return np.asarray((hits > 0) & (hits < sizes))


def _slope(sample: _Sample, weights: Floats) -> Floats:
    """The slope of the mean loss by the weights: what all candidates of a question pull less what those of its targets pull."""
    scores = ((sample.values @ weights.astype(np.float32)) * sample.manners).sum(axis=1).astype(np.float64)
    power = np.exp(scores - np.maximum.reduceat(scores, sample.starts)[sample.question_of])
    power /= np.add.reduceat(power, sample.starts)[sample.question_of]
    candidates, targets = sample.pairs.T
    total = np.bincount(targets, power[candidates], len(sample.share))
    wanted = sample.share[targets] * power[candidates] / np.maximum(total[targets], 1e-12)
    pull = power * sample.question_share[sample.question_of] - np.bincount(candidates, wanted, len(power))
    return np.asarray(sample.values.T @ (pull.astype(np.float32)[:, None] * sample.manners), np.float64)
