"""The command line as a person meets it: a root, a command, its exit status and what it printed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from coderag.cli.main import main


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def hits(self) -> list[Any]:
        found: list[Any] = self.json["hits"]
        return found

    @property
    def symbols(self) -> list[str]:
        return [hit["symbol"] for hit in self.hits]


class Place:
    """A root with the commands run inside of it."""

    def __init__(self, root: Path, run: Callable[..., Outcome]) -> None:
        self.root = root
        self.run = run

    def write(self, files: Mapping[str, str | bytes]) -> None:
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def index(self, *options: str) -> Outcome:
        outcome = self.run("index", *options)
        assert outcome.status == 0, outcome.err
        return outcome

    def search(self, *arguments: str) -> Outcome:
        return self.run("search", "--json", *arguments)

    def git(self, *arguments: str) -> None:
        identity = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org")
        subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    def command(*argv: str) -> Outcome:
        capsys.readouterr()
        status = main(argv)
        written = capsys.readouterr()
        return Outcome(status, written.out, written.err)

    return command


@pytest.fixture
def place(tmp_path: Path, run: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch) -> Place:
    root, home = tmp_path / "root", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.setenv("CODERAG_WORKERS", "1")
    monkeypatch.chdir(root)
    return Place(root, run)
