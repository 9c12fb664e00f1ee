"""The index directory and the names in it. Refuses to follow symbolic links: the directory may come with a hostile repository."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from coderag.errors import IndexCorruptError, NotIndexedError, StorageError

DATABASE = "index.sqlite3"
BUILDING = "index.sqlite3.building"
CORRUPT = "index.sqlite3.corrupt"
LOCK = "writer.lock"
IGNORE = ".gitignore"
_NAMES = frozenset({LOCK, IGNORE, "bench", "weights.json", "weights.json.new"})
"""What else coderag puts there: trees for measuring and fitting, and weights that were fitted."""
COMPANIONS = ("-wal", "-shm", "-journal")
"""What SQLite appends to the name of a database for the files beside it."""


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn what the operating system refuses into a `StorageError` that names the path."""
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"{path}: {error.strerror or error}; make room or give permission, then run again"
        ) from error


def prepare_directory(directory: Path) -> None:
    """Make the directory, private to its owner and ignored by git, if it is not there yet.

    Raises:
        StorageError: it cannot be made, or it is a symbolic link or not a directory.
    """
    with storage_errors(directory):
        if directory.is_symlink():
            raise StorageError(
                f"{directory}: is a symbolic link; name the directory that it leads to as the index directory"
            )
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        ignore = directory / IGNORE
        if not os.path.lexists(ignore) or ignore.lstat().st_size == 0:
            _write_new(ignore, b"*\n")


def make_private(directory: Path) -> None:
    """Close an index directory to everybody else, whoever made it; one in which anything else lies, or that is not this user's, is let be."""
    # There may be none, or it is on a disk that is only read: an update says so when it has to write.
    with suppress(OSError):
        found = os.lstat(directory)
        is_open = stat.S_ISDIR(found.st_mode) and found.st_mode & 0o077
        if is_open and _is_users(found) and all(map(_is_ours, os.listdir(directory))):
            directory.chmod(stat.S_IMODE(found.st_mode) & ~0o077)


def _is_ours(name: str) -> bool:
    return name in _NAMES or name.startswith(DATABASE)


def _is_users(found: os.stat_result) -> bool:
    return hasattr(os, "geteuid") and found.st_uid == os.geteuid()


def _write_new(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)


def write_beside(directory: Path, name: str, data: bytes) -> None:
    """Put a file into an index directory, which is made where there is none; whoever reads it sees all of it, or what was there before.

    Raises:
        StorageError: the disk refused.
    """
    prepare_directory(directory)
    path, fresh = directory / name, directory / f"{name}.new"
    with storage_errors(path):
        fresh.unlink(missing_ok=True)
        _write_new(fresh, data)
        synchronise(fresh)
        fresh.replace(path)
        synchronise(directory)


def remove_beside(directory: Path, name: str) -> bool:
    """Remove a file that `write_beside` wrote; False where there is none.

    Raises:
        StorageError: the disk refused.
    """
    path = directory / name
    if not os.path.lexists(path):
        return False
    with storage_errors(path):
        path.unlink()
    return True


def file_identity(database: Path) -> tuple[int, int]:
    """Device and inode of the database file itself.

    Raises:
        NotIndexedError: there is none.
        IndexCorruptError: something else has its name, such as a link or a pipe.
    """
    try:
        with storage_errors(database):
            found = os.lstat(database)
    except StorageError as error:
        if isinstance(error.__cause__, FileNotFoundError | NotADirectoryError):
            raise NotIndexedError(f"{database.parent}: no index here yet; run `coderag index`") from error
        raise
    if not stat.S_ISREG(found.st_mode):
        raise IndexCorruptError(f"{database}: not a regular file; run `coderag index --rebuild`")
    return found.st_dev, found.st_ino


def require_own(directory: Path) -> None:
    """Refuse the index of another work tree unless nobody but this user can have written it.

    Raises:
        NotIndexedError: the directory or its database is missing, a link, another user's, or open to everybody.
    """
    for path, is_kind in ((directory, stat.S_ISDIR), (directory / DATABASE, stat.S_ISREG)):
        try:
            found = os.lstat(path)
        except OSError as error:
            raise NotIndexedError(f"{directory}: no index that can be read here") from error
        if not is_kind(found.st_mode) or not _is_own(found):
            raise NotIndexedError(f"{path}: is a link, belongs to somebody else, or can be written by everybody")


def _is_own(found: os.stat_result) -> bool:
    if not hasattr(os, "geteuid"):
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & stat.S_IWOTH


def remove_companions(database: Path) -> None:
    """Remove the files that SQLite keeps beside a database that is about to go or has gone."""
    for suffix in COMPANIONS:
        database.with_name(database.name + suffix).unlink(missing_ok=True)


def remove_litter(directory: Path) -> None:
    """Remove what a killed rebuild left behind. Only the holder of the writer's lock may."""
    building = directory / BUILDING
    with storage_errors(building):
        remove_companions(building)
        building.unlink(missing_ok=True)


def synchronise(path: Path) -> None:
    """Have the disk keep a file, or the names in a directory, before anything else happens."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
