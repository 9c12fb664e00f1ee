"""What left an index and comes back is not parsed again, and nobody can tell from the index that it was not."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coderag import Index, Settings
from coderag.analyse import AS_TEXT
from coderag.cli.main import main
from coderag.embed import choose
from coderag.store import dump, open_store
from coderag.types import Problem
from coderag.update import lending, run, shelf
from tests.embed.fake import WordEmbedder
from tests.update.test_incremental import CONTENTS, PLAIN, edit, exported, fresh, perform, repository

ONE = {"a.py": CONTENTS[0], "pkg/core.py": CONTENTS[4], "pkg/fast.py": CONTENTS[5], "notes.md": "# One\n\ntext\n"}
TWO = {**ONE, "a.py": CONTENTS[1], "pkg/core.py": CONTENTS[9], "notes.md": "# Two\n\nother\n"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "root", ONE)


def shelf_of(index: Index) -> tuple[shelf.Shelved, ...]:
    with index:
        return shelf.shelved(index.snapshot().block(shelf.BLOCK))


def contents(directory: Path) -> list[str]:
    with open_store(directory, create=False, lock_seconds=1.0).read() as reader:
        return list(dump(reader))


@contextmanager
def nothing_lent() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lending.Lender, "lend", lambda *_: None)
        yield


def test_what_comes_back_is_not_parsed_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index.build(root, settings=PLAIN)
    repository(root, TWO)
    assert (index.update().reused, len(shelf_of(index))) == (0, 3)
    analysed: list[str] = []
    sound = run.analyse_files
    monkeypatch.setattr(run, "analyse_files", lambda place, files, *rest: sound(place, _noted(files, analysed), *rest))
    repository(root, ONE)
    report = index.update()
    assert (report.changed, report.reused, report.embedded, analysed) == (3, 3, 0, [])
    assert {each.path for each in shelf_of(index)} == {"a.py", "pkg/core.py", "notes.md"}
    assert exported(index) == fresh(root, root.parent / "fresh")


def _noted(files: list, seen: list[str]) -> list:  # type: ignore[type-arg]
    seen.extend(each.path for each in files)
    return files


def test_a_file_that_went_comes_back(root: Path) -> None:
    index = Index.build(root, settings=PLAIN)
    (root / "a.py").unlink()
    index.update()
    repository(root, ONE)
    report = index.update()
    assert (report.added, report.reused) == (1, 1)
    assert shelf_of(index) == ()


def test_a_copy_is_not_parsed(root: Path) -> None:
    index = Index.build(root, settings=PLAIN)
    repository(root, {"pkg/copy.py": ONE["a.py"], "copy.txt": ONE["a.py"]})
    assert index.update().reused == 1, "the same bytes in another language are something else"
    assert exported(index) == fresh(root, root.parent / "fresh")


def test_what_moved_is_still_there_and_not_on_the_shelf(root: Path) -> None:
    index = Index.build(root, settings=PLAIN)
    (root / "a.py").rename(root / "b.py")
    assert index.update().moved == 1
    assert shelf_of(index) == ()


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(edit, min_size=1, max_size=6), min_size=2, max_size=6), st.integers(0, 4_000))
def test_an_index_is_the_same_with_and_without_a_shelf(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[tuple[str, str, str]]], limit: int
) -> None:
    root, elsewhere = tmp_path_factory.mktemp("root"), tmp_path_factory.mktemp("without")
    shared = Index.build(root, settings=PLAIN)
    alone = Index.build(root, settings=Settings(workers=1, index_directory=str(elsewhere)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "room", lambda _: limit if limit % 2 else 1_000_000)
        for actions in steps:
            for action in actions:
                perform(root, action)
            shared.update()
            with nothing_lent():
                alone.update()
            assert contents(root / ".coderag") == contents(elsewhere)
            assert list(shared.check_integrity()) == []
            assert sum(each.size for each in shelf_of(shared)) <= (limit if limit % 2 else 1_000_000)


@pytest.mark.slow
@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(edit, min_size=1, max_size=8), min_size=2, max_size=12), st.integers(0, 4_000))
def test_many_indexes_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[tuple[str, str, str]]], limit: int
) -> None:
    test_an_index_is_the_same_with_and_without_a_shelf.hypothesis.inner_test(tmp_path_factory, steps, limit)  # type: ignore[attr-defined]


# Bounds


def test_what_left_first_goes_first(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index.build(root, settings=PLAIN)
    for number in range(6):
        repository(root, {"a.py": f"def work_{number}():\n    return {number}\n"})
        index.update()
    sizes = [each.size for each in shelf_of(index)]
    assert len(sizes) == 6
    monkeypatch.setattr(run, "room", lambda _: sum(sizes[:3]) + 50)
    repository(root, {"a.py": "def last():\n    return 0\n"})
    index.update()
    kept = shelf_of(index)
    assert [each.number for each in kept] == [7, 6, 5]
    repository(root, {"a.py": "def work_1():\n    return 1\n"})
    assert index.update().reused == 0
    repository(root, {"a.py": "def work_5():\n    return 5\n"})
    assert index.update().reused == 1


def test_a_small_index_has_a_floor_and_a_large_one_a_share() -> None:
    assert shelf.room(10) == shelf.FLOOR_BYTES
    assert shelf.room(100_000) == 100_000 * shelf.BYTES_PER_CHUNK


def test_clean_takes_it_away_and_a_rebuild_begins_without(root: Path) -> None:
    index = Index.build(root, settings=PLAIN)
    repository(root, TWO)
    index.update()
    repository(root, ONE)
    assert index.update(rebuild=True).reused == 0
    assert shelf_of(index) == ()
    index.clean()
    assert not index.is_indexed


# What is of no use


def test_what_another_coderag_made_is_not_taken(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index.build(root, settings=PLAIN)
    repository(root, TWO)
    index.update()
    other = Index.at(root, settings=Settings(workers=1, max_chunk_lines=50))
    repository(root, ONE)
    assert other.update().reused == 0
    assert shelf_of(other) == ()


def test_what_killed_its_parser_is_tried_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    sound = run.analyse_files

    def killed(*arguments: object) -> Iterator[object]:
        for each in sound(*arguments):  # type: ignore[arg-type]
            yield replace(each, problems=(Problem(1, f"it died; {AS_TEXT}"),)) if each.path == "a.py" else each  # type: ignore[type-var]

    monkeypatch.setattr(run, "analyse_files", killed)
    index = Index.build(root, settings=PLAIN)
    monkeypatch.setattr(run, "analyse_files", sound)
    repository(root, TWO)
    index.update()
    assert {each.path for each in shelf_of(index)} == {"pkg/core.py", "notes.md"}


def test_a_file_that_changes_under_the_hand_is_parsed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index.build(root, settings=PLAIN)
    (root / "b.py").write_text(ONE["a.py"])
    sound = lending.digest

    def late(place: Path, file: object, chosen: Settings) -> object:
        found = sound(place, file, chosen)  # type: ignore[arg-type]
        (root / "b.py").write_text("def late():\n    return 1\n")
        return found

    monkeypatch.setattr(lending, "digest", late)
    assert index.update().reused == 0
    assert "late" in [entry.name for entry in index.symbols()]


def test_vectors_of_another_model_are_not_taken(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = WordEmbedder()
    monkeypatch.setattr(choose, "choose", lambda *_: model)
    index = Index.build(root, settings=PLAIN)
    repository(root, TWO)
    index.update()
    model = WordEmbedder(dimension=model.dimension + 8)
    index = Index.build(root, settings=PLAIN)
    repository(root, ONE)
    report = index.update()
    assert report.reused == 3
    assert report.embedded > 0
    assert exported(index) == fresh(root, root.parent / "fresh")


def test_vectors_come_back_with_the_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = WordEmbedder()
    monkeypatch.setattr(choose, "choose", lambda *_: model)
    index = Index.build(root, settings=PLAIN)
    repository(root, TWO)
    index.update()
    (root / "a.py").unlink()
    index.update()
    model.passages.clear()
    repository(root, ONE)
    assert index.update().embedded == 0
    assert model.passages == []


# Damage


def altered(index: Index, statement: str, *parameters: object) -> None:
    index.close()
    with closing(sqlite3.connect(index.directory / "index.sqlite3")) as database:
        database.execute(statement, parameters)
        database.commit()


def flipped(index: Index, chance: random.Random) -> None:
    """One bit of every record of the shelf is another."""
    with closing(sqlite3.connect(index.directory / "index.sqlite3")) as database:
        for key, data in database.execute("SELECT key, data FROM shelf").fetchall():
            position = chance.randrange(len(data))
            other = data[:position] + bytes([data[position] ^ (1 << chance.randrange(8))]) + data[position + 1 :]
            database.execute("UPDATE shelf SET data = ? WHERE key = ?", (other, key))
        database.commit()


DAMAGES: dict[str, Callable[[Index, random.Random], None]] = {
    "bits": flipped,
    "checksums": lambda index, _: altered(index, "UPDATE shelf SET checksum = checksum + 1"),
    "keys": lambda index, _: altered(index, "UPDATE shelf SET key = key + 100"),
    "records in each other's place": lambda index, _: altered(
        index, "UPDATE shelf AS mine SET data = (SELECT data FROM shelf AS other WHERE other.key != mine.key LIMIT 1)"
    ),
    "list": lambda index, _: altered(index, "UPDATE blocks SET data = data || ' ' WHERE name = 'shelf'"),
    "no list": lambda index, _: altered(index, "DELETE FROM blocks WHERE name = 'shelf'"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
@pytest.mark.parametrize("seed", [1, 2])
def test_damage_costs_a_parse_and_nothing_more(
    root: Path, damage: Callable[[Index, random.Random], None], seed: int
) -> None:
    index = Index.build(root, settings=PLAIN)
    repository(root, TWO)
    index.update()
    damage(index, random.Random(seed))
    assert index.status().files == 4
    repository(root, ONE)
    report = index.update()
    assert (report.reused, report.notes) == (0, ())
    assert list(index.check_integrity()) == []
    assert exported(index) == fresh(root, root.parent / "fresh")
    repository(root, TWO)
    index.update()
    repository(root, ONE)
    assert index.update().reused == 3


def test_damage_of_what_leaves_is_nobodys_loss(root: Path) -> None:
    index = Index.build(root, settings=PLAIN)
    altered(index, "UPDATE chunks SET data = data || ' '")
    repository(root, TWO)
    (root / "pkg/fast.py").write_text(CONTENTS[2])
    assert index.update().notes == ()
    assert shelf_of(index) == ()
    assert exported(index) == fresh(root, root.parent / "fresh")


# What is said


def test_it_is_said(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Index.build(root, settings=PLAIN).close()
    repository(root, TWO)
    assert main(["index", str(root)]) == 0
    assert "reused" not in capsys.readouterr().out
    assert main(["status", "-C", str(root)]) == 0
    assert "shelf     3 earlier versions of files" in capsys.readouterr().out
    repository(root, ONE)
    assert main(["index", str(root)]) == 0
    assert "3 files as parsed before, not parsed again" in capsys.readouterr().out
