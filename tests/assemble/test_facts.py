"""What the assembler that coderag is compatible with is known to do, one test for each fact."""

from __future__ import annotations

import pytest

from coderag.assemble import (
    ContextAssembler,
    ContextAssembly,
    ContextBudget,
    ContextDepth,
    ContextItem,
    ContextPolicy,
    ContextQuery,
    ContextResult,
    ContextSourcePolicy,
    ContextType,
    StaticProvider,
)

MOST = 2**64 - 1


def item(name: str, source: str | None = None, tokens: int = 1, relevance: float = 0.0) -> ContextItem:
    return ContextItem(name, ContextType.RESOURCE, name, tokens, relevance, source)


def files(count: int) -> ContextResult:
    return ContextResult("files", tuple(item(str(number), f"file://{number}") for number in range(count)))


def ids(assembly: ContextAssembly) -> list[str]:
    return [each.id for each in assembly.items]


def test_balanced_is_the_default() -> None:
    assert ContextAssembler() == ContextAssembler.balanced()
    assert ContextAssembler.balanced() == ContextAssembler(ContextBudget(), ContextSourcePolicy())
    assert ContextBudget() == ContextBudget(12, 4_000)
    assert ContextSourcePolicy() == ContextSourcePolicy(6, 2_500)


def test_the_named_policies() -> None:
    limits = {
        name: (
            policy.budget.max_items,
            policy.budget.max_tokens,
            policy.source_policy.max_items_per_source,
            policy.source_policy.max_tokens_per_source,
        )
        for name in ("balanced", "compact", "expansive")
        if (policy := ContextPolicy.named(name))
    }
    assert limits == {
        "balanced": (12, 4_000, 6, 2_500),
        "compact": (8, 2_500, 4, 1_200),
        "expansive": (20, 8_000, 8, 3_500),
    }


def test_a_bare_budget_keeps_the_default_source_policy() -> None:
    assembly = ContextAssembler(ContextBudget(100, 100_000)).assemble([files(10)])
    assert len(assembly.items) == 6


def test_compact_keeps_four_of_one_family() -> None:
    assembly = ContextAssembler.compact().assemble([files(10)])
    assert len(assembly.items) == 4 and assembly.truncated


def test_expansive_keeps_eight_of_one_family() -> None:
    assembly = ContextAssembler.expansive().assemble([files(8)])
    assert len(assembly.items) == 8 and not assembly.truncated


def test_the_more_relevant_come_first() -> None:
    result = ContextResult("p", (item("low", relevance=0.2), item("high", relevance=0.9)))
    assembly = ContextAssembler().assemble([result])
    assert ids(assembly) == ["high", "low"] and not assembly.truncated


def test_priority_trust_and_freshness_outrank_relevance() -> None:
    boosted = item("boosted", relevance=0.6).with_priority(1.0).with_trust(1.0).with_freshness(1.0)
    assert ids(ContextAssembler().assemble([ContextResult("p", (item("plain", relevance=0.7), boosted))])) == [
        "boosted",
        "plain",
    ]


def test_of_one_source_the_more_relevant_survives() -> None:
    pair = (item("a", "file:x", relevance=0.3), item("b", "file:x", relevance=0.8))
    assembly = ContextAssembler().assemble([ContextResult("p", pair)])
    assert ids(assembly) == ["b"] and assembly.truncated


def test_of_one_source_the_score_counts_before_the_relevance() -> None:
    pair = (item("plain", "file:x", relevance=0.7), item("boosted", "file:x", relevance=0.6).with_priority(1.0))
    assert ids(ContextAssembler().assemble([ContextResult("p", pair)])) == ["boosted"]


def test_a_budget_of_one_item() -> None:
    result = ContextResult("p", (item("a", tokens=2), item("b", tokens=2)))
    assembly = ContextAssembler(ContextBudget(1, 5)).assemble([result])
    assert (len(assembly.items), assembly.total_tokens, assembly.truncated) == (1, 2, True)


def test_items_of_one_source_are_limited_to_the_best() -> None:
    relevances = (0.1, 0.9, 0.5)
    result = ContextResult("p", tuple(item(str(r), f"file://{r}", relevance=r) for r in relevances))
    assembly = ContextAssembler(source_policy=ContextSourcePolicy(2, None)).assemble([result])
    assert ids(assembly) == ["0.9", "0.5"] and assembly.truncated


def test_tokens_of_one_source_are_limited() -> None:
    result = ContextResult(
        "p",
        (
            item("a", "file://a", 2, 0.9),
            item("b", "file://b", 2, 0.8),
            item("m", "memory://m", 2, 0.7),
        ),
    )
    assembly = ContextAssembler(source_policy=ContextSourcePolicy(None, 3)).assemble([result])
    assert (ids(assembly), assembly.total_tokens, assembly.truncated) == (["a", "m"], 4, True)


def test_a_required_item_stands_outside_of_all_limits() -> None:
    required = item("rules", "file://rules", 6).with_required()
    assembler = ContextAssembler(ContextBudget(1, 2), ContextSourcePolicy(1, 1))
    assembly = assembler.assemble([ContextResult("p", (item("ordinary", "file://o", 1, 0.9), required))])
    assert (ids(assembly), assembly.total_tokens, assembly.truncated) == (["rules"], 6, True)


def test_sums_of_tokens_stop_at_the_largest_integer() -> None:
    result = ContextResult("p", (item("a", tokens=MOST), item("b", tokens=MOST)))
    assembly = ContextAssembler(ContextBudget(12, MOST), ContextSourcePolicy(None, None)).assemble([result])
    assert (len(assembly.items), assembly.total_tokens, assembly.truncated) == (2, MOST, False)
    assert result.total_tokens == MOST


def test_the_defaults_of_the_model() -> None:
    query = ContextQuery("words")
    assert (query.max_results, query.max_tokens, query.context_types, query.depth) == (
        10,
        4_000,
        (ContextType.RESOURCE,),
        ContextDepth.OVERVIEW,
    )
    read = ContextQuery.from_dict({"query": "words"})
    assert read.context_types == () and read.wants("Memory") and read.wants("Skill")
    assert not query.wants("Memory")


def test_builders_clamp_and_fields_do_not() -> None:
    plain = ContextItem("a", content="x")
    assert plain.with_relevance(1.5).relevance == 1.0 and plain.with_relevance(-0.5).relevance == 0.0
    assert plain.with_trust(1.2).trust == 1.0 and plain.with_freshness(-1).freshness == 0.0
    assert ContextItem("a", content="x", relevance=1.5).relevance == 1.5
    assert (
        ContextItem.from_dict({"id": "a", "context_type": "Memory", "content": "", "relevance": 1.5}).relevance == 1.5
    )


@pytest.mark.parametrize(
    ("value", "read"),
    [(7, 1.0), (-2, 0.0), (0.25, 0.25), ("1", 0.0), (True, 0.0), (None, 0.0), ([1], 0.0), (10**400, 1.0)],
)
def test_readers_clamp_again_and_take_anything(value: object, read: float) -> None:
    written = ContextItem("a").with_metadata("a3s.context.priority", value).with_metadata("a3s.context.trust", value)
    assert written.priority == read and written.trust == read


@pytest.mark.parametrize(
    ("value", "required"), [(True, True), (1, False), ("true", False), (None, False), (1.0, False)]
)
def test_only_true_is_required(value: object, required: bool) -> None:
    assert ContextItem("a").with_metadata("a3s.context.required", value).required is required


def test_a_provenance_that_is_no_text_is_absent() -> None:
    assert ContextItem("a").with_metadata("a3s.context.provenance", 3).provenance is None
    assert ContextItem("a", source="file:///x").with_metadata("a3s.context.provenance", 3).quota == "source:file"


@pytest.mark.parametrize(
    ("written", "quota"),
    [
        (ContextItem("a", source="file:///a"), "source:file"),
        (ContextItem("a", source="file:b"), "source:file"),
        (ContextItem("a", source="C:\\x"), "source:C"),
        (ContextItem("a", source="plain"), "source:plain"),
        (ContextItem("a", source=""), "source:"),
        (ContextItem("a", "Skill"), "type:Skill"),
        (ContextItem("a", source="file:a").with_provenance("mine"), "provenance:mine"),
        (ContextItem("a").with_provenance(""), "provenance:"),
    ],
)
def test_what_quotas_count_by(written: ContextItem, quota: str) -> None:
    assert written.quota == quota


def test_exact_xml() -> None:
    with_source = ContextItem("a", "Resource", "line one\nline two", source="file:///a.py")
    without = ContextItem("b", "Memory", "remembered")
    assert ContextAssembly((with_source, without)).to_xml() == (
        '<context source="file:///a.py" type="Resource">\nline one\nline two\n</context>\n\n'
        '<context type="Memory">\nremembered\n</context>'
    )
    assert ContextAssembly().to_xml() == "" and ContextResult("p").to_xml() == ""


def test_escaping_in_xml() -> None:
    hostile = ContextItem("a", content="if a < b && c > \"d\" and 'e' &amp;", source="x\"<>&'")
    assert ContextAssembly((hostile,)).to_xml() == (
        '<context source="x&quot;&lt;&gt;&amp;&apos;" type="Resource">\n'
        "if a &lt; b &amp;&amp; c &gt; \"d\" and 'e' &amp;amp;\n</context>"
    )


def test_results_sum_what_their_items_say() -> None:
    result = (
        ContextResult("p")
        .with_item(item("a", tokens=3))
        .with_item(item("b", tokens=0))
        .with_item(item("c", tokens=MOST))
    )
    assert result.total_tokens == MOST
    assert ContextResult("p").with_item(item("a", tokens=3)).with_item(item("b", tokens=0)).total_tokens == 3


def test_static_counts_what_was_not_counted() -> None:
    found = StaticProvider((ContextItem("a", content="one two three"),)).query(ContextQuery(max_results=0))
    assert [each.token_count for each in found.items] == [3] and not found.truncated


def test_static_cuts_a_first_item_that_is_too_long() -> None:
    found = StaticProvider((ContextItem("a", content="é" * 100), item("b"))).query(
        ContextQuery(max_tokens=2, max_results=5)
    )
    assert found.truncated and [each.id for each in found.items] == ["a"]
    assert found.items[0].content == "éééé\n[context truncated]" and found.items[0].token_count == 2
    odd = StaticProvider((ContextItem("a", content="x" + "é" * 100),)).query(ContextQuery(max_tokens=1))
    assert odd.items[0].content == "xé\n[context truncated]"


def test_static_stops_at_a_later_item_that_is_too_long() -> None:
    provider = StaticProvider((item("a", tokens=2), item("b", tokens=9), item("c", tokens=1)))
    found = provider.query(ContextQuery(max_tokens=5))
    assert [each.id for each in found.items] == ["a"] and found.truncated


def test_static_required_items_ignore_the_limit_of_tokens() -> None:
    found = StaticProvider((item("a", tokens=9).with_required(),), host_owned=True).query(ContextQuery(max_tokens=2))
    assert [each.id for each in found.items] == ["a"] and not found.truncated
