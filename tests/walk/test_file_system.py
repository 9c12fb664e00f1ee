"""What file systems can hold and do: odd names, great depth, many entries, permissions, changes during the walk."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from trees import git, kept, left_out, make, repository

from coderag.config import Settings
from coderag.types import Reason, Skipped
from coderag.walk import read, walk

NOBODY = 65534
REMOVE = shutil.which("rm") or "rm"


def read_all(root: Path) -> dict[str, bytes | Reason]:
    """Every walked file, read: its text, or why it could not be."""
    settings = Settings()
    found = {file.path: read(root, file, settings, "text") for file in walk(root, settings).files}
    return {path: one.reason if isinstance(one, Skipped) else one.text for path, one in found.items()}


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without the rights of root, who may read everything."""
    if os.geteuid() != 0:
        yield
        return
    group = os.getegid()
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)


@pytest.fixture
def open_directory(tmp_path: Path) -> Path:
    """A directory that anyone can reach, so that permissions inside of it are what counts."""
    for above in (tmp_path, *tmp_path.parents):
        if above.stat().st_uid == os.geteuid() and above != Path("/tmp"):
            above.chmod(above.stat().st_mode | 0o055)
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        *(b"caf\xe9.py", b"new\nline.py", b"tab\t.py", b'quote".py', b"back\\slash.py", b"x" * 252 + b".py", b" .py"),
        *(b"-rf", b"*.py", b"[a].py", b"$HOME.py", "\u202etxt.py".encode(), "🚀.py".encode(), b"\xff\xfe", b"\x01.py"),
    ],
)
def test_odd_names_are_walked_and_read(tmp_path: Path, hide_git: Callable[[], None], name: bytes) -> None:
    repository(tmp_path, {os.fsdecode(name): "text", os.fsdecode(b"d-" + name[:200] + b"/" + name): "more"})
    hide_git()
    path = os.fsdecode(name)
    below = os.fsdecode(b"d-" + name[:200] + b"/" + name)
    assert read_all(tmp_path) == {path: b"text", below: b"more"}


def test_names_that_differ_in_case_or_composition_alone_are_two_files(
    tmp_path: Path, hide_git: Callable[[], None]
) -> None:
    names = ("A.py", "a.py", "caf\u00e9.py", "cafe\u0301.py")
    repository(tmp_path, dict.fromkeys(names, ""))
    hide_git()
    assert kept(tmp_path) == sorted(names)


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """1,200 directories in each other, made one by one: the standard library makes and removes them by recursion."""
    levels = ["/".join(["d"] * depth) for depth in range(1, 1201)]
    for level in levels:
        os.mkdir(tmp_path / level)
    yield tmp_path / levels[-1]
    subprocess.run([REMOVE, "-rf", str(tmp_path / "d")], check=True)


def test_1200_directories_deep(tmp_path: Path, deep: Path, hide_git: Callable[[], None]) -> None:
    repository(tmp_path, {".gitignore": "*.log\n"})
    (deep / "a.py").write_text("text")
    (deep / "b.log").write_text("")
    hide_git()
    assert len(deep.parts) > sys.getrecursionlimit()
    assert kept(tmp_path) == [".gitignore", "d/" * 1200 + "a.py"]
    assert read_all(tmp_path)["d/" * 1200 + "a.py"] == b"text"
    assert left_out(tmp_path) == {"d/" * 1200 + "b.log": (Reason.IGNORED, ".gitignore:1: *.log")}


def test_path_longer_than_the_system_takes_costs_its_directory(tmp_path: Path) -> None:
    make(tmp_path, {"a.py": ""})
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("n" * 200, dir_fd=here)
        below = os.open("n" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    assert kept(tmp_path) == ["a.py"]
    assert [reason for reason, _ in left_out(tmp_path).values()] == [Reason.UNREADABLE]


@pytest.mark.slow
def test_50000_files_in_one_directory(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "many").mkdir()
    for number in range(50_000):
        os.close(os.open(tmp_path / f"many/{number}.py", os.O_CREAT | os.O_WRONLY))
    hide_git()
    assert len(kept(tmp_path)) == 50_000


def test_unreadable_directory_costs_itself(open_directory: Path, hide_git: Callable[[], None]) -> None:
    root = repository(open_directory / "root", {"a.py": "", "closed/b.py": "", "z.py": ""})
    os.chmod(root / "closed", 0o000)
    if os.geteuid() == 0:
        git(root, "config", "--global", "safe.directory", "*")
    hide_git()
    with as_nobody():
        result = walk(root, Settings())
    os.chmod(root / "closed", 0o755)
    assert [file.path for file in result.files] == ["a.py", "z.py"]
    assert result.skipped == (Skipped("closed/", Reason.UNREADABLE, "Permission denied"),)


def test_unreadable_file_is_walked_and_refused_when_read(open_directory: Path) -> None:
    make(open_directory / "root", {"a.py": "text", "closed.py": "private"})
    (open_directory / "root/closed.py").chmod(0o000)
    with as_nobody():
        assert read_all(open_directory / "root") == {"a.py": b"text", "closed.py": Reason.UNREADABLE}


def test_unreadable_rule_file_is_noted(open_directory: Path) -> None:
    root = make(open_directory / "root", {"a.py": "", ".gitignore": "*.py", "b/.coderagignore": "*.py", "b/c.py": ""})
    (root / ".gitignore").chmod(0o000)
    (root / "b/.coderagignore").chmod(0o000)
    with as_nobody():
        result = walk(root, Settings())
    assert [file.path for file in result.files] == [".gitignore", "a.py", "b/.coderagignore", "b/c.py"]
    assert len(result.notes) == 2


def test_rule_file_that_is_a_directory_link_or_fifo_holds_no_rules(tmp_path: Path) -> None:
    root = make(tmp_path / "root", {"a/.gitignore/x": "", "a/x.py": "", "b/x.py": "", "c/x.py": ""})
    (root / "b/.gitignore").symlink_to(make(tmp_path, {"rules": "*.py"}) / "rules")
    os.mkfifo(root / "c/.gitignore")
    assert kept(root) == ["a/.gitignore/x", "a/x.py", "b/x.py", "c/x.py"]
    assert len(walk(root, Settings()).notes) == 3


def test_rule_file_of_one_megabyte(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    rules = "".join(f"generated-file-number-{number}.txt\n" for number in range(30_000)) + "*.log\n"
    repository(tmp_path, {".gitignore": rules, "generated-file-number-29999.txt": "", "a.log": "", "a.py": ""})
    hide_git()
    assert kept(tmp_path) == [".gitignore", "a.py"]


def test_rule_made_to_backtrack_is_decided_at_once(tmp_path: Path) -> None:
    """Without care this takes longer than the age of the universe; there is no clock here, only an end."""
    rules = "*a" * 40 + "b\n" + "**/a/" * 20 + "b\n" + "[a]*" * 30 + "x\n"
    make(tmp_path, {".gitignore": rules, "a" * 200 + ".py": "", "a/" * 60 + "c.py": ""})
    assert kept(tmp_path) == [".gitignore", "a/" * 60 + "c.py", "a" * 200 + ".py"]


def test_directory_removed_during_the_walk_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, {"a/x.py": "", "b/x.py": ""})
    scandir = os.scandir

    def removing(path: str) -> object:
        if path.endswith("/a") and os.path.isdir(path):
            os.unlink(f"{path}/x.py")
            os.rmdir(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", removing)
    assert kept(tmp_path) == ["b/x.py"]


def test_file_deleted_after_it_was_found_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, {"a.py": "", "b.py": ""})
    lstat = os.lstat

    def deleting(path: str) -> os.stat_result:
        if path.endswith("/a.py") and os.path.exists(path):
            os.unlink(path)
        return lstat(path)

    monkeypatch.setattr(os, "lstat", deleting)
    assert kept(tmp_path) == ["b.py"]


def test_walk_order_never_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, {f"{first}/{second}.py": "" for first in "cab" for second in "zxy"} | {".gitignore": "a/\n*/y.py"})
    usual = walk(tmp_path, Settings())
    scandir = os.scandir

    class Reversed:
        def __init__(self, path: str) -> None:
            with scandir(path) as entries:
                self._entries = sorted(entries, key=lambda entry: entry.name, reverse=True)

        def __enter__(self) -> list[os.DirEntry[str]]:
            return self._entries

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(os, "scandir", Reversed)
    assert walk(tmp_path, Settings()) == usual
