"""A repository made of a few files, indexed by one worker, without the settings of the person who runs the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from repository import Files, Repository

from coderag import Settings


@pytest.fixture
def indexed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Repository]]:
    """`indexed(files, setting=value …)`: a repository with an index of it. Each call makes a new one."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    made: list[Repository] = []

    def make(files: Files, **settings: Any) -> Repository:
        root = tmp_path / f"root{len(made)}"
        root.mkdir()
        made.append(Repository(root, files, Settings(workers=1, **settings)))
        return made[-1]

    yield make
    for each in made:
        each.index.close()
