"""The page stands alone, says the same for the same, and holds hostile text as text."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from coderag import Index
from coderag.assemble.payload import LeftOut, Part, Payload, PayloadBlock
from coderag.errors import StorageError
from coderag.inspect import Inspection, inspected, of_record, render_page
from coderag.inspect.document import document, pieces
from coderag.inspect.families import FAMILIES, family_of
from coderag.inspect.page import MARK, write_page
from coderag.payload import Record, Request
from coderag.rerank.ranking import LATER_SIGNALS
from coderag.rerank.signals import SIGNALS
from tests.inspect.conftest import FILES, HOSTILE, TASK, write


class Elements(HTMLParser):
    """The elements of a page: names with attributes, and the text in each script and style."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": []}
        self._inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside in self.texts:
            self.texts[self._inside].append(data)


def data_of(page: str) -> Any:
    return json.loads(Elements(page).texts["script"][0])


@pytest.fixture(scope="module")
def found(shop: Index) -> Inspection:
    return inspected(shop, Request(TASK, {"focus": "pay/desk.py:7"}))


def test_nothing_is_fetched(found: Inspection) -> None:
    elements = Elements(render_page(found))
    names = [name for name, _ in elements.found]
    assert set(names) == {"html", "head", "meta", "title", "style", "body", "noscript", "div", "script"}
    assert not [attributes for _, attributes in elements.found if {"src", "href", "style", "onload"} & set(attributes)]
    scripts, styles = elements.texts["script"], elements.texts["style"]
    assert set(re.findall(r"https?://[\w.]+", scripts[1] + styles[0])) == {"http://www.w3.org"}  # a namespace
    assert "url(" not in styles[0].replace("url(#", "") and "@import" not in styles[0]


def test_the_policy_lets_its_own_script_and_style_run_and_nothing_else(found: Inspection) -> None:
    elements = Elements(render_page(found))
    policy = next(each["content"] for _, each in elements.found if each.get("http-equiv") == "Content-Security-Policy")

    def hashed(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert policy == (
        f"default-src 'none'; script-src {hashed(elements.texts['script'][1])}; "
        f"style-src {hashed(elements.texts['style'][0])}; connect-src 'none'; base-uri 'none'; form-action 'none'"
    )


def test_hostile_text_ends_no_script(found: Inspection) -> None:
    page = render_page(replace(found, request={"task": HOSTILE}, notes=(HOSTILE,), record=HOSTILE))
    assert page.isascii()
    elements = Elements(page)
    assert [name for name, _ in elements.found].count("script") == 2
    data = data_of(page)
    assert data["request"]["task"] == data["record"] == HOSTILE
    assert any(HOSTILE in each["text"] for each in data["candidates"])
    assert "<title>&lt;/script&gt;" in page


def test_text_that_hides_or_reorders_is_shown_as_an_escape(found: Inspection) -> None:
    page = render_page(replace(found, request={"task": "a\u202eb\x1b"}, focus="\udcff.py:1"))
    data = data_of(page)
    assert data["request"]["task"] == "a\\u202eb\\x1b" and data["focus"] == "\\xff.py:1"


def test_the_same_question_gives_the_same_page(tmp_path: Path) -> None:
    pages = []
    for name in ("one", "two"):
        write(tmp_path / name, FILES)
        with Index.build(tmp_path / name) as index:
            pages.append(render_page(inspected(index, Request(TASK))))
    assert pages[0] == pages[1]


def test_every_signal_has_a_colour() -> None:
    names = [each.name for each in (*SIGNALS, *LATER_SIGNALS)]
    assert [name for name in names if family_of(name) >= len(FAMILIES)] == []
    assert family_of("a signal of tomorrow") == len(FAMILIES)


# What it shows


def test_candidates_have_code_reasons_and_who_recalled_them(found: Inspection) -> None:
    data = document(found)
    best = data["candidates"][0]
    assert best["id"] == "pay/refund.py#approve_refund" and best["lines"] == [6, 9]
    assert "order.mark_refunded()" in best["text"] and best["language"] == "python"
    assert {"lexical"} <= {name for name, _, _ in best["proposals"]} <= {name for name, _ in data["recallers"]}
    added = sum(each[2] for each in best["signals"])
    assert best["score"] == pytest.approx(1 / (1 + math.exp(-(data["bias"] + added))))
    assert data["focus"] == "pay/desk.py:7" and "refund" in data["words"]
    assert data["languages"]["python"]["comments"] == [["#", ""]]


def test_no_more_candidates_than_wanted(shop: Index) -> None:
    found = inspected(shop, Request(TASK), most=2)
    assert len(found.candidates) == 2 < found.total


def test_the_neighbourhood_has_users_and_what_is_used(found: Inspection) -> None:
    graph = document(found)["graph"]
    ids = [node["id"] for node in graph["nodes"]]
    edges = {(ids[edge[0]], edge[2], ids[edge[1]]) for edge in graph["edges"]}
    assert ("pay/desk.py#serve", "calls", "pay/refund.py#approve_refund") in edges
    assert any(source == "pay/refund.py#approve_refund" and "order" in target for source, _, target in edges)
    assert len(set(ids)) == len(ids)


def test_the_payload_is_there_in_pieces_that_are_its_text(shop: Index, found: Inspection) -> None:
    block = found.payload.blocks[0]
    text = pieces(block)
    assert "".join(piece for piece, _ in text) == block.text == shop.context(TASK, focus="pay/desk.py:7").render()
    assert sorted(number for _, number in text if number >= 0) == list(range(len(block.parts)))


def test_by_layers_where_they_are_configured(tmp_path: Path) -> None:
    layers = [{"name": "rules", "source": "static", "text": "Be careful.", "max_tokens": 50}]
    layers.append({"name": "code", "source": "index", "max_tokens": 2000})
    write(tmp_path, {**FILES, ".assistant/context.json": json.dumps({"layers": layers})})
    with Index.build(tmp_path) as index:
        payload = document(inspected(index, Request(TASK)))["payload"]
    assert [block["layer"] for block in payload["blocks"]] == ["rules", "code", "input"]
    assert payload["window"] == 32_000 and payload["blocks"][1]["parts"][0]["id"] == "pay/refund.py#approve_refund"


# Records


def test_a_record_needs_no_index() -> None:
    parts = (
        Part("a.py#f", "def f(): …", 7, score=0.9, reasons=({"name": "lexical", "value": 1.0, "contribution": 2.0, "why": "f"},)),
        Part("b.py#g", "def g(): …", 5, score=float("nan"), reasons=({"name": 3}, {"name": "vector", "value": 1, "contribution": 1e400})),
    )  # fmt: skip
    out = (LeftOut("c.py#h", "token limit", 900, 0.5), LeftOut("coderag:d.py#i", "over the tokens"))
    block = PayloadBlock("code", "index", "def f(): …\n\ndef g(): …", 12, limit=100, parts=parts, left_out=out)
    request = {"task": "what is f", "params": {"focus": 3}}
    found = of_record(Record(Payload((block,), 1000, 100, 12), request, generation=4, masked=2, path="p.json"))
    assert [each.id for each in found.candidates] == ["a.py#f", "c.py#h", "b.py#g"]
    assert [each.rank for each in found.candidates] == [1, 2, 3]
    assert found.notes == (
        "the focus that was recorded cannot be read",
        "2 secrets were masked when the record was written",
    )
    data = data_of(render_page(found))
    assert data["record"] == "p.json" and data["candidates"][0]["signals"][0][2] == 2.0
    assert data["payload"]["blocks"][0]["left_out"][0] == {
        "id": "c.py#h",
        "rule": "token limit",
        "tokens": 900,
        "score": 0.5,
    }


# Writing


def test_only_an_earlier_page_is_replaced(tmp_path: Path, found: Inspection) -> None:
    page = render_page(found)
    assert page.startswith(MARK)
    place = tmp_path / "new" / "page.html"
    write_page(place, page)
    write_page(place, page + "\n")
    assert place.read_text() == page + "\n"
    assert [each.name for each in place.parent.iterdir()] == ["page.html"]
    assert place.stat().st_mode & 0o777 == 0o600, "code and prompts are its owner's"
    other = tmp_path / "mine.html"
    other.write_text("<p>mine</p>")
    link = tmp_path / "link.html"
    link.symlink_to(place)
    for taken in (other, link, tmp_path):
        with pytest.raises(StorageError, match="no page of `coderag inspect`"):
            write_page(taken, page)
    with pytest.raises(StorageError, match="cannot be written"):
        write_page(other / "page.html", page)
    assert other.read_text() == "<p>mine</p>"
