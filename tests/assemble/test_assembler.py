"""Rules of the assembler: what is left open elsewhere, and that everything that is dropped names its rule."""

from __future__ import annotations

import numpy as np
import pytest

from coderag.assemble import (
    ContextAssembler,
    ContextAssembly,
    ContextBudget,
    ContextItem,
    ContextResult,
    ContextSourcePolicy,
    DropRule,
    count_words,
    ranking_score,
)
from coderag.assemble.rendering import overhead

NO_QUOTA = ContextSourcePolicy(None, None)


def item(name: str, tokens: int = 1, relevance: float = 0.0, source: str | None = None) -> ContextItem:
    return ContextItem(name, content=name, token_count=tokens, relevance=relevance, source=source)


def assembled(*items: ContextItem, budget: ContextBudget | None = None, **options: object) -> ContextAssembly:
    assembler = ContextAssembler(budget or ContextBudget(), NO_QUOTA)
    return assembler.assemble([ContextResult("p", items)])


def ids(assembly: ContextAssembly) -> list[str]:
    return [each.id for each in assembly.items]


def rules(assembly: ContextAssembly) -> list[tuple[str, str]]:
    return [(each.item.id, each.why) for each in assembly.dropped]


# Only the latest of one provider


def test_a_later_contribution_replaces_the_earlier_one_whole() -> None:
    first, other, second = (
        ContextResult("a", (item("1"), item("2"))),
        ContextResult("b", (item("3"),)),
        ContextResult("a", (item("4"),)),
    )
    assembly = ContextAssembler().assemble([first, other, second])
    assert sorted(ids(assembly)) == ["3", "4"]
    assert rules(assembly) == [("1", "replaced"), ("2", "replaced")]
    assert not assembly.truncated, "replacement alone loses nothing that its provider still stands for"


def test_an_empty_later_contribution_replaces_too() -> None:
    assembly = ContextAssembler().assemble([ContextResult("a", (item("1"),)), ContextResult("a")])
    assert assembly.is_empty and rules(assembly) == [("1", "replaced")]


def test_results_without_a_name_all_stand() -> None:
    assembly = ContextAssembler().assemble([ContextResult("", (item("1"),)), ContextResult("", (item("2"),))])
    assert ids(assembly) == ["1", "2"]


def test_survivors_stand_where_they_came_last() -> None:
    results = [ContextResult("a", (item("x", 1, 0.5, "s"),)), ContextResult("b", (item("y", 1, 0.5, "s"),))]
    again = ContextResult("a", (item("z", 1, 0.5, "s"),))
    assert ids(ContextAssembler().assemble([*results, again])) == ["y"]


# Duplicates


def test_the_first_seen_stays_on_a_tie() -> None:
    assembly = assembled(item("late", 1, 0.5, "s"), item("early", 1, 0.5, "s"))
    assert ids(assembly) == ["late"] and rules(assembly) == [("early", "duplicate of late")] and assembly.truncated


def test_duplicates_cross_providers_and_types() -> None:
    memory = ContextItem("m", "Memory", "m", 1, 0.9, "s")
    assembly = ContextAssembler().assemble(
        [ContextResult("a", (item("r", 1, 0.5, "s"),)), ContextResult("b", (memory,))]
    )
    assert ids(assembly) == ["m"] and assembly.dropped[0].provider == "a"


def test_a_source_and_an_id_share_their_names() -> None:
    assert ids(assembled(item("a", 1, 0.1, "b"), item("b", 1, 0.2))) == ["b"]


def test_an_empty_source_is_a_source() -> None:
    assert ids(assembled(item("a", 1, 0.1, ""), item("b", 1, 0.2, ""))) == ["b"]


def test_an_ordinary_item_cannot_evict_a_required_one() -> None:
    required = item("rules", 1, 0.1, "s").with_required()
    for order in ((required, item("loud", 1, 1.0, "s")), (item("loud", 1, 1.0, "s"), required)):
        assert ids(assembled(*order)) == ["rules"]


def test_duplicates_name_who_stayed_in_the_end() -> None:
    found = assembled(item("a", 1, 0.1, "s"), item("b", 1, 0.2, "s"), item("c", 1, 0.3, "s"))
    assert rules(found) == [("a", "duplicate of c"), ("b", "duplicate of c")]


# Order


def test_ties_end_on_tokens_then_id_then_identity() -> None:
    found = assembled(
        item("b", 5, 0.5),
        item("a", 5, 0.5),
        item("z", 1, 0.5),
        item("same", 2, 0.5, "two"),
        item("same", 2, 0.5, "one"),
        item("é", 5, 0.5),
        item("Z", 5, 0.5),
    )
    assert [(each.id, each.source) for each in found.items] == [
        ("z", None),
        ("same", "one"),
        ("same", "two"),
        ("Z", None),
        ("a", None),
        ("b", None),
        ("é", None),
    ]


def test_scores_are_of_32_bits() -> None:
    f = np.float32
    for relevance, priority, trust, freshness in (
        (0.1, 0.2, 0.3, 0.4),
        (0.7, 1.0, 0.9, 0.11),
        (1 / 3, 2 / 3, 1 / 7, 1 / 9),
    ):
        written = item("a", relevance=relevance).with_priority(priority).with_trust(trust).with_freshness(freshness)
        expected = f(relevance) + f(0.25) * f(priority)
        expected = f(f(expected) + f(f(0.15) * f(trust)))
        expected = f(f(expected) + f(f(0.10) * f(freshness)))
        assert ranking_score(written) == float(expected)


def test_what_differs_only_beyond_32_bits_is_a_tie() -> None:
    assert ids(assembled(item("long", 9, 0.5 + 1e-12), item("short", 1, 0.5))) == ["short", "long"]
    assert ids(assembled(item("first", 9, 0.5, "s"), item("second", 1, 0.5 + 1e-12, "s"))) == ["first"]


def test_a_score_that_ties_falls_to_the_relevance() -> None:
    boosted, plain = item("boosted", 1, 0.25).with_priority(1.0), item("plain", 9, 0.5)
    assert ids(assembled(boosted, plain)) == ["plain", "boosted"]


def test_raw_relevance_is_not_clamped_when_it_ranks() -> None:
    assert ids(assembled(item("one", 1, 1.0), item("more", 1, 1.5), item("less", 1, -3.0))) == ["more", "one", "less"]


@pytest.mark.parametrize("value", [float("nan"), -float("nan")])
def test_nan_is_zero(value: float) -> None:
    assert ContextItem("a", relevance=value).relevance == 0.0
    assert ContextItem("a").with_relevance(value).relevance == 0.0
    assert ContextItem("a").with_priority(value).metadata == {"a3s.context.priority": None}
    assert ContextItem("a").with_metadata("a3s.context.trust", value).trust == 0.0
    assert ids(assembled(item("nan", 1, value), item("number", 1, 0.1))) == ["number", "nan"]


def test_infinities_rank_and_survive_json() -> None:
    endless = item("endless", 1, float("inf"))
    assert ids(assembled(item("one", 1, 1.0), endless, item("none", 1, -float("inf")))) == ["endless", "one", "none"]
    assert ContextItem.from_json(endless.to_json()) == endless


# Selection


def test_the_item_limit_stops_and_the_token_limit_skips() -> None:
    big, small = item("big", 90, 0.9), item("small", 10, 0.1)
    assert ids(assembled(item("first", 20, 1.0), big, small, budget=ContextBudget(9, 100))) == ["first", "small"]
    found = assembled(item("a", 1, 0.9), item("b", 1, 0.8), item("c", 1, 0.7), budget=ContextBudget(1, 100))
    assert rules(found) == [("b", "item limit"), ("c", "item limit")]


def test_every_rule_of_selection_is_named() -> None:
    items = (
        item("taken", 5, 1.0, "f:1"),
        item("too long", 99, 0.9, "g:1"),
        item("over its source's tokens", 6, 0.8, "f:2"),
        item("second", 1, 0.7, "f:3"),
        item("third of its source", 1, 0.6, "f:4"),
        item("last", 1, 0.5, "h:1"),
        item("after the last", 1, 0.4, "i:1"),
    )
    assembly = ContextAssembler(ContextBudget(3, 50), ContextSourcePolicy(2, 10)).assemble([ContextResult("p", items)])
    assert ids(assembly) == ["taken", "second", "last"]
    assert [each.rule for each in assembly.dropped] == [
        DropRule.TOKEN_LIMIT,
        DropRule.SOURCE_TOKENS,
        DropRule.SOURCE_ITEMS,
        DropRule.ITEM_LIMIT,
    ]


def test_a_limit_may_be_filled_exactly() -> None:
    found = assembled(item("a", 60, 0.9), item("b", 40, 0.8), budget=ContextBudget(2, 100))
    assert (ids(found), found.total_tokens, found.truncated) == (["a", "b"], 100, False)
    result = ContextResult("p", (item("a", 5, 0.9, "f:1"), item("b", 5, 0.8, "f:2")))
    assert not ContextAssembler(source_policy=ContextSourcePolicy(2, 10)).assemble([result]).truncated


def test_required_items_use_up_items_and_tokens_but_no_quota() -> None:
    required = tuple(item(f"r{number}", 10, 0.0, f"f:{number}").with_required() for number in range(2))
    ordinary = (item("a", 10, 0.9, "f:a"), item("b", 10, 0.8, "f:b"))
    assembler = ContextAssembler(ContextBudget(3, 1_000), ContextSourcePolicy(1, 10))
    assembly = assembler.assemble([ContextResult("p", (*ordinary, *required))])
    assert ids(assembly) == ["r0", "r1", "a"]
    assert ids(ContextAssembler(ContextBudget(1, 1)).assemble([ContextResult("p", required)])) == ["r0", "r1"]


def test_no_room_at_all() -> None:
    assembly = assembled(item("a"), budget=ContextBudget(0, 0))
    assert assembly.is_empty and assembly.truncated and rules(assembly) == [("a", "item limit")]


def test_nothing_gives_nothing() -> None:
    for results in ([], [ContextResult("p")]):
        assembly = ContextAssembler().assemble(results)
        assert assembly == ContextAssembly() and assembly.is_empty and not assembly.truncated


# Counting


def test_an_unknown_count_is_asked_for_and_is_at_least_one() -> None:
    unknown = ContextItem("a", content="one two three")
    assert ContextAssembler().assemble([ContextResult("p", (unknown,))]).total_tokens == 3
    empty = ContextItem("a", content="")
    assert ContextAssembler(count=lambda text: 0).assemble([ContextResult("p", (empty,))]).total_tokens == 1


def test_any_counter_will_do() -> None:
    text = ContextItem("a", content="没有空格的中文注释")
    assert ContextAssembler(count=count_words).assemble([ContextResult("p", (text,))]).total_tokens == 1
    assert ContextAssembler(count=len).assemble([ContextResult("p", (text,))]).total_tokens == 9
    assert ContextAssembler().assemble([ContextResult("p", (text,))]).total_tokens > 5


def test_what_rendering_adds_is_counted_where_it_is_asked_for() -> None:
    result = ContextResult("p", (ContextItem("a", content="x < y", source="file:a"),))
    bare, whole = (
        ContextAssembler(count=len, overhead=added).assemble([result]) for added in (None, overhead("xml", len))
    )
    assert whole.total_tokens == len(whole.to_xml()) + 2 > bare.total_tokens == 5


def test_only_items_that_must_be_counted_are() -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return 1

    items = tuple(ContextItem(str(n), content=str(n), relevance=1.0 - n / 100) for n in range(50))
    ContextAssembler(ContextBudget(2, 100), count=count).assemble([ContextResult("p", items)])
    assert counted == ["0", "1"]


# What providers say of themselves


def test_what_a_provider_cut_is_kept_apart() -> None:
    results = [ContextResult("a", (item("1"),), truncated=True), ContextResult("b", (item("2"),))]
    assembly = ContextAssembler().assemble(results)
    assert not assembly.truncated and assembly.truncated_providers == ("a",) and assembly.provider_truncated


def test_case_59_seven_chunks_of_one_file() -> None:
    chunks = tuple(
        ContextItem(str(n), content="x", token_count=10, relevance=0.5, source=f"coderag:a.py#{n}").with_provenance(
            "coderag"
        )
        for n in range(7)
    )
    assert len(ContextAssembler.balanced().assemble([ContextResult("coderag", chunks)]).items) == 6
    same = tuple(each.with_source("file:a.py") for each in chunks)
    assert len(ContextAssembler.balanced().assemble([ContextResult("coderag", same)]).items) == 1
