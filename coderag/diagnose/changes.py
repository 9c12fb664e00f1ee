"""What is different between a commit and the files as they are now: git's own answer, asked so that nothing in the repository runs."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from coderag.errors import QueryError
from coderag.walk import GitUnavailable, run_git

MOST_FILES = 2_000
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True)
class FileChange:
    """One path in both states. `stretches` are (old line, old lines, new line, new lines) of what was replaced, in order."""

    path: str
    is_new: bool = False
    is_gone: bool = False
    stretches: tuple[tuple[int, int, int, int], ...] = ()

    def now(self, line: int) -> int | None:
        """Where an old line stands now; None where it was changed or removed."""
        shift = 0
        for old, old_count, new, new_count in self.stretches:
            first = old if old_count else old + 1  # an insertion stands behind the line that it names
            if line < first:
                break
            if line < first + old_count:
                return None
            shift = (new + new_count if new_count else new + 1) - (first + old_count)
        return line + shift

    def is_changed(self, line: int) -> bool:
        """Whether a line as it is now was written by the change."""
        place = bisect_right([new for _, _, new, count in self._written], line) - 1
        return place >= 0 and line < self._written[place][2] + self._written[place][3]

    @property
    def _written(self) -> list[tuple[int, int, int, int]]:
        return [each for each in self.stretches if each[3]]


@dataclass(frozen=True, slots=True)
class Changes:
    """All changes below a root since a commit, by path; `left_out` counts files beyond the limit."""

    revision: str
    files: Mapping[str, FileChange] = field(default_factory=dict)
    left_out: int = 0


def changes_since(root: Path, revision: str) -> Changes:
    """What differs between a commit and the work tree, by path.

    Raises:
        QueryError: this is no work tree, or there is no such commit.
    """
    try:
        commit = os.fsdecode(
            run_git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        ).strip()
        output = run_git(
            root, "diff", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", "--unified=0", "--relative",
            "--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules=all", commit, "--", ".",
        )  # fmt: skip
    except GitUnavailable as error:
        raise QueryError(
            f"{revision!r}: {error or 'no such commit'}; --diff needs a git work tree and a commit"
        ) from error
    found = list(_files(output))
    return Changes(commit, {each.path: each for each in found[:MOST_FILES]}, max(len(found) - MOST_FILES, 0))


def text_at(root: Path, commit: str, path: str) -> bytes | None:
    """The bytes of a file of a commit, by its path below the root; None where it cannot be had."""
    try:
        return run_git(root, "cat-file", "blob", f"{commit}:./{path}")
    except GitUnavailable:
        return None


def _files(output: bytes) -> Iterator[FileChange]:
    for section in re.split(rb"^(?=diff --git )", output, flags=re.MULTILINE)[1:]:
        head, at, body = section.partition(b"\n@@ ")
        old, new = _named(head, b"--- "), _named(head, b"+++ ")
        path = new or old
        if not path:
            continue  # a mode alone, or bytes that are no text
        stretches = tuple(
            (int(each[1]), _count(each[2]), int(each[3]), _count(each[4]))
            for each in (_HUNK.match(line) for line in (b"@@ " + body).split(b"\n") if at)
            if each
        )
        yield FileChange(path, not old, not new, stretches)


def _named(head: bytes, mark: bytes) -> str:
    line = next((line for line in head.split(b"\n") if line.startswith(mark)), b"")
    name = line[len(mark) :].split(b"\t")[0]
    if name.startswith(b'"') and name.endswith(b'"'):
        name = name[1:-1].decode("unicode_escape").encode("latin-1")
    return os.fsdecode(name[2:]) if name[:2] in (b"a/", b"b/") else ""


def _count(text: bytes | None) -> int:
    return 1 if text is None else int(text)
