"""Whether a word is written anywhere in the index, and which names come nearest to one that is not.

The index of words finds the chunks, their texts decide: words are stemmed there and folded, names are not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from coderag.recall.terms import token_terms, tokens
from coderag.snapshot import StoredSnapshot
from coderag.types import Definition

LOOKED_AT = 400
"""Chunks whose text is read for one word; a word that stands in more is known without reading."""

NEAREST = 3
LEAST_LIKENESS = 0.6
_BATCH = 40


@dataclass(frozen=True, slots=True)
class Nearest:
    """A definition whose name is like one that does not exist. `shown`: whether a payload held it; None where none was given."""

    name: str
    path: str
    line: int
    chunk_id: str
    shown: bool | None = None


class Vocabulary:
    """The words and names of one generation."""

    def __init__(self, snapshot: StoredSnapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[tuple[str, frozenset[str] | None], bool] = {}

    def has(self, word: str, paths: Collection[str] | None = None) -> bool:
        """Whether a word stands somewhere, or in one of the paths, written exactly so."""
        key = (word, None if paths is None else frozenset(paths))
        if key not in self._known:
            self._known[key] = self._has(word, key[1])
        return self._known[key]

    def _has(self, word: str, paths: frozenset[str] | None) -> bool:
        terms = [token_terms(token)[:1] for token in tokens(word)]
        if not terms or not all(terms):
            return True  # a word that is not indexed cannot be missed
        postings = self._snapshot.postings(terms[0][0])
        if postings is None:
            return False
        rows = postings.rows.tolist()
        if paths is not None:
            files = {self._snapshot.index_of(path) for path in paths}
            rows = [row for row in rows if int(self._snapshot.file_of_row[row]) in files]
        if len(rows) > LOOKED_AT:
            return True
        written = re.compile(rf"(?<![\w$]){re.escape(word)}(?![\w$])")
        for first in range(0, len(rows), _BATCH):
            chunks = self._snapshot.chunks(rows[first : first + _BATCH])
            if any(written.search(chunk.text) for chunk in chunks.values()):
                return True
        return False

    @cached_property
    def _names(self) -> dict[str, list[Definition]]:
        """Every name that is defined, with the last part of names of several."""
        found: dict[str, list[Definition]] = {}
        for path in self._snapshot.paths:
            last = {
                name.partition("~")[0].partition("@")[0].rpartition(".")[2] for name in self._snapshot.file(path).names
            }
            for name in sorted(last - {""}):
                found.setdefault(name, [])
        return found

    def nearest(self, word: str, near: Iterable[str] = (), shown: Collection[str] | None = None) -> tuple[Nearest, ...]:
        """The definitions whose names are most like a word, those in the paths `near` first; `shown` are ids of chunks."""
        files = frozenset(near)
        names = {symbol.name for path in files for symbol in self._snapshot.parsed(path).symbols}
        found = [(likeness(word, name), True, name) for name in names]
        found += [(likeness(word, name), False, name) for name in self._names if name not in names]
        ordered = sorted(
            (each for each in found if each[0] >= LEAST_LIKENESS), key=lambda e: (-e[0] - 0.2 * e[1], e[2])
        )
        result: list[Nearest] = []
        for _, local, name in ordered[: 2 * NEAREST]:
            result += self._places(name, files if local else None, shown)
        return tuple(result[:NEAREST])

    def _places(self, name: str, files: frozenset[str] | None, shown: Collection[str] | None) -> Sequence[Nearest]:
        found = [each for each in self._snapshot.definitions(name) if each.name == name]
        return [self._nearest(each, shown) for each in found if files is None or each.path in files][:1]

    def _nearest(self, definition: Definition, shown: Collection[str] | None) -> Nearest:
        symbol = self._snapshot.parsed(definition.path).symbols[definition.index]
        chunk = self._snapshot.chunk_id(self._snapshot.row_of(definition.path, definition.index))
        held = None if shown is None else chunk in shown
        return Nearest(definition.qualified_name, definition.path, symbol.name_line, chunk, held)


def likeness(one: str, other: str) -> float:
    """From 0 to 1: how few letters are different, or how many of the words in both names are the same, whichever says more."""
    if one == other:
        return 1.0
    first, second = one.casefold(), other.casefold()
    mine, theirs = _parts(one), _parts(other)
    shared = len(mine & theirs) / max(len(mine | theirs), 1)
    longest = max(len(first), len(second))
    if abs(len(first) - len(second)) > longest * (1 - LEAST_LIKENESS) or (first[:1] != second[:1] and not shared):
        return 0.95 * shared
    return max(1.0 - distance(first, second) / longest, 0.95 * shared)


def _parts(name: str) -> frozenset[str]:
    return frozenset(part for token in tokens(name) for part in (token_terms(token)[1:] or token_terms(token)))


def distance(one: str, other: str) -> int:
    """Letters to insert, remove, replace or swap with their neighbour (optimal string alignment)."""
    before: list[int] = []
    previous = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        current = [i]
        for j, b in enumerate(other, 1):
            cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        before, previous = previous, current
    return previous[-1]
