"""The other work trees of a repository, by the files that git keeps about them; git itself is not started.

A work tree counts only when both sides say so: the repository names it, and its `.git` leads back to the repository.
"""

from __future__ import annotations

import os
from pathlib import Path

from coderag.walk.files import read_small
from coderag.walk.git import common_directory, find_work_tree, git_directory

_POINTER_LIMIT = 10_000
MAX_WORK_TREES = 100


def sibling_roots(root: Path) -> list[Path]:
    """The same folder as `root` in every other work tree of its repository, newest first; empty outside of git."""
    top = find_work_tree(root)
    git = None if top is None else git_directory(str(top))
    if top is None or git is None:
        return []
    common = os.path.realpath(common_directory(git))
    inside = Path(os.path.realpath(root)).relative_to(top)
    others = [each for each in _work_trees(common) if each != top and _belongs(each, common)]
    found = [each / inside for each in others if (each / inside).is_dir()]
    return sorted(found, key=lambda each: (-each.stat().st_mtime_ns, str(each)))


def _work_trees(common: str) -> list[Path]:
    """The tops that a repository names: the one it lies in, and those added to it."""
    tops = [Path(common).parent]
    registered = Path(common, "worktrees")
    names = sorted(os.listdir(registered))[:MAX_WORK_TREES] if registered.is_dir() else []
    for name in names:
        pointer = read_small(str(registered / name / "gitdir"), _POINTER_LIMIT) or b""
        place = os.path.join(registered / name, os.fsdecode(pointer).strip())
        tops.append(Path(os.path.realpath(os.path.dirname(place))))
    return tops


def _belongs(top: Path, common: str) -> bool:
    git = git_directory(str(top))
    return git is not None and os.path.realpath(common_directory(git)) == common
