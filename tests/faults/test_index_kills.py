"""kill -9 of an indexing process at random times: the next command works unaided, from the old generation or the new one."""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import pytest

from coderag import Index, NotIndexedError
from tests.faults.indexing import PLAIN, exported, start, write_root


def kill_at_random_times(tmp_path: Path, kills: int, seed: int) -> None:
    chance = random.Random(seed)
    root, fresh = tmp_path / "root", tmp_path / "fresh"
    write_root(root, 0)
    answers: list[list[str]] = [[]]
    for number in range(kills):
        if number % 10 == 0:
            shutil.rmtree(root / ".coderag", ignore_errors=True)
            answers = [[]]
        write_root(root, number)
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.copytree(root, fresh, ignore=shutil.ignore_patterns(".coderag"))
        with Index.build(fresh, settings=PLAIN) as built:
            expected = list(built.export())
        child = start(root)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(chance.random() * 0.25)
        child.kill()
        child.communicate()
        try:
            found = exported(root)
        except NotIndexedError:
            found = []
        assert found in [*answers, expected], f"kill {number}: a mixture of generations"
        Index.build(root, settings=PLAIN).close()
        assert exported(root) == expected
        answers = [expected]
    litter = sorted(path.name for path in (root / ".coderag").iterdir())
    assert not [name for name in litter if "building" in name or "corrupt" in name]


def test_kills(tmp_path: Path) -> None:
    kill_at_random_times(tmp_path, kills=12, seed=1)


@pytest.mark.slow
def test_many_kills(tmp_path: Path) -> None:
    kill_at_random_times(tmp_path, kills=500, seed=2)
