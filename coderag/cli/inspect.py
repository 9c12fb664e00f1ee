"""`coderag inspect`: a page on which one sees why a question has the answer that it has, and what of it reaches a model."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from coderag.cli.opening import answered, caught_up, opened
from coderag.cli.screen import say
from coderag.cli.table import EXIT_FOUND, EXIT_NOTHING
from coderag.errors import QueryError

if TYPE_CHECKING:
    from coderag.inspect import Inspection

RECORD = ".coderag.json"
"""What names of records end with."""

PAGE = "inspect.coderag.html"
"""The page in the index directory, where no other is named. What ends so is no source of the project that it lies in."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What is shown, where the page goes unless it is said, and the root of the code where one was asked."""

    found: Inspection
    default: Path
    root: Path | None = None


def run_inspect(arguments: Namespace) -> int:
    """Write the page of a question or a record (1: nothing was found), or serve pages until interrupted."""
    if arguments.serve is not None:
        return _serve(arguments)
    from coderag.inspect.page import render_page, write_page

    look = _recorded(arguments) if _names_a_record(arguments) else _asked(arguments)
    text = render_page(look.found)
    if arguments.output == "-":
        sys.stdout.write(text)
    else:
        place = Path(arguments.output) if arguments.output else look.default
        write_page(place, text)
        if look.root is not None and _will_be_indexed(place, look.root):
            say(f"{place} lies in the code and will be indexed; a name that ends with .coderag.html is not")
        print(place)
    return EXIT_FOUND if look.found.candidates or look.found.payload.tokens else EXIT_NOTHING


def _names_a_record(arguments: Namespace) -> bool:
    return len(arguments.task) == 1 and arguments.task[0].endswith(RECORD) and Path(arguments.task[0]).is_file()


def _recorded(arguments: Namespace) -> _Look:
    from coderag.inspect import of_record
    from coderag.payload import read_record

    path = Path(arguments.task[0])
    return _Look(of_record(read_record(path)), path.with_suffix(".html"))


def _asked(arguments: Namespace) -> _Look:
    from coderag.cli.context import request_of
    from coderag.inspect import inspected

    with opened(arguments) as index:
        request = request_of(index.root, arguments)
        if request.is_empty:
            raise QueryError("say what is to be looked at: a question, --focus, --trace or a record")

        def ask() -> Inspection:
            caught_up(index, arguments.no_update)
            return inspected(index, request, arguments.candidates)

        found = answered(index, arguments.no_update, ask)
        for note in found.notes:
            say(note)
        return _Look(found, index.directory / PAGE, index.root)


def _will_be_indexed(place: Path, root: Path) -> bool:
    """A page that was named has been put among the code."""
    return not place.name.endswith(".coderag.html") and place.resolve().is_relative_to(root)


def _serve(arguments: Namespace) -> int:
    if arguments.task or arguments.output:
        raise QueryError("--serve asks in the browser: it takes neither a question nor --output")
    from coderag.inspect.serve import serve

    with opened(arguments) as index:
        caught_up(index, arguments.no_update)
        serve(index, arguments.serve, arguments.candidates, lambda address: say(f"serving {address} until interrupted"))
    return EXIT_FOUND
