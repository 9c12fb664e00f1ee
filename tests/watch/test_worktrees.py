"""A second work tree begins with the index of the first; the result is that of a fresh build."""

from __future__ import annotations

from pathlib import Path

import pytest

from coderag import Index, IndexLockedError, load_settings
from coderag.store.lock import writer_lock
from coderag.walk import sibling_roots
from tests.watch.conftest import git_in


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
