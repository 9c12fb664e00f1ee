"""`coderag symbols`, `callers` and `callees`: definitions, who uses them and what they use."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from coderag.cli.opening import answered, caught_up, filters, opened
from coderag.cli.screen import Screen, print_json, say, screen, shortened
from coderag.cli.table import EXIT_FOUND, EXIT_NOTHING

if TYPE_CHECKING:
    from coderag.diagnose import Relation, SymbolEntry
    from coderag.index import Index


def run_symbols(arguments: Namespace) -> int:
    """Print the definitions whose names contain a pattern."""
    query = filters(arguments)
    with opened(arguments) as index:

        def ask() -> list[SymbolEntry]:
            caught_up(index, arguments.no_update)
            return index.symbols(arguments.pattern, query=query)

        found = answered(index, arguments.no_update, ask)
    if arguments.json:
        print_json({"pattern": arguments.pattern, "symbols": [_entry(each) for each in found]})
    else:
        out = screen(arguments.no_color)
        for each in found:
            _show_entry(out, each)
    if not found:
        say(f"no symbol has {arguments.pattern!r} in its name" if arguments.pattern else "no symbol is indexed")
    return EXIT_FOUND if found else EXIT_NOTHING


def run_callers(arguments: Namespace) -> int:
    """Print who depends on a symbol."""
    return _relations(arguments, "callers", lambda index: index.callers(arguments.symbol))


def run_callees(arguments: Namespace) -> int:
    """Print what a symbol depends on."""
    return _relations(arguments, "callees", lambda index: index.callees(arguments.symbol))


def _relations(arguments: Namespace, what: str, find: Callable[[Index], list[Relation]]) -> int:
    with opened(arguments) as index:

        def ask() -> tuple[list[SymbolEntry], list[Relation]]:
            caught_up(index, arguments.no_update)
            return index.definitions(arguments.symbol), find(index)

        definitions, found = answered(index, arguments.no_update, ask)
    if arguments.json:
        print_json(
            {
                "symbol": arguments.symbol,
                "definitions": [_entry(each) for each in definitions],
                what: [_relation(each) for each in found],
            }
        )
    else:
        _show(screen(arguments.no_color), definitions, found)
    if not definitions:
        say(f"no symbol is named {arguments.symbol!r}")
    elif not found:
        say(f"{arguments.symbol} has no {what} in the index")
    return EXIT_FOUND if found else EXIT_NOTHING


def _entry(each: SymbolEntry) -> dict[str, Any]:
    return {
        "path": each.path,
        "line": each.line,
        "symbol": each.name,
        "kind": each.kind,
        "signature": each.signature,
    }


def _relation(each: Relation) -> dict[str, Any]:
    return {
        "id": each.chunk_id,
        "path": each.path,
        "line": each.line,
        "symbol": each.symbol,
        "kind": each.kind,
        "confidence": each.confidence,
        "weight": each.weight,
        "name": each.name,
        "used_in": each.source_path,
        "lines": list(each.lines),
    }


def _show_entry(out: Screen, each: SymbolEntry) -> None:
    out.line(
        (f"{each.path}:{each.line}", "place"),
        (f"  {each.name}", "name"),
        f"  ({each.kind})",
        (f"  {shortened(each.signature)}" if each.signature else "", "quiet"),
    )


def _show(out: Screen, definitions: list[SymbolEntry], found: list[Relation]) -> None:
    for definition in definitions:
        _show_entry(out, definition)
    for each in found:
        lines = f"{'line' if len(each.lines) == 1 else 'lines'} {', '.join(map(str, each.lines))}" if each.lines else ""
        out.line(
            (f"  {each.path}:{each.line}", "place"),
            (f"  {each.symbol or 'module'}", "name"),
            f"  {each.kind}, {sureness(each.confidence, each.weight)}",
            (f"  {lines}" if lines else "", "quiet"),
        )


def sureness(confidence: str, weight: float) -> str:
    """How sure an edge is, in words: a guess says how many there are."""
    return confidence if weight == 1.0 else f"{confidence} 1/{round(1 / weight)}"
