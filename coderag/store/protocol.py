"""What the code above may ask of a store: records by (table, key), blocks by name, whole generations.

A store keeps bytes and knows nothing of what they mean: no language, no model, no chunk. The protocol is narrow on purpose, so that
another database can take the place of SQLite; `tests/store/battery.py` runs over every implementation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from enum import StrEnum
from types import TracebackType
from typing import Protocol, Self


class Table(StrEnum):
    """Where a record lives. `indexes/FORMAT.md` says what each table holds."""

    FILES = "files"
    PARSED = "parsed"
    EDGES = "edges"
    CHUNKS = "chunks"
    POSTINGS = "postings"
    TERMS = "terms"
    NAMES = "names"
    VECTORS = "vectors"
    SHELF = "shelf"


class Reader(Protocol):
    """One whole generation, unchanged for as long as the reader is open, whatever a writer does meanwhile.

    Every method may raise `IndexCorruptError` (a stored byte is not what was written) and `StorageError` (the disk refused).
    One thread at a time may use it, and no process but the one that opened it: after a fork, open a new one in the child.
    """

    @property
    def generation(self) -> int:
        """Which commit this is; a writer has the one that it will become. 0 is the empty index."""

    def block(self, name: str) -> bytes | None:
        """The named block, None where there is none."""

    def blocks(self) -> list[str]:
        """The names of all blocks, sorted."""

    def get(self, table: Table, key: int) -> bytes:
        """The record. Callers ask for keys that they know of, so one that is missing raises `IndexCorruptError`."""

    def get_many(self, table: Table, keys: Iterable[int]) -> dict[int, bytes]:
        """The records by ascending key. All must exist, as in `get`."""

    def scan(self, table: Table) -> Iterator[tuple[int, bytes]]:
        """Every record by ascending key. Vanished ones are noticed at the end, so a scan counts once it is exhausted.

        A writer must not change the table while it is scanned.
        """

    def close(self) -> None:
        """Let the generation go. Closing twice is harmless."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...


class Writer(Reader, Protocol):
    """A transaction: reads see what it has written; nobody else does before it ends. The context that made it ends it."""

    def put(self, table: Table, key: int, data: bytes) -> None:
        """Write a record, in place of the one with that key if there is one. Keys are signed 64-bit integers."""

    def put_many(self, table: Table, records: Iterable[tuple[int, bytes]]) -> None:
        """As `put` for each; the last of equal keys stays. Fastest when keys ascend beyond all that are stored."""

    def delete(self, table: Table, keys: Iterable[int]) -> None:
        """Remove records. All must exist, as in `get`."""

    def clear(self, table: Table) -> None:
        """Remove every record of a table."""

    def put_block(self, name: str, data: bytes) -> None:
        """Write a named block, in place of the one with that name if there is one."""

    def delete_block(self, name: str) -> None:
        """Remove a named block if it is there."""


class Store(Protocol):
    """An index. Holds nothing open between calls, so it may be used by any thread and on both sides of a fork."""

    def read(self) -> Reader:
        """The newest generation. Never waits for a writer."""

    def write(self) -> AbstractContextManager[Writer]:
        """One transaction: a clean exit commits the next generation, an exception leaves the old one.

        Raises:
            IndexLockedError: another writer did not finish in time.
        """

    def verify(self) -> list[str]:
        """Check every byte that is stored. One readable finding each; empty when all is well."""

    def close(self) -> None:
        """Let the store go. Closing twice is harmless."""
