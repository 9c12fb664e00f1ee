"""How much of a repository rests on a chunk: reference counts and PageRank, from arrays of edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

DAMPING = 0.85
ITERATIONS = 20
"""After 20 steps what is left to move is below 0.85^20 = 4 % of the mass, less than any use of the figure can see; a fixed number
of steps makes the result a function of the edges alone."""


def page_rank(
    size: int, sources: NDArray[np.int32], targets: NDArray[np.int32], weights: NDArray[np.float64]
) -> NDArray[np.float32]:
    """PageRank (Brin and Page, 1998) of `size` nodes over weighted edges; sums to 1. Nodes without edges share what is left.

    Sums run in the order of the edges, so equal edges in equal order give equal bits.
    """
    if not size:
        return np.zeros(0, np.float32)
    out = np.bincount(sources, weights, size)
    share = weights / out[sources] if len(sources) else weights
    dangling = out == 0
    rank = np.full(size, 1.0 / size)
    for _ in range(ITERATIONS):
        flow = np.bincount(targets, rank[sources] * share, size)
        rest = (1.0 - DAMPING + DAMPING * rank[dangling].sum()) / size
        rank = DAMPING * flow + rest
    result: NDArray[np.float32] = (rank / rank.sum()).astype(np.float32)
    return result


def reference_counts(size: int, sources: NDArray[np.int32], targets: NDArray[np.int32]) -> NDArray[np.int32]:
    """For each node the number of distinct other nodes that have an edge to it."""
    pairs = np.sort(targets.astype(np.int64) * size + sources)  # `np.unique` takes three times as long
    distinct = pairs[np.diff(pairs, prepend=-1) != 0]
    return np.bincount(distinct // max(size, 1), minlength=size).astype(np.int32)
