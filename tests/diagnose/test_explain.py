"""`coderag explain`: the parts of every score, and the stage at which an expected chunk is lost."""

from __future__ import annotations

import math

import pytest

from coderag import Index
from coderag.cli.explain import BAR, bar
from coderag.diagnose.lost import compared
from coderag.types import SignalValue
from tests.cli.conftest import Place


def test_contributions_and_bias_add_up_to_the_score(shop: Place) -> None:
    found = shop.run("explain", "price of a cart", "--json").json
    assert found["hits"]
    for hit in found["hits"]:
        total = found["bias"] + sum(each["contribution"] for each in hit["signals"])
        assert hit["score"] == pytest.approx(1 / (1 + math.exp(-total)))


def test_the_hits_are_those_of_a_search(shop: Place) -> None:
    found = shop.run("explain", "lookup price", "--json").json
    searched = shop.search("lookup price", "-k", "5")
    assert [hit["id"] for hit in found["hits"]] == [hit["id"] for hit in searched.hits]
    assert [hit["score"] for hit in found["hits"]] == [hit["score"] for hit in searched.hits]


def test_every_recaller_is_named_with_its_rank(shop: Place) -> None:
    found = shop.run("explain", "find_price", "--json").json
    first = found["hits"][0]
    assert first["id"] == "shop/store.py#find_price"
    ranks = {each["recaller"]: each["rank"] for each in first["recalled"]}
    assert {"symbol": 1, "lexical": 1}.items() <= ranks.items()
    assert set(ranks) <= {each["recaller"] for each in found["recallers"]}


def test_edges_between_hits_are_told_with_their_confidence(shop: Place) -> None:
    found = shop.run("explain", "find_price", "--json").json
    edges = [
        (edge["chunk_id"], edge["kind"], edge["confidence"], edge["outgoing"]) for edge in found["hits"][0]["edges"]
    ]
    assert ("shop/order.py#place_order", "calls", "exact", False) in edges


def test_a_focus_alone_is_a_question(shop: Place) -> None:
    found = shop.run("explain", "--focus", "shop/order.py:6", "--json")
    assert found.status == 0
    assert "focus" in {each["recaller"] for each in found.json["recallers"]}


def test_the_text_shows_bars_and_sums(shop: Place) -> None:
    out = shop.run("explain", "find_price", "-k", "1").out
    assert "1. shop/store.py" in out
    assert "│█" in out
    assert "with the bias" in out


def test_a_bar_grows_from_its_middle() -> None:
    assert bar(1.0, 1.0) == " " * BAR + "│" + "█" * BAR
    assert bar(-0.5, 1.0) == " " * (BAR // 2) + "█" * (BAR // 2) + "│" + " " * BAR
    assert bar(0.0, 0.0).strip() == "│"


def lost(shop: Place, target: str, *question: str) -> tuple[int, str | None]:
    outcome = shop.run("explain", "--why", target, "--json", *question)
    return outcome.status, outcome.json["lost_at"]


def test_where_a_chunk_is_lost(shop: Place) -> None:
    shop.write({".gitignore": "*.log\n", "run.log": "x\n"})
    assert lost(shop, "shop/store.py#find_price", "find_price") == (0, None)
    assert lost(shop, "shop/store.py#no_such", "find_price") == (1, "index")
    assert lost(shop, "run.log", "find_price") == (1, "index")
    assert lost(shop, "shop/store.py#find_price", "find_price", "--lang", "markdown") == (1, "filter")
    assert lost(shop, "shop/store.py#find_price", "find_price", "--path", "docs") == (1, "filter")
    assert lost(shop, "shop/store.py#unused_helper", "zyzzyva") == (1, "recall")


def test_what_is_ranked_below_is_compared_with_the_last_that_is_shown(place: Place) -> None:
    place.write(
        {f"m{number}.py": f"def refund_{number}(order):\n    return order.refund({number})\n" for number in range(40)}
    )
    place.write({"z.py": "def unrelated(a):\n    note = 'refund'\n    return note\n"})
    place.index()
    outcome = place.run(
        "explain", "--why", "z.py#unrelated", "refund order", "-k", "1", "--policy", "compact", "--json"
    )
    found = outcome.json
    assert outcome.status == 1
    assert found["lost_at"] in ("ranking", "budget")
    assert found["rank"] > 1
    assert found["gaps"][0]["difference"] < 0
    assert found["compared_with"]


def test_a_recaller_that_did_not_propose_says_what_rank_it_would_give(shop: Place) -> None:
    found = shop.run("explain", "--why", "shop/store.py#Store.put", "price of things", "--json").json
    assert {each["recaller"] for each in found["recallers"]} >= {"symbol", "lexical", "joined", "vector"}
    assert all(each["rank"] > 0 for each in found["recallers"] if each["proposed"])


def test_signals_are_compared_one_by_one() -> None:
    own = (SignalValue("a", 1.0, 2.0), SignalValue("b", 1.0, 1.0))
    other = (SignalValue("b", 1.0, 1.0), SignalValue("c", 1.0, 3.0))
    assert [(gap.signal, gap.difference) for gap in compared(own, other)] == [("c", -3.0), ("a", 2.0)]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--why", "", "x"],
        ["--why", "../x", "x"],
        ["--trace", "nowhere", "x"],
        ["x", "--policy", "huge", "--why", "a"],
    ],
)
def test_what_cannot_run_ends_with_2(shop: Place, arguments: list[str]) -> None:
    outcome = shop.run("explain", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1


def test_the_library_answers_the_same(shop: Place) -> None:
    with Index.open(shop.root) as index:
        assert index.explain("find_price", k=2).hits[0].chunk.symbol == "find_price"
        assert index.where_lost("shop/store.py#find_price", "find_price").is_shown
