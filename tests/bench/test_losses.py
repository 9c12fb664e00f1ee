"""Each miss is charged to the stage that lost it."""

from __future__ import annotations

from pathlib import Path

import pytest

from coderag import Index, Query, Settings
from coderag.bench import losses as stages
from coderag.bench.scoring import FIXES
from coderag.bench.values import DEPTH, Asked, Place, Target

PAY = "def pay(order):\n    total = order.total\n    return charge(total)\n"


def stage_of(root: Path, target: Target, places: list[Place], text: str = "pay an order") -> stages.Loss:
    asked = Asked("t", "1", Query(text, k=DEPTH), {"function": (target,)}, FIXES, "r")
    with Index.build(root, settings=Settings(embedding="none", workers=1)) as index:
        return next(stages.losses(asked, index.trial(asked.query), places, ""))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(PAY, encoding="utf-8")
    (tmp_path / "b.py").write_text("def walk(tree):\n    for each in tree:\n        yield each\n", encoding="utf-8")
    return tmp_path


TARGET = Target("a.py", 1, 3, "pay", (2,))
HERE = Place("a.py", 1, 3, 20)


def others(count: int, tokens: int = 1) -> list[Place]:
    return [Place("b.py", 100 + number, 100 + number, tokens) for number in range(count)]


def test_found(root: Path) -> None:
    assert stage_of(root, TARGET, [*others(2), HERE]).stage == stages.FOUND
    assert stage_of(root, TARGET, [*others(3), HERE]).stage == stages.LATER


def test_over_budget(root: Path) -> None:
    loss = stage_of(root, TARGET, [*others(4, 1_000), HERE])
    assert (loss.stage, loss.rank) == (stages.OVER_BUDGET, 5)


def test_ranked_out(root: Path) -> None:
    loss = stage_of(root, TARGET, others(12))
    assert loss.stage == stages.RANKED_OUT
    assert loss.recalled["lexical"] == 1


def test_not_recalled(root: Path) -> None:
    assert stage_of(root, Target("b.py", 1, 3, "walk"), [], "charge the total").stage == stages.NOT_RECALLED


def test_not_chunked(root: Path) -> None:
    assert stage_of(root, Target("a.py", 50, 90, "gone"), []).stage == stages.NOT_CHUNKED


def test_not_indexed(root: Path) -> None:
    assert stage_of(root, Target("c.py", 1, 3, "gone"), []).stage == stages.NOT_INDEXED
