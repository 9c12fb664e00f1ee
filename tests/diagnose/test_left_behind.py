"""`coderag check --diff`: callers that a change left behind, by file and line, with how sure the edge is."""

from __future__ import annotations

import pytest

from coderag.diagnose.calls import Arguments, arguments, fits, parameters, same_order
from coderag.diagnose.changes import FileChange
from tests.cli.conftest import Outcome, Place
from tests.diagnose.conftest import SHOP


def edited(shop: Place, path: str, *replacements: tuple[str, str]) -> Outcome:
    text = SHOP[path]
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    shop.write({path: text})
    return shop.run("check", "--diff", "--json")


def found(outcome: Outcome) -> list[tuple[str, str, list[str]]]:
    return [
        (each["symbol"], each["change"], [f"{caller['path']}:{caller['line']}" for caller in each["callers"]])
        for each in outcome.json["broken"]
    ]


def test_nothing_changed(shop: Place) -> None:
    assert shop.run("check", "--diff").status == 0


def test_a_parameter_more_leaves_callers_behind(shop: Place) -> None:
    outcome = edited(
        shop, "shop/store.py", ("def find_price(store: Store, name):", "def find_price(store: Store, name, day):")
    )
    assert outcome.status == 1
    assert found(outcome) == [("find_price", "signature changed", ["shop/cart.py:23", "shop/order.py:8"])]
    assert {caller["confidence"] for caller in outcome.json["broken"][0]["callers"]} == {"exact"}


@pytest.mark.parametrize(
    "signature",
    [
        "(store: Store, name, day=None)",
        "(store: Store, name, *days)",
        "(store, name: str) -> float",
        "(*anything)",
        "(store: Store, name, *, day=1)",
    ],
)
def test_what_callers_still_fit_is_no_finding(shop: Place, signature: str) -> None:
    outcome = edited(shop, "shop/store.py", ("(store: Store, name):", f"{signature}:"))
    assert found(outcome) == []
    assert outcome.status == 0


def test_callers_that_were_changed_too_are_not_told(shop: Place) -> None:
    shop.write(
        {"shop/order.py": SHOP["shop/order.py"].replace("find_price(store, name)", "find_price(store, name, 1)")}
    )
    outcome = edited(
        shop, "shop/store.py", ("def find_price(store: Store, name):", "def find_price(store: Store, name, day):")
    )
    assert found(outcome) == [("find_price", "signature changed", ["shop/cart.py:23"])]


def test_parameters_that_change_places(shop: Place) -> None:
    outcome = edited(shop, "shop/store.py", ("(store: Store, name):", "(name, store: Store):"))
    assert found(outcome) == [("find_price", "parameters changed places", ["shop/cart.py:23", "shop/order.py:8"])]


def test_a_method_and_a_constructor(shop: Place) -> None:
    outcome = edited(
        shop,
        "shop/cart.py",
        ("def total(self, currency, rounded=True):", "def total(self, rounded=True):"),
        ("def __init__(self, store: Store, owner):", "def __init__(self, store: Store):"),
        ('self.total("EUR")', "self.total()"),
        ("self.owner = owner", "self.owner = None"),
    )
    assert found(outcome) == [("Cart.__init__", "signature changed", ["shop/order.py:6"])]


def test_a_definition_that_goes(shop: Place) -> None:
    outcome = edited(shop, "shop/store.py", ("def find_price(", "def get_price("))
    assert found(outcome) == [
        ("find_price", "gone", ["shop/cart.py:3", "shop/cart.py:23", "shop/order.py:2", "shop/order.py:8"])
    ]


def test_a_definition_that_moves_and_is_still_passed_on_is_no_finding(shop: Place) -> None:
    body = "def find_price(store: Store, name):\n    return store.lookup_price(name)\n"
    shop.write({"shop/prices.py": "from __future__ import annotations\n\n\n" + body.replace("store: Store", "store")})
    outcome = edited(shop, "shop/store.py", (body, "from shop.prices import find_price\n"))
    assert found(outcome) == []


def test_what_nobody_uses_may_change(shop: Place) -> None:
    assert found(edited(shop, "shop/store.py", ("unused_helper(a, b)", "unused_helper(a)"))) == []


def test_a_file_that_goes(shop: Place) -> None:
    (shop.root / "shop/order.py").unlink()
    assert found(shop.run("check", "--diff", "--json")) == []
    (shop.root / "shop/store.py").unlink()
    outcome = shop.run("check", "--diff", "HEAD", "--json")
    assert [each[:2] for each in found(outcome)] == [
        ("Store", "gone"),
        ("Store.lookup_price", "gone"),
        ("find_price", "gone"),
    ] or [each[0] for each in found(outcome)] == ["Store", "find_price"]


def test_outside_of_git(place: Place) -> None:
    place.write({"a.py": "def pay():\n    return 1\n"})
    place.index()
    outcome = place.run("check", "--diff")
    assert outcome.status == 2
    assert outcome.err.count("\n") == 1


# Calls


@pytest.mark.parametrize(
    ("signature", "call", "expected"),
    [
        ("def f(a, b=1)", "f(1)", True),
        ("def f(a, b=1)", "f()", False),
        ("def f(a, b=1)", "f(1, 2, 3)", False),
        ("def f(a, *, b)", "f(1, b=2)", True),
        ("def f(a, *, b)", "f(1, 2)", False),
        ("def f(a, **rest)", "f(1, c=2)", True),
        ("def f(a)", "f(1, c=2)", False),
        ("def f(a, /, b)", "f(a=1, b=2)", False),
        ("def f(self, a)", "x.f(1)", True),
        ("def f(a, b)", "f(*both)", True),
        ("def f(a)", "f({'x': 1, 'y': 2})", True),
        ("def f(a)", "f(g(1, 2), )", True),
        ("def f(a)", "f('a, b')", True),
        ("function f(a: Map<string, number>, b?: string): void", "f(m)", True),
        ("function f(a: string, ...rest: number[])", "f('x', 1, 2)", True),
        ("func (c *Context) f(code int, body any)", "c.f(200, nil)", True),
        ("func f[T any](a T, more ...int)", "f(1)", True),
        ("int f(void)", "f()", True),
        ("int f(client *c, const void *p, size_t len)", "f(c, p)", False),
        ("def f(a, b)", "f(a)\nf(1, 2)", False),
    ],
)  # fmt: skip
def test_calls_and_what_they_fit(signature: str, call: str, expected: bool) -> None:
    taken = parameters(signature, "f", ("self",))
    assert taken is not None
    assert fits(arguments(call, "f")[0], taken) is expected


def test_what_is_no_call_gives_nothing() -> None:
    assert arguments("map(f, items)", "f") == []
    assert arguments("f(1, (2", "f") == []
    assert parameters("f = 1", "f") is None


def test_places_matter_only_as_far_as_they_are_used() -> None:
    before, after = parameters("def f(a, b, c)", "f"), parameters("def f(b, a, c)", "f")
    assert before and after
    assert not same_order(Arguments(2), before, after)
    assert same_order(Arguments(0, ("a", "b", "c")), before, after)


@pytest.mark.parametrize(
    ("stretch", "line", "now"),
    [((5, 1, 5, 2), 4, 4), ((5, 1, 5, 2), 5, None), ((5, 1, 5, 2), 6, 7), ((5, 0, 6, 2), 5, 5), ((5, 0, 6, 2), 6, 8), ((5, 2, 4, 0), 7, 5)],
)  # fmt: skip
def test_where_a_line_is_now(stretch: tuple[int, int, int, int], line: int, now: int | None) -> None:
    assert FileChange("a.py", stretches=(stretch,)).now(line) == now
