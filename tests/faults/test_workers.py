"""A child that dies, hangs, runs out of memory or talks nonsense costs the one file that it was at."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from coderag import Index, Settings
from coderag.recall.terms import FileTerms
from coderag.types import Chunk, Parsed

FILES = {f"module{each}.py": f"def work{each}():\n    return {each}\n" for each in range(8)}
LIMITED = Settings(workers=2, parse_seconds=0.5, worker_memory_bytes=300_000_000)


def die(_: bytes) -> Parsed:
    faulthandler.disable()  # of pytest: it would print the stack of a death that is meant
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError


def hang(_: bytes) -> Parsed:
    while True:
        pass


def fill_memory(_: bytes) -> Parsed:
    held = []
    while True:
        held.append(bytearray(50_000_000))


def leave(_: bytes) -> Parsed:
    os._exit(0)


def fail(_: bytes) -> Parsed:
    raise RecursionError("a fault of ours")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).write_text(text)
    return tmp_path


def with_fault(monkeypatch: pytest.MonkeyPatch, fault: Callable[[bytes], Parsed]) -> None:
    import coderag.analyse

    sound = coderag.analyse.parse
    monkeypatch.setattr(
        "coderag.analyse.parse", lambda text, language: fault(text) if b"work3" in text else sound(text, language)
    )


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="the fault is handed on by a fork")
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (die, "died of SIGSEGV"),
        (hang, "more than 0.5 s of CPU"),
        (fill_memory, "ended with code 1"),
        (leave, "ended with code 0"),
        (fail, "a fault of ours"),
    ],
)
def test_a_child_costs_one_file(
    root: Path, monkeypatch: pytest.MonkeyPatch, fault: Callable[[bytes], Parsed], said: str, workers: int
) -> None:
    monkeypatch.setattr("coderag.workers.BATCH_FILES", 2)
    with_fault(monkeypatch, fault)
    with Index.build(root, settings=replace(LIMITED, workers=workers)) as index:
        names = {entry.name for entry in index.symbols()}
        problems = dict(index.status().problems)
        assert names == {f"work{each}" for each in range(8) if each != 3}
        assert said in problems["module3.py"].message
        assert "module3.py" in {hit.chunk.path for hit in index.search("work3").hits}
    assert multiprocessing.active_children() == []


def test_a_garbled_reply_costs_one_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import coderag.workers

    sound = coderag.workers.pack
    monkeypatch.setattr(
        "coderag.workers.pack",
        lambda results: b"\x07nonsense" if any(each.path == "module3.py" for each in results) else sound(results),
    )
    with Index.build(root, settings=replace(LIMITED, workers=1)) as index:
        assert {entry.name for entry in index.symbols()} == {f"work{each}" for each in range(8) if each != 3}
        skipped = {each.path: each.detail for each in index.status().skipped}
        assert "unreadable reply" in skipped["module3.py"]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_file_without_terms_costs_one_file(root: Path, monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    import coderag.analyse

    def faulty(chunks: Sequence[Chunk]) -> FileTerms:
        if any(chunk.symbol == "work3" for chunk in chunks):
            raise RecursionError("a fault of ours")
        return sound(chunks)

    sound = coderag.analyse.file_terms
    monkeypatch.setattr("coderag.workers.BATCH_FILES", 2)
    monkeypatch.setattr("coderag.analyse.file_terms", faulty)
    with Index.build(root, settings=replace(LIMITED, workers=workers)) as index:
        problems = dict(index.status().problems)
        assert {entry.name for entry in index.symbols()} == {f"work{each}" for each in range(8) if each != 3}
        assert problems["module3.py"].message == "RecursionError: a fault of ours; indexed as text"
        assert "module3.py" in {hit.chunk.path for hit in index.search("work3").hits}


SCRIPT = """
import sys
import threading

threading.Thread(target=threading.Event().wait, daemon=True).start()
print("once")
from coderag import Index

with Index.build(sys.argv[1]) as index:
    print(len(index.symbols()), len(index.status().skipped))
"""


def test_a_script_of_several_threads_and_without_a_guard_runs_once(root: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run([sys.executable, script, root], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["once", "8", "0"], done.stderr
