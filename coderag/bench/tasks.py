"""The tasks by name: from where each has its cases."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from coderag.bench import fixes, questions
from coderag.bench.checkouts import Repositories
from coderag.bench.values import Case
from coderag.errors import BenchError


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the data of the tasks stand; None for what is not given."""

    repositories: Repositories
    questions: Path | None = None
    fixes: Path | None = None
    issues: Path | None = None
    traces: Path | None = None
    only: Collection[str] = ()


def _questions(sources: Sources) -> Iterator[Case]:
    return questions.cases(_given(sources.questions, "questions"), sources.repositories, sources.only)


def _fixes(sources: Sources) -> Iterator[Case]:
    return fixes.cases("fixes", _given(sources.fixes, "fixes"), sources.repositories, sources.only)


def _issues(sources: Sources) -> Iterator[Case]:
    return fixes.cases("issues", _given(sources.issues, "issues"), sources.repositories, sources.only)


def _traces(sources: Sources) -> Iterator[Case]:
    return fixes.cases("traces", _given(sources.traces, "traces"), sources.repositories, sources.only)


def _given(place: Path | None, task: str) -> Path:
    if place is None:
        raise BenchError(f"the task {task} needs its data: give --{task} PATH")
    return place


TASKS: Final[Mapping[str, Callable[[Sources], Iterator[Case]]]] = {
    "questions": _questions,
    "fixes": _fixes,
    "issues": _issues,
    "traces": _traces,
}


def cases(names: Collection[str], sources: Sources) -> Iterator[Case]:
    """The cases of the named tasks, one task after another.

    Raises:
        BenchError: a task is unknown or its data cannot be used.
    """
    for name in names:
        if name not in TASKS:
            raise BenchError(f"{name!r} is no task; there are {', '.join(TASKS)}")
        yield from TASKS[name](sources)
