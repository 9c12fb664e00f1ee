"""What every store must do. A subclass says how to make one; its tests are these."""

from __future__ import annotations

import random
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest

from coderag.errors import IndexCorruptError, IndexLockedError
from coderag.store import Store, Table, Writer, dump

KEYS = (0, 1, -1, 7, 2**31, 2**63 - 1, -(2**63))


def random_operations(seed: int) -> list[tuple[str, Table, int, bytes]]:
    source = random.Random(seed)
    kinds = source.choices(("put", "delete", "clear", "block", "drop", "commit"), (20, 10, 1, 4, 2, 4), k=60)
    return [
        (kind, source.choice(list(Table)[:3]), source.randrange(12), source.randbytes(source.randrange(40)))
        for kind in kinds
    ]


class StoreBattery(ABC):
    @abstractmethod
    def make(self, lock_seconds: float = 10.0) -> Store:
        """A new, empty store, or one more on the same index where stores share one."""

    @abstractmethod
    def rebuild(self, store: Store) -> AbstractContextManager[Writer]:
        """A writer of a whole new index in the place of that of the store."""

    @pytest.fixture
    def store(self) -> Store:
        return self.make()

    def test_a_new_store_is_generation_zero_and_empty(self, store: Store) -> None:
        with store.read() as reader:
            assert reader.generation == 0
            assert list(dump(reader)) == []
            assert reader.block("anything") is None

    def test_each_clean_exit_is_the_next_generation(self, store: Store) -> None:
        for expected in (1, 2, 3):
            with store.write() as writer:
                assert writer.generation == expected
            with store.read() as reader:
                assert reader.generation == expected

    @pytest.mark.parametrize("key", KEYS)
    @pytest.mark.parametrize(
        "data", [b"", b"\x00", b"text", bytes(range(256)) * 400], ids=["empty", "nul", "text", "long"]
    )
    def test_a_record_comes_back_as_it_was(self, store: Store, key: int, data: bytes) -> None:
        with store.write() as writer:
            writer.put(Table.CHUNKS, key, data)
        with store.read() as reader:
            assert reader.get(Table.CHUNKS, key) == data

    def test_tables_do_not_share_keys(self, store: Store) -> None:
        with store.write() as writer:
            for table in Table:
                writer.put(table, 5, table.encode())
        with store.read() as reader:
            assert {table: reader.get(table, 5) for table in Table} == {table: table.encode() for table in Table}

    def test_the_last_of_equal_keys_stays(self, store: Store) -> None:
        with store.write() as writer:
            writer.put_many(Table.FILES, [(1, b"a"), (2, b"b"), (1, b"c")])
            writer.put_many(Table.FILES, [(2, b"d")])
        with store.write() as writer:
            writer.put(Table.FILES, 1, b"e")
        with store.read() as reader:
            assert list(reader.scan(Table.FILES)) == [(1, b"e"), (2, b"d")]

    def test_a_scan_ascends(self, store: Store) -> None:
        with store.write() as writer:
            writer.put_many(Table.NAMES, ((key, b"x") for key in random.Random(1).sample(range(-5000, 5000), 3000)))
        with store.read() as reader:
            keys = [key for key, _ in reader.scan(Table.NAMES)]
        assert keys == sorted(keys)
        assert len(keys) == 3000

    def test_many_records_come_by_ascending_key(self, store: Store) -> None:
        with store.write() as writer:
            writer.put_many(Table.POSTINGS, ((key, str(key).encode()) for key in range(3000)))
        wanted = random.Random(2).sample(range(3000), 1700)
        with store.read() as reader:
            found = reader.get_many(Table.POSTINGS, wanted + wanted)
            assert list(found.items()) == [(key, str(key).encode()) for key in sorted(wanted)]
            assert reader.get_many(Table.POSTINGS, []) == {}

    def test_a_key_that_is_not_there_is_damage(self, store: Store) -> None:
        with store.write() as writer:
            writer.put(Table.FILES, 1, b"a")
            with pytest.raises(IndexCorruptError, match="files"):
                writer.delete(Table.FILES, [1, 2])
            assert writer.get(Table.FILES, 1) == b"a"
        with store.read() as reader:
            with pytest.raises(IndexCorruptError, match="files"):
                reader.get(Table.FILES, 2)
            with pytest.raises(IndexCorruptError, match="files"):
                reader.get_many(Table.FILES, [1, 2])
            with pytest.raises(IndexCorruptError, match="names"):
                reader.get(Table.NAMES, 1)

    def test_deleted_records_are_gone(self, store: Store) -> None:
        with store.write() as writer:
            writer.put_many(Table.EDGES, ((key, b"x") for key in range(2000)))
        with store.write() as writer:
            writer.delete(Table.EDGES, [*range(0, 2000, 2), 0])
        with store.read() as reader:
            assert [key for key, _ in reader.scan(Table.EDGES)] == list(range(1, 2000, 2))

    def test_a_cleared_table_can_be_filled_again(self, store: Store) -> None:
        with store.write() as writer:
            writer.put_many(Table.TERMS, [(1, b"a"), (9, b"b")])
            writer.put(Table.FILES, 1, b"kept")
            writer.clear(Table.TERMS)
            assert list(writer.scan(Table.TERMS)) == []
            writer.put(Table.TERMS, 2, b"c")
        with store.read() as reader:
            assert list(reader.scan(Table.TERMS)) == [(2, b"c")]
            assert reader.get(Table.FILES, 1) == b"kept"

    def test_blocks_have_names(self, store: Store) -> None:
        with store.write() as writer:
            writer.put_block("größe", b"1")
            writer.put_block("arrays", bytes(300_000))
            writer.put_block("empty", b"")
        with store.write() as writer:
            writer.put_block("größe", b"2")
            writer.delete_block("arrays")
            writer.delete_block("never there")
            with pytest.raises(ValueError, match="name"):
                writer.put_block("", b"")
        with store.read() as reader:
            assert reader.blocks() == ["empty", "größe"]
            assert (reader.block("größe"), reader.block("arrays"), reader.block("empty")) == (b"2", None, b"")

    def test_a_writer_sees_what_it_wrote_and_nobody_else_does(self, store: Store) -> None:
        with store.write() as writer:
            writer.put(Table.FILES, 1, b"new")
            writer.put_block("name", b"new")
            assert writer.get(Table.FILES, 1) == b"new"
            assert writer.block("name") == b"new"
            with store.read() as reader:
                assert reader.generation == 0
                assert list(dump(reader)) == []

    def test_a_reader_keeps_its_generation(self, store: Store) -> None:
        with store.write() as writer:
            writer.put_many(Table.CHUNKS, ((key, b"old") for key in range(500)))
        with store.read() as reader:
            for _ in range(3):
                with store.write() as writer:
                    writer.put_many(Table.CHUNKS, ((key, b"new") for key in range(100, 600)))
            with self.rebuild(store) as writer:
                writer.put(Table.CHUNKS, 0, b"rebuilt")
            assert reader.generation == 1
            assert list(reader.scan(Table.CHUNKS)) == [(key, b"old") for key in range(500)]
        with store.read() as reader:
            assert list(reader.scan(Table.CHUNKS)) == [(0, b"rebuilt")]

    def test_an_exception_leaves_the_old_generation(self, store: Store) -> None:
        with store.write() as writer:
            writer.put(Table.FILES, 1, b"old")
        for context in (store.write(), self.rebuild(store)):
            with pytest.raises(KeyboardInterrupt), context as writer:
                writer.put(Table.FILES, 1, b"new")
                writer.put_block("new", b"")
                raise KeyboardInterrupt
        with store.read() as reader:
            assert reader.generation == 1
            assert list(reader.scan(Table.FILES)) == [(1, b"old")]
            assert reader.blocks() == []
        assert store.verify() == []

    def test_records_that_fail_on_the_way_leave_the_old_generation(self, store: Store) -> None:
        def records() -> Iterator[tuple[int, bytes]]:
            yield from ((key, b"x") for key in range(1200))
            raise LookupError("encoder")

        with pytest.raises(LookupError), store.write() as writer:
            writer.put_many(Table.FILES, records())
        with store.read() as reader:
            assert (reader.generation, list(dump(reader))) == (0, [])

    def test_a_rebuild_starts_empty_and_counts_on(self, store: Store) -> None:
        with store.write() as writer:
            writer.put(Table.FILES, 1, b"old")
            writer.put_block("old", b"")
        with self.rebuild(store) as writer:
            assert (writer.generation, list(dump(writer))) == (2, [])
            writer.put(Table.NAMES, 3, b"new")
        with store.read() as reader:
            assert (reader.generation, list(reader.scan(Table.NAMES)), reader.blocks()) == (2, [(3, b"new")], [])
        with store.write() as writer:
            assert writer.generation == 3

    def test_a_second_writer_waits(self, store: Store) -> None:
        first_is_in, second = threading.Event(), self.make(lock_seconds=60.0)

        def write_second() -> None:
            first_is_in.wait()
            with second.write() as writer:
                writer.put(Table.FILES, 1, writer.get(Table.FILES, 1) + b" second")

        thread = threading.Thread(target=write_second)
        thread.start()
        with store.write() as writer:
            first_is_in.set()
            writer.put(Table.FILES, 1, b"first")
        thread.join()
        with store.read() as reader:
            assert (reader.generation, reader.get(Table.FILES, 1)) == (2, b"first second")

    def test_a_second_writer_says_who_is_writing(self, store: Store) -> None:
        impatient = self.make(lock_seconds=0.0)
        with store.write(), pytest.raises(IndexLockedError, match=r"process \d+ is writing"), impatient.write():
            pass
        with impatient.write():
            pass

    def test_the_order_of_writing_does_not_show(self, store: Store) -> None:
        records = [(key, str(key).encode()) for key in range(700)]
        with store.write() as writer:
            writer.put_many(Table.FILES, records)
            writer.put_block("a", b"1")
            writer.put_block("b", b"2")
        with store.read() as reader:
            first = list(dump(reader))
        with self.rebuild(store) as writer:
            writer.put_block("b", b"2")
            writer.put(Table.FILES, 9999, b"")
            for key, data in reversed(records):
                writer.put(Table.FILES, key, data)
            writer.delete(Table.FILES, [9999])
            writer.put_block("a", b"1")
        with store.read() as reader:
            assert list(dump(reader)) == first

    @pytest.mark.parametrize("seed", range(25))
    def test_any_sequence_of_operations_agrees_with_dictionaries(self, store: Store, seed: int) -> None:
        tables: dict[Table, dict[int, bytes]] = {table: {} for table in Table}
        blocks: dict[str, bytes] = {}
        transaction = store.write()
        writer = transaction.__enter__()
        for what, table, key, data in random_operations(seed):
            if what == "put":
                writer.put(table, key, data)
                tables[table][key] = data
            elif what == "delete" and key in tables[table]:
                writer.delete(table, [key])
                del tables[table][key]
            elif what == "clear":
                writer.clear(table)
                tables[table].clear()
            elif what == "block":
                writer.put_block(f"block{key}", data)
                blocks[f"block{key}"] = data
            elif what == "drop":
                writer.delete_block(f"block{key}")
                blocks.pop(f"block{key}", None)
            elif what == "commit":
                transaction.__exit__(None, None, None)
                transaction = store.write()
                writer = transaction.__enter__()
        transaction.__exit__(None, None, None)
        with store.read() as reader:
            assert {table: dict(reader.scan(table)) for table in Table} == tables
            assert {name: reader.block(name) for name in reader.blocks()} == blocks
        assert store.verify() == []

    def test_closing_twice_is_harmless(self, store: Store) -> None:
        reader = store.read()
        reader.close()
        reader.close()
        store.close()
        store.close()
