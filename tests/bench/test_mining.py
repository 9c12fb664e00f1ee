"""Questions that are mined: from history, from edges, from docstrings."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from coderag import Index, Settings
from coderag.bench import docs, focus, history
from coderag.bench.run import Coderag, Run, run
from coderag.bench.stages import WHOLE
from coderag.bench.values import Case, Target
from coderag.types import Without
from tests.bench.repositories import commit, git

FEES = '''def fee(days):
    """What is owed."""
    if days < 3:
        return 0
    return days * 25


def waive(amount):
    return 0
'''
DESK = """from shop.fees import fee


class Desk:
    def take_back(self, days):
        owed = fee(days)
        if owed:
            self.close()
        return owed

    def close(self):
        pass
"""


def measured(cases: list[Case], work: Path) -> Run:
    return run(Coderag({WHOLE: Without()}), cases, work, print)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    commit(root, "The beginning of it all", {"shop/fees.py": FEES, "shop/desk.py": DESK, "README.md": "fees\n"})
    return root


def test_a_fix_asks_at_its_parent_for_the_functions_that_it_changed(shop: Path, tmp_path: Path) -> None:
    head = commit(
        shop,
        "Fix the fee of the third day, which is free (#12)\n\nSigned-off-by: A <a@b>",
        {"shop/fees.py": FEES.replace("days < 3", "days <= 3"), "tests/test_fees.py": "def test():\n    pass\n"},
    )
    cases = list(history.yours(shop / ".git", "shop", head, 5))
    outcome = measured(cases, tmp_path / "work").outcomes[0]
    assert outcome.asked.query.text == "Fix the fee of the third day, which is free"
    assert outcome.asked.targets["function"] == (Target("shop/fees.py", 1, 5, "fee", (3,)),)
    assert outcome.asked.category == "names the function"
    assert outcome.scores["function"]["any@1"] == 1.0
    assert "days < 3" in (tmp_path / "work/yours/shop+commits/tree/shop/fees.py").read_text("utf-8")


def test_what_is_only_added_changes_the_function_that_holds_it(shop: Path) -> None:
    added = FEES.replace("        return 0\n    return", "        return 0\n    days -= 2\n    return")
    parent = git(shop, "rev-parse", "HEAD")
    head = commit(shop, "Fix it", {"shop/fees.py": added})
    assert history.changes(shop / ".git", parent, head) == {"shop/fees.py": (4, 5)}


@pytest.mark.parametrize(
    ("message", "path"),
    [
        ("Add the opening hours of the desk", "shop/fees.py"),
        ("Fix the tests of the fees", "tests/test_fees.py"),
        ("Fix it", "shop/fees.py"),
    ],
)
def test_what_is_no_fix_of_code_or_says_too_little_is_not_asked_about(shop: Path, message: str, path: str) -> None:
    head = commit(shop, message, {path: FEES.replace("25", "30")})
    assert list(history.yours(shop / ".git", "shop", head, 5)) == []


def test_of_functions_that_change_together_one_is_the_focus(shop: Path, tmp_path: Path) -> None:
    changed = {"shop/fees.py": FEES.replace("25", "30"), "shop/desk.py": DESK.replace("fee(days)", "fee(days + 1)")}
    head = commit(shop, "Days are counted from one", changed)
    outcomes = measured(list(history.together(shop / ".git", "shop", head, 5)), tmp_path / "work").outcomes
    assert [each.asked.query.text for each in outcomes] == ["", "Days are counted from one"]
    for outcome in outcomes:
        assert outcome.asked.known == Target("shop/desk.py", 5, 9, "Desk.take_back", (6,))
        assert [target.symbol for target in outcome.asked.targets["function"]] == ["fee"]
        assert outcome.scores["function"]["any@3"] == 1.0


def test_a_function_under_edit_needs_definitions_of_other_files(shop: Path, tmp_path: Path) -> None:
    cases = list(focus.cases(shop / ".git", "shop", git(shop, "rev-parse", "HEAD")))
    stands, hidden = measured(cases, tmp_path / "work").outcomes
    for outcome in (stands, hidden):
        assert outcome.asked.query.text == ""
        assert [target.symbol for target in outcome.asked.targets["function"]] == ["fee"]
    assert stands.scores["function"]["any@3"] == 1.0
    text = (tmp_path / "work/focus/shop+hidden/tree/shop/desk.py").read_text("utf-8")
    assert "owed" not in text
    assert text.count("\n") == DESK.count("\n")


@pytest.mark.parametrize(
    ("path", "text", "emptied"),
    [
        ("a.py", "def f(a):\n    return 1\n\n\nx = 2\n", "def f(a):\n    ...\n\n\nx = 2\n"),
        ("a.go", "package a\n\nfunc f() int {\n\treturn 1\n}\n", "package a\n\nfunc f() int {\n\n}\n"),
        ("a.rb", "def f(a)\n  a + 1\nend\n", "def f(a)\n\nend\n"),
    ],
)
def test_a_hidden_body_leaves_its_lines(tmp_path: Path, path: str, text: str, emptied: str) -> None:
    (tmp_path / path).write_text(text, encoding="utf-8")
    with Index.build(tmp_path, settings=Settings(embedding="none", workers=1)) as index:
        symbols = [each for each in index.snapshot().parsed(path).symbols if each.name == "f"]
    hidden = focus.hide(text.encode(), symbols).decode()
    assert hidden.replace(" ", "") == emptied.replace(" ", "")
    assert hidden.count("\n") == text.count("\n")


def test_a_docstring_is_asked_for_and_hidden(tmp_path: Path) -> None:
    text = 'def pay(order):\n    """Take the money for an order. Slowly."""\n    total = order.total\n    return charge(total)\n'
    with zipfile.ZipFile(tmp_path / "shop-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("shop/till.py", text)
        wheel.writestr("shop/tests/test_till.py", text)
    outcome = measured(list(docs.cases(tmp_path)), tmp_path / "work").outcomes[0]
    assert outcome.asked.query.text == "Take the money for an order"
    assert outcome.asked.targets["function"] == (Target("shop/till.py", 1, 4, "pay"),)
    kept = (tmp_path / "work/docs/shop-1.0/tree/shop/till.py").read_text("utf-8")
    assert kept == "def pay(order):\n\n    total = order.total\n    return charge(total)\n"
