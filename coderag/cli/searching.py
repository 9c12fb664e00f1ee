"""`coderag search`: freshen, ask, show."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import replace
from typing import Any

from coderag.cli.opening import answered, caught_up, filters, opened
from coderag.cli.screen import Screen, print_json, say, screen
from coderag.cli.table import EXIT_FOUND, EXIT_NOTHING
from coderag.types import Ranked, SearchResult, SignalValue

CALLERS_SHOWN = 3


def run_search(arguments: Namespace) -> int:
    """Print the best chunks for a query."""
    text = sys.stdin.read() if arguments.query == ["-"] else " ".join(arguments.query)
    query = replace(filters(arguments), text=text, k=arguments.k)
    with opened(arguments) as index:

        def ask() -> tuple[SearchResult, bool]:
            fresh = caught_up(index, arguments.no_update)
            result = index.search(query)
            return result, fresh and result.fresh

        result, fresh = answered(index, arguments.no_update, ask)
    for note in result.notes:
        say(note)
    if arguments.json:
        print_json(as_object(result, fresh))
    else:
        _show(screen(arguments.no_color), result, arguments)
    return EXIT_FOUND if result.hits else EXIT_NOTHING


def as_object(result: SearchResult, fresh: bool) -> dict[str, Any]:
    """The result as `--json` prints it."""
    return {
        "query": result.query.text,
        "index": {"generation": result.generation, "fresh": fresh},
        "hits": [_hit(hit) for hit in result.hits],
        "left_out": result.left_out,
    }


def _hit(hit: Ranked) -> dict[str, Any]:
    chunk = hit.chunk
    return {
        "rank": hit.rank,
        "score": hit.score,
        "path": chunk.path,
        "start_line": chunk.span.start_line,
        "end_line": chunk.span.end_line,
        "symbol": chunk.symbol,
        "kind": chunk.kind,
        "language": chunk.language,
        "id": chunk.id,
        "text": chunk.text,
        "reasons": [_reason(reason) for reason in hit.reasons],
        "callers": list(hit.callers),
        "stale": hit.stale,
    }


def _reason(reason: SignalValue) -> dict[str, Any]:
    return {
        "signal": reason.name,
        "value": reason.value,
        "contribution": reason.contribution,
        "why": reason.why,
    }


def _show(out: Screen, result: SearchResult, arguments: Namespace) -> None:
    if not result.hits:
        say(f"nothing found{' with these filters' if arguments.path or arguments.lang or arguments.kind else ''}")
    for hit in result.hits:
        if hit.rank > 1:
            out.line()
        _show_hit(out, hit, arguments)
    below = result.left_out.get("ranked below", 0)
    if below:
        out.line()
        out.line((f"{below:,} more were ranked below; -k shows more", "quiet"))


def _show_hit(out: Screen, hit: Ranked, arguments: Namespace) -> None:
    chunk = hit.chunk
    part = f", part {chunk.part}/{chunk.parts}" if chunk.parts > 1 else ""
    out.line(
        (f"{chunk.path}:{chunk.span.start_line}", "place"),
        ("  " + chunk.symbol if chunk.symbol else "", "name"),
        f"  ({chunk.kind}{part})",
        (f"  {hit.score:.2f}", "quiet"),
        ("  changed since it was indexed" if hit.stale else "", "warning"),
    )
    out.line(("  " + "; ".join(in_words(reason) for reason in hit.reasons), "quiet"))
    if hit.callers:
        more = " and others" if len(hit.callers) > CALLERS_SHOWN else ""
        out.line((f"  used by {', '.join(hit.callers[:CALLERS_SHOWN])}{more}", "quiet"))
    _show_text(out, hit, arguments)


def in_words(reason: SignalValue) -> str:
    """A reason in a few words: what the recaller says, or the preference and which way it pushed."""
    return reason.why or f"{reason.name} {reason.contribution:+.2f}"


def _show_text(out: Screen, hit: Ranked, arguments: Namespace) -> None:
    chunk = hit.chunk
    lines = chunk.text.split("\n")
    number: int | None = chunk.span.start_line
    if len(lines) != chunk.span.end_line - chunk.span.start_line + 1:
        number = None  # an outline or a part does not show every line
    shown = lines[: arguments.lines] if arguments.lines > 0 else lines
    if arguments.context and chunk.before:
        above = chunk.before.split("\n")
        out.code(chunk.before, chunk.language, chunk.span.start_line - len(above))
    out.code("\n".join(shown), chunk.language, number)
    if len(shown) < len(lines):
        out.line((f"       … {len(lines) - len(shown):,} more lines; --lines 0 shows all", "quiet"))
    elif arguments.context and chunk.after:
        out.code(chunk.after, chunk.language, chunk.span.end_line + 1)
