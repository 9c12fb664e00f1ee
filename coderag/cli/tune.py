"""`coderag tune`: fit the ranking to a repository's own history, and say what that changes."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from coderag.cli.opening import settings_for
from coderag.cli.progress import watching
from coderag.cli.screen import plural, print_json, say, screen
from coderag.cli.table import EXIT_FOUND, EXIT_NOTHING

if TYPE_CHECKING:
    from coderag.index import Index
    from coderag.tune.own import Tuned

CHANGES_SHOWN = 10


def run_tune(arguments: Namespace) -> int:
    """Fit, judge and write; 1 when nothing is written because there is too little, or it would not help."""
    from coderag.index import Index
    from coderag.tune import own

    root = Path(arguments.path)
    index = Index.at(root, settings=settings_for(root, arguments.index_directory))
    if arguments.reset:
        return _reset(index)
    work = Path(arguments.work).absolute() if arguments.work else index.directory / "bench"
    with watching() as progress:
        tuned = own.tune(index.root, index.settings, work, arguments.commits, progress)
    if tuned.holds and not arguments.dry_run:
        own.write(index.directory, tuned)
    if arguments.json:
        print_json({**asdict(tuned), "holds": tuned.holds, "written": tuned.holds and not arguments.dry_run})
    else:
        page = screen(arguments.no_color)
        for line in (*_lines(tuned), _outcome(tuned, index, arguments.dry_run)):
            page.line(line)
    return EXIT_FOUND if tuned.holds else EXIT_NOTHING


def _reset(index: Index) -> int:
    from coderag.tune import own

    existed = own.reset(index.directory)
    say("the bundled weights are back" if existed else f"{index.directory}: no weights of its own here")
    return EXIT_FOUND if existed else EXIT_NOTHING


def _lines(tuned: Tuned) -> Iterator[str]:
    if not tuned.obstacle:
        used = plural(tuned.fitted + tuned.judging, "commit")
        yield f"used {used}: the older {tuned.fitted} to fit, the newest {tuned.judging} to judge"
        if tuned.not_recalled:
            yield f"  {tuned.not_recalled} of them taught nothing: no function that they changed was among the candidates"
    for reason, count in sorted(tuned.passed_over.items(), key=lambda each: (-each[1], each[0])):
        yield f"  passed over {count:,}: {reason}"
    for problem in tuned.problems:
        yield f"  passed over: {problem}"
    if not tuned.obstacle:
        yield "| judged | before | after |"
        yield "|---|---|---|"
        for name, before in tuned.before.items():
            yield f"| {name} | {before:.3f} | {tuned.after[name]:.3f} |"
    if tuned.changes:
        yield f"{plural(len(tuned.changes), 'weight')} of {plural(len({each.signal for each in tuned.changes}), 'signal')}; most:"
    for each in tuned.changes[:CHANGES_SHOWN]:
        yield f"  {each.signal} ({_MANNERS[each.manner]}): {each.before:.2f} -> {each.after:.2f}"


_MANNERS = {"weight": "short question", "long": "report", "trace": "trace"}


def _outcome(tuned: Tuned, index: Index, dry_run: bool) -> str:
    if tuned.obstacle:
        return f"nothing was fitted: {tuned.obstacle}"
    if not tuned.changes:
        return "nothing was written: the bundled weights already fit"
    if not tuned.holds:
        return "nothing was written: on the newest commits the fitted weights are no better"
    place = index.directory / "weights.json"
    if dry_run:
        return f"would write {place}"
    return f"wrote {place}; every search of this index uses it, and `coderag tune --reset` removes it"
