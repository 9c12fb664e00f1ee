"""One symbol with everything around it: its definitions as they stand, who uses it, what it uses, what implements it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from coderag.diagnose.relations import Relation, SymbolEntry, callees_of, callers_of, ordered, resolve
from coderag.records import CONFIDENCES
from coderag.snapshot import StoredSnapshot
from coderag.types import Chunk, Confidence, Definition, EdgeKind

_IMPLEMENTING = (EdgeKind.INHERITS, EdgeKind.IMPLEMENTS, EdgeKind.OVERRIDES, EdgeKind.EXTENDS)


@dataclass(frozen=True, slots=True)
class Use:
    """All edges between two chunks as one: the far end, how it is connected, how sure the surest edge is, and the lines of use.

    `of` is the path of the definition that it is about, "" where that is the file of the first one.
    """

    chunk_id: str
    path: str
    line: int
    symbol: str
    kinds: tuple[EdgeKind, ...]
    confidence: Confidence
    weight: float
    lines: tuple[int, ...]
    of: str = ""


@dataclass(frozen=True, slots=True)
class Described:
    """What is known of a name. `definitions` pairs each with the chunk that it lives in: the most used first, declarations last."""

    name: str
    definitions: tuple[tuple[SymbolEntry, Chunk], ...]
    callers: tuple[Use, ...]
    callees: tuple[Use, ...]
    implementations: tuple[Use, ...]


def describe(snapshot: StoredSnapshot, expression: str) -> Described:
    """Describe a symbol: a name, a partly qualified name, `PATH#NAME` or a chunk id. Without a definition everything is empty."""
    found = sorted(resolve(snapshot, expression), key=lambda each: _place(snapshot, each))
    used_by = _uses(snapshot, found, callers_of)
    return Described(
        expression,
        tuple(_definition(snapshot, each) for each in found),
        tuple(each for each in used_by if not set(each.kinds) & set(_IMPLEMENTING)),
        tuple(_uses(snapshot, found, callees_of)),
        tuple(each for each in used_by if set(each.kinds) & set(_IMPLEMENTING)),
    )


def _place(snapshot: StoredSnapshot, each: Definition) -> tuple[bool, int, str, int]:
    row = snapshot.row_of(each.path, each.index)
    return each.declaration, -int(snapshot.reference_count[row]), each.path, each.index


def _definition(snapshot: StoredSnapshot, each: Definition) -> tuple[SymbolEntry, Chunk]:
    symbol = snapshot.parsed(each.path).symbols[each.index]
    entry = SymbolEntry(each.path, symbol.name_line, symbol.kind, symbol.qualified_name, symbol.signature)
    return entry, snapshot.chunk(snapshot.row_of(each.path, each.index))


def _uses(
    snapshot: StoredSnapshot,
    definitions: Sequence[Definition],
    relations: Callable[[StoredSnapshot, Definition], Iterator[Relation]],
) -> list[Use]:
    """The relations of all definitions, those between the same ends as one. A declaration and its definition do not use each other."""
    own = {snapshot.chunk(snapshot.row_of(each.path, each.index)).id for each in definitions}
    home = definitions[0].path if definitions else ""
    result: list[Use] = []
    for definition in definitions:
        by_end: dict[str, list[Relation]] = {}
        for relation in ordered(set(relations(snapshot, definition))):
            if relation.kind is not EdgeKind.DECLARES and relation.chunk_id not in own:
                by_end.setdefault(relation.chunk_id, []).append(relation)
        result += [_merged(several, definition.path if definition.path != home else "") for several in by_end.values()]
    return sorted(result, key=lambda each: CONFIDENCES.index(each.confidence))


def _merged(several: Sequence[Relation], of: str) -> Use:
    first = several[0]
    return Use(
        first.chunk_id,
        first.path,
        first.line,
        first.symbol,
        tuple(dict.fromkeys(each.kind for each in several)),
        first.confidence,
        first.weight,
        tuple(sorted({line for each in several for line in each.lines})),
        of,
    )
