"""Fusion: the rankings of several recallers become one, and every part of the score stays visible.

Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): a chunk gets weight / (constant + rank) from each recaller that
found it, so that scores of different kinds never have to be compared. A recaller that knows how sure it is (a name in back-ticks,
a plain word that happens to be a name) is trusted in proportion. This is the ranking without a reranker, which the benchmark shows
beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from coderag.recall.expressions import Shape
from coderag.recall.filters import is_test_path
from coderag.recall.snapshot import Snapshot
from coderag.types import Hit, Query, SignalValue

RANK_CONSTANT: Final = 20.0
"""60 in the paper, for many rankings of equal worth; with two, 10 to 20 keeps the first ranks of the better one first."""

GRADED: Final = frozenset({"symbol"})
"""Recallers whose scores, from 0 to 1, say how sure they are."""

WEIGHTS: Final[Mapping[Shape, Mapping[str, float]]] = {
    Shape.SYMBOL: {"symbol": 2.0, "lexical": 1.0},
    Shape.SENTENCE: {"symbol": 0.4, "lexical": 1.0},
    Shape.CODE: {"symbol": 0.4, "lexical": 1.0},
    Shape.TRACE: {"symbol": 1.0, "lexical": 1.0},
}
"""How much each recaller is trusted for each shape of query; 1.0 for a recaller that is not named."""


@dataclass(frozen=True, slots=True)
class Fused:
    """A row with its score in [0, 1] and the parts that add up to it."""

    row: int
    score: float
    reasons: tuple[SignalValue, ...]


def fuse(snapshot: Snapshot, shape: Shape, rankings: Sequence[Sequence[Hit]]) -> list[Fused]:
    """One ranking of everything that was recalled, best first; ties by path and position."""
    weights = WEIGHTS[shape]
    most = sum(weights.get(hits[0].recaller, 1.0) for hits in rankings if hits) / (RANK_CONSTANT + 1)
    parts: dict[int, list[SignalValue]] = {}
    for hits in rankings:
        for hit in hits:
            sureness = hit.score if hit.recaller in GRADED else 1.0
            share = sureness * weights.get(hit.recaller, 1.0) / (RANK_CONSTANT + hit.rank) / most
            parts.setdefault(hit.row, []).append(SignalValue(hit.recaller, hit.score, share, hit.why))
    fused = [Fused(row, _score(found), tuple(found)) for row, found in parts.items()]
    return sorted(fused, key=lambda one: (-one.score, int(snapshot.order[one.row])))


def _score(parts: Sequence[SignalValue]) -> float:
    return min(max(sum(part.contribution for part in parts), 0.0), 1.0)


def is_about_tests(query: Query) -> bool:
    """Whether tests are what is looked for: the text says so, the filter names them, or the editor is in one."""
    words = query.text.casefold().replace("_", " ").split()
    if any(word.strip("`'\".,:;?!()") in _TEST_WORDS for word in words):
        return True
    if any(is_test_path(path.rstrip("/*") + "/x") or is_test_path(path) for path in query.paths if path[:1] != "!"):
        return True
    return query.focus is not None and is_test_path(query.focus.path)


_TEST_WORDS = frozenset(
    {"test", "tests", "testing", "tested", "unittest", "spec", "specs", "fixture", "fixtures", "mock", "mocks"}
)
