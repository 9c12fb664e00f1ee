"""Texts whose answers are the functions that a fix changed: messages of fixes, issues (SWE-bench Lite) and stack traces.

A file is either `{repo, fetch, commit, language, queries}`, one tree for all its queries, or lines of JSON, each with a commit of its own.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from coderag.bench.checkouts import Repositories, commit_time
from coderag.bench.questions import read_json
from coderag.bench.scoring import FIXES, ISSUES
from coderag.bench.values import DEPTH, Asked, Case, Target
from coderag.errors import BenchError
from coderag.types import Query

COUNTED = "counted"
"""Category of the issues that published figures are about."""


def cases(task: str, source: Path, repositories: Repositories, only: Collection[str] = ()) -> Iterator[Case]:
    """One case for each tree, those of a repository one after another from the oldest to the newest commit.

    `source` is a file, or a folder of which all files of the first form are taken.

    Raises:
        BenchError: the source does not hold such queries.
    """
    entries = _entries(source)
    by_repository: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        if not only or entry["repo"] in only or entry["repo"].split("/")[-1] in only:
            by_repository.setdefault(entry["repo"], []).append(entry)
    for name in sorted(by_repository):
        yield from _of_repository(task, name, by_repository[name], repositories)


def _of_repository(task: str, name: str, entries: list[dict[str, Any]], repositories: Repositories) -> Iterator[Case]:
    commits: dict[str, list[Asked]] = {}
    for entry in entries:
        commits.setdefault(entry["commit"], []).append(_asked(task, entry))
    fetch = entries[0].get("fetch", name)
    place = name.replace("/", "+")
    for commit in sorted(commits, key=partial(_age, repositories.repository(fetch))):
        prepare = partial(repositories.tree, fetch, commit)
        yield Case(task, place, prepare, tuple(commits[commit]))


def _age(repository: Path | None, commit: str) -> tuple[int, str]:
    try:
        return (commit_time(repository, commit) if repository and commit else 0), commit
    except BenchError:  # said when the tree is wanted
        return 0, commit


def _entries(source: Path) -> list[dict[str, Any]]:
    if source.is_dir():
        return [entry for path in sorted(source.glob("*.json")) for entry in _entries(path)]
    if source.suffix == ".jsonl":
        return [json.loads(line) for line in _lines(source)]
    document = read_json(source)
    shared = {key: document[key] for key in ("repo", "fetch", "commit", "language") if key in document}
    return [{**shared, **query} for query in document["queries"]]


def _lines(source: Path) -> list[str]:
    try:
        return [line for line in source.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise BenchError(f"{source}: {error}") from error


def _asked(task: str, entry: dict[str, Any]) -> Asked:
    targets = [
        (
            each["kind"],
            Target(
                each["file"], each["start_line"], each["end_line"], each["symbol"], tuple(each.get("edit_lines", ()))
            ),
        )
        for each in entry["targets"]
    ]
    functions = tuple(target for kind, target in targets if kind == "function")
    files = dict.fromkeys(entry.get("files") or [target.file for _, target in targets])
    return Asked(
        task,
        entry["id"],
        Query(entry["query"], k=DEPTH),
        {"function": functions, "file": tuple(map(Target, files))},
        ISSUES if "in_274" in entry else FIXES,
        entry["repo"],
        entry.get("language") or "python",
        _category(entry),
    )


def _category(entry: dict[str, Any]) -> str:
    if "in_274" in entry:
        return COUNTED if entry["in_274"] else "not counted"
    names = [target["symbol"].split(".")[-1] for target in entry["targets"] if target["symbol"]]
    named = entry.get("names_symbol", any(name in entry["query"] for name in names))
    return "names the function" if named else "does not name it"
