"""Which texts ask for places, and which mean one place."""

from __future__ import annotations

import pytest

from coderag.rerank.manner import brevity, is_statement


@pytest.mark.parametrize(
    "text",
    [
        "Return the route of a request",
        "Returns whether a name is taken",
        "fixed the count of open files",
        "[3.11] Don't close a socket twice",
        "fix(cart): add the tax once",
        "chore: remove the old cache",
        "Validates and stores an order.",
    ],
)
def test_what_begins_with_a_verb_is_a_statement(text: str) -> None:
    assert is_statement(text)
    assert brevity(text) == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "parse",
        "parse_header",
        "Router.add",
        "how requests are routed",
        "parsing of uploaded files",
        "update and delete statements",
        "split-on mapping",
        "cookie jar",
        "send mail",
        "show how orders are stored",
        "session: storage",
    ],
)
def test_what_asks_for_places_is_none(text: str) -> None:
    assert not is_statement(text)
    assert brevity(text) == 1.0


def test_a_report_is_brief_in_proportion() -> None:
    words = [
        "cart",
        "shows",
        "old",
        "prices",
        "until",
        "somebody",
        "reloads",
        "page",
        "twice",
        "today",
        "nothing",
        "changed",
    ]
    found = [brevity(" ".join(words[:count])) for count in range(1, len(words))]
    assert found == sorted(found, reverse=True)
    assert found[-1] == 0.0
    assert any(0.0 < each < 1.0 for each in found)
