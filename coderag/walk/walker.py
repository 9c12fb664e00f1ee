"""Which files a root holds, and why each other one is left out: `walk`.

Git is asked where it can answer; otherwise the directories are read with the same rules. Every work tree below the
root (a submodule) is a tree of its own with its own ignore files; the project's own rules hold for all of them.
Executes nothing from the tree and follows no link.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from coderag.config import Settings
from coderag.errors import RootError
from coderag.types import Reason, Skipped, Walk
from coderag.walk import gitrules, rules
from coderag.walk.builtin import ENVIRONMENT_MARKER
from coderag.walk.found import Found
from coderag.walk.git import GitUnavailable, find_work_tree, git_directory, settings_of
from coderag.walk.gitrules import GitRules, rules_at
from coderag.walk.listing import Listing, list_work_tree
from coderag.walk.rules import Rules
from coderag.walk.scan import Place, rule_file, scan


def walk(root: Path, settings: Settings) -> Walk:
    """The files below `root` that are to be indexed, with their sizes and times, and everything else with its reason.

    Inside a git work tree: what git tracks and what it neither tracks nor ignores; without git, the same by reading the
    rule files. `.git` and the index itself are no part of a root and are not listed.

    Raises:
        RootError: `root` is missing, is no directory, or may not be listed.
    """
    top = _checked(root)
    found = Found(top, settings, Rules(top, settings))
    walker = _Walker(found)
    pending = [""]
    while pending:
        pending += walker.tree(pending.pop())
    return found.measured()


def _checked(root: Path) -> str:
    top = os.path.realpath(root)
    try:
        with os.scandir(top):
            return top
    except OSError as error:
        raise RootError(f"{root}: {error.strerror}; name a directory that exists and can be listed") from error


class _Walker:
    """Walks one work tree at a time; whether trees inside trees are entered is decided here."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._has_work_tree = find_work_tree(found.root) is not None

    def tree(self, prefix: str) -> list[str]:
        """Walks the tree at `prefix` ("" or a path with "/" at its end); returns those inside it that are still to walk."""
        directory = self._found.absolute(prefix.rstrip("/"))
        top = find_work_tree(directory)
        if top is None:
            return self._without_git(prefix, None)
        try:
            listing = list_work_tree(directory, prefix)
            if not (listing.tracked or listing.untracked) and (rule := rules_at(str(top), directory, prefix)[1]):
                self._note_ignored_root(rule)
                return self._without_git(prefix, None)
        except GitUnavailable as error:
            self._found.note(
                f"{prefix or './'}: git was not used ({error}); tracked files that are ignored are left out"
            )
            return self._without_git(prefix, str(top))
        reached = _Listed(self._found, prefix, str(top), listing).take()
        return self._entered(listing.submodules, [*reached, *listing.repositories])

    def _without_git(self, prefix: str, top: str | None) -> list[str]:
        found = self._found
        git, against = rules_at(top, found.absolute(prefix.rstrip("/")), prefix)
        if against:
            self._note_ignored_root(against)
        work_trees = scan(found, [Place(prefix.rstrip("/"), None, git, is_top=True)])
        named = {prefix + path for path in _submodule_paths(found.absolute(prefix + ".gitmodules"))}
        return self._entered(
            [path for path in work_trees if path in named], [path for path in work_trees if path not in named]
        )

    def _note_ignored_root(self, rule: str) -> None:
        self._has_work_tree = False
        self._found.note(f"the root is ignored by the work tree around it ({rule}); only rules inside it hold")

    def _entered(self, submodules: Iterable[str], repositories: Iterable[str]) -> list[str]:
        refused = [(path, self._against_submodule(path)) for path in submodules]
        refused += [(path, self._against_repository(path)) for path in repositories]
        entered: list[str] = []
        for path, why in refused:
            if why is None:
                entered.append(path + "/")
            else:
                self._found.skip(why)
        return entered

    def _against_submodule(self, path: str) -> Skipped | None:
        judged = _Judged(self._found, tracked=True).directory(path)
        if judged is not None:
            return judged
        directory = self._found.absolute(path)
        if not self._found.settings.submodules:
            return Skipped(path + "/", Reason.BUILT_IN, "submodule, and the settings leave submodules out")
        if os.path.realpath(directory) != directory:
            return Skipped(path, Reason.NOT_REGULAR, "symlink in the place of a submodule")
        if git_directory(directory) is None:
            return Skipped(path + "/", Reason.BUILT_IN, "submodule that is not checked out")
        return None

    def _against_repository(self, path: str) -> Skipped | None:
        judged = _Judged(self._found, tracked=False).directory(path)
        rule = self._found.rules.last_match(path, True)
        if judged is not None or (rule is not None and rule.negated and not rule.is_catch_all):
            return judged
        linked = os.path.isfile(self._found.absolute(path + "/.git"))
        if linked or self._has_work_tree:
            kind = "linked worktree" if linked else "nested repository"
            return Skipped(path + "/", Reason.BUILT_IN, f"{kind}: open it as a root of its own")
        return None


def _submodule_paths(file: str) -> Iterator[str]:
    return (value for name, value in settings_of(file) if name == "submodule.path")


class _Judged:
    """The project's judgement on directories, each weighed once, from the root down."""

    def __init__(self, found: Found, *, tracked: bool) -> None:
        self._rules = found.rules
        self._tracked = tracked
        self._known: dict[str, Skipped | None] = {"": None}

    def directory(self, path: str) -> Skipped | None:
        """What leaves out `path` ("" for the root), itself or a directory above it."""
        pending: list[str] = []
        while path not in self._known:
            pending.append(path)
            path = path[: max(path.rfind("/"), 0)]
        judged = self._known[path]
        for below in reversed(pending):
            own = Skipped(below + "/", Reason.BUILT_IN, "the index") if self._rules.is_own(below) else None
            judged = own or self._rules.judge(judged, below, True, None, tracked=self._tracked)
            self._known[below] = judged
        return judged

    def file(self, path: str) -> Skipped | None:
        """What leaves out the file, or None."""
        directory = self.directory(path[: max(path.rfind("/"), 0)])
        return self._rules.judge(directory, path, False, None, tracked=self._tracked)


class _Listed:
    """Weighs git's listing of one tree against the project's own rules."""

    def __init__(self, found: Found, prefix: str, top: str, listing: Listing) -> None:
        self._found = found
        self._prefix = prefix
        self._top = top
        self._listing = listing
        self._kept_directories: set[str] = set()

    def take(self) -> list[str]:
        """Puts the tree's files, and what is left out, into `found`; returns repositories met in ignored directories."""
        listing = self._listing
        self._read_markers([*listing.tracked, *listing.untracked, *(path for path, _ in listing.ignored)])
        self._take_files(listing.tracked, _Judged(self._found, tracked=True))
        self._kept_directories = _directories_of(self._found.candidates)
        self._take_files(listing.untracked, _Judged(self._found, tracked=False))
        for path, why in listing.unreadable:
            self._found.skip(Skipped(path, Reason.UNREADABLE, why))
        return self._take_ignored([Skipped(path, Reason.IGNORED, detail) for path, detail in listing.ignored])

    def _read_markers(self, paths: Iterable[str]) -> None:
        """Takes up the files that change the rules, before any rule is asked; those in directories left out say nothing."""
        places = [path.rpartition("/") for path in paths if path.endswith((rules.RULE_FILE, ENVIRONMENT_MARKER))]
        self._found.rules.environments.update(
            place for place, _, name in places if name == ENVIRONMENT_MARKER and place
        )
        for place in sorted({place for place, _, name in places if name == rules.RULE_FILE}):
            if _Judged(self._found, tracked=True).directory(place) is None:
                self._found.rules.add_file(place, rule_file(self._found, place, rules.RULE_FILE))

    def _take_files(self, paths: Iterable[str], judged: _Judged) -> None:
        for path in paths:
            against = judged.file(path)
            if against is None:
                self._found.keep(path)
            elif os.path.lexists(self._found.absolute(path)):
                self._skip(against, path)

    def _skip(self, against: Skipped, path: str) -> None:
        """A directory is reported as a whole, unless it also holds files that are kept because they are tracked."""
        if against.path != path and against.path.rstrip("/") in self._kept_directories:
            against = Skipped(path, against.reason, against.detail)
        self._found.skip(against)

    def _take_ignored(self, ignored: Iterable[Skipped]) -> list[str]:
        judged = _Judged(self._found, tracked=False)
        reached: list[Place] = []
        for entry in ignored:
            path = entry.path.rstrip("/")
            is_directory = path != entry.path
            if is_directory and self._found.rules.is_own(path):
                continue
            parent = judged.directory(path[: max(path.rfind("/"), 0)])
            against = self._found.rules.judge(parent, path, is_directory, entry)
            if against is not None:
                self._skip(against, entry.path)
            elif not is_directory:
                self._found.keep(path)
            if is_directory and (against is None or self._found.rules.may_reach(path)):
                reached.append(Place(path, against, self._rules_above(path)))
        return scan(self._found, reached)

    def _rules_above(self, path: str) -> GitRules:
        git, _ = rules_at(self._top, self._found.absolute(self._prefix.rstrip("/")), self._prefix)
        parts = path[len(self._prefix) :].split("/")
        for depth in range(len(parts)):
            directory = (self._prefix + "/".join(parts[:depth])).rstrip("/")
            if os.path.lexists(self._found.absolute(f"{directory}/{gitrules.RULE_FILE}".lstrip("/"))):
                git = git.inside(directory, rule_file(self._found, directory, gitrules.RULE_FILE))
        return git


def _directories_of(paths: Iterable[str]) -> set[str]:
    """Every directory that holds one of the paths, at any depth."""
    directories: set[str] = set()
    for path in paths:
        end = path.rfind("/")
        while end > 0 and path[:end] not in directories:
            directories.add(path[:end])
            end = path.rfind("/", 0, end)
    return directories
