"""Averages and their intervals."""

from __future__ import annotations

from coderag.bench.scoring import FIXES
from coderag.bench.summary import summarise
from coderag.bench.values import Asked, Outcome, Target
from coderag.types import Query


def outcome(repository: str, value: float) -> Outcome:
    asked = Asked("t", "1", Query("x"), {"file": (Target("a.py"),)}, FIXES, repository)
    return Outcome(asked, "whole pipeline", {"file": {"recall@3": value}})


def test_the_mean_is_over_questions_and_the_interval_over_repositories() -> None:
    outcomes = [outcome("a", 1.0), outcome("a", 1.0), outcome("a", 1.0), outcome("b", 0.0)]
    summary = summarise(outcomes, "file")
    assert summary is not None
    average = summary.averages["recall@3"]
    assert (summary.questions, summary.repositories, average.mean) == (4, 2, 0.75)
    assert (average.low, average.high) == (0.0, 1.0)


def test_questions_of_one_repository_have_no_interval() -> None:
    summary = summarise([outcome("a", 1.0), outcome("a", 0.0)], "file")
    assert summary is not None
    assert (summary.averages["recall@3"].low, summary.averages["recall@3"].high) == (0.5, 0.5)


def test_the_order_of_outcomes_does_not_matter() -> None:
    outcomes = [
        outcome(name, value) for name, value in zip("abcdefgh", (0.1, 0.9, 0.4, 1, 0, 0.3, 0.2, 0.7), strict=True)
    ]
    assert summarise(outcomes, "file") == summarise(outcomes[::-1], "file")


def test_without_outcomes_there_is_no_summary() -> None:
    assert summarise([], "file") is None
