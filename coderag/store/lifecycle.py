"""How an index comes to be, is replaced as a whole, is set aside when it is damaged, and goes.

A new database is written beside the old one and takes its place in one step. Until that step the old index answers, after it the new
one does, and a rebuild that was killed before it leaves litter that the next writer removes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from coderag.errors import IndexCorruptError, IndexFormatError, NotIndexedError
from coderag.store.census import Census, block_checksum
from coderag.store.database import connect_writer, create_database, database_errors
from coderag.store.directory import (
    BUILDING,
    COMPANIONS,
    CORRUPT,
    DATABASE,
    IGNORE,
    LOCK,
    prepare_directory,
    remove_companions,
    remove_litter,
    require_own,
    storage_errors,
    synchronise,
)
from coderag.store.lock import writer_lock
from coderag.store.sqlite import HEADER, SqliteReader, SqliteStore, SqliteWriter, open_reader
from coderag.store.steps import reached


def has_index(directory: Path) -> bool:
    """Whether an index, sound or not, is stored in a directory."""
    return os.path.lexists(directory / DATABASE)


def open_store(directory: Path, *, create: bool, lock_seconds: float) -> SqliteStore:
    """The store in an index directory; with `create`, an empty one (generation 0) is made where there is none.

    Raises:
        NotIndexedError: there is none and it shall not be made.
        IndexFormatError: another format version wrote it.
        IndexCorruptError: it cannot be read.
        StorageError: the disk refused.
    """
    try:
        open_reader(directory / DATABASE).close()
    except NotIndexedError:
        if not create:
            raise
        _create_empty(directory, lock_seconds)
    return SqliteStore(directory, lock_seconds)


def _create_empty(directory: Path, lock_seconds: float) -> None:
    prepare_directory(directory)
    with writer_lock(directory, lock_seconds):
        remove_litter(directory)
        if not (directory / DATABASE).exists():
            with _built_beside(directory, generation=0):
                pass
            _take_place(directory, lock_seconds, old_is_sound=False)


@contextmanager
def rebuild(directory: Path, *, lock_seconds: float) -> Iterator[SqliteWriter]:
    """Write a whole new index; a clean exit puts it in the place of the old one, if any, whatever state that is in.

    Its generation follows that of the old index where this can be read, and is 1 otherwise. Readers keep what they have open.

    Raises:
        IndexLockedError: another writer did not finish in time.
        StorageError: the disk refused. The old index is as it was.
    """
    prepare_directory(directory)
    with writer_lock(directory, lock_seconds):
        remove_litter(directory)
        old = _generation(directory / DATABASE)
        try:
            with _built_beside(directory, generation=(old or 0) + 1) as writer:
                yield writer
            _take_place(directory, lock_seconds, old_is_sound=old is not None)
        finally:
            remove_litter(directory)


def borrow(source: Path) -> SqliteReader:
    """The newest generation of an index that another work tree of this user has. Waits for nobody.

    Raises:
        NotIndexedError: there is none, or somebody else could have written it.
        IndexFormatError, IndexCorruptError, IndexLockedError: it cannot be read.
    """
    require_own(source)
    return open_reader(source / DATABASE, seconds=0.0)


def seed(directory: Path, source: Path, *, lock_seconds: float) -> bool:
    """Begin an index as a copy of another one, whose newest generation is taken as it is. False where there is an index already.

    Raises:
        NotIndexedError: there is no source, or somebody else could have written it.
        IndexFormatError, IndexCorruptError: the source cannot be read.
        IndexLockedError, StorageError: the copy cannot be written. There is no index then, as before.
    """
    require_own(source)
    with open_reader(source / DATABASE) as reader:
        prepare_directory(directory)
        with writer_lock(directory, lock_seconds):
            remove_litter(directory)
            if has_index(directory):
                return False
            try:
                reader.copy_to(directory / BUILDING)
                with storage_errors(directory / BUILDING):
                    reached("synchronise")
                    synchronise(directory / BUILDING)
                _take_place(directory, lock_seconds, old_is_sound=False)
            finally:
                remove_litter(directory)
    return True


def _generation(path: Path) -> int | None:
    """The generation of a sound index of this format, else None."""
    try:
        with open_reader(path) as reader:
            return reader.generation
    except (NotIndexedError, IndexFormatError, IndexCorruptError):
        return None


@contextmanager
def _built_beside(directory: Path, generation: int) -> Iterator[SqliteWriter]:
    """A writer on a new database that is whole and on the disk once the context ends."""
    path = directory / BUILDING
    with database_errors(path):
        reached("create")
        connection = create_database(path)
    with closing(connection):
        census = Census(generation - 1).encode()
        with database_errors(path):
            connection.execute("BEGIN")
            connection.execute("INSERT INTO blocks VALUES (?, ?, ?)", (HEADER, block_checksum(HEADER, census), census))
        writer = SqliteWriter(path, connection)
        yield writer
        writer.commit()
        with database_errors(path):
            reached("close")
            connection.execute("PRAGMA journal_mode = WAL")
    with storage_errors(path):
        reached("synchronise")
        synchronise(path)


def _take_place(directory: Path, seconds: float, *, old_is_sound: bool) -> None:
    """The commit point of a rebuild.

    A log left under the name of the old database would be applied to the new one, so it goes first; everything in it must be in the
    old database by then, lest a crash between the two steps lose a generation. Where a reader of an older generation stands in the
    way of that, the new contents are copied in through the log instead: slower, as atomic, and the reader keeps what it sees.
    """
    path = directory / DATABASE
    if old_is_sound and not _log_is_settled(path, seconds):
        _copy_through_log(directory / BUILDING, path, seconds)
        return
    with storage_errors(path):
        reached("remove log")
        remove_companions(path)
        reached("replace")
        (directory / BUILDING).replace(path)
        reached("synchronise directory")
        synchronise(directory)
        reached("replaced")


def _log_is_settled(path: Path, seconds: float) -> bool:
    """Move all of the log into the database. True also where the database turns out to be damaged: then nothing of it matters.

    Waits, because a reader that is just opening the log after a crash holds it for a moment.
    """
    try:
        with database_errors(path), closing(connect_writer(path, seconds)) as connection:
            reached("settle log")
            _, frames, moved = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    except IndexCorruptError:
        return True
    return bool(frames == moved)


def _copy_through_log(source: Path, target: Path, seconds: float) -> None:
    with (
        database_errors(target),
        closing(connect_writer(source, seconds)) as new,
        closing(connect_writer(target, seconds)) as old,
    ):
        reached("copy")
        old.execute(
            "BEGIN IMMEDIATE"
        )  # `backup` would wait without end for whoever has the database open in another tool
        old.execute("ROLLBACK")
        new.backup(old)
        reached("copied")


def set_aside(directory: Path, *, lock_seconds: float) -> Path:
    """Move a damaged index out of the way, to be looked at or sent in; only the newest one is kept.

    Raises:
        NotIndexedError: there is none.
        IndexLockedError: another writer did not finish in time.
        StorageError: the disk refused.
    """
    path, aside = directory / DATABASE, directory / CORRUPT
    with writer_lock(directory, lock_seconds), storage_errors(path):
        if not os.path.lexists(path):
            raise NotIndexedError(f"{directory}: no index here; run `coderag index`")
        reached("set aside")
        remove_companions(aside)
        path.replace(aside)  # before its log: without the log it might pass for an older generation that is sound
        reached("set aside log")
        for suffix in COMPANIONS:
            companion = path.with_name(path.name + suffix)
            if companion.exists():
                companion.replace(aside.with_name(aside.name + suffix))
        synchronise(directory)
    return aside


def remove_index(directory: Path, *, lock_seconds: float) -> None:
    """Remove everything that this package puts into an index directory, and the directory if nothing else is in it.

    Raises:
        IndexLockedError: another writer did not finish in time.
        StorageError: the disk refused.
    """
    if not directory.is_dir():
        return
    with writer_lock(directory, lock_seconds), storage_errors(directory):
        for name in (DATABASE, BUILDING, CORRUPT):
            (directory / name).unlink(missing_ok=True)
            remove_companions(directory / name)
        (directory / IGNORE).unlink(missing_ok=True)
        (directory / LOCK).unlink(missing_ok=True)
        if not any(directory.iterdir()):
            directory.rmdir()
