"""What is gathered is what the reranker sees, and what is graded is what the benchmark grades."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
import pytest

from coderag import Settings
from coderag.bench.checkouts import Repositories
from coderag.bench.run import Coderag, CoderagSession, Run, open_index, run
from coderag.bench.stages import WHOLE
from coderag.bench.summary import summarise
from coderag.bench.tasks import Sources, cases
from coderag.bench.values import Case
from coderag.errors import BenchError
from coderag.rerank import load_weights
from coderag.tune.examples import Examples, gather, joined
from coderag.tune.judging import figures, ordered, scored
from coderag.tune.own import as_array
from coderag.types import Without
from tests.tune.arrays import drawn

SLICE = Path(__file__).parents[1] / "bench" / "slice"


@dataclass(frozen=True)
class Slice:
    cases: tuple[Case, ...]
    examples: Examples
    measured: Run
    work: Path


@pytest.fixture(scope="module")
def slice_(tmp_path_factory: pytest.TempPathFactory) -> Slice:
    sources = Sources(Repositories((SLICE,)), questions=SLICE / "questions", fixes=SLICE / "fixes.json")
    found = tuple(cases(("questions", "fixes"), sources))
    work = tmp_path_factory.mktemp("work")
    measured = run(Coderag({WHOLE: Without()}), found, work, print)
    return Slice(found, joined(gather(found, work, Settings(), print).parts), measured, work)


def test_the_bundled_weights_order_examples_as_a_search_does(slice_: Slice) -> None:
    scores = scored(slice_.examples, as_array(load_weights()))
    question = 0
    for case in slice_.cases:
        place = slice_.work / case.task / case.place
        index = open_index(case.prepare(place / "tree") / case.below, place / "index", Settings())
        session = CoderagSession(index, case.below, {})
        for asked in session.questions(case):
            trial = index.trial(asked.query)
            rows = trial.candidates().rows[ordered(slice_.examples, scores, load_weights(), question)]
            assert rows.tolist() == [each.row for each in trial.everything()], asked.query.text
            question += 1
        session.close()
    assert question == len(slice_.examples) == 34


def test_the_figures_are_those_of_the_benchmark(slice_: Slice) -> None:
    everything = np.ones(len(slice_.examples), bool)
    found = figures(slice_.examples, scored(slice_.examples, as_array(load_weights())), load_weights(), everything)
    assert {task: [*levels] for task, levels in found.items()} == {"fixes": ["file", "function"], "questions": ["file"]}
    for task, levels in found.items():
        for level, metrics in levels.items():
            summary = summarise([each for each in slice_.measured.of(WHOLE) if each.asked.task == task], level)
            assert summary is not None
            for metric, mean in metrics.items():
                assert mean == pytest.approx(summary.mean(metric)), (task, level, metric)


def test_examples_come_back_from_the_disk_as_they_were(slice_: Slice, tmp_path: Path) -> None:
    path = tmp_path / "examples.npz"
    slice_.examples.save(path)
    loaded = Examples.load(path)
    for each in fields(Examples):
        one, other = getattr(slice_.examples, each.name), getattr(loaded, each.name)
        assert (one == other) if isinstance(one, tuple) else (np.array_equal(one, other) and one.dtype == other.dtype)

    assert b"lend" not in path.read_bytes()


def test_files_that_are_no_examples_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "examples.npz"
    for data in (b"", b"PK\x03\x04 no archive", b"\x80\x04K\x01."):
        path.write_bytes(data)
        with pytest.raises(BenchError, match="gather anew"):
            Examples.load(path)
    with path.open("wb") as stream:
        np.save(stream, np.zeros(3))
    with pytest.raises(BenchError, match="gather anew"):
        Examples.load(path)
    np.savez(path, **{each.name: np.array([{}], object) for each in fields(Examples)})
    with pytest.raises(BenchError, match="gather anew"):
        Examples.load(path)
    with pytest.raises(BenchError, match="gather anew"):
        Examples.load(tmp_path / "nothing.npz")


def test_examples_of_other_signals_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "examples.npz"
    replace(drawn(2), signals=("luck",)).save(path)
    with pytest.raises(BenchError, match="other signals"):
        Examples.load(path)


def test_joined_examples_are_the_parts_one_after_another() -> None:
    one, other = drawn(3, 1), drawn(2, 2)
    both = joined([one, other])
    assert both.starts.tolist() == [0, 10, 20, 30, 40, 50]
    assert both.question_of.tolist() == [0, 1, 2, 3, 4]
    assert both.hits.tolist() == [*one.hits.tolist(), *(other.hits + np.array([30, 3])).tolist()]
    with pytest.raises(BenchError):
        joined([])
