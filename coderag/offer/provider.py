"""What hosts are given: a provider that answers a context query from an index."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from coderag.assemble.items import ContextDepth, ContextItem, ContextType
from coderag.assemble.results import ContextQuery, ContextResult, Omission
from coderag.errors import ContextError, IndexLockedError
from coderag.offer.asking import asked
from coderag.offer.presenting import SCHEME, Piece, Style, as_item
from coderag.offer.selecting import DEFINITION, pieces
from coderag.snapshot import StoredSnapshot
from coderag.types import Query, SearchResult

PROVENANCES: Final = ("role", "one", "file")
_LOOKED_AT: Final = 40  # hits that are searched for at least: members of outlines come from further down
_LOOKS: Final = 5
_LIMITS: Final = {ContextDepth.ABSTRACT: 120, ContextDepth.OVERVIEW: 1_200, ContextDepth.FULL: 2_400}
_OF_DEFINITIONS: Final = {ContextDepth.ABSTRACT: 60, ContextDepth.OVERVIEW: 400, ContextDepth.FULL: 800}
"""The tokens that one item, and one definition, may have; what is longer is outlined."""


@dataclass(frozen=True, slots=True)
class Offering:
    """What a host may decide.

    `provenance` is what quotas of an assembler count by: "role" gives matches, further matches, members, definitions and the focus a
    quota each; "file" one to each file; "one" makes the whole index one source, which a balanced policy holds to 6 items and 2,500 tokens.
    `largest` bounds an item's tokens below what the depth of the query says; `matches` how many hits of the ranking are offered at most,
    where the query wants more results than that: the others are members of outlines and definitions.
    """

    provenance: str = "role"
    style: Style = field(default_factory=Style)
    largest: int | None = None
    matches: int | None = None

    def __post_init__(self) -> None:
        if self.provenance not in PROVENANCES:
            raise ContextError(f"provenance must be one of {', '.join(PROVENANCES)}, not {self.provenance!r}")

    def provenance_of(self, piece: Piece) -> str:
        """What quotas count a piece by."""
        part = {"role": piece.role, "file": piece.chunk.path}.get(self.provenance)
        return SCHEME if part is None else f"{SCHEME}:{part}"


@dataclass(frozen=True, slots=True)
class IndexProvider:
    """Answers with items of an index. One thread at a time may ask; a second result in a turn stands in for the first."""

    search: Callable[[Query], SearchResult]
    snapshot: Callable[[], StoredSnapshot]
    stale_paths: Callable[[Iterable[str]], set[str]]
    offering: Offering = field(default_factory=Offering)
    name: str = SCHEME

    def query(self, query: ContextQuery) -> ContextResult:
        """Matches, members and definitions within the limits of the query, most relevant first; what did not fit is named.

        Raises:
            ContextError: a parameter is of the wrong form.
            QueryError: a filter names something unknown.
            NotIndexedError, IndexFormatError, IndexCorruptError: there is no index that can be read.
            IndexLockedError: other processes change it faster than it can be searched.
        """
        wanted = max(query.max_results, 1)
        matches = min(wanted, self.offering.matches or wanted)
        question = asked(query, max(_LOOKED_AT, 2 * matches))
        if not query.wants(ContextType.RESOURCE):
            return ContextResult(self.name)
        if not (question.text.strip() or question.trace.strip() or question.focus):
            return ContextResult(self.name, notes=("the query is empty: nothing was looked for",))
        result, snapshot = self._searched(question)
        found = pieces(snapshot, result.hits, matches, question.focus, self.stale_paths)
        items, left_out = self._fitted(found, query)
        more = len(result.hits) > matches or any(result.left_out.values())
        return ContextResult(
            self.name,
            tuple(items),
            truncated=bool(left_out) or more,
            left_out=tuple(left_out),
            notes=result.notes if result.fresh else (*result.notes, "the index is older than the work tree"),
        )

    def _searched(self, question: Query) -> tuple[SearchResult, StoredSnapshot]:
        """The hits and the generation that they are from: another process may commit a newer one between two looks."""
        for _ in range(_LOOKS):
            result = self.search(question)
            snapshot = self.snapshot()
            if snapshot.generation == result.generation:
                return result, snapshot
        raise IndexLockedError(f"the index changed during each of {_LOOKS} searches; ask again")

    def _fitted(self, found: Sequence[Piece], query: ContextQuery) -> tuple[list[ContextItem], list[Omission]]:
        """The pieces that the query has room for, as items, and the others with what stood in their way."""
        items: list[ContextItem] = []
        left_out: list[Omission] = []
        spent = 0
        for piece in found:
            if len(items) >= max(query.max_results, 1):
                left_out.append(Omission(piece.source, f"{piece.why}; the query wants {query.max_results} results"))
                continue
            item = as_item(piece, self.offering.provenance_of(piece), self.offering.style, self._limit(piece, query))
            if spent + item.token_count > query.max_tokens:
                left_out.append(Omission(piece.source, f"{piece.why}; over the query's {query.max_tokens} tokens"))
                continue
            items.append(item)
            spent += item.token_count
        return items, left_out

    def _limit(self, piece: Piece, query: ContextQuery) -> int:
        own = (_OF_DEFINITIONS if piece.role == DEFINITION else _LIMITS)[query.depth]
        return min(own, query.max_tokens, self.offering.largest or own)
