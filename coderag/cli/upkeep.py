"""`coderag export` and `coderag clean`: the whole index as text, and its end."""

from __future__ import annotations

from argparse import Namespace

from coderag.cli.opening import opened
from coderag.cli.screen import say
from coderag.cli.table import EXIT_FOUND, EXIT_NOTHING


def run_export(arguments: Namespace) -> int:
    """Print every record of the index as a line of JSON."""
    with opened(arguments) as index:
        for line in index.export():
            print(line)
    return EXIT_FOUND


def run_clean(arguments: Namespace) -> int:
    """Remove the index; 1 when there was none."""
    with opened(arguments) as index:
        existed = index.directory.is_dir()
        index.clean()
    say(f"removed {index.directory}" if existed else f"{index.directory}: no index here")
    return EXIT_FOUND if existed else EXIT_NOTHING
