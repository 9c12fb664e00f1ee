"""Which files are not as the commit has them: judged by contents alone, whatever git's index, filters and times say."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from coderag.walk import find_uncommitted, git_ids, head_commit
from tests.walk.test_history import git

TEXT = b"def total():\n    return 1\n"


def written(root: Path, path: str, data: bytes) -> Path:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return place


def committed(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-qm", "all")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    for path in ("a.py", "b.py", "sub/c.py", "sub/\udcff ü\n.py"):
        written(root, path, TEXT)
    git(root, "init", "-q")
    committed(root)
    return root


def uncommitted(root: Path) -> list[str]:
    places = [each for each in sorted(root.rglob("*")) if each.is_file() and ".git" not in each.parts]
    files = [(each.relative_to(root).as_posix(), git_ids(each.read_bytes())) for each in places]
    return find_uncommitted(root, head_commit(root), files)


@pytest.mark.parametrize("data", [b"", TEXT, b"\0\xff\r", TEXT.replace(b"\n", b"\r\n")])
def test_ids_are_those_of_git(tmp_path: Path, data: bytes) -> None:
    ids = git_ids(data)
    for content, found in ((data, ids[:20]), (data.replace(b"\r\n", b"\n"), ids[20:])):
        command = ["git", "hash-object", "--stdin"]
        asked = subprocess.run(command, cwd=tmp_path, input=content, capture_output=True, check=True)
        assert found.hex() == asked.stdout.decode().strip()


def test_nothing_is_uncommitted_in_a_clean_tree(repository: Path) -> None:
    assert uncommitted(repository) == []


def test_changed_staged_and_new_files_are_until_they_are_committed(repository: Path) -> None:
    written(repository, "a.py", TEXT + b"# changed\n")
    written(repository, "sub/c.py", TEXT + b"# staged\n")
    git(repository, "add", "sub/c.py")
    written(repository, "sub/deep/new.py", TEXT)
    assert uncommitted(repository) == ["a.py", "sub/c.py", "sub/deep/new.py"]
    committed(repository)
    assert uncommitted(repository) == []


def test_a_change_that_is_taken_back_is_none(repository: Path) -> None:
    written(repository, "a.py", b"other\n")
    git(repository, "add", "-A")
    written(repository, "a.py", TEXT)
    assert uncommitted(repository) == []


def test_times_and_the_index_of_git_say_nothing(repository: Path) -> None:
    os.utime(repository / "a.py", ns=(1, 1))
    git(repository, "update-index", "--assume-unchanged", "b.py")
    written(repository, "b.py", TEXT.replace(b"1", b"2"))
    assert uncommitted(repository) == ["b.py"]


def test_a_file_in_place_of_a_folder_or_a_link_is_changed(repository: Path) -> None:
    (repository / "link.py").symlink_to("a.py")
    committed(repository)
    (repository / "link.py").unlink()
    written(repository, "link.py", TEXT)
    assert uncommitted(repository) == ["link.py"]


def test_paths_are_relative_to_the_root_that_is_asked_about(repository: Path) -> None:
    written(repository, "sub/c.py", b"changed\n")
    assert uncommitted(repository / "sub") == ["c.py"]


@pytest.mark.parametrize("in_tree", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_lines_may_end_as_the_work_tree_wants_them(repository: Path, in_tree: bytes) -> None:
    written(repository, "windows.py", TEXT.replace(b"\n", in_tree))
    committed(repository)
    written(repository, "windows.py", TEXT.replace(b"\n", b"\r\n"))
    assert uncommitted(repository) == []
    written(repository, "windows.py", TEXT.replace(b"1", b"2").replace(b"\n", b"\r\n"))
    assert uncommitted(repository) == ["windows.py"]


def test_other_repositories_inside_are_left_out(repository: Path) -> None:
    for name in ("library", "clone"):
        git(written(repository, f"{name}/deep/x.py", TEXT).parent.parent, "init", "-q")
        committed(repository / name)
    git(repository, "-c", "advice.addEmbeddedRepo=false", "add", "library")
    git(repository, "commit", "-qm", "a submodule")
    written(repository, "library/deep/x.py", b"changed\n")
    written(repository, "libraryx.py", TEXT)
    assert uncommitted(repository) == ["libraryx.py"]
    (repository / "library/.git").rename(repository.parent / "lost")
    assert uncommitted(repository) == ["libraryx.py"], "the commit still says what the folder is"
    assert uncommitted(repository / "clone") == []


@pytest.mark.parametrize("options", [None, (), ("--object-format=sha256",)], ids=["no git", "no commit", "sha256"])
def test_where_nothing_is_known_no_file_is(tmp_path: Path, options: tuple[str, ...] | None) -> None:
    written(tmp_path, "a.py", TEXT)
    if options is not None:
        git(tmp_path, "init", "-q", *options)
    if options:
        committed(tmp_path)
        written(tmp_path, "a.py", b"changed\n")
    assert uncommitted(tmp_path) == []


def test_without_the_tree_of_the_commit_no_file_is(repository: Path) -> None:
    written(repository, "a.py", b"changed\n")
    assert find_uncommitted(repository, "0" * 40, [("a.py", git_ids(b""))]) == []
