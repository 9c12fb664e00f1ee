"""A process that keeps one index, so that the process which asks it never waits for an update and never shares an interpreter with one.

Takes requests on standard input, answers on standard output, does one thing after another. It ends when its input ends, or at the next
sign of progress once nobody reads its output any more: nothing outlives the process that started it, and an update that is cut off
leaves the last generation as it was.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from coderag.config import load_settings
from coderag.errors import CoderagError, IndexCorruptError, IndexFormatError, NotIndexedError
from coderag.index import Index
from coderag.watch.channel import claim_standard_streams
from coderag.watch.messages import Request, Standing, State, Step, Task, encode

STEPS = 20
"""Progress is told so many times over a stage at most."""

COUNTERS = frozenset({"files", "chunks", "edges"})
"""What `Progress` counts beside the stages; it tells nothing of how far an update is."""


class Keeper:
    """The one who writes an index."""

    def __init__(self, root: Path, index_directory: str | None, output: BinaryIO) -> None:
        self._index = Index.at(root, settings=load_settings(root, index_directory=index_directory))
        self._output = output
        self._told = ("", -1)

    def answer(self, request: Request) -> Standing:
        """Do a task. What goes wrong on the way is an answer too."""
        work = {Task.CATCH_UP: self._catch_up, Task.UPDATE: self._update, Task.VERIFY: self._verify}[request.task]
        try:
            return replace(work(), number=request.number)
        except NotIndexedError as error:
            return Standing(request.number, State.ABSENT, reason=str(error))
        except (IndexCorruptError, IndexFormatError) as error:
            return Standing(request.number, State.DAMAGED, reason=str(error))
        except CoderagError as error:
            return Standing(request.number, State.FAILED, reason=str(error))

    def _catch_up(self) -> Standing:
        found = self._index.catch_up(progress=self._progress)
        if found.is_fresh:
            return Standing(0, State.FRESH, notes=found.report.notes if found.report else ())
        pending = found.pending
        if pending.outdated:
            return Standing(0, State.STALE, notes=("another version of coderag made the index",))
        state = State.HELD if found.obstacle else State.STALE
        counts = (len(pending.added), len(pending.changed), len(pending.removed))
        return Standing(0, state, *counts, reason=found.obstacle)

    def _update(self) -> Standing:
        """Words and symbols are committed first where there was nothing, so that questions have an answer while vectors are made."""
        if not self._index.is_indexed and not self._index.seed(progress=self._progress):
            plain = replace(self._index.settings, embedding="none")
            Index.build(self._index.root, settings=plain, progress=self._progress).close()
        report = self._index.update(progress=self._progress)
        return Standing(0, State.FRESH, notes=report.notes)

    def _verify(self) -> Standing:
        return Standing(0, State.FRESH, notes=self._index.update(verify=True, progress=self._progress).notes)

    def _progress(self, stage: str, done: int, total: int) -> None:
        share = done * STEPS // total if total else 0
        if stage not in COUNTERS and (stage, share) != self._told:
            self._told = (stage, share)
            self.tell(Step(stage, done, total))

    def tell(self, message: Standing | Step) -> None:
        """Send a message.

        Raises:
            BrokenPipeError: nobody reads any more.
        """
        self._output.write(encode(message))


def main(arguments: Sequence[str]) -> int:
    """`ROOT [INDEX_DIRECTORY]`: keep the index of a root until standard input ends."""
    incoming, outgoing = claim_standard_streams()
    root, *directory = arguments
    try:
        keeper = Keeper(Path(root), directory[0] if directory else None, outgoing)
        for line in incoming:
            keeper.tell(keeper.answer(Request.decode(line)))
    except (BrokenPipeError, KeyboardInterrupt):
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
