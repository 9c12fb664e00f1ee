"""A disk that fills up: a small file system in memory, where the system lets us mount one."""

from __future__ import annotations

import os
import random
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from coderag.errors import NotIndexedError, StorageError
from coderag.store import Table, open_store, rebuild
from tests.faults.generations import advance, litter, present

DISK_BYTES = 4 << 20
_LOAD = [(key, random.Random(key).randbytes(100_000)) for key in range(20)]


@contextmanager
def small_disk(place: Path) -> Iterator[Path | None]:
    """None where mounting is not allowed."""
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(place)]
    try:
        mounted = subprocess.run(command, capture_output=True).returncode == 0
    except FileNotFoundError:
        mounted = False
    try:
        yield place if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(place)], check=True)


def fill_up(disk: Path, count: int) -> Counter[str]:
    """`count` amounts of free space, from none to nearly enough for an update, a rebuild and a first build."""
    outcomes = Counter[str]()
    for number in range(count):
        room = (number**2 * 1_800_000) // count**2
        index, new = disk / "index", disk / "new"
        before = advance(index)
        with _filled(disk, room):
            outcomes[_attempt(_update, index)] += 1
            after = present(index)
            outcomes[_attempt(_rebuild, index)] += 1
            outcomes[_attempt(_rebuild, new)] += 1
            assert present(index) == after == before
            assert litter(index) == set()
            _assert_absent(new)
        assert advance(index) == before + 1
        assert present(index) == before + 1
    return outcomes


@contextmanager
def _filled(disk: Path, room: int) -> Iterator[None]:
    filler = disk / "filler"
    free = os.statvfs(disk)
    filler.write_bytes(bytes(max(0, free.f_bavail * free.f_frsize - room)))
    try:
        yield
    finally:
        filler.unlink()


def _attempt(action: Callable[[Path], None], directory: Path) -> str:
    try:
        action(directory)
    except StorageError as error:
        assert str(directory) in str(error)
        return "refused"
    raise AssertionError("two megabytes were written where there was no room for them")


def _update(directory: Path) -> None:
    with open_store(directory, create=False, lock_seconds=0.0).write() as writer:
        writer.put_many(Table.VECTORS, _LOAD)


def _rebuild(directory: Path) -> None:
    with rebuild(directory, lock_seconds=0.0) as writer:
        writer.put_many(Table.VECTORS, _LOAD)


def _assert_absent(directory: Path) -> None:
    try:
        present(directory)
    except NotIndexedError:
        return
    raise AssertionError("an index that was never finished is there")
