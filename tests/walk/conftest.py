"""Every test here sees a home without any git configuration, and can take git away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(directory))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return directory


@pytest.fixture(params=["git", "no git"])
def hide_git(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], None]:
    """Called after the tree is built: in every second run there is no git from then on."""
    empty = str(tmp_path_factory.mktemp("empty"))
    return lambda: monkeypatch.setenv("PATH", empty) if request.param == "no git" else None
