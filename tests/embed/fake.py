"""An embedder that needs no model: every word has a vector of its own, drawn from its digest."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from coderag.embed.passage import SENTENCES
from coderag.embed.protocol import Identity, TextKind

WORD = re.compile(r"[^\W_]+")


class WordEmbedder:
    """Satisfies `Embedder`. Keeps every text that it was given."""

    def __init__(
        self, name: str = "words", revision: str = "1", dimension: int = 64, template: str = SENTENCES.name
    ) -> None:
        self.identity = Identity(name, revision, dimension, template)
        self.passages: list[str] = []
        self.questions: list[str] = []

    @property
    def dimension(self) -> int:
        return self.identity.dimension

    def encode(self, texts: Sequence[str], kind: TextKind = "passage") -> NDArray[np.float32]:
        (self.questions if kind == "query" else self.passages).extend(texts)
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            for word in sorted(set(WORD.findall(text.casefold()))):
                rows[row] += self._vector(word)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.divide(rows, lengths, out=rows, where=lengths > 0)

    def _vector(self, word: str) -> NDArray[np.float32]:
        seed = hashlib.sha256(f"{self.identity.name} {self.identity.revision} {word}".encode()).digest()
        return np.random.default_rng(list(seed)).standard_normal(self.dimension).astype(np.float32)
