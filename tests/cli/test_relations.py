"""`coderag symbols`, `callers` and `callees`."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Place


@pytest.fixture
def store(place: Place) -> Place:
    place.write(
        {
            "store.py": "def put(key):\n    return key\n\n\ndef unused():\n    return 1\n",
            "job.py": "import store\n\n\ndef go():\n    store.put(1)\n    store.put(2)\n",
            "cart.go": "package shop\n\nfunc (c *Cart) Total() int { return 0 }\n",
        }
    )
    place.index()
    return place


def test_callers_with_kind_sureness_and_lines(store: Place) -> None:
    outcome = store.run("callers", "put")
    assert outcome.status == 0
    definition, caller = outcome.out.splitlines()
    assert definition == "store.py:1  put  (function)  def put(key)"
    assert caller == "  job.py:4  go  calls, exact  lines 5, 6"


def test_callers_as_json(store: Place) -> None:
    answer = store.run("callers", "--json", "store.py#put").json
    assert list(answer) == ["symbol", "definitions", "callers"]
    assert answer["definitions"] == [
        {"path": "store.py", "line": 1, "symbol": "put", "kind": "function", "signature": "def put(key)"}
    ]
    assert answer["callers"] == [
        {
            "id": "job.py#go",
            "path": "job.py",
            "line": 4,
            "symbol": "go",
            "kind": "calls",
            "confidence": "exact",
            "weight": 1.0,
            "name": "put",
            "used_in": "job.py",
            "lines": [5, 6],
        }
    ]


def test_callees(store: Place) -> None:
    answer = store.run("callees", "--json", "go").json
    assert [each["id"] for each in answer["callees"]] == ["store.py#put"]


def test_no_callers_is_not_no_symbol(store: Place) -> None:
    unused, missing = store.run("callers", "unused"), store.run("callers", "nowhere")
    assert (unused.status, missing.status) == (1, 1)
    assert unused.err == "coderag: unused has no callers in the index\n"
    assert missing.err == "coderag: no symbol is named 'nowhere'\n"


@pytest.mark.parametrize(
    ("argv", "names"),
    [
        ((), {"put", "unused", "go", "Cart.Total"}),
        (("U",), {"put", "unused"}),
        (("cart.t",), {"Cart.Total"}),
        (("--lang", "go"), {"Cart.Total"}),
        (("--path", "job.py"), {"go"}),
        (("--kind", "method"), {"Cart.Total"}),
    ],
)
def test_symbols(store: Place, argv: tuple[str, ...], names: set[str]) -> None:
    assert {each["symbol"] for each in store.run("symbols", "--json", *argv).json["symbols"]} == names


def test_symbols_as_text(store: Place) -> None:
    assert store.run("symbols", "put").out == "store.py:1  put  (function)  def put(key)\n"


def test_no_symbol_is_status_1(store: Place) -> None:
    outcome = store.run("symbols", "zyzzyva")
    assert (outcome.status, outcome.err) == (1, "coderag: no symbol has 'zyzzyva' in its name\n")
