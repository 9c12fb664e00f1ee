"""One process of coderag under measurement: reads what to do as JSON from stdin, prints what it took as JSON. See `benchmarks/speed.py`."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

REPEATS = 5


def build(root: Path, workers: int) -> dict[str, Any]:
    """A build from nothing, with all that is imported and loaded for it. Memory is an upper bound: forks share pages, and children need
    not peak together.
    """
    started = time.perf_counter()
    from coderag import Index, load_settings

    index = Index.at(root, settings=replace(load_settings(root), workers=workers))
    report = index.update(rebuild=True)
    seconds = time.perf_counter() - started
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "seconds": seconds,
        "cpu_seconds": sum((own.ru_utime, own.ru_stime, children.ru_utime, children.ru_stime)),
        "peak_bytes": peak_bytes() + workers * children.ru_maxrss * 1024,
        **{name: value for name, value in asdict(report).items() if isinstance(value, int)},
    }


def peak_bytes() -> int:
    """The highest resident size of this process so far."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def use(root: Path, edited: str, addition: str, queries: list[str]) -> dict[str, Any]:
    """Questions, updates with nothing to do, and updates after an edit, all in a warm process."""
    from coderag import Index

    with Index.at(root) as index:
        index.update()
        index.search(queries[0])
        asked = [timed(lambda query=query: index.search(query)) for query in queries]  # type: ignore[misc]
        nothing = [timed(index.update) for _ in range(REPEATS)]
        edits = []
        for number in range(REPEATS + 1):
            append(root / edited, addition, number)
            edits.append(timed(index.update))
    return {"query_seconds": asked, "no_change_seconds": nothing, "one_file_seconds": edits[1:]}


def timed(action: Callable[[], object]) -> float:
    """Seconds on the clock."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def append(path: Path, addition: str, number: int) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" + addition.replace("NUMBER", f"{number}_{time.time_ns()}") + "\n")


def main() -> None:
    task = json.load(sys.stdin)
    actions: dict[str, Callable[..., dict[str, Any]]] = {"build": build, "use": use}
    action = actions[task.pop("do")]
    print(json.dumps(action(Path(task.pop("root")), **task)))


if __name__ == "__main__":
    main()
