"""What `coderag search` answers, and with which status."""

from __future__ import annotations

import io

import pytest

from tests.cli.conftest import Place

SHOP = {
    "pay/refund.py": 'def approve(order):\n    """Approve a refund."""\n    return order\n',
    "pay/charge.py": "from pay.refund import approve\n\n\ndef charge(order):\n    return approve(order)\n",
    "web/app.ts": "export function approveAll(xs: string[]) { return xs }\n",
    "settings.yaml": "refund:\n  days: 14\n",
}


@pytest.fixture
def shop(place: Place) -> Place:
    place.write(SHOP)
    place.index()
    return place


def test_the_answer_is_one_object_with_all_its_fields(shop: Place) -> None:
    outcome = shop.search("approve", "--no-update")
    assert outcome.status == 0
    assert list(outcome.json) == ["query", "index", "hits", "left_out"]
    assert outcome.json["query"] == "approve"
    assert outcome.json["index"] == {"generation": 1, "fresh": True}
    assert isinstance(outcome.json["left_out"], dict)
    first = outcome.hits[0]
    assert list(first) == [
        "rank",
        "score",
        "path",
        "start_line",
        "end_line",
        "symbol",
        "kind",
        "language",
        "id",
        "text",
        "reasons",
        "callers",
        "stale",
    ]
    assert first["rank"] == 1
    assert 0 < first["score"] <= 1
    assert (first["path"], first["start_line"], first["end_line"]) == ("pay/refund.py", 1, 3)
    assert (first["symbol"], first["kind"], first["language"]) == ("approve", "function", "python")
    assert first["id"] == "pay/refund.py#approve"
    assert first["text"].startswith("def approve(order):")
    assert first["callers"] == ["pay/charge.py#charge", "pay/charge.py#"]
    assert {"signal", "value", "contribution", "why"} == set(first["reasons"][0])


def test_ranks_and_scores_fall_together(shop: Place) -> None:
    hits = shop.search("approve refund order").hits
    assert [hit["rank"] for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)


def test_text_shows_place_symbol_reason_and_numbered_lines(shop: Place) -> None:
    outcome = shop.run("search", "approve", "-k", "1")
    lines = outcome.out.splitlines()
    assert lines[0].startswith("pay/refund.py:1  approve  (function)  ")
    assert "exact symbol approve" in lines[1]
    assert lines[2] == "  used by pay/charge.py#charge, pay/charge.py#"
    assert lines[3] == "     1 | def approve(order):"


def test_several_words_need_no_quotes(shop: Place) -> None:
    assert shop.search("approve", "a", "refund").json["query"] == "approve a refund"


def test_a_dash_reads_the_query(shop: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("approve"))
    assert shop.search("-").symbols[0] == "approve"


def test_nothing_found_is_status_1_and_still_an_object(shop: Place) -> None:
    outcome = shop.search("zyzzyva")
    assert (outcome.status, outcome.hits) == (1, [])
    assert shop.run("search", "zyzzyva").err == "coderag: nothing found\n"


def test_not_indexed_is_not_nothing_found(place: Place) -> None:
    place.write(SHOP)
    outcome = place.search("approve")
    assert (outcome.status, outcome.out) == (2, "")
    assert "no index here yet; run `coderag index`" in outcome.err


@pytest.mark.parametrize("command", [("status",), ("symbols",), ("callers", "x"), ("callees", "x"), ("export",)])
def test_every_question_says_when_there_is_no_index(place: Place, command: tuple[str, ...]) -> None:
    outcome = place.run(*command)
    assert (outcome.status, outcome.out) == (2, "")
    assert "run `coderag index`" in outcome.err


def test_k_bounds_the_hits_and_the_rest_is_counted(shop: Place) -> None:
    outcome = shop.search("approve", "-k", "1")
    assert len(outcome.hits) == 1
    assert outcome.json["left_out"]["ranked below"] > 0


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        (("--path", "pay/"), {"pay/refund.py", "pay/charge.py"}),
        (("--path", "*.ts"), {"web/app.ts"}),
        (("--path", "pay/", "--path", "!charge.py"), {"pay/refund.py"}),
        (("--lang", "typescript"), {"web/app.ts"}),
        (("--lang", "Python", "--lang", "yaml"), {"pay/refund.py", "pay/charge.py", "settings.yaml"}),
        (("--kind", "key"), {"settings.yaml"}),
        (("--kind", "function", "--path", "pay/"), {"pay/refund.py", "pay/charge.py"}),
    ],
)
def test_filters(shop: Place, options: tuple[str, ...], paths: set[str]) -> None:
    assert {hit["path"] for hit in shop.search("approve refund", *options).hits} == paths


def test_a_filter_keeps_k_hits_although_a_hundred_better_ones_lie_elsewhere(place: Place) -> None:
    place.write({f"other/m{n}.py": f"def refund_order_{n}():\n    return 'refund the order'\n" for n in range(100)})
    place.write({f"pay/p{n}.py": f"def step_{n}():\n    return {n}  # refund\n" for n in range(5)})
    place.index()
    hits = place.search("refund order", "--path", "pay/", "-k", "5").hits
    assert sorted(hit["path"] for hit in hits) == [f"pay/p{n}.py" for n in range(5)]


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        (("approve", "--kind", "gadget"), "unknown kind 'gadget'; known are function"),
        (("approve", "--lang", "klingon"), "unknown language 'klingon'; known are"),
        (("",), "the query is empty"),
        ((" \n\t",), "the query is empty"),
    ],
)
def test_what_cannot_be_asked_is_status_2(shop: Place, argument: tuple[str, ...], message: str) -> None:
    outcome = shop.search(*argument)
    assert (outcome.status, outcome.out) == (2, "")
    assert f"coderag: {message}" in outcome.err


def test_a_known_language_without_files_is_nothing_found(shop: Place) -> None:
    assert shop.search("approve", "--lang", "haskell").status == 1


@pytest.mark.parametrize(
    "query",
    [
        "approve " * 125_000,
        "' OR 1=1; DROP TABLE chunks; --",
        'NEAR("a" "b") AND c*',
        "../../etc/passwd",
        "%2e%2e/\x00",
        "-" * 50,
        "\udcff\udcfe",
        "🚀" * 1_000,
        "\x1b[31m",
    ],
    ids=lambda query: f"{query[:12]!a}",
)
def test_odd_and_huge_queries_are_answered(shop: Place, query: str) -> None:
    outcome = shop.search("--", query)
    assert outcome.status in (0, 1)
    assert outcome.json["query"] == query


def test_context_shows_the_neighbouring_lines(shop: Place) -> None:
    shop.write({"near.py": "# above\n\nX = 1\n\n\ndef lonely():\n    return 1\n\n\nY = 2\n"})
    plain = shop.run("search", "lonely", "-k", "1")
    wide = shop.run("search", "lonely", "-k", "1", "--context")
    assert "     5 |" not in plain.out
    assert "     4 |\n     5 |\n     6 | def lonely():\n     7 |     return 1\n     8 |\n     9 |\n" in wide.out


def test_a_long_chunk_is_cut_and_says_so(shop: Place) -> None:
    shop.write({"long.py": "def lengthy():\n" + "".join(f"    x{n} = {n}\n" for n in range(60))})
    short = shop.run("search", "lengthy", "-k", "1")
    assert "… 41 more lines; --lines 0 shows all" in short.out
    assert "x59 = 59" in shop.run("search", "lengthy", "-k", "1", "--lines", "0").out


def test_from_a_directory_below_the_nearest_index_answers(shop: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop.root / "pay")
    assert shop.search("approve").hits[0]["path"] == "pay/refund.py"


def test_the_root_can_be_named(shop: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    assert shop.search("approve", "-C", str(shop.root)).hits[0]["path"] == "pay/refund.py"
    outcome = shop.search("approve", "-C", str(shop.root / "missing"))
    assert (outcome.status, outcome.out) == (2, "")
    assert "not a directory" in outcome.err
