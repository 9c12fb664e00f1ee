"""SQLite itself: how a connection is opened, what the database must look like, and what its errors mean.

Nothing here or above may `open()` a database file while a connection to it exists in the process: closing that file would drop the
locks of all of them (POSIX). That is why files are renamed and measured, never read.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from coderag.errors import IndexCorruptError, IndexFormatError, IndexLockedError, StorageError
from coderag.store.protocol import Table

FORMAT_VERSION = 3
"""The history is in indexes/FORMAT.md. Another number means another layout: the index is rebuilt, never guessed at."""

APPLICATION_ID = 0x636F6465  # "code"
READER_PATIENCE_SECONDS = 5.0  # only ever used while another connection repairs the log of a killed writer

# Measured with 100,000 records of about 1 kB, put in order: 4 kB pages 0.74 s in WAL mode, 8 kB 0.28 s, 16 kB 0.27 s; single reads
# from 16 kB pages are a third slower than from 8 kB ones.
PAGE_BYTES = 8192
_CACHE = "cache_size = -65536"  # kB; SQLite's 2 MB spill on records that are not put in order

_SCHEMA = (
    *(
        f"CREATE TABLE {table} (key INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, data BLOB NOT NULL)"
        for table in Table
    ),
    "CREATE TABLE blocks (name TEXT PRIMARY KEY, checksum INTEGER NOT NULL, data BLOB NOT NULL)",
)

# A planted database may hold triggers and views (trusted_schema, and the schema is compared); a damaged one may lie about the sizes
# of cells; a file that shrinks under a memory map kills the process.
_GUARDS = ("PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA mmap_size = 0")

_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
_REFUSED = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_NOLFS,
    }
)

_NO_LOG_INDEX = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL})

# The file ends too early; or a rollback journal, which an index in WAL mode never has, lies beside it.
_DAMAGED = frozenset({sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_READONLY_ROLLBACK})


def translated(error: sqlite3.Error | OSError, path: Path) -> Exception:
    """What an error of the database means for whoever uses the index. A mistake of the caller stays what it is."""
    if isinstance(error, OSError):
        return StorageError(f"{path}: {error.strerror or error}; make room or give permission, then run again")
    if isinstance(error, sqlite3.ProgrammingError):
        return error
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    if code & 0xFF in _LOCKED:
        return IndexLockedError(f"{path}: another process is holding the index ({error}); wait for it or stop it")
    if code & 0xFF in _REFUSED and code not in _DAMAGED and not _claims_to_be_read_only(code, path):
        return StorageError(f"{path}: {error}; make room or give permission, then run again")
    return corrupt(path, str(error))


def _claims_to_be_read_only(code: int, path: Path) -> bool:
    """A byte of the header can forbid to write what the system allows to write. Nothing but damage sets it."""
    return code == sqlite3.SQLITE_READONLY and os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def corrupt(path: Path, what: str) -> IndexCorruptError:
    """The error for a byte that is not what was written."""
    return IndexCorruptError(f"{path}: {what}; run `coderag index --rebuild`")


@contextmanager
def database_errors(path: Path) -> Iterator[None]:
    """Raise what `translated` says."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise translated(error, path) from error


def connect_reader(path: Path, seconds: float = READER_PATIENCE_SECONDS) -> sqlite3.Connection:
    """A connection that cannot write, inside its one read transaction.

    SQLite needs a file for the index of its log, which a full disk or a directory that cannot be written does not give. A clean index
    has no log: then, and only then, the file is read as one that does not change. (Should a writer find room in that very moment, a
    reader may see some of its records; reading the file in any other way is not possible there.)
    """
    snapshot = ("PRAGMA query_only = ON", "BEGIN", "PRAGMA user_version")  # taken by what reads first
    try:
        return _connect(path, "mode=ro", seconds, snapshot)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in _NO_LOG_INDEX or _has_log(path):
            raise
    return _connect(path, "mode=ro&immutable=1", seconds, snapshot)


def _has_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def connect_writer(path: Path, seconds: float) -> sqlite3.Connection:
    """A connection for the holder of the writer's lock; outside of any transaction.

    What is deleted is overwritten with zeros: no damaged pointer can lead to a record of the past whose checksum is still right.
    """
    pragmas = ("synchronous = NORMAL", "secure_delete = ON", "wal_autocheckpoint = 0", _CACHE)
    return _connect(path, "mode=rw", seconds, [f"PRAGMA {pragma}" for pragma in pragmas])


def create_database(path: Path) -> sqlite3.Connection:
    """A new, empty database that nobody else can see yet: without a journal, because a failure deletes the file."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    pragmas = (
        f"page_size = {PAGE_BYTES}",
        f"application_id = {APPLICATION_ID}",
        f"user_version = {FORMAT_VERSION}",
        "journal_mode = OFF",
        "synchronous = OFF",
        _CACHE,
    )
    return _connect(path, "mode=rw", 0.0, [*(f"PRAGMA {pragma}" for pragma in pragmas), *_SCHEMA])


class _Connection(sqlite3.Connection):
    """Lets its snapshot go when nobody has closed it, without the warning of Python 3.13.

    The connection itself, not its owner: in a cycle of garbage nothing says whose finalizer runs first.
    """

    def __del__(self) -> None:
        with suppress(sqlite3.ProgrammingError):  # of one that could not be opened
            self.close()


def _connect(path: Path, options: str, seconds: float, statements: Sequence[str]) -> sqlite3.Connection:
    # An absolute URI, because it can name any path: "?", "#" and bytes that are not UTF-8 are escaped.
    uri = f"{path.absolute().as_uri()}?{options}"
    connection = sqlite3.connect(
        uri, uri=True, timeout=seconds, isolation_level=None, check_same_thread=False, factory=_Connection
    )
    try:
        connection.text_factory = bytes  # a damaged row must fail by its checksum, not by its encoding
        for statement in (*_GUARDS, *statements):
            connection.execute(statement)
    except BaseException:
        connection.close()
        raise
    return connection


def check_format(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a database that is not an index of this format.

    Raises:
        IndexFormatError: another version wrote it.
        IndexCorruptError: it is no index, or its tables are not those that were made.
    """
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise corrupt(path, "not an index of coderag")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version != FORMAT_VERSION:
        raise IndexFormatError(
            f"{path}: has format version {version}, this coderag reads version {FORMAT_VERSION}; run `coderag index --rebuild`"
        )
    found = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    if sorted(found) != sorted((statement.encode(),) for statement in _SCHEMA):
        raise corrupt(path, "its tables are not those of an index")


def integrity_findings(connection: sqlite3.Connection) -> list[str]:
    """What SQLite's own check finds, empty when all is well."""
    lines = [bytes(row[0]).decode(errors="replace") for row in connection.execute("PRAGMA integrity_check")]
    return [] if lines == ["ok"] else lines
