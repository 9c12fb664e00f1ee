"""What the log says of files: recency, churn, and what changes together."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from coderag.types import History
from coderag.walk.history import MANY_FILES, PARTNERS, history_of, read_history

NAMES = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}


def git(root: Path, *arguments: str) -> None:
    environment = {**os.environ, **NAMES, "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["git", *arguments], cwd=root, env=environment, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    for number, names in enumerate((["a.py", "sub/b.py"], ["a.py"], ["a.py", "sub/ä ü.py"])):
        for name in names:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(f"x = {number}\n", encoding="utf-8")
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-qm", f"change {number}")
    return tmp_path


def test_the_newest_commit_is_the_most_recent_and_the_most_changed_file_churns_most(repository: Path) -> None:
    history = read_history(repository)
    assert history.recency["a.py"] == history.recency["sub/ä ü.py"] == 1.0 > history.recency["sub/b.py"]
    assert max(history.churn, key=history.churn.__getitem__) == "a.py"
    assert history.together["sub/b.py"] == {"a.py": pytest.approx(1.0)}
    assert set(history.together["a.py"]) == {"sub/b.py", "sub/ä ü.py"}


def test_paths_are_relative_to_the_root_that_is_asked_about(repository: Path) -> None:
    assert set(read_history(repository / "sub").recency) == {"b.py", "ä ü.py"}


def test_what_is_not_committed_has_no_history(repository: Path) -> None:
    (repository / "new.py").write_text("x = 1\n")
    assert "new.py" not in read_history(repository).churn


@pytest.mark.parametrize(
    "prepare", [lambda root: None, lambda root: git(root, "init", "-q")], ids=["no git", "no commit"]
)
def test_without_commits_there_is_no_history(tmp_path: Path, prepare: object) -> None:
    assert callable(prepare)
    prepare(tmp_path)
    assert read_history(tmp_path) == History()


def test_a_log_runs_no_program_of_the_repository(repository: Path) -> None:
    witness = repository / "witness"
    script = repository / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {witness}\n")
    script.chmod(0o755)
    for key in ("diff.external", "core.pager", "diff.x.textconv", "diff.x.command", "gpg.program"):
        git(repository, "config", key, str(script))
    git(repository, "config", "log.showSignature", "true")
    (repository / ".gitattributes").write_text("*.py diff=x\n")
    assert read_history(repository).churn
    assert not witness.exists()


def test_a_commit_of_everything_says_nothing_of_anything() -> None:
    everything = [f"{number}.py" for number in range(MANY_FILES + 1)]
    assert history_of(iter([everything])) == History()


def test_only_the_nearest_partners_are_kept() -> None:
    commits = [["a.py", f"{number:03}.py"] for number in range(3 * PARTNERS)]
    assert list(history_of(iter(commits)).together["a.py"]) == [f"{number:03}.py" for number in range(PARTNERS)]
