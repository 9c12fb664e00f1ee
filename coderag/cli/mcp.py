"""`coderag mcp`: serve assistants, or enter the server into their configuration."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace
from pathlib import Path

from coderag.cli.screen import say
from coderag.cli.table import EXIT_FOUND, EXIT_NOTHING
from coderag.errors import ConfigError
from coderag.visible import visible, visible_line


def run_mcp(arguments: Namespace) -> int:
    """Serve until the client goes away; or install, or uninstall."""
    if arguments.action == "serve":
        return _serve(arguments)
    return _configure(arguments)


def _serve(arguments: Namespace) -> int:
    _require_sdk()
    if arguments.agents:
        raise ConfigError(f"serve takes no {arguments.agents[0]!r}; see `coderag mcp --help`")
    from coderag.mcp.places import usable_root

    roots = [usable_root(each, named_by_user=True) for each in arguments.root]
    directory = None if arguments.index_directory is None else str(Path(arguments.index_directory).absolute())
    if arguments.http is None:
        from coderag.mcp.stdio import serve_stdio

        serve_stdio(roots, directory)
        return EXIT_FOUND
    from coderag.mcp.http import serve_http, token_of

    file = None if arguments.token_file is None else Path(arguments.token_file)
    token = token_of(file)
    shown = f"the token in {file}" if file else token
    chosen = roots or [usable_root(Path.cwd(), named_by_user=False)]
    serve_http(
        chosen,
        directory,
        arguments.http,
        token,
        lambda address: say(f"serving {address}; Authorization: Bearer {shown}"),
    )
    return EXIT_FOUND


def _require_sdk() -> None:
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise ConfigError("the server needs the extra `mcp`; run `pip install 'coderag[mcp]'`")


def _configure(arguments: Namespace) -> int:
    from coderag.mcp.install import AGENTS, Place, planned

    if not arguments.agents:
        raise ConfigError(f"name the assistant: {', '.join(AGENTS)}")
    place = Place(Path.cwd(), Path.home(), sys.platform, arguments.user)
    remove = arguments.action == "uninstall"
    roots = [Path(each).resolve() for each in arguments.root]
    program = "coderag" if not arguments.user and shutil.which("coderag") else _own_program()
    changes = [planned(name, program, roots, place, remove=remove) for name in dict.fromkeys(arguments.agents)]
    for name, change in zip(dict.fromkeys(arguments.agents), changes, strict=True):
        if arguments.print:
            print(f"{visible_line(str(change.path))}:\n{visible(change.shown)}")
            continue
        if change.is_needed:
            change.apply()
        done = {
            (False, True): "entered into",
            (False, False): "is already in",
            (True, True): "removed from",
            (True, False): "is not in",
        }
        say(f"{name}: {done[remove, change.is_needed]} {change.path}")
    return EXIT_FOUND if not remove or any(change.is_needed for change in changes) else EXIT_NOTHING


def _own_program() -> str:
    """The `coderag` beside the interpreter that runs this, which is there whatever PATH an assistant has."""
    beside = Path(sys.executable).parent / "coderag"
    return str(beside) if beside.exists() else shutil.which("coderag") or "coderag"
