"""The variants of the pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

from coderag import Focus, Index, Query, Settings
from coderag.bench.stages import WHOLE, ablations, rankings, stages, without_named
from coderag.errors import BenchError
from coderag.recall import RECALLERS
from coderag.rerank.signals import SIGNALS
from coderag.types import Without


def test_stages_add_up_to_the_whole() -> None:
    found = list(stages().items())
    assert found[0] == (
        "vectors alone",
        Without(frozenset({*rankings()} - {"vector"}), reranker=True),
    )
    assert found[-1] == (WHOLE, Without())
    missing = [len(each.recallers) for _, each in found]
    assert missing == sorted(missing, reverse=True)


def test_every_ranking_belongs_to_a_stage(tmp_path: Path) -> None:
    text = "import os\n\n\nclass A:\n    def pay(self):\n        return walk()\n\n    def close(self):\n        return 1\n\n\n"
    (tmp_path / "a.py").write_text(text + "def walk():\n    return A().pay()\n", encoding="utf-8")
    (tmp_path / "b.py").write_text("from a import walk\n\n\ndef run():\n    return walk()\n", encoding="utf-8")
    trace = 'Traceback (most recent call last):\n  File "b.py", line 5, in run\n    return walk()\nValueError: pay'
    with Index.build(tmp_path, settings=Settings(embedding="none", workers=1)) as index:
        for query in (Query(trace), Query("pay", focus=Focus("a.py", 6)), Query(focus=Focus("b.py", 4))):
            assert {hits[0].recaller for hits in index.trial(query).rankings()} <= {*rankings()}


def test_every_recaller_and_every_signal_is_left_out_once() -> None:
    found = ablations()
    assert {f"without recaller {name}" for name in RECALLERS} <= {*found}
    assert {f"without signal {signal.name}" for signal in SIGNALS} <= {*found}


def test_names_on_the_command_line() -> None:
    assert without_named("joined, reranker") == Without(frozenset({"joined"}), frozenset({"joined"}), True)
    with pytest.raises(BenchError, match="dance"):
        without_named("dance")
