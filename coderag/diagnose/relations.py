"""Symbols by name, who depends on one, and what it depends on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np

from coderag.recall.filters import allowed_rows
from coderag.recall.symbol import place_names
from coderag.records import CONFIDENCES, EDGE_KINDS
from coderag.snapshot import StoredSnapshot
from coderag.types import Confidence, Definition, EdgeKind, Kind, Query

_IMPORTING = (EdgeKind.IMPORTS, EdgeKind.RE_EXPORTS)
_SEPARATORS = re.compile(r"::|->|[.#/:\\]")


@dataclass(frozen=True, slots=True)
class SymbolEntry:
    """A definition as a list shows it."""

    path: str
    line: int
    kind: Kind
    name: str
    signature: str


@dataclass(frozen=True, slots=True)
class Relation:
    """One end of an edge: the chunk there, how sure the edge is, and the lines of use (in `source_path`)."""

    chunk_id: str
    path: str
    line: int
    symbol: str
    kind: EdgeKind
    confidence: Confidence
    weight: float
    name: str
    source_path: str
    lines: tuple[int, ...]


def symbols(snapshot: StoredSnapshot, pattern: str, query: Query) -> list[SymbolEntry]:
    """Definitions whose qualified name contains the pattern, any case, by path and position."""
    allowed = allowed_rows(snapshot, query, snapshot.languages)
    wanted = pattern.casefold()
    result = []
    for path in snapshot.paths:
        rows = snapshot.rows_of(path)
        if not len(rows) or (allowed is not None and not allowed[rows].any()):
            continue
        for symbol in snapshot.parsed(path).symbols:
            if wanted in symbol.qualified_name.casefold() and (not query.kinds or symbol.kind in query.kinds):
                result.append(SymbolEntry(path, symbol.name_line, symbol.kind, symbol.qualified_name, symbol.signature))
    return result


def resolve(snapshot: StoredSnapshot, expression: str) -> list[Definition]:
    """The definitions that a name means: `PATH#NAME`, a chunk id, or a qualified or partly qualified name; best match alone.

    The name may go on into the folders and the file (`pay.refund.approve` for `approve` of `pay/refund.py`).
    """
    path, _, name = expression.rpartition("#") if "#" in expression else ("", "", expression)
    if path and snapshot.index_of(path) < 0:
        path, name = "", expression
    parts = _components(name.partition("@")[0].partition("~")[0].removesuffix("()"))
    if not parts:
        return []
    found = [each for each in snapshot.definitions(parts[-1]) if not path or each.path == path]
    matching = [each for each in found if _ends_with(_components(each.qualified_name), parts)] or [
        each for each in found if _ends_with([*place_names(each.path), *_components(each.qualified_name)], parts)
    ]
    exact = [each for each in matching if each.name == parts[-1]]
    return exact or matching


def definitions(snapshot: StoredSnapshot, expression: str) -> list[SymbolEntry]:
    """What `resolve` finds, as a list shows it."""
    result = []
    for each in resolve(snapshot, expression):
        symbol = snapshot.parsed(each.path).symbols[each.index]
        result.append(SymbolEntry(each.path, symbol.name_line, symbol.kind, symbol.qualified_name, symbol.signature))
    return result


def _components(qualified_name: str) -> list[str]:
    return [part for part in _SEPARATORS.split(qualified_name) if part]


def _ends_with(own: Sequence[str], parts: Sequence[str]) -> bool:
    return [part.casefold() for part in own[-len(parts) :]] == [part.casefold() for part in parts]


def callers(snapshot: StoredSnapshot, expression: str) -> list[Relation]:
    """Who depends on a symbol, surest first; those that only bring its name in come last."""
    return ordered({each for definition in resolve(snapshot, expression) for each in callers_of(snapshot, definition)})


def callers_of(snapshot: StoredSnapshot, definition: Definition) -> Iterator[Relation]:
    """Who depends on one definition."""
    sources = snapshot.edges.sources
    row = snapshot.row_of(definition.path, definition.index)
    members = {each.rpartition(".")[2] for each in snapshot.chunk(row).defines[1:]} - {definition.name}
    own = snapshot.chunk(row).symbol == definition.qualified_name
    for source in np.unique(sources[snapshot.edges_to(row)]).tolist():
        for relation in edges_of_row(snapshot, source, target=row):
            other_name = own and relation.name not in members and not _imports_file(relation, definition.path)
            if relation.name == definition.name or other_name:
                yield relation


def _imports_file(relation: Relation, path: str) -> bool:
    """Whether an edge is the import of a whole file, which ends at the file's first chunk whatever that defines."""
    place = PurePosixPath(path)
    last = re.split(r"[./\\:]", relation.name.removesuffix(place.suffix))[-1]
    return relation.kind is EdgeKind.IMPORTS and last in (place.stem, place.parent.name)


def callees(snapshot: StoredSnapshot, expression: str) -> list[Relation]:
    """What the chunks of a symbol depend on, surest first."""
    return ordered({each for definition in resolve(snapshot, expression) for each in callees_of(snapshot, definition)})


def callees_of(snapshot: StoredSnapshot, definition: Definition) -> Iterator[Relation]:
    """What the chunks of one definition depend on."""
    first = snapshot.row_of(definition.path, definition.index)
    for row in _parts(snapshot, definition.path, first):
        yield from edges_of_row(snapshot, row, target=None)


def _parts(snapshot: StoredSnapshot, path: str, row: int) -> list[int]:
    rows = snapshot.rows_of(path).tolist()
    position = rows.index(row)
    return list(rows[position : position + snapshot.chunk(row).parts])


def edges_of_row(snapshot: StoredSnapshot, row: int, target: int | None) -> Iterator[Relation]:
    """Edges that leave a row, told from the far end; with `target`, those that end there, told from the near end."""
    path = snapshot.paths[int(snapshot.file_of_row[row])]
    edges = snapshot.edges_of(path)
    chosen = edges.sources == row
    if target is not None:
        chosen &= edges.targets == target
    for position in np.flatnonzero(chosen).tolist():
        end = row if target is not None else int(edges.targets[position])
        chunk = snapshot.chunk(end)
        yield Relation(
            chunk.id,
            chunk.path,
            chunk.span.start_line,
            chunk.symbol,
            EDGE_KINDS[edges.kinds[position]],
            CONFIDENCES[edges.confidences[position]],
            1.0 / int(edges.counts[position]),
            edges.names[position],
            path,
            edges.lines[position],
        )


def ordered(relations: set[Relation]) -> list[Relation]:
    """Surest first; imports last."""
    return sorted(
        relations,
        key=lambda each: (
            each.kind in _IMPORTING,
            CONFIDENCES.index(each.confidence),
            -each.weight,
            each.path,
            each.line,
            each.chunk_id,
            each.kind,
            each.name,
        ),
    )
