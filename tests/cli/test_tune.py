"""`coderag tune` from the command line."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from coderag.tune import own
from coderag.tune.own import Change, Tuned
from tests.cli.conftest import Place

FIGURES = {"function any@1": 0.25, "function any@3": 0.5, "function MRR": 0.4, "file any@3": 1.0}
FITTED = Tuned(
    "shop",
    "c0ffee",
    {"the message speaks of no fix": 1_200},
    ("yours shop+commits: no such tree",),
    8,
    4,
    1,
    FIGURES,
    {**FIGURES, "function MRR": 0.45},
    (Change("vector", "long", 0.86, 1.1), Change("file name", "weight", 0.0, 0.2)),
)
WORSE = {**FIGURES, "function any@3": 0.25}


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "tune", lambda *_: FITTED)


def weights(place: Place) -> Path:
    return place.root / ".coderag" / "weights.json"


@pytest.mark.usefixtures("fitted")
def test_tune_says_what_it_did_and_writes(place: Place) -> None:
    outcome = place.run("tune")
    assert outcome.status == 0
    assert outcome.out.splitlines() == [
        "used 12 commits: the older 8 to fit, the newest 4 to judge",
        "  1 of them taught nothing: no function that they changed was among the candidates",
        "  passed over 1,200: the message speaks of no fix",
        "  passed over: yours shop+commits: no such tree",
        "| judged | before | after |",
        "|---|---|---|",
        "| function any@1 | 0.250 | 0.250 |",
        "| function any@3 | 0.500 | 0.500 |",
        "| function MRR | 0.400 | 0.450 |",
        "| file any@3 | 1.000 | 1.000 |",
        "2 weights of 2 signals; most:",
        "  vector (report): 0.86 -> 1.10",
        "  file name (short question): 0.00 -> 0.20",
        f"wrote {weights(place)}; every search of this index uses it, and `coderag tune --reset` removes it",
    ]
    assert weights(place).is_file()
    assert place.run("tune", "--reset").status == 0
    assert not weights(place).exists()
    assert place.run("tune", "--reset").status == 1


@pytest.mark.usefixtures("fitted")
def test_a_dry_run_writes_nothing(place: Place) -> None:
    outcome = place.run("tune", "--dry-run")
    assert (outcome.status, outcome.out.splitlines()[-1]) == (0, f"would write {weights(place)}")
    assert not weights(place).parent.exists()


def test_weights_that_judge_worse_are_not_written(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "tune", lambda *_: replace(FITTED, after=WORSE))
    outcome = place.run("tune", "--json")
    assert (outcome.status, outcome.json["holds"], outcome.json["written"]) == (1, False, False)
    assert outcome.json["after"] == WORSE
    assert not weights(place).exists()
    assert place.run("tune").out.splitlines()[-1].startswith("nothing was written: ")


def test_a_young_history_is_not_enough(place: Place) -> None:
    place.write({"fees.py": "def fee(days):\n    return days * 25\n"})
    place.git("init", "-q")
    place.git("add", "-A")
    place.git("commit", "-q", "-m", "The beginning")
    place.write({"fees.py": "def fee(days):\n    return days * 30\n"})
    place.git("commit", "-q", "-a", "-m", "Fix what a day costs")
    outcome = place.run("tune")
    assert outcome.status == 1
    assert outcome.out.splitlines()[-1].startswith("nothing was fitted: 1 fixes of functions are too few")
    assert not weights(place).exists()


def test_tune_needs_a_history(place: Place) -> None:
    assert place.run("tune").status == 2
    place.git("init", "-q")
    outcome = place.run("tune")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)


def test_without_git_it_says_what_is_missing(place: Place) -> None:
    outcome = place.run("tune")
    assert outcome.status not in (0, 1)
    assert "no git work tree, and questions are made of commits; run this in one" in outcome.err
    assert "--of" not in outcome.err
    assert not weights(place).parent.exists()


def test_without_a_commit_it_says_so(place: Place) -> None:
    place.git("init", "-q")
    outcome = place.run("tune")
    assert "no commit yet" in outcome.err
    assert "revision" not in outcome.err


@pytest.mark.parametrize("command", ["tune", "bench"])
def test_the_directory_is_as_private_as_that_of_an_index(place: Place, command: str) -> None:
    place.write({"a.py": "def f():\n    return 1\n"})
    for arguments in (("init", "-q"), ("add", "a.py"), ("commit", "-qm", "Begin")):
        place.git(*arguments)
    place.run(command)
    directory = weights(place).parent
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert (directory / ".gitignore").read_text() == "*\n"
