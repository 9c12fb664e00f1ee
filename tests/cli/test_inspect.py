"""`coderag inspect` as a person meets it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from typing import Any

import pytest

from tests.cli.conftest import Place

FILES = {
    "pay/refund.py": "def approve_refund(order):\n    return pay_back(order)\n\n\ndef pay_back(order):\n    return order\n",
    "mail.py": "def send(text):\n    return text\n",
}


@pytest.fixture
def shop(place: Place) -> Place:
    place.write(FILES)
    place.index()
    return place


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_the_page_is_written_where_it_is_said(shop: Place) -> None:
    outcome = shop.run("inspect", "approve a refund", "-o", "report.html", "--focus", "mail.py:1", "--budget", "200")
    assert (outcome.status, outcome.out) == (0, "report.html\n")
    assert "report.html lies in the code and will be indexed" in outcome.err
    data = data_of((shop.root / "report.html").read_text())
    assert data["candidates"][0]["symbol"] == "approve_refund"
    assert data["focus"] == "mail.py:1" and data["payload"]["blocks"][0]["limit"] == 200


def test_a_page_is_no_source(shop: Place) -> None:
    assert shop.run("inspect", "refund", "-o", "refund.coderag.html").err == ""
    assert "written by coderag" in shop.run("why", "refund.coderag.html").out


def test_the_page_is_kept_out_of_the_index_where_nothing_is_said(shop: Place) -> None:
    outcome = shop.run("inspect", "refund")
    assert outcome.out == f"{shop.root / '.coderag' / 'inspect.coderag.html'}\n"
    assert shop.run("inspect", "refund").status == 0
    assert shop.run("inspect", "refund", "-o", "-").out == (shop.root / ".coderag/inspect.coderag.html").read_text()


def test_a_record_becomes_a_page_beside_it(shop: Place) -> None:
    shop.run("context", "approve a refund", "--record", "records")
    outcome = shop.run("inspect", "records/payload-0001.coderag.json")
    assert (outcome.status, outcome.out) == (0, "records/payload-0001.coderag.html\n")
    data = data_of((shop.root / "records/payload-0001.coderag.html").read_text())
    assert data["record"] == "records/payload-0001.coderag.json"
    assert data["candidates"][0]["id"] == "pay/refund.py#approve_refund" and data["candidates"][0]["signals"]


def test_a_question_without_an_answer_is_1_and_a_page_all_the_same(shop: Place) -> None:
    outcome = shop.run("inspect", "zzzz", "--lang", "go", "-o", "empty.html")
    assert outcome.status == 1 and (shop.root / "empty.html").exists()


@pytest.mark.parametrize(
    "argv",
    [
        (),
        ("",),
        ("refund", "--serve"),
        ("--serve", "99999"),
        ("--serve", "0", "-o", "x.html"),
        ("refund", "-o", "mail.py"),
        ("refund", "--policy", "generous"),
        ("refund", "--format", "pdf"),
        ("refund", "--candidates", "0"),
        ("refund", "--trace", "missing"),
        ("broken.coderag.json",),
    ],
)
def test_what_cannot_be_done_is_one_line(shop: Place, argv: tuple[str, ...]) -> None:
    shop.write({"broken.coderag.json": "{}"})
    outcome = shop.run("inspect", *argv)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1), outcome.err
    assert (shop.root / "mail.py").read_text() == FILES["mail.py"]


def test_without_an_index_it_says_so(place: Place) -> None:
    assert "run `coderag index`" in place.run("inspect", "refund").err
    assert "run `coderag index`" in place.run("inspect", "--serve", "0").err


def heed_interrupts() -> None:
    """In the child: where the tests run in the background, an interrupt may be ignored by inheritance."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_it_serves_until_it_is_interrupted(shop: Place) -> None:
    command = [sys.executable, "-m", "coderag", "inspect", "--serve", "0"]
    with subprocess.Popen(
        command, cwd=shop.root, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    ) as serving:
        try:
            assert serving.stderr
            said = serving.stderr.readline()
            found = re.fullmatch(r"coderag: serving (http://127\.0\.0\.1:\d+/\S+/) until interrupted\n", said)
            assert found, said
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(f"{found[1]}ask?query=refund", timeout=60) as answer:
                assert json.load(answer)["candidates"][0]["symbol"] == "approve_refund"
            serving.send_signal(signal.SIGINT)
            assert serving.wait(60) == 130
            assert serving.stderr.read() == "coderag: interrupted\n"
        finally:
            serving.kill()  # or a test that fails would wait for it for ever
