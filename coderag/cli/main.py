"""The entry point: from arguments to an exit status, with every deliberate error as one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper

from coderag.cli.screen import say
from coderag.cli.table import EXIT_FAILED, Command, parser
from coderag.errors import CoderagError

EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; `argv` without the program's name (default: that of the process). Returns the exit status.

    0: found, 1: nothing found, 2: could not run, 130: interrupted, 141: the reader of the output went away.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
        return status
    except CoderagError as error:
        say(str(error))
        return EXIT_FAILED
    except BrokenPipeError:
        _forget_output()
        return EXIT_BROKEN_PIPE
    except KeyboardInterrupt:
        say("interrupted")
        return EXIT_INTERRUPTED


def _run(argv: Sequence[str]) -> int:
    try:
        arguments = parser().parse_args(argv)
    except SystemExit as finished:  # argparse ends --help and --version so
        return int(finished.code or 0)
    command: Command = arguments.run
    run = getattr(import_module(f"coderag.cli.{command.module}"), f"run_{command.name}")
    return int(run(arguments))


def _forget_output() -> None:
    """Let the interpreter flush into nothing when it ends, for nobody reads any more."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
    os.close(nothing)
