"""A second work tree begins with the index of the first; the result is that of a fresh build."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from coderag import Index, IndexLockedError, load_settings
from coderag.store import open_store
from coderag.store.lock import writer_lock
from coderag.update import Report, lending
from coderag.walk import sibling_roots
from tests.watch.conftest import git_in, module


@pytest.fixture
def second(repository: Path) -> Path:
    """Another work tree, on `other`, beside the indexed first one."""
    Index.build(repository).close()
    place = repository.parent / "second"
    git_in(repository)("worktree", "add", "-q", str(place), "other")
    return place


def content(root: Path) -> list[str]:
    with Index.open(root) as index:
        return list(index.export())


def fresh_build(root: Path, directory: Path) -> list[str]:
    with Index.build(root, settings=load_settings(root, index_directory=str(directory))) as index:
        return list(index.export())


def test_only_what_differs_is_read_anew(repository: Path, second: Path) -> None:
    with Index.at(second) as index:
        report = index.update()
    assert report.notes[0] == f"begun with the index of {repository}"
    assert (report.changed, report.added, report.moved, report.removed) == (20, 1, 1, 2)
    assert content(second) == fresh_build(second, repository.parent / "fresh")


def test_the_first_index_is_as_it_was(repository: Path, second: Path) -> None:
    before = content(repository)
    Index.build(second).close()
    assert content(repository) == before


def test_vectors_are_shared(repository: Path, second: Path) -> None:
    git_in(second)("checkout", "-q", "--detach", "main")
    with Index.at(second) as index:
        assert index.update().embedded == 0


def test_the_first_can_begin_with_the_second(repository: Path, second: Path) -> None:
    Index.build(second).close()
    with Index.open(repository) as index:
        index.clean()
        assert index.update().notes == (f"begun with the index of {second}",)


def test_a_folder_begins_with_the_same_folder(repository: Path) -> None:
    Index.build(repository / "pkg").close()
    place = repository.parent / "second"
    git_in(repository)("worktree", "add", "-q", str(place), "other")
    with Index.at(place / "pkg") as index:
        assert index.update().notes == (f"begun with the index of {repository / 'pkg'}",)
    with Index.at(place) as index:
        assert index.update().notes == ()


def test_a_damaged_index_is_no_beginning(repository: Path, second: Path) -> None:
    database = repository / ".coderag" / "index.sqlite3"
    database.write_bytes(database.read_bytes()[: database.stat().st_size // 2])
    with Index.at(second) as index:
        index.update()
    assert content(second) == fresh_build(second, repository.parent / "fresh")


def test_a_rebuild_begins_with_nothing(second: Path) -> None:
    with Index.at(second) as index:
        assert index.update(rebuild=True).notes == ()


def test_a_writer_in_the_way_is_said(second: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (second / ".coderag").mkdir()
    monkeypatch.setenv("CODERAG_LOCK_SECONDS", "0")
    with writer_lock(second / ".coderag", 1.0), Index.at(second) as index, pytest.raises(IndexLockedError):
        index.update()
    with Index.at(second) as index:
        assert index.update().notes


def test_only_work_trees_that_belong_to_the_repository_count(repository: Path, second: Path) -> None:
    assert sibling_roots(repository) == [second]
    assert sibling_roots(second) == [repository]
    stranger = repository.parent / "stranger"
    (stranger / "pkg").mkdir(parents=True)
    git_in(stranger)("init", "-q")
    planted = repository / ".git" / "worktrees" / "planted"
    planted.mkdir()
    (planted / "gitdir").write_text(f"{stranger / '.git'}\n")
    assert sibling_roots(second) == [repository]
    assert sibling_roots(stranger) == [] == sibling_roots(repository.parent)


def test_a_bare_repository_with_work_trees(repository: Path) -> None:
    bare = repository.parent / "bare.git"
    git_in(repository)("clone", "-q", "--bare", str(repository), str(bare))
    one, two = repository.parent / "one", repository.parent / "two"
    for place, branch in ((one, "main"), (two, "other")):
        git_in(bare)("worktree", "add", "-q", str(place), branch)
    Index.build(one).close()
    with Index.at(two) as index:
        assert index.update().notes == (f"begun with the index of {one}",)


# A work tree that has an index already borrows from the others


@pytest.fixture
def both(repository: Path, second: Path) -> tuple[Path, Path]:
    """Two work trees on `main` and `other`, both indexed; the first has never seen `third`, which differs from both."""
    Index.build(second).close()
    git = git_in(second)
    git("checkout", "-q", "-b", "third")
    for number in range(12):
        (second / "pkg" / f"fresh{number}.py").write_text(module(number, 7))
    git("add", "-A")
    git("commit", "-q", "-m", "three")
    Index.build(second).close()
    return repository, second


def updated(root: Path) -> Report:
    with Index.at(root) as index:
        return index.update()


def test_what_a_sibling_has_parsed_is_not_parsed_again(both: tuple[Path, Path]) -> None:
    first, second = both
    git_in(first)("checkout", "-q", "--detach", "third")
    report = updated(first)
    assert report.reused == report.added + report.changed == 20 + 1 + 12
    assert report.embedded == 0
    assert content(first) == fresh_build(first, first.parent / "fresh")
    assert content(second) == fresh_build(second, first.parent / "fresh2")


def test_what_a_sibling_has_on_its_shelf_is_lent_too(both: tuple[Path, Path]) -> None:
    first, second = both
    git_in(second)("checkout", "-q", "--detach", "main~0")
    updated(second)
    git_in(first)("checkout", "-q", "third")
    assert updated(first).reused == 33
    assert content(first) == fresh_build(first, first.parent / "fresh")


def test_few_files_are_parsed_without_asking(both: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = both
    (first / "pkg" / "fresh1.py").write_bytes((second / "pkg" / "fresh1.py").read_bytes())
    monkeypatch.setattr(lending, "borrow", None)
    assert updated(first).reused == 0


def rebased(first: Path) -> None:
    git = git_in(first)
    git("checkout", "-q", "-b", "mine", "main")
    for number in range(6):
        (first / "pkg" / f"mine{number}.py").write_text(module(number, 3))
        git("add", "-A")
        git("commit", "-q", "-m", f"mine {number}")
    updated(first)
    git("rebase", "-q", "third")


def test_a_rebase_onto_what_a_sibling_has(both: tuple[Path, Path]) -> None:
    first, _ = both
    rebased(first)
    assert updated(first).reused == 33
    assert content(first) == fresh_build(first, first.parent / "fresh")


def damaged(second: Path) -> None:
    with closing(sqlite3.connect(second / ".coderag" / "index.sqlite3")) as database:
        for table in ("parsed", "chunks", "vectors", "terms", "files"):
            database.execute(f"UPDATE {table} SET data = data || 'x' WHERE key % 3 = 1")
        database.commit()


def cut(second: Path) -> None:
    database = second / ".coderag" / "index.sqlite3"
    database.write_bytes(database.read_bytes()[: database.stat().st_size // 2])


def of_another_version(second: Path) -> None:
    with closing(sqlite3.connect(second / ".coderag" / "index.sqlite3")) as database:
        database.execute("PRAGMA user_version = 999")


def open_to_everybody(second: Path) -> None:
    (second / ".coderag").chmod(0o777)


def a_database_open_to_everybody(second: Path) -> None:
    (second / ".coderag" / "index.sqlite3").chmod(0o666)


def a_link(second: Path) -> None:
    (second / ".coderag").rename(second.parent / "elsewhere")
    (second / ".coderag").symlink_to(second.parent / "elsewhere")


def a_linked_database(second: Path) -> None:
    database = second / ".coderag" / "index.sqlite3"
    database.rename(second.parent / "elsewhere.sqlite3")
    database.symlink_to(second.parent / "elsewhere.sqlite3")


def of_no_repository(second: Path) -> None:
    """The folder is there, and its repository is another one now."""
    (second / ".git").unlink()
    git_in(second)("init", "-q")


def with_other_settings(second: Path) -> None:
    settings = load_settings(second, max_chunk_lines=50)
    Index.build(second, settings=settings).close()


USELESS = (
    cut,
    of_another_version,
    open_to_everybody,
    a_database_open_to_everybody,
    a_link,
    a_linked_database,
    of_no_repository,
    with_other_settings,
)


@pytest.mark.parametrize("spoil", USELESS, ids=[each.__name__ for each in USELESS])
def test_what_lends_nothing(both: tuple[Path, Path], spoil: Callable[[Path], None]) -> None:
    first, second = both
    git_in(first)("checkout", "-q", "--detach", "third")
    spoil(second)
    assert updated(first).reused == 0
    assert content(first) == fresh_build(first, first.parent / "fresh")


@pytest.mark.parametrize("spoil", USELESS[2:6], ids=[each.__name__ for each in USELESS[2:6]])
def test_what_is_no_beginning_either(repository: Path, second: Path, spoil: Callable[[Path], None]) -> None:
    spoil(repository)
    assert updated(second).notes == ()


def test_damaged_records_of_a_sibling_are_not_believed(both: tuple[Path, Path]) -> None:
    first, second = both
    git_in(first)("checkout", "-q", "--detach", "third")
    damaged(second)
    assert updated(first).reused < 33
    assert content(first) == fresh_build(first, first.parent / "fresh")


def test_nobody_waits_for_a_sibling_that_writes(both: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = both
    monkeypatch.setenv("CODERAG_LOCK_SECONDS", "0")
    git_in(first)("checkout", "-q", "--detach", "third")
    with open_store(second / ".coderag", create=False, lock_seconds=0.0).write():
        assert updated(first).reused == 33


def test_random_switches_in_three_work_trees(both: tuple[Path, Path]) -> None:
    first, second = both
    third = first.parent / "third"
    git_in(first)("worktree", "add", "-q", "--detach", str(third), "other")
    chance, reused = random.Random(5), 0
    for _ in range(14):
        root = chance.choice((first, second, third))
        git_in(root)("checkout", "-q", "-f", "--detach", chance.choice(("main", "other", "third", "third~1", "main~0")))
        if chance.random() < 0.3:
            (root / "pkg" / "m8.py").write_text(module(8, chance.randrange(3)))
        reused += updated(root).reused
        assert content(root) == fresh_build(root, first.parent / "fresh")
        assert list(Index.at(root).check_integrity()) == []
    assert reused > 100
