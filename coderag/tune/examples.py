"""What fitting learns from: every candidate of every question with the values of its signals, and which of them are right.

One `Examples` holds any number of questions as arrays, one question after another. It is gathered from the cases of benchmark tasks,
can be joined with others, and is saved without text of questions or of code.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coderag.bench.losses import joined as below_folder
from coderag.bench.run import CoderagSession, Progress, open_index, run
from coderag.bench.scoring import counted
from coderag.bench.values import Asked, Case, Outcome, Place, Target
from coderag.config import Settings
from coderag.diagnose.trial import Trial
from coderag.errors import BenchError
from coderag.index import Index
from coderag.rerank.signals import SIGNALS

MANNERS: Final = ("weight", "long", "trace")
"""The weights that a signal has, as `weights.json` calls them: in a short question, in a report, in a trace."""

TASK_WEIGHTS: Final[Mapping[str, float]] = {"fixes": 3.2, "issues": 3.2, "traces": 3.2, "docs": 0.5}
"""What a question counts in the fit; 1 in the other tasks. From 1.6 to 6.4 the any@3 of fixes rises from 0.656 to 0.664 and the NDCG@10
of questions falls from 0.905 to 0.893, cross-validated; 3.2 has 0.656 and 0.903. With documentation at 0.25, 0.5 and 1 the any@3 of fixes is
0.685, 0.693 and 0.693, that of documentation 0.623, 0.627 and 0.640, and the recall@3 of questions 0.927, 0.925 and 0.920."""

FILE_WEIGHT: Final = 0.4
"""What finding the file counts beside finding the function, where both are asked for."""

Floats = NDArray[np.float64]
Signs = NDArray[np.float32]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """All candidates of all questions in the order of the questions, and all their targets."""

    signals: tuple[str, ...]
    values: Signs  # [candidates, signals]
    manners: Signs  # [candidates, 3]: how much of a short question, a report and a trace the question is; the sum is 1
    files: Numbers  # [candidates]: the same number for candidates of one file, within a question
    looks: Numbers  # [candidates]: the same number for candidates that look the same, within a question
    counts: Flags  # [candidates]: whether it takes a rank, and not one that the question's rule passes over
    starts: Numbers  # [questions + 1]: where its candidates begin
    tasks: tuple[str, ...]
    repositories: tuple[str, ...]
    ids: tuple[str, ...]
    brevity: Floats  # [questions]
    depth: Numbers  # [questions]: the lowest rank that counts
    merges_files: Flags  # [questions]
    hits: Numbers  # [pairs, 2]: candidate and target
    weights: Floats  # [targets]: what finding it counts
    question_of: Numbers  # [targets]
    is_file: Flags  # [targets]: whether it is a file where functions could be asked for

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def sizes(self) -> Numbers:
        """How many candidates each question has."""
        return np.diff(self.starts)

    def save(self, path: Path) -> None:
        """Write the arrays as one compressed `.npz`.

        Raises:
            BenchError: the file cannot be written.
        """
        columns: dict[str, Any] = {each.name: np.asarray(getattr(self, each.name)) for each in fields(self)}
        try:
            with path.open("wb") as stream:
                np.savez_compressed(stream, **columns)
        except OSError as error:
            raise BenchError(f"{path}: {error}; name a file that can be written") from error

    @classmethod
    def load(cls, path: Path) -> Examples:
        """What `save` wrote. Loads arrays of numbers and text only, never objects.

        Raises:
            BenchError: the file cannot be read, or was gathered with other signals than there are now.
        """
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
                columns: dict[str, Any] = {each.name: stored[each.name] for each in fields(cls)}
        except (OSError, ValueError, TypeError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise BenchError(f"{path}: no file of examples ({error}); gather anew") from error
        for name in ("signals", "tasks", "repositories", "ids"):
            columns[name] = tuple(columns[name].tolist())
        if columns["signals"] != signal_names():
            raise BenchError(f"{path}: gathered with other signals than there are now; gather anew")
        return cls(**columns)


def signal_names() -> tuple[str, ...]:
    """The signals that are fitted, in the order of the table."""
    return tuple(signal.name for signal in SIGNALS)


def joined(parts: Sequence[Examples]) -> Examples:
    """The questions of all parts, one part after another.

    Raises:
        BenchError: there is none.
    """
    if not parts:
        raise BenchError("no question could be gathered; see what was said about each case")
    candidates = _offsets(len(each.values) for each in parts)
    questions = _offsets(map(len, parts))
    targets = _offsets(len(each.weights) for each in parts)
    columns: dict[str, Any] = {}
    for each in fields(Examples):
        found = [getattr(part, each.name) for part in parts]
        is_text = isinstance(found[0], tuple)
        columns[each.name] = tuple(text for part in found for text in part) if is_text else np.concatenate(found)
    columns["signals"] = parts[0].signals
    columns["starts"] = np.concatenate(
        [np.zeros(1, np.int64), *(part.starts[1:] + first for part, first in zip(parts, candidates, strict=True))]
    )
    pairs = zip(parts, candidates, targets, strict=True)
    columns["hits"] = np.concatenate([part.hits + np.array([first, target]) for part, first, target in pairs])
    columns["question_of"] = np.concatenate(
        [part.question_of + first for part, first in zip(parts, questions, strict=True)]
    )
    return Examples(**columns)


def _offsets(sizes: Iterable[int]) -> list[int]:
    """Where each part begins."""
    found, total = [], 0
    for size in sizes:
        found.append(total)
        total += size
    return found


@dataclass(frozen=True, slots=True)
class Gathered:
    """The examples of each question in the order of the cases, what went wrong, and how many cases have no question."""

    parts: tuple[Examples, ...]
    problems: tuple[str, ...]
    silent: int


def gather(cases: Iterable[Case], work: Path, settings: Settings, progress: Progress) -> Gathered:
    """Put the questions of all cases to an index of each tree. `work` holds trees and indexes, as for `bench.run.run`."""
    gatherer = _Gatherer(settings)
    result = run(gatherer, cases, work, progress)
    return Gathered(tuple(gatherer.parts), tuple(result.problems), gatherer.silent)


class _Gatherer:
    """A subject that answers nothing and keeps what the reranker would have ordered."""

    name = "signals"

    def __init__(self, settings: Settings) -> None:
        self.parts: list[Examples] = []
        self.silent = 0
        self._settings = settings

    def open(self, root: Path, case: Case, work: Path) -> tuple[_Session, int]:
        """The index of a case, the one that `coderag bench` has too."""
        index = open_index(root, work / "index", self._settings)
        return _Session(index, case.below, self), len(index.snapshot().manifest.rows)


class _Session(CoderagSession):
    def __init__(self, index: Index, below: str, gatherer: _Gatherer) -> None:
        super().__init__(index, below, {})
        self._gatherer = gatherer

    def questions(self, case: Case) -> Sequence[Asked]:
        found = super().questions(case)
        self._gatherer.silent += not found
        return found

    def outcomes(self, asked: Asked) -> Iterator[Outcome]:
        self._gatherer.parts.append(example(asked, self.index.trial(asked.query), self._below))
        return iter(())


def example(asked: Asked, trial: Trial, below: str = "") -> Examples:
    """One question. `below` is the folder that the index is of, relative to the top of its repository.

    Raises:
        QueryError: the query is empty or names something unknown.
    """
    found = trial.candidates()
    rows = found.rows.tolist()
    chunks = trial.snapshot.chunks(rows)
    places = [
        Place(below_folder(below, chunk.path), chunk.span.start_line, chunk.span.end_line)
        for chunk in (chunks[row] for row in rows)
    ]
    counts = np.array([bool(counted(asked, (place,))) for place in places], bool)
    targets = _targets(asked)
    hits = [
        (candidate, number)
        for candidate, place in enumerate(places)
        if counts[candidate]
        for number, (target, _, _) in enumerate(targets)
        if asked.rule.hits(place, target)
    ]
    return Examples(
        signals=signal_names(),
        values=np.stack([signal.values(found) for signal in SIGNALS], axis=1).astype(np.float32),
        manners=np.tile(np.array(found.manner, np.float32), (len(rows), 1)),
        files=found.file_place.astype(np.int64),
        looks=found.looks.astype(np.int64),
        counts=counts,
        starts=np.array([0, len(rows)], np.int64),
        tasks=(asked.task,),
        repositories=(asked.repository,),
        ids=(asked.id,),
        brevity=np.array([found.brevity]),
        depth=np.array([asked.rule.depth], np.int64),
        merges_files=np.array([asked.merges_files]),
        hits=np.array(hits, np.int64).reshape(-1, 2),
        weights=np.array([weight for _, weight, _ in targets], np.float64),
        question_of=np.zeros(len(targets), np.int64),
        is_file=np.array([is_file for _, _, is_file in targets], bool),
    )


def _targets(asked: Asked) -> list[tuple[Target, float, bool]]:
    """Each target with what it counts and whether it is one at the level of files; those of a level share what the level counts."""
    levels = {level: targets for level, targets in asked.targets.items() if targets}
    whole = TASK_WEIGHTS.get(asked.task, 1.0)
    shares = {level: FILE_WEIGHT if level == "file" and len(levels) > 1 else 1.0 for level in levels}
    return [
        (target, whole * shares[level] / len(targets), level == "file")
        for level, targets in levels.items()
        for target in targets
    ]
