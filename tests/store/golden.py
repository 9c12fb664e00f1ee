"""What is asked of a golden index: plain values that any later coderag must give again as long as it reads the format."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from coderag import Index

QUESTIONS = ("Cart.total", "sumOf", "Shelf.Take")


def answers(index: Index) -> dict[str, Any]:
    """Counts, every symbol with its callers and callees, and the best chunk for names that only one symbol has."""
    symbols = index.symbols()
    status = index.status()
    return {
        "counts": {"files": status.files, "lines": status.lines, "chunks": status.chunks, "edges": dict(status.edges)},
        "symbols": [asdict(each) for each in symbols],
        "callers": {each.name: [asdict(one) for one in index.callers(each.name)] for each in symbols},
        "callees": {each.name: [asdict(one) for one in index.callees(each.name)] for each in symbols},
        "search": {question: asdict(index.search(question, k=1).hits[0].chunk) for question in QUESTIONS},
    }
