"""What is known of candidates beside their words: the focus, history, versions, declarations."""

from __future__ import annotations

from dataclasses import replace

import pytest

from coderag.rerank import focus, gather
from coderag.rerank.candidates import Candidates
from coderag.types import Chunk, EdgeKind, Focus, History, Hit, Kind, Query, Span
from tests.recall.memory_snapshot import MemorySnapshot, make_chunk, snapshot_of


def member(path: str, symbol: str, line: int) -> Chunk:
    enclosing = symbol.rpartition(".")[0]
    return Chunk(
        f"{path}#{symbol}", path, "python", Kind.METHOD, symbol, Span(0, 9, line, line + 1), symbol, enclosing=enclosing
    )


CART = [
    make_chunk("shop/cart.py", "Cart", "class Cart:\n    rate: int", kind=Kind.CLASS, line=1),
    member("shop/cart.py", "Cart.total", 10),
    member("shop/cart.py", "Cart.add", 20),
    make_chunk("shop/cart.py", "checkout", "def checkout():\n    pass", line=30),
    make_chunk("shop/money.py", "Money", "class Money: ...", kind=Kind.CLASS),
    make_chunk("shop/tax.py", "tax", "def tax(): ..."),
    make_chunk("shop/rates.py", "rates", "def rates(): ..."),
]


def relation(name: str, *links: tuple[int, int, EdgeKind], line: int = 10) -> dict[str, float]:
    snapshot = snapshot_of(CART)
    snapshot.links = list(links)
    rankings = focus.hits_of(snapshot, Focus("shop/cart.py", line))
    return {CART[hit.row].symbol: hit.score for hits in rankings for hit in hits if hit.recaller == name}


@pytest.mark.parametrize(("line", "nearest"), [(0, "Cart"), (13, "Cart.total"), (18, "Cart.add"), (99, "checkout")])
def test_a_focus_that_touches_no_chunk_means_the_nearest_one(line: int, nearest: str) -> None:
    assert set(relation(focus.HERE, line=line)) == {nearest}


def test_the_class_of_the_focus_and_its_members_are_its_kin() -> None:
    assert set(relation(focus.KIN)) == {"Cart", "Cart.add"}


def test_what_more_of_the_file_uses_is_more_likely_needed_next() -> None:
    used = relation(
        focus.USED_BESIDE,
        (2, 4, EdgeKind.CALLS),
        (3, 4, EdgeKind.TYPES),
        (3, 5, EdgeKind.CALLS),
        (1, 6, EdgeKind.CALLS),
        (3, 2, EdgeKind.CALLS),
    )
    assert used == {"Money": pytest.approx(2 / 3), "tax": 0.5}


def test_files_are_nearer_the_fewer_imports_lie_between() -> None:
    assert relation(focus.IMPORTED, (3, 5, EdgeKind.IMPORTS), (5, 6, EdgeKind.CALLS)) == {"tax": 1.0, "rates": 0.5}


def candidates(snapshot: MemorySnapshot, query: Query, *rankings: list[Hit]) -> Candidates:
    everything = [Hit(row, "lexical", row + 1, 1.0) for row in range(len(snapshot.chunks))]
    return gather(snapshot, query, [everything, *rankings])


def values(found: Candidates, name: str) -> dict[str, float]:
    rows = found.rows.tolist()
    return {
        found.snapshot.chunk(row).symbol: value for row, value in zip(rows, getattr(found, name).tolist(), strict=True)
    }


def test_files_that_change_with_the_focus_are_near_it() -> None:
    snapshot = snapshot_of(CART)
    snapshot.history = History(
        together={"shop/cart.py": {"shop/tax.py": 0.75}, "shop/money.py": {"shop/rates.py": 0.5}}
    )
    found = values(
        candidates(snapshot, Query(focus=Focus("shop/cart.py"), open_files=("shop/money.py",))), "changed_together"
    )
    assert {name: value for name, value in found.items() if value} == {"tax": 0.75, "rates": 0.25}
    assert not any(values(candidates(snapshot, Query("tax")), "changed_together").values())


def test_recency_and_churn_are_those_of_the_file() -> None:
    snapshot = snapshot_of(CART)
    snapshot.history = History({"shop/tax.py": 0.5}, {"shop/money.py": 0.25})
    found = candidates(snapshot, Query("tax"))
    assert {name: value for name, value in values(found, "recency").items() if value} == {"tax": 0.5}
    assert {name: value for name, value in values(found, "churn").items() if value} == {"Money": 0.25}


def test_a_part_of_many_shows_little_and_a_whole_everything() -> None:
    chunks = [replace(each, parts=parts) for each, parts in zip(CART, (1, 2, 4), strict=False)]
    found = values(candidates(snapshot_of(chunks), Query("tax")), "completeness")
    assert sorted(found.values()) == [0.25, 0.5, 1.0]


def test_uncommitted_work_is_that_of_the_file() -> None:
    snapshot = snapshot_of(CART)
    snapshot.uncommitted = frozenset({"shop/tax.py", "elsewhere.py"})
    found = values(candidates(snapshot, Query("tax")), "uncommitted")
    assert {name for name, value in found.items() if value == 1.0} == {"tax"}
    assert sum(found.values()) == 1.0


VERSIONS = [
    make_chunk("api/v3/types.py", "old", "class old: ..."),
    make_chunk("api/v4/types.py", "new", "class new: ..."),
    make_chunk("v1/only.py", "only", "class only: ..."),
    make_chunk("api/v2beta1/types.py", "beta", "class beta: ..."),
]


@pytest.mark.parametrize(("text", "superseded"), [("types", {"old", "beta"}), ("types of v3", {"beta"})])
def test_a_version_beside_a_later_one_is_superseded_unless_it_is_asked_for(text: str, superseded: set[str]) -> None:
    found = values(candidates(snapshot_of(VERSIONS), Query(text)), "superseded")
    assert {name for name, value in found.items() if value} == superseded


def test_declarations_and_files_of_declarations_are_stubs() -> None:
    chunks = [
        make_chunk("list.h", "list_append", "void list_append(void);", language="c"),
        make_chunk("list.c", "list_append", "void list_append(void) {}", language="c"),
        make_chunk("shop.pyi", "total", "def total() -> int: ..."),
    ]
    snapshot = snapshot_of(chunks)
    snapshot.links = [(0, 1, EdgeKind.DECLARES)]
    found = candidates(snapshot, Query("list"))
    assert [chunks[row].path for row, stub in zip(found.rows.tolist(), found.stubs.tolist(), strict=True) if stub] == [
        "list.h",
        "shop.pyi",
    ]
