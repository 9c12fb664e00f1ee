from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.kills import kill_at_random_times


def test_after_a_kill_at_any_time_the_next_command_finds_a_whole_generation(place: Path) -> None:
    assert kill_at_random_times(place / "index", count=40, seed=1).total() == 40


@pytest.mark.slow
def test_after_many_kills_at_any_time_the_next_command_finds_a_whole_generation(place: Path) -> None:
    assert kill_at_random_times(place / "index", count=1000, seed=2).total() == 1000
