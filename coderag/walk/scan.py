"""Walking directories without asking git: the same rules, read and applied here.

Used where there is no git or no work tree, and inside directories that git ignores when a rule takes something in them
back. Iterative, so no depth is too deep; never follows a link; a directory that cannot be read costs itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from coderag.types import Reason, Skipped
from coderag.walk import gitrules, rules
from coderag.walk.builtin import ENVIRONMENT_MARKER
from coderag.walk.files import read_inside
from coderag.walk.found import Found
from coderag.walk.git import git_directory
from coderag.walk.gitrules import RULE_FILE_LIMIT, GitRules


@dataclass(frozen=True, slots=True)
class Place:
    """A directory still to be read, what leaves it out (None: nothing), and git's rules above it."""

    path: str
    judged: Skipped | None
    git: GitRules
    is_top: bool = False  # of the tree that is walked; any other directory with `.git` in it is a tree of its own


def scan(found: Found, starts: Iterable[Place]) -> list[str]:
    """Puts everything below the places into `found`; returns the work trees met on the way, which it does not enter."""
    pending = list(starts)
    work_trees: list[str] = []
    while pending:
        place = pending.pop()
        entries = _entries(found, place.path)
        names = frozenset(entry.name for entry in entries)
        if ".git" in names and not place.is_top and git_directory(found.absolute(place.path)) is not None:
            if place.judged is None:
                work_trees.append(place.path)
            continue
        entered = _entered(found, place, names)
        if entered is not None:
            pending += [below for entry in entries if (below := _visited(found, entered, entry)) is not None]
    return work_trees


def _entries(found: Found, path: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(found.absolute(path)) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        found.skip(Skipped(path + "/" if path else "./", Reason.UNREADABLE, error.strerror or str(error)))
        return []


def _entered(found: Found, place: Place, names: frozenset[str]) -> Place | None:
    """The place with what its own files say; None where those leave it out as a whole."""
    judged = place.judged
    if ENVIRONMENT_MARKER in names and judged is None and place.path:
        found.rules.environments.add(place.path)
        judged = found.rules.judge(None, place.path, True, None)
        if judged is not None:
            found.skip(judged)
            if not found.rules.may_reach(place.path):
                return None
    git = place.git
    if gitrules.RULE_FILE in names:
        git = git.inside(place.path, rule_file(found, place.path, gitrules.RULE_FILE))
    if rules.RULE_FILE in names and judged is None:
        found.rules.add_file(place.path, rule_file(found, place.path, rules.RULE_FILE))
    return Place(place.path, judged, git)


def rule_file(found: Found, directory: str, name: str) -> bytes:
    """The content of a rule file in the tree; one that cannot be used is noted and holds no rules."""
    path = f"{directory}/{name}" if directory else name
    content = read_inside(found.root, path, RULE_FILE_LIMIT)
    if content is None:
        found.note(f"{path} is no readable file of at most {RULE_FILE_LIMIT} bytes; it is taken as empty")
    return content or b""


def _visited(found: Found, place: Place, entry: os.DirEntry[str]) -> Place | None:
    """Judges one entry; a directory to go on with is returned."""
    if entry.name == ".git":
        return None
    path = f"{place.path}/{entry.name}" if place.path else entry.name
    is_directory = entry.is_dir(follow_symlinks=False)
    if is_directory and found.rules.is_own(path):
        return None
    lower = place.git.judge(path, is_directory) if place.judged is None else None
    judged = found.rules.judge(place.judged, path, is_directory, lower)
    if judged is not None and place.judged is None:
        found.skip(judged)
    if not is_directory:
        if judged is None:
            found.keep(path)
        return None
    return Place(path, judged, place.git) if judged is None or found.rules.may_reach(path) else None
