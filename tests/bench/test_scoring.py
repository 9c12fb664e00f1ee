"""Grades, by small examples that can be worked out on paper."""

from __future__ import annotations

import math

import pytest

from coderag.bench.scoring import FIXES, QUESTIONS, counted, covers_function, grade, names_file, within
from coderag.bench.values import Asked, Place, Target
from coderag.types import Query

FUNCTION = Target("a.py", 10, 19, "f", (15,))


def asked(*targets: Target, files: bool = False) -> Asked:
    rule = QUESTIONS if files else FIXES
    return Asked("t", "1", Query("x"), {"file" if files else "function": targets}, rule, "r", merges_files=not files)


@pytest.mark.parametrize(
    ("first", "last", "hits"),
    [
        (10, 19, True),
        (10, 14, True),  # half of it
        (10, 13, False),  # less, and no edited line
        (14, 16, True),  # within it, with the edited line
        (15, 16, False),  # so short says nothing
        (1, 250, True),  # all of it, in a chunk that is just not too long
        (1, 251, False),  # a chunk that could be anything
        (19, 40, False),
        (20, 30, False),
    ],
)
def test_a_place_hits_a_function(first: int, last: int, hits: bool) -> None:
    assert covers_function(Place("a.py", first, last), FUNCTION) is hits
    assert not covers_function(Place("b.py", first, last), FUNCTION)


def test_a_long_function_is_hit_by_what_is_nearly_it() -> None:
    long = Target("a.py", 1, 400, "f", (7,))
    assert covers_function(Place("a.py", 1, 320), long)
    assert not covers_function(Place("a.py", 1, 319), long)
    assert not covers_function(Place("a.py", 1, 251), long)


@pytest.mark.parametrize(
    ("place", "target", "hits"),
    [
        (Place("src/a.py", 1, 5), Target("src/a.py"), True),
        (Place("lib/src/a.py", 1, 5), Target("src/a.py"), True),
        (Place("xsrc/a.py", 1, 5), Target("src/a.py"), False),
        (Place("a.py", 1, 5), Target("src/a.py"), False),
        (Place("a.py", 1, 5), Target("a.py", 5, 9), True),
        (Place("a.py", 1, 4), Target("a.py", 5, 9), False),
        (Place("a.py"), Target("a.py", 5, 9), True),
    ],
)
def test_a_place_names_a_file(place: Place, target: Target, hits: bool) -> None:
    assert names_file(place, target) is hits


def test_every_place_takes_a_rank_and_one_may_hit_two_targets() -> None:
    targets = (Target("b.py"), Target("c.py"), Target("d.py"))
    places = [Place("a.py"), Place("b.py"), Place("b.py"), Place("c.py")]
    scores = grade(asked(*targets, files=True), places)["file"]
    ideal = 1 + 1 / math.log2(3) + 1 / 2
    assert scores["NDCG@10"] == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / ideal)
    assert (scores["recall@1"], scores["recall@3"], scores["recall@5"]) == (0.0, 1 / 3, 2 / 3)
    assert (scores["any@1"], scores["any@3"], scores["all@3"], scores["all@10"]) == (0.0, 1.0, 0.0, 0.0)
    assert scores["MRR"] == 0.5


def test_two_targets_in_one_place_gain_once() -> None:
    targets = (Target("a.py", 10, 12, "f"), Target("a.py", 13, 15, "g"))
    scores = grade(asked(*targets), [Place("a.py", 10, 15)])["function"]
    assert scores["all@1"] == 1.0
    assert scores["NDCG@10"] == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_questions_look_at_ten_places_and_fixes_at_more() -> None:
    places = [*(Place(f"{n}.py", 1, 9) for n in range(11)), Place("a.py", 10, 19)]
    assert grade(asked(Target("a.py"), files=True), places)["file"]["MRR"] == 0.0
    assert grade(asked(FUNCTION), places)["function"]["MRR"] == 1 / 12


def test_tests_and_foreign_code_take_no_rank_where_a_fix_is_looked_for() -> None:
    places = [
        Place("tests/test_a.py", 1, 9),
        Place("vendor/a.py", 1, 9),
        Place("README.md", 1, 9),
        Place("a.py", 10, 19),
    ]
    assert grade(asked(FUNCTION), places)["function"]["any@1"] == 1.0


def test_files_are_merged_at_the_level_of_files() -> None:
    fix = Asked("t", "1", Query("x"), {"file": (Target("b.py"),)}, FIXES, "r")
    scores = grade(fix, [Place("a.py", 1, 2), Place("a.py", 3, 4), Place("a.py", 5, 6), Place("b.py", 1, 2)])["file"]
    assert (scores["any@1"], scores["any@3"], scores["MRR"]) == (0.0, 1.0, 0.5)


def test_a_level_without_targets_is_left_out() -> None:
    fix = Asked("t", "1", Query("x"), {"function": (), "file": (Target("a.py"),)}, FIXES, "r")
    assert [*grade(fix, [])] == ["file"]


def test_a_budget_passes_over_what_does_not_fit() -> None:
    places = [Place("a.py", 1, 2, 600), Place("b.py", 1, 2, 500), Place("c.py", 1, 2, 400), Place("d.py", 1, 2, 1)]
    targets = [Target(name) for name in ("a.py", "b.py", "c.py", "d.py")]
    assert within(FIXES, places, targets, 1_000) == [True, False, True, False]


def test_what_the_asker_sees_is_no_answer() -> None:
    focus = Asked("t", "1", Query("x"), {"function": (FUNCTION,)}, FIXES, "r", known=Target("a.py", 30, 40))
    assert counted(focus, [Place("a.py", 30, 40), Place("a.py", 29, 40), Place("b.py", 30, 40)]) == [
        Place("a.py", 29, 40),
        Place("b.py", 30, 40),
    ]
