"""One writer per index, across threads and processes.

The operating system holds the lock (a POSIX record lock; `msvcrt` on Windows), so it ends with the process however that dies, and a
child made by fork does not inherit it. The lock file stays; while it is locked it names the holder. A POSIX lock belongs to the whole
process and is lost when the process closes *any* descriptor of the file, so threads are kept apart by a set and nothing else opens it.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from coderag.errors import IndexLockedError
from coderag.store.directory import LOCK, storage_errors
from coderag.store.steps import reached

_PAUSE_SECONDS = 0.02

_held: set[tuple[int, str]] = set()
_guard = threading.Lock()


class _Attempt(NamedTuple):
    descriptor: int | None  # None: another has the lock
    holder: str = ""


@contextmanager
def writer_lock(directory: Path, seconds: float) -> Iterator[None]:
    """Hold the writer's lock of an index directory; wait for it at most `seconds`.

    Raises:
        IndexLockedError: another writer still has it; the message names its process.
        StorageError: the lock file cannot be written.
    """
    path = directory / LOCK
    mark = (os.getpid(), os.path.realpath(path))
    descriptor = _wait(path, mark, seconds)
    try:
        with storage_errors(path):
            reached("locked")
        yield
    finally:
        with suppress(OSError):  # the name of the holder is a courtesy; the lock ends with the descriptor
            os.ftruncate(descriptor, 0)
        os.close(descriptor)
        _held.discard(mark)


def _wait(path: Path, mark: tuple[int, str], seconds: float) -> int:
    deadline = time.monotonic() + seconds
    while True:
        attempt = _attempt(path, mark)
        if attempt.descriptor is not None:
            return attempt.descriptor
        if time.monotonic() >= deadline:
            raise IndexLockedError(
                f"{path.parent}: process {attempt.holder} is writing the index; wait for it or stop it"
            )
        time.sleep(_PAUSE_SECONDS)


def _attempt(path: Path, mark: tuple[int, str]) -> _Attempt:
    with _guard:
        if mark in _held:
            return _Attempt(None, str(os.getpid()))
        _held.add(mark)
    attempt = _Attempt(None)
    try:
        with storage_errors(path):
            attempt = _attempt_in_process(path)
    finally:
        if attempt.descriptor is None:
            _held.discard(mark)
    return attempt


def _attempt_in_process(path: Path) -> _Attempt:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        if _lock(descriptor) and _same_file(descriptor, path):
            os.ftruncate(descriptor, 0)
            os.write(descriptor, str(os.getpid()).encode())
            return _Attempt(descriptor)
        attempt = _Attempt(None, os.read(descriptor, 20).decode("ascii", "replace") or "unknown")
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return attempt


def _same_file(descriptor: int, path: Path) -> bool:
    """False when the directory was removed and made anew while we waited: others then lock another file of that name."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    _LOCKED_BYTE = 1 << 30  # beyond the text, which others may then still read

    def _lock(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):  # POSIX allows either where the lock is taken
            return False
        return True
