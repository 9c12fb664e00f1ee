"""Repositories with a history, made by git itself."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Git = Callable[..., str]

_WHO = {
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


def git_in(place: Path) -> Git:
    """Git, in a folder."""

    def git(*arguments: str) -> str:
        command = ["git", *arguments]
        done = subprocess.run(
            command, cwd=place, env={**os.environ, **_WHO}, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    return git


def module(number: int, version: int = 0) -> str:
    return f'"""Module {number}."""\n\n\ndef work_{number}(value):\n    """Work {version}."""\n    return work_{number + 1}(value)\n'


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Forty modules on `main`; on `other` half of them changed, some gone, some new."""
    root = tmp_path / "repository"
    (root / "pkg").mkdir(parents=True)
    git = git_in(root)
    git("init", "-q", "-b", "main")
    for number in range(40):
        (root / "pkg" / f"m{number}.py").write_text(module(number))
    git("add", "-A")
    git("commit", "-q", "-m", "one")
    git("checkout", "-q", "-b", "other")
    for number in range(0, 40, 2):
        (root / "pkg" / f"m{number}.py").write_text(module(number, 1))
    for number in (1, 3):
        git("rm", "-q", f"pkg/m{number}.py")
    git("mv", "pkg/m5.py", "pkg/moved.py")
    (root / "pkg" / "extra.py").write_text("def extra():\n    return work_0(1)\n")
    git("add", "-A")
    git("commit", "-q", "-m", "two")
    git("checkout", "-q", "main")
    return root
