"""Grades: from the places that a subject answers with to metrics. Pure; knows neither files nor indexes.

Recall@k is the share of the targets in the first k places, any@k whether one is there, all@k whether all are. The reciprocal rank is that of
the first hit. NDCG (Järvelin and Kekäläinen, TOIS 2002) has a gain of 1 for each rank that hits a new target, however many it hits,
and as the ideal one target a rank. Recall within a budget takes places in their order while they fit and passes over one that does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from coderag.bench.paths import is_source, may_answer
from coderag.bench.values import Asked, Place, Rule, Target

CUTS: Final = (1, 3, 5, 10)
BUDGETS: Final = (1_000, 4_000)
NDCG_DEPTH: Final = 10
LONGEST: Final = 250
"""A place of more lines than this hits a function only if it is that function."""


def names_file(place: Place, target: Target) -> bool:
    """The file is the target's, or ends with it, and where both have lines they overlap."""
    if place.file != target.file and not place.file.endswith(f"/{target.file}"):
        return False
    if not target.start_line or not place.start_line:
        return True
    return place.start_line <= target.end_line and place.end_line >= target.start_line


def covers_function(place: Place, target: Target) -> bool:
    """Half of the target is in the place, or half of the place is in the target and has an edited line; see `LONGEST`.

    A target without lines is a file.
    """
    if place.file != target.file or not target.start_line:
        return place.file == target.file
    length, wanted = place.end_line - place.start_line + 1, target.end_line - target.start_line + 1
    common = min(place.end_line, target.end_line) - max(place.start_line, target.start_line) + 1
    if common <= 0:
        return False
    if length > LONGEST:
        return 10 * common >= 8 * (length + wanted - common)
    if 2 * common >= wanted:
        return True
    edited = any(place.start_line <= line <= place.end_line for line in target.edited)
    return length >= 3 and 2 * common >= length and edited


def _any_path(path: str) -> bool:
    return True


QUESTIONS: Final = Rule("questions", _any_path, names_file, NDCG_DEPTH)
FIXES: Final = Rule("fixes", is_source, covers_function, 200)
ISSUES: Final = Rule("issues", may_answer, covers_function, 200)


def grade(asked: Asked, places: Sequence[Place]) -> dict[str, dict[str, float]]:
    """The metrics of one answer by level; a level without targets is left out."""
    kept = counted(asked, places)
    found = {}
    for level, targets in asked.targets.items():
        if targets:
            merged = _files(kept) if level == "file" and asked.merges_files else kept
            ranks = ranks_of(asked.rule, merged, targets)
            found[level] = {**by_rank(ranks), **_by_budget(asked.rule, kept, targets)}
    return found


def counted(asked: Asked, places: Iterable[Place]) -> list[Place]:
    """The places that take a rank."""
    return [place for place in places if asked.rule.keeps(place.file) and not _is_inside(place, asked.known)]


def _is_inside(place: Place, known: Target | None) -> bool:
    if known is None or place.file != known.file:
        return False
    return known.start_line <= place.start_line and place.end_line <= known.end_line


def ranks_of(rule: Rule, places: Sequence[Place], targets: Sequence[Target]) -> list[int]:
    """The first rank that hits each target, 0 for none."""
    considered = list(enumerate(places[: rule.depth], 1))
    return [next((rank for rank, place in considered if rule.hits(place, target)), 0) for target in targets]


def within(rule: Rule, places: Iterable[Place], targets: Sequence[Target], budget: int) -> list[bool]:
    """Which targets are among the places that fit a budget of tokens."""
    spent, taken = 0, []
    for place in places:
        if spent + place.tokens <= budget:
            spent += place.tokens
            taken.append(place)
    return [any(rule.hits(place, target) for place in taken) for target in targets]


def _files(places: Iterable[Place]) -> list[Place]:
    return [Place(file) for file in dict.fromkeys(place.file for place in places)]


def by_rank(ranks: Sequence[int]) -> dict[str, float]:
    """The metrics of the ranks at which the targets of one question were found, 0 for not at all; there is at least one."""
    found = sorted(rank for rank in ranks if rank)
    scores: dict[str, float] = {}
    for cut in CUTS:
        count = sum(rank <= cut for rank in found)
        scores[f"recall@{cut}"] = count / len(ranks)
        scores[f"any@{cut}"] = float(count > 0)
        scores[f"all@{cut}"] = float(count == len(ranks))
    gain = sum(1.0 / math.log2(rank + 1) for rank in set(found) if rank <= NDCG_DEPTH)
    ideal = sum(1.0 / math.log2(rank + 1) for rank in range(1, min(NDCG_DEPTH, len(ranks)) + 1))
    return {**scores, "MRR": 1.0 / found[0] if found else 0.0, "NDCG@10": gain / ideal}


def _by_budget(rule: Rule, places: Sequence[Place], targets: Sequence[Target]) -> Mapping[str, float]:
    counted = {budget: within(rule, places, targets, budget) for budget in BUDGETS}
    return {f"recall within {budget}": sum(hits) / len(targets) for budget, hits in counted.items()}
