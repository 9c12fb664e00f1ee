"""Small trees for the tests of the walker."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from coderag.config import Settings
from coderag.types import Reason, Skipped
from coderag.walk import walk

IDENTITY = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org", "-c", "protocol.file.allow=always")


def make(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Writes the files; a name that ends in "/" is an empty directory."""
    for name, content in files.items():
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def git(root: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", *IDENTITY, *arguments], cwd=root, check=True, capture_output=True).stdout


def repository(root: Path, files: Mapping[str, str | bytes], *, tracked: tuple[str, ...] = ()) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q")
    make(root, files)
    if tracked:
        git(root, "add", "-f", "--", *tracked)
    return root


def committed(root: Path, files: Mapping[str, str | bytes]) -> Path:
    repository(root, files, tracked=(".",))
    git(root, "commit", "-q", "-m", "all")
    return root


def kept(root: Path, settings: Settings | None = None) -> list[str]:
    return [file.path for file in walk(root, settings or Settings()).files]


def left_out(root: Path, settings: Settings | None = None) -> dict[str, tuple[Reason, str]]:
    return {entry.path: (entry.reason, entry.detail) for entry in walk(root, settings or Settings()).skipped}


def reasons(entries: tuple[Skipped, ...]) -> dict[str, Reason]:
    return {entry.path: entry.reason for entry in entries}


def listed_by_git(root: Path) -> set[str]:
    output = git(root, "ls-files", "-z", "-co", "--exclude-standard")
    return {path for path in os.fsdecode(output).split("\0") if path and os.path.lexists(root / path)}
