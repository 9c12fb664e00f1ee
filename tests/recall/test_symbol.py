"""Symbol recall: definitions that the question names."""

from __future__ import annotations

import numpy as np
import pytest

from coderag.recall.symbol import recall
from coderag.types import Chunk, Definition, EdgeKind, Kind
from tests.recall.memory_snapshot import make_chunk, snapshot_of

SHOP = [
    make_chunk("shop/cart.go", "Cart", kind=Kind.STRUCT, line=1),
    make_chunk("shop/cart.go", "Cart.Total", kind=Kind.METHOD, line=3),
    make_chunk("shop/cart.go", "Total", line=6),
    make_chunk("shop/order.go", "Order.SetState", kind=Kind.METHOD),
    make_chunk("shop/types.go", "State", kind=Kind.ENUM),
    make_chunk("tests/cart_test.go", "Total", line=2),
]


def found(text: str, chunks: list[Chunk] = SHOP, k: int = 10) -> list[str]:
    return [f"{chunks[hit.row].path}:{chunks[hit.row].symbol}" for hit in recall(snapshot_of(chunks), text, k)]


@pytest.mark.parametrize(
    "text",
    [
        "Cart.Total",
        "Cart::Total",
        "Cart#Total",
        "Cart->Total",
        "(*Cart).Total",
        "Cart.Total()",
        "`Cart.Total`",
        "Cart<T>::Total",
        "shop/cart/Cart.Total",
    ],
)
def test_a_qualified_name_hits_only_its_definition(text: str) -> None:
    assert found(text) == ["shop/cart.go:Cart.Total"]


def test_a_qualified_name_in_prose_hits_only_its_definition() -> None:
    assert [name for name in found("where is Cart.Total computed?") if name.endswith("Total")] == [
        "shop/cart.go:Cart.Total"
    ]


def test_a_plain_name_finds_functions_before_methods_and_code_before_tests() -> None:
    assert found("Total") == ["shop/cart.go:Total", "tests/cart_test.go:Total", "shop/cart.go:Cart.Total"]


def test_an_unknown_receiver_falls_back_to_the_last_name() -> None:
    assert found("basket.SetState(x)") == ["shop/order.go:Order.SetState"]


@pytest.mark.parametrize("text", ["order.setstate", "OrDeR.sEtStAtE", "setstate"])
def test_case_may_differ(text: str) -> None:
    assert found(text) == ["shop/order.go:Order.SetState"]


@pytest.mark.parametrize("text", ["set_state", "SET_STATE", "`set_state`"])
def test_style_may_differ(text: str) -> None:
    assert found(text) == ["shop/order.go:Order.SetState"]


def test_parts_are_enough_when_no_name_is_equal() -> None:
    chunks = [make_chunk("a.py", "parse_content_type_header"), make_chunk("a.py", "parse_header", line=5)]
    assert found("parseContentType", chunks) == ["a.py:parse_content_type_header"]


@pytest.mark.parametrize(
    "text",
    [
        "the `State` of an order",
        "how does State change",
        "why is state.go wrong? State",
        "if s == State {\n\treturn Cart{}\n}",
        "which states: shop/types.State",
    ],
)
def test_a_name_inside_of_prose_or_code_is_found(text: str) -> None:
    assert "shop/types.go:State" in found(text)


def test_a_common_word_is_not_taken_for_a_name() -> None:
    chunks = [make_chunk(f"m{i}.py", "run") for i in range(9)]
    assert found("how does the thing run", chunks) == []
    assert len(found("run", chunks)) == 9


def test_the_frames_of_a_trace_are_found() -> None:
    chunks = [make_chunk("pay/refund.py", "approve"), make_chunk("src/org/pay/Refund.java", "Refund.check", line=3)]
    trace = (
        'Traceback (most recent call last):\n  File "/srv/app/pay/refund.py", line 12, in approve\n    x()\nValueError'
    )
    assert found(trace, chunks)[0] == "pay/refund.py:approve"
    assert found("at org.pay.Refund$1.check(Refund.java:12)", chunks)[0] == "src/org/pay/Refund.java:Refund.check"


def test_a_definition_comes_before_its_declaration() -> None:
    chunks = [make_chunk("box.h", "Box.get"), make_chunk("src/box.cc", "Box.get")]
    definitions = [
        (Definition("box.h", 0, "get", "Box.get", Kind.METHOD, declaration=True), 0),
        (Definition("src/box.cc", 0, "get", "Box.get", Kind.METHOD, owner="Box"), 1),
    ]
    hits = recall(snapshot_of(chunks, definitions), "Box<T>::get", 10)
    assert [hit.row for hit in hits] == [1, 0]


def test_important_definitions_come_first_then_path_and_position() -> None:
    chunks = [make_chunk(path, "make_id") for path in ("c.py", "a.py", "b.py")]
    hits = recall(snapshot_of(chunks, importance=[0.2, 0.2, 0.6]), "make_id", 10)
    assert [chunks[hit.row].path for hit in hits] == ["b.py", "a.py", "c.py"]


def test_a_container_qualifies_by_module_path() -> None:
    chunks = [
        make_chunk("a/ids.py", "make_id"),
        make_chunk("b/ids.py", "make_id"),
        make_chunk("c/__init__.py", "make_id"),
    ]
    assert found("a.ids.make_id", chunks) == ["a/ids.py:make_id"]
    assert found("b.ids.make_id()", chunks) == ["b/ids.py:make_id"]
    assert found("c.make_id", chunks) == ["c/__init__.py:make_id"]


def test_filters_come_before_the_cut() -> None:
    snapshot = snapshot_of(SHOP)
    allowed = np.array([chunk.path.startswith("tests/") for chunk in SHOP])
    assert [hit.row for hit in recall(snapshot, "Total", 1, allowed)] == [5]


def test_why_says_how_the_name_agreed() -> None:
    snapshot = snapshot_of(SHOP)
    assert recall(snapshot, "Cart.Total", 1)[0].why == "exact symbol Cart.Total"
    assert recall(snapshot, "setstate", 1)[0].why == "symbol Order.SetState, case ignored"


@pytest.mark.parametrize(
    "text", ["", ".", "...", "::", "`", "``", "()", "a" * 1_000_000, "x." * 50_000, "<" * 9999, "\ud800"]
)
def test_hostile_text_finds_nothing_and_breaks_nothing(text: str) -> None:
    assert found(text) == []


def test_a_name_that_is_only_an_alias_finds_what_it_stands_for() -> None:
    chunks = [
        make_chunk("money.ts", "fmt", "function fmt(n) {}", language="typescript"),
        make_chunk(
            "index.ts", "", "export { fmt as formatMoney } from './money'", kind=Kind.MODULE, language="typescript"
        ),
    ]
    snapshot = snapshot_of(chunks)
    snapshot.links = [(1, 0, EdgeKind.RE_EXPORTS)]
    snapshot.written = {0: "formatMoney"}
    (hit,) = recall(snapshot, "where is formatMoney", 5)
    assert (chunks[hit.row].symbol, hit.why) == ("fmt", "symbol fmt, which others call formatMoney")
