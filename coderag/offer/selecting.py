"""What is offered for a question: the matches in their order, members of outlined matches, and definitions that matches use.

Relevances are multiples of 2^-20, so that floats of 32 bits keep their order; those of matches fall strictly with the ranking. A
definition stands below what uses it, further below the more depend on it: what everything uses explains little.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from coderag.offer.presenting import MARK, Piece, in_words
from coderag.records import CONFIDENCES, EDGE_KINDS
from coderag.rerank.focus import rows_at
from coderag.snapshot import StoredSnapshot
from coderag.types import Chunk, Confidence, EdgeKind, Focus, Kind, Ranked

STEP: Final = 2.0**-20
"""The smallest difference of two relevances."""

LEADING: Final = 6
"""Matches that count as the first ones; those after them have a quota of their own."""

DEFINING: Final = frozenset(
    {Kind.CLASS, Kind.STRUCT, Kind.INTERFACE, Kind.TRAIT, Kind.ENUM, Kind.TYPE_ALIAS, Kind.CONSTANT}
)
"""Kinds whose definition one must see to read what uses them."""

MATCH, FURTHER, MEMBER, DEFINITION, FOCUS = "match", "further", "member", "definition", "focus"
ROLES: Final = (MATCH, FURTHER, MEMBER, DEFINITION, FOCUS)

_OF_DEFINITION: Final = 0.6  # of the relevance of what uses it
_OF_OUTLINES: Final = (
    0.3  # of that, where what uses it is the outline of a file or loose statements, which use everything
)
_OF_MEMBER: Final = 0.9  # of the relevance of the outline that shows only its head
_OF_FOCUS_CHUNK: Final = 0.95  # of the relevance of the best match
_MOST_UNDER_CURSOR: Final = 3
_MEMBERS: Final = 3  # of one outline
_KINDS: Final = tuple(Kind)
_SPECIFIC: Final = frozenset(Kind) - {Kind.MODULE, Kind.STATEMENT, Kind.PARAGRAPH, Kind.CELL}
_AMBIGUOUS: Final = CONFIDENCES.index(Confidence.AMBIGUOUS)
_NOT_USING: Final = (EDGE_KINDS.index(EdgeKind.TESTS), EDGE_KINDS.index(EdgeKind.IMPORTS))
_OF_FOCUS: Final = frozenset({"in trace", "focus"})
_MATCHING: Final = frozenset({"symbol", "lexical", "joined", "vector", "around trace", "needed by focus", "uses focus"})
_REPEATED: Final = "further of its file"


@dataclass(frozen=True, slots=True)
class Use:
    """A definition that a chunk uses: its row, and how much it says, which is the less the more depend on it."""

    target: int
    worth: float


def pieces(
    snapshot: StoredSnapshot,
    hits: Sequence[Ranked],
    wanted: int,
    focus: Focus | None,
    stale: Callable[[Iterable[str]], set[str]],
) -> list[Piece]:
    """What the first `wanted` of the hits make worth offering, most relevant first. Later hits only serve as members."""
    relevances = falling([hit.score for hit in hits])
    freshness = Freshness(snapshot)
    matches = [
        Piece(
            chunk=hit.chunk,
            relevance=relevance,
            role=_role(hit, place),
            why=in_words(hit.reasons),
            freshness=freshness.of(hit.chunk.path),
            callers=hit.callers,
            stale=hit.stale,
        )
        for place, (hit, relevance) in enumerate(zip(hits[:wanted], relevances, strict=False))
    ]
    matches += _under_cursor(snapshot, focus, matches, freshness, stale)
    members = list(_members(matches, hits[wanted:], freshness))
    known = {piece.chunk.id for piece in (*matches, *members)}
    definitions = list(_definitions(snapshot, (*matches, *members), known, freshness, stale))
    return sorted((*matches, *members, *definitions), key=lambda piece: (-piece.relevance, piece.chunk.id))


def falling(scores: Sequence[float]) -> list[float]:
    """Scores as relevances: rounded down to steps, each at least one step below the one before it, all above 0 and at most 1."""
    found: list[float] = []
    before = 1.0 + STEP
    for place, score in enumerate(scores):
        least = (len(scores) - place) * STEP
        before = max(min(_stepped(score), before - STEP), least)
        found.append(before)
    return found


def _stepped(score: float) -> float:
    return math.floor(min(max(score, 0.0), 1.0) / STEP) * STEP


def _role(hit: Ranked, place: int) -> str:
    names = {reason.name for reason in hit.reasons if reason.contribution > 0.0}
    if names & _OF_FOCUS:
        return FOCUS
    if names & {"used by hits"} and not names & _MATCHING:
        return DEFINITION
    return MATCH if place < LEADING else FURTHER


def _under_cursor(
    snapshot: StoredSnapshot,
    focus: Focus | None,
    matches: Sequence[Piece],
    freshness: Freshness,
    stale: Callable[[Iterable[str]], set[str]],
) -> Iterator[Piece]:
    """What is under the cursor, when it is no match: whoever asks about it must see it."""
    rows = rows_at(snapshot, focus) if focus else []
    known = {piece.chunk.id for piece in matches}
    best = max((piece.relevance for piece in matches), default=1.0)
    changed = stale({focus.path}) if focus else set()
    for chunk in map(snapshot.chunk, rows[:_MOST_UNDER_CURSOR]):
        if chunk.id not in known:
            relevance = _stepped(_OF_FOCUS_CHUNK * best)
            yield Piece(
                chunk, relevance, FOCUS, "under the cursor", freshness.of(chunk.path), stale=chunk.path in changed
            )


# Members


def _members(matches: Sequence[Piece], others: Sequence[Ranked], freshness: Freshness) -> Iterator[Piece]:
    """Hits whose head alone is shown in an outline that matched, as sure as if no other chunk of their file stood before them."""
    for outline in matches[:LEADING]:
        if MARK not in outline.chunk.text:
            continue
        found = [
            (_unrepeated(hit), hit)
            for hit in others
            if hit.chunk.path == outline.chunk.path
            and hit.chunk.enclosing == outline.chunk.symbol
            and outline.chunk.symbol
        ]
        for score, hit in sorted(found, key=lambda each: (-each[0], each[1].rank))[:_MEMBERS]:
            yield Piece(
                chunk=hit.chunk,
                relevance=_stepped(min(score, _OF_MEMBER * outline.relevance)),
                role=MEMBER,
                why=f"member of {outline.chunk.symbol}; {in_words(hit.reasons)}".rstrip("; "),
                freshness=freshness.of(hit.chunk.path),
                callers=hit.callers,
                stale=hit.stale,
            )


def _unrepeated(hit: Ranked) -> float:
    """The score of a hit without what it lost for being a further one of its file."""
    if not 0.0 < hit.score < 1.0:
        return hit.score
    lost = sum(reason.contribution for reason in hit.reasons if reason.name == _REPEATED)
    return 1.0 / (1.0 + math.exp(lost - math.log(hit.score / (1.0 - hit.score))))


# Definitions


def _definitions(
    snapshot: StoredSnapshot,
    users: Sequence[Piece],
    known: set[str],
    freshness: Freshness,
    stale: Callable[[Iterable[str]], set[str]],
) -> Iterator[Piece]:
    best: dict[int, tuple[float, Piece]] = {}
    for piece in users:
        share = _OF_DEFINITION * piece.relevance * (1.0 if piece.chunk.kind in _SPECIFIC else _OF_OUTLINES)
        found = sorted(uses(snapshot, row_of(snapshot, piece.chunk)), key=lambda use: (-use.worth, use.target))
        for place, use in enumerate(found):
            value = share * use.worth / (1.0 + place / 4.0)
            if use.target not in best or value > best[use.target][0]:
                best[use.target] = (value, piece)
    chunks = snapshot.chunks(sorted(best))
    changed = stale({chunk.path for chunk in chunks.values()})
    for row in sorted(best):
        value, user = best[row]
        chunk = chunks[row]
        if chunk.id not in known:
            yield Piece(
                chunk=chunk,
                relevance=_stepped(value),
                role=DEFINITION,
                why=f"used by {user.chunk.symbol or user.chunk.path}",
                freshness=freshness.of(chunk.path),
                stale=chunk.path in changed,
            )


def row_of(snapshot: StoredSnapshot, chunk: Chunk) -> int:
    """The row of a chunk of this generation."""
    ordinal = snapshot.file(chunk.path).names.index(chunk.id[len(chunk.path) + 1 :])
    return int(snapshot.rows_of(chunk.path)[ordinal])


def uses(snapshot: StoredSnapshot, row: int) -> list[Use]:
    """The definitions of types, enumerations and constants that a chunk surely uses, by row."""
    links = snapshot.links_of(snapshot.paths[int(snapshot.file_of_row[row])])
    chosen = (links.sources == row) & (links.targets != row) & (links.confidences != _AMBIGUOUS)
    chosen &= ~np.isin(links.kinds, _NOT_USING)
    return [
        Use(target, 1.0 / (1.0 + math.log10(max(int(snapshot.reference_count[target]), 1))))
        for target in np.unique(links.targets[chosen]).tolist()
        if _KINDS[snapshot.kind_of_row[target]] in DEFINING
    ]


# Recency


class Freshness:
    """How recent files are, told from the newest file of the index and not from a clock: the same index always says the same."""

    _STEPS: Final[Mapping[float, float]] = {3_600.0: 1.0, 86_400.0: 0.75, 7 * 86_400.0: 0.5, 30 * 86_400.0: 0.25}

    def __init__(self, snapshot: StoredSnapshot) -> None:
        self._snapshot = snapshot
        times = snapshot.manifest.stats[:, 1] if len(snapshot.paths) else np.zeros(1, np.int64)
        self._newest = int(times.max())

    def of(self, path: str) -> float:
        """1 for what changed within an hour of the newest change, less for a day, a week and a month, then 0."""
        index = self._snapshot.index_of(path)
        age = (self._newest - int(self._snapshot.manifest.stats[index, 1])) / 1e9
        return next((value for seconds, value in self._STEPS.items() if age <= seconds), 0.0)
