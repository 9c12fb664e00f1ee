"""The server over standard input and output, where nothing but the protocol is written, whoever prints."""

from __future__ import annotations

from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from coderag.watch.channel import claim_standard_streams


def serve_stdio(roots: Sequence[Path], index_directory: str | None) -> None:
    """Serve the client at the other end until it goes away. Without roots the client is asked for its own."""
    incoming, outgoing = claim_standard_streams()  # before anything is imported that could print

    import anyio
    from mcp.server.stdio import stdio_server

    from coderag.mcp.server import CodeServer

    async def serve() -> None:
        server = CodeServer(roots, index_directory, ask_client=True)
        protocol = server.protocol()
        lines = anyio.wrap_file(TextIOWrapper(incoming, encoding="utf-8", errors="replace"))
        answers = anyio.wrap_file(TextIOWrapper(outgoing, encoding="utf-8"))
        try:
            async with stdio_server(lines, answers) as (received, sent):
                await protocol.run(received, sent, protocol.create_initialization_options())
        finally:
            await server.close()

    try:
        anyio.run(serve)
    except* (BrokenPipeError, anyio.BrokenResourceError):
        pass  # the client went away while it was being answered
