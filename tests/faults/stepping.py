"""A fault at every step that touches the disk, in every operation of the store.

    python -m tests.faults.stepping DIRECTORY TIMES thorough|quick

Runs on its own because it forks: a process that is killed must not take the tests with it. Prints a line for each trial; ends with
the first that goes wrong.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from coderag.errors import NotIndexedError, StorageError
from coderag.store import Table, open_store, set_aside, steps
from tests.faults.generations import advance, advance_by_rebuild, litter, present


class InjectedError(Exception):
    pass


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _raise() -> None:
    raise InjectedError


def _full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _broken() -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


FAULTS: dict[str, tuple[Callable[[], None], type[Exception] | None]] = {
    "kill -9": (_kill, None),
    "exception": (_raise, InjectedError),
    "disk full": (_full, StorageError),
    "disk broken": (_broken, StorageError),
}


@dataclass(frozen=True, slots=True)
class Operation:
    """What is done to an index of generation `start` (None: no index).

    Generation `before` is there until the step `commits`, generation `after` from then on.
    """

    name: str
    act: Callable[[Path], object]
    start: int | None
    before: int | None
    after: int | None
    commits: str


def _make_empty(directory: Path) -> None:
    open_store(directory, create=True, lock_seconds=10.0)


def _rebuild_under_a_reader(directory: Path) -> None:
    """The reader's generation is older than the newest, so that the log cannot be moved into the database."""
    with open_store(directory, create=False, lock_seconds=10.0).read():
        with _hook(_ignore):
            advance(directory)
        advance_by_rebuild(directory)


def _set_aside(directory: Path) -> None:
    set_aside(directory, lock_seconds=10.0)


def _ignore(step: str) -> None:
    del step


OPERATIONS = (
    Operation("an empty store", _make_empty, None, None, 0, "synchronise directory"),
    Operation("the first build", advance_by_rebuild, None, None, 1, "synchronise directory"),
    Operation("an update", advance, 9, 9, 10, "committed"),
    Operation("a rebuild", advance_by_rebuild, 9, 9, 10, "synchronise directory"),
    Operation("a rebuild under a reader", _rebuild_under_a_reader, 9, 10, 11, "copied"),
    Operation("setting aside", _set_aside, 9, 9, None, "set aside log"),
)


@contextmanager
def _hook(on_step: Callable[[str], None]) -> Iterator[None]:
    before, steps.on_step = steps.on_step, on_step
    try:
        yield
    finally:
        steps.on_step = before


def steps_of(operation: Operation, place: Path) -> list[str]:
    """The steps of an undisturbed run."""
    seen: list[str] = []
    _run(operation, _prepared(operation, place), seen.append)
    return seen


def _prepared(operation: Operation, place: Path) -> Path:
    """A fresh copy of an index of the generation that the operation starts from."""
    directory, original = place / "index", place / "original"
    if operation.start is not None and not original.exists():
        while advance(original) < operation.start:
            pass
    shutil.rmtree(directory, ignore_errors=True)
    if operation.start is not None:
        shutil.copytree(original, directory)
    return directory


def try_every_step(place: Path, times: int, thorough: bool) -> Iterator[str]:
    """Every operation and step; with `times` 2, the same fault again in the operation that follows.

    Every fault too where `thorough`; else the steps that differ in their table alone take the faults in turn.
    """
    for operation in OPERATIONS:
        names = steps_of(operation, place)
        assert operation.commits in names, (operation.name, names)
        for number, name in enumerate(names):
            of_a_table = name.split()[-1] in list(Table)
            for fault in list(FAULTS)[number % 4 : number % 4 + 1] if of_a_table and not thorough else FAULTS:
                directory = _prepared(operation, place)
                for _ in range(times):
                    _suffer(operation, directory, number, fault)
                _check(operation, directory, number >= names.index(operation.commits), times)
                yield f"{operation.name}: {fault} at step {number} ({name})"


def _suffer(operation: Operation, directory: Path, number: int, fault: str) -> None:
    strike, expected = FAULTS[fault]
    remaining = number

    def on_step(step: str) -> None:
        nonlocal remaining
        remaining -= 1
        if remaining == -1:
            strike()

    if expected is None:
        _in_a_child(lambda: _run(operation, directory, on_step))
        return
    try:
        _run(operation, directory, on_step)
    except expected as error:
        assert expected is not StorageError or str(directory) in str(error), error
    except NotIndexedError:
        assert operation.after is None  # the second time there is nothing left to set aside
    else:
        assert remaining >= 0, f"{operation.name}: {fault} at step {number} was not noticed"


def _run(operation: Operation, directory: Path, on_step: Callable[[str], None]) -> None:
    with _hook(on_step):
        operation.act(directory)


def _in_a_child(action: Callable[[], None]) -> None:
    child = os.fork()
    if child == 0:
        try:
            action()
        finally:
            os._exit(3)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or status >> 8 == 3


def _check(operation: Operation, directory: Path, committed: bool, times: int) -> None:
    """The old generation before the commit point, the new one from there on; and the next command works unaided."""
    found = _present(directory)
    if times == 1:
        assert found == (operation.after if committed else operation.before), (found, committed)
    assert advance(directory) == (found or 0) + 1
    assert present(directory) == (found or 0) + 1
    assert litter(directory) <= {"index.sqlite3.corrupt", "index.sqlite3.corrupt-wal", "index.sqlite3.corrupt-shm"}


def _present(directory: Path) -> int | None:
    try:
        return present(directory)
    except NotIndexedError:
        return None


if __name__ == "__main__":
    for line in try_every_step(Path(sys.argv[1]), times=int(sys.argv[2]), thorough=sys.argv[3] == "thorough"):
        print(line, flush=True)
