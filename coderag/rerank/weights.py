"""The weights of the signals: one versioned file, read once, which a project may override.

A weight is what a signal of value 1 adds to the log-odds that a chunk is wanted; `long` is what it adds for a report of many words, and
`trace` for one with frames of the repository.
`weights.json` says when and on what they were fitted, and beside each what the ranking gains or loses without it, measured on
repositories that were not fitted on.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from coderag.errors import ConfigError

VERSION: Final = 1
BUNDLED: Final = Path(__file__).parent / "weights.json"
PROJECT_FILE: Final = "weights.json"
"""Beside the index: the weights of a project, in part or in whole, in the form of the bundled file."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each signal is worth in a short question, a long report and a trace; `bias` are the log-odds where nothing is known.

    `held` are the signals whose weights were set by hand and are not fitted.
    """

    bias: float
    of: Mapping[str, tuple[float, float, float]]
    held: frozenset[str] = frozenset()

    def weight(self, signal: str, manner: tuple[float, float, float]) -> float:
        """The weight for a text that is so much of each of the three; 0 for a signal without one."""
        return sum(share * worth for share, worth in zip(manner, self.of.get(signal, (0.0, 0.0, 0.0)), strict=True))

    def without(self, signals: Collection[str]) -> Weights:
        """The same, where the named signals count for nothing."""
        return replace(self, of={name: worth for name, worth in self.of.items() if name not in signals})


def load_weights(directory: Path | None = None) -> Weights:
    """The bundled weights, with those of the project in `directory` in their place.

    Raises:
        ConfigError: the project's file is of another version or not of that form.
    """
    bundled = read_weights(BUNDLED)
    own = directory / PROJECT_FILE if directory is not None else None
    if own is None or not own.is_file():
        return bundled
    given = read_weights(own, bundled.bias)
    return replace(bundled, bias=given.bias, of={**bundled.of, **given.of})


def read_weights(path: Path, bias: float = 0.0) -> Weights:
    """A file of weights; `bias` stands where it does not give one. Read again when the file is another one.

    Raises:
        ConfigError: the file is of another version or not of that form.
    """
    try:
        found = path.stat()
    except OSError as error:
        raise ConfigError(f"{path}: no file of weights ({error}); correct it or remove it") from error
    return _read(path, bias, (found.st_mtime_ns, found.st_ino, found.st_size))


@lru_cache(maxsize=64)
def _read(path: Path, bias: float, stamp: tuple[int, int, int]) -> Weights:
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
        if document["version"] != VERSION:
            raise ConfigError(
                f"{path}: version {document['version']}, but {VERSION} is read here; fit the weights anew"
            )
        entries = {str(name): entry for name, entry in document["weights"].items()}
        found = {name: _three(float(entry["weight"]), entry) for name, entry in entries.items()}
        held = frozenset(name for name, entry in entries.items() if entry.get("held"))
        return Weights(float(document.get("bias", bias)), found, held)
    except (OSError, UnicodeDecodeError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{path}: no file of weights ({error}); correct it or remove it") from error


def _three(weight: float, entry: Mapping[str, Any]) -> tuple[float, float, float]:
    long = float(entry.get("long", weight))
    return weight, long, float(entry.get("trace", long))
