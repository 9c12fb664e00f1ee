"""`coderag watch`: keep an index equal to its root until interrupted."""

from __future__ import annotations

import threading
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from coderag.cli.opening import settings_for
from coderag.cli.progress import watching
from coderag.cli.screen import plural, say
from coderag.cli.table import EXIT_FOUND
from coderag.errors import IndexLockedError, RootError, StorageError

if TYPE_CHECKING:
    from coderag.index import Index
    from coderag.update import Report


def run_watch(arguments: Namespace) -> int:
    """Update whenever a file changes."""
    from coderag.index import Index
    from coderag.watch.events import changes

    root = Path(arguments.path)
    with Index.at(root, settings=settings_for(root, arguments.index_directory)) as index:
        told = False
        try:
            for _ in changes(index.root, index.directory, threading.Event()):
                report = _look(index)
                if report and not told:
                    say(f"watching {index.root}: {plural(report.files, 'file')} in generation {report.generation}")
                    told = True
        except KeyboardInterrupt:
            say("stopped")
    return EXIT_FOUND


def _look(index: Index) -> Report | None:
    """Update, and say what that did. A writer in the way or a full disk is said too; the next change tries again.

    Raises:
        RootError: the root has gone.
    """
    if not index.root.is_dir():
        raise RootError(f"{index.root}: has gone, so there is nothing to watch any more")
    try:
        with watching(quiet=True) as progress:
            report = index.update(progress=progress)
    except (IndexLockedError, StorageError) as error:
        say(str(error))
        return None
    for note in report.notes:
        say(note)
    if told := _in_words(report):
        say(f"generation {report.generation}: {told}")
    return report


def _in_words(report: Report) -> str:
    parts = ((report.added, "added"), (report.changed, "changed"), (report.removed, "removed"), (report.moved, "moved"))
    told = ", ".join(f"{plural(count, 'file')} {what}" for count, what in parts if count)
    return f"{told} ({report.reused:,} as parsed before)" if report.reused else told
