"""Questions in words whose relevant files are known: `repos.json` and `annotations/<name>.json` in one folder."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from coderag.bench.checkouts import Repositories
from coderag.bench.scoring import QUESTIONS
from coderag.bench.values import DEPTH, Asked, Case, Target
from coderag.errors import BenchError
from coderag.types import Query


def cases(folder: Path, repositories: Repositories, only: Collection[str] = ()) -> Iterator[Case]:
    """One case for each repository that has questions, by name.

    Raises:
        BenchError: the folder does not hold questions.
    """
    specs = {spec["name"]: spec for spec in read_json(folder / "repos.json")}
    for name in sorted(specs):
        annotations = folder / "annotations" / f"{name}.json"
        if annotations.is_file() and (not only or name in only):
            asked = tuple(_asked(specs[name], number, entry) for number, entry in enumerate(read_json(annotations)))
            spec = specs[name]
            commit = spec["commit_to_use"] if "fetch" in spec else ""  # without a repository a folder as it is
            prepare = partial(repositories.tree, spec.get("fetch", name), commit)
            yield Case("questions", name, prepare, asked, below=specs[name].get("benchmark_root") or "")


def read_json(path: Path) -> Any:
    """A file of JSON.

    Raises:
        BenchError: it is missing or not JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BenchError(f"{path}: {error}") from error


def _asked(spec: dict[str, Any], number: int, entry: dict[str, Any]) -> Asked:
    found = [
        each if isinstance(each, dict) else {"path": each} for each in entry["relevant"] + entry.get("secondary", [])
    ]
    targets = tuple(Target(each["path"], each.get("start_line", 0), each.get("end_line", 0)) for each in found)
    return Asked(
        "questions",
        f"{spec['name']}/{number:02}",
        Query(entry["query"], k=DEPTH),
        {"file": targets},
        QUESTIONS,
        spec["name"],
        spec["language"],
        entry["category"],
        merges_files=False,
    )
