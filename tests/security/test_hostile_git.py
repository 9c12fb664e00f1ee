"""A repository whose own configuration wants to run programs: walking, reading and asking it must run none of them.

Every trap creates the same marker file. The first test shows that the traps work on a git that is called plainly.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from coderag import Index
from coderag.config import Settings
from coderag.walk import GitUnavailable, find_uncommitted, find_work_tree, git_ids, head_commit, read, run_git, walk

IDENTITY = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org")
PLAIN_ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}

started: list[str] = []
_recording = False


def _record(event: str, arguments: tuple[object, ...]) -> None:
    if _recording and event in ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system"):
        started.append(str(arguments[0]))


sys.addaudithook(_record)


def git(root: Path, *arguments: str) -> bytes:
    command = ["git", *IDENTITY, *arguments]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, env=PLAIN_ENVIRONMENT).stdout


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setitem(PLAIN_ENVIRONMENT, "HOME", os.environ["HOME"])


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    root = tmp_path / "hostile"
    (root / "sub").mkdir(parents=True)
    (root / "a.py").write_text("text\n")
    (root / "sub/b.py").write_text("text\n")
    (root / ".gitignore").write_text("*.log\n")
    (root / "a.log").write_text("")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "all")
    (root / "new.py").write_text("text\n")
    (root / "a.py").write_text("changed\n")
    return root


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "marker"


@pytest.fixture
def trap(tmp_path: Path, marker: Path) -> Path:
    """A program that leaves the marker."""
    program = tmp_path / "trap"
    program.write_text(f"#!/bin/sh\ntouch '{marker}'\n")
    program.chmod(0o755)
    return program


def everything(root: Path) -> None:
    """All that is ever asked of a repository before its files are parsed, and what the ranking asks of it."""
    global _recording
    _recording = True
    try:
        settings = Settings()
        for file in walk(root, settings).files:
            read(root, file, settings, "text")
        find_uncommitted(root, head_commit(root), [("a.py", git_ids(b"other\n"))])
        find_work_tree(root)
        for question in (
            ("log", "-1", "--format=%H %ct", "--name-only", "--no-ext-diff", "--no-textconv"),
            ("status", "-z"),
        ):
            try:
                run_git(root, *question)
            except GitUnavailable:
                continue
    finally:
        _recording = False


def set_fsmonitor(root: Path, trap: Path) -> None:
    git(root, "config", "core.fsmonitor", str(trap))


def set_hooks(root: Path, trap: Path) -> None:
    hooks = root / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "pre-commit", "post-checkout", "fsmonitor-watchman", "reference-transaction"):
        shutil.copy(trap, hooks / name)
        shutil.copy(trap, root / ".git/hooks" / name)
    git(root, "config", "core.hooksPath", str(hooks))


def set_signature_program(root: Path, trap: Path) -> None:
    git(root, "config", "gpg.program", str(trap))
    git(root, "config", "log.showSignature", "true")


def set_external_diff(root: Path, trap: Path) -> None:
    (root / ".gitattributes").write_text("* diff=evil\n")
    git(root, "config", "diff.evil.textconv", str(trap))
    git(root, "config", "diff.evil.command", str(trap))
    git(root, "config", "diff.external", str(trap))


def set_pager_editor_and_transport(root: Path, trap: Path) -> None:
    for name in ("core.pager", "core.editor", "core.sshCommand", "core.gitProxy", "core.askPass", "credential.helper"):
        git(root, "config", name, str(trap))
    git(root, "config", "pager.log", str(trap))


def set_aliases(root: Path, trap: Path) -> None:
    for name in ("ls-files", "ls-tree", "check-ignore", "rev-parse", "log"):
        git(root, "config", f"alias.{name}", f"!{trap}")


def set_included_configuration(root: Path, trap: Path) -> None:
    (root / "evil.config").write_text(f"[core]\n\tfsmonitor = {trap}\n\thooksPath = {trap.parent}\n")
    git(root, "config", "include.path", "../evil.config")
    git(root, "config", "extensions.worktreeConfig", "true")
    (root / ".git/config.worktree").write_text(f"[core]\n\tfsmonitor = {trap}\n")


def set_submodule_command(root: Path, trap: Path) -> None:
    nested = root / "library"
    nested.mkdir()
    git(nested, "init", "-q")
    (nested / "c.py").write_text("text\n")
    git(nested, "add", ".")
    git(nested, "commit", "-q", "-m", "all")
    git(root, "-c", "advice.addEmbeddedRepo=false", "add", "library")
    (root / ".gitmodules").write_text(f'[submodule "library"]\n\tpath = library\n\turl = .\n\tupdate = !{trap}\n')
    git(nested, "config", "core.fsmonitor", str(trap))
    git(root, "config", "submodule.library.update", f"!{trap}")
    git(root, "config", "submodule.recurse", "true")


def set_lazy_fetch(root: Path, trap: Path) -> None:
    """A sparse index whose directory is missing from the object store, to be fetched by a command."""
    git(root, "sparse-checkout", "set", "--cone", "--sparse-index", "nothing")
    tree = git(root, "rev-parse", "HEAD:sub").decode().strip()
    (root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    git(root, "config", "core.repositoryFormatVersion", "1")
    git(root, "config", "extensions.partialClone", "evil")
    git(root, "config", "remote.evil.promisor", "true")
    git(root, "config", "remote.evil.url", f"ext::{trap}")
    git(root, "config", "protocol.ext.allow", "always")
    git(root, "config", "protocol.allow", "always")


def set_filters(root: Path, trap: Path) -> None:
    """Any question that compares contents runs the filters; `ls-files`, `ls-tree` and `log` do not, and nothing else is asked."""
    (root / ".gitattributes").write_text("*.py filter=evil\n")
    for name in ("clean", "smudge", "process"):
        git(root, "config", f"filter.evil.{name}", str(trap))


TRAPS = [
    set_fsmonitor,
    set_hooks,
    set_signature_program,
    set_external_diff,
    set_pager_editor_and_transport,
    set_aliases,
    set_included_configuration,
    set_submodule_command,
    set_lazy_fetch,
]


@pytest.mark.parametrize("set_trap", [set_fsmonitor, set_included_configuration, set_lazy_fetch])
def test_the_trap_works_on_a_plain_git(
    hostile: Path, trap: Path, marker: Path, set_trap: Callable[[Path, Path], None]
) -> None:
    set_trap(hostile, trap)
    marker.unlink(missing_ok=True)
    command = ["git", "ls-files", "-z", "-co", "--exclude-standard"]
    subprocess.run(command, cwd=hostile, env=PLAIN_ENVIRONMENT, capture_output=True, check=False)
    assert marker.exists()


@pytest.mark.parametrize("set_trap", TRAPS)
def test_no_trap_is_sprung(hostile: Path, trap: Path, marker: Path, set_trap: Callable[[Path, Path], None]) -> None:
    set_trap(hostile, trap)
    marker.unlink(missing_ok=True)
    started.clear()
    everything(hostile)
    assert not marker.exists()
    assert {os.path.realpath(program) for program in started} == {os.path.realpath(str(shutil.which("git")))}
    assert "a.py" in [file.path for file in walk(hostile, Settings()).files]
    assert not marker.exists()


def test_filters_are_run_by_a_status_and_not_by_an_index(hostile: Path, trap: Path, marker: Path) -> None:
    set_filters(hostile, trap)
    marker.unlink(missing_ok=True)
    settings = Settings()
    found = walk(hostile, settings)
    assert found.notes == ()
    for file in found.files:
        read(hostile, file, settings, "text")
    with Index.build(hostile, settings=Settings(workers=1, embedding="none")) as index:
        assert index.snapshot().uncommitted == {".gitattributes", "a.py", "new.py"}
    assert not marker.exists()
    os.utime(hostile / "sub/b.py", ns=(1, 1))
    subprocess.run(["git", "status"], cwd=hostile, env=PLAIN_ENVIRONMENT, capture_output=True, check=False)
    assert marker.exists()


@pytest.mark.parametrize("path", ["", ".", "hostile", ":"])
def test_git_inside_of_the_repository_is_not_taken_for_git(
    hostile: Path, trap: Path, marker: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    for name in ("git", "git-ls-files"):
        shutil.copy(trap, hostile / name)
    monkeypatch.chdir(hostile if path != "hostile" else hostile.parent)
    monkeypatch.setenv("PATH", path)
    everything(hostile)
    assert not marker.exists()
    with pytest.raises(GitUnavailable):
        run_git(hostile, "version")


def test_variables_of_git_do_not_reach_it(
    hostile: Path, trap: Path, marker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(hostile.parent))
    monkeypatch.setenv("GIT_WORK_TREE", "/")
    monkeypatch.setenv("GIT_INDEX_FILE", "/dev/null")
    monkeypatch.setenv("GIT_EXEC_PATH", str(trap.parent))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(trap))
    monkeypatch.setenv("GIT_TRACE", str(marker))
    everything(hostile)
    assert not marker.exists()
    assert [file.path for file in walk(hostile, Settings()).files] == [".gitignore", "a.py", "new.py", "sub/b.py"]


@pytest.mark.parametrize("how", ["work tree", "git folder", "submodule"])
def test_configuration_that_points_out_of_the_root_leads_nowhere(hostile: Path, tmp_path: Path, how: str) -> None:
    private = tmp_path / "private"
    private.mkdir()
    (private / "secret.py").write_text("private")
    git(private, "init", "-q")
    git(private, "add", ".")
    if how == "work tree":
        git(hostile, "config", "core.worktree", str(private))
    elif how == "git folder":
        shutil.rmtree(hostile / ".git")
        (hostile / ".git").write_text(f"gitdir: {private}/.git\n")
    else:
        git(hostile, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},link")
        (hostile / "link").symlink_to(private)
    settings = Settings()
    found = walk(hostile, settings)
    assert "secret.py" not in " ".join(file.path for file in found.files)
    assert {"a.py", "new.py"} <= {file.path for file in found.files}


def test_index_with_paths_out_of_the_root_leads_nowhere(hostile: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("private")
    index = (hostile / ".git/index").read_bytes()
    assert b"sub/b.py" in index
    (hostile / ".git/index").write_bytes(index.replace(b"sub/b.py", b"../../b."))
    found = walk(hostile, Settings())
    assert not [file.path for file in found.files if ".." in file.path]
