"""`coderag explain`: a ranking taken apart, and where an expected chunk was lost."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coderag.cli.opening import answered, caught_up, filters, opened
from coderag.cli.relations import sureness
from coderag.cli.screen import Screen, plural, print_json, say, screen, shortened
from coderag.cli.table import EXIT_FOUND, EXIT_NOTHING
from coderag.errors import QueryError
from coderag.types import Chunk, Query, SignalValue

if TYPE_CHECKING:
    from coderag.diagnose.explain import BroughtBy, ExplainedHit, Explanation
    from coderag.diagnose.lost import Lost
    from coderag.index import Index

BAR = 16
"""The columns of a bar on either side of its middle."""

_FULL, _LEFT_HALF, _RIGHT_HALF = "█", "▌", "▐"


def run_explain(arguments: Namespace) -> int:
    """Print why a question has its answer (1: it has none), or where an expected chunk is lost (1: it is not shown)."""
    with opened(arguments) as index:
        query = asked(index.root, arguments)

        def explained() -> Explanation:
            caught_up(index, arguments.no_update)
            return index.explain(query)

        if arguments.why is not None:
            return _lost(index, query, arguments)
        found = answered(index, arguments.no_update, explained)
    for note in found.notes:
        say(note)
    if arguments.json:
        print_json(as_object(found))
    else:
        _show(screen(arguments.no_color), found)
    return EXIT_FOUND if found.hits else EXIT_NOTHING


def asked(root: Path, arguments: Namespace) -> Query:
    """The question with its focus, trace and filters.

    Raises:
        QueryError: the trace cannot be read, or a filter names something unknown.
        ContextError, RootError: the focus cannot be understood.
    """
    from coderag.cli.context import inside
    from coderag.offer.asking import focus_of

    text = sys.stdin.read() if arguments.query == ["-"] else " ".join(arguments.query)
    focus = focus_of(arguments.focus) if arguments.focus else None
    return replace(
        filters(arguments),
        text=text,
        k=arguments.k,
        focus=replace(focus, path=inside(root, focus.path)) if focus else None,
        trace=_trace(arguments),
    )


def _trace(arguments: Namespace) -> str:
    if arguments.trace is None:
        return ""
    if arguments.trace == "-":
        if arguments.query == ["-"]:
            raise QueryError("the query and --trace cannot both be read from standard input")
        return sys.stdin.read()
    try:
        return Path(arguments.trace).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise QueryError(f"--trace {arguments.trace}: {error.strerror or error}") from error


def as_object(found: Explanation) -> dict[str, Any]:
    """The explanation as `--json` prints it."""
    return {
        "query": found.query.text,
        "generation": found.generation,
        "candidates": found.candidates,
        "bias": found.bias,
        "recallers": [asdict(each) for each in found.recallers],
        "hits": [_hit_object(hit) for hit in found.hits],
    }


def _hit_object(hit: ExplainedHit) -> dict[str, Any]:
    return {
        **_chunk_object(hit.chunk),
        "rank": hit.rank,
        "score": hit.score,
        "recalled": [
            {"recaller": each.recaller, "rank": each.rank, "score": each.score, "why": each.why}
            for each in hit.proposals
        ],
        "signals": [asdict(each) for each in hit.signals],
        "edges": [{**asdict(each.relation), "outgoing": each.outgoing} for each in hit.edges],
    }


def _chunk_object(chunk: Chunk) -> dict[str, Any]:
    return {
        "id": chunk.id,
        "path": chunk.path,
        "start_line": chunk.span.start_line,
        "end_line": chunk.span.end_line,
        "symbol": chunk.symbol,
        "kind": chunk.kind,
    }


# Showing


def _show(out: Screen, found: Explanation) -> None:
    if not found.hits:
        say("nothing found")
        return
    counts = ", ".join(f"{each.recaller} {each.proposed:,}" for each in found.recallers)
    out.line(f"{plural(found.candidates, 'candidate')}, proposed by {counts}")
    out.line((f"every score begins at {found.bias:+.2f} in log-odds; bars share one scale", "quiet"))
    most = max((abs(each.contribution) for hit in found.hits for each in hit.signals), default=1.0)
    for hit in found.hits:
        out.line()
        _show_hit(out, hit, found.bias, most)


def _show_hit(out: Screen, hit: ExplainedHit, bias: float, most: float) -> None:
    chunk = hit.chunk
    out.line(
        f"{hit.rank}. ",
        (f"{chunk.path}:{chunk.span.start_line}", "place"),
        (f"  {chunk.symbol}" if chunk.symbol else "", "name"),
        f"  ({chunk.kind})  {hit.score:.3f}",
    )
    recalled = ", ".join(f"{each.recaller} {each.rank}" for each in hit.proposals)
    out.line(f"   recalled at rank: {recalled or 'by no recaller, only through the hits that use it'}")
    show_signals(out, hit.signals, most)
    total = bias + sum(each.contribution for each in hit.signals)
    out.line((f"   {'sum':<18}{'':>6} {total:>+7.2f}  with the bias", "quiet"))
    for edge in hit.edges:
        _show_edge(out, edge)


def show_signals(out: Screen, signals: Sequence[SignalValue], most: float) -> None:
    """A line for each signal: its name, its value, what it adds to the score, and that as a bar."""
    for each in signals:
        out.line(
            f"   {each.name:<18}{each.value:>6.2f} {each.contribution:>+7.2f}  ",
            (bar(each.contribution, most), "name" if each.contribution > 0 else "warning"),
            (f"  {shortened(each.why, 60)}" if each.why else "", "quiet"),
        )


def bar(value: float, most: float) -> str:
    """A value as a bar, to the left of the middle when it is negative; `most` fills a side."""
    halves = round(2 * BAR * min(abs(value) / most, 1.0)) if most > 0 else 0
    whole = _FULL * (halves // 2)
    if value < 0:
        return f"{_RIGHT_HALF * (halves % 2) + whole:>{BAR}}│{'':<{BAR}}"
    return f"{'':>{BAR}}│{whole + _LEFT_HALF * (halves % 2):<{BAR}}"


def _show_edge(out: Screen, edge: BroughtBy) -> None:
    relation = edge.relation
    lines = f", lines {', '.join(map(str, relation.lines[:5]))} of {relation.source_path}" if relation.lines else ""
    words = f"{relation.kind} {relation.name}" if edge.outgoing else f"by {relation.kind} of {relation.name}"
    out.line(
        "   → " if edge.outgoing else "   ← ",
        (relation.chunk_id, "place"),
        f"  {words}, {sureness(relation.confidence, relation.weight)}",
        (lines, "quiet"),
    )


# An expected chunk


def _lost(index: Index, query: Query, arguments: Namespace) -> int:
    def ask() -> Lost:
        caught_up(index, arguments.no_update)
        return index.where_lost(arguments.why, query, policy=arguments.policy)

    found = answered(index, arguments.no_update, ask)
    if arguments.json:
        print_json(_lost_object(found))
    else:
        _show_lost(screen(arguments.no_color), found)
    return EXIT_FOUND if found.is_shown else EXIT_NOTHING


def _lost_object(found: Lost) -> dict[str, Any]:
    return {
        "target": found.target,
        "lost_at": None if found.is_shown else found.stage,
        "detail": found.detail,
        "chunk": _chunk_object(found.chunk) if found.chunk else None,
        "rank": found.rank,
        "candidates": found.candidates,
        "score": found.score,
        "recallers": [asdict(each) for each in found.standings],
        "signals": [asdict(each) for each in found.signals],
        "compared_with": found.last_shown,
        "gaps": [{**asdict(each), "difference": each.difference} for each in found.gaps],
    }


def _show_lost(out: Screen, found: Lost) -> None:
    verdict = "not lost" if found.is_shown else f"lost in the {found.stage}"
    name = found.chunk.id if found.chunk else found.target
    out.line((name, "place"), ": ", (verdict, "name" if found.is_shown else "warning"))
    out.line(f"  {found.detail}")
    for each in found.standings:
        if each.proposed:
            words = f"rank {each.rank:,} of the {each.of:,} that it gave"
        elif each.rank:
            words = f"not among the {each.of:,} that it gave; rank {each.rank:,} if all were asked for"
        else:
            words = "does not find it"
        out.line(f"  {each.recaller:<16}{words}", (f"  {shortened(each.why, 60)}" if each.why else "", "quiet"))
    if found.gaps:
        _show_gaps(out, found)
    elif found.signals:
        show_signals(out, found.signals, max(abs(each.contribution) for each in found.signals))


def _show_gaps(out: Screen, found: Lost) -> None:
    out.line()
    out.line(("  signal              its own   theirs    behind or ahead of ", "quiet"), (found.last_shown, "place"))
    most = max(abs(each.difference) for each in found.gaps)
    for each in found.gaps:
        out.line(
            f"  {each.signal:<18}{each.own:>+9.2f}{each.other:>+9.2f}{each.difference:>+9.2f}  ",
            (bar(each.difference, most), "name" if each.difference > 0 else "warning"),
        )
