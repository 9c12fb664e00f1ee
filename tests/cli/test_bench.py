"""`coderag bench` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Place

SLICE = Path(__file__).parents[1] / "bench" / "slice"


def test_bench_prints_tables_and_writes_what_it_measured(place: Place, tmp_path: Path) -> None:
    outcome = place.run(
        *("bench", "fixes", "--fixes", str(SLICE / "fixes.json"), "--repositories", str(SLICE), "--misses"),
        *("--work", str(tmp_path / "work"), "--out", str(tmp_path / "out.json"), "--rankings", str(tmp_path / "ranks")),
    )
    assert outcome.status == 0
    assert "| whole pipeline | 8 |" in outcome.out
    document = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert {*document} >= {"date", "versions", "machine", "conditions", "tasks", "times", "problems"}
    assert document["tasks"]["fixes"]["variants"]["whole pipeline"]["function"]["questions"] == 8
    assert "Members who owe" not in json.dumps(document)
    answers = json.loads((tmp_path / "ranks" / "fixes.json").read_text("utf-8"))
    assert {*answers["lending@stem"][0]} == {"file", "start_line", "end_line"}


def test_bench_of_ones_own_history(place: Place) -> None:
    place.write({"fees.py": "def fee(days):\n    if days < 3:\n        return 0\n    return days * 25\n"})
    place.git("init", "-q")
    place.git("add", "-A")
    place.git("commit", "-q", "-m", "The beginning")
    place.write({"fees.py": "def fee(days):\n    if days <= 3:\n        return 0\n    return days * 25\n"})
    place.git("commit", "-q", "-a", "-m", "Fix the fee of the third day")
    outcome = place.run("bench", "--json")
    assert outcome.status == 0
    assert outcome.json["tasks"]["yours"]["variants"]["whole pipeline"]["function"]["any@1"] == [1.0, 1.0, 1.0]
    assert place.run("bench", "--json").json["tasks"] == outcome.json["tasks"]
    place.index()
    assert "1 chunk, 0 edges" in place.run("status").out


def test_bench_says_what_is_missing(place: Place) -> None:
    for argv in (("bench", "questions"), ("bench", "dance"), ("bench", "docs", "--packages", "."), ("bench", "yours")):
        outcome = place.run(*argv)
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
