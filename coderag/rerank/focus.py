"""Where the editor is, as hits: the chunk under the cursor, what it needs, what needs it, and what stands beside it.

With a question it says which of equal answers is near; without one these hits are the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from coderag.recall.snapshot import Snapshot
from coderag.records import EDGE_KINDS
from coderag.rerank.neighbours import DEFINING, Linked, used_by, users_of
from coderag.types import EdgeKind, Focus, Hit, Kind

NEEDED: Final = "needed by focus"
USERS: Final = "uses focus"
HERE: Final = "focus"
BESIDE: Final = "beside focus"
KIN: Final = "class of focus"
IMPORTED: Final = "imported by focus"
USED_BESIDE: Final = "used beside focus"

_KINDS: Final = tuple(Kind)
_OF_SECOND_STEP: Final = 0.4
_FIRST_STEPS: Final = 40
_MOST: Final = 150
_FILES_FOLLOWED: Final = 30
_NEEDED: Final = np.array([kind not in (EdgeKind.TESTS, EdgeKind.RE_EXPORTS) for kind in EDGE_KINDS])


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
    file = int(snapshot.file_of_row[here[0]])
    beside = {row: 1.0 for row in _rows_in(snapshot, file) if row not in here}
    relations = {
        HERE: dict.fromkeys(here, 1.0),
        NEEDED: needed,
        USERS: users,
        KIN: _kin(snapshot, here, beside),
        BESIDE: beside,
        USED_BESIDE: _used_beside(snapshot, file, here),
        IMPORTED: _imported(snapshot, file),
    }
    return tuple(_hits(snapshot, name, found) for name, found in relations.items() if found)


def _kin(snapshot: Snapshot, here: Sequence[int], beside: Mapping[int, float]) -> dict[int, float]:
    """What is in the same class as the focus, and the class itself."""
    enclosing = {snapshot.chunk(row).enclosing for row in here} - {""}
    chunks = {row: snapshot.chunk(row) for row in beside} if enclosing else {}
    return {row: 1.0 for row, chunk in chunks.items() if chunk.enclosing in enclosing or chunk.symbol in enclosing}


def _used_beside(snapshot: Linked, file: int, here: Sequence[int]) -> dict[int, float]:
    """What other chunks of the file use from other files, or the file imports, by how many do: what is written next often needs it."""
    links = snapshot.links_of(snapshot.paths[file])
    chosen = ~np.isin(links.sources, here) & (snapshot.file_of_row[links.targets] != file) & _NEEDED[links.kinds]
    users: dict[int, dict[int, float]] = {}
    for source, target, count in zip(
        links.sources[chosen].tolist(), links.targets[chosen].tolist(), links.counts[chosen].tolist(), strict=True
    ):
        known = users.setdefault(target, {})
        known[source] = max(known.get(source, 0.0), 1.0 / max(count, 1))
    return {target: 1.0 - 1.0 / (1.0 + sum(found.values())) for target, found in users.items()}


def _imported(snapshot: Linked, file: int) -> dict[int, float]:
    """Chunks that stand for the files that the focus's file depends on: 1 for those, half for the files that those depend on."""
    near: dict[int, float] = {}
    front = [file]
    for worth in (1.0, 0.5):
        found = {other for each in front for other in _files_used(snapshot, each)} - near.keys() - {file}
        near.update(dict.fromkeys(sorted(found), worth))
        front = sorted(found)[:_FILES_FOLLOWED]
    firsts = {each: _rows_in(snapshot, each)[0] for each in near}
    return {firsts[each]: worth for each, worth in near.items()}


def _files_used(snapshot: Linked, file: int) -> set[int]:
    targets = snapshot.links_of(snapshot.paths[file]).targets
    return set(snapshot.file_of_row[targets].tolist())


def rows_at(snapshot: Snapshot, focus: Focus) -> list[int]:
    """The chunks that the focus touches, the smallest ones: a method rather than its class; the nearest ones where it touches none."""
    if focus.path not in snapshot.paths:
        return []
    first, last = focus.start_line, max(focus.end_line, focus.start_line)
    spans = [(row, snapshot.chunk(row).span) for row in _rows_in(snapshot, snapshot.paths.index(focus.path))]
    distances = [max(span.start_line - last, first - span.end_line, 0) for _, span in spans]
    least = min(distances, default=0)
    touched = [each for each, distance in zip(spans, distances, strict=True) if distance == least]
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
