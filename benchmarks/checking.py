"""How often `coderag check` raises a false alarm, and how many invented names it catches, on the last commits of a repository.

    python -m benchmarks.checking CLONE [--commits 50]

Every commit is taken for the answer of a model: its patch is checked against the index of its parent, and its change against its callers.
A commit that was merged is taken to be right, so whatever is found counts as a false alarm. Then one name in each patch that the
repository defines is changed by a letter, as a model would misremember it, and the check must find it. CLONE is a clone that may be
checked out back and forth; nothing of it is run.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from coderag import Index

_WORD = re.compile(r"[A-Za-z_]\w{5,}")
_HUNK = re.compile(r"@@ -\S+ \+(\d+)")
_GUESS = 2
"""Confidences are numbered; from here on an edge goes by the name alone."""


@dataclass
class Tally:
    """Counts over the commits of one repository."""

    repository: str
    commits: int = 0
    alarmed_by_patch: int = 0
    unsure_by_patch: int = 0
    changed_definitions: int = 0
    alarmed_by_callers: int = 0
    unsure_by_callers: int = 0
    mutants: int = 0
    caught_surely: int = 0
    caught_unsurely: int = 0


def git(clone: Path, *arguments: str) -> str:
    """The output of git in the clone, whose hooks are off."""
    command = ["git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", *arguments]
    return subprocess.run(command, cwd=clone, check=True, capture_output=True).stdout.decode("utf-8", "replace")


def measure(clone: Path, commits: int) -> Tally:
    """Check the last commits of the branch that is checked out, oldest first; their merges as one change each."""
    tally = Tally(clone.name)
    head = git(clone, "rev-parse", "HEAD").strip()
    try:
        for commit in reversed(git(clone, "rev-list", "--first-parent", f"-{commits}", head).split()):
            _measure_commit(clone, commit, tally)
    finally:
        git(clone, "checkout", "-q", "--detach", head)
    return tally


def _measure_commit(clone: Path, commit: str, tally: Tally) -> None:
    git(clone, "checkout", "-q", "--detach", f"{commit}^")
    patch = git(clone, "diff", "--no-renames", "--no-ext-diff", "--no-textconv", f"{commit}^", commit)
    tally.commits += 1
    with Index.build(clone) as index:
        checked = index.check(patch)
    tally.alarmed_by_patch += bool(checked.sure)
    tally.unsure_by_patch += bool(checked.findings) and not checked.sure
    for finding in checked.findings:
        print(f"{commit[:10]} {finding.flaw}: {finding.name} ({finding.path}){'' if finding.is_sure else ', unsure'}")
    git(clone, "checkout", "-q", "--detach", commit)
    with Index.build(clone) as index:
        found = index.left_behind(f"{commit}^")
        mutant = next(_mutants(index, patch), None)
    tally.changed_definitions += found.changed
    tally.alarmed_by_callers += bool(found.sure)
    tally.unsure_by_callers += bool(found.broken) and not found.sure
    for broken in found.broken:
        caller = broken.callers[0]
        print(
            f"{commit[:10]} {broken.change}: {broken.symbol}, called at {caller.path}:{caller.line} ({caller.confidence})"
        )
    if mutant:
        git(clone, "checkout", "-q", "--detach", f"{commit}^")
        with Index.build(clone) as index:
            _measure_mutant(index, *mutant, tally)


def _measure_mutant(index: Index, patch: str, name: str, tally: Tally) -> None:
    tally.mutants += 1
    caught = [each for each in index.check(patch).findings if each.name.rpartition(".")[2] == name]
    tally.caught_surely += any(each.is_sure for each in caught)
    tally.caught_unsurely += bool(caught) and not any(each.is_sure for each in caught)
    if not caught:
        line = next(line for line in patch.split("\n") if name in line)
        print(f"           not caught: {line.strip()[:120]}")


def _mutants(index: Index, patch: str) -> Iterator[tuple[str, str]]:
    """The patch with one name on an added line misspelt, of those that surely mean something else in the repository."""
    lines = patch.split("\n")
    path, number = "", 0
    for place, line in enumerate(lines):
        if line.startswith("+++ b/"):
            path, number = line[6:], 0
        elif header := _HUNK.match(line):
            number = int(header[1]) - 1
        elif number or line[:1] in ("+", " "):
            number += line[:1] != "-"
        if not line.startswith("+") or line.startswith("+++"):
            continue
        for name in _sure_names(index, path, number):
            wrong = f"{name[:-3]}{name[-2]}{name[-3]}{name[-1]}" if name[-2] != name[-3] else f"{name}s"
            changed = re.sub(rf"(?<![\w$]){name}(?![\w$])", wrong, line, count=1)
            if changed != line:
                yield "\n".join([*lines[:place], changed, *lines[place + 1 :]]), wrong


def _sure_names(index: Index, path: str, line: int) -> list[str]:
    """Names on a line that an edge which is no guess leads from to another file."""
    snapshot = index.snapshot()
    if snapshot.index_of(path) < 0:
        return []
    edges = snapshot.edges_of(path)
    own = {int(row) for row in snapshot.rows_of(path)}
    return [
        name
        for name, lines, confidence, target in zip(
            edges.names, edges.lines, edges.confidences.tolist(), edges.targets.tolist(), strict=True
        )
        if line in lines and confidence < _GUESS and target not in own and _WORD.fullmatch(name)
    ]


def main() -> None:
    """Measure the clones that the command line names and print a line of JSON for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", type=Path, nargs="+")
    parser.add_argument("--commits", type=int, default=50)
    arguments = parser.parse_args()
    for clone in arguments.clone:
        print(json.dumps(asdict(measure(clone.resolve(), arguments.commits))))


if __name__ == "__main__":
    main()
