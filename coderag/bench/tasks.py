"""The tasks by name: from where each has its cases."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from coderag.bench import docs, fixes, focus, history, questions
from coderag.bench.checkouts import Repositories, git
from coderag.bench.values import Case
from coderag.errors import BenchError
from coderag.walk.git import common_directory, find_work_tree, git_directory, head_commit


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the data of the tasks stand; None for what is not given.

    What is mined comes from the repositories `of` (`owner/name` or `owner/name@commit`), from the work tree around `root` where
    there are none; so many of the newest `commits` are asked about.
    """

    repositories: Repositories
    questions: Path | None = None
    fixes: Path | None = None
    issues: Path | None = None
    traces: Path | None = None
    packages: Path | None = None
    root: Path = Path()
    of: tuple[str, ...] = ()
    commits: int = 30
    only: Collection[str] = ()


def _questions(sources: Sources) -> Iterator[Case]:
    return questions.cases(_given(sources.questions, "questions"), sources.repositories, sources.only)


def _fixes(sources: Sources) -> Iterator[Case]:
    return fixes.cases("fixes", _given(sources.fixes, "fixes"), sources.repositories, sources.only)


def _issues(sources: Sources) -> Iterator[Case]:
    return fixes.cases("issues", _given(sources.issues, "issues"), sources.repositories, sources.only)


def _traces(sources: Sources) -> Iterator[Case]:
    return fixes.cases("traces", _given(sources.traces, "traces"), sources.repositories, sources.only)


def _docs(sources: Sources) -> Iterator[Case]:
    return docs.cases(_given(sources.packages, "packages"), sources.only)


def _focus(sources: Sources) -> Iterator[Case]:
    for name, repository, commit in mined(sources):
        yield from focus.cases(repository, name, commit)
        yield from history.together(repository, name, commit, sources.commits)


def _yours(sources: Sources) -> Iterator[Case]:
    for name, repository, commit in mined(sources):
        yield from history.yours(repository, name, commit, sources.commits)


def mined(sources: Sources) -> Iterator[tuple[str, Path, str]]:
    """Name, git directory and commit of each repository that is mined.

    Raises:
        BenchError: there is none of that name, or no work tree with a commit around the root.
    """
    for entry in sources.of:
        name, _, commit = entry.partition("@")
        repository = sources.repositories.required(name)
        yield name, repository, commit or git(repository, "rev-parse", "--verify", "HEAD").decode().strip()
    if not sources.of:
        try:
            own = around(sources.root)
        except BenchError as error:
            raise BenchError(f"{error}, or name a repository with --of") from error
        yield own


def around(root: Path) -> tuple[str, Path, str]:
    """Name, git directory and newest commit of the work tree around a root.

    Raises:
        BenchError: there is none, or it has no commit yet.
    """
    top = find_work_tree(root)
    directory = top and git_directory(str(top))
    if not top or not directory:
        raise BenchError(f"{root.absolute()}: no git work tree, and questions are made of commits; run this in one")
    head = head_commit(top)
    if not head:
        raise BenchError(f"{top}: no commit yet, and questions are made of commits; commit first")
    return top.name, Path(common_directory(directory)).resolve(), head


def _given(place: Path | None, task: str) -> Path:
    if place is None:
        raise BenchError(f"there is no data: give --{task} PATH")
    return place


TASKS: Final[Mapping[str, Callable[[Sources], Iterator[Case]]]] = {
    "questions": _questions,
    "fixes": _fixes,
    "issues": _issues,
    "traces": _traces,
    "docs": _docs,
    "focus": _focus,
    "yours": _yours,
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
