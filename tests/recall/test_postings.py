"""Postings: built at once, stored as records, merged with what changed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coderag.recall import postings as module
from coderag.recall.postings import build, decode, encode, entries, find, hash_term, merge
from coderag.recall.snapshot import FIELDS, Postings
from coderag.recall.terms import FileTerms, file_terms
from tests.recall.memory_snapshot import make_chunk

random_inputs = settings(max_examples=60, derandomize=True, database=None)

WORDS = "pay refund order cart total window loop café 税金"
words = st.sampled_from(WORDS.split())
bodies = st.lists(words, max_size=8).map(" ".join)
files_of_chunks = st.lists(st.lists(st.tuples(bodies, bodies), min_size=1, max_size=3), max_size=5)


def numbered(files: list[list[tuple[str, str]]], first: int = 0) -> list[tuple[np.ndarray, FileTerms]]:
    found = []
    for number, parts in enumerate(files):
        chunks = [make_chunk(f"f{first}/{number}.py", f"s{i}", body, doc=doc) for i, (body, doc) in enumerate(parts)]
        found.append((np.arange(first, first + len(chunks), dtype=np.int32), file_terms(chunks)))
        first += len(chunks)
    return found


def table(files: list[tuple[np.ndarray, FileTerms]]) -> dict[str, Postings]:
    return {term: postings for _, record in build(files) for term, postings in entries(record)}


def equal(first: Postings, second: Postings) -> bool:
    return np.array_equal(first.rows, second.rows) and np.array_equal(first.counts, second.counts)


def test_a_term_is_found_in_its_rows_with_its_counts() -> None:
    files = numbered([[("pay pay", "refund")], [("refund", ""), ("pay", "pay")]])
    postings = table(files)["pay"]
    assert postings.rows.tolist() == [0, 2]
    assert postings.counts.tolist() == [[0, 0, 0, 0, 2], [0, 0, 0, 1, 0]]


def test_keys_are_stable_ascending_and_fit_a_signed_integer() -> None:
    keys = [key for key, _ in build(numbered([[("pay refund order cart total", "")]]))]
    assert keys == sorted(keys)
    assert all(0 <= key < 2**63 for key in keys)
    assert hash_term("refund") == 7842698544778458681


@random_inputs
@given(files_of_chunks)
def test_records_hold_what_was_counted(files: list[list[tuple[str, str]]]) -> None:
    built = numbered(files)
    for term, postings in table(built).items():
        assert np.all(np.diff(postings.rows) > 0)
        parts = [part for rows, terms in built if (part := find(terms, rows, term)) is not None]
        assert equal(merge(None, np.zeros(0, np.bool_), parts), postings)
        again = decode(encode(term, postings), term)
        assert again is not None and equal(again, postings)


@random_inputs
@given(files_of_chunks, files_of_chunks)
def test_the_order_of_files_does_not_matter(
    first: list[list[tuple[str, str]]], second: list[list[tuple[str, str]]]
) -> None:
    files = numbered([*first, *second])
    assert list(build(files)) == list(build(files[::-1]))


@random_inputs
@given(files_of_chunks, files_of_chunks, st.data())
def test_merging_what_changed_equals_building_anew(
    before: list[list[tuple[str, str]]], added: list[list[tuple[str, str]]], data: st.DataObject
) -> None:
    old = numbered(before)
    new = numbered(added, sum(len(rows) for rows, _ in old))
    kept = [file for file in old if data.draw(st.booleans())]
    alive = np.zeros(sum(len(rows) for rows, _ in old + new), np.bool_)
    for rows, _ in kept:
        alive[rows] = True
    base, fresh = table(old), table(kept + new)
    for term in sorted(base.keys() | fresh.keys()):
        deltas = [part for rows, terms in new if (part := find(terms, rows, term)) is not None]
        merged = merge(base.get(term), alive, deltas)
        if term in fresh:
            assert equal(merged, fresh[term])
        else:
            assert len(merged.rows) == 0


def test_two_terms_with_one_key_do_not_answer_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    files = numbered([[("pay refund", "")], [("refund", "cart")]])
    expected = table(files)
    monkeypatch.setattr(module, "hash_term", lambda term: 7)
    records = list(build(files))
    assert len(records) == 1
    for term, postings in expected.items():
        found = decode(records[0][1], term)
        assert found is not None and equal(found, postings)
    assert decode(records[0][1], "absent") is None


def test_a_record_that_is_cut_is_refused() -> None:
    record = encode("pay", Postings(np.array([1, 2], np.int32), np.ones((2, len(FIELDS)), np.uint8)))
    for size in range(1, len(record)):
        with pytest.raises(ValueError, match="postings"):
            decode(record[:size], "pay")


def test_nothing_gives_nothing() -> None:
    assert list(build([])) == []
    assert len(merge(None, np.zeros(0, np.bool_), []).rows) == 0
