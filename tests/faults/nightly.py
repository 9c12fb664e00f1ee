"""The fault battery with counts as arguments; run by `scripts/faults`.

Each sort of fault is injected in portions with seeds of their own, so that one failure costs its portion and the rest goes on. A wrong
answer is an assertion of the battery that failed; a repair by hand is needed where a command that should have worked unaided did not.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.faults.committing import PROJECT
from tests.faults.corruption import damage_database, damage_log
from tests.faults.disks import fill_up, small_disk
from tests.faults.kills import kill_at_random_times
from tests.faults.test_concurrency import read_while_writing
from tests.faults.test_index_corruption import damage_many_times
from tests.faults.test_index_kills import kill_at_random_times as kill_indexing
from tests.faults.test_steps import try_every_step

MEMORY = Path("/dev/shm")


@dataclass(frozen=True, slots=True)
class Battery:
    """A sort of fault: how many, how many at a time, and what injects so many with a seed and says how many they were."""

    name: str
    count: int
    portion: int
    inject: Callable[[Path, int, int], int]


@dataclass(slots=True)
class Outcome:
    name: str
    injected: int = 0
    wrong_answers: int = 0
    hand_repairs: int = 0
    seconds: float = 0.0


def kills(place: Path, count: int, seed: int) -> int:
    return kill_at_random_times(place / "index", count, seed).total()


def index_kills(place: Path, count: int, seed: int) -> int:
    kill_indexing(place, kills=count, seed=seed)
    return count


def damages(place: Path, count: int, seed: int) -> int:
    return damage_database(place, count, seed).total()


def log_damages(place: Path, count: int, seed: int) -> int:
    return damage_log(place, count, seed).total()


def index_damages(place: Path, count: int, seed: int) -> int:
    damage_many_times(place, count, seed)
    return count


def full_disks(place: Path, count: int, seed: int) -> int:
    with small_disk(place / "disk") as disk:
        return fill_up(disk, count).total() if disk else 0


def generations(place: Path, count: int, seed: int) -> int:
    read_while_writing(place / "index", writers=8, generations=count)
    return count


def steps(how: str) -> Callable[[Path, int, int], int]:
    """`count` 1 strikes once, 2 strikes again in the operation that follows."""
    return lambda place, count, seed: len(try_every_step(place, count, how))


def of_tests(selection: str, *files: str) -> Callable[[Path, int, int], int]:
    """Tests that are a fault each."""

    def run(place: Path, count: int, seed: int) -> int:
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", selection, *files]
        done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-2000:]
        return done.stdout.count(".", 0, done.stdout.index("[100%]"))

    return run


def batteries(arguments: argparse.Namespace) -> Iterator[Battery]:
    yield Battery("kill -9 of a writer", arguments.kills, 50, kills)
    yield Battery("kill -9 of an indexing run", arguments.index_kills, 20, index_kills)
    yield Battery("fault at each step of the store", 1, 1, steps(arguments.steps))
    if arguments.steps == "thorough":
        yield Battery("the same fault twice in a row", 2, 2, steps(arguments.steps))
    yield Battery("damaged database", arguments.damages, 250, damages)
    yield Battery("damaged log", arguments.damages, 250, log_damages)
    yield Battery("damaged index, by its answers", arguments.index_damages, 50, index_damages)
    yield Battery("full disk", arguments.disks, 40, full_disks)
    yield Battery("generations of eight writers, read meanwhile", arguments.generations, 250, generations)
    yield Battery(
        "stopped and killed writers, forks", 1, 1, of_tests("writer or forked", "tests/faults/test_concurrency.py")
    )
    yield Battery("parsers that die, hang, leave or babble", 1, 1, of_tests("", "tests/faults/test_workers.py"))


def run(battery: Battery) -> Outcome:
    outcome, started = Outcome(battery.name), time.monotonic()
    for seed, first in enumerate(range(0, battery.count, battery.portion), 1000):
        with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as place:
            try:
                outcome.injected += battery.inject(Path(place), min(battery.portion, battery.count - first), seed)
            except AssertionError:
                outcome.wrong_answers += 1
                traceback.print_exc()
            except Exception:
                outcome.hand_repairs += 1
                traceback.print_exc()
    outcome.seconds = time.monotonic() - started
    return outcome


def print_table(outcomes: Iterable[Outcome]) -> None:
    rows = [("fault", "injected", "wrong answers", "hand repairs", "seconds")]
    rows += [
        (each.name, f"{each.injected:,}", str(each.wrong_answers), str(each.hand_repairs), f"{each.seconds:.0f}")
        for each in outcomes
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        print(
            first.ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)),
            sep="  ",
        )


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/faults", description=re.sub(r"\s+", " ", __doc__ or ""))
    parser.add_argument("--kills", type=int, default=500, help="kill -9 of a process that writes to a store (500)")
    parser.add_argument("--index-kills", type=int, default=100, help="kill -9 of a process that indexes (100)")
    parser.add_argument(
        "--steps", choices=("quick", "thorough"), default="thorough", help="faults at each step of the store"
    )
    parser.add_argument(
        "--damages", type=int, default=1500, help="damages to a database, and as many to its log (1500)"
    )
    parser.add_argument("--index-damages", type=int, default=200, help="damages to an index that is then asked (200)")
    parser.add_argument("--disks", type=int, default=40, help="sizes of a full disk; each is hit three times (40)")
    parser.add_argument("--generations", type=int, default=1000, help="generations written by eight processes (1000)")
    outcomes = []
    for battery in batteries(parser.parse_args()):
        outcomes.append(run(battery))
        print(f"{outcomes[-1].name}: {outcomes[-1].injected:,} in {outcomes[-1].seconds:.0f} s", flush=True)
    total = Outcome("all")
    for each in outcomes:
        total.injected += each.injected
        total.wrong_answers += each.wrong_answers
        total.hand_repairs += each.hand_repairs
        total.seconds += each.seconds
    print()
    print_table([*outcomes, total])
    return int(total.wrong_answers + total.hand_repairs > 0)


if __name__ == "__main__":
    sys.exit(main())
