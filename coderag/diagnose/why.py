"""What happened to a path, a line or a symbol: the stage and rule that left it out, or the chunks that hold it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from coderag.config import Settings
from coderag.diagnose.relations import resolve
from coderag.diagnose.status import skipped
from coderag.errors import QueryError
from coderag.snapshot import StoredSnapshot
from coderag.types import Chunk, Skipped, Walk
from coderag.walk import walk
from coderag.walk.found import measure

MAX_LINE_DIGITS = 10


@dataclass(frozen=True, slots=True)
class Why:
    """An answer. `verdict` is "indexed", "left out", "folder", "not indexed yet", "no such symbol", "no such line" or "no such path".

    `files` is how many files of a folder are indexed.
    """

    target: str
    verdict: str
    stage: str
    detail: str
    chunks: tuple[Chunk, ...] = ()
    files: int = 0

    @property
    def is_indexed(self) -> bool:
        """Whether the index has the target, and it is no folder."""
        return self.verdict == "indexed"

    @property
    def is_unknown_path(self) -> bool:
        """Whether there is no such file."""
        return self.verdict == "no such path"


def why(root: Path, settings: Settings, snapshot: StoredSnapshot | None, target: str) -> Why:
    """Explain a target.

    Raises:
        QueryError: the target is empty or points out of the root.
    """
    path, line, symbol = _parsed_target(root, target)
    if snapshot is not None and snapshot.index_of(path) >= 0:
        return _indexed(snapshot, target, path, line, symbol)
    if snapshot is not None and (rule := _rule_for(skipped(snapshot), path)):
        return Why(target, "left out", "walk", f"{rule.reason}: {rule.path}{_after(rule.detail)}")
    found = walk(root, settings)
    if any(file.path == path for file in found.files):
        return Why(target, "not indexed yet", "update", "the next `coderag index` will read it")
    if rule := _rule_for(found.skipped, path):
        return Why(target, "left out", "walk", f"{rule.reason}: {rule.path}{_after(rule.detail)}")
    place = root / path
    exists = os.path.lexists(place)
    if exists and os.path.isdir(place) and not os.path.islink(place):
        return _folder(target, path, snapshot, found)
    # git does not list what is neither a file nor a link, so that a walk by its list never meets it
    if exists and isinstance(seen := measure(str(root), path, settings.max_file_bytes), Skipped):
        return Why(target, "left out", "walk", f"{seen.reason}: {seen.path}{_after(seen.detail)}")
    detail = "it exists, but no rule of the walk mentions it" if exists else f"{place} does not exist"
    return Why(target, "no such path", "walk", detail)


def _folder(target: str, path: str, snapshot: StoredSnapshot | None, found: Walk) -> Why:
    """What became of everything in a folder; a folder in it that is left out as a whole counts once."""
    below = "" if path == "." else f"{path}/"
    known = (
        frozenset(each for each in snapshot.paths if each.startswith(below)) if snapshot is not None else frozenset()
    )
    pending = [file.path for file in found.files if file.path.startswith(below) and file.path not in known]
    rules = found.skipped if snapshot is None else skipped(snapshot)
    left_out = {each.path: each for each in rules if each.path.startswith(below)}
    waiting = sum(each not in left_out for each in pending)
    counts = [f"{len(known):,} indexed", *([f"{waiting:,} not indexed yet"] if waiting else [])]
    reasons = Counter(str(each.reason) for each in left_out.values())
    counts += [f"{count:,} left out: {reason}" for reason, count in sorted(reasons.items())]
    return Why(target, "folder", "walk", f"it is a folder; of what is in it: {', '.join(counts)}", files=len(known))


def _parsed_target(root: Path, target: str) -> tuple[str, int, str]:
    """(path relative to the root, line or 0, symbol or ""). Of several readings the first whose path exists."""
    readings = list(_readings(target))
    place, line, symbol = next((each for each in readings if each[0] and os.path.lexists(root / each[0])), readings[-1])
    if not place:
        raise QueryError(f"{target!r}: name a path, PATH:LINE or PATH#SYMBOL")
    try:
        directory, name = os.path.split(os.path.normpath(root / place))
        path = Path(os.path.realpath(directory), name).relative_to(root)
    except ValueError as error:
        raise QueryError(f"{place}: not below {root}; name a path inside the root") from error
    return path.as_posix(), line, symbol


def _readings(target: str) -> Iterator[tuple[str, int, str]]:
    """Every way to read a target as a place, a line and a symbol: names of files may have ":" and "#" in them."""
    yield target, 0, ""
    head, colon, tail = target.rpartition(":")
    if colon and tail.isascii() and tail.isdigit() and len(tail) < MAX_LINE_DIGITS:
        yield head, int(tail), ""
    for position in reversed([place for place, character in enumerate(target) if character == "#"]):
        yield target[:position], 0, target[position + 1 :]


def _rule_for(rules: tuple[Skipped, ...], path: str) -> Skipped | None:
    """The skip of a path or of the nearest directory above it."""
    by_path = {each.path.rstrip("/"): each for each in rules}
    place = path
    while place:
        if place in by_path:
            return by_path[place]
        place = place.rpartition("/")[0]
    return None


def _after(detail: str) -> str:
    return f" ({detail})" if detail else ""


def _indexed(snapshot: StoredSnapshot, target: str, path: str, line: int, symbol: str) -> Why:
    rows = snapshot.rows_of(path).tolist()
    chunks = tuple(snapshot.chunks(rows)[row] for row in rows)
    problems = "; ".join(f"line {each.line}: {each.message}" for each in snapshot.file(path).problems)
    detail = f"{len(chunks)} chunks in the file{f'; parsed in part ({problems})' if problems else ''}"
    if symbol:
        homes = {snapshot.row_of(each.path, each.index) for each in resolve(snapshot, f"{path}#{symbol}")}
        chunks = tuple(chunk for row, chunk in zip(rows, chunks, strict=True) if row in homes)
        if not chunks:
            return Why(target, "no such symbol", "parse", f"{path} is indexed, but defines no {symbol}; {detail}")
    if line:
        chunks = tuple(chunk for chunk in chunks if chunk.span.start_line <= line <= chunk.span.end_line)
        if not chunks:
            reason = (
                "the line is blank"
                if line <= snapshot.file(path).lines
                else f"it has {snapshot.file(path).lines} lines"
            )
            return Why(target, "no such line", "chunk", f"no chunk of {path} holds line {line}: {reason}")
    return Why(target, "indexed", "store", detail, chunks)
