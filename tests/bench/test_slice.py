"""A small fixed slice guards the figures: they may rise, not fall. When they rise for good, raise `slice/floors.json`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coderag.bench.checkouts import Repositories
from coderag.bench.losses import STAGES
from coderag.bench.run import Coderag, Run, run
from coderag.bench.stages import WHOLE, stages
from coderag.bench.summary import summarise
from coderag.bench.tasks import Sources, cases

SLICE = Path(__file__).parent / "slice"
FLOORS = json.loads((SLICE / "floors.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Run:
    sources = Sources(Repositories((SLICE,)), questions=SLICE / "questions", fixes=SLICE / "fixes.json")
    work = tmp_path_factory.mktemp("work")
    return run(Coderag({WHOLE: stages()[WHOLE], **stages()}), cases(("questions", "fixes"), sources), work, print)


@pytest.mark.parametrize(
    ("task", "level", "metric"),
    [(task, level, metric) for task, levels in FLOORS.items() for level, floors in levels.items() for metric in floors],
)
def test_the_figures_do_not_fall(measured: Run, task: str, level: str, metric: str) -> None:
    summary = summarise([each for each in measured.of(WHOLE) if each.asked.task == task], level)
    assert summary is not None
    assert summary.mean(metric) >= FLOORS[task][level][metric]


def test_every_question_is_answered_by_every_stage(measured: Run) -> None:
    assert measured.problems == []
    assert {name: len(measured.of(name)) for name in stages()} == dict.fromkeys(stages(), 34)


def test_every_target_of_the_whole_pipeline_is_accounted_for(measured: Run) -> None:
    losses = [loss for outcome in measured.of(WHOLE) for loss in outcome.losses]
    assert len(losses) == 39
    assert {loss.stage for loss in losses} <= {*STAGES}
