"""What git remembers of files: which changed lately, how often, and together with which others.

Knows the log of the commit that is checked out and nothing after it. Refuses to look at contents, so no program of the repository
runs. Ages are counted in commits, not in days: a ranking must not change because a night has passed.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path

from coderag.types import History
from coderag.walk.git import GitUnavailable, find_work_tree, run_git

COMMITS = 1_000  # the newest ones that are read
MANY_FILES = 100  # a commit that touches more (a format run, a rename) says nothing about any of them
RECENT = 30  # commits after which a change counts half
FADING = 300  # commits after which a change counts 1/e of a new one for how often a file changes
TOGETHER_FILES = 20  # of commits with more, pairs are not counted
_COMMIT = b"\x01"
PARTNERS = 12  # files remembered for each file that changed with it


def read_history(root: Path) -> History:
    """The history of the files below a root; empty where there is none that can be read (no git, no commit, a shallow clone)."""
    if find_work_tree(root) is None:
        return History()
    try:
        log = run_git(
            root,
            *("log", "--no-ext-diff", "--no-textconv", "--no-renames", "--name-only", "--relative", "-z"),
            *("--format=%x01", f"--max-count={COMMITS}", "HEAD", "--", "."),
        )
    except GitUnavailable:
        return History()
    return history_of(_commits(log))


def _commits(log: bytes) -> Iterator[list[str]]:
    """The files of each commit, newest first."""
    files: list[str] = []
    for number, each in enumerate(log.split(b"\0")):
        if each.startswith(_COMMIT):
            if number:
                yield files
            files = []
        elif each:
            files.append(os.fsdecode(each.removeprefix(b"\n")))
    yield files


def history_of(commits: Iterator[list[str]]) -> History:
    """What the files of commits, newest first, say together."""
    recency: dict[str, float] = {}
    changes: dict[str, float] = {}
    pairs: dict[str, dict[str, float]] = {}
    for age, files in enumerate(commits):
        if len(files) > MANY_FILES:
            continue
        weight = math.exp(-age / FADING) / math.sqrt(max(len(files), 1))
        for path in files:
            recency.setdefault(path, 1.0 / (1.0 + age / RECENT))
            changes[path] = changes.get(path, 0.0) + weight
        if len(files) <= TOGETHER_FILES:
            for path in files:
                partners = pairs.setdefault(path, {})
                for other in files:
                    if other != path:
                        partners[other] = partners.get(other, 0.0) + weight
    most = math.log1p(max(changes.values(), default=1.0))
    churn = {path: math.log1p(value) / most for path, value in changes.items()}
    return History(recency, churn, {path: _strongest(path, found, changes) for path, found in pairs.items() if found})


def _strongest(path: str, found: dict[str, float], changes: dict[str, float]) -> dict[str, float]:
    """The files that change with one most often, in parts of all its changes."""
    chosen = sorted(found, key=lambda other: (-found[other], other))[:PARTNERS]
    return {other: found[other] / changes[path] for other in chosen}
