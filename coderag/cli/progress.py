"""Progress on stderr: a bar on a terminal, a few plain lines elsewhere, nothing at all for what is quick.

No thread refreshes the bar: workers are forked, and a fork wants one thread.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from coderag.cli.screen import say, size

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

REFRESH_SECONDS = 0.1
LINES_PER_STAGE = 4

Progress = Callable[[str, int, int], None]

_COUNTED = ("files", "chunks", "edges")
_TITLES = {"read": "Reading", "embed": "Embedding", "link": "Linking", "write": "Writing", "learn": "Learning"}

_NOUNS = {"embed": "files", "link": "files", "learn": "commits"}


@contextmanager
def watching(*, quiet: bool = False) -> Iterator[Progress]:
    """A progress to hand to `Index`; `quiet` leaves out the plain lines."""
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        on_terminal = _OnTerminal()
        try:
            yield on_terminal
        finally:
            on_terminal.stop()
    else:
        yield _silent if quiet else _Lines()


def _silent(stage: str, done: int, total: int) -> None:
    """Nobody looks."""


class _Lines:
    """A line whenever another quarter of a stage is done."""

    def __init__(self) -> None:
        self._said: dict[str, int] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage not in _TITLES or not total:
            return
        quarter = LINES_PER_STAGE * done // total
        if quarter > self._said.get(stage, 0):
            self._said[stage] = quarter
            amount = f"{size(done)} of {size(total)}" if stage == "read" else f"{done:,} of {total:,}"
            say(f"{_TITLES[stage].lower()} {100 * done // total} % ({amount})")


def _bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[detail]}"),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True, markup=False, highlight=False),
        transient=True,
        auto_refresh=False,
    )


class _OnTerminal:
    """One bar per stage; what is only counted stands beside it. Nothing is drawn before there is something to read."""

    def __init__(self) -> None:
        self._bar: Bar | None = None
        self._tasks: dict[str, TaskID] = {}
        self._counts: dict[str, tuple[int, int]] = {}
        self._drawn = 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage in _COUNTED:
            self._counts[stage] = (done, total)
        if stage not in _TITLES:
            return
        now = time.monotonic()
        if not total or (stage in self._tasks and now - self._drawn < REFRESH_SECONDS and done < total):
            return
        self._drawn = now
        self._draw(stage, done, total)

    def stop(self) -> None:
        """Take the bars away."""
        if self._bar is not None:
            self._bar.stop()

    def _draw(self, stage: str, done: int, total: int) -> None:
        if self._bar is None:
            self._bar = _bar()
            self._bar.start()
        if stage not in self._tasks:
            self._tasks[stage] = self._bar.add_task(_TITLES[stage], total=total, detail="")
        task = self._bar.tasks[self._tasks[stage]]
        self._bar.update(task.id, completed=done, detail=self._detail(stage, done, total, task.speed))
        self._bar.refresh()

    def _detail(self, stage: str, done: int, total: int, speed: float | None) -> str:
        if stage in _NOUNS:
            return f"{done:,} of {total:,} {_NOUNS[stage]}"
        if stage == "write":
            return f"{self._counts.get('edges', (0, 0))[0]:,} edges"
        parts = [f"{size(done)} of {size(total)}"]
        for name, (count, whole) in self._counts.items():
            parts.append(f"{count:,} of {whole:,} {name}" if whole else f"{count:,} {name}")
        return "  ".join([*parts, *([f"{size(int(speed))}/s"] if speed else [])])
