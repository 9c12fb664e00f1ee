"""The variants of the pipeline."""

from __future__ import annotations

import pytest

from coderag.bench.stages import WHOLE, ablations, from_the_question, stages, without_named
from coderag.errors import BenchError
from coderag.recall import RECALLERS
from coderag.rerank.signals import SIGNALS
from coderag.types import Without


def test_stages_add_up_to_the_whole() -> None:
    found = list(stages().items())
    assert found[0] == (
        "vectors alone",
        Without(frozenset({*RECALLERS, *from_the_question()} - {"vector"}), reranker=True),
    )
    assert found[-1] == (WHOLE, Without())
    missing = [len(each.recallers) for _, each in found]
    assert missing == sorted(missing, reverse=True)


def test_every_recaller_and_every_signal_is_left_out_once() -> None:
    found = ablations()
    assert {f"without recaller {name}" for name in RECALLERS} <= {*found}
    assert {f"without signal {signal.name}" for signal in SIGNALS} <= {*found}


def test_names_on_the_command_line() -> None:
    assert without_named("joined, reranker") == Without(frozenset({"joined"}), frozenset({"joined"}), True)
    with pytest.raises(BenchError, match="dance"):
        without_named("dance")
