"""Writers wait for each other, readers for nobody, and every reader sees a whole generation."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from coderag.errors import IndexLockedError
from coderag.store import open_store
from tests.faults.committing import PROJECT, start
from tests.faults.generations import advance, advance_by_rebuild, litter, present, whole_generation

STEPS = [
    "locked",
    "begun",
    "put chunks",
    "put header",
    "commit",
    "committed",
    "checkpoint",
    "checkpointed",
    "rebuild create",
    "rebuild put chunks",
    "rebuild synchronise",
    "rebuild settle log",
    "rebuild remove log",
    "rebuild replace",
    "rebuild synchronise directory",
]


@contextmanager
def writing(directory: Path, step: str = "") -> Iterator[subprocess.Popen[str]]:
    process = start(directory, step)
    assert process.stdout is not None
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def read_while_writing(directory: Path, writers: int, generations: int) -> None:
    """Several readers at a time, each of them read twice, while processes commit and rebuild."""
    with ExitStack() as stack:
        processes = [stack.enter_context(writing(directory)) for _ in range(writers)]
        for process in processes:
            assert process.stdout is not None
            process.stdout.readline()
        store, newest = open_store(directory, create=False, lock_seconds=10.0), 0
        while newest < generations:
            assert [process.poll() for process in processes] == [None] * writers
            with ExitStack() as readers:
                opened = [readers.enter_context(store.read()) for _ in range(4)]
                numbers = [whole_generation(reader) for reader in opened]
                assert numbers == sorted(numbers)
                assert numbers[0] >= newest
                assert [whole_generation(reader) for reader in opened] == numbers
                newest = numbers[-1]
    assert present(directory) >= generations


def test_readers_see_whole_generations_while_two_processes_write(place: Path) -> None:
    read_while_writing(place / "index", writers=2, generations=60)


@pytest.mark.slow
def test_readers_see_whole_generations_while_eight_processes_write(place: Path) -> None:
    read_while_writing(place / "index", writers=8, generations=2000)


@pytest.mark.parametrize("step", STEPS)
def test_a_stopped_writer_blocks_no_reader_and_is_named_to_other_writers(place: Path, step: str) -> None:
    with writing(place / "index", step) as process:
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        number = present(place / "index")
        for command in (advance, advance_by_rebuild):
            with pytest.raises(IndexLockedError, match=f"process {process.pid} is writing"):
                command(place / "index", lock_seconds=0.0)
        process.send_signal(signal.SIGCONT)
        assert process.stdout is not None
        while int(process.stdout.readline()) <= number:
            pass
    assert present(place / "index") > number


def test_a_killed_writer_keeps_nobody_out(place: Path) -> None:
    with writing(place / "index", "put chunks") as process:
        os.waitpid(process.pid, os.WUNTRACED)
        number = present(place / "index")
        process.kill()
        process.wait()
        assert advance(place / "index", lock_seconds=0.0) == number + 1
    assert litter(place / "index") == set()


def test_forked_children_read_are_kept_from_writing_and_hold_no_lock(place: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", "tests.faults.forking", str(place / "index")]
    run = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT)
    assert (run.returncode, run.stderr) == (0, "")
