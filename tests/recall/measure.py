"""How long lexical recall takes on a made-up index: `python -m tests.recall.measure [CHUNKS]`. Prints; asserts nothing.

The words of a chunk are drawn from 50,000 by the law of Zipf and Mandelbrot, the most common one in a quarter of all chunks, so that
common and rare words cost what they cost in code.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial

from coderag.recall import propose
from coderag.recall.lexical import recall
from coderag.recall.terms import query_terms
from coderag.types import Query
from tests.recall.memory_snapshot import make_chunk, snapshot_of

SYLLABLES = [first + second for first in "bcdfgklmnprstvz" for second in "aeiou"]
WORDS = [f"{a}{b}{c}k" for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES][::8]


def main(chunks: int) -> None:
    source = random.Random(7)
    weights = [1 / (rank + 30) for rank in range(len(WORDS))]
    drawn = source.choices(WORDS, weights, k=chunks * 60)
    made = []
    for number in range(chunks):
        words = drawn[60 * number : 60 * number + 60]
        path = f"pkg{number // 200}/mod{number // 20}.py"
        made.append(make_chunk(path, f"{words[0]}_{words[1]}", " ".join(words), line=number % 20 * 9 + 1))
    snapshot = snapshot_of(made)
    queries = [" ".join(source.choices(WORDS, weights, k=8)) for _ in range(100)]
    _print("lexical", [_milliseconds(partial(recall, snapshot, query_terms(text), 100)) for text in queries])
    _print("propose", [_milliseconds(partial(propose, snapshot, Query(text))) for text in queries])


def _milliseconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return (time.process_time() - start) * 1000


def _print(name: str, times: list[float]) -> None:
    times.sort()
    print(f"{name}: p50 {statistics.median(times):.1f} ms, p95 {times[94]:.1f} ms of CPU")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
