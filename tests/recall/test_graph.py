"""The graph recaller: where a walk along edges arrives."""

from __future__ import annotations

from coderag.recall.graph import recall, seeds_of
from coderag.types import Chunk, EdgeKind, Hit, Kind, Span
from tests.recall.memory_snapshot import MemorySnapshot, snapshot_of

NAMES = ("start", "callee", "caller", "far", "alone", "test")


def linked(*links: tuple[str, str, EdgeKind]) -> MemorySnapshot:
    chunks = [
        Chunk(f"{name}.py#{name}", f"{name}.py", "python", Kind.FUNCTION, name, Span(0, 1, 1, 1), f"def {name}(): ...")
        for name in NAMES
    ]
    snapshot = snapshot_of(chunks)
    snapshot.links = [(NAMES.index(source), NAMES.index(target), kind) for source, target, kind in links]
    return snapshot


def reached(snapshot: MemorySnapshot, *seeds: str, k: int = 10) -> list[str]:
    weights = {NAMES.index(seed): 1.0 / len(seeds) for seed in seeds}
    return [NAMES[hit.row] for hit in recall(snapshot, weights, k)]


def test_what_a_seed_calls_comes_before_what_calls_it() -> None:
    snapshot = linked(("start", "callee", EdgeKind.CALLS), ("caller", "start", EdgeKind.CALLS))
    assert [name for name in reached(snapshot, "start") if name != "start"] == ["callee", "caller"]


def test_a_walk_goes_two_steps() -> None:
    snapshot = linked(
        ("start", "callee", EdgeKind.CALLS), ("callee", "far", EdgeKind.CALLS), ("far", "alone", EdgeKind.CALLS)
    )
    assert set(reached(snapshot, "start")) == {"start", "callee", "far"}


def test_seeds_that_are_linked_support_each_other() -> None:
    snapshot = linked(("start", "callee", EdgeKind.CALLS))
    assert reached(snapshot, "start", "callee", "alone") == ["callee", "start"]


def test_tests_and_guesses_carry_little_or_nothing() -> None:
    snapshot = linked(
        ("start", "callee", EdgeKind.CALLS), ("start", "far", EdgeKind.IMPORTS), ("start", "test", EdgeKind.TESTS)
    )
    assert [name for name in reached(snapshot, "start") if name != "start"] == ["callee", "far"]


def test_filters_act_before_the_cut() -> None:
    snapshot = linked(("start", "callee", EdgeKind.CALLS), ("start", "far", EdgeKind.REFERS))
    allowed = snapshot.order >= 0
    allowed[[NAMES.index("callee"), NAMES.index("start")]] = False
    (hit,) = recall(snapshot, {NAMES.index("start"): 1.0}, 1, allowed)
    assert NAMES[hit.row] == "far"


def test_seeds_are_the_first_of_all_rankings_and_their_weights_add_up_to_one() -> None:
    rankings = [[Hit(3, "a", 1, 9.0), Hit(5, "a", 2, 1.0)], [Hit(5, "b", 1, 0.1)]]
    seeds = seeds_of(rankings)
    assert list(seeds) == [5, 3]
    assert abs(sum(seeds.values()) - 1.0) < 1e-12
    assert list(seeds_of(rankings, most=1)) == [5]
