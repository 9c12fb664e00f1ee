"""What lies in an index directory, who may read it, and what a hostile one is allowed to do: nothing."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from pathlib import Path

import pytest

from coderag.errors import CoderagError, IndexCorruptError, IndexFormatError, NotIndexedError, StorageError
from coderag.store import Table, make_private, open_store, rebuild, remove_index, set_aside
from coderag.store.database import FORMAT_VERSION
from tests.store.readonly import unprivileged

KNOWN = {".gitignore", "index.sqlite3", "index.sqlite3-wal", "index.sqlite3-shm", "writer.lock"}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "deep" / ".coderag"


def names(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


def build(directory: Path, data: bytes = b"a") -> None:
    with rebuild(directory, lock_seconds=5.0) as writer:
        writer.put(Table.FILES, 1, data)


def first_record(directory: Path) -> bytes:
    with open_store(directory, create=False, lock_seconds=5.0).read() as reader:
        return reader.get(Table.FILES, 1)


def change(directory: Path, *statements: str) -> None:
    connection = sqlite3.connect(directory / "index.sqlite3", isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def test_the_directory_is_private_and_ignored_by_git(directory: Path) -> None:
    old = os.umask(0)
    try:
        build(directory)
        with open_store(directory, create=False, lock_seconds=5.0).write() as writer:
            writer.put(Table.FILES, 2, b"b")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()}
    finally:
        os.umask(old)
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert set(modes) == KNOWN
    assert set(modes.values()) == {0o600}
    assert (directory / ".gitignore").read_text() == "*\n"


def test_a_git_ignore_file_of_the_user_stays(directory: Path) -> None:
    directory.mkdir(parents=True)
    (directory / ".gitignore").write_text("# mine\n*\n")
    build(directory)
    assert (directory / ".gitignore").read_text() == "# mine\n*\n"


def test_the_database_is_in_wal_mode_with_its_format_version(directory: Path) -> None:
    build(directory)
    connection = sqlite3.connect(directory / "index.sqlite3")
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA user_version").fetchone() == (FORMAT_VERSION,)
    connection.close()


def test_no_index_is_not_an_empty_index(directory: Path) -> None:
    with pytest.raises(NotIndexedError, match="coderag index"):
        open_store(directory, create=False, lock_seconds=5.0)
    assert not directory.exists()
    directory.mkdir(parents=True)
    with pytest.raises(NotIndexedError):
        open_store(directory, create=False, lock_seconds=5.0)
    with pytest.raises(NotIndexedError):
        set_aside(directory, lock_seconds=5.0)
    assert names(directory) <= {"writer.lock"}


def test_an_index_that_is_removed_while_the_store_is_open_is_not_made_again(directory: Path) -> None:
    store = open_store(directory, create=True, lock_seconds=5.0)
    remove_index(directory, lock_seconds=5.0)
    assert not directory.exists()
    with pytest.raises(NotIndexedError):
        store.read()
    with pytest.raises(CoderagError), store.write():
        pass
    assert not directory.exists()


def test_removing_leaves_what_is_not_ours(directory: Path) -> None:
    build(directory)
    (directory / "notes.txt").write_text("mine")
    remove_index(directory, lock_seconds=5.0)
    assert names(directory) == {"notes.txt"}
    remove_index(directory / "nothing", lock_seconds=5.0)


def test_another_format_version_names_both_and_the_way_out(directory: Path) -> None:
    build(directory)
    change(directory, "PRAGMA user_version = 77")
    with pytest.raises(IndexFormatError, match=rf"77.*{FORMAT_VERSION}.*coderag index --rebuild"):
        open_store(directory, create=True, lock_seconds=5.0)
    build(directory, b"b")
    assert first_record(directory) == b"b"
    assert names(directory) <= KNOWN


def test_an_older_log_is_not_applied_to_a_new_index(directory: Path) -> None:
    build(directory)
    change(directory, "PRAGMA user_version = 77")
    for suffix in ("-wal", "-shm", "-journal"):
        (directory / f"index.sqlite3{suffix}").write_bytes(b"left by another version" * 1000)
    build(directory, b"b")
    assert first_record(directory) == b"b"
    assert not (directory / "index.sqlite3-journal").exists()


@pytest.mark.parametrize("content", [b"", b"garbage " * 2000, b"SQLite format 3\x00"], ids=["empty", "garbage", "stub"])
def test_what_is_no_database_is_damage_and_a_rebuild_heals_it(directory: Path, content: bytes) -> None:
    directory.mkdir(parents=True)
    (directory / "index.sqlite3").write_bytes(content)
    with pytest.raises(IndexCorruptError, match="--rebuild"):
        open_store(directory, create=True, lock_seconds=5.0)
    build(directory, b"b")
    assert first_record(directory) == b"b"


def test_a_damaged_index_is_set_aside_with_its_log_and_only_the_newest_is_kept(directory: Path) -> None:
    for data in (b"a", b"b"):
        build(directory, data)
        store = open_store(directory, create=False, lock_seconds=5.0)
        with store.read(), store.write() as writer:
            writer.put(Table.FILES, 1, data * 2)
        assert set_aside(directory, lock_seconds=5.0) == directory / "index.sqlite3.corrupt"
        with pytest.raises(NotIndexedError):
            store.read()
    assert names(directory) - {"index.sqlite3.corrupt-wal", "index.sqlite3.corrupt-shm"} == {
        ".gitignore",
        "writer.lock",
        "index.sqlite3.corrupt",
    }
    kept = sqlite3.connect(directory / "index.sqlite3.corrupt")
    assert kept.execute("SELECT data FROM files").fetchall() == [(b"bb",)]
    kept.close()


def test_litter_of_a_killed_rebuild_is_removed_by_the_next_writer(directory: Path) -> None:
    build(directory)
    for name in ("index.sqlite3.building", "index.sqlite3.building-wal", "index.sqlite3.building-journal"):
        (directory / name).write_bytes(b"half")
    with open_store(directory, create=False, lock_seconds=5.0).write():
        pass
    assert names(directory) <= KNOWN


@pytest.mark.parametrize(
    "name", ["plain", "with space", "question?mark#hash%41", "日本語", os.fsdecode(b"not-utf8-\xff")]
)
def test_the_directory_may_have_any_name(tmp_path: Path, name: str) -> None:
    build(tmp_path / name)
    assert first_record(tmp_path / name) == b"a"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_relative_directory_works(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory.mkdir(parents=True)
    monkeypatch.chdir(directory)
    build(Path())
    assert first_record(directory) == b"a"


@pytest.mark.parametrize(
    "name", ["writer.lock", ".gitignore", "index.sqlite3", "index.sqlite3.building", "index.sqlite3-wal"]
)
def test_a_planted_link_is_never_written_through(directory: Path, tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    directory.mkdir(parents=True)
    (directory / name).symlink_to(victim)
    try:
        build(directory)
    except StorageError as error:
        assert name in str(error)
    else:
        assert first_record(directory) == b"a"
    assert victim.read_text() == "precious"


def test_a_planted_link_in_the_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / ".coderag").symlink_to(tmp_path / "home")
    with pytest.raises(StorageError, match="symbolic link"):
        build(tmp_path / ".coderag")
    assert names(tmp_path / "home") == set()


def test_a_link_or_a_pipe_in_the_place_of_the_database_is_damage(directory: Path, tmp_path: Path) -> None:
    build(tmp_path / "other")
    directory.mkdir(parents=True)
    (directory / "index.sqlite3").symlink_to(tmp_path / "other" / "index.sqlite3")
    with pytest.raises(IndexCorruptError, match="not a regular file"):
        first_record(directory)
    (directory / "index.sqlite3").unlink()
    os.mkfifo(directory / "index.sqlite3")
    with pytest.raises(IndexCorruptError, match="not a regular file"):
        first_record(directory)
    build(directory, b"b")
    assert first_record(directory) == b"b"


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER planted AFTER INSERT ON files BEGIN DELETE FROM chunks; END",
        "CREATE VIEW planted AS SELECT * FROM files",
        "CREATE TABLE planted (x)",
        "DROP TABLE names",
        "ALTER TABLE files ADD COLUMN planted",
    ],
)
def test_a_database_with_other_tables_or_triggers_is_damage(directory: Path, statement: str) -> None:
    build(directory)
    change(directory, statement)
    with pytest.raises(IndexCorruptError):
        open_store(directory, create=False, lock_seconds=5.0)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE files SET data = x'62' WHERE key = 1",
        "UPDATE files SET data = 'a' WHERE key = 1",
        "UPDATE files SET data = 1 WHERE key = 1",
        "UPDATE files SET checksum = checksum + 1 WHERE key = 1",
        "UPDATE files SET checksum = 'none' WHERE key = 1",
        "UPDATE files SET key = 9 WHERE key = 1",
        "DELETE FROM files WHERE key = 1",
        "INSERT INTO files SELECT 9, checksum, data FROM files WHERE key = 1",
        "INSERT INTO files SELECT key + 1, checksum, data FROM chunks WHERE key = 3",
        "UPDATE blocks SET data = x'00' WHERE name = ''",
        "DELETE FROM blocks WHERE name = ''",
    ],
)
def test_verify_and_scan_notice_every_changed_vanished_or_added_row(directory: Path, statement: str) -> None:
    with rebuild(directory, lock_seconds=5.0) as writer:
        writer.put_many(Table.FILES, [(1, b"a"), (2, b"b")])
        writer.put(Table.CHUNKS, 3, b"a")
    store = open_store(directory, create=False, lock_seconds=5.0)
    assert store.verify() == []
    change(directory, statement)
    unchanged = "data = 'a'" in statement  # the same bytes under another type are the same bytes
    assert bool(store.verify()) is not unchanged
    if not unchanged:
        with pytest.raises(IndexCorruptError), store.read() as reader:
            list(reader.scan(Table.FILES))


@pytest.mark.parametrize(
    "statement", ["DELETE FROM blocks WHERE name = 'b'", "UPDATE blocks SET data = x'00' WHERE name = 'b'"]
)
def test_a_block_that_vanished_or_changed_is_damage_not_none(directory: Path, statement: str) -> None:
    with rebuild(directory, lock_seconds=5.0) as writer:
        writer.put_block("b", b"data")
    change(directory, statement)
    store = open_store(directory, create=False, lock_seconds=5.0)
    with store.read() as reader, pytest.raises(IndexCorruptError, match="block 'b'"):
        reader.block("b")
    assert any("block 'b'" in finding for finding in store.verify())


def test_blocks_that_changed_places_are_damage(directory: Path) -> None:
    with rebuild(directory, lock_seconds=5.0) as writer:
        writer.put_block("a", b"same")
        writer.put_block("b", b"same")
    change(directory, "UPDATE blocks SET checksum = (SELECT checksum FROM blocks WHERE name = 'a') WHERE name = 'b'")
    with open_store(directory, create=False, lock_seconds=5.0).read() as reader, pytest.raises(IndexCorruptError):
        reader.block("b")


def test_deleted_records_leave_no_bytes_behind(directory: Path) -> None:
    secret = b"hunter2-hunter2-hunter2"
    build(directory, secret)
    store = open_store(directory, create=False, lock_seconds=5.0)
    with store.write() as writer:
        writer.put(Table.CHUNKS, 1, secret * 1000)
    with store.write() as writer:
        writer.put(Table.FILES, 1, b"masked")
        writer.delete(Table.CHUNKS, [1])
    assert all(secret not in path.read_bytes() for path in directory.iterdir())


def test_a_clean_index_in_a_directory_that_cannot_be_written_is_readable() -> None:
    with unprivileged() as place:
        build(place / "index")
        for name in ("index.sqlite3-wal", "index.sqlite3-shm"):
            (place / "index" / name).unlink(missing_ok=True)
        (place / "index" / "index.sqlite3").chmod(0o400)
        (place / "index").chmod(0o500)
        store = open_store(place / "index", create=True, lock_seconds=5.0)
        assert first_record(place / "index") == b"a"
        assert store.verify() == []
        (place / "index" / "writer.lock").chmod(0o400)
        with pytest.raises(StorageError, match=r"writer\.lock"), store.write():
            pass
        with pytest.raises(StorageError, match=r"writer\.lock"):
            build(place / "index")


@pytest.mark.parametrize("companions", [("-wal", "-shm"), ("-wal",)], ids=["log and its index", "log alone"])
def test_a_log_in_a_directory_that_cannot_be_written_is_read_or_refused_never_ignored(
    companions: tuple[str, ...],
) -> None:
    with unprivileged() as place:
        index, copy = place / "index", place / "copy"
        build(index)
        store = open_store(index, create=False, lock_seconds=5.0)
        with store.read():  # its snapshot keeps the log from being moved into the database
            with store.write() as writer:
                writer.put(Table.FILES, 1, b"newer")
            copy.mkdir()
            for suffix in ("", *companions):
                shutil.copy(index / f"index.sqlite3{suffix}", copy)
        copy.chmod(0o500)
        try:
            assert first_record(copy) == b"newer"
        except StorageError as error:
            assert companions == ("-wal",)
            assert "index.sqlite3" in str(error)


def test_a_directory_that_cannot_be_made_says_so() -> None:
    with unprivileged() as place:
        place.chmod(0o500)
        with pytest.raises(StorageError, match="index"):
            open_store(place / "index", create=True, lock_seconds=5.0)


def test_an_index_directory_that_is_open_is_closed_but_nobody_elses(directory: Path) -> None:
    build(directory)
    directory.chmod(0o755)
    make_private(directory)
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    directory.chmod(0o755)
    (directory / "notes.txt").touch()
    make_private(directory)
    assert stat.S_IMODE(directory.stat().st_mode) == 0o755
    make_private(directory / "missing")
