"""`coderag why`: what happened to a path, a line or a symbol."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coderag.cli.opening import opened
from coderag.cli.screen import Screen, print_json, screen
from coderag.cli.table import EXIT_FOUND, EXIT_NOTHING

if TYPE_CHECKING:
    from coderag.diagnose import Why
    from coderag.index import Index


def run_why(arguments: Namespace) -> int:
    """Print the verdict on a target: 0 when it, or a file in it, is indexed, 1 when it is not, with the rule that decided."""
    with opened(arguments) as index:
        answer = _answer(index, arguments)
    if arguments.json:
        print_json(_as_object(answer))
    else:
        _show(screen(arguments.no_color), answer)
    return EXIT_FOUND if answer.is_indexed or answer.files else EXIT_NOTHING


def _answer(index: Index, arguments: Namespace) -> Why:
    """A path is relative to the root, as everything prints it; from a directory below, also to that."""
    answer = index.why(arguments.target)
    here = Path.cwd()
    if answer.is_unknown_path and arguments.root is None and here != index.root and here.is_relative_to(index.root):
        nearer = index.why(str(here / arguments.target))
        return answer if nearer.is_unknown_path else nearer
    return answer


def _as_object(answer: Why) -> dict[str, Any]:
    return {
        "target": answer.target,
        "verdict": answer.verdict,
        "stage": answer.stage,
        "detail": answer.detail,
        "chunks": [
            {
                "id": chunk.id,
                "kind": chunk.kind,
                "symbol": chunk.symbol,
                "start_line": chunk.span.start_line,
                "end_line": chunk.span.end_line,
            }
            for chunk in answer.chunks
        ],
    }


def _show(out: Screen, answer: Why) -> None:
    out.line((answer.target, "place"), ": ", (answer.verdict, "name"), f" ({answer.stage})")
    out.line(f"  {answer.detail}")
    for chunk in answer.chunks:
        lines = f"{chunk.span.start_line}-{chunk.span.end_line}"
        out.line((f"  {lines:>11}  ", "quiet"), (chunk.symbol or "what no symbol holds", "name"), f"  ({chunk.kind})")
