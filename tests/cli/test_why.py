"""`coderag why` names the stage and the rule, for every reason there is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from coderag.types import Reason
from tests.cli.conftest import Place

Prepare = Callable[[Place, pytest.MonkeyPatch], str]


def ignored(place: Place, _: pytest.MonkeyPatch) -> str:
    place.write({".gitignore": "# logs\n*.log\n", "run.log": "x\n"})
    return "run.log"


def built_in(place: Place, _: pytest.MonkeyPatch) -> str:
    place.write({"node_modules/left/pad.js": "x\n"})
    return "node_modules/left/pad.js"


def binary(place: Place, _: pytest.MonkeyPatch) -> str:
    place.write({"image.py": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"})
    return "image.py"


def too_large(place: Place, _: pytest.MonkeyPatch) -> str:
    place.write({"coderag.toml": "max_file_bytes = 100\n", "big.py": "x = 1\n" * 50})
    return "big.py"


def minified(place: Place, _: pytest.MonkeyPatch) -> str:
    place.write({"vendor.min.js": "function a(b){return b}" * 13_000})
    return "vendor.min.js"


def undecodable(place: Place, _: pytest.MonkeyPatch) -> str:
    place.write({"wide.py": "x = 1\n".encode("utf-32")})
    return "wide.py"


def unreadable(place: Place, _: pytest.MonkeyPatch) -> str:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    place.write({"closed.py": "x = 1\n"})
    (place.root / "closed.py").chmod(0)
    return "closed.py"


def not_regular(place: Place, _: pytest.MonkeyPatch) -> str:
    os.mkfifo(place.root / "pipe.py")
    return "pipe.py"


def outside_root(place: Place, _: pytest.MonkeyPatch) -> str:
    outside = place.root.parent / "outside.py"
    outside.write_text("def leaked(): return 1\n")
    (place.root / "link.py").symlink_to(outside)
    return "link.py"


def changing(place: Place, monkeypatch: pytest.MonkeyPatch) -> str:
    place.write({"busy.py": "x = 1\n"})
    monkeypatch.setattr("coderag.walk.reader.read_descriptor", lambda descriptor, limit: b"x")
    return "busy.py"


def secret(place: Place, _: pytest.MonkeyPatch) -> str:
    place.write({".env": "TOKEN=1\n"})
    return ".env"


def cap(place: Place, _: pytest.MonkeyPatch) -> str:
    place.write({"coderag.toml": "max_files = 1\n", "z.py": "x = 1\n"})
    return "z.py"


REASONS: dict[Reason, tuple[Prepare, str]] = {
    Reason.IGNORED: (ignored, ".gitignore:2: *.log"),
    Reason.BUILT_IN: (built_in, "node_modules"),
    Reason.BINARY: (binary, "image.py"),
    Reason.TOO_LARGE: (too_large, "300 bytes, the limit is 100"),
    Reason.MINIFIED: (minified, "bytes"),
    Reason.UNDECODABLE: (undecodable, "UTF-32"),
    Reason.UNREADABLE: (unreadable, "Permission denied"),
    Reason.NOT_REGULAR: (not_regular, "pipe.py"),
    Reason.OUTSIDE_ROOT: (outside_root, "link.py"),
    Reason.CHANGING: (changing, "changed during each of 4 readings"),
    Reason.SECRET: (secret, ".env"),
    Reason.CAP: (cap, "1"),
}


def test_every_reason_is_here() -> None:
    assert set(REASONS) == set(Reason)


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_told_with_its_rule(place: Place, monkeypatch: pytest.MonkeyPatch, reason: Reason) -> None:
    prepare, rule = REASONS[reason]
    target = prepare(place, monkeypatch)
    place.index()
    monkeypatch.undo()
    monkeypatch.chdir(place.root)
    outcome = place.run("why", target)
    first, second = outcome.out.splitlines()
    assert (outcome.status, first) == (1, f"{target}: left out (walk)")
    assert second.startswith(f"  {reason}: ")
    assert rule in second
    assert reason in place.run("status", "--skipped").out
    as_json = place.run("why", "--json", target).json
    assert as_json["verdict"] == "left out"
    assert as_json["detail"].startswith(f"{reason}: ")
    leaked = place.search("leaked")
    assert leaked.hits == []


@pytest.fixture
def indexed(place: Place) -> Place:
    place.write({"pkg/cart.py": "class Cart:\n    def total(self):\n        return 1\n\n\nLIMIT = 3\n"})
    place.index()
    return place


def test_what_is_indexed(indexed: Place) -> None:
    outcome = indexed.run("why", "pkg/cart.py")
    assert outcome.status == 0
    assert outcome.out.startswith("pkg/cart.py: indexed (store)\n")
    assert "Cart.total  (method)" in outcome.out


@pytest.mark.parametrize(
    ("target", "status", "verdict"),
    [
        ("pkg/cart.py:2", 0, "indexed"),
        ("pkg/cart.py#Cart.total", 0, "indexed"),
        ("pkg/cart.py#total", 0, "indexed"),
        ("./pkg/../pkg/cart.py", 0, "indexed"),
        ("pkg/cart.py:99", 1, "no such line"),
        ("pkg/cart.py#Trolley", 1, "no such symbol"),
        ("pkg/other.py", 1, "no such path"),
        ("new.py", 1, "not indexed yet"),
    ],
)
def test_verdicts(indexed: Place, target: str, status: int, verdict: str) -> None:
    indexed.write({"new.py": "x = 1\n"})
    outcome = indexed.run("why", "--json", target)
    assert (outcome.status, outcome.json["verdict"]) == (status, verdict)


def test_an_absolute_path_is_understood(indexed: Place) -> None:
    assert indexed.run("why", str(indexed.root / "pkg/cart.py")).status == 0


def test_from_a_directory_below_a_path_may_be_relative_to_it(indexed: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(indexed.root / "pkg")
    assert indexed.run("why", "cart.py").status == 0
    assert indexed.run("why", "pkg/cart.py").status == 0


@pytest.mark.parametrize("target", ["../secret.py", "/etc/passwd", "pkg/../../secret.py", "", "#Cart"])
def test_nothing_outside_of_the_root_is_told(indexed: Place, target: str) -> None:
    (indexed.root.parent / "secret.py").write_text("x = 1\n")
    outcome = indexed.run("why", target)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("coderag: ")
    assert outcome.err.count("\n") == 1


def test_without_an_index_the_walk_answers(place: Place) -> None:
    place.write({".gitignore": "*.log\n", "run.log": "x\n", "a.py": "x = 1\n"})
    assert "ignored: run.log" in place.run("why", "run.log").out
    assert "not indexed yet" in place.run("why", "a.py").out


@pytest.mark.parametrize("target", ["a" * 5_000, "a\0b", "loop/x.py", "pkg/cart.py:" + "9" * 5_000, "pkg/cart.py/x"])
def test_odd_paths_are_answered(indexed: Place, target: str) -> None:
    (indexed.root / "loop").symlink_to("loop")
    outcome = indexed.run("why", target)
    assert outcome.status == 1
    assert "no such path" in outcome.out or "left out" in outcome.out


def test_a_path_with_the_marks_of_a_target_in_its_name(place: Place) -> None:
    Path(place.root / "c#.py").write_text("def sharp(): return 1\n")
    Path(place.root / "a:1").write_text("text\n")
    place.index()
    assert place.run("why", "c#.py").status == 0
    assert place.run("why", "c#.py#sharp").status == 0
    assert place.run("why", "a:1").status == 0


@pytest.mark.parametrize("target", ["pkg", "pkg/", "."])
def test_a_folder_says_what_became_of_its_files(indexed: Place, target: str) -> None:
    indexed.write({"pkg/logo.py": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "pkg/.env": "A=1\n", "elsewhere/b.py": "y = 1\n"})
    indexed.index()
    indexed.write({"pkg/new.py": "z = 1\n"})
    outcome = indexed.run("why", target)
    indexed_files = 2 if target == "." else 1
    assert outcome.status == 0
    assert outcome.out.splitlines() == [
        f"{target}: folder (walk)",
        f"  it is a folder; of what is in it: {indexed_files} indexed, 1 not indexed yet, 1 left out: binary, 1 left out: secret file",
    ]


def test_a_folder_without_an_indexed_file(indexed: Place) -> None:
    (indexed.root / "empty").mkdir()
    outcome = indexed.run("why", "empty")
    assert (outcome.status, "0 indexed" in outcome.out) == (1, True)


def test_what_git_does_not_list_is_left_out_for_what_it_is(place: Place) -> None:
    place.git("init", "-q")
    place.write({"a.py": "x = 1\n"})
    os.mkfifo(place.root / "pipe.py")
    place.index()
    outcome = place.run("why", "pipe.py")
    assert (outcome.status, outcome.out) == (1, "pipe.py: left out (walk)\n  not regular: pipe.py (FIFO)\n")
