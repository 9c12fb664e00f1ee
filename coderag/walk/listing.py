"""What git says of a work tree: tracked, untracked and ignored files, with the rule that ignored each.

Asks git and takes its answer apart; judges nothing. Every path is made relative to the root of the walk.
"""

from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from coderag.walk.git import EXCLUDE_FILE, ask_git, find_work_tree, run_git

_SUBMODULE = "160000 "
_UNREADABLE = re.compile(rb"^warning: could not open directory '(.*?)/?': (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Listing:
    """Git's view of one directory. A path that ends in "/" is a directory as a whole."""

    tracked: tuple[str, ...]
    submodules: tuple[str, ...]
    untracked: tuple[str, ...]
    repositories: tuple[str, ...]
    ignored: tuple[tuple[str, str], ...]  # path, "<file>:<line>: <pattern>"
    unreadable: tuple[tuple[str, str], ...]  # directory, what the system said


def list_work_tree(directory: str, prefix: str) -> Listing:
    """Asks git three questions at once. `prefix` is the path of `directory` below the root with "/" at its end, or "".

    Raises:
        GitUnavailable: git cannot answer for this directory.
    """
    with ThreadPoolExecutor(2) as threads:
        tracked = threads.submit(run_git, directory, "ls-files", "-z", "--stage", "--cached")
        untracked = threads.submit(ask_git, directory, "ls-files", "-z", "--others", "--exclude-standard")
        ignored = _ignored(directory, prefix)
        entries = _strings(tracked.result())
        others = untracked.result()
    files = _strings(others.output)
    unreadable = _UNREADABLE.findall(others.warnings)
    return Listing(
        tracked=tuple(dict.fromkeys(prefix + _path(entry) for entry in entries if not entry.startswith(_SUBMODULE))),
        submodules=tuple(dict.fromkeys(prefix + _path(entry) for entry in entries if entry.startswith(_SUBMODULE))),
        untracked=tuple(prefix + path for path in files if not path.endswith("/")),
        repositories=tuple(prefix + path.rstrip("/") for path in files if path.endswith("/")),
        ignored=ignored,
        unreadable=tuple((f"{prefix}{os.fsdecode(path)}/", os.fsdecode(why)) for path, why in unreadable),
    )


def _ignored(directory: str, prefix: str) -> tuple[tuple[str, str], ...]:
    paths = run_git(directory, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    if not paths:
        return ()
    # "./" keeps git from reading a name that begins with ":" as a pathspec of its own kind.
    questions = b"".join(b"./%s\0" % path for path in paths.split(b"\0")[:-1])
    answer = ask_git(directory, "check-ignore", "-z", "-v", "-n", "--stdin", input=questions, accepted=(0, 1)).output
    inside = os.path.relpath(directory, find_work_tree(directory) or directory)
    fields = _strings(answer)
    # Git also lists directories that hold nothing but ignored files; no rule names them, and their files follow.
    return tuple(
        (prefix + path.removeprefix("./"), f"{_source(source, inside, prefix)}:{line}: {pattern}")
        for source, line, pattern, path in zip(fields[::4], fields[1::4], fields[2::4], fields[3::4], strict=True)
        if source and not pattern.startswith("!")
    )


def _source(source: str, inside: str, prefix: str) -> str:
    """Git names rule files from the top of the work tree; `inside` is where the directory that was asked lies in that."""
    if source.endswith("/info/exclude"):
        return prefix + EXCLUDE_FILE
    return source if os.path.isabs(source) else prefix + os.path.relpath(f"/{source}", f"/{inside}")


def _strings(output: bytes) -> list[str]:
    return os.fsdecode(output).split("\0")[:-1]


def _path(entry: str) -> str:
    return entry.partition("\t")[2]
