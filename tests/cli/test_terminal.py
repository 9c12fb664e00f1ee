"""On a terminal: colours, a bar, and still nothing of a repository that the terminal obeys."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.cli.conftest import Place

STYLE = re.compile(r"\x1b\[[0-9;]*m")
MOVE = re.compile(r"\x1b\[(?:\?25[lh]|2K|1A)")


def on_terminal(*argv: str, **environment: str) -> str:
    """What a command writes to a terminal."""
    ours, theirs = os.openpty()
    settings = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40", **environment}
    command = [sys.executable, "-m", "coderag", *argv]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=settings):
        os.close(theirs)
        written = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    return written.decode().replace("\r\n", "\n")


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65_536)
    except OSError:  # how Linux says that the other side has closed
        return b""


@pytest.fixture
def shop(place: Place, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.delenv("NO_COLOR", raising=False)
    place.write({"pay.py": "def pay(order):\n    # \x1b[2J\x1b]0;owned\x07\n    return order\n"})
    return place


def test_a_search_is_coloured_and_safe(shop: Place) -> None:
    shop.index()
    written = on_terminal("search", "pay")
    assert STYLE.search(written)
    plain = STYLE.sub("", written)
    assert "\x1b" not in plain
    assert "pay.py:1  pay  (function)" in plain
    assert "\\x1b[2J\\x1b]0;owned\\x07" in plain


@pytest.mark.parametrize("how", ["flag", "variable", "dumb"])
def test_colour_can_be_refused(shop: Place, how: str) -> None:
    shop.index()
    options = ["--no-color"] if how == "flag" else []
    environment = {"variable": {"NO_COLOR": "1"}, "dumb": {"TERM": "dumb"}}.get(how, {})
    assert "\x1b" not in on_terminal("search", "pay", *options, **environment)


def test_indexing_shows_a_bar_and_takes_it_away(shop: Place) -> None:
    written = on_terminal("index")
    assert "Reading" in written
    assert "1 of 1 files" in written
    shown = MOVE.sub("", STYLE.sub("", written)).split("\r")[-1]
    assert "\x1b" not in shown
    assert "Indexed 1 file, 3 lines" in shown
