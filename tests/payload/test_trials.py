"""A command on payloads: started without a shell, recorded, and never left to run for ever."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from coderag.assemble.payload import Part, Payload, PayloadBlock
from coderag.errors import ConfigError, ContextError
from coderag.payload import Record, minimise, read_record
from coderag.payload.stability import check_stable

PARTS = tuple(Part(f"f{n}", f"def f{n}(): return {n}") for n in range(12))
RECORD = Record(
    Payload((PayloadBlock("system", "static", "be careful"), PayloadBlock("code", "index").of_parts(PARTS)))
)
CHECK = "import sys; text = sys.stdin.read(); sys.exit(not ('def f3(' in text and 'def f8(' in text))"


def test_the_smallest_set_is_found_and_each_trial_recorded(tmp_path: Path) -> None:
    heard: list[tuple[int, int, bool]] = []
    found = minimise(RECORD, [sys.executable, "-c", CHECK], directory=tmp_path, watch=lambda *each: heard.append(each))
    assert [piece.id for piece in found.kept] == ["f3", "f8"]
    assert found.payload.text == '<layer name="code">\ndef f3(): return 3\n\ndef f8(): return 8\n</layer>\n'
    assert found.pieces == 13 and found.trials == len(heard)
    records = [read_record(place) for place in sorted(tmp_path.iterdir())]
    assert [record.trial["number"] for record in records] == [*range(1, found.trials + 1)]
    assert [record.trial["shows"] for record in records] == [shows for _, _, shows in heard]


def test_the_text_is_also_in_a_file(tmp_path: Path) -> None:
    check = "import sys; sys.exit('def f5(' not in open(sys.argv[1]).read())"
    assert [piece.id for piece in minimise(RECORD, [sys.executable, "-c", check, "{}"]).kept] == ["f5"]


def test_a_problem_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ContextError, match="does not show the problem"):
        minimise(RECORD, [sys.executable, "-c", "raise SystemExit(1)"])


def test_a_command_that_takes_too_long_shows_nothing() -> None:
    with pytest.raises(ContextError, match="does not show the problem"):
        minimise(RECORD, [sys.executable, "-c", "import time; time.sleep(60)"], seconds=0.2)


def test_a_command_that_is_missing_is_an_error() -> None:
    with pytest.raises(ConfigError, match="cannot be started"):
        minimise(RECORD, ["no-such-command-anywhere"])


def test_nothing_of_a_payload_reaches_a_shell(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    hostile = Record(Payload((PayloadBlock("a", "static", f"$(touch {mark}); `touch {mark}`"),)))
    with pytest.raises(ContextError):
        minimise(hostile, [sys.executable, "-c", "raise SystemExit(1)", f"; touch {mark}", f"$(touch {mark})"])
    assert not mark.exists()


def test_two_payloads_that_differ_are_not_stable() -> None:
    def build(seed: str) -> Payload:
        return Payload(
            (PayloadBlock("rules", "file:r.md", f"at {seed}", cacheable=True), PayloadBlock("code", "index", "same"))
        )

    found = check_stable(build)
    assert not found.is_stable
    assert (found.prefix.breaker, found.broken_cacheable) == ("rules", ("rules",))
    assert found.prefix.at == len('<layer name="rules">\nat ')
    assert check_stable(lambda seed: RECORD.payload).is_stable
