"""`coderag mcp`: serve assistants, or enter the server into their configuration."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from coderag.cli.table import EXIT_FOUND
from coderag.errors import ConfigError


def run_mcp(arguments: Namespace) -> int:
    """Serve until the client goes away."""
    _require_sdk()
    from coderag.mcp.places import usable_root
    from coderag.mcp.stdio import serve_stdio

    roots = [usable_root(each, named_by_user=True) for each in arguments.root]
    directory = None if arguments.index_directory is None else str(Path(arguments.index_directory).absolute())
    serve_stdio(roots, directory)
    return EXIT_FOUND


def _require_sdk() -> None:
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise ConfigError("the server needs the extra `mcp`; run `pip install 'coderag[mcp]'`")
