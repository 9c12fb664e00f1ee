"""`coderag check ANSWER`: what does not exist is named with what comes nearest, and what exists is left alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Outcome, Place

IMPORTS = "from shop.cart import Cart\nfrom shop.store import Store\n\n"


def check(place: Place, answer: str, *options: str) -> Outcome:
    place.write({"../answer.md": answer})
    return place.run("check", "../answer.md", "--json", *options)


def names(outcome: Outcome, sure: bool = True) -> list[tuple[str, str]]:
    return [(each["flaw"], each["name"]) for each in outcome.json["findings"] if each["sure"] is sure]


def code(text: str, language: str = "python") -> str:
    return f"Do this:\n\n```{language}\n{text}```\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from shop.cart import Cartt\n", ("no such import", "Cartt")),
        ("from shop.carts import Cart\n", ("no such module", "shop.carts")),
        ("import shop.checkout\n", ("no such module", "shop.checkout")),
        (IMPORTS + "Cart(1, 2).totals()\n", ("no such member", "totals")),
        (IMPORTS + "def f(cart: Cart):\n    return cart.grand_total()\n", ("no such member", "grand_total")),
        (IMPORTS + "class Mine(Cart):\n    def f(self):\n        return self.diskounted(1)\n", ("no such member", "diskounted")),
        ("import shop.store\n\nshop.store.lookup()\n", ("no such member", "lookup")),
        (IMPORTS + "Store.get_price\n", ("no such member", "get_price")),
        ("compute_invoice(1)\n", ("no such name", "compute_invoice")),
    ],
)  # fmt: skip
def test_what_does_not_exist_is_found(shop: Place, text: str, expected: tuple[str, str]) -> None:
    outcome = check(shop, code(text))
    assert names(outcome) == [expected]
    assert outcome.status == 1


@pytest.mark.parametrize(
    "text",
    [
        IMPORTS + "print(Cart(Store(), 1).total('EUR'), Cart.owner_of)\n",
        IMPORTS
        + "class Mine(Cart):\n    extra = 1\n\n    def f(self):\n        return self.extra, self.owner, self.lines\n",
        "import os.path\nimport json\n\nos.path.frobnicate(json.dumps(1))\n",
        "import requests\n\nrequests.get_everything()\n",
        "from unknown_library import something_unheard_of as other\n\nother.anything_at_all()\n",
        "def helper_of_mine(x):\n    for item, rest in x:\n        yield [rest for each in item]\n\nhelper_of_mine(1)\n",
        "try:\n    total = 1\nexcept ValueError as problem:\n    raise KeyError(problem)\n",
        IMPORTS
        + "class Dynamic(Cart):\n    def __getattr__(self, name):\n        return 1\n\nDynamic(1, 2).anything_goes()\n",
        "def f(value):\n    return value.strip().title().get('x')\n",
        "with open('x') as stream, open('y') as other:\n    lambda argument: argument + stream\n",
    ],
)
def test_what_exists_or_cannot_be_seen_is_left_alone(shop: Place, text: str) -> None:
    outcome = check(shop, code(text))
    assert names(outcome) == []
    assert outcome.status == 0, outcome.out


def test_a_member_of_an_unknown_value_is_unsure_and_counts_only_when_strict(shop: Place) -> None:
    answer = code("def f(thing):\n    thing.frobnicate_all()\n")
    assert names(check(shop, answer), sure=False) == [("no such member", "frobnicate_all")]
    assert check(shop, answer).status == 0
    assert check(shop, answer, "--strict").status == 1


def test_names_of_one_block_are_known_in_the_next(shop: Place) -> None:
    answer = code("def fresh_helper():\n    return 1\n") + code("fresh_helper()\n") + "\nCall `fresh_helper()`.\n"
    assert names(check(shop, answer)) == []


def test_the_nearest_real_name_is_told_with_its_place(shop: Place) -> None:
    found = check(shop, code(IMPORTS + "Store().lookup_prise('x')\n")).json["findings"][0]
    assert found["line"] == 7
    assert next((each["name"], each["path"], each["line"]) for each in found["nearest"]) == (
        "Store.lookup_price",
        "shop/store.py",
        10,
    )


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("See `Cart.total()` and `shop/cart.py:12`.", []),
        ("It lives in `shop/basket.py`.", [("no such file", "shop/basket.py")]),
        ("Look at `checkout.py`.", [("no such file", "checkout.py")]),
        ("Call `Cart.grand_total()` first.", [("no such name", "Cart.grand_total")]),
        ("Call `find_prices_of()` first.", [("no such name", "find_prices_of")]),
        ("Create a new `shop/basket.py` with `make_basket()`.", []),
        ("Use `json.dumps()`, `and/or`, `application/json`, `int`, `*.py` and `https://example.org/a.py`.", []),
    ],
)
def test_names_and_paths_of_the_prose(shop: Place, prose: str, expected: list[tuple[str, str]]) -> None:
    assert names(check(shop, prose)) == expected


PATCH = """--- a/shop/order.py
+++ b/shop/order.py
@@ -1,2 +1,3 @@
 from shop.cart import Cart
+from shop.cart import Trolley
 from shop.store import Store, find_price
@@ -6,4 +7,5 @@
     cart = Cart(store, "me")
     for name in names:
         find_price(store, name)
-    return cart.total("EUR")
+    cart.empty_all()
+    return cart.total("EUR")
"""


def test_a_patch_is_put_over_the_file_and_only_its_lines_are_checked(shop: Place) -> None:
    outcome = check(shop, PATCH)
    assert names(outcome) == [("no such import", "Trolley"), ("no such member", "empty_all")]
    assert [(each["path"], each["line"]) for each in outcome.json["findings"]] == [
        ("shop/order.py", 5),
        ("shop/order.py", 12),
    ]


def test_a_patch_with_wrong_line_numbers_still_applies(shop: Place) -> None:
    wrong = PATCH.replace("@@ -6,4 +7,5 @@", "@@ -60,9 +70,2 @@").replace("cart.empty_all()", "cart.total()")
    assert names(check(shop, f"```diff\n{wrong}```\n")) == [("no such import", "Trolley")]


def test_a_patch_of_lines_that_are_not_there(shop: Place) -> None:
    invented = PATCH.replace("for name in names:", "for name in sorted(names):")
    assert ("no such lines", 'cart = Cart(store, "me")') in names(check(shop, invented))


def test_a_patch_of_a_file_that_is_not_there(shop: Place) -> None:
    outcome = check(shop, PATCH.replace("shop/order.py", "shop/orders.py"))
    assert names(outcome) == [("no such file", "shop/orders.py")]
    assert outcome.json["findings"][0]["nearest"][0]["path"] == "shop/order.py"


def test_a_new_file_in_a_patch_is_known_to_the_others(shop: Place) -> None:
    new = "--- /dev/null\n+++ b/shop/basket.py\n@@ -0,0 +1,2 @@\n+def make_basket():\n+    return 1\n"
    use = (
        "--- a/shop/__init__.py\n+++ b/shop/__init__.py\n@@ -1 +1,2 @@\n from shop.cart import Cart\n"
        "+from shop.basket import make_basket, spoil\n"
    )
    assert names(check(shop, new + use)) == [("no such import", "spoil")]


def test_a_payload_says_whether_the_model_was_shown_the_real_name(shop: Place) -> None:
    assert shop.run("context", "lookup_price", "--record", "../records", "--no-update").status == 0
    answer = code(IMPORTS + "Store().lookup_prise('x')\n")
    record = next((shop.root / "../records").iterdir())
    found = check(shop, answer, "--payload", str(record)).json["findings"][0]
    assert found["nearest"][0]["shown"] is True
    shop.write({"../records/empty.json": json.dumps(_emptied(record))})
    found = check(shop, answer, "--payload", "../records/empty.json").json["findings"][0]
    assert found["nearest"][0]["shown"] is False


def _emptied(record: Path) -> Any:
    document = json.loads(record.read_text())
    document["payload"]["blocks"] = []
    return document


def test_a_module_is_missing_only_where_an_environment_can_be_seen(shop: Place) -> None:
    answer = code("import unheard_of_thing\n")
    assert names(check(shop, answer)) == []
    shop.write({".venv/lib/python3.12/site-packages/requests/__init__.py": ""})
    assert names(check(shop, answer)) == [("no such module", "unheard_of_thing")]
    assert names(check(shop, code("import requests\n"))) == []


def test_names_of_an_installed_package_are_seen_without_running_it(shop: Place) -> None:
    package = ".venv/lib/python3.12/site-packages/requests"
    shop.write(
        {
            f"{package}/__init__.py": "from .api import get\nraise SystemExit\n",
            f"{package}/api.py": "def get(url):\n    ...\n",
        }
    )
    answer = "import requests\nimport requests.api\nfrom requests import get, fetch\n\nrequests.get(1)\nrequests.gett(2)\nrequests.api.got(3)\n"
    assert names(check(shop, code(answer))) == [
        ("no such import", "fetch"),
        ("no such member", "gett"),
        ("no such member", "got"),
    ]
    shop.write({f"{package}/__init__.py": "from .api import *\n"})
    assert names(check(shop, code("import requests\n\nrequests.gett(2)\n"))) == []


def test_other_languages(place: Place) -> None:
    place.write(
        {
            "src/cart.ts": "export class Cart {\n  total(currency: string): number {\n    return 1;\n  }\n}\n",
            "pay/pay.go": "package pay\n\ntype Till struct{ sum int }\n\nfunc (t *Till) Refund(n int) int { return n }\n",
            "go.mod": "module example.org/shop\n",
        }
    )
    place.index()
    script = 'import { Cart, Basket } from "./src/cart";\n\nnew Cart().total("EUR");\nnew Cart().totals("EUR");\n'
    script += 'document.querySelector("a");\n'
    assert names(check(place, code(script, "ts"))) == [("no such import", "Basket"), ("no such member", "totals")]
    go = 'package main\n\nimport (\n\t"fmt"\n\n\t"example.org/shop/pay"\n)\n\nfunc main() {\n\tt := &pay.Till{}\n'
    go += "\tfmt.Println(t.Refund(1))\n\tt.RefundAll(2)\n\tpay.OpenTill()\n}\n"
    assert names(check(place, code(go, "go"))) == [("no such member", "RefundAll"), ("no such member", "OpenTill")]


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "nothing to see",
        "```python\n" + "(" * 20_000,
        "```",
        "~~~diff\n@@\n+x\n",
        "--- a/../../etc/passwd\n+++ b/../../etc/passwd\n@@ -1 +1 @@\n-root\n+toor\n",
        "\0\ud800".encode("utf-8", "replace").decode() + "`shop/\0.py`",
        "`" * 5_000,
        "```python title=../../x.py\nimport os\n```",
        "--- a/shop/cart.py\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n",
    ],
)  # fmt: skip
def test_no_answer_is_too_strange(shop: Place, answer: str) -> None:
    assert check(shop, answer).status in (0, 1)


def test_what_cannot_run_ends_with_2(shop: Place) -> None:
    for arguments in (
        [],
        ["../nowhere.md"],
        ["--diff", "nowhere"],
        ["--diff", "HEAD", "../answer.md"],
        ["--diff=--output=x"],
    ):
        outcome = shop.run("check", *arguments)
        assert (outcome.status, outcome.out) == (2, ""), arguments
        assert outcome.err.count("\n") == 1
