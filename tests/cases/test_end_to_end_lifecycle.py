"""An index while its repository changes: renames, deletions, branches, damage, two writers."""

from __future__ import annotations

import gc
import os
import sys
import weakref
from collections.abc import Callable

import pytest
from repository import Repository

from coderag import Index, Settings
from coderag.errors import IndexLockedError, NotIndexedError

Indexed = Callable[..., Repository]
FILES = {
    "old.py": "from base import make\n\n\ndef moved():\n    return make()\n",
    "base.py": "def make():\n    return 1\n",
    "use.py": "import old\n\n\ndef run():\n    return old.moved()\n",
}


def same_as_fresh(repository: Repository, indexed: Indexed) -> bool:
    files = {}
    for path in repository.root.rglob("*"):
        if path.is_file() and not {".coderag", ".git"} & set(path.relative_to(repository.root).parts):
            files[path.relative_to(repository.root).as_posix()] = path.read_bytes()
    return list(indexed(files).index.export()) == list(repository.index.export())


def test_a_renamed_file_is_not_parsed_again_and_its_old_path_is_gone(indexed: Indexed) -> None:
    repository = indexed(FILES)
    os.rename(repository.root / "old.py", repository.root / "new.py")
    report = repository.index.update()
    assert (report.moved, report.added, report.changed) == (1, 0, 0)
    assert "new.py#moved" in repository.search("moved")
    assert all(not each.startswith("old.py") for each in repository.search("moved"))
    assert repository.index.why("old.py").verdict == "no such path"
    assert same_as_fresh(repository, indexed)


@pytest.mark.parametrize("path", ["base.py", "use.py", "old.py"])
def test_nothing_is_found_of_a_deleted_file(indexed: Indexed, path: str) -> None:
    repository = indexed(FILES)
    os.unlink(repository.root / path)
    repository.index.update()
    for query in ("make", "moved", "run", "old"):
        assert all(not each.startswith(f"{path}#") for each in repository.search(query))
    assert all(entry.path != path for entry in repository.index.symbols())
    assert repository.index.why(path).verdict == "no such path"
    assert same_as_fresh(repository, indexed)


def test_what_somebody_works_on_comes_first_until_it_is_committed(indexed: Indexed) -> None:
    total = "def total(prices):\n    return sum(prices)  # without discount\n"
    files = {"shop/first.py": total, "shop/second.py": total, ".gitignore": ".coderag/\n"}
    repository = indexed(files, embedding="none")
    repository.git("init", "-q")
    repository.git("add", ".")
    repository.git("commit", "-q", "-m", "all")
    repository.index.update()
    before = repository.search("discount")
    assert before == ["shop/first.py#total", "shop/second.py#total"]
    repository.write({"shop/second.py": total + "\n"})
    repository.index.update()
    assert repository.search("discount") == before[::-1]
    first = repository.index.search("discount").hits[0]
    assert {each.name: each.value for each in first.reasons}["uncommitted"] == 1.0
    repository.git("commit", "-q", "-a", "--amend", "-m", "all")  # a second commit would count as a change
    repository.index.update()
    assert repository.search("discount") == before


def test_another_branch_is_noticed_and_caught_up_with(indexed: Indexed) -> None:
    repository = indexed({"a.py": "def first(): return 1\n"})
    repository.write({".gitignore": ".coderag/\n"})
    repository.git("init", "-q", "-b", "main")
    repository.git("add", ".")
    repository.git("commit", "-q", "-m", "one")
    repository.index.update()
    repository.git("checkout", "-q", "-b", "other")
    repository.write({"a.py": "def second(): return 22\n"})
    repository.git("commit", "-q", "-a", "-m", "two")
    result = repository.index.search("first")
    assert not result.fresh
    assert repository.index.freshness().needs_update
    repository.index.catch_up()
    assert "a.py#second" in repository.search("second")
    assert "a.py#first" not in repository.defined()
    repository.git("checkout", "-q", "main")
    repository.index.catch_up()
    assert repository.defined() == ["a.py#first"]
    assert repository.index.search("first").fresh


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: b"garbage" * 1000,
        lambda data: data[:4096] + bytes(4096) + data[8192:],
    ],
    ids=["empty", "half", "garbage", "page"],
)
def test_a_damaged_index_is_kept_beside_and_built_anew(indexed: Indexed, damage: Callable[[bytes], bytes]) -> None:
    repository = indexed(FILES)
    before = list(repository.index.export())
    repository.index.close()
    database = repository.index.directory / "index.sqlite3"
    for path in repository.index.directory.glob("index.sqlite3-*"):
        path.unlink()
    database.write_bytes(damage(database.read_bytes()))
    report = Index.at(repository.root, settings=repository.settings).update(verify=True)
    assert list(repository.index.export()) == before
    assert not list(repository.index.check_integrity())
    assert damage(b"x" * 10) == b"" or any("kept as" in note for note in report.notes)


def test_a_second_writer_says_who_writes_and_readers_go_on(indexed: Indexed) -> None:
    from coderag.store import open_store

    repository = indexed(FILES)
    store = open_store(repository.index.directory, create=False, lock_seconds=0.0)
    with store.write():
        impatient = Index.at(repository.root, settings=Settings(workers=1, lock_seconds=0.0))
        repository.write({"more.py": "def more(): return 1\n"})
        with pytest.raises(IndexLockedError, match=str(os.getpid())):
            impatient.update()
        assert repository.search("moved")[0] == "old.py#moved"
    impatient.update()
    assert "more.py#more" in repository.search("more")


def test_not_indexed_is_not_nothing_found(indexed: Indexed, tmp_path: object) -> None:
    repository = indexed(FILES)
    assert repository.search("zebra") == []
    repository.index.clean()
    with pytest.raises(NotIndexedError, match="index"):
        repository.index.search("moved")
    assert repository.index.why("old.py").verdict == "not indexed yet"


def test_an_index_that_nobody_closes_goes_with_its_last_name(indexed: Indexed) -> None:
    repository = indexed(FILES)
    index = Index.open(repository.root, settings=repository.settings)
    index.search("moved")
    index.callers("moved")
    gone = weakref.ref(index.snapshot())
    gc.disable()
    try:
        del index
        assert gone() is None
    finally:
        gc.enable()


def test_an_index_in_a_cycle_of_garbage_goes_without_a_word(indexed: Indexed, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = indexed(FILES)
    index = Index.open(repository.root, settings=repository.settings)
    index.search("moved")
    index.snapshot().__dict__["cycle"] = {"index": index}
    said: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", said.append)
    del index
    gc.collect()
    assert not said
