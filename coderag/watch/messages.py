"""What a keeper and the process that started it say to each other: one JSON object a line."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum


class Task(StrEnum):
    """What a keeper can be asked to do."""

    CATCH_UP = "catch up"  # update if that is cheap, and say how the index stands
    UPDATE = "update"  # make the index equal to the root, however long it takes
    VERIFY = "verify"  # the same, trusting nothing: a damaged index is set aside and built anew


class State(StrEnum):
    """How an index stands to its root."""

    FRESH = "fresh"
    STALE = "stale"
    HELD = "held"  # stale, and it cannot be updated now: another process writes it, or the disk refuses
    ABSENT = "absent"
    DAMAGED = "damaged"  # it cannot be read; an update sets it aside and builds it anew
    FAILED = "failed"  # it could not be brought up to date; the reason says why


@dataclass(frozen=True, slots=True)
class Request:
    """A task with the number by which it is answered."""

    number: int
    task: Task

    def encode(self) -> bytes:
        """One line."""
        return _line(asdict(self))

    @classmethod
    def decode(cls, line: bytes) -> Request:
        """The inverse of `encode`."""
        value = json.loads(line)
        return cls(int(value["number"]), Task(value["task"]))


@dataclass(frozen=True, slots=True)
class Standing:
    """The answer to request `number`: how the index stands, how many files differ from it, and what is unusual."""

    number: int
    state: State
    added: int = 0
    changed: int = 0
    removed: int = 0
    reason: str = ""
    notes: tuple[str, ...] = ()

    @property
    def pending(self) -> int:
        """How many files differ."""
        return self.added + self.changed + self.removed


@dataclass(frozen=True, slots=True)
class Step:
    """Progress of a task, as `coderag.update.Progress` has it."""

    stage: str
    done: int
    total: int


def encode(message: Standing | Step) -> bytes:
    """One line."""
    return _line(asdict(message))


def decode(line: bytes) -> Standing | Step:
    """The inverse of `encode`."""
    value = json.loads(line)
    if "stage" in value:
        return Step(value["stage"], value["done"], value["total"])
    return Standing(**{**value, "state": State(value["state"]), "notes": tuple(value["notes"])})


def _line(value: dict[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=True).encode() + b"\n"
