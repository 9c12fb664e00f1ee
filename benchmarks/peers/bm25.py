"""BM25 (Robertson and Walker; k1 1.2, b 0.75) over stretches of 50 lines; words are the parts of identifiers, in lower case."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.session import PeerSession, stretches
from coderag.bench.values import Case, Place

K1 = 1.2
B = 0.75
_WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]+(?![a-z])|[a-z]+|\d+|[^\W\d_a-zA-Z]+")


def words(text: str) -> list[str]:
    """The words of a text, identifiers split at humps and underscores."""
    return [word.lower() for word in _WORD.findall(text)]


class Stretches:
    """Postings by word over the stretches of one tree."""

    def __init__(self, root: Path) -> None:
        self._places: list[Place] = []
        found: dict[str, list[tuple[int, int]]] = {}
        lengths = []
        for number, (place, text) in enumerate(stretches(root)):
            counts = Counter(words(f"{place.file}\n{text}"))
            self._places.append(place)
            lengths.append(sum(counts.values()))
            for word, count in counts.items():
                found.setdefault(word, []).append((number, count))
        self._postings: dict[str, NDArray[np.int64]] = {word: np.array(each) for word, each in found.items()}
        self._lengths = np.array(lengths, np.float64)

    def find(self, text: str, most: int) -> list[Place]:
        """The best stretches, ties by position."""
        scores = np.zeros(len(self._places))
        mean = self._lengths.mean() if len(self._lengths) else 1.0
        for word, asked in Counter(words(text)).items():
            if (postings := self._postings.get(word)) is not None:
                rows, counts = postings.T
                rarity = math.log(1 + (len(scores) - len(rows) + 0.5) / (len(rows) + 0.5))
                norm = K1 * (1 - B + B * self._lengths[rows] / mean)
                scores[rows] += asked * rarity * counts * (K1 + 1) / (counts + norm)
        order = np.argsort(-scores, kind="stable")[:most]
        return [self._places[row] for row in order.tolist() if scores[row] > 0]

    def close(self) -> None:
        """Nothing is held."""

    def __len__(self) -> int:
        return len(self._places)


@dataclass(frozen=True, slots=True)
class Bm25:
    """A subject of `coderag.bench.run`."""

    name: str = "BM25 over 50 lines"

    def open(self, root: Path, case: Case, work: Path) -> tuple[PeerSession, int]:
        """Index a tree in memory."""
        finder = Stretches(root)
        return PeerSession(self.name, finder, case.below), len(finder)
