"""What a file or a folder holds, from the index alone: symbols with their lines, folders with their sizes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from coderag.errors import QueryError
from coderag.snapshot import StoredSnapshot
from coderag.types import Kind, Parsed


@dataclass(frozen=True, slots=True)
class OutlinedSymbol:
    """A symbol of a file; `depth` counts the symbols around it."""

    name: str
    qualified_name: str
    kind: Kind
    start_line: int
    end_line: int
    signature: str
    depth: int


@dataclass(frozen=True, slots=True)
class OutlinedFile:
    """A file of a folder; `names` are its chunks at module level, the most used first."""

    path: str
    language: str
    lines: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutlinedFolder:
    """A folder inside of a folder, with everything below it."""

    path: str
    files: int
    lines: int


@dataclass(frozen=True, slots=True)
class Outline:
    """A file (`symbols`) or a folder (`folders`, `files`). The path of the root is ""."""

    path: str
    is_file: bool
    symbols: tuple[OutlinedSymbol, ...] = ()
    folders: tuple[OutlinedFolder, ...] = ()
    files: tuple[OutlinedFile, ...] = ()


def outline(snapshot: StoredSnapshot, path: str) -> Outline:
    """Outline an indexed file or folder, by its path relative to the root.

    Raises:
        QueryError: the index has nothing at this path.
    """
    place = path.strip("/")
    place = "" if place == "." else place
    if snapshot.index_of(place) >= 0:
        return Outline(place, True, _symbols(snapshot.parsed(place)))
    prefix = f"{place}/" if place else ""
    below = [index for index, each in enumerate(snapshot.paths) if each.startswith(prefix)]
    if not below:
        raise QueryError(f"{path!r}: no indexed file or folder; `why` says what happened to a path")
    files = tuple(_file(snapshot, index) for index in below if "/" not in snapshot.paths[index][len(prefix) :])
    return Outline(place, False, (), _folders(snapshot, below, prefix), files)


def _symbols(parsed: Parsed) -> tuple[OutlinedSymbol, ...]:
    depths: list[int] = []
    result = []
    for symbol in parsed.symbols:
        depths.append(depths[symbol.parent] + 1 if symbol.parent >= 0 else 0)
        span = symbol.span
        result.append(
            OutlinedSymbol(
                symbol.name,
                symbol.qualified_name,
                symbol.kind,
                span.start_line,
                span.end_line,
                symbol.signature,
                depths[-1],
            )
        )
    return tuple(result)


def _file(snapshot: StoredSnapshot, index: int) -> OutlinedFile:
    """By the names of its chunks, which are quicker to read than its structure."""
    path = snapshot.paths[index]
    uses = snapshot.reference_count[snapshot.rows_of(path)].tolist()
    names = [name.partition("@")[0].partition("~")[0] for name in snapshot.file(path).names]
    by_use = sorted(zip(uses, names, strict=True), key=lambda each: -each[0])
    own = dict.fromkeys(name for _, name in by_use if name and "." not in name)
    return OutlinedFile(path, snapshot.languages[index], int(snapshot.manifest.lines[index]), tuple(own))


def _folders(snapshot: StoredSnapshot, below: list[int], prefix: str) -> tuple[OutlinedFolder, ...]:
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for index in below:
        name, slash, _ = snapshot.paths[index][len(prefix) :].partition("/")
        if slash:
            files[name] += 1
            lines[name] += int(snapshot.manifest.lines[index])
    return tuple(OutlinedFolder(prefix + name, files[name], lines[name]) for name in sorted(files))
