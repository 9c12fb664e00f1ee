"""`coderag doctor`: why retrieval failed, sign by sign, and what is wrong with the layers of a payload."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from coderag.cli.opening import opened
from coderag.cli.progress import watching
from coderag.cli.screen import Screen, plural, print_json, say, screen
from coderag.cli.table import EXIT_FOUND, EXIT_NOTHING
from coderag.errors import IndexCorruptError, IndexFormatError, QueryError

if TYPE_CHECKING:
    from coderag.assemble.lint import LintFinding
    from coderag.diagnose.doctor import Check, Examination
    from coderag.index import Index

LAYERS = "context"
"""The topic that is about the layers of a payload alone."""

_MARKS = {"well": "ok", "look": "look", "wrong": "WRONG"}


def run_doctor(arguments: Namespace) -> int:
    """Print what was found: 0 when nothing is wrong, 1 when something is."""
    if arguments.topic == LAYERS and arguments.repair:
        raise QueryError("--repair is about the index; layers are corrected by hand")
    with opened(arguments) as index:
        if arguments.topic == LAYERS:
            return _layers(index, arguments)
        if arguments.repair:
            _repair(index)
        found = _examined(index, (arguments.topic,) if arguments.topic else ())
        findings = _lint(index, arguments.tools) if arguments.topic in (None, "files") else ()
    if arguments.json:
        print_json(
            {
                "signs": [asdict(sign) for sign in found.signs],
                "checks": [asdict(check) for check in found.checks.values()],
                "layers": [asdict(finding) for finding in findings],
            }
        )
    else:
        _show(screen(arguments.no_color), found, findings)
    return EXIT_FOUND if found.is_well else EXIT_NOTHING


def _examined(index: Index, signs: Sequence[str]) -> Examination:
    """All checks; of an index that cannot be opened, only that."""
    from coderag.diagnose.doctor import SIGNS, Check, Examination, State

    try:
        return index.examine(signs)
    except (IndexCorruptError, IndexFormatError) as error:
        check = Check("integrity", State.WRONG, str(error), advice="coderag doctor --repair")
        return Examination(tuple(sign for sign in SIGNS if not signs or sign.name in signs), {check.name: check})


def _repair(index: Index) -> None:
    """Build a damaged index anew, bring a sound one up to date."""
    with watching(quiet=True) as progress:
        report = index.update(verify=True, progress=progress)
    for note in report.notes:
        say(note)
    say(f"the index is sound and up to date, generation {report.generation}")


def _show(out: Screen, found: Examination, findings: Sequence[LintFinding]) -> None:
    told: set[str] = set()
    for sign in found.signs:
        out.line((f"{sign.symptom}", "name"), (f"  (coderag doctor {sign.name})", "quiet"))
        for name in sign.checks:
            if name in found.checks:
                _show_check(out, found.checks[name], name in told)
                told.add(name)
        out.line()
    if findings:
        out.line(("layers", "name"), f"  {plural(len(findings), 'finding')}: coderag doctor {LAYERS}")
    suspicious = [check.name for check in found.checks.values() if check.state != "well"]
    out.line(f"worth a look: {', '.join(suspicious)}" if suspicious else "nothing looks wrong")


def _show_check(out: Screen, check: Check, was_told: bool) -> None:
    style = {"well": "quiet", "look": "name", "wrong": "warning"}[check.state]
    out.line("  ", (f"{_MARKS[check.state]:<6}", style), (f"{check.name:<12}", "place"), check.summary)
    if check.state == "well" or was_told:
        return
    for line in check.details:
        out.line((f"        {line}", "quiet"))
    if check.advice:
        out.line(f"        → {check.advice}")


# Layers


def _lint(index: Index, tools: str) -> tuple[LintFinding, ...]:
    from coderag.payload import lint

    return lint(index.root, tools)


def _layers(index: Index, arguments: Namespace) -> int:
    findings = _lint(index, arguments.tools)
    if arguments.json:
        print_json({"findings": [asdict(finding) for finding in findings]})
    else:
        out = screen(arguments.no_color)
        for finding in findings:
            out.line(
                (finding.place or "context", "place"),
                ": ",
                (finding.rule, "warning"),
                f": {finding.message}; {finding.advice}",
            )
        if not findings:
            out.line("nothing is wrong with the layers")
    return EXIT_NOTHING if findings else EXIT_FOUND
