"""Values as JSON and back: defaults, unknown fields, and what is refused, naming the field."""

from __future__ import annotations

import json

import pytest

from coderag.assemble import (
    ContextAssembly,
    ContextBudget,
    ContextDepth,
    ContextItem,
    ContextPolicy,
    ContextQuery,
    ContextResult,
    ContextSourcePolicy,
    ContextType,
)
from coderag.errors import ContextError

ITEM = {"id": "a", "context_type": "Skill", "content": "x"}


def test_an_item_with_little_is_an_item() -> None:
    assert ContextItem.from_dict(ITEM) == ContextItem("a", ContextType.SKILL, "x")


def test_words_of_the_enumerations() -> None:
    assert [each.value for each in ContextType] == ["Memory", "Resource", "Skill"]
    assert [each.value for each in ContextDepth] == ["Abstract", "Overview", "Full"]


@pytest.mark.parametrize("kind", [ContextItem, ContextResult, ContextQuery, ContextAssembly, ContextPolicy])
def test_unknown_fields_are_kept(kind: type[ContextItem]) -> None:
    unknown = {"zebra": [1, {"deep": None}], "alpha": "später"}
    read = kind.from_dict({**ITEM, "query": "q", **unknown})
    written = json.loads(read.to_json())
    assert {key: written[key] for key in unknown} == unknown
    assert kind.from_json(read.to_json()) == read


def test_unknown_fields_of_items_inside_of_results_are_kept() -> None:
    read = ContextResult.from_dict({"items": [{**ITEM, "new": 1}], "provider": "p"})
    assert json.loads(read.to_json())["items"][0]["new"] == 1


def test_unknown_metadata_is_kept_as_it_is() -> None:
    metadata = {"a3s.context.priority": 7, "mine": {"nested": [True, None, 1.5]}}
    read = ContextItem.from_dict({**ITEM, "metadata": metadata})
    assert read.priority == 1.0 and json.loads(read.to_json())["metadata"] == metadata


def test_numbers_that_are_none_are_null_in_json() -> None:
    text = ContextItem("a", metadata={"x": float("nan"), "y": [float("inf")]}).to_json()
    assert json.loads(text)["metadata"] == {"x": None, "y": [None]} and "NaN" not in text


def test_text_that_is_not_unicode_survives() -> None:
    item = ContextItem("a", content="caf\udce9 🚀 \u202e")
    assert ContextItem.from_json(item.to_json()) == item


def test_a_total_that_is_missing_is_summed_and_one_that_is_given_stands() -> None:
    items = [{**ITEM, "token_count": 3}, {**ITEM, "token_count": 4}]
    assert ContextResult.from_dict({"items": items}).total_tokens == 7
    assert ContextResult.from_dict({"items": items, "total_tokens": 1}).total_tokens == 1
    assert ContextResult.from_dict({}) == ContextResult()


def test_a_query_that_says_nothing_of_types_wants_any() -> None:
    assert ContextQuery.from_dict({"query": "q"}).context_types == ()
    assert ContextQuery.from_dict({"query": "q", "context_types": []}).context_types == ()
    assert ContextQuery("q").context_types == (ContextType.RESOURCE,)
    assert ContextQuery("q", "Skill").context_types == (ContextType.SKILL,)


def test_limits_that_are_missing_are_the_defaults_and_null_is_none() -> None:
    assert ContextBudget.from_dict({}) == ContextBudget() == ContextBudget(12, 4_000)
    assert ContextSourcePolicy.from_dict({}) == ContextSourcePolicy(6, 2_500)
    read = ContextSourcePolicy.from_dict({"max_items_per_source": None, "max_tokens_per_source": 5})
    assert read == ContextSourcePolicy(None, 5) and ContextSourcePolicy.from_dict(read.to_dict()) == read
    assert ContextPolicy.from_json(ContextPolicy.compact().to_json()) == ContextPolicy.compact()


@pytest.mark.parametrize(
    ("document", "named"),
    [
        ({}, "'id'"),
        ({**ITEM, "context_type": "Tool"}, "Memory, Resource, Skill"),
        ({**ITEM, "token_count": -1}, "'token_count'"),
        ({**ITEM, "token_count": 1.5}, "'token_count'"),
        ({**ITEM, "token_count": True}, "'token_count'"),
        ({**ITEM, "relevance": "high"}, "'relevance'"),
        ({**ITEM, "metadata": []}, "'metadata'"),
        ({**ITEM, "source": 3}, "'source'"),
        ({"id": "a", "context_type": "Skill"}, "'content'"),
        ([], "object"),
        (None, "object"),
    ],
)
def test_what_is_wrong_is_named(document: object, named: str) -> None:
    with pytest.raises(ContextError, match=named):
        ContextItem.from_dict(document)


@pytest.mark.parametrize("text", ["", "{", "[", "nonsense", "[" * 100_000])
def test_what_is_no_json_is_an_error_of_ours(text: str) -> None:
    for kind in (ContextItem, ContextResult, ContextQuery, ContextPolicy, ContextAssembly):
        with pytest.raises(ContextError):
            kind.from_json(text)


def test_a_number_without_end_is_no_error() -> None:
    read = ContextItem.from_json('{"id": "a", "context_type": "Memory", "content": "", "relevance": 1e999}')
    assert read.relevance > 1e38 and json.loads(read.to_json())["relevance"] == read.relevance


def test_numbers_of_any_size_and_kind_are_relevances() -> None:
    assert ContextItem("a", relevance=1).to_dict()["relevance"] == 1.0
    assert (
        ContextItem("a", relevance=10**400).relevance > 1e38 > -1e38 > ContextItem("a", relevance=-(10**400)).relevance
    )


def test_policies_scale() -> None:
    larger = ContextPolicy.balanced().scaled(8_000)
    assert (larger.budget, larger.source_policy) == (ContextBudget(24, 8_000), ContextSourcePolicy(12, 5_000))
    smaller = ContextPolicy.balanced().scaled(400)
    assert (smaller.budget, smaller.source_policy) == (ContextBudget(12, 400), ContextSourcePolicy(6, 250))
    with pytest.raises(ContextError, match="balanced, compact, expansive"):
        ContextPolicy.named("huge")


def test_an_item_is_a_value() -> None:
    item = ContextItem("a", content="x")
    assert item.with_source("s").with_token_count(4).with_content("y") == ContextItem("a", content="y", source="s")
    assert item.source is None and item.metadata == {}
    with pytest.raises(AttributeError):
        item.id = "b"  # type: ignore[misc]
