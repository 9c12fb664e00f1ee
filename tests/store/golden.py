"""Golden indexes: what is asked of them, and how the one of the current version is made (`scripts/make_golden`).

The answers are plain values that any later coderag must give again as long as it reads the format.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from coderag import Index, Settings
from coderag.store.database import FORMAT_VERSION

FOLDER = Path(__file__).parents[2] / "indexes"
SETTINGS = Settings(workers=1)
QUESTIONS = ("Cart.total", "sumOf", "Shelf.Take")


def answers(index: Index) -> dict[str, Any]:
    """Counts, every symbol with its callers and callees, and the best chunk for names that only one symbol has."""
    symbols, status = index.symbols(), index.status()
    return {
        "counts": {"files": status.files, "lines": status.lines, "chunks": status.chunks, "edges": dict(status.edges)},
        "symbols": [asdict(each) for each in symbols],
        "callers": {each.name: [asdict(one) for one in index.callers(each.name)] for each in symbols},
        "callees": {each.name: [asdict(one) for one in index.callees(each.name)] for each in symbols},
        "search": {question: asdict(index.search(question, k=1).hits[0].chunk) for question in QUESTIONS},
    }


def make(folder: Path) -> None:
    """Built outside of any work tree, so that no commit is in it."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "root"
        shutil.copytree(folder / "root", root)
        with Index.build(root, settings=SETTINGS) as index:
            expected = answers(index)
        with closing(sqlite3.connect(index.directory / "index.sqlite3")) as database:
            database.execute("VACUUM")
        shutil.copyfile(index.directory / "index.sqlite3", folder / "index.sqlite3")
    (folder / "expected.json").write_text(json.dumps(expected, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    make(FOLDER / f"golden-{FORMAT_VERSION}")
