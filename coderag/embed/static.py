"""The bundled static model: one vector per token, summed and scaled to length 1. Needs numpy and tokenizers, no network and no torch.

A model is a folder: tokenizer.json, vectors.npz (int8 rows and a scale for each) and model.json. The learned length of a token's
vector is its weight, so frequent words count little. Repeated tokens count with the square root of how often they occur.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from coderag.embed.passage import TEMPLATE
from coderag.embed.protocol import Identity, TextKind
from coderag.errors import EmbeddingError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from coderag.embed.protocol import Matrix

BUNDLED = Path(__file__).parent / "model"
FILES = ("model.json", "tokenizer.json", "vectors.npz")
_RUN = re.compile(r"[^\W_]+")
_BLANK_BETWEEN = bytes(code if chr(code).isalnum() else ord(" ") for code in range(256))
_CACHED_RUNS = 200_000  # about 30 MB
_CACHED_LENGTH = 64
_TEXTS_AT_ONCE = 512


class StaticEmbedder:
    """A table of token vectors. Made by `load`; an `Embedder`."""

    def __init__(
        self, name: str, revision: str, tokenizer: Tokenizer, rows: NDArray[np.int8], scales: NDArray[np.float32]
    ) -> None:
        self.identity = Identity(name, revision, int(rows.shape[1]), TEMPLATE)
        self._runs = _Runs(tokenizer)
        self._table = rows * scales[:, None]

    @classmethod
    def load(cls, path: Path | None = None) -> StaticEmbedder:
        """The model in a folder, the bundled one by default.

        Raises:
            EmbeddingError: a file is missing or is not what it should be.
        """
        import numpy as np
        from tokenizers import Tokenizer

        folder = path or BUNDLED
        try:
            contents = {name: (folder / name).read_bytes() for name in FILES}
            name = str(json.loads(contents["model.json"])["name"])
            json.loads(contents["tokenizer.json"])["model"]["vocab"]
            with np.load(BytesIO(contents["vectors.npz"]), allow_pickle=False) as arrays:
                rows, scales = arrays["rows"], arrays["scales"].astype(np.float32)
        except (OSError, KeyError, TypeError, ValueError, BadZipFile) as error:
            raise EmbeddingError(f"{folder}: not a static embedding model ({error}); give the folder of one") from error
        tokenizer = Tokenizer.from_str(contents["tokenizer.json"].decode("utf-8"))
        if (
            rows.ndim != 2
            or rows.dtype != np.int8
            or scales.shape != (len(rows),)
            or len(rows) < tokenizer.get_vocab_size()
        ):
            raise EmbeddingError(f"{folder}: the vectors do not fit the tokens; the model is damaged, install it again")
        return cls(name, _revision(contents), tokenizer, rows, scales)

    @property
    def dimension(self) -> int:
        """Components of a vector."""
        return self.identity.dimension

    def encode(self, texts: Sequence[str], kind: TextKind = "passage") -> Matrix:
        """One row of length 1 for each text, zeros for a text without a known token. Queries and passages share one table."""
        import numpy as np

        result = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for first in range(0, len(texts), _TEXTS_AT_ONCE):
            self._add_tokens(texts[first : first + _TEXTS_AT_ONCE], result[first : first + _TEXTS_AT_ONCE])
        lengths = np.linalg.norm(result, axis=1, keepdims=True)
        np.divide(result, lengths, out=result, where=lengths > 0)
        return result

    def _add_tokens(self, texts: Sequence[str], result: NDArray[np.float32]) -> None:
        """Add to each row of `result` the weighted vectors of its text's tokens, by their number.

        All texts take a step together, the n-th token of each at a time, so every text adds up in one order whatever is beside it. A
        product of matrices would be no faster, and its order of additions would depend on the number of threads.
        """
        import numpy as np

        ids = [list(chain.from_iterable(map(self._runs.__getitem__, _split(text)))) for text in texts]
        lengths = np.fromiter(map(len, ids), np.int64, len(ids))
        keys = np.fromiter(chain.from_iterable(ids), np.int64, int(lengths.sum()))
        keys += np.repeat(np.arange(len(ids)) * len(self._table), lengths)
        distinct, counts = np.unique(keys, return_counts=True)
        text_of, tokens = np.divmod(distinct, len(self._table))
        weights = np.sqrt(counts, dtype=np.float32)
        sizes = np.bincount(text_of, minlength=len(ids))
        order = np.argsort(-sizes, kind="stable")
        sizes, begins = sizes[order], (np.cumsum(sizes) - sizes)[order]
        total = np.zeros_like(result)
        for step in range(int(sizes[0]) if len(sizes) else 0):
            place = begins[: np.searchsorted(-sizes, -step)] + step
            vectors = self._table[tokens[place]]
            vectors *= weights[place, None]
            total[: len(place)] += vectors
        result[order] = total


def _split(text: str) -> list[str]:
    """The runs of letters and digits; an expression takes twice as long for what is plain ASCII."""
    if text.isascii():
        return text.encode("ascii").translate(_BLANK_BETWEEN).decode("ascii").split()
    return _RUN.findall(text)


class _Runs(dict[str, tuple[int, ...]]):
    """The tokens of each run of letters and digits: the same identifiers come again and again, and no token reaches across a run."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def __missing__(self, run: str) -> tuple[int, ...]:
        ids = tuple(self._tokenizer.encode(run, add_special_tokens=False).ids)
        if len(self) < _CACHED_RUNS and len(run) <= _CACHED_LENGTH:
            self[run] = ids
        return ids


def _revision(contents: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name in FILES:
        digest.update(hashlib.sha256(contents[name]).digest())
    return digest.hexdigest()[:16]
