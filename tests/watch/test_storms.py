"""A watched index is that of a fresh build, whatever git and editors did to the files meanwhile."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from coderag import Index, load_settings
from coderag.watch.events import changes
from tests.watch.conftest import Git, git_in, module

PATIENCE_SECONDS = 60


@dataclass
class Watched:
    """An index that a thread keeps up to date."""

    root: Path
    generations: list[int] = field(default_factory=list)
    news: threading.Condition = field(default_factory=threading.Condition)

    def follow(self, stop: threading.Event) -> None:
        with Index.at(self.root) as index:
            for _ in changes(self.root, index.directory, stop):
                generation = index.update().generation
                with self.news:
                    self.generations.append(generation)
                    self.news.notify_all()

    def settle(self) -> list[str]:
        """The content of the index once nothing differs from it any more."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        with Index.open(self.root) as index:
            while (pending := index.freshness()) and not (pending.is_fresh and pending.head == pending.indexed_head):
                assert time.monotonic() < deadline, pending
                with self.news:
                    self.news.wait(0.05)
            return list(index.export())


@contextmanager
def watched(root: Path) -> Iterator[Watched]:
    stop = threading.Event()
    found = Watched(root)
    thread = threading.Thread(target=found.follow, args=(stop,))
    thread.start()
    try:
        with found.news:
            assert found.news.wait_for(lambda: found.generations, PATIENCE_SECONDS)
        yield found
    finally:
        stop.set()
        thread.join()


def fresh_build(root: Path, directory: Path) -> list[str]:
    with Index.build(root, settings=load_settings(root, index_directory=str(directory))) as index:
        return list(index.export())


def checkout(root: Path, git: Git) -> None:
    git("checkout", "-q", "other")


def back_and_forth(root: Path, git: Git) -> None:
    for branch in ("other", "main", "other", "main"):
        git("checkout", "-q", branch)


def rebase(root: Path, git: Git) -> None:
    (root / "pkg" / "m39.py").write_text(module(39, 9))
    git("commit", "-q", "-a", "-m", "three")
    git("rebase", "-q", "other")


def renames(root: Path, git: Git) -> None:
    git("mv", "pkg", "package")
    (root / "package" / "m0.py").rename(root / "package" / "M0.py")
    git("commit", "-q", "-a", "-m", "renamed")


def reset_and_clean(root: Path, git: Git) -> None:
    (root / "untracked.py").write_text("def untracked(): pass\n")
    git("checkout", "-q", "other")
    git("reset", "-q", "--hard", "main")
    git("clean", "-q", "-f", "-d", "-e", ".coderag")


def stash(root: Path, git: Git) -> None:
    (root / "pkg" / "m2.py").write_text(module(2, 7))
    git("stash", "-q")
    git("checkout", "-q", "other")
    git("stash", "drop", "-q")


def storm(root: Path, _: Git) -> None:
    chance = random.Random(7)
    for step in range(400):
        path = root / "pkg" / f"m{chance.randrange(45)}.py"
        action = chance.randrange(4)
        if action == 0:
            path.unlink(missing_ok=True)
        elif action == 1 and path.exists():
            path.rename(root / "pkg" / f"n{chance.randrange(45)}.py")
        else:
            path.write_text(module(chance.randrange(45), step))


def ignore_rule(root: Path, _: Git) -> None:
    (root / ".gitignore").write_text("new*.py\n")
    for name in ("new1.py", "new2.py", "kept.py"):
        (root / name).write_text(f"def in_{name[:-3]}(): pass\n")
    (root / ".gitignore").write_text("kept.py\n")


@pytest.mark.parametrize(
    "happening", [checkout, back_and_forth, rebase, renames, reset_and_clean, stash, storm, ignore_rule]
)
def test_the_index_is_that_of_a_fresh_build(repository: Path, happening: Callable[[Path, Git], None]) -> None:
    with watched(repository) as found:
        happening(repository, git_in(repository))
        content = found.settle()
    assert content == fresh_build(repository, repository.parent / "fresh")


def test_a_switch_of_branches_is_one_update(repository: Path) -> None:
    with watched(repository) as found:
        found.settle()
        before = len(set(found.generations))
        git_in(repository)("checkout", "-q", "other")
        found.settle()
    assert len(set(found.generations)) == before + 1


def test_what_changes_between_start_and_first_scan_is_seen(repository: Path) -> None:
    """The watch is set up before the first scan, so a file that changes in between is in the scan or in an event."""
    stop = threading.Event()
    looks = changes(repository, repository / ".coderag", stop)
    next(looks)
    with Index.build(repository) as index:
        (repository / "pkg" / "late.py").write_text("def late(): pass\n")
        next(looks)
        index.update()
        assert index.definitions("late")
    stop.set()
    assert list(looks) == []


def test_a_question_notices_a_branch_switch_that_nobody_watched(repository: Path) -> None:
    with Index.build(repository) as index:
        git_in(repository)("checkout", "-q", "other")
        assert not index.search("extra").fresh
        assert index.catch_up().is_fresh
        assert index.search("extra").hits[0].chunk.symbol == "extra"
        assert index.search("extra").fresh
        assert not index.definitions("work_3")
