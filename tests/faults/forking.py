"""What a forked child may do while its parent writes. Runs on its own, since a test process may have threads.

python -m tests.faults.forking DIRECTORY
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from coderag.errors import IndexLockedError
from coderag.store import open_store
from tests.faults.generations import advance, present, whole_generation, write


def child_reads_and_is_kept_from_writing(directory: Path) -> None:
    """With stores and a reader of its own; what it inherits it leaves alone."""
    assert present(directory) == 3
    try:
        advance(directory, lock_seconds=0.0)
    except IndexLockedError as error:
        assert f"process {os.getppid()} " in str(error)
    else:
        raise AssertionError("two writers")


def main(directory: Path) -> None:
    while advance(directory) < 3:
        pass
    store = open_store(directory, create=False, lock_seconds=10.0)
    with store.read() as reader, store.write() as writer:
        write(writer)
        assert _in_a_child(child_reads_and_is_kept_from_writing, directory) == 0
        assert whole_generation(reader) == 3
    assert present(directory) == 4
    assert _in_a_child(advance, directory) == 0
    assert advance(directory) == 6
    _a_child_that_outlives_its_parent_does_not_hold_the_lock(directory)
    assert present(directory) == 7


def _a_child_that_outlives_its_parent_does_not_hold_the_lock(directory: Path) -> None:
    """The worker of a writer that was killed must not keep the next writer out."""
    reading, writing = os.pipe()
    parent = os.fork()
    if parent == 0:
        with open_store(directory, create=False, lock_seconds=10.0).write():
            worker = os.fork()
            if worker == 0:
                signal.pause()
            os.write(writing, str(worker).encode())
            os.kill(os.getpid(), signal.SIGKILL)
    worker = int(os.read(reading, 20))
    os.waitpid(parent, 0)
    try:
        assert advance(directory, lock_seconds=0.0) == 7
    finally:
        os.kill(worker, signal.SIGKILL)


def _in_a_child(action: Callable[[Path], object], directory: Path) -> int:
    child = os.fork()
    if child == 0:
        try:
            action(directory)
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
