"""Which files are not as the commit that is checked out has them: somebody is working on those.

Compares ids of contents with those in the tree of the commit. Git is asked for that tree alone and sees no file, so it runs no filter of
the repository, and neither times nor git's own index decide anything. That is why a file that a filter or `working-tree-encoding`
turns into something else to be committed counts as uncommitted. Refuses to judge files of other repositories inside.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from pathlib import Path

from coderag.walk.git import GitUnavailable, git_directory, run_git
from coderag.walk.reader import GIT_ID_BYTES

_SUBMODULE = b"160000 "


def find_uncommitted(root: Path, commit: str, files: Iterable[tuple[str, bytes]]) -> list[str]:
    """The paths, in the order given, of files below a root that are new or changed since a commit; each comes with its `git_ids`.

    Where nothing is known no file is: without a commit (""), without git, where the commit's tree is not at hand, and in a repository
    whose ids are SHA-256. Nor is a file of a submodule or of any other repository inside.
    """
    if len(commit) != 2 * GIT_ID_BYTES:
        return []
    try:
        tree = _entries(run_git(root, "ls-tree", "-r", "-z", commit))
    except GitUnavailable:
        return []
    submodules = {path for path, entry in tree.items() if entry.startswith(_SUBMODULE)}
    changed = [path for path, ids in files if not _is_committed(tree.get(path, b""), ids)]
    others = _repositories(root, submodules, {path for path in changed if path not in tree})
    return [path for path in changed if path in tree or not path.startswith(others)]


def _entries(listing: bytes) -> dict[str, bytes]:
    """Path -> mode, type and id of everything in a tree."""
    entries = (each.partition(b"\t") for each in listing.split(b"\0") if each)
    return {os.fsdecode(path): entry for entry, _, path in entries}


def _is_committed(entry: bytes, ids: bytes) -> bool:
    return entry.endswith((ids[:GIT_ID_BYTES].hex().encode(), ids[GIT_ID_BYTES:].hex().encode()))


def _repositories(root: Path, submodules: Collection[str], paths: Iterable[str]) -> tuple[str, ...]:
    """The folders above any of the paths that are repositories of their own, each with "/" behind it."""
    folders = {path[:end] for path in paths for end, letter in enumerate(path) if letter == "/"}
    found = (each for each in folders if each in submodules or git_directory(os.path.join(root, each)) is not None)
    return tuple(f"{folder}/" for folder in found)
