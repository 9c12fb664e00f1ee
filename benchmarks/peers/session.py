"""What all peers share: the files of a tree as coderag walks it, stretches of lines, and one answer a question."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from coderag.assemble.tokens import estimate_tokens
from coderag.bench.scoring import grade
from coderag.bench.values import Asked, Case, Outcome, Place
from coderag.config import Settings
from coderag.walk import walk

STRETCH = 50
"""Lines of a stretch."""


class Finder(Protocol):
    """A tree that a peer has indexed."""

    def find(self, text: str, most: int) -> Sequence[Place]:
        """The places for a text, best first, paths relative to the tree."""

    def close(self) -> None:
        """Let the tree go."""


@dataclass(frozen=True, slots=True)
class PeerSession:
    """A finder as `coderag.bench.run` wants it."""

    name: str
    finder: Finder
    below: str

    def questions(self, case: Case) -> Sequence[Asked]:
        """Those that are given and have a text."""
        return [asked for asked in case.given if asked.query.text]

    def outcomes(self, asked: Asked) -> Iterator[Outcome]:
        """The one answer."""
        start = time.perf_counter()
        found = self.finder.find(asked.query.text, asked.query.k)
        milliseconds = 1_000 * (time.perf_counter() - start)
        places = [replace(place, file=f"{self.below}/{place.file}") if self.below else place for place in found]
        yield Outcome(asked, self.name, grade(asked, places), tuple(places), milliseconds=milliseconds)

    def close(self) -> None:
        """Let the tree go."""
        self.finder.close()


def texts(root: Path) -> Iterator[tuple[str, str]]:
    """The files of a tree that coderag would index, by path, with their text."""
    for file in walk(root, Settings()).files:
        data = (root / file.path).read_bytes()
        if b"\0" not in data[:8_000]:
            yield file.path, data.decode("utf-8", "replace")


def stretches(root: Path) -> Iterator[tuple[Place, str]]:
    """Every file in stretches of `STRETCH` lines."""
    for path, text in texts(root):
        lines = text.split("\n")
        for first in range(0, len(lines), STRETCH):
            part = "\n".join(lines[first : first + STRETCH])
            if part.strip():
                yield Place(path, first + 1, min(first + STRETCH, len(lines)), estimate_tokens(part)), part
