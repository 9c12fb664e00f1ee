"""The page live: a server on the loopback interface that answers whoever has its address, until it is interrupted.

A page in the same browser and other users of the machine can reach the loopback interface too. So the address holds a secret, every request
must name this server as its host, and no page of another origin may ask. Nothing is changed by a request but the index, which may be
brought up to date. One question is answered at a time.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, urlsplit

from coderag.errors import CoderagError, ConfigError, QueryError
from coderag.inspect.document import document
from coderag.inspect.gathering import inspected
from coderag.inspect.page import as_json, live_page, policy
from coderag.payload import Request
from coderag.visible import visible_line

if TYPE_CHECKING:
    from coderag.index import Index

LOOPBACK: Final = "127.0.0.1"
MOST_CHARACTERS: Final = 60_000
"""Of a request's target; more is no question."""

_FIELDS: Final = ("query", "focus", "budget", "policy")
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request is answered."""

    status: int
    kind: str
    text: str


class Pages:
    """What is served: the page, and the answers to its questions, each from one thread, which alone touches the index."""

    def __init__(self, index: Index, most: int) -> None:
        self._index = index
        self._most = most
        self._thread = ThreadPoolExecutor(1)
        self._page = live_page()

    def close(self) -> None:
        """Answer no more."""
        self._thread.shutdown(cancel_futures=True)

    def get(self, place: str, fields: Mapping[str, str]) -> Answer:
        """The answer to a request for a place below the secret."""
        if place == "":
            return Answer(200, "text/html; charset=utf-8", self._page)
        if place != "ask":
            return _refusal(404, "there is nothing here")
        try:
            found = self._thread.submit(self._asked, request_of(fields)).result()
        except CoderagError as error:
            return _refusal(400, str(error))
        return Answer(200, "application/json", as_json(found))

    def _asked(self, request: Request) -> dict[str, Any]:
        self._index.catch_up()
        return document(inspected(self._index, request, self._most))


def request_of(fields: Mapping[str, str]) -> Request:
    """A request from the fields of the page.

    Raises:
        QueryError: there is no question, or the budget is no number.
    """
    if unknown := sorted({*fields} - {*_FIELDS}):
        raise QueryError(f"{unknown[0]}: there is no such field")
    budget = fields.get("budget", "0")
    if not (budget.isascii() and budget.isdigit() and len(budget) < 10):
        raise QueryError(f"the budget {budget!r} is not a number of tokens")
    params = {"focus": fields["focus"]} if "focus" in fields else {}
    found = Request(fields.get("query", ""), params, fields.get("policy", "balanced"), budget=int(budget))
    if found.is_empty:
        raise QueryError("say what is to be looked at: a question or a focus")
    return found


def serve(index: Index, port: int, most: int, tell: Callable[[str], None]) -> None:
    """Serve until interrupted. Port 0 is any free one; `tell` is told the address.

    Raises:
        ConfigError: the port is taken.
    """
    pages = Pages(index, most)
    try:
        with Server(pages, port, secrets.token_urlsafe(16)) as server:
            tell(server.address)
            server.serve_forever()
    finally:
        pages.close()


class Server(ThreadingHTTPServer):
    """A server that listens already, with its secret in its address."""

    daemon_threads = True
    address_family = socket.AF_INET

    def __init__(self, pages: Pages, port: int, secret: str) -> None:
        try:
            super().__init__((LOOPBACK, port), _Handler)
        except OSError as error:
            raise ConfigError(f"port {port}: {error.strerror or error}; name another one with --serve PORT") from error
        self.pages = pages
        self.root = f"/{secret}/"
        self.hosts = tuple(f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost"))

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{LOOPBACK}:{self.server_port}{self.root}"

    def answer(self, target: str, hosts: list[str], origins: list[str]) -> Answer:
        """The answer to a request by its target and headers."""
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return _refusal(421, "this is another host")
        if any(origin.lower() not in {f"http://{host}" for host in self.hosts} for origin in origins):
            return _refusal(403, "no page of another origin may ask")
        if len(target) > MOST_CHARACTERS:
            return _refusal(414, "this is too long for a question")
        place = urlsplit(target)
        if not secrets.compare_digest(place.path[: len(self.root)].encode(), self.root.encode()):
            return _refusal(404, "there is nothing here; the whole address was printed when the server started")
        fields = {name: values[-1] for name, values in parse_qs(place.query).items()}
        return self.pages.get(place.path[len(self.root) :], fields)


class _Handler(BaseHTTPRequestHandler):
    server: Server
    timeout = 10.0  # of a connection that says nothing, such as browsers open ahead

    def do_GET(self) -> None:
        headers = self.headers
        answer = self.server.answer(self.path, headers.get_all("host", []), headers.get_all("origin", []))
        data = answer.text.encode("utf-8", "backslashreplace")
        self.send_response(answer.status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Security-Policy", f"{policy(live=True)}; frame-ancestors 'none'")
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def version_string(self) -> str:
        return "coderag"

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing: the questions are nobody's business."""


def _refusal(status: int, why: str) -> Answer:
    return Answer(status, "application/json", as_json({"error": visible_line(why)}))
