"""Runs a command on payloads to find the smallest one that still shows a problem.

The command gets the payload's text on its standard input, and in a file whose name stands in place of each `{}`. Exit status 0 means that
the problem is there. It is started without a shell, in the current directory; one that takes too long shows no problem.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from coderag.assemble.minimize import Piece, minimal, pieces, with_pieces
from coderag.assemble.payload import Payload
from coderag.assemble.tokens import TokenCounter, estimate_tokens
from coderag.errors import ConfigError, ContextError
from coderag.payload.recording import Record, write_record

SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Minimised:
    """The smallest payload that was found, its pieces, how many there were, and how many trials it took."""

    payload: Payload
    kept: tuple[Piece, ...]
    pieces: int
    trials: int


def minimise(
    record: Record,
    command: Sequence[str],
    *,
    directory: Path | None = None,
    seconds: float = SECONDS,
    count: TokenCounter = estimate_tokens,
    watch: Callable[[int, int, bool], None] = lambda trial, kept, shows: None,
) -> Minimised:
    """Take away what a problem does not need. Each trial is recorded in `directory`; `watch` hears of its number, pieces and outcome.

    Raises:
        ContextError: the whole payload does not show the problem.
        ConfigError: the command cannot be started.
        StorageError: a record cannot be written.
    """
    every = pieces(record.payload)
    trials = 0

    def shows(kept: tuple[Piece, ...]) -> bool:
        nonlocal trials
        trials += 1
        smaller = _recounted(with_pieces(record.payload, kept), count)
        status = run(command, smaller, seconds)
        if directory is not None:
            names = [f"{piece.layer}: {piece.id}" for piece in kept]
            trial = {"number": trials, "status": status, "shows": status == 0, "kept": names}
            write_record(directory, replace(record, payload=smaller, trial=trial))
        watch(trials, len(kept), status == 0)
        return status == 0

    if not shows(every):
        raise ContextError(
            f"{command[0]}: the whole payload does not show the problem, so there is nothing to minimise"
        )
    kept = minimal(every, shows)
    return Minimised(_recounted(with_pieces(record.payload, kept), count), kept, len(every), trials)


def _recounted(payload: Payload, count: TokenCounter) -> Payload:
    blocks = tuple(replace(block, tokens=count(block.body) if block.body else 0) for block in payload.blocks)
    return replace(payload, blocks=blocks, tokens=count(payload.text) if payload.text else 0)


def run(command: Sequence[str], payload: Payload, seconds: float) -> int | None:
    """The exit status of a command on a payload, None when it took too long.

    Raises:
        ConfigError: it cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="coderag-") as directory:
        place = Path(directory, "payload.txt")
        place.write_bytes(payload.data)
        words = [word.replace("{}", str(place)) for word in command]
        try:
            done = subprocess.run(
                words, input=payload.data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=seconds
            )
        except subprocess.TimeoutExpired:
            return None
        except (OSError, ValueError) as error:
            raise ConfigError(f"{words[0]}: the command cannot be started: {error}") from error
    return done.returncode
