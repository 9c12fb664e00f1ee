"""Where the editor is, as hits: the chunk under the cursor, what it needs, what needs it, and what stands beside it.

With a question it says which of equal answers is near; without one these hits are the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from coderag.recall.snapshot import Snapshot
from coderag.rerank.neighbours import DEFINING, Linked, used_by, users_of
from coderag.types import Focus, Hit, Kind

NEEDED: Final = "needed by focus"
USERS: Final = "uses focus"
HERE: Final = "focus"
BESIDE: Final = "beside focus"

_KINDS: Final = tuple(Kind)
_OF_SECOND_STEP: Final = 0.4
_FIRST_STEPS: Final = 40
_MOST: Final = 150


def hits_of(snapshot: Linked, focus: Focus) -> tuple[tuple[Hit, ...], ...]:
    """One ranking for each relation to the focus, scores from 0 to 1; none where its file is not indexed."""
    here = rows_at(snapshot, focus)
    if not here:
        return ()
    needed: dict[int, float] = {}
    users: dict[int, float] = {}
    for row in here:
        _raise(needed, used_by(snapshot, row), 1.0)
        _raise(users, users_of(snapshot, row), 1.0)
    for row in _first(snapshot, needed)[:_FIRST_STEPS]:
        _raise(needed, _defining(snapshot, used_by(snapshot, row)), _OF_SECOND_STEP * needed[row])
    for row in here:
        needed.pop(row, None)
        users.pop(row, None)
    beside = {row: 1.0 for row in _rows_in(snapshot, int(snapshot.file_of_row[here[0]])) if row not in here}
    relations = ((HERE, dict.fromkeys(here, 1.0)), (NEEDED, needed), (USERS, users), (BESIDE, beside))
    return tuple(_hits(snapshot, name, found) for name, found in relations if found)


def rows_at(snapshot: Snapshot, focus: Focus) -> list[int]:
    """The chunks that the focus touches, the smallest ones: a method rather than its class."""
    if focus.path not in snapshot.paths:
        return []
    first, last = focus.start_line, max(focus.end_line, focus.start_line)
    spans = [(row, snapshot.chunk(row).span) for row in _rows_in(snapshot, snapshot.paths.index(focus.path))]
    touched = [(row, span) for row, span in spans if span.start_line <= last and first <= span.end_line]
    inner = [
        row
        for row, span in touched
        if not any(
            other != row
            and span.start_line <= each.start_line
            and each.end_line <= span.end_line
            and (each.end_line - each.start_line) < (span.end_line - span.start_line)
            for other, each in touched
        )
    ]
    return inner


def _rows_in(snapshot: Snapshot, file: int) -> list[int]:
    rows = np.flatnonzero(snapshot.file_of_row == file)
    found: list[int] = rows[np.argsort(snapshot.order[rows])].tolist()
    return found


def _raise(known: dict[int, float], found: Mapping[int, float], share: float) -> None:
    for row, worth in found.items():
        known[row] = max(known.get(row, 0.0), share * worth)


def _defining(snapshot: Snapshot, found: Mapping[int, float]) -> dict[int, float]:
    return {row: worth for row, worth in found.items() if _KINDS[snapshot.kind_of_row[row]] in DEFINING}


def _first(snapshot: Snapshot, found: Mapping[int, float]) -> list[int]:
    return sorted(found, key=lambda row: (-found[row], int(snapshot.order[row])))


def _hits(snapshot: Snapshot, name: str, found: Mapping[int, float]) -> tuple[Hit, ...]:
    ranked: Sequence[int] = _first(snapshot, found)[:_MOST]
    return tuple(Hit(row, name, rank, found[row]) for rank, row in enumerate(ranked, 1))
