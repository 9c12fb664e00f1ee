"""The server over HTTP: the one right combination of headers is answered, every other one refused."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import product
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.datastructures import Headers

from coderag import ConfigError
from coderag.mcp.http import MAX_BODY_BYTES, Guard, Refusal, token_of
from tests.mcp.conftest import Assistant, connected, text_of
from tests.mcp.test_life import initialize, processes_about

TOKEN = "t0ken-of-the-test-that-is-long"


@dataclass(frozen=True)
class Served:
    """A server in a process of its own."""

    port: int
    process: subprocess.Popen[str]

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"


@contextmanager
def serving(root: Path, token: Path) -> Iterator[Served]:
    command = [sys.executable, "-m", "coderag", "mcp", "--root", str(root), "--http", "0", "--token-file", str(token)]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        said = process.stderr.readline()
        assert "serving http://127.0.0.1:" in said and TOKEN not in said
        yield Served(int(said.split("127.0.0.1:")[1].split("/")[0]), process)
    finally:
        process.terminate()
        process.wait(timeout=60)
        process.stdout.close()
        process.stderr.close()


@pytest.fixture(scope="module")
def served(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    token = tmp_path_factory.mktemp("token") / "token"
    token.write_text(TOKEN)
    token.chmod(0o600)
    with serving(shop, token) as found:
        yield found


def ask(
    served: Served, headers: dict[str, str], method: str = "POST", body: bytes | None = None, path: str = "/mcp"
) -> int:
    """The status of one request with exactly these headers."""
    connection = HTTPConnection("127.0.0.1", served.port, timeout=60)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        content = json.dumps(initialize()).encode() if body is None else body
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            if value:
                connection.putheader(name, value)
        connection.endheaders(content)
        return connection.getresponse().status
    finally:
        connection.close()


def headers_of(
    host: str, origin: str = "", token: str = f"Bearer {TOKEN}", content: str = "application/json"
) -> dict[str, str]:
    accepted = "application/json, text/event-stream"
    return {"Host": host, "Origin": origin, "Authorization": token, "Content-Type": content, "Accept": accepted}


def test_only_the_right_combination_is_answered(served: Served) -> None:
    port = served.port
    hosts = {served.host: True, f"localhost:{port}": True, "127.0.0.1": False, "evil.example": False, f"evil.example:{port}": False,
             f"127.0.0.1:{port}.evil.example": False, f"127.0.0.1:{port + 1}": False, "": False}  # fmt: skip
    origins = {"": True, f"http://localhost:{port}": True, "http://evil.example": False, "null": False,
               f"https://localhost:{port}": False, "http://localhost": False, f"http://localhost:{port}.evil.example": False}  # fmt: skip
    tokens = {
        f"Bearer {TOKEN}": True,
        "": False,
        "Bearer wrong": False,
        f"Basic {TOKEN}": False,
        f"Bearer {TOKEN}x": False,
        "Bearer é": False,
    }
    for (host, a), (origin, b), (token, c) in product(hosts.items(), origins.items(), tokens.items()):
        status = ask(served, headers_of(host, origin, token))
        # A request without a host is refused by the HTTP server already.
        expected = 200 if a and b and c else 400 if not host else 421 if not a else 403 if not b else 401
        assert status == expected, (host, origin, token)


@pytest.mark.parametrize(
    ("method", "content", "status"),
    [("POST", "text/plain", 400), ("POST", "", 400), ("PUT", "application/json", 405), ("DELETE", "application/json", 400),
     ("OPTIONS", "application/json", 405), ("PATCH", "application/json", 405)],
)  # fmt: skip
def test_other_methods_and_contents_are_refused(served: Served, method: str, content: str, status: int) -> None:
    assert ask(served, headers_of(served.host, content=content), method) == status


def test_other_paths_are_not_there_and_need_the_token_too(served: Served) -> None:
    assert ask(served, headers_of(served.host), path="/") == 404
    assert ask(served, headers_of(served.host, token=""), path="/") == 401
    assert ask(served, headers_of(served.host), path="/mcp/../../etc/passwd") == 404


def test_a_body_is_limited_whether_it_says_its_length_or_not(served: Served) -> None:
    big = b'"' + b"x" * MAX_BODY_BYTES + b'"'
    assert ask(served, headers_of(served.host), body=big) == 413
    for wrong in ("1e9", "-1", "9" * 30):
        assert ask(served, headers_of(served.host) | {"Content-Length": wrong}) in (400, 413)


def test_a_preflight_gets_no_permission(served: Served) -> None:
    connection = HTTPConnection("127.0.0.1", served.port, timeout=60)
    connection.request("OPTIONS", "/mcp", headers=headers_of(served.host, f"http://localhost:{served.port}"))
    answer = connection.getresponse()
    assert not [name for name, _ in answer.getheaders() if name.lower().startswith("access-control")]
    connection.close()


def guarded(parts: list[bytes | None]) -> list[dict[str, Any]]:
    """What a guard sends for a body that comes in parts; None: nothing comes any more."""
    sent: list[dict[str, Any]] = []
    waiting = iter(parts)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        sent.append({"body": (await receive())["body"]})

    async def receive() -> Any:
        part = next(waiting)
        if part is None:
            await anyio.sleep_forever()
        return {"type": "http.request", "body": part, "more_body": part != b""}

    async def send(message: Any) -> None:
        sent.append(message)

    async def serve() -> None:
        headers = [(b"host", b"127.0.0.1:1"), (b"authorization", f"Bearer {TOKEN}".encode())]
        await Guard(app, 1, TOKEN, body_seconds=0.05)({"type": "http", "headers": headers}, receive, send)

    anyio.run(serve)
    return sent


def test_a_body_that_never_comes_is_not_waited_for() -> None:
    assert guarded([b"{", None])[0]["status"] == 408


def test_a_body_without_a_length_is_counted() -> None:
    assert guarded([b"x" * MAX_BODY_BYTES, b"y"])[0]["status"] == 413
    assert guarded([b"{", b""])[0] == {"body": b"{"}


def test_headers_given_twice_are_refused() -> None:
    guard = Guard(None, 1, TOKEN)  # type: ignore[arg-type]
    right = [(b"host", b"127.0.0.1:1"), (b"authorization", f"Bearer {TOKEN}".encode())]
    assert guard.refusal(Headers(raw=right)) is None
    for extra, status in (
        ((b"host", b"evil"), 421),
        ((b"authorization", b"Bearer x"), 401),
        ((b"origin", b"http://evil"), 403),
    ):
        found = guard.refusal(Headers(raw=[*right, extra]))
        assert isinstance(found, Refusal) and found.status == status


@contextmanager
def over_http(served: Served) -> Iterator[Assistant]:
    client = httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60)
    with connected(streamable_http_client(f"http://{served.host}/mcp", http_client=client)) as found:
        yield found
        found.portal.call(client.aclose)


def test_two_clients_at_once_are_answered(served: Served) -> None:
    with over_http(served) as one, over_http(served) as two:
        for found in (one, two, one):
            assert found.data("search", question="sum of a cart")["hits"]
            assert found.data("symbol", name="Cart")["definitions"]
            assert found.data("context", task="pay for a cart")["items"]
            assert found.data("outline")["folders"] and found.data("status")["counts"]["files"] == 4
            assert found.data("why", target="secret.pem")["verdict"] == "left out"
            assert found.call("outline", path="../x").is_error


def test_an_argument_of_a_million_bytes_is_answered(served: Served) -> None:
    with over_http(served) as found:
        assert found.data("search", question="cart total " * 90_900)["hits"]


def test_a_handshake_of_the_older_kind_works_too(served: Served) -> None:
    async def call() -> str:
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60) as client:
            transport = streamable_http_client(f"http://{served.host}/mcp", http_client=client)
            async with Client(transport, mode="legacy") as found:
                return text_of(await found.call_tool("search", {"question": "cart"}))

    assert "shop/cart.py" in anyio.run(call)


def test_the_server_ends_when_it_is_told_to_and_leaves_nobody(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.py").write_text("def a(): pass\n")
    token = tmp_path / "token"
    with serving(root, token) as found:
        assert stat.S_IMODE(token.stat().st_mode) == 0o600 and len(token.read_text().strip()) > 30
        assert ask(found, headers_of(found.host, token=f"Bearer {token.read_text().strip()}")) == 200
    assert processes_about(root) == []


def test_a_token_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "token"
    made = token_of(file)
    assert token_of(file) == made and token_of(None) != token_of(None)
    file.chmod(0o644)
    with pytest.raises(ConfigError, match="chmod 600"):
        token_of(file)
    file.chmod(0o600)
    file.write_text("short")
    with pytest.raises(ConfigError, match="at least 16"):
        token_of(file)
    with pytest.raises(ConfigError):
        token_of(tmp_path)
    with pytest.raises(ConfigError):
        token_of(tmp_path / "no" / "such")
