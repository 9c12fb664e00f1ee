"""What is indexed, how fresh it is, and what was left out and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coderag.config import Settings
from coderag.diagnose.freshness import Freshness, freshness
from coderag.errors import IndexCorruptError
from coderag.records import CONFIDENCES, EDGE_KINDS, from_json
from coderag.snapshot import StoredSnapshot
from coderag.types import Problem, Reason, Skipped
from coderag.update.shelf import BLOCK as SHELF
from coderag.update.shelf import Shelved, shelved


@dataclass(frozen=True, slots=True)
class LanguageCount:
    """How much of a language is indexed."""

    language: str
    files: int
    lines: int
    chunks: int


@dataclass(frozen=True, slots=True)
class Status:
    """One generation, described. `encodings` lists files that are not UTF-8, `problems` those of which a part was lost.

    `shelf_files` and `shelf_bytes` tell what is kept of files that have changed or gone, in case they come back.
    """

    root: str
    directory: str
    generation: int
    files: int
    lines: int
    chunks: int
    bytes_on_disk: int
    languages: tuple[LanguageCount, ...]
    edges: Mapping[str, int]
    confidences: Mapping[str, int]
    skipped: tuple[Skipped, ...]
    problems: tuple[tuple[str, Problem], ...]
    encodings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, int], ...]
    freshness: Freshness
    shelf_files: int
    shelf_bytes: int

    @property
    def skipped_by_reason(self) -> dict[str, int]:
        """How many paths were left out for each reason; a directory counts once."""
        return dict(sorted(Counter(str(each.reason) for each in self.skipped).items()))


def skipped(snapshot: StoredSnapshot) -> tuple[Skipped, ...]:
    """Everything that was left out of a generation."""
    return tuple(
        Skipped(path, Reason(reason), detail) for path, reason, detail in from_json(snapshot.block("skipped") or b"[]")
    )


def status(root: Path, settings: Settings, snapshot: StoredSnapshot) -> Status:
    """Describe a generation and compare it with the work tree."""
    manifest = snapshot.manifest
    records = [snapshot.file(path) for path in snapshot.paths]
    directory = root / settings.index_directory
    shelf = _shelf(snapshot)
    return Status(
        root=str(root),
        directory=str(directory),
        generation=snapshot.generation,
        files=len(manifest.paths),
        lines=int(manifest.lines.sum()),
        chunks=len(manifest.rows),
        bytes_on_disk=sum(path.stat().st_size for path in directory.glob("index.sqlite3*")),
        languages=_languages(snapshot),
        edges=_counted([str(kind) for kind in EDGE_KINDS], snapshot.edges.kinds),
        confidences=_counted([str(each) for each in CONFIDENCES], snapshot.edges.confidences),
        skipped=skipped(snapshot),
        problems=tuple((record.path, problem) for record in records for problem in record.problems),
        encodings=tuple((record.path, record.encoding) for record in records if record.encoding != "utf-8"),
        secrets=tuple((record.path, record.secrets) for record in records if record.secrets),
        freshness=freshness(root, settings, snapshot),
        shelf_files=len(shelf),
        shelf_bytes=sum(each.size for each in shelf),
    )


def _shelf(snapshot: StoredSnapshot) -> tuple[Shelved, ...]:
    """What is on the shelf; nothing where it is damaged, as an update has it."""
    try:
        return shelved(snapshot.block(SHELF))
    except IndexCorruptError:
        return ()


def _languages(snapshot: StoredSnapshot) -> tuple[LanguageCount, ...]:
    manifest = snapshot.manifest
    files = Counter(manifest.languages)
    lines: Counter[str] = Counter()
    chunks: Counter[str] = Counter()
    for language, count, chunk_count in zip(
        manifest.languages, manifest.lines.tolist(), manifest.chunk_counts.tolist(), strict=True
    ):
        lines[language] += count
        chunks[language] += chunk_count
    return tuple(
        LanguageCount(name, files[name], lines[name], chunks[name])
        for name in sorted(files, key=lambda name: (-lines[name], name))
    )


def _counted(names: list[str], column: NDArray[np.uint8]) -> dict[str, int]:
    counts = np.bincount(column, minlength=len(names)).tolist()
    return {name: count for name, count in zip(names, counts, strict=True) if count}
