"""Who may ask the live page, and what it answers."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from coderag import Index
from coderag.errors import ConfigError, QueryError
from coderag.inspect.serve import LOOPBACK, Pages, Server, request_of
from tests.inspect.conftest import TASK

SECRET = "a-secret-of-the-tests"


@contextmanager
def served(index: Index) -> Iterator[Server]:
    pages = Pages(index, 50)
    with Server(pages, 0, SECRET) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
            pages.close()


@pytest.fixture(scope="module")
def server(shop: Index) -> Iterator[Server]:
    with served(shop) as found:
        yield found


def ask(server: Server, target: str, method: str = "GET", **headers: str) -> tuple[int, str, http.client.HTTPMessage]:
    connection = http.client.HTTPConnection(LOOPBACK, server.server_port, timeout=30)
    try:
        connection.request(method, target, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.headers
    finally:
        connection.close()


def test_it_listens_on_the_loopback_interface_alone(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.server_port}/{SECRET}/"


def test_the_page_and_its_answers(server: Server) -> None:
    status, page, headers = ask(server, f"/{SECRET}/")
    assert status == 200 and page.startswith("<!doctype html>") and "connect-src 'self'" in page.replace("&#x27;", "'")
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "no-store" and headers["Referrer-Policy"] == "no-referrer"
    status, text, headers = ask(server, f"/{SECRET}/ask?query={TASK.replace(' ', '+')}&focus=pay/desk.py:7&budget=300")
    assert status == 200 and headers["Content-Type"] == "application/json"
    found = json.loads(text)
    assert found["candidates"][0]["id"] == "pay/refund.py#approve_refund" and found["focus"] == "pay/desk.py:7"
    assert found["payload"]["tokens"] <= 300
    assert "<" not in text


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:{port}", 200),
        ("localhost:{port}", 200),
        ("LOCALHOST:{port}", 200),
        ("127.0.0.1", 421),
        ("127.0.0.1:1", 421),
        ("example.org", 421),
        ("example.org:{port}", 421),
        ("localhost.example.org:{port}", 421),
        ("", 421),
    ],
)
def test_only_its_own_names_are_its_host(server: Server, host: str, status: int) -> None:
    assert ask(server, f"/{SECRET}/", Host=host.format(port=server.server_port))[0] == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1:{port}", 200),
        ("http://localhost:{port}", 200),
        ("https://127.0.0.1:{port}", 403),
        ("http://example.org", 403),
        ("null", 403),
    ],
)
def test_no_page_of_another_origin_may_ask(server: Server, origin: str, status: int) -> None:
    assert ask(server, f"/{SECRET}/", Origin=origin.format(port=server.server_port))[0] == status


@pytest.mark.parametrize(
    "target", ["/", "/ask?query=refund", f"/{SECRET}", f"/x{SECRET}/", f"/{SECRET}/x", f"/{SECRET}/../"]
)
def test_without_the_secret_there_is_nothing(server: Server, target: str) -> None:
    status, text, _ = ask(server, target)
    assert status == 404 and "refund" not in text


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_it_only_answers_to_get(server: Server, method: str) -> None:
    assert ask(server, f"/{SECRET}/", method)[0] == 501


def test_a_question_that_is_too_long_is_refused(server: Server) -> None:
    assert ask(server, f"/{SECRET}/ask?query={'x' * 61_000}")[0] == 414


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ("", "say what is to be looked at"),
        ("query=+", "say what is to be looked at"),
        ("query=a&budget=many", "not a number of tokens"),
        ("query=a&budget=-3", "not a number of tokens"),
        ("query=a&policy=generous", "policy"),
        ("query=a&root=/etc", "no such field"),
    ],
)
def test_what_cannot_be_understood_is_one_line(server: Server, fields: str, words: str) -> None:
    status, text, _ = ask(server, f"/{SECRET}/ask?{fields}")
    assert status == 400 and words in json.loads(text)["error"]


def test_many_at_once_are_answered_one_after_another(server: Server) -> None:
    answers: list[int] = []
    asking = [
        threading.Thread(target=lambda: answers.append(ask(server, f"/{SECRET}/ask?query=refund")[0])) for _ in range(8)
    ]
    for each in asking:
        each.start()
    for each in asking:
        each.join()
    assert answers == [200] * 8


def test_an_index_that_is_gone_is_said(tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("gone")
    with Index.at(root) as index, served(index) as server:
        status, text, _ = ask(server, f"/{SECRET}/ask?query=refund")
    assert status == 400 and "no index here yet" in json.loads(text)["error"]


def test_a_port_that_is_taken_is_one_line(shop: Index, server: Server) -> None:
    pages = Pages(shop, 5)
    with pytest.raises(ConfigError, match=r"name another one with --serve PORT"):
        Server(pages, server.server_port, SECRET)
    pages.close()


def test_a_request_needs_a_question() -> None:
    with pytest.raises(QueryError):
        request_of({})
    assert request_of({"focus": "a.py:3", "budget": "70"}).budget == 70
