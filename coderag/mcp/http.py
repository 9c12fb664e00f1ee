"""The server over HTTP on the loopback interface, for clients that cannot start a process. Only on request.

A web page in the user's browser can reach the loopback interface too, so every request must name this server as its host, come from no
other origin, and carry a token.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import secrets
import socket
import stat
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coderag.errors import ConfigError
from coderag.mcp.server import CodeServer

LOOPBACK = "127.0.0.1"
PATH = "/mcp"
MAX_BODY_BYTES = 1 << 20
BODY_SECONDS = 10.0
MIN_TOKEN_LENGTH = 16
_NAMES = (LOOPBACK, "localhost")


def token_of(path: Path | None) -> str:
    """The token that clients must send: that of a file, which is made if need be; without one, a new token.

    Raises:
        ConfigError: others may read the file, it is no file, or its token is too short.
    """
    if path is None:
        return secrets.token_urlsafe(32)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _stored_token(path)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}; name another token file") from error
    with os.fdopen(descriptor, "w") as file:
        token = secrets.token_urlsafe(32)
        file.write(token + "\n")
    return token


def _stored_token(path: Path) -> str:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ConfigError(f"{path}: not a file; name another token file")
        if os.name == "posix" and status.st_mode & 0o077:
            raise ConfigError(f"{path}: others may read or write it; run `chmod 600 {path}`")
        token = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}; name another token file") from error
    if len(token) < MIN_TOKEN_LENGTH:
        raise ConfigError(
            f"{path}: a token has at least {MIN_TOKEN_LENGTH} characters; remove the file to get a new one"
        )
    return token


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not answered."""

    status: int
    reason: str


class Guard:
    """Lets through only what names this server, comes from no page, carries the token and is small and quick."""

    def __init__(self, app: ASGIApp, port: int, token: str, body_seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._hosts = frozenset(f"{name}:{port}" for name in _NAMES)
        self._origins = frozenset(f"http://{host}" for host in self._hosts)
        self._token = token.encode()
        self._body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI entry."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        refusal = self.refusal(Headers(scope=scope))
        messages = [] if refusal else await self._body(receive)
        if isinstance(messages, Refusal) or refusal:
            found = refusal or messages
            assert isinstance(found, Refusal)
            headers = {"WWW-Authenticate": "Bearer"} if found.status == 401 else {}
            await PlainTextResponse(found.reason, found.status, headers)(scope, receive, send)
            return
        await self._app(scope, _replayed(messages, receive), send)

    def refusal(self, headers: Headers) -> Refusal | None:
        """What is wrong with the headers of a request, if anything is."""
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return Refusal(421, "this is another host")
        if any(origin.lower() not in self._origins for origin in origins):
            return Refusal(403, "no page of another origin may ask")
        given = headers.getlist("authorization")
        scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        if scheme.lower() != "bearer" or not hmac.compare_digest(token.encode("latin-1"), self._token):
            return Refusal(401, "a token is needed")
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > MAX_BODY_BYTES:
            return Refusal(413, f"at most {MAX_BODY_BYTES} bytes")
        return None

    async def _body(self, receive: Receive) -> list[Message] | Refusal:
        """All messages of the body, or that it is too much or too slow."""
        messages: list[Message] = []
        size = 0
        try:
            async with asyncio.timeout(self._body_seconds):
                while not messages or messages[-1].get("more_body", False):
                    messages.append(await receive())
                    size += len(messages[-1].get("body", b""))
                    if size > MAX_BODY_BYTES:
                        return Refusal(413, f"at most {MAX_BODY_BYTES} bytes")
        except TimeoutError:
            return Refusal(408, "too slow")
        return messages


def _replayed(messages: list[Message], receive: Receive) -> Receive:
    waiting = list(messages)

    async def next_message() -> Message:
        return waiting.pop(0) if waiting else await receive()

    return next_message


def application(server: CodeServer, port: int, token: str) -> ASGIApp:
    """The guarded application; the repositories of `server` are let go when it ends."""
    app: Starlette = server.protocol().streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MAX_BODY_BYTES,
        transport_security=TransportSecuritySettings(
            allowed_hosts=[f"{name}:{port}" for name in _NAMES],
            allowed_origins=[f"http://{name}:{port}" for name in _NAMES],
        ),
    )
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(starlette: Starlette) -> AsyncIterator[None]:
        async with inner(starlette):
            try:
                yield
            finally:
                await server.close()

    app.router.lifespan_context = lifespan
    return Guard(app, port, token)


def serve_http(
    roots: Sequence[Path], index_directory: str | None, port: int, token: str, tell: Callable[[str], None]
) -> None:
    """Serve until the process is told to end. Port 0 is any free one; `tell` is told the address.

    Raises:
        ConfigError: the port is taken.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((LOOPBACK, port))
            listener.listen()  # from now on clients may come, though nobody answers yet
        except OSError as error:
            raise ConfigError(f"port {port}: {error.strerror or error}; name another one with --http PORT") from error
        chosen = int(listener.getsockname()[1])
        server = CodeServer(roots, index_directory, ask_client=False)
        configuration = uvicorn.Config(
            application(server, chosen, token),
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
            limit_concurrency=100,
        )
        tell(f"http://{LOOPBACK}:{chosen}{PATH}")
        asyncio.run(uvicorn.Server(configuration).serve(sockets=[listener]))
