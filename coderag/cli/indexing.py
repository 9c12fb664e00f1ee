"""`coderag index`: build or update, and say what was done and what was left out."""

from __future__ import annotations

import time
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from coderag.cli.opening import settings_for
from coderag.cli.progress import watching
from coderag.cli.screen import Screen, plural, print_json, screen
from coderag.cli.table import EXIT_FOUND
from coderag.errors import RootError

if TYPE_CHECKING:
    from coderag.update import Report


def run_index(arguments: Namespace) -> int:
    """Bring the index of a path up to date; its summary goes to stdout."""
    from coderag.index import Index

    root = Path(arguments.path)
    if not root.is_dir():
        raise RootError(f"{arguments.path}: not a directory; name the root of the code to index")
    settings = settings_for(root, arguments.index_directory, workers=arguments.workers)
    started = time.monotonic()
    with Index.at(root, settings=settings) as index, watching() as progress:
        report = index.update(verify=arguments.verify, rebuild=arguments.rebuild, progress=progress)
    if arguments.json:
        print_json(asdict(report))
    else:
        _summarise(screen(arguments.no_color), report, time.monotonic() - started)
    return EXIT_FOUND


def _summarise(out: Screen, report: Report, seconds: float) -> None:
    whole = f"{plural(report.files, 'file')}, {plural(report.lines, 'line')}"
    inside = f"{plural(report.chunks, 'chunk')}, {plural(report.edges, 'edge')}"
    out.line(("Indexed ", "name"), f"{whole}: {inside}, in {seconds:.1f} s (generation {report.generation})")
    changes = (
        (report.added, "added"),
        (report.changed, "changed"),
        (report.removed, "removed"),
        (report.moved, "moved"),
    )
    did = [f"{count:,} {what}" for count, what in changes if count]
    out.line(("  files       ", "quiet"), ", ".join(did) or "nothing has changed")
    if report.reused:
        out.line(("  reused      ", "quiet"), f"{plural(report.reused, 'file')} as parsed before, not parsed again")
    if report.embedded:
        out.line(("  vectors     ", "quiet"), f"{plural(report.embedded, 'chunk')} embedded")
    if report.skipped:
        counts = sorted(report.skipped.items(), key=lambda each: (-each[1], each[0]))
        listed = ", ".join(f"{count:,} {reason}" for reason, count in counts)
        out.line(("  left out    ", "quiet"), listed, ("  (coderag status --skipped)", "quiet"))
    if report.problems:
        out.line(("  problems    ", "quiet"), f"{plural(report.problems, 'file')} read in part  (coderag status)")
    if report.secrets:
        out.line(("  secrets     ", "quiet"), f"{report.secrets:,} masked")
    for note in report.notes:
        out.line(("  note        ", "quiet"), (note, "warning"))
