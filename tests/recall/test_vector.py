"""Vector recall: what is nearest, with filters, ties and every kind of index."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

from coderag.embed.passage import WORDS
from coderag.recall import vector
from coderag.recall.vector import Space, composed
from coderag.records import FileVectors
from tests.embed.fake import WordEmbedder

SIZE = 32


def unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def vectors(count: int, seed: int = 1) -> NDArray[np.float16]:
    return unit(np.random.default_rng(seed).standard_normal((count, SIZE)).astype(np.float32)).astype(np.float16)


def space(found: NDArray[np.float16], order: Iterable[int] | None = None) -> Space:
    rows = np.arange(len(found), dtype=np.int32)
    ordered = rows if order is None else np.asarray(list(order), np.int32)
    return Space(WordEmbedder(dimension=found.shape[1]), rows, found, ordered)


def expected(
    found: NDArray[np.float16], question: NDArray[np.float32], k: int, allowed: NDArray[np.bool_] | None = None
) -> list[int]:
    cosines = found.astype(np.float64) @ question.astype(np.float64)
    if allowed is not None:
        cosines[~allowed] = -1
    return [row for row in np.argsort(-cosines, kind="stable")[:k].tolist() if cosines[row] > 0]


def rows_of(answer: list[tuple[int, float]]) -> list[int]:
    return [row for row, _ in answer]


@pytest.fixture(params=["products", "first question", "halves in FAISS", "inverted lists"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every way to search, on a small set of vectors."""
    if request.param != "products":
        monkeypatch.setattr(vector, "FEW", 10)
    if request.param == "inverted lists":
        monkeypatch.setattr(vector, "MANY", 100)
        monkeypatch.setattr(vector, "PROBED_SHARE", 1.0)
    return str(request.param)


def asked(subject: Space, way: str) -> Space:
    """The space, with its first question behind it where the way is not that of the first."""
    if way != "first question":
        subject.nearest(np.ones(SIZE, np.float32), 1)
    return subject


def test_the_nearest_come_first(way: str) -> None:
    found, question = vectors(600), vectors(1, seed=2)[0].astype(np.float32)
    answer = asked(space(found), way).nearest(question, 25)
    assert rows_of(answer) == expected(found, question, 25)
    assert [cosine for _, cosine in answer] == pytest.approx(
        [float(found[row].astype(np.float64) @ question) for row, _ in answer]
    )


def test_filters_act_before_the_cut(way: str) -> None:
    found, question = vectors(600), vectors(1, seed=3)[0].astype(np.float32)
    allowed = np.arange(600) % 3 == 0
    assert rows_of(asked(space(found), way).nearest(question, 25, allowed)) == expected(found, question, 25, allowed)


def test_fewer_than_asked_for_are_not_filled_up(way: str) -> None:
    found, question = vectors(600), vectors(1, seed=3)[0].astype(np.float32)
    allowed = np.zeros(600, bool)
    allowed[[5, 80, 300]] = True
    answer = asked(space(found), way).nearest(question, 50, allowed)
    assert set(rows_of(answer)) <= {5, 80, 300}
    assert asked(space(found), way).nearest(question, 50, np.zeros(600, bool)) == []


def test_equal_vectors_stand_in_the_order_of_the_snapshot(way: str) -> None:
    """However many are equal: the cut falls by order, not by where an index has put them."""
    found = np.concatenate([vectors(300), np.tile(vectors(1, seed=9), (300, 1))])
    order = np.random.default_rng(5).permutation(600)
    question = found[-1].astype(np.float32)
    answer = rows_of(asked(space(found, order), way).nearest(question, 40))
    assert answer == sorted(range(300, 600), key=lambda row: order[row])[:40]


def test_what_points_away_is_no_answer(way: str) -> None:
    found = np.concatenate([vectors(1), -np.tile(vectors(1), (400, 1))])
    assert rows_of(asked(space(found), way).nearest(found[0].astype(np.float32), 30)) == [0]


def test_rows_without_words_and_questions_without_words() -> None:
    found = vectors(5)
    found[2] = 0
    assert rows_of(space(found).nearest(found[2].astype(np.float32), 5)) == []
    assert 2 not in rows_of(space(found).nearest(found[0].astype(np.float32), 5))


def test_nothing_to_search() -> None:
    empty = np.zeros((0, SIZE), np.float16)
    assert space(empty).nearest(np.ones(SIZE, np.float32), 5) == []
    assert composed([], SIZE, 1.0).shape == (0, SIZE)
    assert space(vectors(3)).nearest(np.ones(SIZE, np.float32), 0) == []


def test_all_ways_give_the_same_answer() -> None:
    found, question = vectors(3_000, seed=4), vectors(1, seed=5)[0].astype(np.float32)
    few, first, faiss = space(found), space(found), space(found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vector, "FEW", 10)
        by_blocks = first.nearest(question, 30)
        faiss.nearest(question, 1)
        by_faiss = faiss.nearest(question, 30)
    assert few.nearest(question, 30) == by_blocks == by_faiss


def test_content_and_place_are_added() -> None:
    content, place = vectors(2, seed=6), vectors(1, seed=7)
    record = FileVectors(bytes(32), np.concatenate([place, content]))
    wanted = unit(content.astype(np.float32) + 0.5 * place.astype(np.float32))
    assert composed([record, record], SIZE, 0.5) == pytest.approx(np.concatenate([wanted, wanted]), abs=1e-3)


def test_a_chunk_without_words_is_where_it_stands() -> None:
    place = vectors(1, seed=7)
    record = FileVectors(bytes(16), np.concatenate([place, np.zeros((1, SIZE), np.float16)]))
    assert composed([record], SIZE, 0.5) == pytest.approx(place, abs=1e-3)


def test_the_first_line_counts_once_more_unless_it_is_that_of_a_trace() -> None:
    embedder = WordEmbedder(dimension=SIZE, template=WORDS.name)
    subject = Space(embedder, np.empty(0, np.int32), vectors(1)[:0], np.empty(0, np.int32))
    trace, report = "Traceback (most recent call last):\n  carts", "carts lose items\n\nwhen opened"
    assert (subject.encode(trace) == embedder.encode([trace], "query")[0]).all()
    assert not (subject.encode(report) == embedder.encode([report], "query")[0]).all()
