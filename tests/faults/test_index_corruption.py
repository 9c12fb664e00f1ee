"""A damaged index file: the same answers as before, or a typed error, and the next update builds it anew by itself."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from coderag import CoderagError, Index, IndexCorruptError, IndexFormatError
from tests.faults.indexing import PLAIN, exported, write_root

QUESTIONS = ("work3", "Holder5v0.get", "version limit", "module7")


def answers(root: Path) -> list[object]:
    with Index.open(root, settings=PLAIN) as index:
        return [
            [(hit.chunk, hit.score, hit.callers) for hit in index.search(question).hits] for question in QUESTIONS
        ] + [index.callers("work3"), index.symbols("get")]


def damage(data: bytes, number: int, chance: random.Random) -> bytes:
    sort = number % 5
    if sort == 0:
        return data[: chance.choice((0, 1, 100, len(data) // 2, len(data) - 1))]
    if sort == 1:
        start = chance.randrange(0, len(data), 4096)
        return data[:start] + bytes(4096) + data[start + 4096 :]
    if sort == 2:
        return chance.randbytes(len(data) // 4)
    position = chance.randrange(len(data))
    flipped = data[position] ^ (1 << chance.randrange(8))
    return data[:position] + bytes([flipped]) + data[position + 1 :]


def damage_many_times(tmp_path: Path, count: int, seed: int) -> None:
    chance = random.Random(seed)
    root = tmp_path / "root"
    write_root(root, 0)
    Index.build(root, settings=PLAIN).close()
    place = root / ".coderag" / "index.sqlite3"
    sound, expected, content = place.read_bytes(), answers(root), exported(root)
    for number in range(count):
        for path in place.parent.glob("index.sqlite3*"):
            path.unlink()
        place.write_bytes(damage(sound, number, chance))
        try:
            assert answers(root) == expected, f"damage {number}: another answer, silently"
        except (IndexCorruptError, IndexFormatError) as error:
            assert "coderag index" in str(error)
        index = Index.at(root, settings=PLAIN)
        index.update(verify=True)
        try:
            assert exported(root) == content
        except CoderagError:
            # Damage in a part that an update has no need to read: noticed on use, repaired by the next command.
            index.repair()
            assert exported(root) == content


def test_damage(tmp_path: Path) -> None:
    damage_many_times(tmp_path, count=60, seed=3)


@pytest.mark.slow
def test_much_damage(tmp_path: Path) -> None:
    damage_many_times(tmp_path, count=1500, seed=4)


def test_an_index_of_another_root_does_not_answer_for_this_one(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write_root(one, 0)
    write_root(two, 1, files=5)
    for root in (one, two):
        Index.build(root, settings=PLAIN).close()
    shutil.copy(one / ".coderag" / "index.sqlite3", two / ".coderag" / "index.sqlite3")
    with Index.open(two, settings=PLAIN) as index:
        assert not index.search("work3").fresh
    index.update()
    assert {entry.path for entry in index.symbols()} == {f"part{each % 4}/module{each}.py" for each in range(5)}
