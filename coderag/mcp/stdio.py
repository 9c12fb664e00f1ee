"""The server over standard input and output, where nothing but the protocol is written, whoever prints."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from coderag.watch.channel import claim_standard_streams

_READ_BYTES = 1 << 16


def serve_stdio(roots: Sequence[Path], index_directory: str | None) -> None:
    """Serve the client at the other end until it goes away. Without roots the client is asked for its own."""
    incoming, outgoing = claim_standard_streams()  # before anything is imported that could print

    import anyio
    from mcp.server.stdio import stdio_server

    from coderag.mcp.server import CodeServer

    async def serve() -> None:
        server = CodeServer(roots, index_directory, ask_client=True)
        protocol = server.protocol()
        questions: Any = _lines(incoming.fileno())
        answers = anyio.wrap_file(TextIOWrapper(outgoing, encoding="utf-8", write_through=True))
        try:
            async with stdio_server(questions, answers) as (received, sent):
                await protocol.run(received, sent, protocol.create_initialization_options())
        finally:
            await server.close()

    try:
        anyio.run(serve)
    except* (BrokenPipeError, anyio.BrokenResourceError):
        pass  # the client went away while it was being answered


async def _lines(descriptor: int) -> AsyncIterator[str]:
    """The lines that come in. Read by a thread that nobody waits for, so that a silent client cannot keep the server from ending."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[bytes] = asyncio.Queue()

    def hand_over(data: bytes) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, data)

    threading.Thread(target=_read, args=(descriptor, hand_over), name="coderag-input", daemon=True).start()
    rest: list[bytes] = []
    while data := await queue.get():
        *lines, last = data.split(b"\n")
        for line in lines:
            yield b"".join([*rest, line]).decode("utf-8", "replace")
            rest.clear()
        rest.append(last)


def _read(descriptor: int, hand_over: Callable[[bytes], None]) -> None:
    """Hand over what comes in, and nothing at the end. Unbuffered: a buffer's lock would be held while the interpreter ends."""
    while True:
        try:
            data = os.read(descriptor, _READ_BYTES)
        except OSError:
            data = b""
        try:
            hand_over(data)
        except RuntimeError:  # the loop has ended
            return
        if not data:
            return
