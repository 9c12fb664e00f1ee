"""Weights of one's own: from a history to a file beside the index, or not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from coderag import Index, Settings
from coderag.errors import BenchError, StorageError
from coderag.rerank import load_weights
from coderag.rerank.signals import SIGNALS
from coderag.rerank.weights import BUNDLED
from coderag.tune import own
from coderag.tune.examples import MANNERS
from coderag.tune.own import Change, Tuned
from tests.bench.repositories import commit, git

NAMES = [
    "lend",
    "renew",
    "remind",
    "return_late",
    "block",
    "merge",
    "archive",
    "count",
    "print",
    "export",
    "import",
    "close",
]
PARTS = ("desk", "ledger", "members")
QUICK = Settings(workers=1, embedding="none")


def source(part: str, wrong: frozenset[str] = frozenset()) -> str:
    """A module of functions; those in `wrong` have the mistake that a fix removes."""
    bodies = [
        f'def {name}_{part}(item, day):\n    """Keep what {part} has to {name}."""\n    limit = {7 if name in wrong else 8}\n'
        f"    return {part}_store(item, day, limit)\n"
        for name in NAMES
    ]
    return "\n\n".join([*bodies, f"def {part}_store(item, day, limit):\n    return (item, day, limit)\n"])


def silent(stage: str, done: int, total: int) -> None:
    assert (stage, 0 < done <= total) == ("learn", True)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve fixes, each of one function, and commits that are none."""
    root = tmp_path_factory.mktemp("home") / "library"
    wrong = {part: {*NAMES} for part in PARTS}
    commit(root, "The beginning", {f"library/{part}.py": source(part, frozenset(wrong[part])) for part in PARTS})
    for number, name in enumerate(NAMES):
        part = PARTS[number % 3]
        wrong[part] -= {name}
        message = f"Fix what the {part} do when they {name.replace('_', ' ')} an item on its very last day"
        commit(root, message, {f"library/{part}.py": source(part, frozenset(wrong[part]))})
    commit(root, "Describe the library in a few more words", {"README.md": "A library\n"})
    commit(root, "Fix it", {"library/desk.py": source("desk")})
    return root


@pytest.fixture(scope="module")
def tuned(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Tuned:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(own, "FEWEST", 12)
        return own.tune(library, QUICK, tmp_path_factory.mktemp("work"), 30, silent)


def test_the_older_commits_fit_and_the_newest_third_judges(tuned: Tuned, library: Path) -> None:
    assert (tuned.fitted, tuned.judging) == (8, 4)
    assert tuned.commit == git(library, "rev-parse", "HEAD")
    assert tuned.passed_over == {
        "the message has fewer than 4 words": 1,
        "the message speaks of no fix": 1,
    }
    assert [*tuned.before] == [*tuned.after] == ["function any@1", "function any@3", "function MRR", "file any@3"]


def test_changes_are_few_small_and_of_free_weights(tuned: Tuned) -> None:
    assert tuned.changes
    assert max(abs(each.after - each.before) for each in tuned.changes) < 1.0
    signs = {signal.name: signal.sign for signal in SIGNALS}
    for each in tuned.changes:
        assert each.signal not in load_weights().held
        assert signs[each.signal] * each.after >= 0
        assert each.manner != "trace"
    sizes = [abs(each.after - each.before) for each in tuned.changes]
    assert sizes == sorted(sizes, reverse=True)


def test_the_file_holds_what_has_changed_and_a_search_uses_it(tuned: Tuned, tmp_path: Path) -> None:
    path = own.write(tmp_path / "index", tuned)
    given = json.loads(path.read_text("ascii"))
    assert {*given["weights"]} == {each.signal for each in tuned.changes}
    loaded = load_weights(tmp_path / "index")
    for each in tuned.changes:
        assert loaded.of[each.signal][MANNERS.index(each.manner)] == each.after
    untouched = {*loaded.of} - {*given["weights"]}
    assert all(loaded.of[name] == load_weights().of[name] for name in untouched)
    assert loaded.bias == load_weights().bias
    assert load_weights() == load_weights(tmp_path)


def test_weights_that_are_written_again_are_read_again(tmp_path: Path) -> None:
    own.write(tmp_path, tuned_to(0.5))
    assert load_weights(tmp_path).of["lexical"][0] == 0.5
    own.write(tmp_path, tuned_to(0.75))
    assert load_weights(tmp_path).of["lexical"][0] == 0.75
    assert own.reset(tmp_path)
    assert load_weights(tmp_path) == load_weights()
    assert not own.reset(tmp_path)


def tuned_to(worth: float, before: float = 0.5, after: float = 0.5) -> Tuned:
    names = [f"{level} {metric}" for level, metric in own.SHOWN]
    changes = (Change("lexical", "weight", 1.3, worth),)
    figures = [dict.fromkeys(names, each) for each in (before, after)]
    return Tuned("shop", "c0ffee", {}, (), 8, 4, 0, *figures, changes)


def test_the_same_history_gives_the_same_bytes(
    library: Path, tuned: Tuned, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own, "FEWEST", 12)
    again = own.tune(library, replace(QUICK, workers=2), tmp_path / "work", 30, silent)
    assert json.dumps(again.document) == json.dumps(tuned.document)
    assert again == tuned


@pytest.mark.parametrize("fallen", ["function any@3", "function MRR"])
def test_weights_hold_that_judge_better_and_none_that_judge_worse_or_the_same(fallen: str) -> None:
    tuned = tuned_to(0.5, after=0.6)
    assert tuned.holds
    assert not tuned_to(0.5).holds
    assert not replace(tuned, after={**tuned.after, fallen: 0.4}).holds
    assert not replace(tuned, changes=()).holds


def test_too_few_commits_are_not_fitted_to(library: Path, tmp_path: Path) -> None:
    found = own.tune(library, QUICK, tmp_path / "work", 5, silent)
    assert found.obstacle == "5 fixes of functions are too few to fit and to judge; it takes 24"
    assert not found.holds


def test_a_folder_without_history_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    with pytest.raises(BenchError):
        own.tune(tmp_path, Settings(), tmp_path / "work", 5, silent)


def test_a_place_that_cannot_be_written_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("a file")
    with pytest.raises(StorageError):
        own.write(tmp_path / "index", tuned_to(0.5))


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    index, other = tmp_path / "index", tmp_path / "other.json"
    index.mkdir()
    other.write_text("precious")
    (index / "weights.json").symlink_to(other)
    (index / "weights.json.new").symlink_to(other)
    own.write(index, tuned_to(0.5))
    assert other.read_text() == "precious"
    assert not (index / "weights.json").is_symlink()
    assert load_weights(index).of["lexical"][0] == 0.5


def test_the_bundled_file_is_as_it_was(tuned: Tuned) -> None:
    before = json.loads(BUNDLED.read_text("utf-8"))
    assert np.allclose(own.as_array(load_weights())[3], [before["weights"]["symbol alone"]["weight"]] * 3)


def test_an_index_ranks_by_its_own_weights(library: Path, tmp_path: Path) -> None:
    with Index.build(library, settings=replace(QUICK, index_directory=str(tmp_path / "index"))) as index:
        before = index.search("renew an item").hits[0]
        own.write(index.directory, tuned_to(3.0))
        after = index.search("renew an item").hits[0]
        assert before.score < after.score
