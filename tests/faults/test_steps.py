from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.committing import PROJECT


def try_every_step(place: Path, times: int, how: str) -> list[str]:
    command = [sys.executable, "-W", "error", "-m", "tests.faults.stepping", str(place), str(times), how]
    run = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT)
    assert run.returncode == 0, run.stdout[-300:] + run.stderr
    return run.stdout.splitlines()


def test_a_fault_at_any_step_leaves_the_old_generation_or_the_new_one(place: Path) -> None:
    assert len(try_every_step(place, 1, "quick")) > 200


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 2])
def test_every_fault_at_every_step_leaves_the_old_generation_or_the_new_one(place: Path, times: int) -> None:
    assert len(try_every_step(place, times, "thorough")) > 400
