"""ripgrep: files by how many of the question's words they have, then by how often."""

from __future__ import annotations

import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.bm25 import words
from benchmarks.peers.session import PeerSession
from coderag.bench.values import Case, Place

SHORTEST = 3
MOST_WORDS = 24
COMMON = frozenset(
    words("the and for are how what where which when does with from that this not into has have can was its")
)


@dataclass(frozen=True, slots=True)
class Files:
    """One tree, read anew for each word."""

    program: str
    root: Path

    def find(self, text: str, most: int) -> list[Place]:
        """Whole files, ties by path."""
        asked = [word for word in dict.fromkeys(words(text)) if len(word) >= SHORTEST and word not in COMMON]
        matched: Counter[str] = Counter()
        often: Counter[str] = Counter()
        for word in asked[:MOST_WORDS]:
            for path, count in self._counts(word):
                matched[path] += 1
                often[path] += count
        ranked = sorted(matched, key=lambda path: (-matched[path], -often[path], path))[:most]
        return [Place(path, tokens=(self.root / path).stat().st_size // 4) for path in ranked]

    def _counts(self, word: str) -> list[tuple[str, int]]:
        command = (
            self.program,
            "--count-matches",
            "--ignore-case",
            "--fixed-strings",
            "--null",
            "--no-messages",
            "--",
            word,
            ".",
        )
        told = subprocess.run(command, cwd=self.root, capture_output=True, check=False).stdout.decode(
            "utf-8", "replace"
        )
        pairs = (line.split("\0") for line in told.splitlines() if "\0" in line)
        return [(path.removeprefix("./"), int(count)) for path, count in pairs]

    def close(self) -> None:
        """Nothing is held."""


@dataclass(frozen=True, slots=True)
class Ripgrep:
    """A subject of `coderag.bench.run`."""

    program: str
    name: str = "ripgrep, files by words"

    def open(self, root: Path, case: Case, work: Path) -> tuple[PeerSession, int]:
        """There is nothing to index."""
        return PeerSession(self.name, Files(self.program, root), case.below), 0
