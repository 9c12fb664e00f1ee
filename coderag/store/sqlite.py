"""The store on one SQLite database in WAL mode: an update is one transaction, a reader is one snapshot.

Knows tables, keys and bytes only. A connection lives as long as its reader or its transaction, so a store itself holds nothing
that a fork, a thread or a killed process could spoil.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from coderag.errors import CoderagError, IndexCorruptError
from coderag.store.census import Tally, block_checksum, decode_census, record_checksum
from coderag.store.database import (
    READER_PATIENCE_SECONDS,
    check_format,
    connect_reader,
    connect_writer,
    corrupt,
    create_database,
    database_errors,
    integrity_findings,
    translated,
)
from coderag.store.directory import DATABASE, file_identity, remove_litter
from coderag.store.lock import writer_lock
from coderag.store.protocol import Table
from coderag.store.steps import reached

HEADER = ""
"""The name of the block that holds the census."""

_READ_BATCH = 500  # keys of one SELECT; larger ones measured no faster
_WRITE_BATCH = 500
_OPEN_ATTEMPTS = 10

_Row = tuple[Any, int, bytes]  # key or name, checksum, data: as found, so any of them can be damaged


class SqliteReader:
    """A snapshot of the database. See `Reader`."""

    __slots__ = ("_census", "_connection", "_path")

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection
        with database_errors(path):
            check_format(connection, path)
        header = self._stored_block(HEADER, None)
        self._census = decode_census(header)

    @property
    def generation(self) -> int:
        """See `Reader`."""
        return self._census.generation

    def blocks(self) -> list[str]:
        """See `Reader`."""
        return sorted(self._census.blocks)

    def block(self, name: str) -> bytes | None:
        """See `Reader`."""
        checksum = self._census.blocks.get(name)
        return None if checksum is None else self._stored_block(name, checksum)

    def _stored_block(self, name: str, known: int | None) -> bytes:
        """The bytes of a block that must be there, with the checksum that the census knows (None: the census itself)."""
        rows = self._rows("SELECT name, checksum, data FROM blocks WHERE name = ?", (name,))
        if len(rows) != 1:
            raise corrupt(self._path, f"block {name!r} is missing")
        _, checksum, data = rows[0]
        if not isinstance(data, bytes) or block_checksum(name, data) != checksum or known not in (None, checksum):
            raise corrupt(self._path, f"block {name!r} does not match its checksum")
        return data

    def get(self, table: Table, key: int) -> bytes:
        """See `Reader`."""
        rows = self._rows(f"SELECT key, checksum, data FROM {table} WHERE key = ?", (key,))
        if not rows:
            raise self._missing(table, [key])
        return self._checked(table, rows[0])[1]

    def get_many(self, table: Table, keys: Iterable[int]) -> dict[int, bytes]:
        """See `Reader`."""
        wanted = sorted(set(keys))
        found: dict[int, bytes] = {}
        for start in range(0, len(wanted), _READ_BATCH):
            batch = wanted[start : start + _READ_BATCH]
            marks = ",".join("?" * len(batch))
            rows = self._rows(f"SELECT key, checksum, data FROM {table} WHERE key IN ({marks}) ORDER BY key", batch)
            found.update(self._checked(table, row) for row in rows)
        if len(found) != len(wanted):
            raise self._missing(table, sorted(set(wanted) - found.keys()))
        return found

    def scan(self, table: Table) -> Iterator[tuple[int, bytes]]:
        """See `Reader`."""
        seen, last = Tally(), None
        for batch in self._batches(f"SELECT key, checksum, data FROM {table} ORDER BY key"):
            for row in batch:
                record = self._checked(table, row)
                if last is not None and record[0] <= last:
                    raise corrupt(self._path, f"{table} is out of order at key {record[0]}")
                last = record[0]
                yield record
            seen = seen.plus(row[1] for row in batch)
        if seen != self._census.tables[table]:
            expected = self._census.tables[table]
            raise corrupt(self._path, f"{table} has {seen.count} records where {expected.count} others were written")

    def findings(self) -> Iterator[str]:
        """Every damage that can be found, one readable line each; goes on after each."""
        for table in Table:
            yield from self._table_findings(table)
        for name in self.blocks():
            try:
                self.block(name)
            except IndexCorruptError as error:
                yield str(error)
        with database_errors(self._path):
            yield from integrity_findings(self._connection)

    def copy_to(self, path: Path) -> None:
        """Write this generation, as it is, into the new database `path`."""
        with database_errors(path):
            reached("create")
            with closing(create_database(path)) as copy:
                reached("copy")
                self._connection.backup(copy)
                reached("copied")

    def _table_findings(self, table: Table) -> Iterator[str]:
        seen = Tally()
        try:
            for batch in self._batches(f"SELECT key, checksum, data FROM {table} ORDER BY key"):
                for row in batch:
                    if not _is_sound(table, row):
                        yield f"{table} {row[0]} does not match its checksum"
                seen = seen.plus(row[1] for row in batch if isinstance(row[1], int))
        except IndexCorruptError as error:
            yield f"{table} cannot be read: {error}"
        else:
            expected = self._census.tables[table]
            if seen != expected:
                yield f"{table} has {seen.count} records where {expected.count} others were written"

    def _rows(self, statement: str, parameters: Iterable[int | str]) -> list[_Row]:
        try:
            return self._connection.execute(statement, tuple(parameters)).fetchall()
        except (sqlite3.Error, OSError) as error:
            raise translated(error, self._path) from error

    def _batches(self, statement: str) -> Iterator[list[_Row]]:
        with database_errors(self._path):
            cursor = self._connection.execute(statement)
        with closing(cursor):
            while True:
                with database_errors(self._path):
                    batch = cursor.fetchmany(_READ_BATCH)
                if not batch:
                    return
                yield batch

    def _checked(self, table: Table, row: _Row) -> tuple[int, bytes]:
        if not _is_sound(table, row):
            raise corrupt(self._path, f"{table} {row[0]} does not match its checksum")
        return row[0], row[2]

    def _missing(self, table: Table, keys: list[int]) -> IndexCorruptError:
        return corrupt(self._path, f"{table} {keys[0]} is missing ({len(keys)} in all)")

    def close(self) -> None:
        """See `Reader`."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _is_sound(table: Table, row: _Row) -> bool:
    key, checksum, data = row
    return isinstance(data, bytes) and isinstance(checksum, int) and record_checksum(table, key, data) == checksum


class SqliteWriter(SqliteReader):
    """An open transaction. See `Writer`."""

    __slots__ = ("_highest",)

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        super().__init__(path, connection)
        self._census.generation += 1
        self._highest = {table: self._highest_key(table) for table in Table}

    def _highest_key(self, table: Table) -> int | None:
        """A key above all that are stored needs no look-up of the record that it replaces."""
        highest: int | None = self._rows(f"SELECT max(key), 0, x'' FROM {table}", ())[0][0]
        return highest

    def put(self, table: Table, key: int, data: bytes) -> None:
        """See `Writer`."""
        self.put_many(table, ((key, data),))

    def put_many(self, table: Table, records: Iterable[tuple[int, bytes]]) -> None:
        """See `Writer`."""
        iterator = iter(records)
        while batch := dict(islice(iterator, _WRITE_BATCH)):
            self._put_batch(table, batch)

    def _put_batch(self, table: Table, batch: dict[int, bytes]) -> None:
        rows = [(key, record_checksum(table, key, data), data) for key, data in batch.items()]
        highest = self._highest[table]
        replaced = self._checksums(table, [key for key in batch if highest is not None and key <= highest])
        with database_errors(self._path):
            reached(f"put {table}")
            self._connection.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)", rows)
        self._census.tables[table] = self._census.tables[table].minus(replaced.values()).plus(row[1] for row in rows)
        self._highest[table] = max(batch) if highest is None else max(highest, max(batch))

    def _checksums(self, table: Table, keys: list[int]) -> dict[int, int]:
        found: dict[int, int] = {}
        for start in range(0, len(keys), _READ_BATCH):
            batch = keys[start : start + _READ_BATCH]
            marks = ",".join("?" * len(batch))
            rows = self._rows(f"SELECT key, checksum, x'' FROM {table} WHERE key IN ({marks})", batch)
            found.update((key, checksum) for key, checksum, _ in rows)
        if not all(isinstance(checksum, int) for checksum in found.values()):
            raise corrupt(self._path, f"{table} has a checksum that is no number")
        return found

    def delete(self, table: Table, keys: Iterable[int]) -> None:
        """See `Writer`."""
        unwanted = sorted(set(keys))
        removed = self._checksums(table, unwanted)
        if len(removed) != len(unwanted):
            raise self._missing(table, sorted(set(unwanted) - removed.keys()))
        with database_errors(self._path):
            reached(f"delete {table}")
            self._connection.executemany(f"DELETE FROM {table} WHERE key = ?", ((key,) for key in unwanted))
        self._census.tables[table] = self._census.tables[table].minus(removed.values())

    def clear(self, table: Table) -> None:
        """See `Writer`."""
        with database_errors(self._path):
            reached(f"clear {table}")
            self._connection.execute(f"DELETE FROM {table}")
        self._census.tables[table] = Tally()
        self._highest[table] = None

    def put_block(self, name: str, data: bytes) -> None:
        """See `Writer`."""
        if name == HEADER:
            raise ValueError("a block needs a name")
        self._census.blocks[name] = self._store_block(name, data)

    def _store_block(self, name: str, data: bytes) -> int:
        checksum = block_checksum(name, data)
        with database_errors(self._path):
            reached("put header" if name == HEADER else "put block")
            self._connection.execute("INSERT OR REPLACE INTO blocks VALUES (?, ?, ?)", (name, checksum, data))
        return checksum

    def delete_block(self, name: str) -> None:
        """See `Writer`."""
        if self._census.blocks.pop(name, None) is not None:
            with database_errors(self._path):
                reached("delete block")
                self._connection.execute("DELETE FROM blocks WHERE name = ?", (name,))

    def commit(self) -> None:
        """Make the generation the newest one."""
        self._store_block(HEADER, self._census.encode())
        with database_errors(self._path):
            reached("commit")
            self._connection.execute("COMMIT")
            reached("committed")


class SqliteStore:
    """An index directory with a database. See `Store`; made by `lifecycle.open_store`."""

    __slots__ = ("_directory", "_lock_seconds", "_path")

    def __init__(self, directory: Path, lock_seconds: float) -> None:
        self._directory = directory
        self._path = directory / DATABASE
        self._lock_seconds = lock_seconds

    def read(self) -> SqliteReader:
        """See `Store`."""
        return open_reader(self._path)

    @contextmanager
    def write(self) -> Iterator[SqliteWriter]:
        """See `Store`."""
        with writer_lock(self._directory, self._lock_seconds):
            remove_litter(self._directory)
            file_identity(self._path)
            with _transaction(self._path, self._lock_seconds) as writer:
                yield writer

    def verify(self) -> list[str]:
        """See `Store`."""
        try:
            with self.read() as reader:
                return list(reader.findings())
        except IndexCorruptError as error:
            return [str(error)]

    def close(self) -> None:
        """See `Store`. There is nothing to let go: connections end with their readers and transactions."""


@contextmanager
def _transaction(path: Path, seconds: float) -> Iterator[SqliteWriter]:
    """Commit on a clean exit; otherwise closing the connection rolls back."""
    with database_errors(path):
        connection = connect_writer(path, seconds)
    with closing(connection):
        with database_errors(path):
            reached("begin")
            connection.execute("BEGIN IMMEDIATE")
            reached("begun")
        writer = SqliteWriter(path, connection)
        yield writer
        writer.commit()
        _checkpoint(connection, path)


def _checkpoint(connection: sqlite3.Connection, path: Path) -> None:
    """Move the log into the database as far as readers allow. It may fail: the log keeps the commit, and the next one tries again.

    Closing the last connection then removes the log.
    """
    with database_errors(path):
        reached("checkpoint")
        with suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        reached("checkpointed")


def open_reader(path: Path, seconds: float = READER_PATIENCE_SECONDS) -> SqliteReader:
    """A reader of the newest generation of a database file; `seconds` is for whoever repairs the log of a killed writer just then.

    A rebuild may put another file in its place while we open it, and we could then read the old file with the new log. So the
    file must still be the same once the snapshot is taken; from then on the old file and its log stay as they are.
    """
    for _ in range(_OPEN_ATTEMPTS):
        before = file_identity(path)
        try:
            reader = _snapshot_reader(path, seconds)
        except CoderagError:
            if file_identity(path) == before:
                raise
            continue
        if file_identity(path) == before:
            return reader
        reader.close()
    raise corrupt(path, "is being replaced again and again")


def _snapshot_reader(path: Path, seconds: float) -> SqliteReader:
    with database_errors(path):
        connection = connect_reader(path, seconds)
    try:
        return SqliteReader(path, connection)
    except BaseException:
        connection.close()
        raise
