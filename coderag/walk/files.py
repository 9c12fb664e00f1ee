"""Opening files of a tree that is not trusted: never through a symbolic link, never waiting for a FIFO, never outside the root."""

from __future__ import annotations

import os
import stat

_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW
# A path descriptor needs no permission to list the directory; systems without it need read permission.
_DIRECTORY = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)


def open_inside(root: str, path: str) -> int:
    """A descriptor for the file `path` below `root`, opened part by part so that no part can be a symbolic link.

    Raises:
        OSError: what the system said; ELOOP or ENOTDIR where a part is a symbolic link.
        ValueError: the path is absolute, has an empty part, "." or "..", or holds a NUL.
    """
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"{path!r} is not a plain path below the root")
    directory = os.open(root, os.O_DIRECTORY | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY))
    try:
        for part in parts[:-1]:
            below = os.open(part, _DIRECTORY, dir_fd=directory)
            os.close(directory)
            directory = below
        return os.open(parts[-1], _FILE, dir_fd=directory)
    finally:
        os.close(directory)


def read_descriptor(descriptor: int, limit: int) -> bytes:
    """At most `limit` bytes of an open file.

    Raises:
        OSError: what the system said.
    """
    parts: list[bytes] = []
    while limit > 0 and (part := os.read(descriptor, min(limit, 1 << 20))):
        parts.append(part)
        limit -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def read_small(path: str, limit: int) -> bytes | None:
    """The content of a regular file of at most `limit` bytes, links followed; None where there is none or it cannot be read."""
    try:
        return _whole(os.open(path, _FILE & ~os.O_NOFOLLOW), limit)
    except (OSError, ValueError):
        return None


def read_inside(root: str, path: str, limit: int) -> bytes | None:
    """As `read_small` for a path below `root`, of which no part may be a link."""
    try:
        return _whole(open_inside(root, path), limit)
    except (OSError, ValueError):
        return None


def _whole(descriptor: int, limit: int) -> bytes | None:
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
            return None
        return read_descriptor(descriptor, limit)
    finally:
        os.close(descriptor)
