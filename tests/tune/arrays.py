"""Examples made of numbers, for tests of the arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from coderag.tune.examples import Examples, joined, signal_names

SIGNALS = signal_names()


def question(
    candidates: Sequence[Mapping[str, float]],
    hits: Sequence[tuple[int, int]],
    *,
    targets: int = 1,
    manner: tuple[float, float, float] = (0.0, 1.0, 0.0),
    repository: str = "a/shop",
    task: str = "yours",
    files: Sequence[int] = (),
) -> Examples:
    """One question: the signals of each candidate that are not 0, and which candidate hits which function."""
    count = len(candidates)
    values = np.array([[each.get(name, 0.0) for name in SIGNALS] for each in candidates], np.float32)
    return Examples(
        signals=SIGNALS,
        values=values.reshape(count, len(SIGNALS)),
        manners=np.tile(np.array(manner, np.float32), (count, 1)),
        files=np.array(files or range(count), np.int64),
        looks=np.arange(count),
        counts=np.ones(count, bool),
        starts=np.array([0, count]),
        tasks=(task,),
        repositories=(repository,),
        ids=("q",),
        brevity=np.array([manner[0]]),
        depth=np.array([200]),
        merges_files=np.array([True]),
        hits=np.array(hits, np.int64).reshape(-1, 2),
        weights=np.ones(targets),
        question_of=np.zeros(targets, np.int64),
        is_file=np.zeros(targets, bool),
    )


def drawn(questions: int, seed: int = 3) -> Examples:
    """Questions of ten candidates with random signals, of which the one with most of `vector` and `file name` is right."""
    random = np.random.default_rng(seed)
    parts = []
    for _ in range(questions):
        candidates = [dict(zip(SIGNALS, random.random(len(SIGNALS)).tolist(), strict=True)) for _ in range(10)]
        best = max(range(10), key=lambda number: candidates[number]["vector"] + candidates[number]["file name"])
        parts.append(question(candidates, [(best, 0)]))
    return joined(parts)
