"""What a change of branches and a second work tree cost, with and without what was parsed before.

    python benchmarks/worktrees.py REPOSITORY ONE OTHER

REPOSITORY is cloned into a temporary folder; ONE and OTHER are two of its commits. Each line is one `coderag index` as a process of its own:
seconds on the clock, seconds of CPU of it and its children, and what it did. The first visit of a commit parses what differs; each later
one finds it on the shelf; another work tree finds it in the index of the first.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RACY_SECONDS = 2.5  # a file younger than this is read again by the next update, whoever looks


def git(place: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(place), *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def updated(what: str, root: Path, *options: str) -> None:
    """One `coderag index` of a root, some time after its files were written."""
    time.sleep(RACY_SECONDS)
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "coderag", "index", "--json", *options, str(root)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    report: dict[str, Any] = json.loads(done.stdout)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(
        f"{what:<52} {seconds:6.2f} s {cpu:6.2f} s CPU  {report['added'] + report['changed']:>6,} files differ, "
        f"{report['reused']:>6,} reused, {report['embedded']:>7,} chunks embedded, {report['relinked']:>6,} files linked",
        flush=True,
    )


def measure(repository: str, one: str, other: str, place: Path) -> None:
    first, second, third, fourth = (place / name for name in ("first", "second", "third", "fourth"))
    subprocess.run(["git", "clone", "-q", "--no-checkout", repository, str(first)], check=True)
    commits = [git(first, "rev-parse", f"{each}^{{commit}}") for each in (one, other)]
    git(first, "checkout", "-q", "--detach", commits[0])
    updated("first work tree, cold", first)

    def added(tree: Path, commit: str) -> Path:
        git(first, "worktree", "add", "-q", "--detach", str(tree), commit)
        return tree

    updated("second work tree, same commit, sharing nothing", added(second, commits[0]), *apart(place))
    updated("second work tree, same commit", second)
    updated("third work tree, other commit, nobody has seen it", added(third, commits[1]))
    git(first, "checkout", "-q", "--detach", commits[1])
    updated("first work tree goes where the third is", first)
    updated("fourth work tree, other commit, the first is there", added(fourth, commits[1]))
    switch(place / "alone", repository, commits)


def switch(alone: Path, repository: str, commits: list[str]) -> None:
    """There and back in a work tree that has no others."""
    subprocess.run(["git", "clone", "-q", "--no-checkout", repository, str(alone)], check=True)
    git(alone, "checkout", "-q", "--detach", commits[0])
    updated("one work tree, cold", alone)
    for visit, commit in (("there, for the first time", 1), ("back", 0), ("there again", 1), ("back again", 0)):
        git(alone, "checkout", "-q", "--detach", commits[commit])
        updated(f"one work tree, {visit}", alone)


def apart(place: Path) -> list[str]:
    """An index outside of the work tree: nothing is shared."""
    return ["--index-directory", str(place / "apart")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository")
    parser.add_argument("one")
    parser.add_argument("other")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        measure(arguments.repository, arguments.one, arguments.other, Path(place).resolve())


if __name__ == "__main__":
    main()
