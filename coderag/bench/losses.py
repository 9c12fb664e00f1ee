"""Where each target ended up: found first, or lost, and at which stage.

A target is followed through the pipeline: its file is indexed, a chunk stands for it, a recaller proposes that chunk, the reranker puts it
among the first, and it fits the budget. Knows the index; the places are those of the whole pipeline.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from coderag.assemble.tokens import estimate_tokens
from coderag.bench.scoring import BUDGETS, counted, within
from coderag.bench.values import Asked, Loss, Place, Target
from coderag.diagnose.trial import Trial
from coderag.types import Chunk

FIRST: Final = 3
SHOWN: Final = 10

FOUND = f"in the first {FIRST}"
LATER = f"{FIRST + 1} to {SHOWN}"
OVER_BUDGET = "over budget"
RANKED_OUT = "ranked out"
NOT_RECALLED = "not recalled"
NOT_CHUNKED = "not chunked"
NOT_INDEXED = "not indexed"
STAGES: Final = (FOUND, LATER, OVER_BUDGET, RANKED_OUT, NOT_RECALLED, NOT_CHUNKED, NOT_INDEXED)


def losses(asked: Asked, trial: Trial, places: Sequence[Place], below: str) -> Iterator[Loss]:
    """One entry for each target of the question's finest level."""
    targets = asked.targets.get("function") or asked.targets.get("file", ())
    kept = counted(asked, places)
    fit = within(asked.rule, kept, targets, BUDGETS[-1])
    for target, fits in zip(targets, fit, strict=True):
        rank = next((rank for rank, place in enumerate(kept, 1) if asked.rule.hits(place, target)), 0)
        if 0 < rank <= FIRST:
            yield Loss(FOUND, target, rank)
        else:
            yield _lost(asked, trial, Loss(LATER if fits else OVER_BUDGET, target, rank), below)


def _lost(asked: Asked, trial: Trial, shown: Loss, below: str) -> Loss:
    """The stage that lost a target, where it is not `shown` at all."""
    target = shown.target
    paths = [path for path in trial.snapshot.paths if asked.rule.hits(Place(joined(below, path)), _whole(target))]
    if not paths:
        return replace(shown, stage=NOT_INDEXED)
    rows = [row for path in paths for row in trial.snapshot.rows_of(path).tolist()]
    chunks = trial.snapshot.chunks(rows)
    hitting = {row for row in rows if asked.rule.hits(place_of(chunks[row], below), target)}
    if not hitting:
        return replace(shown, stage=NOT_CHUNKED)
    recalled = {
        hits[0].recaller: min(ranks)
        for hits in trial.rankings()
        if (ranks := [hit.rank for hit in hits if hit.row in hitting])
    }
    if 0 < shown.rank <= SHOWN:
        return replace(shown, recalled=recalled)
    is_candidate = not hitting.isdisjoint(trial.candidates().rows.tolist())
    return replace(shown, stage=RANKED_OUT if is_candidate else NOT_RECALLED, recalled=recalled)


def _whole(target: Target) -> Target:
    return Target(target.file)


def place_of(chunk: Chunk, below: str) -> Place:
    """A chunk as an answer."""
    span = chunk.span
    return Place(joined(below, chunk.path), span.start_line, span.end_line, estimate_tokens(chunk.text))


def joined(below: str, path: str) -> str:
    """A path that is relative to the folder `below`, relative to the top."""
    return f"{below}/{path}" if below else path
