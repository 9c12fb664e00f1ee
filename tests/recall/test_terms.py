"""Terms: what a text is found by."""

from __future__ import annotations

import subprocess
import sys
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coderag.recall import terms as module
from coderag.recall.terms import (
    MAX_QUERY_CHARACTERS,
    MAX_QUERY_TERMS,
    FileTerms,
    file_terms,
    query_terms,
    token_terms,
    tokens,
)
from coderag.recall.words import stem
from tests.recall.memory_snapshot import make_chunk

random_inputs = settings(max_examples=60, derandomize=True, database=None)


def terms_of(text: str) -> set[str]:
    return {term for token in tokens(text) for term in token_terms(token)}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("HTTPServer2Config", ["httpserver2config", "http", "server", "2", "config"]),
        ("retry_limit", ["retrylimit", "retri", "limit"]),
        ("RETRY_LIMIT", ["retrylimit", "retri", "limit"]),
        ("retryLimit", ["retrylimit", "retri", "limit"]),
        ("__init__", ["init"]),
        ("_private", ["privat"]),
        ("parseURLs", ["parseurl", "pars", "url"]),
        ("sha256", ["sha256", "sha", "256"]),
        ("x", ["x"]),
        ("getX", ["getx", "get"]),
        ("42", ["42"]),
        ("___", []),
    ],
)
def test_an_identifier_is_kept_whole_and_split(written: str, expected: list[str]) -> None:
    assert list(token_terms(written)) == expected


@pytest.mark.parametrize(
    "words",
    [
        "refund refunds refunded refunding",
        "cache caches cached caching",
        "class classes",
        "query queries queried",
        "match matches matched matching",
        "map maps mapped mapping",
        "entry entries",
        "encode encodes encoded encoding",
    ],
)
def test_forms_of_one_word_are_one_term(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize(
    "pair", ["setting set", "string str", "encoder encode", "status state", "thing th", "news new"]
)
def test_different_words_stay_different(pair: str) -> None:
    first, second = pair.split()
    assert stem(first) != stem(second)


def test_string_contents_are_found() -> None:
    assert "retrylimit" in terms_of('cfg["retry_limit"]')
    assert "pay" in terms_of('@route("/pay")')


def test_ideographs_are_found_by_pairs() -> None:
    assert terms_of("订单退款") == {"订单", "单退", "退款"}
    assert terms_of("税") == {"税"}
    assert terms_of("注文を返金") == {"注文", "文を", "を返", "返金"}
    assert terms_of("환불하다") == {"환불", "불하", "하다"}


def test_identifiers_inside_ideographs_are_found() -> None:
    assert terms_of("调用retry_limit函数") == {"调用", "retrylimit", "retri", "limit", "函数"}


def test_a_long_run_of_ideographs_is_not_cut() -> None:
    assert "末尾" in terms_of("长" * 100 + "末尾")


def test_accents_can_be_left_out() -> None:
    assert {"café", "caf"} <= terms_of("café")
    assert query_terms("cafe").terms[0] in terms_of("café")
    assert query_terms("naive").terms[0] in terms_of("naïve")
    assert query_terms("ÉtatCommande").terms[0] in terms_of("étatCommande")


def test_composed_and_decomposed_spellings_are_one() -> None:
    assert terms_of(normalize("NFD", "café résumé")) == terms_of(normalize("NFC", "café résumé"))


def test_encoded_data_is_dropped() -> None:
    assert terms_of("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAA") == set()
    assert terms_of("a" * 65) == set()


def test_a_commit_hash_is_kept_whole_only() -> None:
    assert terms_of("258d68b6ff5e2244386540f48b48bab90d6ab827") == {"258d68b6ff5e2244386540f48b48bab90d6ab827"}


def test_a_long_identifier_is_found_by_its_parts() -> None:
    long = "test_that_a_refund_is_rejected_when_the_payment_window_has_been_closed_for_good"
    assert {"refund", "payment", "window"} <= terms_of(long)


def test_fields_are_counted_apart_and_the_body_without_signature_and_doc() -> None:
    chunk = make_chunk(
        "pay/refund.py",
        "Order.approve",
        '# Window in days.\ndef approve(window):\n    "window"\n    return window + window',
        signature="def approve(window)",
        doc="Window in days.",
    )
    terms = file_terms([chunk])
    index = terms.terms.index("window")
    entry = list(terms.entries).index(index)
    path, symbol, signature, doc = terms.heads[entry].to_bytes(4, "little")
    assert (path, symbol, signature, doc, terms.body[entry]) == (0, 0, 1, 1, 3)
    assert list(terms.lengths) == [3, 2, 3, 3, 4]


def test_counts_stop_at_255() -> None:
    terms = file_terms([make_chunk("a.py", "f", "loop " * 300, doc="many " * 300)])
    entries = {terms.terms[number]: i for i, number in enumerate(terms.entries)}
    assert terms.body[entries["loop"]] == 255
    assert terms.heads[entries["mani"]] >> 24 == 255


texts = st.text(alphabet=st.sampled_from("aAbZ_09 é税ß\n\u0301\U0001f680./"), max_size=60)


@random_inputs
@given(st.lists(st.tuples(texts, texts), max_size=4))
def test_bytes_hold_everything(parts: list[tuple[str, str]]) -> None:
    terms = file_terms([make_chunk("a/b.py", "f", body, doc=doc) for body, doc in parts])
    assert FileTerms.from_bytes(terms.to_bytes()) == terms


@random_inputs
@given(st.text(max_size=80))
def test_any_text_gives_clean_terms(text: str) -> None:
    for term in terms_of(text):
        assert term and term == term.casefold() and not any(c.isspace() for c in term)
        term.encode()


def test_bytes_of_another_form_are_refused() -> None:
    data = file_terms([make_chunk("a.py", "f", "one two")]).to_bytes()
    for broken in (b"", data[:-1], data + b"x", b"\xff" * len(data)):
        with pytest.raises(ValueError, match="file terms"):
            FileTerms.from_bytes(broken)


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MAX_CACHED", 10)
    memo = module._Memo()
    for number in range(100):
        assert memo[f"name{number}"][0] == f"name{number}"
    assert len(memo) <= 10


def test_stop_words_are_dropped_unless_there_is_nothing_else() -> None:
    assert query_terms("how is the refund made").terms == ("refund",)
    assert query_terms("to be or not to be").terms == ("to", "be", "or", "not")


def test_terms_are_labelled_as_they_were_written() -> None:
    assert query_terms("retrying RefundPolicy").labels == ("retrying", "RefundPolicy", "Refund", "Policy")


def test_a_huge_query_is_cut_with_a_note() -> None:
    found = query_terms(" ".join(f"word{i}x" for i in range(200_000)))
    assert len(found.terms) == MAX_QUERY_TERMS
    assert len(found.notes) == 2
    assert f"{MAX_QUERY_CHARACTERS:,}" in found.notes[0]


def test_workers_need_no_numpy() -> None:
    code = "import sys, coderag.recall.terms; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
