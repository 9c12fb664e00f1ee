"""The store without a disk, for tests of the code above: a generation is a set of dictionaries that nobody changes any more."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Self

from coderag.errors import IndexCorruptError, IndexLockedError
from coderag.store.protocol import Table


@dataclass(frozen=True, slots=True)
class _Generation:
    number: int = 0
    tables: dict[Table, dict[int, bytes]] = field(default_factory=lambda: {table: {} for table in Table})
    blocks: dict[str, bytes] = field(default_factory=dict)

    def next(self) -> _Generation:
        tables = {table: dict(records) for table, records in self.tables.items()}
        return replace(self, number=self.number + 1, tables=tables, blocks=dict(self.blocks))


class MemoryReader:
    """See `Reader`."""

    __slots__ = ("_held",)

    def __init__(self, held: _Generation) -> None:
        self._held = held

    @property
    def generation(self) -> int:
        """See `Reader`."""
        return self._held.number

    def block(self, name: str) -> bytes | None:
        """See `Reader`."""
        return self._held.blocks.get(name)

    def blocks(self) -> list[str]:
        """See `Reader`."""
        return sorted(self._held.blocks)

    def get(self, table: Table, key: int) -> bytes:
        """See `Reader`."""
        return self.get_many(table, (key,))[key]

    def get_many(self, table: Table, keys: Iterable[int]) -> dict[int, bytes]:
        """See `Reader`."""
        records = self._held.tables[table]
        try:
            return {key: records[key] for key in sorted(set(keys))}
        except KeyError as error:
            raise IndexCorruptError(f"{table} {error} is missing") from error

    def scan(self, table: Table) -> Iterator[tuple[int, bytes]]:
        """See `Reader`."""
        yield from sorted(self._held.tables[table].items())

    def close(self) -> None:
        """See `Reader`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class MemoryWriter(MemoryReader):
    """See `Writer`."""

    __slots__ = ()

    def put(self, table: Table, key: int, data: bytes) -> None:
        """See `Writer`."""
        self._held.tables[table][key] = data

    def put_many(self, table: Table, records: Iterable[tuple[int, bytes]]) -> None:
        """See `Writer`."""
        self._held.tables[table].update(records)

    def delete(self, table: Table, keys: Iterable[int]) -> None:
        """See `Writer`."""
        for key in self.get_many(table, keys):
            del self._held.tables[table][key]

    def clear(self, table: Table) -> None:
        """See `Writer`."""
        self._held.tables[table].clear()

    def put_block(self, name: str, data: bytes) -> None:
        """See `Writer`."""
        if not name:
            raise ValueError("a block needs a name")
        self._held.blocks[name] = data

    def delete_block(self, name: str) -> None:
        """See `Writer`."""
        self._held.blocks.pop(name, None)


class MemoryStore:
    """See `Store`. Lives and dies with the object."""

    def __init__(self, lock_seconds: float = 10.0) -> None:
        self._newest = _Generation()
        self._lock = threading.Lock()
        self.lock_seconds = lock_seconds

    def read(self) -> MemoryReader:
        """See `Store`."""
        return MemoryReader(self._newest)

    @contextmanager
    def write(self) -> Iterator[MemoryWriter]:
        """See `Store`."""
        with self._locked():
            yield from self._transaction(self._newest.next())

    @contextmanager
    def rebuild(self) -> Iterator[MemoryWriter]:
        """As `lifecycle.rebuild`."""
        with self._locked():
            yield from self._transaction(_Generation(number=self._newest.number + 1))

    def _transaction(self, generation: _Generation) -> Iterator[MemoryWriter]:
        yield MemoryWriter(generation)
        self._newest = generation

    @contextmanager
    def _locked(self) -> Iterator[None]:
        if not self._lock.acquire(timeout=self.lock_seconds):
            raise IndexLockedError(f"process {os.getpid()} is writing the index; wait for it or stop it")
        try:
            yield
        finally:
            self._lock.release()

    def verify(self) -> list[str]:
        """See `Store`."""
        return []

    def close(self) -> None:
        """See `Store`."""
