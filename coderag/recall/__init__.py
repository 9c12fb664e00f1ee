"""Recall: from a query to the chunks that may answer it.

`RECALLERS` is the table of all recallers; none knows another. `propose` asks each of them; the reranker makes one ranking of it.
Modules that need numpy are imported when they are used, because parse workers import `coderag.recall.terms` without it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from coderag.errors import EmbeddingError, QueryError
from coderag.types import Hit, Query

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from coderag.recall.snapshot import Snapshot

    Recaller = Callable[[Snapshot, Query, int, "NDArray[np.bool_] | None"], list[Hit]]

DEPTH: Final = 100
"""Proposals asked of each recaller at least; more when the query wants more."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """What each recaller proposed, best first, and what the search could not consider."""

    rankings: tuple[tuple[Hit, ...], ...]
    notes: tuple[str, ...]


def _symbol(snapshot: Snapshot, query: Query, k: int, allowed: NDArray[np.bool_] | None) -> list[Hit]:
    from coderag.recall.symbol import recall

    return recall(snapshot, query.text, k, allowed)


def _lexical(snapshot: Snapshot, query: Query, k: int, allowed: NDArray[np.bool_] | None) -> list[Hit]:
    from coderag.recall.lexical import recall
    from coderag.recall.terms import query_terms

    return recall(snapshot, query_terms(query.text), k, allowed)


def _joined(snapshot: Snapshot, query: Query, k: int, allowed: NDArray[np.bool_] | None) -> list[Hit]:
    from coderag.recall.joined import joined_terms
    from coderag.recall.lexical import recall

    return [replace(hit, recaller="joined") for hit in recall(snapshot, joined_terms(query.text), k // 2, allowed)]


def _vector(snapshot: Snapshot, query: Query, k: int, allowed: NDArray[np.bool_] | None) -> list[Hit]:
    from coderag.recall.vector import recall

    return recall(snapshot, query.text, k, allowed)


RECALLERS: Final[Mapping[str, Recaller]] = {
    "symbol": _symbol,
    "lexical": _lexical,
    "joined": _joined,
    "vector": _vector,
}
"""Name to function: (snapshot, query, how many, rows that the filters allow or None) to hits, best first.

One whose model is missing or does not fit raises `EmbeddingError`; the search goes on without it and says so.
"""


def propose(
    snapshot: Snapshot, query: Query, known_languages: Collection[str] = (), without: Collection[str] = ()
) -> Proposals:
    """What all recallers together, but for those in `without`, propose for a query, filters applied before the cut.

    `known_languages` may be filtered for although no file is of them. Where something is left out, vectors are shown however far they are.

    Raises:
        QueryError: the query has no text, no trace and no focus, or a filter names an unknown language.
    """
    from coderag.recall.filters import allowed_rows
    from coderag.recall.terms import query_terms

    if not (query.text.strip() or query.trace.strip() or query.focus):
        raise QueryError("the query is empty; say what to look for")
    allowed = allowed_rows(snapshot, query, known_languages)
    depth = max(DEPTH, 2 * query.k)
    rankings: list[list[Hit]] = []
    notes = list(query_terms(query.text).notes)
    for name, recaller in RECALLERS.items():
        if name in without:
            continue
        try:
            rankings.append(recaller(snapshot, query, depth, allowed))
        except EmbeddingError as error:
            notes.append(f"searched without {name}s: {error}")
    if not without and not any(hits for hits in rankings if hits and hits[0].recaller != "vector"):
        rankings = [_convincing(snapshot, hits) for hits in rankings]
    return Proposals(tuple(map(tuple, rankings)), tuple(notes))


def _convincing(snapshot: Snapshot, hits: list[Hit]) -> list[Hit]:
    """Of hits that nothing but their vectors speaks for those that are near enough: something is always nearest."""
    space = snapshot.space() if hits else None
    return [hit for hit in hits if space is not None and hit.score >= space.least_alone]
