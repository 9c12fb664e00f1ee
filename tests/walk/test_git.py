"""Where a work tree begins, what is checked out, and how git is asked."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from trees import committed, git, make, repository

from coderag.walk import GitUnavailable, find_work_tree, head_commit, run_git


def commit_by_git(root: Path) -> str:
    return git(root, "rev-parse", "HEAD").decode().strip()


def test_output_is_returned_as_bytes(tmp_path: Path) -> None:
    committed(tmp_path, {os.fsdecode(b"caf\xe9.py"): ""})
    assert run_git(tmp_path, "ls-files", "-z") == b"caf\xe9.py\0"


def test_input_is_passed_on(tmp_path: Path) -> None:
    repository(tmp_path, {".gitignore": "*.log"})
    assert run_git(tmp_path, "check-ignore", "-z", "--stdin", input=b"a.log\0b.py\0") == b"a.log\0"


@pytest.mark.parametrize(
    "arguments", [("ls-files", "--no-such-option"), ("no-such-command",), ("rev-parse", "nothing")]
)
def test_failure_is_one_line(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    repository(tmp_path, {})
    with pytest.raises(GitUnavailable, match=r"^[^\n]+$"):
        run_git(tmp_path, *arguments)


def test_no_work_tree_no_directory_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GitUnavailable, match="not a git repository"):
        run_git(tmp_path, "ls-files")
    with pytest.raises(GitUnavailable, match="could not be started"):
        run_git(tmp_path / "missing", "ls-files")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitUnavailable, match="not on PATH"):
        run_git(tmp_path, "ls-files")


def test_optional_locks_are_not_taken(tmp_path: Path) -> None:
    committed(tmp_path, {"a.py": ""})
    os.utime(tmp_path / "a.py", (1, 1))
    before = (tmp_path / ".git/index").read_bytes()
    run_git(tmp_path, "status", "--porcelain")
    assert (tmp_path / ".git/index").read_bytes() == before


def test_work_tree_is_found_from_any_depth(tmp_path: Path) -> None:
    root = committed(tmp_path / "root", {"a/b/c.py": ""})
    assert find_work_tree(root) == find_work_tree(root / "a/b") == root
    assert find_work_tree(tmp_path) is None
    make(root, {"a/.git/": "", "a/b/.git": "no pointer"})
    assert find_work_tree(root / "a/b") == root


def test_head_of_a_branch_a_tag_and_a_commit(tmp_path: Path) -> None:
    root = committed(tmp_path, {"a/b.py": ""})
    commit = commit_by_git(root)
    assert head_commit(root) == head_commit(root / "a") == commit
    git(root, "checkout", "-q", "-b", "feature/deep/er")
    git(root, "commit", "-q", "--allow-empty", "-m", "two")
    assert head_commit(root) == commit_by_git(root) != commit
    git(root, "checkout", "-q", "--detach", commit)
    assert head_commit(root) == commit


def test_head_in_packed_references(tmp_path: Path) -> None:
    root = committed(tmp_path, {"a.py": ""})
    git(root, "branch", "other-branch")
    git(root, "pack-refs", "--all")
    assert not list((root / ".git/refs/heads").iterdir())
    assert head_commit(root) == commit_by_git(root)
    git(root, "commit", "-q", "--allow-empty", "-m", "two")
    assert head_commit(root) == commit_by_git(root)


def test_head_of_a_linked_worktree_and_of_a_submodule(tmp_path: Path) -> None:
    library = committed(tmp_path / "library", {"lib.py": ""})
    root = committed(tmp_path / "root", {"a.py": ""})
    git(root, "worktree", "add", "-q", "wt")
    git(root / "wt", "commit", "-q", "--allow-empty", "-m", "two")
    git(root, "submodule", "--quiet", "add", str(library), "deps")
    assert head_commit(root / "wt") == commit_by_git(root / "wt") != commit_by_git(root)
    assert head_commit(root / "deps") == commit_by_git(library)


def test_head_needs_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = commit_by_git(committed(tmp_path, {"a.py": ""}))
    monkeypatch.setenv("PATH", "")
    assert head_commit(tmp_path) == commit


def test_no_head_is_the_empty_string(tmp_path: Path) -> None:
    assert head_commit(tmp_path) == ""
    assert head_commit(tmp_path / "missing") == ""
    assert head_commit(repository(tmp_path / "unborn", {})) == ""
    broken = repository(tmp_path / "broken", {})
    (broken / ".git/HEAD").unlink()
    os.mkfifo(broken / ".git/HEAD")
    assert head_commit(broken) == ""


def test_head_where_references_are_kept_in_a_table(tmp_path: Path) -> None:
    """As that format writes HEAD; git itself is asked, and here says that there is no such reference."""
    root = committed(tmp_path, {"a.py": ""})
    (root / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    assert head_commit(root) == ""


def test_head_that_points_out_of_the_repository_reads_nothing_there(tmp_path: Path) -> None:
    root = committed(tmp_path / "root", {"a.py": ""})
    make(tmp_path, {"private": "secret\n"})
    (root / ".git/HEAD").write_text("ref: refs/../../../private\n")
    assert head_commit(root) == ""
    shutil.rmtree(root / ".git/refs")
    assert head_commit(root) == ""
