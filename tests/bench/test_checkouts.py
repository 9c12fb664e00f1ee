"""Trees at commits."""

from __future__ import annotations

from pathlib import Path

import pytest

from coderag.bench.checkouts import Repositories, check_out
from coderag.errors import BenchError
from coderag.walk.git import head_commit
from tests.bench.repositories import commit, git


def files(place: Path) -> dict[str, str]:
    found = (path for path in place.rglob("*") if path.is_file() and ".git" not in path.relative_to(place).parts)
    return {path.relative_to(place).as_posix(): path.read_text("utf-8") for path in found}


def test_a_tree_follows_from_commit_to_commit(tmp_path: Path) -> None:
    source, place = tmp_path / "source", tmp_path / "place"
    first = commit(source, "one", {"a.py": "1\n", "b/c.py": "2\n", "d": "3\n"})
    git(source, "rm", "-q", "a.py", "d")
    second = commit(source, "two", {"b/c.py": "4\n", "d/e.py": "5\n"})
    check_out(source / ".git", first, place)
    assert files(place) == {"a.py": "1\n", "b/c.py": "2\n", "d": "3\n"}
    check_out(source / ".git", second, place)
    assert files(place) == {"b/c.py": "4\n", "d/e.py": "5\n"}
    check_out(source / ".git", first, place)
    assert files(place) == {"a.py": "1\n", "b/c.py": "2\n", "d": "3\n"}


def test_what_did_not_change_is_not_written(tmp_path: Path) -> None:
    source, place = tmp_path / "source", tmp_path / "place"
    first = commit(source, "one", {"a.py": "1\n", "b.py": "2\n"})
    second = commit(source, "two", {"b.py": "3\n"})
    check_out(source / ".git", first, place)
    before = (place / "a.py").stat()
    check_out(source / ".git", second, place)
    assert (place / "a.py").stat() == before


def test_the_history_of_a_tree_ends_at_its_commit(tmp_path: Path) -> None:
    source, place = tmp_path / "source", tmp_path / "place"
    first = commit(source, "one", {"a.py": "1\n"})
    second = commit(source, "two", {"a.py": "2\n"})
    commit(source, "three", {"a.py": "3\n"})
    check_out(source / ".git", second, place)
    assert head_commit(place) == second
    assert git(place, "log", "--format=%H").split() == [second, first]
    assert git(place, "status", "--porcelain") == ""


def test_links_are_not_written(tmp_path: Path) -> None:
    source, place = tmp_path / "source", tmp_path / "place"
    source.mkdir()
    (source / "out").symlink_to("/etc/passwd")
    check_out(source / ".git", commit(source, "one", {"a.py": "1\n"}), place)
    assert files(place) == {"a.py": "1\n"}


def test_a_large_file_that_the_copy_lacks_is_left_out(tmp_path: Path) -> None:
    source, place = tmp_path / "source", tmp_path / "place"
    first = commit(source, "one", {"a.py": "1\n", "film.mp4": "long\n"})
    name = git(source, "rev-parse", "HEAD:film.mp4")
    (source / ".git" / "objects" / name[:2] / name[2:]).unlink()
    check_out(source / ".git", first, place)
    assert files(place) == {"a.py": "1\n"}


def test_a_commit_that_is_not_there_is_named(tmp_path: Path) -> None:
    commit(tmp_path / "source", "one", {"a.py": "1\n"})
    with pytest.raises(BenchError, match="not a tree object"):
        check_out(tmp_path / "source" / ".git", "0" * 40, tmp_path / "place")


def test_repositories_are_found_in_several_forms(tmp_path: Path) -> None:
    commit(tmp_path / "one", "x", {"a": "1"})
    git(tmp_path, "clone", "-q", "--bare", str(tmp_path / "one"), str(tmp_path / "me+two" / "repo"))
    git(tmp_path, "clone", "-q", "--bare", str(tmp_path / "one"), str(tmp_path / "me" / "three"))
    known = Repositories((tmp_path,))
    assert known.repository("me/one") == tmp_path / "one" / ".git"
    assert known.repository("me/two") == tmp_path / "me+two" / "repo"
    assert known.repository("me/three") == tmp_path / "me" / "three"
    assert known.repository("me/four") is None
    with pytest.raises(BenchError, match="me/four"):
        known.required("me/four")
