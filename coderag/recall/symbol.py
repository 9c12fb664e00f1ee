"""Symbol recall: definitions that the question names.

Looks up the last component of every name in the query and grades how much of the written name agrees with the definition. Knows
definitions, the symbol field of the postings and what edges are called; never reads a chunk's text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

import numpy as np
from numpy.typing import NDArray

from coderag.recall.expressions import SHAPED, WORD, Expression, expressions
from coderag.recall.filters import is_test_path
from coderag.recall.snapshot import FIELDS, Snapshot
from coderag.recall.terms import token_terms
from coderag.types import CALLABLE_KINDS, CONTAINER_KINDS, MEMBER_KINDS, Definition, Hit, Kind

NAME: Final = "symbol"
MAX_WORD_DEFINITIONS: Final = 3  # a plain word is taken for a name only if no more definitions have it
MAX_BY_PARTS: Final = 50
MAX_RENAMING: Final = (
    30  # files that say a name without a definition; those that say more are not asked what they mean by it
)


@dataclass(frozen=True, slots=True)
class Grade:
    """How much of a written name agrees with a definition: what that is worth, and how it is said.

    Of the definitions of a qualified name only those of the lowest `tier` are meant.
    """

    worth: float
    saying: str
    tier: int = 0


EXACT = Grade(1.0, "exact symbol {}")
SUFFIX = Grade(0.9, "symbol {}, the end of its qualified name")
NESTED = Grade(0.8, "symbol {}, by its name")
IN_FILE = Grade(0.8, "symbol {}, by its file and name", tier=1)
ANY_CASE = Grade(0.6, "symbol {}, case ignored", tier=2)
ANY_STYLE = Grade(0.5, "symbol {}, other spelling", tier=3)
LAST_NAME = Grade(0.35, "symbol {}, the last name only", tier=3)
PARTS = Grade(0.3, "symbol {}, by its parts", tier=3)
RENAMED = Grade(0.9, "symbol {}, which others call {}")

_COMPONENT = re.compile(r"[.:#/\\]+")
_SYMBOL_FIELD = FIELDS.index("symbol")
_ENTRY_STEMS = frozenset({"__init__", "index", "mod", "lib", "main"})
_KINDS = tuple(Kind)


@dataclass(frozen=True, slots=True)
class _Match:
    row: int
    score: float
    grade: Grade
    name: str
    definition: Definition | None = None


def recall(snapshot: Snapshot, text: str, k: int, allowed: NDArray[np.bool_] | None = None) -> list[Hit]:
    """The k best chunks that define what the text names, best first.

    Among equal grades: types and callables before constants, variables and members, definitions before declarations, code before
    tests, important before unimportant, then path and position.
    """
    best: dict[int, _Match] = {}
    for match in _matches(snapshot, expressions(text), allowed):
        known = best.get(match.row)
        if known is None or match.score > known.score:
            best[match.row] = match
    ranked = sorted(best.values(), key=lambda match: _place(snapshot, match))[: max(k, 0)]
    return [
        Hit(match.row, NAME, rank, match.score, match.grade.saying.format(match.name))
        for rank, match in enumerate(ranked, 1)
    ]


def _matches(snapshot: Snapshot, named: Iterable[Expression], allowed: NDArray[np.bool_] | None) -> Iterable[_Match]:
    for expression in named:
        found = [match for match in _of(snapshot, expression) if allowed is None or allowed[match.row]]
        if not found and expression.certainty >= SHAPED:
            renamed = _by_other_name(snapshot, expression.parts[-1], expression.certainty)
            found = [match for match in renamed if allowed is None or allowed[match.row]]
        if not found and expression.certainty >= SHAPED:
            found = [match for match in _by_spelling(snapshot, expression) if allowed is None or allowed[match.row]]
        yield from found


def _of(snapshot: Snapshot, expression: Expression) -> list[_Match]:
    definitions = snapshot.definitions(expression.parts[-1])
    if expression.certainty <= WORD and len(definitions) > MAX_WORD_DEFINITIONS:
        return []
    graded = [(_grade(expression.parts, definition), definition) for definition in definitions]
    if len(expression.parts) > 1 and graded:
        tier = min(grade.tier for grade, _ in graded)
        graded = [(grade, definition) for grade, definition in graded if grade.tier == tier]
    rarity = 1.0 / (1.0 + math.log2(max(len(graded), 1)) / 4)
    return [
        _Match(
            snapshot.row_of(definition.path, definition.index),
            expression.certainty * grade.worth * rarity,
            grade,
            definition.qualified_name,
            definition,
        )
        for grade, definition in graded
    ]


def _grade(parts: Sequence[str], definition: Definition) -> Grade:
    names = _COMPONENT.split(definition.qualified_name)
    if definition.owner:
        names = [*_COMPONENT.split(definition.owner), definition.name]
    place = [*place_names(definition.path), *names][-len(parts) :]
    if list(parts) == place:
        if len(parts) > len(names):
            return IN_FILE
        return EXACT if len(parts) == len(names) else SUFFIX if len(parts) > 1 else NESTED
    if len(parts) == 1 or [part.casefold() for part in parts] == [name.casefold() for name in place]:
        return ANY_CASE
    return LAST_NAME


def place_names(path: str) -> list[str]:
    """The folders and the stem of a path: what a name may be qualified with beyond its file."""
    *folders, name = path.split("/")
    stem = name.partition(".")[0]
    return folders if stem in _ENTRY_STEMS else [*folders, stem]


def _by_spelling(snapshot: Snapshot, expression: Expression) -> list[_Match]:
    """Chunks whose symbol has the same letters in another style, or else all of the name's parts."""
    whole, *parts = token_terms(expression.parts[-1]) or ("",)
    for terms, grade in (((whole,), ANY_STYLE), (parts, PARTS)):
        rows = _rows_named(snapshot, terms)
        if len(rows):
            lengths = snapshot.lengths[rows, _SYMBOL_FIELD]
            nearest = rows[np.lexsort((snapshot.order[rows], lengths))][:MAX_BY_PARTS].tolist()
            score = expression.certainty * grade.worth
            return [_Match(row, score, grade, expression.parts[-1]) for row in nearest]
    return []


def _by_other_name(snapshot: Snapshot, name: str, certainty: float) -> list[_Match]:
    """What a name means to the files that say it, where nothing is defined by that name: imports and exports may rename."""
    postings = snapshot.postings(next(iter(token_terms(name)), ""))
    files = np.unique(snapshot.file_of_row[postings.rows]).tolist() if postings is not None else []
    if len(files) > MAX_RENAMING:
        return []
    targets: set[int] = set()
    for file in files:
        edges = snapshot.edges_of(snapshot.paths[file])
        targets.update(row for row, written in zip(edges.targets.tolist(), edges.names, strict=True) if written == name)
    saying = {row: snapshot.chunk(row).symbol for row in sorted(targets)}
    grade = replace(RENAMED, saying=RENAMED.saying.format("{}", name))
    return [_Match(row, certainty * grade.worth, grade, symbol) for row, symbol in saying.items() if symbol]


def _rows_named(snapshot: Snapshot, terms: Sequence[str]) -> NDArray[np.int32]:
    """The rows whose symbol has all of the terms."""
    found = []
    for term in terms:
        postings = snapshot.postings(term)
        if postings is None:
            return np.empty(0, np.int32)
        found.append(postings.rows[postings.counts[:, _SYMBOL_FIELD] > 0])
    return reduce(np.intersect1d, found) if found else np.empty(0, np.int32)


def _place(snapshot: Snapshot, match: _Match) -> tuple[float | int, ...]:
    kind = _KINDS[snapshot.kind_of_row[match.row]] if match.definition is None else match.definition.kind
    file = int(snapshot.file_of_row[match.row])
    return (
        -match.score,
        _kind_place(kind),
        match.definition is not None and match.definition.declaration,
        is_test_path(snapshot.paths[file], snapshot.languages[file]),
        -float(snapshot.importance[match.row]),
        int(snapshot.order[match.row]),
    )


def _kind_place(kind: Kind) -> int:
    if kind in CALLABLE_KINDS or kind in CONTAINER_KINDS:
        return 0
    return 2 if kind in MEMBER_KINDS or kind is Kind.VARIABLE else 1
