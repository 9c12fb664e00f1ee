from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from coderag.store import Table, open_store
from tests.faults.corruption import damage_database, damage_log
from tests.faults.generations import advance, advance_by_rebuild, contents, present


def test_a_damaged_database_is_refused_or_harmless_and_a_rebuild_heals_it(tmp_path: Path) -> None:
    outcomes = damage_database(tmp_path, count=100, seed=1)
    assert outcomes.total() >= 100
    assert outcomes["noticed"] + outcomes["refused"] >= 50


def test_a_damaged_log_gives_a_whole_generation_or_is_refused(tmp_path: Path) -> None:
    assert damage_log(tmp_path, count=60, seed=2).total() >= 60


@pytest.mark.slow
def test_a_database_damaged_in_many_ways_is_refused_or_harmless(tmp_path: Path) -> None:
    assert damage_database(tmp_path, count=1500, seed=3).total() >= 1500


@pytest.mark.slow
def test_a_log_damaged_in_many_ways_gives_a_whole_generation_or_is_refused(tmp_path: Path) -> None:
    assert damage_log(tmp_path, count=1000, seed=4).total() >= 1000
