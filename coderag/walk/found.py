"""What a walk has gathered so far: candidates, what was left out and why, and the rules that grow on the way."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field

from coderag.config import Settings
from coderag.types import FileStat, Reason, Skipped, Walk, WalkedFile
from coderag.walk.rules import Rules

_KINDS = (
    (stat.S_ISFIFO, "FIFO"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "character device"),
    (stat.S_ISBLK, "block device"),
)


@dataclass(slots=True)
class Found:
    """The state of one walk. `root` is absolute and free of symbolic links; every other path is relative to it."""

    root: str
    settings: Settings
    rules: Rules
    candidates: dict[str, None] = field(default_factory=dict)
    skipped: dict[str, Skipped] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)

    def absolute(self, path: str) -> str:
        """Where the entry is on disk."""
        return f"{self.root}/{path}" if path else self.root

    def keep(self, path: str) -> None:
        """The rules keep this file; its kind and size are still to be seen."""
        self.candidates[path] = None

    def skip(self, skipped: Skipped) -> None:
        """Leaves an entry out; the first reason given for a path stays."""
        if not self.rules.is_own(skipped.path.rstrip("/")):
            self.skipped.setdefault(skipped.path, skipped)

    def note(self, text: str) -> None:
        """Something that the reader of the result must know; told once."""
        self.notes[text] = None

    def measured(self) -> Walk:
        """Looks at every candidate once and puts everything in order."""
        files: list[WalkedFile] = []
        linked = _LinkedDirectories(self.root)
        for path in sorted(self.candidates):
            if linked.hold(path):
                continue
            seen = measure(self.root, path, self.settings.max_file_bytes)
            if isinstance(seen, Skipped):
                self.skip(seen)
            elif seen is not None:
                files.append(WalkedFile(path, seen))
        limit = self.settings.max_files
        for file in files[limit:]:
            self.skip(Skipped(file.path, Reason.CAP, f"more than {limit} files"))
        skipped = sorted(self.skipped.values(), key=lambda entry: entry.path)
        return Walk(tuple(files[:limit]), tuple(skipped), tuple(self.notes))


class _LinkedDirectories:
    """Whether a path runs through a symbolic link: git goes on naming tracked files there, although they are gone."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._known = {"": False}

    def hold(self, path: str) -> bool:
        directory = path[: max(path.rfind("/"), 0)]
        pending: list[str] = []
        while directory not in self._known:
            pending.append(directory)
            directory = directory[: max(directory.rfind("/"), 0)]
        linked = self._known[directory]
        for below in reversed(pending):
            linked = linked or os.path.islink(f"{self._root}/{below}")
            self._known[below] = linked
        return linked


def measure(root: str, path: str, max_bytes: int) -> FileStat | Skipped | None:
    """The size and times of a regular file, or why it is left out; None where nothing indexable exists any more."""
    try:
        status = os.lstat(f"{root}/{path}")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return Skipped(path, Reason.UNREADABLE, error.strerror or str(error))
    if stat.S_ISREG(status.st_mode):
        if status.st_size > max_bytes:
            return Skipped(path, Reason.TOO_LARGE, f"{status.st_size} bytes, the limit is {max_bytes}")
        return FileStat(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    if stat.S_ISLNK(status.st_mode):
        return link_skip(root, path)
    return None if stat.S_ISDIR(status.st_mode) else Skipped(path, Reason.NOT_REGULAR, kind_of(status.st_mode))


def kind_of(mode: int) -> str:
    """What an entry is that is neither a file, a directory nor a link."""
    return next((name for test, name in _KINDS if test(mode)), "special file")


def link_skip(root: str, path: str) -> Skipped:
    """A symbolic link is never followed; the detail names its target."""
    full = f"{root}/{path}"
    try:
        target = os.readlink(full)
    except OSError as error:
        return Skipped(path, Reason.UNREADABLE, error.strerror or str(error))
    inside = is_inside(root, os.path.realpath(full))
    return Skipped(path, Reason.NOT_REGULAR if inside else Reason.OUTSIDE_ROOT, f"symlink to {target}")


def is_inside(root: str, path: str) -> bool:
    """Whether an absolute path without links is the root or below it."""
    return path == root or path.startswith(root.rstrip("/") + "/")
