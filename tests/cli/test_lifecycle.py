"""An index as it ages: fresh, stale, damaged, gone. The next command always works unaided."""

from __future__ import annotations

import os
import sqlite3
import stat

import pytest

from coderag.store.lock import writer_lock
from tests.cli.conftest import Place

ONE = {"a.py": "def first():\n    return 1\n"}


@pytest.fixture
def indexed(place: Place) -> Place:
    place.write(ONE)
    place.index()
    return place


def test_the_summary_says_what_was_done_and_left_out(place: Place) -> None:
    place.write({**ONE, "b.bin": b"\0\1\2", ".env": "TOKEN=1\n", "c.py": 'key = "ghp_' + "a1B2" * 9 + '"\n'})
    outcome = place.index()
    assert "2 files, 3 lines" in outcome.out
    assert "2 added" in outcome.out
    assert "1 binary, 1 secret file" in outcome.out
    assert "1 masked" in outcome.out


def test_the_summary_as_json(place: Place) -> None:
    place.write(ONE)
    report = place.index("--json").json
    assert (report["generation"], report["files"], report["added"]) == (1, 1, 1)
    assert report["skipped"] == {}


def test_progress_goes_to_stderr_in_plain_lines(place: Place) -> None:
    place.write(ONE)
    outcome = place.index()
    assert "coderag: reading 100 % (26 B of 26 B)" in outcome.err
    assert "\x1b" not in outcome.err + outcome.out
    assert "reading" not in outcome.out


def test_a_second_run_has_nothing_to_do(indexed: Place) -> None:
    outcome = indexed.index()
    assert "nothing has changed" in outcome.out
    assert outcome.err == ""


def test_an_empty_directory_can_be_indexed_and_has_nothing(place: Place) -> None:
    place.index()
    assert place.search("anything").status == 1
    assert place.run("symbols").status == 1
    assert place.run("status").status == 0


def test_a_path_that_is_no_directory(place: Place) -> None:
    place.write(ONE)
    for path in ("missing", "a.py"):
        outcome = place.run("index", path)
        assert outcome.status == 2
        assert outcome.err == f"coderag: {path}: not a directory; name the root of the code to index\n"


def test_a_small_change_is_taken_up_before_the_answer(indexed: Place) -> None:
    indexed.write({"b.py": "def second():\n    return 2\n"})
    outcome = indexed.search("second")
    assert outcome.symbols[0] == "second"
    assert outcome.json["index"] == {"generation": 2, "fresh": True}
    assert outcome.err == ""


def test_without_update_the_index_answers_as_it_is_and_says_so(indexed: Place) -> None:
    indexed.write({"b.py": "def second():\n    return 2\n", "a.py": "def renamed():\n    return 100\n"})
    outcome = indexed.search("first", "--no-update")
    assert outcome.symbols == ["first"]
    assert outcome.hits[0]["stale"] is True
    assert outcome.json["index"] == {"generation": 1, "fresh": False}
    assert (
        outcome.err == "coderag: the index is stale: 1 file added, 1 file changed (57 B to read); run `coderag index`\n"
    )


def test_a_large_change_is_only_reported(indexed: Place) -> None:
    indexed.write({f"new/m{n}.py": f"def f{n}(): return {n}\n" for n in range(51)})
    outcome = indexed.search("first")
    assert outcome.json["index"] == {"generation": 1, "fresh": False}
    assert "the index is stale: 51 files added" in outcome.err


def test_a_deleted_file_is_found_no_more(indexed: Place) -> None:
    (indexed.root / "a.py").unlink()
    outcome = indexed.search("first")
    assert (outcome.status, outcome.hits) == (1, [])
    assert indexed.run("symbols", "first").status == 1


def test_a_renamed_file_is_found_under_its_new_name(indexed: Place) -> None:
    (indexed.root / "a.py").rename(indexed.root / "z.py")
    assert [hit["path"] for hit in indexed.search("first").hits] == ["z.py"]


def test_a_switched_branch_is_noticed(place: Place) -> None:
    place.git("init", "-q", "-b", "main")
    place.write(ONE)
    place.git("add", "-A")
    place.git("commit", "-qm", "one")
    place.index()
    place.git("checkout", "-qb", "other")
    place.write({"a.py": "def only_on_other():\n    return 2\n"})
    place.git("commit", "-qam", "two")
    assert place.search("only_on_other").symbols == ["only_on_other"]
    place.git("checkout", "-q", "main")
    back = place.search("first", "--no-update")
    assert back.json["index"]["fresh"] is False
    assert "stale" in back.err
    assert place.search("first").json["index"]["fresh"] is True
    assert place.search("only_on_other").status == 1


def test_a_commit_alone_leaves_the_index_fresh(place: Place) -> None:
    place.git("init", "-q")
    place.write(ONE)
    place.index()
    place.git("add", "-A")
    place.git("commit", "-qm", "one")
    outcome = place.search("first")
    assert outcome.json["index"]["fresh"] is True
    assert outcome.err == ""


@pytest.mark.parametrize("damage", ["truncated", "garbage", "empty"])
@pytest.mark.parametrize("command", ["search", "symbols", "callers", "callees"])
def test_a_damaged_index_is_set_aside_and_the_question_answered(indexed: Place, damage: str, command: str) -> None:
    database = indexed.root / ".coderag" / "index.sqlite3"
    content = database.read_bytes()
    for companion in ("-wal", "-shm"):
        database.with_name(database.name + companion).unlink(missing_ok=True)
    database.write_bytes({"truncated": content[: len(content) // 2], "garbage": b"\xa5" * 9_000, "empty": b""}[damage])
    outcome = indexed.run(command, "first")
    assert outcome.status == (0 if command in ("search", "symbols") else 1)
    assert "was kept as index.sqlite3.corrupt and built anew" in outcome.err
    assert "Traceback" not in outcome.err
    assert indexed.search("first").err == ""


def test_a_damaged_record_is_found_when_it_is_read(indexed: Place) -> None:
    connection = sqlite3.connect(indexed.root / ".coderag" / "index.sqlite3")
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        blob = columns[-1]
        connection.execute(f"UPDATE {table} SET {blob} = zeroblob(length({blob}))")
    connection.commit()
    connection.close()
    outcome = indexed.search("first")
    assert outcome.symbols == ["first"]
    assert "built anew" in outcome.err


def test_without_update_a_damaged_index_is_an_error(indexed: Place) -> None:
    (indexed.root / ".coderag" / "index.sqlite3").write_bytes(b"garbage")
    outcome = indexed.search("first", "--no-update")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1


def test_verify_finds_a_damaged_byte_and_a_change_that_no_time_shows(indexed: Place) -> None:
    path = indexed.root / "a.py"
    before = path.stat()
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns - 10**10))
    indexed.index()
    times = path.stat()
    path.write_text("def furst():\n    return 1\n")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert "1 changed" in indexed.index("--verify").out
    assert indexed.search("furst").status == 0


def test_rebuild_starts_anew(indexed: Place) -> None:
    outcome = indexed.index("--rebuild")
    assert "1 added" in outcome.out
    assert "generation 2" in outcome.out


def test_a_search_does_not_wait_for_a_writer(indexed: Place) -> None:
    indexed.write({"b.py": "def second():\n    return 2\n"})
    with writer_lock(indexed.root / ".coderag", 0.0):
        outcome = indexed.search("first")
    assert outcome.symbols == ["first"]
    assert outcome.json["index"]["fresh"] is False
    assert "is writing the index" in outcome.err


def test_a_second_writer_gives_up_with_status_2(indexed: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODERAG_LOCK_SECONDS", "0")
    indexed.write({"b.py": "def second():\n    return 2\n"})
    with writer_lock(indexed.root / ".coderag", 0.0):
        outcome = indexed.run("index")
    assert outcome.status == 2
    assert outcome.err.splitlines()[-1].startswith("coderag: ")
    assert f"process {os.getpid()} is writing the index" in outcome.err


def test_the_index_directory_can_be_elsewhere(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.write(ONE)
    elsewhere = place.root.parent / "elsewhere"
    place.index("--index-directory", "../elsewhere")
    assert not (place.root / ".coderag").exists()
    assert place.search("first", "--index-directory", str(elsewhere)).symbols == ["first"]
    monkeypatch.setenv("CODERAG_INDEX_DIRECTORY", str(elsewhere))
    assert place.search("first").symbols == ["first"]


def test_clean_removes_the_index(indexed: Place) -> None:
    outcome = indexed.run("clean")
    assert outcome.status == 0
    assert not (indexed.root / ".coderag").exists()
    assert indexed.run("clean").status == 1
    assert indexed.search("first").status == 2
    assert indexed.root.joinpath("a.py").exists()


def test_export_is_the_same_for_the_same_content(indexed: Place) -> None:
    first = indexed.run("export")
    assert first.status == 0
    assert '"path":"a.py"' in first.out
    indexed.index("--rebuild")
    assert indexed.run("export").out == first.out


def test_a_broken_configuration_is_one_line(indexed: Place) -> None:
    indexed.write({"coderag.toml": "max_file_byte = 3\n"})
    for command in (("index",), ("search", "first"), ("status",)):
        outcome = indexed.run(*command)
        assert (outcome.status, outcome.out) == (2, "")
        assert "unknown setting 'max_file_byte'" in outcome.err
        assert outcome.err.count("\n") == 1


def test_status_describes_the_index(place: Place) -> None:
    place.git("init", "-q")
    place.write(
        {**ONE, "latin.py": b"def caf\xe9(): return 1\n", "broken.py": "def broken( return 2\n", "x.bin": b"\0"}
    )
    place.git("add", "-A")
    place.git("commit", "-qm", "one")
    place.index()
    status = place.run("status", "--json").json
    assert (status["files"], status["generation"], status["fresh"]) == (3, 1, True)
    assert status["languages"] == [{"language": "python", "files": 3, "lines": 4, "chunks": status["chunks"]}]
    assert status["head"] == status["indexed_head"] != ""
    assert status["encodings"] == [{"path": "latin.py", "encoding": "latin-1"}]
    assert status["problems"][0]["path"] == "broken.py"
    assert status["skipped"] == [{"path": "x.bin", "reason": "binary", "rule": status["skipped"][0]["rule"]}]
    text = place.run("status").out
    assert "latin.py  latin-1" in text
    assert "broken.py:1" in text
    assert "1 binary" in text
    assert place.run("status", "--skipped").out.startswith("x.bin  binary")


def test_status_says_what_changed_and_changes_nothing(indexed: Place) -> None:
    indexed.write({"b.py": "x = 1\n"})
    (indexed.root / "a.py").unlink()
    status = indexed.run("status", "--json").json
    assert status["fresh"] is False
    assert status["pending"] == {"added": ["b.py"], "changed": [], "removed": ["a.py"]}
    assert "no: 1 added, 1 removed; run `coderag index`" in indexed.run("status").out
    assert indexed.run("status", "--json").json["generation"] == 1


def test_an_index_directory_that_others_could_read_is_closed(place: Place) -> None:
    place.write({"a.py": "x = 1\n"})
    place.index()
    directory = place.root / ".coderag"
    directory.chmod(0o755)
    place.index()
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
