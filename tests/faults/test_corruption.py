from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.faults.corruption import damage_database, damage_log
from tests.faults.generations import advance, advance_by_rebuild, present


def test_a_damaged_database_is_refused_or_harmless_and_a_rebuild_heals_it(place: Path) -> None:
    outcomes = damage_database(place, count=70, seed=1)
    assert outcomes.total() >= 70
    assert outcomes["noticed"] + outcomes["refused"] >= 40


def test_a_damaged_log_gives_a_whole_generation_or_is_refused(place: Path) -> None:
    assert damage_log(place, count=40, seed=2).total() >= 40


def test_the_database_of_another_index_is_that_index_whole(place: Path) -> None:
    for _ in range(3):
        advance(place / "here")
    advance_by_rebuild(place / "there")
    shutil.copy(place / "there" / "index.sqlite3", place / "here" / "index.sqlite3")
    assert present(place / "here") == 1
    assert advance(place / "here") == 2
    assert present(place / "here") == 2


@pytest.mark.slow
def test_a_database_damaged_in_many_ways_is_refused_or_harmless(place: Path) -> None:
    assert damage_database(place, count=1500, seed=3).total() >= 1500


@pytest.mark.slow
def test_a_log_damaged_in_many_ways_gives_a_whole_generation_or_is_refused(place: Path) -> None:
    assert damage_log(place, count=1000, seed=4).total() >= 1000
