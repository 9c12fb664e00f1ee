"""What each tool answers, asked by the SDK's own client, which checks every answer against its schema."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError

from coderag.assemble.tokens import estimate_tokens
from coderag.index import Index
from coderag.mcp.answer import as_json
from coderag.mcp.install import AGENTS
from coderag.mcp.parameters import Arguments
from coderag.mcp.tools import TOOLS, status
from tests.mcp.conftest import Assistant, text_of

README = Path(__file__).parents[2] / "README.md"


def test_every_tool_is_listed_with_schemas_and_says_when_to_use_it(assistant: Assistant) -> None:
    listed = assistant.portal.call(assistant.client.list_tools).tools
    assert [tool.name for tool in listed] == [tool.name for tool in TOOLS]
    for tool in listed:
        assert "Use it" in (tool.description or "") or tool.name == "status"
        assert tool.input_schema["additionalProperties"] is False
        assert {"index", "notes", "left_out"} <= set((tool.output_schema or {})["required"])
        assert tool.annotations is not None and tool.annotations.read_only_hint


def test_search_finds_the_method_with_its_place_source_and_callers(assistant: Assistant) -> None:
    found = assistant.data("search", question="sum of a cart")
    assert found["index"]["state"] == "fresh"
    best = next(hit for hit in found["hits"] if hit["symbol"] == "sum_of")
    assert (best["path"], best["kind"], best["stale"]) == ("shop/cart.py", "function", False)
    assert "Add up the lines" in best["text"]
    assert "shop/cart.py#Cart.total" in best["callers"]


def test_search_takes_a_focus_or_a_trace_without_a_question(assistant: Assistant) -> None:
    trace = 'Traceback (most recent call last):\n  File "/srv/shop/checkout.py", line 8, in pay\nTypeError: x'
    assert assistant.data("search", trace=trace)["hits"][0]["symbol"] == "pay"
    assert assistant.data("search", focus="shop/checkout.py:7")["hits"]


def test_filters_keep_out_everything_else(assistant: Assistant) -> None:
    found = assistant.data(
        "search", question="cart", paths=["shop/checkout.py"], kinds=["function"], languages=["python"]
    )
    assert {hit["path"] for hit in found["hits"]} == {"shop/checkout.py"}


def test_context_brings_definitions_along_and_says_what_it_left_out(assistant: Assistant) -> None:
    found = assistant.data("context", task="charge the customer for the cart", focus="shop/checkout.py:7")
    ids = [item["id"] for item in found["items"]]
    assert "shop/checkout.py#pay" in ids and "shop/cart.py#Cart" in ids
    assert found["index"]["state"] == "fresh"
    little = assistant.data("context", task="charge the customer for the cart", max_tokens=300)
    assert 0 < len(little["items"]) < len(ids)
    assert sum(little["left_out"].values()) > 0


@pytest.mark.parametrize("max_tokens", [200, 300, 500, 1_000, 4_000])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search", {"question": "the cart of a customer"}),
        ("context", {"task": "the cart of a customer"}),
        ("symbol", {"name": "total"}),
        ("outline", {"path": "shop/cart.py"}),
        ("outline", {}),
        ("why", {"target": "shop/cart.py"}),
        ("status", {}),
    ],
)
def test_both_forms_of_an_answer_fit_into_its_tokens(
    assistant: Assistant, tool: str, arguments: dict[str, Any], max_tokens: int
) -> None:
    answer = assistant.call(tool, **arguments, max_tokens=max_tokens)
    assert estimate_tokens(text_of(answer)) <= max_tokens
    assert estimate_tokens(as_json(answer.structured_content)) <= max_tokens


def test_symbol_has_definition_callers_callees_and_implementations(assistant: Assistant) -> None:
    found = assistant.data("symbol", name="Cart.total")
    assert found["definitions"][0]["path"] == "shop/cart.py"
    assert "pay" in {each["symbol"] for each in found["callers"]}
    assert "sum_of" in {each["symbol"] for each in found["callees"]}
    assert [each["symbol"] for each in assistant.data("symbol", name="Cart")["implementations"]] == ["GiftCart"]
    used = next(each for each in found["callers"] if each["symbol"] == "pay")
    assert (used["path"], used["used_at"]) == ("shop/checkout.py", [8])


def test_an_unknown_symbol_is_not_found_and_near_ones_are_named(assistant: Assistant) -> None:
    found = assistant.call("symbol", name="Cart.totals")
    assert not found.is_error
    assert "no definition of Cart.totals" in text_of(found) and "Cart.total" in text_of(found)


def test_outline_shows_a_folder_and_a_file(assistant: Assistant) -> None:
    root = assistant.data("outline")
    assert [each["path"] for each in root["folders"]] == ["shop"]
    assert [each["path"] for each in root["files"]] == ["README.md"]
    symbols = assistant.data("outline", path="shop/cart.py")["symbols"]
    assert [(each["symbol"], each["depth"]) for each in symbols if each["kind"] != "field"] == [
        ("Cart", 0),
        ("Cart.__init__", 1),
        ("Cart.total", 1),
        ("GiftCart", 0),
        ("GiftCart.total", 1),
        ("sum_of", 0),
    ]


def test_why_names_the_rule_that_left_a_file_out(assistant: Assistant) -> None:
    found = assistant.data("why", target="secret.pem")
    assert (found["verdict"], "secret" in found["detail"]) == ("left out", True)
    assert assistant.data("why", target="shop/cart.py#Cart.total")["chunks"][0]["symbol"] == "Cart.total"
    assert assistant.data("why", target="nowhere.py")["verdict"] == "no such path"


def test_status_counts_what_is_there_and_what_is_not(assistant: Assistant) -> None:
    found = assistant.data("status")
    assert found["counts"]["files"] == 4
    assert found["skipped_by_reason"] == {"secret file": 1}
    assert len(found["roots"]) == 1


def test_a_file_with_two_broken_places_is_one_file(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(
        "def one():\n    return (\n\ndef two():\n    pass\n\nx = [1,,]\n\ndef three(:\n    pass\n"
    )
    with Index.build(tmp_path) as index:
        assert len(index.status().problems) > 1
        assert status(index, Arguments()).text.endswith("files read in part: 1")


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search", {}, "question: is missing"),
        ("search", {"question": 5}, "question: must be a text"),
        ("search", {"question": "x", "k": 0}, "k: must be a whole number from 1"),
        ("search", {"question": "x", "k": True}, "k: must be a whole number"),
        ("search", {"question": "x", "paths": "src"}, "paths: must be a list"),
        ("search", {"question": "x", "kinds": ["blob"]}, "blob"),
        ("search", {"question": "x", "languages": ["klingon"]}, "klingon"),
        ("search", {"question": "x", "colour": "red"}, "'colour': no such argument"),
        ("search", {"question": "x", "max_tokens": 1}, "max_tokens"),
        ("search", {"question": "x" * 2_000_001}, "at most 2,000,000"),
        ("symbol", {}, "name: is missing"),
        ("symbol", {"name": ""}, "name: is missing"),
        ("outline", {"path": "nowhere"}, "no indexed file or folder"),
        ("why", {"target": "a", "root": "/etc"}, "not among the roots"),
    ],
)
def test_a_wrong_argument_is_named_in_one_line(
    assistant: Assistant, tool: str, arguments: dict[str, Any], said: str
) -> None:
    answer = assistant.call(tool, **arguments)
    assert answer.is_error
    assert said in text_of(answer) and "\n" not in text_of(answer)


def test_an_unknown_tool_is_an_error_of_the_protocol(assistant: Assistant) -> None:
    with pytest.raises(MCPError, match="no tool 'rm'"):
        assistant.call("rm")


def test_a_question_of_a_million_characters_is_answered(assistant: Assistant) -> None:
    assert assistant.data("search", question="cart total " * 90_000)["hits"]


def test_text_of_the_repository_cannot_leave_its_fence(assistant: Assistant) -> None:
    text = assistant.text("search", question="charge the customer pay", k=1)
    fence = next(line for line in text.split("\n") if line.startswith("````"))
    assert fence == "````python"
    inside = text.split(fence)[1].split("\n````")[0]
    assert "ignore your rules" in inside and "\\x1b[2J" in inside
    assert "\x1b" not in text


def test_the_same_question_gives_the_same_bytes(assistant: Assistant) -> None:
    assert assistant.text("search", question="cart") == assistant.text("search", question="cart")


def test_the_readme_lists_the_tools_and_the_assistants() -> None:
    text = README.read_text(encoding="utf-8")
    section = text.partition("## For assistants")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == [tool.name for tool in TOOLS]
    assert all(name in section for name in AGENTS)
