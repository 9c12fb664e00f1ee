"""How long the assembler takes and how much memory, from 10 to 100,000 items.

    python benchmarks/assemble.py [--save]

Items are counted and have distinct sources; `plain` ones have a relevance alone, `full` ones priority, trust and freshness too. The balanced
policy selects 12. Times are seconds of CPU, the best of several; `growth` is how many times longer than n log n of the row before would
take. Memory is what the assembly itself holds, mostly one small record for each item that was dropped.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import random
import time
import tracemalloc
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import coderag
from coderag.assemble import ContextAssembler, ContextItem, ContextResult

SIZES = (10, 100, 1_000, 10_000, 100_000)
ROUNDS = 7
SEED = 7
TARGET = (10_000, 0.020)


def made(count: int, full: bool) -> list[ContextResult]:
    """A result of that many items in random order."""
    chance = random.Random(SEED)
    items = []
    for number in range(count):
        item = ContextItem(
            id=f"item {number}",
            content="text",
            token_count=chance.randrange(20, 300),
            relevance=chance.random(),
            source=f"family{number % 97}:{number}",
            metadata={
                "a3s.context.priority": 0.5,
                "a3s.context.trust": 0.8,
                "a3s.context.freshness": chance.random(),
            }
            if full
            else {},
        )
        items.append(item)
    return [ContextResult("made", tuple(items))]


def measured(count: int, full: bool) -> dict[str, Any]:
    """One row: time, selected items and memory."""
    results = made(count, full)
    assembler = ContextAssembler.balanced()
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        assembly = assembler.assemble(results)
        times.append(time.process_time() - began)
    tracemalloc.start()
    assembly = assembler.assemble(results)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return {
        "items": count,
        "kind": "full" if full else "plain",
        "selected": len(assembly.items),
        "milliseconds": round(min(times) * 1_000, 3),
        "held_kilobytes": held // 1_000,
        "peak_kilobytes": peak // 1_000,
    }


def with_growth(rows: list[dict[str, Any]]) -> None:
    """Add to each row how its time compares with n log n from the row before."""
    for before, row in pairwise(rows):
        expected = row["items"] * math.log(row["items"]) / (before["items"] * math.log(before["items"]))
        row["growth"] = round(row["milliseconds"] / max(before["milliseconds"], 1e-9) / expected, 2)


def main() -> int:
    """Print the table; with `--save` write it beside this file. 1 when the target is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--save", action="store_true", help="write results/assemble-DATE.json")
    arguments = parser.parse_args()
    rows = []
    for full in (False, True):
        series = [measured(count, full) for count in SIZES]
        with_growth(series)
        rows += series
    for row in rows:
        print("  ".join(f"{name} {value:>8}" for name, value in row.items()))
    if arguments.save:
        folder = Path(__file__).parent / "results"
        folder.mkdir(exist_ok=True)
        document = {"coderag": coderag.__version__, "python": platform.python_version(), "rows": rows}
        path = folder / f"assemble-{datetime.now(UTC):%Y-%m-%d}.json"
        path.write_text(json.dumps(document, indent=2) + "\n")
    missed = [row for row in rows if row["items"] == TARGET[0] and row["milliseconds"] > TARGET[1] * 1_000]
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
