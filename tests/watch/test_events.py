"""When it is time to look: events put together, none lost, git left to finish."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from coderag.watch.events import LONGEST_WAIT_SECONDS, RESCAN_SECONDS, Relevance, settled
from tests.watch.conftest import git_in

QUIET: list[str] = []
EVENT = ["/r/a.py"]


class Clock:
    """A clock that stands still unless it is told to go on."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time

    def at(self, moments: list[tuple[float, list[str]]]) -> Iterator[list[str]]:
        for moment, batch in moments:
            self.time = moment
            yield batch


def looks(moments: list[tuple[float, list[str]]], busy: tuple[float, float] = (-1.0, -1.0)) -> list[float]:
    """When `settled` says to look, given batches at times and a span in which git is at work."""
    clock = Clock()
    found = settled(
        clock.at(moments), lambda path: path.startswith("/r/"), lambda: busy[0] <= clock.time < busy[1], clock
    )
    return [clock.time for _ in found]


def test_the_first_look_comes_before_any_event() -> None:
    assert looks([(0.2, QUIET), (0.4, QUIET)]) == [0.2]


def test_events_are_put_together_until_it_is_quiet() -> None:
    assert looks([(0.2, QUIET), (1.0, EVENT), (1.1, EVENT), (1.2, EVENT), (1.4, QUIET), (1.6, QUIET)]) == [0.2, 1.4]


def test_what_does_not_matter_neither_wakes_nor_delays() -> None:
    other = ["/elsewhere/x"]
    assert looks([(0.2, QUIET), (1.0, other), (1.2, QUIET)]) == [0.2]
    assert looks([(0.2, QUIET), (1.0, EVENT), (1.1, other)]) == [0.2, 1.1]


def test_git_is_left_to_finish() -> None:
    assert looks([(0.2, QUIET), (1.0, EVENT), (1.2, QUIET), (3.0, QUIET), (3.2, QUIET)], busy=(0.9, 2.9)) == [0.2, 3.0]


def test_an_endless_stream_is_looked_at_in_the_end() -> None:
    late = 1.0 + LONGEST_WAIT_SECONDS
    assert looks([(0.2, QUIET), (1.0, EVENT), (5.0, EVENT), (late, EVENT)]) == [0.2, late]
    assert looks([(0.2, QUIET), (1.0, EVENT), (5.0, QUIET), (late, QUIET)], busy=(0.9, 99)) == [0.2, late]


def test_without_events_a_look_comes_now_and_then() -> None:
    assert looks([(0.2, QUIET), (RESCAN_SECONDS, QUIET), (RESCAN_SECONDS + 0.3, QUIET)]) == [0.2, RESCAN_SECONDS + 0.3]


@pytest.mark.parametrize(
    ("path", "matters"),
    [
        ("pkg/m1.py", True),
        (".gitignore", True),
        (".coderag/index.sqlite3-wal", False),
        (".git/HEAD", True),
        (".git/index", True),
        (".git/index.lock", False),
        (".git/refs/heads/main", True),
        (".git/refs/heads/main.lock", False),
        (".git/refs/remotes/origin/main", False),
        (".git/objects/ab/cdef", False),
        (".git/info/exclude", True),
        ("../elsewhere.py", False),
    ],
)
def test_what_matters(repository: Path, path: str, matters: bool) -> None:
    relevant = Relevance(repository, repository / ".coderag")
    place = (repository / path).resolve() if path.startswith("..") else repository / path
    assert relevant(str(place)) is matters


def test_a_worktree_is_watched_with_what_git_keeps_elsewhere(repository: Path) -> None:
    second = repository.parent / "second"
    git_in(repository)("worktree", "add", "-q", str(second), "other")
    relevant = Relevance(second, second / ".coderag")
    assert relevant.places() == [
        str(second),
        str(repository / ".git" / "worktrees" / "second"),
        str(repository / ".git"),
    ]
    assert relevant(str(repository / ".git" / "worktrees" / "second" / "HEAD"))
    assert relevant(str(repository / ".git" / "refs" / "heads" / "other"))
    assert not relevant(str(repository / "pkg" / "m1.py"))
    (repository / ".git" / "worktrees" / "second" / "index.lock").touch()
    assert relevant.git_is_at_work()
