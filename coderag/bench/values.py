"""What a benchmark is made of: questions with known answers, the trees they are about, and the places that a subject answers with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from coderag.index import Index
from coderag.types import Query

DEPTH = 30
"""Places asked of a subject."""


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a file that a subject answers with; paths are relative to the top of the repository. Lines 0: the file as such."""

    file: str
    start_line: int = 0
    end_line: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Target:
    """Where a right answer stands. Lines 0: anywhere in the file. `edited` are the lines that a fix changed."""

    file: str
    start_line: int = 0
    end_line: int = 0
    symbol: str = ""
    edited: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """How answers are graded: the paths that count, when a place hits a target, and down to which rank."""

    name: str
    keeps: Callable[[str], bool]
    hits: Callable[[Place, Target], bool]
    depth: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its answers. `targets` by level: "function" (parts of files) and "file".

    `merges_files`: at the level of files every file takes one rank, however many places it has. `known` is what the asker has
    before his eyes: a place inside of it is no answer and takes no rank.
    """

    task: str
    id: str
    query: Query
    targets: Mapping[str, tuple[Target, ...]]
    rule: Rule
    repository: str
    language: str = ""
    category: str = ""
    merges_files: bool = True
    known: Target | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A tree and the questions about it. `below` is what a subject is pointed at; cases of one `place` follow one another there.

    `prepare` brings the tree about in a folder of its own and returns its top. Questions are given, or mined from the index.
    """

    task: str
    place: str
    prepare: Callable[[Path], Path]
    given: tuple[Asked, ...] = ()
    mine: Callable[[Index], Sequence[Asked]] | None = None
    below: str = ""


@dataclass(frozen=True, slots=True)
class Loss:
    """Where a target ended up: a stage of `losses.STAGES`, and the best rank that each recaller gave to one of its chunks."""

    stage: str
    target: Target
    rank: int = 0
    recalled: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question answered by one variant of a subject: metrics by level, and for the whole pipeline the places and losses."""

    asked: Asked
    variant: str
    scores: Mapping[str, Mapping[str, float]]
    places: tuple[Place, ...] = ()
    losses: tuple[Loss, ...] = ()
    milliseconds: float = 0.0
