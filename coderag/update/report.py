"""What an update says: its progress while it runs, a report when it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Progress = Callable[[str, int, int], None]
"""Called with what there is to count, how much is done, and of how much (0: not known beforehand).

Stages are "walk", "read" (bytes), "embed" (files), "link" (files) and "write"; during "read" also "files" and "chunks", after "link"
also "edges"."""


@dataclass(frozen=True, slots=True)
class Report:
    """What an update found and did. `embedded` counts the chunks whose content had no vector yet, `reused`
    the files whose content was parsed before, for another branch or by another work tree.

    `notes` say in words what is unusual (a rebuild and why, a fallback).
    """

    generation: int
    files: int
    lines: int
    chunks: int
    edges: int
    added: int = 0
    changed: int = 0
    removed: int = 0
    moved: int = 0
    relinked: int = 0
    embedded: int = 0
    reused: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    problems: int = 0
    secrets: int = 0
    notes: tuple[str, ...] = ()
