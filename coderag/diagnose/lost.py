"""Where an expected chunk was lost on the way from the disk to the payload: the stage, and what decided there.

The stages in their order: the index (a rule of the walk, a parse that failed), the filters of the question, recall, the ranking, the budget.
A chunk that passed one is looked for in the next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from coderag.assemble.assembler import ContextAssembly
from coderag.diagnose.explain import by_weight, proposals_of
from coderag.diagnose.trial import Trial
from coderag.diagnose.why import Why
from coderag.errors import EmbeddingError
from coderag.languages import BY_NAME
from coderag.recall import RECALLERS
from coderag.recall.filters import allowed_rows
from coderag.recall.fusion import Fused
from coderag.snapshot import StoredSnapshot
from coderag.types import Chunk, Hit, Query, SignalValue

GAPS_SHOWN = 12


class Stage(StrEnum):
    """Where a chunk was lost."""

    INDEX = "index"
    FILTER = "filter"
    RECALL = "recall"
    RANKING = "ranking"
    BUDGET = "budget"
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class Standing:
    """How a recaller stands to a chunk. `rank` is the one it has, or would have if more were asked for; 0: it does not find it.

    `proposed`: it is among those that the recaller gave, `of` how many these were.
    """

    recaller: str
    rank: int
    proposed: bool
    of: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Gap:
    """What one signal gave a chunk and what it gave another one, as contributions to the score."""

    signal: str
    own: float
    other: float

    @property
    def difference(self) -> float:
        """How far the signal put the chunk ahead of the other one."""
        return self.own - self.other


@dataclass(frozen=True, slots=True)
class Lost:
    """The answer. `rank` is the place among `candidates`, 0 for a chunk that is none of them; `gaps` compare with `last_shown`.

    `detail` says in a sentence what decided.
    """

    target: str
    stage: Stage
    detail: str
    chunk: Chunk | None = None
    rank: int = 0
    candidates: int = 0
    score: float = 0.0
    standings: tuple[Standing, ...] = ()
    signals: tuple[SignalValue, ...] = ()
    gaps: tuple[Gap, ...] = ()
    last_shown: str = ""

    @property
    def is_shown(self) -> bool:
        """Whether it was not lost."""
        return self.stage is Stage.NOWHERE


def where_lost(trial: Trial, why: Why, assembly: ContextAssembly | None = None) -> Lost:
    """Where the chunk that `why` found was lost for a question. With an assembly of the same question the budget is looked at, too.

    Raises:
        QueryError: the query is empty or names something unknown.
    """
    if not why.is_indexed:
        return Lost(why.target, Stage.INDEX, f"{why.verdict} ({why.stage}): {why.detail}")
    rows = {row_of(trial.snapshot, chunk): chunk for chunk in why.chunks}
    if trial.allowed is not None and not any(trial.allowed[row] for row in rows):
        chunk = why.chunks[0]
        return Lost(why.target, Stage.FILTER, f"left out by {_filters(trial, tuple(rows))}", chunk)
    everything = trial.everything()
    place = next((place for place, fused in enumerate(everything) if fused.row in rows), -1)
    if place < 0:
        return _not_recalled(trial, why, rows)
    found = _ranked(trial, why, everything, place, rows[everything[place].row])
    return found if assembly is None else _assembled(found, assembly)


def row_of(snapshot: StoredSnapshot, chunk: Chunk) -> int:
    """The row of a chunk."""
    ordinal = snapshot.file(chunk.path).names.index(chunk.id[len(chunk.path) + 1 :])
    return int(snapshot.rows_of(chunk.path)[ordinal])


def _filters(trial: Trial, rows: Sequence[int]) -> str:
    """The filters that leave none of the rows, each on its own."""
    query = trial.query
    alone = {
        f"the paths {', '.join(query.paths)}": Query(paths=query.paths),
        f"the languages {', '.join(query.languages)}": Query(languages=query.languages),
        f"the kinds {', '.join(query.kinds)}": Query(kinds=query.kinds),
    }
    refusing = []
    for words, filter_alone in alone.items():
        allowed = allowed_rows(trial.snapshot, filter_alone, BY_NAME)
        if allowed is not None and not any(allowed[row] for row in rows):
            refusing.append(words)
    return " and ".join(refusing) or "the filters together"


# Recall


def _not_recalled(trial: Trial, why: Why, rows: dict[int, Chunk]) -> Lost:
    complete = _complete(trial)
    ranks = {hit.row: hit.rank for hits in complete.values() for hit in reversed(hits) if hit.row in rows}
    best = min(rows, key=lambda row: (ranks.get(row, len(trial.snapshot.order)), int(trial.snapshot.order[row])))
    standings = _standings(trial, best, complete)
    near = min((each for each in standings if each.rank), key=lambda each: (each.rank, each.recaller), default=None)
    if near is None:
        detail = "no recaller finds it at all: the question has neither its words nor its names nor its meaning"
    else:
        detail = f"no recaller proposed it; {near.recaller} has it at rank {near.rank:,} and gave {near.of:,}"
    return Lost(why.target, Stage.RECALL, detail, rows[best], candidates=len(trial.candidates()), standings=standings)


def _complete(trial: Trial) -> dict[str, Sequence[Hit]]:
    """Everything that each recaller would propose if nothing were cut off."""
    found: dict[str, Sequence[Hit]] = {}
    for name, recaller in RECALLERS.items():
        try:
            found[name] = recaller(trial.snapshot, trial.reading.query, len(trial.snapshot.order), trial.allowed)
        except EmbeddingError:  # the notes of the trial say so
            found[name] = ()
    return found


def _standings(trial: Trial, row: int, complete: Mapping[str, Sequence[Hit]]) -> tuple[Standing, ...]:
    """How every recaller stands to a row, and every ranking that the question itself made."""
    given = {hits[0].recaller: hits for hits in trial.rankings()}
    standings = []
    for name in dict.fromkeys((*complete, *given)):
        proposed = proposals_of([given.get(name, ())], row)
        found = proposed or proposals_of([complete.get(name, ())], row)
        rank, why = (found[0].rank, found[0].why) if found else (0, "")
        standings.append(Standing(name, rank, bool(proposed), len(given.get(name, ())), why))
    return tuple(standings)


# The ranking and the budget


def _ranked(trial: Trial, why: Why, everything: Sequence[Fused], place: int, chunk: Chunk) -> Lost:
    fused, shown = everything[place], min(trial.query.k, len(everything))
    found = Lost(
        why.target,
        Stage.NOWHERE,
        f"it is hit {place + 1} of {shown}",
        chunk,
        place + 1,
        len(everything),
        fused.score,
        _standings(trial, fused.row, _complete(trial)),
        by_weight(fused.reasons),
    )
    if place < shown:
        return found
    last = everything[shown - 1]
    gaps = compared(fused.reasons, last.reasons)
    against = ", ".join(each.signal for each in gaps if each.difference < 0.0) or "nothing but ties"
    name = trial.snapshot.chunk_id(last.row)
    detail = f"ranked {place + 1:,} of {len(everything):,}, {shown} are shown; the last of them is ahead by {against}"
    return replace(found, stage=Stage.RANKING, detail=detail, gaps=gaps[:GAPS_SHOWN], last_shown=name)


def compared(own: Sequence[SignalValue], other: Sequence[SignalValue]) -> tuple[Gap, ...]:
    """Two explanations signal by signal, those first that put the second ahead most."""
    mine = {each.name: each.contribution for each in own}
    theirs = {each.name: each.contribution for each in other}
    gaps = (Gap(name, mine.get(name, 0.0), theirs.get(name, 0.0)) for name in {**mine, **theirs})
    return tuple(sorted((gap for gap in gaps if gap.difference), key=lambda gap: (gap.difference, gap.signal)))


def _assembled(found: Lost, assembly: ContextAssembly) -> Lost:
    """What became of a candidate in an assembly, whose budget may reach further down than the hits that are shown."""
    assert found.chunk is not None
    name = found.chunk.id
    if any(item.id == name for item in assembly.items):
        shown = "among the hits" if found.is_shown else "as a member or a definition of other hits"
        detail = f"it is in the assembly, {shown}; rank {found.rank:,} of {found.candidates:,}"
        return replace(found, stage=Stage.NOWHERE, detail=detail)
    rules = [f"{each.why} ({each.tokens:,} tokens)" for each in assembly.dropped if each.item.id == name]
    rules += [each.why for each in assembly.left_out if each.source.partition(":")[2] == name]
    if rules:
        return replace(found, stage=Stage.BUDGET, detail=f"rank {found.rank:,}; left out of the assembly: {rules[0]}")
    if not found.is_shown:
        return found
    detail = f"rank {found.rank:,}, but the policy asks for fewer matches than {found.rank:,}"
    return replace(found, stage=Stage.BUDGET, detail=detail)
