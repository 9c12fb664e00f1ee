"""Vector recall: chunks whose meaning is near that of the question, by cosine. The only module that imports FAISS.

Vectors are stored as halves; the sum of content and place is scaled to length 1 and kept as halves too, so that every way to search
sees the same numbers. Whatever finds the candidates, their cosines are computed again one by one in double precision, a few more
than are wanted: chunks with equal vectors tie exactly and then stand in the order of the snapshot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coderag.embed.passage import encode_question
from coderag.embed.protocol import Embedder
from coderag.errors import EmbeddingError
from coderag.recall.expressions import begins_with_trace
from coderag.recall.snapshot import Snapshot
from coderag.records import FileVectors
from coderag.types import Hit

NAME = "vector"
FEW: Final = 20_000
"""Up to so many vectors their products in numpy take 1 ms (256 numbers each) and spare the import of FAISS, 60 to 240 ms. Above it the
first question of a process is answered by numpy too, for a cold command asks no second one. By `einsum`, not `@`: the threads of
BLAS take 8 ms to agree on a product of 0.3 ms when the machine is busy."""
MANY: Final = 500_000
"""Up to so many FAISS reads all halves (6 ms for 100,000 where floats take 8 to 10), which loses nothing. Above it, inverted lists."""
PROBED_SHARE: Final = 1 / 64
"""Inverted lists read for a question, of all; at least 16."""
BLOCK: Final = 8_192
EPSILON: Final = 1e-4
"""More than single precision can put a cosine off."""

LEAST: Final = 0.2
"""Cosines below are no answer. With the bundled model 95 % of the files that answer a question are above, and what has nothing to do
with it is mostly below; other models put everything higher, and lose nothing."""

Halves = NDArray[np.float16]
Rows = NDArray[np.int32]
Positions = NDArray[np.intp]


def composed(files: Sequence[FileVectors], dimension: int, place_share: float) -> Halves:
    """One vector of length 1 for each chunk of these files in order: its content, and a share of where it stands."""
    counts = [len(each.rows) - 1 for each in files]
    result = np.empty((sum(counts), dimension), np.float16)
    start = 0
    for each, count in zip(files, counts, strict=True):
        result[start : start + count] = each.rows[1:]
        start += count
    places = np.asarray([each.rows[0] for each in files], np.float32).reshape(len(files), dimension) * place_share
    owners = np.repeat(np.arange(len(files)), counts)
    for first in range(0, len(result), BLOCK):
        block = result[first : first + BLOCK].astype(np.float32)
        block += places[owners[first : first + BLOCK]]
        lengths = np.sqrt(np.einsum("ij,ij->i", block, block))[:, None]
        result[first : first + BLOCK] = np.divide(block, lengths, out=block, where=lengths > 0)
    return result


LEAST_ALONE: Final[Mapping[str, float]] = {"coderag-static-code": 0.45}
"""By the name of a model. With the bundled one nine of ten questions that have an answer reach it, and one of twenty that have none. What
is near is another figure for every model, so that of others, which were not measured, everything is found."""


class Space:
    """The vectors of one generation and what encodes a question into the same space. `rows[i]` is the chunk row of vector i."""

    def __init__(self, embedder: Embedder, rows: Rows, vectors: Halves, order: Rows) -> None:
        self._embedder = embedder
        self._rows = rows
        self._vectors = vectors
        self._order = order
        self._asked = 0

    @property
    def least_alone(self) -> float:
        """The cosine from which a chunk is found that nothing but its vector speaks for; see `LEAST_ALONE`."""
        return LEAST_ALONE.get(self._embedder.identity.name, 0.0)

    def encode(self, text: str) -> NDArray[np.float32]:
        """The vector of a question.

        Raises:
            EmbeddingError: the embedder gives no answer, or one of another dimension.
        """
        vector: NDArray[np.float32] = encode_question(self._embedder, text, has_title=not begins_with_trace(text))[0]
        if len(self._vectors) and len(vector) != self._vectors.shape[1]:
            raise EmbeddingError(
                f"{self._embedder.identity.name} gives {len(vector)} numbers, the index has {self._vectors.shape[1]} for each "
                "chunk; run `coderag index --rebuild`"
            )
        return vector

    def nearest(
        self, vector: NDArray[np.float32], k: int, allowed: NDArray[np.bool_] | None = None
    ) -> list[tuple[int, float]]:
        """The k rows with the highest cosines above zero, best first, equal ones in the order of the snapshot."""
        self._asked += 1
        chosen = None if allowed is None else np.flatnonzero(allowed[self._rows])
        if k < 1 or not len(self._rows if chosen is None else chosen) or not vector.any():
            return []
        return self._exact(self._candidates(vector, k, chosen), vector, k)

    def _candidates(self, vector: NDArray[np.float32], k: int, chosen: Positions | None) -> Positions:
        """Positions among which the k nearest are, in whatever way is quickest."""
        if len(self._vectors) <= FEW:
            products = np.einsum("ij,j->i", self._floats, vector)
            return _near(products, k) if chosen is None else chosen[_near(products[chosen], k)]
        few_of_many = chosen is not None and len(chosen) <= FEW and len(self._vectors) > MANY
        if self._asked == 1 or few_of_many:
            near = _near(self._products(vector, chosen), k)
            return near if chosen is None else chosen[near]
        return self._by_faiss(vector, k, chosen)

    def _exact(self, positions: Positions, vector: NDArray[np.float32], k: int) -> list[tuple[int, float]]:
        """Candidates by their exact cosines. Each row is summed for itself, so that equal rows have equal sums."""
        cosines = (self._vectors[positions].astype(np.float64) * vector.astype(np.float64)).sum(axis=1)
        rows = self._rows[positions]
        best = np.lexsort((self._order[rows], -cosines))[:k]
        found = zip(rows[best].tolist(), cosines[best].tolist(), strict=True)
        return [(row, cosine) for row, cosine in found if cosine > 0]

    @cached_property
    def _floats(self) -> NDArray[np.float32]:
        return self._vectors.astype(np.float32)

    def _products(self, vector: NDArray[np.float32], chosen: Positions | None) -> NDArray[np.float32]:
        """Products of all vectors, or of the chosen ones, without keeping them as floats."""
        count = len(self._vectors) if chosen is None else len(chosen)
        result = np.empty(count, np.float32)
        for first in range(0, count, BLOCK):
            end = first + BLOCK
            block = self._vectors[first:end] if chosen is None else self._vectors[chosen[first:end]]
            result[first:end] = np.einsum("ij,j->i", block.astype(np.float32), vector)
        return result

    # FAISS

    def _by_faiss(self, vector: NDArray[np.float32], k: int, chosen: Positions | None) -> Positions:
        """Candidates for the k nearest: more are asked for until the last is clearly worse than the k-th."""
        wanted, most = k + 32, len(self._vectors) if chosen is None else len(chosen)
        while True:
            cosines, positions = self._index.search(vector[None], min(wanted, most), params=self._parameters(chosen))
            found = positions[0] >= 0  # FAISS fills up with -1
            near, cosine = positions[0][found], cosines[0][found]
            if (
                len(near) < min(wanted, most)
                or wanted >= most
                or cosine[-1] < cosine[min(k, len(cosine)) - 1] - EPSILON
            ):
                return np.asarray(near, np.intp)
            wanted *= 4

    @cached_property
    def _index(self) -> Any:
        faiss = _faiss()
        dimension, metric, halves = self._vectors.shape[1], faiss.METRIC_INNER_PRODUCT, faiss.ScalarQuantizer.QT_fp16
        if len(self._vectors) <= MANY:
            index = faiss.IndexScalarQuantizer(dimension, halves, metric)
        else:
            index = faiss.IndexIVFScalarQuantizer(
                faiss.IndexFlatIP(dimension), dimension, self._lists, halves, metric, False
            )
            index.cp.niter, index.cp.seed = 6, 1
            sample = np.linspace(0, len(self._vectors) - 1, 40 * self._lists).astype(np.intp)
            index.train(self._vectors[sample].astype(np.float32))
        for first in range(0, len(self._vectors), BLOCK):
            index.add(self._vectors[first : first + BLOCK].astype(np.float32))
        return index

    @property
    def _lists(self) -> int:
        return int(np.sqrt(len(self._vectors)))

    def _parameters(self, chosen: Positions | None) -> Any:
        """A filter acts inside of the search, so that nothing takes the place of an allowed chunk."""
        faiss = _faiss()
        chooser = None
        if chosen is not None:
            bits = np.zeros(len(self._vectors), bool)
            bits[chosen] = True
            chooser = faiss.IDSelectorBitmap(np.packbits(bits, bitorder="little"))
        if len(self._vectors) <= MANY:
            return faiss.SearchParameters(sel=chooser)
        return faiss.SearchParametersIVF(sel=chooser, nprobe=max(16, int(self._lists * PROBED_SHARE)))


def _near(products: NDArray[np.float32], k: int) -> Positions:
    """Positions of all products that may belong to the k highest."""
    if len(products) <= k:
        return np.arange(len(products))
    last = np.partition(products, len(products) - k)[len(products) - k]
    return np.flatnonzero(products >= last - EPSILON)


def _faiss() -> Any:
    import faiss

    faiss.omp_set_num_threads(1)  # a second thread costs a single question more than it gives
    return faiss


def recall(snapshot: Snapshot, text: str, k: int, allowed: NDArray[np.bool_] | None = None) -> list[Hit]:
    """The k chunks nearest to a question among the allowed ones, best first; none where no vectors are wanted.

    Raises:
        EmbeddingError: vectors are wanted and there are none that fit.
    """
    space = snapshot.space()
    if space is None or not text.strip():
        return []
    found = space.nearest(space.encode(text), k, allowed)
    near = [(row, cosine) for row, cosine in found if cosine >= LEAST]
    return [Hit(row, NAME, rank, cosine, f"cosine {cosine:.2f}") for rank, (row, cosine) in enumerate(near, 1)]
