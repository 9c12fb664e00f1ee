"""The page in a real browser: what a person sees, clicks and presses, and what hostile text cannot do."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from coderag import Index
from coderag.assemble.payload import Payload, PayloadBlock
from coderag.inspect import Inspection, inspected, render_page
from coderag.inspect.serve import Pages, Server
from coderag.inspect.values import Proposal
from coderag.payload import Request
from coderag.rerank.signals import SIGNALS
from coderag.types import SignalValue
from tests.inspect.browser import Browser, browsing, missing
from tests.inspect.conftest import HOSTILE, TASK

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "there is a browser")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing(tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.fixture(scope="module")
def found(shop: Index) -> Inspection:
    return inspected(shop, Request(TASK, {"focus": "pay/desk.py:7"}))


class Shown:
    """A page that is open in the browser."""

    def __init__(self, browser: Browser, found: Inspection, folder: Path) -> None:
        place = folder / "page.html"
        place.write_text(render_page(found))
        self.browser = browser
        browser.open(place.as_uri())

    def rows(self) -> list[str]:
        return self.browser.texts(".row .title b")

    def check_is_quiet(self) -> None:
        assert self.browser.log() == []


@pytest.fixture
def shown(browser: Browser, found: Inspection, tmp_path: Path) -> Iterator[Shown]:
    page = Shown(browser, found, tmp_path)
    yield page
    page.check_is_quiet()


def test_a_person_sees_question_focus_and_all_four_parts(shown: Shown) -> None:
    browser = shown.browser
    assert browser.texts("h1") == [TASK]
    assert any("pay/desk.py:7" in each for each in browser.texts(".fact"))
    assert browser.texts("section h2") == [
        "What the model is given",
        "Candidates",
        "Neighbourhood",
        "The input as it is sent",
    ]
    assert shown.rows()[0] == "approve_refund"
    assert "def approve_refund" in browser.texts(".sent")[0]
    wide = browser.script("return document.documentElement.scrollWidth <= innerWidth")
    assert wide, "nothing stands out of the window"


def test_a_click_opens_signals_and_coloured_code(shown: Shown) -> None:
    browser = shown.browser
    browser.click(".row > button")
    assert browser.texts(".row .k")[:2] == ["def", "return"]
    assert browser.texts(".row .listing .c") == ["# once"]
    assert "refund" in [each.lower() for each in browser.texts(".row mark")]
    assert any("log-odds" in each for each in browser.texts(".fall .total"))
    browser.click(".row > button")
    assert browser.texts(".detail") == []


def test_filters_and_orders(shown: Shown) -> None:
    browser = shown.browser
    everything = shown.rows()
    browser.type(".filter", "pay/ -desk")
    assert 0 < len(shown.rows()) < len(everything)
    browser.press("Escape")
    assert shown.rows() == everything
    browser.type(".filter", "nothing is like this")
    assert shown.rows() == [] and browser.texts("#candidates .empty") == ["No candidate passes the filter."]
    browser.press("Escape")
    browser.script(
        "const s = document.querySelector('.tools select'); s.value = 'path'; s.dispatchEvent(new Event('change'))"
    )
    paths = browser.texts(".row .title span")
    assert paths == sorted(paths) and len(paths) == len(everything)
    browser.click(".chip")
    assert 0 < len(shown.rows()) <= len(everything)


def test_everything_can_be_done_with_keys(shown: Shown) -> None:
    browser = shown.browser
    browser.press("j", "j", "Enter")
    opened = browser.script("return document.querySelector('.row.open').dataset.id")
    assert opened == browser.script("return document.querySelectorAll('.row')[1].dataset.id")
    browser.press("c", "k", "Enter")
    assert any(each.startswith("Beside ") for each in browser.texts(".fall th"))
    browser.press("x")
    assert browser.texts(".detail") == []
    browser.press("/")
    browser.press("d", "e", "s", "k")
    assert "serve" in shown.rows() and "Order" not in shown.rows()
    browser.press("Escape")
    before = browser.script("return getComputedStyle(document.body).backgroundColor")
    browser.script("document.activeElement.blur()")
    browser.press("t")
    assert browser.script("return getComputedStyle(document.body).backgroundColor") != before
    browser.press("t")
    browser.press("?")
    assert browser.script("return document.querySelector('dialog').open")
    browser.press("Escape")
    assert not browser.script("return document.querySelector('dialog').open")


def test_parts_of_the_budget_lead_to_their_candidates(shown: Shown) -> None:
    shown.browser.click(".bar .segment")
    assert (
        shown.browser.script("return document.querySelector('.row.open').dataset.id") == "pay/refund.py#approve_refund"
    )


def test_a_node_shows_its_edges_and_leads_to_its_candidate(shown: Shown) -> None:
    browser = shown.browser
    browser.script("document.querySelector('.node').focus()")
    assert any("approve_refund" in each and "exact" in each for each in browser.texts(".said li"))
    browser.press("Enter")
    assert browser.script("return document.querySelector('.row.open') !== null")


def test_light_and_dark_as_the_person_prefers(shown: Shown) -> None:
    shown.browser.script("localStorage.clear(); delete document.documentElement.dataset.theme")
    colours = set()
    for scheme in ("light", "dark"):
        shown.browser.media(prefers_color_scheme=scheme)
        colours.add(shown.browser.script("return getComputedStyle(document.body).backgroundColor"))
    shown.browser.media(prefers_color_scheme="light")
    assert len(colours) == 2


def test_paper_shows_what_was_opened_and_no_controls(shown: Shown) -> None:
    browser = shown.browser
    browser.click(".row > button")
    browser.media(type="print")
    assert browser.texts(".tools") == browser.texts(".top") == browser.texts(".action") == []
    assert browser.texts(".detail") and browser.texts(".sent")
    browser.media(type="")


def test_hostile_text_is_shown_and_does_nothing(browser: Browser, found: Inspection, tmp_path: Path) -> None:
    hostile = replace(
        found.candidates[0],
        id=HOSTILE,
        path=HOSTILE,
        symbol=HOSTILE,
        kind=HOSTILE,
        text=HOSTILE,
        signals=(SignalValue(HOSTILE, 1.0, 1.0, HOSTILE),),
        proposals=(Proposal(HOSTILE, 1, HOSTILE),),
    )
    page = replace(found, request={"task": HOSTILE}, candidates=(*found.candidates, hostile), notes=(HOSTILE,))
    shown = Shown(browser, page, tmp_path)
    browser.script("document.querySelectorAll('.row > button').forEach((each) => each.click())")
    assert browser.texts("h1") == [HOSTILE]
    assert any(HOSTILE in each for each in browser.texts(".listing"))
    assert browser.script("return document.querySelectorAll('script').length") == 2
    assert browser.script("return document.querySelectorAll('img').length") == 0
    assert browser.script("return window.owned === undefined")
    shown.check_is_quiet()
    # Even a script that finds its way into the document does not run.
    browser.script(
        "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.owned = 1'}))"
    )
    assert browser.script("return window.owned === undefined")
    assert any("Content Security Policy" in each for each in browser.log())


def test_five_hundred_candidates_are_light(browser: Browser, found: Inspection, tmp_path: Path) -> None:
    names = [signal.name for signal in SIGNALS]
    text = "\n".join(f"    value_{number} = compute('{number}')  # and so on" for number in range(60))
    many = tuple(
        replace(
            found.candidates[0],
            id=f"src/part{number}.py#function{number}",
            rank=number + 1,
            symbol=f"function{number}",
            text=text,
            signals=tuple(
                SignalValue(names[(number + place) % len(names)], 0.5, 1.0 - place / 9) for place in range(18)
            ),
        )
        for number in range(500)
    )
    shown = Shown(browser, replace(found, candidates=many, total=500), tmp_path)
    assert len(shown.rows()) == 500
    elements = "return document.querySelectorAll('*').length"
    before = browser.script(elements)
    assert before < 12 * 500 + 1_000, "code and signals are made when they are asked for"
    browser.type(".filter", "function49")
    assert len(shown.rows()) == 11
    browser.press("Escape")
    assert len(shown.rows()) == 500
    browser.click(".row > button")
    browser.click(".row > button")
    assert browser.script(elements) == before, "and given back"
    shown.check_is_quiet()


def test_an_answer_without_anything(browser: Browser, found: Inspection, tmp_path: Path) -> None:
    empty = Payload((PayloadBlock("retrieved_code", "index", limit=4_000),))
    shown = Shown(browser, Inspection({"task": "nothing"}, empty), tmp_path)
    assert browser.texts("#candidates .empty") == ["There are no candidates."]
    assert browser.texts("#input .empty") == ["Nothing would be sent."]
    shown.check_is_quiet()


def test_the_live_page_asks_and_shows_what_went_wrong(browser: Browser, shop: Index) -> None:
    pages = Pages(shop, 50)
    with Server(pages, 0, "a-secret-of-the-tests") as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            browser.open(server.address)
            browser.type(".wide", "approve a refund")
            browser.press("Enter")
            browser.wait("document.querySelectorAll('.row').length")
            assert browser.texts("h1") == ["approve a refund"]
            assert "query=approve+a+refund" in browser.script("return location.href")
            browser.script(
                "document.querySelector('[name=focus]').value = 'a'; document.querySelector('.wide').value = ' '"
            )
            browser.script("document.querySelector('[name=policy]').options[0].value = 'generous'")
            browser.click(".go")
            assert "policy" in browser.wait("document.querySelector('.problem').textContent")
            browser.open(f"{server.address}?query=serve")
            browser.wait("document.querySelectorAll('.row').length")
            assert browser.texts("h1") == ["serve"]
        finally:
            server.shutdown()
            thread.join()
            pages.close()
            browser.open("about:blank")
