"""Random results and policies, beside a second assembler that is written after the rules and in nothing else like the first."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from coderag.assemble import (
    ContextAssembler,
    ContextAssembly,
    ContextBudget,
    ContextItem,
    ContextResult,
    ContextSourcePolicy,
    ContextType,
    Dropped,
    DropRule,
)

F = np.float32
few = st.sampled_from
shares = st.one_of(few([0.0, 0.25, 0.5, 1.0, 2.0, -1.0]), st.floats(-1, 2), few([None, True, "1", float("nan")]))
METADATA = st.dictionaries(
    few(["a3s.context.priority", "a3s.context.trust", "a3s.context.freshness", "other"]), shares, max_size=4
)


@st.composite
def items(draw: st.DrawFn) -> ContextItem:
    metadata = dict(draw(METADATA))
    if draw(st.integers(0, 5)) == 0:
        metadata["a3s.context.required"] = draw(few([True, True, 1, "true"]))
    if draw(st.booleans()):
        metadata["a3s.context.provenance"] = draw(few(["p", "q", "", 3]))
    return ContextItem(
        id=draw(few(list("abcdefgh"))) + draw(few(["", "1", "é"])),
        context_type=draw(few(list(ContextType))),
        content=draw(st.text("ab <&\n", max_size=12)),
        token_count=draw(st.one_of(st.integers(0, 12), few([0, 2**64 - 1]))),
        relevance=draw(st.one_of(few([0.0, 0.1, 0.5, 0.5 + 1e-12, 1.0, 1.5, float("inf")]), st.floats(-1, 2))),
        source=draw(few([None, "", "file:a", "file:b", "m:a", "a", "x:1", "x:2", "x:3"])),
        metadata=metadata,
    )


results = st.lists(
    st.builds(
        ContextResult,
        provider=few(["", "one", "two", "three"]),
        items=st.lists(items(), max_size=8).map(tuple),
        truncated=st.booleans(),
    ),
    max_size=5,
)
limits = st.one_of(st.none(), st.integers(0, 20))
assemblers = st.builds(
    ContextAssembler,
    st.builds(ContextBudget, st.integers(0, 10), st.one_of(st.integers(0, 60), few([2**64 - 1]))),
    st.builds(ContextSourcePolicy, limits, limits),
)


def score(item: ContextItem) -> tuple[bool, np.float32, np.float32]:
    def share(key: str) -> np.float32:
        value = item.metadata.get(f"a3s.context.{key}")
        number = isinstance(value, int | float) and not isinstance(value, bool) and value == value
        return F(min(max(value, 0), 1)) if number else F(0)  # type: ignore[type-var]

    with np.errstate(over="ignore"):
        total = F(item.relevance) + F(0.25) * share("priority")
        total = F(total + F(0.15) * share("trust"))
        total = F(total + F(0.10) * share("freshness"))
        return item.metadata.get("a3s.context.required") is True, total, F(item.relevance)


def reference(assembler: ContextAssembler, given_results: list[ContextResult]) -> tuple[list[ContextItem], int, bool]:
    latest = [
        result
        for place, result in enumerate(given_results)
        if result.provider == "" or result.provider not in [each.provider for each in given_results[place + 1 :]]
    ]
    seen = [item for result in latest for item in result.items]
    best: dict[str, ContextItem] = {}
    for item in seen:
        key = item.id if item.source is None else item.source
        if key not in best or score(item) > score(best[key]):
            best[key] = item
    tokens = {key: item.token_count or assembler.count(item.content) for key, item in best.items()}
    order = sorted(best, key=lambda key: (tokens[key], best[key].id, key))
    order.sort(key=lambda key: score(best[key]), reverse=True)
    truncated = len(seen) > len(best)
    taken: list[ContextItem] = []
    total, counts, sums = 0, dict[str, int](), dict[str, int]()
    budget, policy = assembler.budget, assembler.source_policy

    def plus(left: int, right: int) -> int:
        return min(left + right, 2**64 - 1)

    for key in order:
        item, cost = best[key], tokens[key]
        if item.metadata.get("a3s.context.required") is True:
            taken.append(item)
            total = plus(total, cost)
            continue
        if len(taken) >= budget.max_items:
            truncated = True
            break
        family = item.quota
        full = plus(total, cost) > budget.max_tokens
        full |= policy.max_items_per_source is not None and counts.get(family, 0) >= policy.max_items_per_source
        full |= (
            policy.max_tokens_per_source is not None and plus(sums.get(family, 0), cost) > policy.max_tokens_per_source
        )
        if full:
            truncated = True
            continue
        taken.append(item)
        total = plus(total, cost)
        counts[family] = counts.get(family, 0) + 1
        sums[family] = plus(sums.get(family, 0), cost)
    return taken, total, truncated


def same(left: ContextAssembly, right: ContextAssembly) -> bool:
    return left.to_json() == right.to_json()


@settings(max_examples=200)
@given(assemblers, results)
def test_it_does_what_the_rules_say(assembler: ContextAssembler, found: list[ContextResult]) -> None:
    assembly = assembler.assemble(found)
    taken, total, truncated = reference(assembler, found)
    assert list(map(id, assembly.items)) == list(map(id, taken))
    assert (assembly.total_tokens, assembly.truncated) == (total, truncated)


@settings(max_examples=40)
@given(assemblers, results)
def test_nothing_is_lost_and_nothing_is_made(assembler: ContextAssembler, found: list[ContextResult]) -> None:
    assembly = assembler.assemble(found)
    given_items = sorted(id(item) for result in found for item in result.items)
    assert sorted([*map(id, assembly.items), *(id(each.item) for each in assembly.dropped)]) == given_items
    assert assembly.truncated == any(each.rule is not DropRule.REPLACED for each in assembly.dropped)
    assert len(assembly.tokens) == len(assembly.items)


@settings(max_examples=40)
@given(assemblers, results)
def test_ordinary_items_never_exceed_a_limit(assembler: ContextAssembler, found: list[ContextResult]) -> None:
    assembly = assembler.assemble(found)
    budget, policy = assembler.budget, assembler.source_policy
    ordinary = [(item, cost) for item, cost in zip(assembly.items, assembly.tokens, strict=True) if not item.required]
    if ordinary:
        assert len(assembly.items) <= budget.max_items and assembly.total_tokens <= budget.max_tokens
    for family in {item.quota for item, _ in ordinary}:
        costs = [cost for item, cost in ordinary if item.quota == family]
        assert policy.max_items_per_source is None or len(costs) <= policy.max_items_per_source
        assert policy.max_tokens_per_source is None or sum(costs) <= max(policy.max_tokens_per_source, 0)


@settings(max_examples=40)
@given(assemblers, results)
def test_required_items_are_always_there(assembler: ContextAssembler, found: list[ContextResult]) -> None:
    assembly = assembler.assemble(found)
    kept = {id(item) for item in assembly.items}
    lost = [each for each in assembly.dropped if each.item.required]
    assert all(each.rule in (DropRule.REPLACED, DropRule.DUPLICATE) for each in lost)
    flags = [item.required for item in assembly.items]
    assert flags == sorted(flags, reverse=True)
    assert len(kept) == len(assembly.items)


@settings(max_examples=40)
@given(assemblers, st.lists(items(), max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_different_items_does_not_matter(
    assembler: ContextAssembler, found: list[ContextItem], chance: random.Random
) -> None:
    unlike = list({item.identity: item for item in found}.values())
    shuffled = list(unlike)
    chance.shuffle(shuffled)
    first, second = (assembler.assemble([ContextResult("p", tuple(each))]) for each in (unlike, shuffled))
    assert first.items == second.items and first.total_tokens == second.total_tokens


@settings(max_examples=40)
@given(assemblers, results)
def test_assembling_an_assembly_changes_nothing(assembler: ContextAssembler, found: list[ContextResult]) -> None:
    once = assembler.assemble(found)
    again = assembler.assemble([ContextResult("", once.items)])
    assert again.items == once.items and again.total_tokens == once.total_tokens and not again.truncated


@settings(max_examples=40)
@given(results, st.integers(0, 8), st.integers(0, 4))
def test_more_items_keep_what_fewer_had(found: list[ContextResult], fewer: int, more: int) -> None:
    assembler = ContextAssembler(ContextBudget(fewer, 2**64 - 1), ContextSourcePolicy(None, None))
    small = assembler.assemble(found)
    large = assembler.with_budget(ContextBudget(fewer + more, 2**64 - 1)).assemble(found)
    assert large.items[: len(small.items)] == small.items


@settings(max_examples=40)
@given(st.lists(items(), max_size=10), st.integers(0, 40), st.integers(0, 20))
def test_more_tokens_never_make_the_first_choice_worse(found: list[ContextItem], fewer: int, more: int) -> None:
    """A greedy choice may trade later items, but what is taken first stays first."""
    assembler = ContextAssembler(ContextBudget(10, fewer), ContextSourcePolicy(None, None))
    small, large = (
        assembler.with_budget(ContextBudget(10, limit)).assemble([ContextResult("p", tuple(found))])
        for limit in (fewer, fewer + more)
    )
    refused = {each.item.identity for each in small.dropped if each.rule is DropRule.TOKEN_LIMIT}
    before = [item.identity for item in small.items]
    first_gap = next((n for n, item in enumerate(large.items) if item.identity in refused), len(before))
    assert [item.identity for item in large.items][:first_gap] == before[:first_gap]


@settings(max_examples=40)
@given(assemblers, results)
def test_the_same_input_gives_the_same_bytes(assembler: ContextAssembler, found: list[ContextResult]) -> None:
    assert same(assembler.assemble(found), assembler.assemble([replace(result) for result in found]))


@settings(max_examples=40)
@given(results)
def test_everything_survives_json(found: list[ContextResult]) -> None:
    for result in found:
        text = result.to_json()
        assert ContextResult.from_json(text).to_json() == text
    text = ContextAssembler().assemble(found).to_json()
    assert ContextAssembly.from_json(text).to_json() == text


def test_a_dropped_item_survives_json() -> None:
    dropped = Dropped(ContextItem("a", content="x"), DropRule.DUPLICATE, "p", 3, "b")
    assert Dropped.from_dict(dropped.to_dict()) == dropped


PROGRAM = """
import random
from coderag.assemble import ContextAssembler, ContextItem, ContextResult
chance = random.Random(5)
names = list({f"n{number}" for number in range(60)})
items = {name: ContextItem(name, content=name * 3, relevance=0.5, source=f"{name[:2]}:{name}") for name in sorted(names)}
assembly = ContextAssembler.expansive().assemble([ContextResult("p", tuple(items[name] for name in names))])
print(ContextAssembler.expansive().assemble([ContextResult("p", assembly.items)]).to_json(), assembly.to_xml())
"""


def test_two_processes_with_different_hash_seeds_agree() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True, text=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
