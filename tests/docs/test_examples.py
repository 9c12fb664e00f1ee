"""The pages in docs/ that show files, commands and their output do what they say."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Outcome, Place, place, run

__all__ = ["place", "run"]

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("a-bug-in-two-modules.md", "tutorial.md")
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"\d[\d,.]*")


def commands(block: str) -> Iterator[tuple[str, list[str]]]:
    """Each command with the lines of output that are shown below it."""
    for part in block.removeprefix("$ ").split("\n$ "):
        command, *shown = part.rstrip("\n").split("\n")
        yield command, shown


def pattern(line: str) -> re.Pattern[str]:
    """A shown line: numbers may differ, and so may the spaces before them; `…` at its end stands for the rest."""
    words = [
        NUMBER.sub(r"\\d[\\d,.]*", re.escape(word).replace("\\,", ",").replace("\\.", "."))
        for word in line.removesuffix("…").split()
    ]
    return re.compile(r"\s*" + r"\s+".join(words) + (".*" if line.endswith("…") else r"\s*"))


def check(what: str, outcome: Outcome, shown: list[str]) -> None:
    lines = iter((outcome.out).split("\n"))
    for expected in shown:
        if expected.strip() not in ("…", ""):
            wanted = pattern(expected)
            assert any(wanted.fullmatch(line) for line in lines), (
                f"{what}: no line {expected!r} in\n{outcome.out}\n{outcome.err}"
            )


@pytest.mark.parametrize("page", PAGES)
def test_a_page_does_what_it_says(place: Place, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Blocks with a path are files; commands and programs are run, and what they print is shown below them."""
    program = Outcome(0, "", "")
    for kind, path, content in BLOCK.findall((DOCS / page).read_text(encoding="utf-8")):
        if path:
            place.write({path: content})
        elif kind == "console":
            for command, shown in commands(content):
                outcome = place.run(*shlex.split(command)[1:])
                assert outcome.status in (0, 1), outcome.err
                check(command, outcome, shown)
        elif kind == "python":
            capsys.readouterr()
            exec(compile(content, page, "exec"), {})
            program = Outcome(0, *capsys.readouterr())
        elif kind == "text":
            check("the program above", program, content.rstrip("\n").split("\n"))
