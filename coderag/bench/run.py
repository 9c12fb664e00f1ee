"""Runs cases: brings each tree about, has it indexed, asks, grades.

A subject is coderag or a peer. What cannot be prepared is a problem that the result lists, never the end of a run.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from coderag.bench.losses import losses, place_of
from coderag.bench.scoring import grade
from coderag.bench.stages import WHOLE
from coderag.bench.values import Asked, Case, Outcome, Place
from coderag.config import Settings
from coderag.diagnose.trial import Trial
from coderag.errors import CoderagError
from coderag.index import Index
from coderag.types import Without

SHOWN = 10
"""Hits of the searches that are timed, as many as a search shows."""

Progress = Callable[[str], None]
"""Called with a line about each case that is done."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds on the clock of one build or update, and the median milliseconds of its searches."""

    task: str
    place: str
    index_seconds: float
    query_milliseconds: float
    chunks: int = 0


@dataclass(slots=True)
class Run:
    """Everything that came of a run, filled case by case."""

    subject: str
    outcomes: list[Outcome] = field(default_factory=list)
    timings: list[Timing] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def of(self, variant: str) -> list[Outcome]:
        """The outcomes of one variant."""
        return [each for each in self.outcomes if each.variant == variant]


class Session(Protocol):
    """A tree that a subject has indexed."""

    def outcomes(self, asked: Asked) -> Iterator[Outcome]:
        """The answer of each variant of the subject to a question."""

    def questions(self, case: Case) -> Sequence[Asked]:
        """The questions of a case that the subject can answer."""

    def close(self) -> None:
        """Let the tree go."""


class Subject(Protocol):
    """What is measured."""

    @property
    def name(self) -> str:
        """What it is called in the result."""

    def open(self, root: Path, case: Case, work: Path) -> tuple[Session, int]:
        """Index a tree, and how many chunks that makes; `work` is a folder for the case's place."""


@dataclass(frozen=True, slots=True)
class Coderag:
    """coderag in all its variants. Its indexes are in `folder` beside each tree."""

    variants: Mapping[str, Without]
    settings: Settings = field(default_factory=Settings)
    name: str = "coderag"
    folder: str = "index"

    def open(self, root: Path, case: Case, work: Path) -> tuple[CoderagSession, int]:
        """Build or update the index of a case."""
        index = open_index(root, work / self.folder, self.settings)
        return CoderagSession(index, case.below, self.variants), len(index.snapshot().manifest.rows)


def open_index(root: Path, folder: Path, settings: Settings) -> Index:
    """The index of a tree, kept in a folder of its own and brought up to date."""
    return Index.build(root, settings=replace(settings, index_directory=str(folder)))


class CoderagSession:
    """One index and what it was asked."""

    def __init__(self, index: Index, below: str, variants: Mapping[str, Without]) -> None:
        self.index = index
        self._below = below
        self._variants = variants
        self._places: dict[int, Place] = {}

    def questions(self, case: Case) -> Sequence[Asked]:
        """Those that are given and those that are mined from the index."""
        return (*case.given, *(case.mine(self.index) if case.mine else ()))

    def close(self) -> None:
        """Close the index."""
        self.index.close()

    def outcomes(self, asked: Asked) -> Iterator[Outcome]:
        """The whole pipeline first, with its time and losses, then the other variants."""
        start = time.perf_counter()
        self.index.search(replace(asked.query, k=SHOWN))
        milliseconds = 1_000 * (time.perf_counter() - start)
        trial = self.index.trial(asked.query)
        for variant, without in self._variants.items():
            places = self._ranked(trial, without)
            scores = grade(asked, places)
            if variant == WHOLE:
                lost = tuple(losses(asked, trial, places, self._below))
                yield Outcome(asked, variant, scores, tuple(places), lost, milliseconds)
            else:
                yield Outcome(asked, variant, scores)

    def _ranked(self, trial: Trial, without: Without) -> list[Place]:
        rows = [each.row for each in trial.ranking(without).ranked]
        unknown = [row for row in rows if row not in self._places]
        for row, chunk in trial.snapshot.chunks(unknown).items():
            self._places[row] = place_of(chunk, self._below)
        return [self._places[row] for row in rows]


def run(subject: Subject, cases: Iterable[Case], work: Path, progress: Progress) -> Run:
    """Put the questions of all cases to a subject. `work` holds trees and indexes, and is worth keeping for the next run."""
    result = Run(subject.name)
    work.mkdir(parents=True, exist_ok=True)
    (work / ".gitignore").write_text("*\n", encoding="ascii")
    for case in cases:
        try:
            line = _run_case(subject, case, work / case.task / case.place, result)
        except CoderagError as error:
            result.problems.append(f"{case.task} {case.place}: {error}")
            line = f"not measured: {error}"
        progress(f"{case.task} {case.place}: {line}")
    return result


def _run_case(subject: Subject, case: Case, place: Path, result: Run) -> str:
    root = case.prepare(place / "tree") / case.below
    start = time.perf_counter()
    session, chunks = subject.open(root, case, place)
    seconds = time.perf_counter() - start
    try:
        asked = session.questions(case)
        outcomes = [outcome for question in asked for outcome in session.outcomes(question)]
    finally:
        session.close()
    result.outcomes += outcomes
    times = [outcome.milliseconds for outcome in outcomes if outcome.milliseconds]
    median = statistics.median(times) if times else 0.0
    result.timings.append(Timing(case.task, case.place, seconds, median, chunks))
    asking = f", {median:.1f} ms a question" if times else ""
    return f"{len(asked)} questions, indexed in {seconds:.1f} s{asking}"
