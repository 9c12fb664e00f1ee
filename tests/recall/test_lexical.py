"""Lexical recall: BM25F over the fields of a chunk."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coderag.recall.lexical import NAME, recall
from coderag.recall.terms import query_terms
from coderag.types import Chunk
from tests.recall.memory_snapshot import make_chunk, snapshot_of

random_inputs = settings(max_examples=60, derandomize=True, database=None)

WORDS = "pay refund order cart total window loop limit 税金"
words = st.sampled_from(WORDS.split())
bodies = st.lists(words, min_size=1, max_size=8).map(" ".join)


def found(chunks: list[Chunk], text: str, k: int = 10) -> list[str]:
    return [chunks[hit.row].symbol for hit in recall(snapshot_of(chunks), query_terms(text), k)]


def library(texts: list[str]) -> list[Chunk]:
    return [make_chunk(f"m{i // 3:02}.py", f"f{i}", text, line=i + 1) for i, text in enumerate(texts)]


def test_a_word_in_the_name_counts_more_than_in_the_body() -> None:
    chunks = [make_chunk("a.py", "other", "refund order cart"), make_chunk("b.py", "refund", "order cart total")]
    assert found(chunks, "refund") == ["refund", "other"]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    chunks = [make_chunk("a.py", f"s{i}", "return value") for i in range(5)]
    chunks += [make_chunk("b.py", "common", "return return"), make_chunk("c.py", "rare", "value chargeback")]
    assert found(chunks, "return chargeback")[0] == "rare"


def test_a_short_body_beats_a_long_one_with_the_same_word() -> None:
    chunks = [make_chunk("a.py", "long", "refund " + "filler " * 50), make_chunk("b.py", "short", "refund filler")]
    assert found(chunks, "refund") == ["short", "long"]


def test_the_words_of_a_path_are_found() -> None:
    assert found([make_chunk("pay/refund_window.py", "a", "x"), make_chunk("b.py", "b", "y")], "refund window") == ["a"]


def test_every_spelling_of_an_identifier_is_found() -> None:
    chunks = [
        make_chunk("a.py", "a", "retryLimit"),
        make_chunk("b.py", "b", "RETRY_LIMIT"),
        make_chunk("c.py", "c", "x"),
    ]
    assert set(found(chunks, "retry_limit")) == {"a", "b"}


@pytest.mark.parametrize(
    "text", ["退款 retry_limit", "订单退款的逻辑在哪里", "how does 退款 work", "주문 환불", "注文の返金"]
)
def test_other_scripts_are_found(text: str) -> None:
    chunks = [
        make_chunk("a.py", "target", "# 订单退款 주문을 환불한다 注文の返金\nretry_limit = 3"),
        make_chunk("b.py", "other", "# 库存 재고 在庫\nlimit = 1"),
    ]
    assert found(chunks, text)[0] == "target"


@pytest.mark.parametrize(
    "text", ["", "   ", "?!", "\x00\x1b[31m", "((((", "\\", "a" * 1_000_000, "' OR 1=1 --", "\ud800"]
)
def test_hostile_text_finds_nothing_and_breaks_nothing(text: str) -> None:
    assert found([make_chunk("x.py", "f", "refund")], text) == []


def test_why_names_words_as_asked_and_their_fields() -> None:
    chunks = [make_chunk("x.py", "refund", "refunds = 1", doc="Window in days."), make_chunk("y.py", "g", "days")]
    hits = recall(snapshot_of(chunks), query_terms("refunded window days"), 1)
    assert hits[0].recaller == NAME
    assert hits[0].why == "refunded (symbol, body), window (doc), days (doc)"


def test_ties_end_on_path_and_position() -> None:
    chunks = [make_chunk(path, path, "refund") for path in ("c", "a", "b")]
    assert found(chunks, "refund") == ["a", "b", "c"]
    assert found(chunks, "refund", 2) == ["a", "b"]


@random_inputs
@given(st.lists(bodies, min_size=1, max_size=12), bodies, st.randoms())
def test_the_order_of_files_leaves_the_ranking(texts: list[str], text: str, random: object) -> None:
    chunks = library(texts)
    paths = sorted({chunk.path for chunk in chunks})
    random.shuffle(paths)  # type: ignore[attr-defined]
    shuffled = [chunk for path in paths for chunk in chunks if chunk.path == path]
    assert found(chunks, text) == found(shuffled, text)


@random_inputs
@given(st.lists(bodies, min_size=1, max_size=12), bodies, st.data())
def test_a_filtered_ranking_is_the_ranking_restricted(texts: list[str], text: str, data: st.DataObject) -> None:
    snapshot = snapshot_of(library(texts))
    allowed = np.array([data.draw(st.booleans()) for _ in texts], np.bool_)
    everything = recall(snapshot, query_terms(text), len(texts))
    filtered = recall(snapshot, query_terms(text), len(texts), allowed)
    assert [(hit.row, hit.score) for hit in filtered] == [
        (hit.row, hit.score) for hit in everything if allowed[hit.row]
    ]
    assert [hit.rank for hit in filtered] == list(range(1, len(filtered) + 1))


@random_inputs
@given(st.lists(bodies, min_size=1, max_size=12), bodies, st.integers(0, 12))
def test_a_cut_ranking_is_the_start_of_the_whole(texts: list[str], text: str, k: int) -> None:
    snapshot = snapshot_of(library(texts))
    whole = recall(snapshot, query_terms(text), 100)
    assert recall(snapshot, query_terms(text), k) == whole[:k]
