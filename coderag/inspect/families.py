"""Signals in a few families, so that a bar of a ranking has few colours. A signal belongs where a word of its name says; else to `OTHER`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final


@dataclass(frozen=True, slots=True)
class Family:
    """A name, what its signals have in common, and the words of their names."""

    name: str
    about: str
    words: frozenset[str] = frozenset()


def _family(name: str, about: str, words: str) -> Family:
    return Family(name, about, frozenset(words.split()))


FAMILIES: Final = (
    _family("words", "the words of the question", "lexical words"),
    _family("names", "what things are called", "symbol joined name"),
    _family("meaning", "what the question means", "vector"),
    _family("file", "the file around it", "file folder path"),
    _family("links", "what uses it and what it uses", "graph used hits importance references"),
    _family("editor", "focus, trace and open files", "focus trace open"),
    _family("history", "what git remembers", "recency churn changed superseded uncommitted"),
    _family(
        "form",
        "what sort of thing it is",
        "type callable data module statement prose setting test example vendored stub part length duplicate",
    ),
)

OTHER: Final = Family("other", "other signals")

_TELLING: Final = (5, 3, 6, 2, 1, 0, 4, 7)
"""Families in the order in which they are asked: `open file` is of the editor, `words in path` of the file."""


@cache
def family_of(signal: str) -> int:
    """The number of a signal's family in `FAMILIES`; one more than the last for a signal of none."""
    words = set(signal.split())
    return next((number for number in _TELLING if words & FAMILIES[number].words), len(FAMILIES))
