"""kill -9 at random times, any number of them, on one index that lives through all."""

from __future__ import annotations

import random
import time
from collections import Counter
from pathlib import Path

from coderag.errors import NotIndexedError
from tests.faults.committing import start
from tests.faults.generations import advance, litter, present


def kill_at_random_times(directory: Path, count: int, seed: int) -> Counter[str]:
    """What was found after each kill. Raises `AssertionError` at anything but the last acknowledged generation or the one after."""
    source, outcomes, acknowledged = random.Random(seed), Counter[str](), 0
    for _ in range(count):
        process = start(directory)
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(source.choice((0, 1, 1, 1, 4, 6)))]
        time.sleep(source.uniform(0.0, 0.02))
        process.kill()
        lines += process.stdout.read().split()
        process.stdout.close()
        process.wait()
        found = _present(directory)
        acknowledged = max([acknowledged, *map(int, lines)])
        assert found >= acknowledged, f"generation {acknowledged} was acknowledged, {found} is there"
        outcomes["more than was acknowledged" if found > acknowledged else "as acknowledged"] += 1
        acknowledged = advance(directory)
        assert acknowledged == found + 1
        assert present(directory) == acknowledged
        assert litter(directory) == set()
    return outcomes


def _present(directory: Path) -> int:
    try:
        return present(directory)
    except NotIndexedError:
        return 0
