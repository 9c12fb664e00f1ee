"""What a query text names, and what kind of text it is."""

from __future__ import annotations

import pytest

from coderag.recall.expressions import (
    MAX_EXPRESSIONS,
    QUALIFIED,
    QUOTED,
    SHAPED,
    WHOLE,
    WORD,
    Shape,
    begins_with_trace,
    expressions,
    shape_of,
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("retry_limit", ["retry_limit"]),
        ("Shop::Cart.tax", ["Shop", "Cart", "tax"]),
        ("store->put", ["store", "put"]),
        ("Cart#total", ["Cart", "total"]),
        ("a?.b", ["a", "b"]),
        ("self.total", ["total"]),
        ("this.cart.total()", ["cart", "total"]),
        ("$this->cart", ["cart"]),
        ("@note", ["note"]),
        ("empty?", ["empty?"]),
        ("save!", ["save!"]),
        ("std::vector<int>::push_back", ["std", "vector", "push_back"]),
        ("(*Cart).Total", ["Cart", "Total"]),
        ("café", ["café"]),
        ("订单", ["订单"]),
        ("charge(amount)", ["charge"]),
    ],
)
def test_a_text_that_is_one_name(text: str, parts: list[str]) -> None:
    assert [(list(found.parts), found.certainty) for found in expressions(text)] == [(parts, WHOLE)]


@pytest.mark.parametrize(
    ("text", "name", "certainty"),
    [
        ("what does `window` do", "window", QUOTED),
        ('File "a.py", line 3, in approve\n  x', "approve", QUOTED),
        ("who calls make_id here", "make_id", SHAPED),
        ("where is HTTPServer started", "HTTPServer", SHAPED),
        ("where is parseUrl used", "parseUrl", SHAPED),
        ("why does charge() fail", "charge", QUALIFIED),
        ("how do states change", "states", WORD),
    ],
)
def test_names_in_a_text_have_a_certainty(text: str, name: str, certainty: float) -> None:
    assert {found.parts[-1]: found.certainty for found in expressions(text)}[name] == certainty


def test_each_name_is_listed_once_with_its_greatest_certainty() -> None:
    found = expressions("window, then window() and `window` again")
    assert [(one.parts, one.certainty) for one in found if one.parts == ("window",)] == [(("window",), QUOTED)]


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("Cart.Total", Shape.SYMBOL),
        ("`retry_limit`", Shape.SYMBOL),
        ("how does an order change its status?", Shape.SENTENCE),
        ("refund window", Shape.SENTENCE),
        ("订单 退款", Shape.SENTENCE),
        ("for (int i = 0; i < n; i++) { total += a[i]; }", Shape.CODE),
        ("def pay(order):\n    return order.total", Shape.CODE),
        ('Traceback (most recent call last):\n  File "a.py", line 1, in f', Shape.TRACE),
        ("Error: x\n    at Object.request (https.js:281:10)", Shape.TRACE),
        ("java.lang.Error\n\tat org.jsoup.Parser.parse(Parser.java:12)", Shape.TRACE),
        ("thread 'main' panicked at src/main.rs:3:5", Shape.TRACE),
        ("goroutine 1 [running]:", Shape.TRACE),
        ("", Shape.SENTENCE),
    ],
)
def test_a_text_has_a_shape(text: str, shape: Shape) -> None:
    assert shape_of(text) is shape


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 100_000,
        " " * 100_000 + "x y",
        "*" * 100_000,
        "$" * 100_000 + "a",
        "a?." * 20_000 + "#",
        "a." * 50_000 + "#",
        "a!?" * 30_000,
        "(" * 100_000,
        "()" * 50_000 + "x",
        "<" * 100_000 + ">::",
        "`" * 100_000,
        "_" * 100_000,
        "at " * 30_000,
        "at " + "a" * 100_000,
        'File "' * 20_000,
        "from " + ":1" * 30_000,
        "A" * 100_000 + " a",
    ],
)
def test_hostile_text_is_read_in_linear_time(text: str) -> None:
    assert shape_of(text) in Shape
    assert len(expressions(text)) <= MAX_EXPRESSIONS


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ('Traceback (most recent call last):\n  File "a.py", line 3, in run\n', True),
        ("\n\njava.lang.IndexOutOfBoundsException: Index -1\n\tat org.jsoup.Parser.next(Parser.java:12)\n", True),
        ("TypeError: x is undefined\n    at run (/srv/app.js:3:7)\n", True),
        ('Carts lose items\n\nSteps: open, wait\n\nTraceback (most recent call last):\n  File "a.py", line 3\n', False),
        ("carts lose items", False),
        ("", False),
    ],
)
def test_a_trace_that_nobody_introduced_has_no_title(text: str, begins: bool) -> None:
    assert begins_with_trace(text) is begins
