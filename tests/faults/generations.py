"""Contents that follow from the number of a generation alone, so that a reader can tell a whole generation from any mixture."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from coderag.store import Reader, Table, Writer, dump, open_store, rebuild

RECORDS = 24
_CYCLE = 7


def record(table: Table, key: int, written: int) -> bytes:
    """What generation `written` puts there; now and then longer than a page."""
    seed = sha256(f"{table} {key} {written}".encode()).digest()
    return seed * (1 + seed[0] // 8) * (30 if key % 20 == 0 else 1)


def _last_written(key: int, generation: int) -> int:
    """Generation 1 writes every key, each later one those of its turn."""
    return max(1, generation - (generation - key) % _CYCLE)


def records_of(generation: int) -> dict[tuple[Table, int], bytes]:
    if generation == 0:
        return {}
    records = {
        (table, key): record(table, key, _last_written(key, generation)) for table in Table for key in range(RECORDS)
    }
    return records | {(Table.CHUNKS, RECORDS + generation): b"only in this one"}


def blocks_of(generation: int) -> dict[str, bytes]:
    return {"state": str(generation).encode() * 5000, f"block {generation}": b""} if generation else {}


def write(writer: Writer) -> None:
    """Change what differs between the generation before and that of the writer."""
    generation = writer.generation
    new, old = records_of(generation), records_of(generation - 1)
    for table in Table:
        gone = [key for (where, key) in old if where == table and (where, key) not in new]
        writer.delete(table, gone)
        changed = (item for item in new.items() if item[0][0] == table and old.get(item[0]) != item[1])
        writer.put_many(table, ((key, data) for (_, key), data in changed))
    for name in blocks_of(generation - 1):
        writer.delete_block(name)
    for name, data in blocks_of(generation).items():
        writer.put_block(name, data)


def write_whole(writer: Writer) -> None:
    """The same contents in an empty index."""
    records = records_of(writer.generation)
    for table in Table:
        writer.put_many(table, ((key, data) for (where, key), data in records.items() if where == table))
    for name, data in blocks_of(writer.generation).items():
        writer.put_block(name, data)


def whole_generation(reader: Reader) -> int:
    """The generation of a reader, every byte of which was compared."""
    number = reader.generation
    found = {(table, key): data for table in Table for key, data in reader.scan(table)}
    assert found == records_of(number)
    assert {name: reader.block(name) for name in reader.blocks()} == blocks_of(number)
    for table in Table:
        keys = [key for where, key in found if where == table]
        assert reader.get_many(table, keys) == {key: found[table, key] for key in sorted(keys)}
    return number


def advance(directory: Path, lock_seconds: float = 10.0) -> int:
    """Commit one more generation."""
    with open_store(directory, create=True, lock_seconds=lock_seconds).write() as writer:
        write(writer)
    return writer.generation


def advance_by_rebuild(directory: Path, lock_seconds: float = 10.0) -> int:
    with rebuild(directory, lock_seconds=lock_seconds) as writer:
        write_whole(writer)
    return writer.generation


def present(directory: Path) -> int:
    """The generation that is there, whole; every checksum and SQLite's own check are right."""
    store = open_store(directory, create=False, lock_seconds=10.0)
    assert store.verify() == []
    with store.read() as reader:
        return whole_generation(reader)


def contents(directory: Path) -> list[str]:
    with open_store(directory, create=False, lock_seconds=10.0).read() as reader:
        return list(dump(reader))


LITTER_FREE = frozenset({".gitignore", "index.sqlite3", "index.sqlite3-wal", "index.sqlite3-shm", "writer.lock"})


def litter(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()} - LITTER_FREE
