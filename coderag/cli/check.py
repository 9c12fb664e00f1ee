"""`coderag check`: what an answer speaks of that does not exist, and callers that a change left behind."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coderag.cli.opening import answered, caught_up, opened
from coderag.cli.relations import sureness
from coderag.cli.screen import Screen, plural, print_json, say, screen, shortened
from coderag.cli.table import EXIT_FOUND, EXIT_NOTHING
from coderag.errors import ConfigError, QueryError

if TYPE_CHECKING:
    from coderag.diagnose.check import Checked, Finding
    from coderag.diagnose.left_behind import Broken, Caller, LeftBehind
    from coderag.index import Index

CALLERS_SHOWN = 10


def run_check(arguments: Namespace) -> int:
    """Print what does not exist, or what was left behind: 0 when nothing was found, 1 when something was."""
    if (arguments.answer is None) == (arguments.diff is None):
        raise ConfigError("name an answer to check (a file, or - to read it), or --diff; see `coderag check --help`")
    if arguments.diff is not None and arguments.payload is not None:
        raise ConfigError("--payload belongs to an answer, not to --diff")
    with opened(arguments) as index:
        return _check_diff(index, arguments) if arguments.diff is not None else _check_answer(index, arguments)


# An answer


def _check_answer(index: Index, arguments: Namespace) -> int:
    text = _text(arguments.answer)
    shown = None if arguments.payload is None else shown_in(arguments.payload)

    def ask() -> Checked:
        caught_up(index, arguments.no_update)
        return index.check(text, shown=shown)

    found = answered(index, arguments.no_update, ask)
    for note in found.notes:
        say(note)
    if arguments.json:
        print_json(
            {
                "findings": [_finding_object(each) for each in found.findings],
                "pieces": found.pieces,
                "mentions": found.mentions,
                "notes": list(found.notes),
            }
        )
    else:
        _show_answer(screen(arguments.no_color), found, "answer" if arguments.answer == "-" else arguments.answer)
    counted = found.findings if arguments.strict else found.sure
    return EXIT_NOTHING if counted else EXIT_FOUND


def _text(place: str) -> str:
    """The answer, as much of it as is looked at, whatever its bytes are."""
    from coderag.diagnose.check import MOST_CHARACTERS

    try:
        if place == "-":
            return sys.stdin.buffer.read(MOST_CHARACTERS).decode("utf-8", "replace")
        with Path(place).open(encoding="utf-8", errors="replace") as file:
            return file.read(MOST_CHARACTERS)
    except OSError as error:
        raise QueryError(f"{place}: {error.strerror or error}") from error


def shown_in(record: str) -> frozenset[str]:
    """The ids of the chunks whose text a recorded payload held.

    Raises:
        ContextError: the record cannot be read.
    """
    from coderag.payload import read_record

    payload = read_record(record).payload
    return frozenset(part.id for block in payload.blocks for part in block.parts)


def _finding_object(found: Finding) -> dict[str, Any]:
    return {
        "line": found.line,
        "flaw": found.flaw,
        "name": found.name,
        "path": found.path,
        "owner": found.owner,
        "sure": found.is_sure,
        "nearest": [asdict(each) for each in found.nearest],
    }


def _show_answer(out: Screen, found: Checked, name: str) -> None:
    unsure = [each for each in found.findings if not each.is_sure]
    for each in found.sure:
        _show_finding(out, each, name)
    if unsure:
        out.line(("nothing here has these, but something that cannot be seen may:", "quiet"))
        for each in unsure:
            _show_finding(out, each, name)
    looked_at = f"{plural(found.pieces, 'piece')} of code, {plural(found.mentions, 'name')} in the text"
    if not found.findings:
        out.line(f"everything exists ({looked_at})" if found.pieces or found.mentions else "there is nothing to check")
    else:
        out.line((f"{len(found.sure)} sure, {len(unsure)} unsure ({looked_at})", "quiet"))


def _show_finding(out: Screen, found: Finding, name: str) -> None:
    owner = f", which {found.owner} does not have" if found.owner else ""
    out.line(
        (f"{name}:{found.line}", "place"),
        f": {found.flaw.value}: ",
        (shortened(found.name), "warning" if found.is_sure else "name"),
        owner,
        (f"  (in {found.path})" if found.path else "", "quiet"),
    )
    for each in found.nearest:
        held = {None: "", True: "  was in the payload", False: "  was not in the payload"}[each.shown]
        out.line("    nearest: ", (each.name, "name"), f"  {each.path}:{each.line}", (held, "quiet"))


# A change


def _check_diff(index: Index, arguments: Namespace) -> int:
    def ask() -> LeftBehind:
        if not caught_up(index, arguments.no_update) and not arguments.no_update:
            index.update()
        return index.left_behind(arguments.diff)

    found = answered(index, arguments.no_update, ask)
    for note in found.notes:
        say(note)
    if arguments.json:
        print_json({**asdict(found), "broken": [_broken_object(each) for each in found.broken]})
    else:
        _show_diff(screen(arguments.no_color), found)
    counted = found.broken if arguments.strict else found.sure
    return EXIT_NOTHING if counted else EXIT_FOUND


def _broken_object(broken: Broken) -> dict[str, Any]:
    callers = [{**asdict(each), "sure": each.is_sure} for each in broken.callers]
    return {**asdict(broken), "sure": broken.is_sure, "callers": callers}


def _show_diff(out: Screen, found: LeftBehind) -> None:
    for broken in found.broken:
        out.line((f"{broken.path}:{broken.line}", "place"), (f"  {broken.symbol}", "name"), f"  {broken.change.value}")
        out.line((f"    before: {shortened(broken.before)}", "quiet"))
        if broken.now:
            out.line((f"    now:    {shortened(broken.now)}", "quiet"))
        for caller in broken.callers[:CALLERS_SHOWN]:
            _show_caller(out, caller)
        if len(broken.callers) > CALLERS_SHOWN:
            out.line((f"    and {len(broken.callers) - CALLERS_SHOWN:,} more callers; --json has all", "quiet"))
    compared = f"{plural(found.changed, 'definition')} changed in {plural(found.files, 'file')}"
    since = f"since {found.revision[:12]}"
    if not found.broken:
        out.line(f"no caller was left behind ({compared} {since})")
    else:
        unsure = len(found.broken) - len(found.sure)
        out.line((f"{len(found.sure)} sure, {unsure} unsure ({compared} {since})", "quiet"))


def _show_caller(out: Screen, caller: Caller) -> None:
    out.line(
        (f"    {caller.path}:{caller.line}", "place"),
        f"  {caller.symbol or 'module'}  ",
        (sureness(caller.confidence, caller.weight), "name" if caller.is_sure else "quiet"),
        (f"  {shortened(caller.text, 80)}", "quiet"),
    )
