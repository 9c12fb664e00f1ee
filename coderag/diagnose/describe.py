"""One symbol with everything around it: its definitions as they stand, who uses it, what it uses, what implements it."""

from __future__ import annotations

from dataclasses import dataclass

from coderag.diagnose.relations import Relation, SymbolEntry, callees, callers, resolve
from coderag.snapshot import StoredSnapshot
from coderag.types import Chunk, EdgeKind

_IMPLEMENTING = (EdgeKind.INHERITS, EdgeKind.IMPLEMENTS, EdgeKind.OVERRIDES, EdgeKind.EXTENDS)


@dataclass(frozen=True, slots=True)
class Described:
    """What is known of a name. `definitions` pairs each definition with the chunk that it lives in."""

    name: str
    definitions: tuple[tuple[SymbolEntry, Chunk], ...]
    callers: tuple[Relation, ...]
    callees: tuple[Relation, ...]
    implementations: tuple[Relation, ...]


def describe(snapshot: StoredSnapshot, expression: str) -> Described:
    """Describe a symbol: a name, a partly qualified name, `PATH#NAME` or a chunk id. Without a definition everything is empty."""
    found = []
    for each in resolve(snapshot, expression):
        symbol = snapshot.parsed(each.path).symbols[each.index]
        entry = SymbolEntry(each.path, symbol.name_line, symbol.kind, symbol.qualified_name, symbol.signature)
        found.append((entry, snapshot.chunk(snapshot.row_of(each.path, each.index))))
    used_by = callers(snapshot, expression)
    return Described(
        expression,
        tuple(found),
        tuple(each for each in used_by if each.kind not in _IMPLEMENTING),
        tuple(callees(snapshot, expression)),
        tuple(each for each in used_by if each.kind in _IMPLEMENTING),
    )
