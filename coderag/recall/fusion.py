"""Fusion: the rankings of several recallers become one, and every part of the score stays visible.

Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): a chunk gets weight / (constant + rank) from each recaller that
found it, so that scores of different kinds never have to be compared. A recaller that knows how sure it is (a name in back-ticks,
a plain word that happens to be a name) is trusted in proportion. A few small preferences follow, as a table; the reranker will take
their place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from coderag.recall.expressions import Shape
from coderag.recall.filters import is_example_path, is_test_path, is_vendored_path
from coderag.recall.snapshot import Snapshot
from coderag.types import Hit, Kind, Query, SignalValue

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


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a preference may look at."""

    row: int
    path: str
    language: str
    kind: Kind
    snapshot: Snapshot
    query: Query
    about_tests: bool


@dataclass(frozen=True, slots=True)
class Preference:
    """A small push up or down: `value` sees a candidate as a number from 0 to 1; the score changes by the share weight * value."""

    name: str
    weight: float
    value: Callable[[Candidate], float]


def _is_definition(candidate: Candidate) -> float:
    return float(candidate.kind not in _NOT_DEFINITIONS)


def _is_test(candidate: Candidate) -> float:
    return float(not candidate.about_tests and is_test_path(candidate.path, candidate.language))


def _is_example(candidate: Candidate) -> float:
    return float(is_example_path(candidate.path))


def _is_vendored(candidate: Candidate) -> float:
    return float(is_vendored_path(candidate.path))


def _importance(candidate: Candidate) -> float:
    """PageRank in multiples of the mean, on a log scale: 0 up to the mean, 1 from a hundred times the mean."""
    share = float(candidate.snapshot.importance[candidate.row]) * len(candidate.snapshot.order)
    return min(math.log10(share) / 2, 1.0) if share > 1.0 else 0.0


_NOT_DEFINITIONS = frozenset({Kind.MODULE, Kind.STATEMENT, Kind.PARAGRAPH, Kind.SECTION, Kind.CELL, Kind.ELEMENT})

PREFERENCES: Final = (
    Preference("definition", 0.25, _is_definition),
    Preference("test", -0.4, _is_test),
    Preference("example", -0.3, _is_example),
    Preference("vendored", -0.3, _is_vendored),
    Preference("importance", 0.1, _importance),
)


def fuse(
    snapshot: Snapshot,
    query: Query,
    shape: Shape,
    rankings: Sequence[Sequence[Hit]],
    preferences: Sequence[Preference] = PREFERENCES,
) -> list[Fused]:
    """One ranking of everything that was recalled, best first; ties by path and position."""
    weights = WEIGHTS[shape]
    most = sum(weights.get(hits[0].recaller, 1.0) for hits in rankings if hits) / (RANK_CONSTANT + 1)
    most *= 1.0 + sum(max(preference.weight, 0.0) for preference in preferences)
    parts: dict[int, list[SignalValue]] = {}
    for hits in rankings:
        for hit in hits:
            sureness = hit.score if hit.recaller in GRADED else 1.0
            share = sureness * weights.get(hit.recaller, 1.0) / (RANK_CONSTANT + hit.rank) / most
            parts.setdefault(hit.row, []).append(SignalValue(hit.recaller, hit.score, share, hit.why))
    about_tests = is_about_tests(query)
    fused = [
        _with_preferences(_candidate(snapshot, query, row, about_tests), found, preferences)
        for row, found in parts.items()
    ]
    return sorted(fused, key=lambda one: (-one.score, int(snapshot.order[one.row])))


def _candidate(snapshot: Snapshot, query: Query, row: int, about_tests: bool) -> Candidate:
    file = int(snapshot.file_of_row[row])
    return Candidate(
        row,
        snapshot.paths[file],
        snapshot.languages[file],
        _KINDS[snapshot.kind_of_row[row]],
        snapshot,
        query,
        about_tests,
    )


def _with_preferences(candidate: Candidate, found: Sequence[SignalValue], preferences: Sequence[Preference]) -> Fused:
    base = sum(part.contribution for part in found)
    reasons = list(found)
    for preference in preferences:
        value = preference.value(candidate)
        if value:
            reasons.append(SignalValue(preference.name, value, base * preference.weight * value))
    score = sum(part.contribution for part in reasons)
    return Fused(candidate.row, min(max(score, 0.0), 1.0), tuple(reasons))


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
_KINDS = tuple(Kind)
