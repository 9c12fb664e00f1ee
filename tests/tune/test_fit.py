"""The model in small: what moves, what stays, and how far."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from coderag.rerank import load_weights
from coderag.rerank.signals import SIGNALS as TABLE
from coderag.tune import bundled, own
from coderag.tune.examples import Examples, Floats, joined
from coderag.tune.fit import Model, Penalty, _sample, _slope, fit
from coderag.tune.judging import by_time, cross_validated, figures, ranks_of, scored, splits
from tests.tune.arrays import SIGNALS, drawn, question

LIGHT = Penalty(0.003, 0.003, 0.01)
RIGHT, WRONG = {"vector": 1.0}, {"lexical": 1.0}


def everything(examples: Examples) -> np.ndarray:  # type: ignore[type-arg]
    return np.ones(len(examples), bool)


def free(anchor: Floats | None = None, penalty: Penalty = LIGHT) -> Model:
    start = np.zeros((len(SIGNALS), 3)) if anchor is None else anchor
    return Model(start, np.ones((len(SIGNALS), 3), bool), penalty)


def weight(weights: Floats, signal: str) -> list[float]:
    return [float(each) for each in weights[SIGNALS.index(signal)]]


def test_a_signal_of_the_right_candidate_gains_in_the_manner_that_was_asked() -> None:
    found = fit(question([RIGHT, WRONG, {}], [(0, 0)]), np.ones(1, bool), free())
    short, long, trace = weight(found, "vector")
    assert long > 1.0
    assert 0.0 < short < long
    assert 0.0 < trace < long


def test_no_weight_takes_the_sign_that_its_signal_must_not_have() -> None:
    backwards = {**dict.fromkeys(SIGNALS, 1.0), "vector": 0.0}
    found = fit(drawn(20), np.ones(20, bool), free())
    assert all(signal.sign * worth >= 0 for signal, three in zip(TABLE, found, strict=True) for worth in three)
    assert weight(fit(question([backwards, RIGHT], [(0, 0)]), np.ones(1, bool), free()), "vector") == [0.0, 0.0, 0.0]


def test_what_is_not_free_stays() -> None:
    model = free(np.full((len(SIGNALS), 3), 0.5))
    held = replace(model, free=np.array([[name != "vector"] * 3 for name in SIGNALS]))
    found = fit(drawn(20), np.ones(20, bool), held)
    assert weight(found, "vector") == [0.5, 0.5, 0.5]
    assert weight(found, "file name")[1] > 0.6


def test_few_commits_change_little_and_many_more() -> None:
    start, far = own.as_array(load_weights()), []
    for count in (24, 90, 400):
        examples = drawn(count)
        model = own.model_of(examples, everything(examples), load_weights())
        far.append(float(np.abs(fit(examples, everything(examples), model) - start).max()))
    assert far[0] < far[1] < far[2]
    assert 2 * far[0] < far[2]


def test_a_manner_of_asking_that_nobody_used_keeps_its_weights_as_do_held_ones() -> None:
    examples = drawn(60)
    found = fit(examples, everything(examples), own.model_of(examples, everything(examples), load_weights()))
    moved = np.abs(found - own.as_array(load_weights())) > 1e-9
    assert moved.any(axis=0).tolist() == [False, True, False]
    assert not moved[[SIGNALS.index(name) for name in sorted(load_weights().held & {*SIGNALS})]].any()


def test_the_slope_is_that_of_the_loss() -> None:
    examples = joined([drawn(6), question([RIGHT, WRONG, RIGHT, {}], [(0, 0), (2, 0), (1, 1)], targets=2)])
    sample = _sample(examples, everything(examples))
    at = np.random.default_rng(1).random((len(SIGNALS), 3))

    def loss(weights: Floats) -> float:
        total, scores = 0.0, scored(examples, weights)
        for target, share in enumerate(sample.share.tolist()):
            start, end = examples.starts[examples.question_of[target] :][:2].tolist()
            own_hits = examples.hits[examples.hits[:, 1] == target, 0]
            total -= share * float(np.log(np.exp(scores[own_hits]).sum() / np.exp(scores[start:end]).sum()))
        return total

    slope = _slope(sample, at)
    for signal, manner in ((0, 1), (SIGNALS.index("vector"), 1), (SIGNALS.index("file name"), 0)):
        step = np.zeros_like(at)
        step[signal, manner] = 1e-4
        assert slope[signal, manner] == pytest.approx((loss(at + step) - loss(at - step)) / 2e-4, abs=1e-5)


def test_a_target_that_cannot_be_missed_or_was_not_recalled_teaches_nothing() -> None:
    examples = joined([question([RIGHT], [(0, 0)]), question([RIGHT, WRONG], []), question([], [])])
    anchor = np.full((len(SIGNALS), 3), 0.25)
    assert (fit(examples, everything(examples), free(anchor)) == anchor).all()


def test_the_same_examples_give_the_same_bytes() -> None:
    one, other = (fit(drawn(30), np.ones(30, bool), free()) for _ in range(2))
    assert one.tobytes() == other.tobytes()


def test_a_repository_is_in_one_fold_with_all_of_its_tasks() -> None:
    names = ["a/one", "b/two", "one", "three", "b+two", "four", "five"]
    examples = joined([question([RIGHT, WRONG], [(0, 0)], repository=name) for name in names])
    found = splits(examples)
    assert sum(split.judging for split in found).tolist() == [1] * len(names)  # type: ignore[attr-defined]
    for split in found:
        assert (split.fitted != split.judging).all()
        assert (split.judging[0], split.judging[1]) == (split.judging[2], split.judging[4])


def test_of_one_repository_the_newest_third_judges() -> None:
    examples = drawn(10)
    (split,) = splits(examples)
    assert split.judging.tolist() == [False] * 7 + [True] * 3
    assert (split.fitted == ~split.judging).all()
    assert by_time(("fixes",) * 3 + ("yours",) * 4).judging.tolist() == [False, False, True, False, False, False, True]


def test_cross_validated_scores_come_from_weights_that_did_not_see_the_repository() -> None:
    names = ["a", "b", "c", "d", "e"]
    examples = joined([question([RIGHT, WRONG], [(0, 0)], repository=name) for name in names])
    judged = cross_validated(examples, free())
    scores = judged.scores()
    for split, weights in zip(judged.splits, judged.weights, strict=True):
        assert (weights == fit(examples, split.fitted, free())).all()
        rows = np.repeat(split.judging, 2)
        assert scores[rows] == pytest.approx(scored(examples, weights)[rows])
    without = scores - judged.parts(SIGNALS.index("vector"))
    assert without[0::2] == pytest.approx(np.zeros(5), abs=1e-6)


def test_files_take_one_rank_each_and_functions_theirs() -> None:
    three = question([{"vector": 0.9}, {"vector": 0.8}, {"vector": 0.7}], [(2, 0), (2, 1)], targets=2, files=(4, 4, 7))
    examples = replace(three, is_file=np.array([False, True]))
    weights = np.ones((len(SIGNALS), 3))
    assert ranks_of(examples, scored(examples, weights), load_weights(), 0) == {"function": [3], "file": [2]}
    found = figures(examples, scored(examples, weights), load_weights(), np.ones(1, bool))["yours"]
    assert (found["function"]["MRR"], found["file"]["MRR"]) == (pytest.approx(1 / 3), 0.5)


def test_the_score_of_the_first_hit_is_how_often_it_is_right() -> None:
    candidates = [{"vector": 1.0}, {"vector": 0.5}]
    examples = joined([question(candidates, [(int(number == 0), 0)]) for number in range(4)])
    document = {"version": 1, "bias": 0.0, "weights": {name: {} for name in SIGNALS}}
    found = bundled.fitted(document, replace(load_weights(), held=frozenset()), examples, "2030-01-01")
    score = found["weights"]["vector"]["long"] + found["bias"]
    assert 1 / (1 + math.exp(-score)) == pytest.approx(0.75, abs=0.05)


def test_the_bundled_file_keeps_what_is_held_and_states_figures_without_each_signal() -> None:
    names = ["a", "b", "c"]
    examples = joined([replace(drawn(16, seed), repositories=(name,) * 16) for seed, name in enumerate(names)])
    entries = {name: {"weight": 0.5, "held": True} if name == "symbol alone" else {} for name in SIGNALS}
    known = replace(load_weights(), held=frozenset(("symbol alone",)))
    document = {"version": 1, "bias": -9.0, "weights": {**entries, "duplicate": {"weight": -1.0, "held": True}}}
    found = bundled.fitted(document, known, examples, "2030-01-01")
    assert found["weights"]["symbol alone"] == {"weight": 0.5, "held": True}
    assert found["weights"]["duplicate"] == {"weight": -1.0, "held": True}
    assert found["bias"] != -9.0
    assert found["fitted"] == "2030-01-01"
    assert found["data"].startswith("48 yours in 3 repositories; ")
    assert [*found["weights"]] == [*SIGNALS, "duplicate"]
    assert found["weights"]["vector"]["long"] > 0.5
    assert found["weights"]["vector"]["without"]["yours function any@3"] < 0
    assert found["cross_validated"]["yours function any@3"] > 0.5
    assert document["weights"]["vector"] == {}  # type: ignore[index]
