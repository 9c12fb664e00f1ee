"""The compatibility promise: a tiny index of every format version, opened by today's code."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from coderag import Index, IndexFormatError
from coderag.store.database import FORMAT_VERSION
from tests.store.golden import FOLDER, SETTINGS, answers

GOLDEN = sorted(FOLDER.glob("golden-*"))


def placed(golden: Path, place: Path) -> Path:
    """The root of a golden index with the index where a user has it."""
    root = place / "root"
    shutil.copytree(golden / "root", root)
    (root / ".coderag").mkdir()
    shutil.copyfile(golden / "index.sqlite3", root / ".coderag" / "index.sqlite3")
    return root


def assert_one_line_says_how_to_rebuild(root: Path) -> None:
    with pytest.raises(IndexFormatError, match=r"has format version .* run `coderag index --rebuild`$") as error:
        Index.open(root, settings=SETTINGS)
    assert "\n" not in str(error.value)


def test_the_current_version_has_a_golden_index() -> None:
    assert f"golden-{FORMAT_VERSION}" in [path.name for path in GOLDEN]


@pytest.mark.parametrize("golden", GOLDEN, ids=[path.name for path in GOLDEN])
def test_a_golden_index_answers_as_recorded_or_says_how_to_rebuild(golden: Path, tmp_path: Path) -> None:
    root = placed(golden, tmp_path)
    if golden.name != f"golden-{FORMAT_VERSION}":
        assert_one_line_says_how_to_rebuild(root)
        return
    with Index.open(root, settings=SETTINGS) as index:
        assert list(index.check_integrity()) == []
        found = json.loads(json.dumps(answers(index)))
    assert found == json.loads((golden / "expected.json").read_text(encoding="utf-8"))


def test_another_version_is_refused_in_one_line_and_built_anew(tmp_path: Path) -> None:
    root = placed(GOLDEN[-1], tmp_path)
    with closing(sqlite3.connect(root / ".coderag" / "index.sqlite3")) as database:
        database.execute(f"PRAGMA user_version = {FORMAT_VERSION + 1}")
    assert_one_line_says_how_to_rebuild(root)
    report = Index.at(root, settings=SETTINGS).update()
    assert any("has format version" in note for note in report.notes)
    Index.open(root, settings=SETTINGS).close()
