"""An index as the linker sees it, with some files in another state: as an answer would have them, or as they were at another commit.

Texts that are in no index are parsed like all others: in child processes, with limits of time and memory.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from coderag.analyse import Analysis
from coderag.config import Settings
from coderag.languages import detect_language
from coderag.link import definition_of
from coderag.records import parsed_from_bytes
from coderag.snapshot import StoredSnapshot
from coderag.types import Definition, FileStat, Parsed, WalkedFile
from coderag.workers import analyse_files

PARSED_KEPT = 2_000
_LONGEST_NAME = 120


def structures(texts: Mapping[str, bytes], settings: Settings) -> dict[str, Parsed]:
    """The structure of each text as that of a file of its path; what cannot be read (binary, too long) is left out."""
    if not texts:
        return {}
    with tempfile.TemporaryDirectory(prefix="coderag-") as folder:
        paths = {f"{number}/{_file_name(path)}": path for number, path in enumerate(sorted(texts))}
        walked = [_written(Path(folder), place, texts[path]) for place, path in paths.items()]
        found = analyse_files(Path(folder), walked, settings, 1)
        parsed = {paths[each.path]: parsed_from_bytes(each.parsed) for each in found if isinstance(each, Analysis)}
    return dict(sorted(parsed.items()))


def _file_name(path: str) -> str:
    """The last part of a path, which says its language, short enough for every file system."""
    return path.rpartition("/")[2].replace("\0", "")[-_LONGEST_NAME:] or "text"


def _written(folder: Path, place: str, text: bytes) -> WalkedFile:
    file = folder / place
    file.parent.mkdir()
    file.write_bytes(text)
    found = file.stat()
    return WalkedFile(place, FileStat(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino))


class Overlay:
    """Implements `coderag.link.Universe`. `changed` holds files in their other state; None for one that is not there in it."""

    def __init__(self, snapshot: StoredSnapshot, changed: Mapping[str, Parsed | None]) -> None:
        self._snapshot = snapshot
        self._changed = dict(changed)
        present = {path for path, parsed in self._changed.items() if parsed is not None}
        self._paths = sorted({*(path for path in snapshot.paths if path not in self._changed), *present})
        self._named: dict[str, list[Definition]] = {}
        for path in sorted(present):
            parsed = self.parsed(path)
            for index in range(len(parsed.symbols)):
                definition = definition_of(path, parsed, index)
                self._named.setdefault(definition.name, []).append(definition)
        self._stored = lru_cache(PARSED_KEPT)(snapshot.parsed)

    def paths(self) -> Sequence[str]:
        """All paths, sorted."""
        return self._paths

    def has(self, path: str) -> bool:
        """Whether there is a file of this path."""
        if path in self._changed:
            return self._changed[path] is not None
        return self._snapshot.index_of(path) >= 0

    def language(self, path: str) -> str:
        """The language of a path."""
        if path in self._changed:
            parsed = self._changed[path]
            return parsed.language if parsed else detect_language(path)
        return self._snapshot.languages[self._snapshot.index_of(path)]

    def parsed(self, path: str) -> Parsed:
        """The structure of a file."""
        parsed = self._changed.get(path)
        return parsed if parsed is not None else self._stored(path)

    def named(self, name: str) -> Sequence[Definition]:
        """The definitions whose name is exactly this, by (path, index)."""
        stored = (
            each for each in self._snapshot.definitions(name) if each.name == name and each.path not in self._changed
        )
        return sorted((*stored, *self._named.get(name, ())), key=lambda each: (each.path, each.index))
