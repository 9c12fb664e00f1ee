"""One process of semble under measurement, run by the Python that has it; the counterpart of `coderag_child.py`.

Environment: SEMBLE_CACHE_LOCATION (where indexes go), SEMBLE_MODEL_NAME (the path of a static model), SEMBLE_INDEX_WORKERS.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

REPEATS = 5


def indexed(root: Path) -> Any:
    """What its command line does: take the cached index if it is valid, else build and save."""
    from semble import SembleIndex  # type: ignore[import-not-found, unused-ignore]
    from semble.cache import save_index_to_cache  # type: ignore[import-not-found, unused-ignore]
    from semble.types import ContentType  # type: ignore[import-not-found, unused-ignore]

    everything = (ContentType.CODE, ContentType.DOCS, ContentType.CONFIG)
    index = SembleIndex.from_path(root, content=everything, model_path=os.environ["SEMBLE_MODEL_NAME"])
    save_index_to_cache(index, str(root))
    return index


def build(root: Path, workers: int) -> dict[str, Any]:
    started = time.perf_counter()
    index = indexed(root)
    seconds = time.perf_counter() - started
    paths = sorted({chunk.file_path for chunk in index.chunks})
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "seconds": seconds,
        "cpu_seconds": sum((own.ru_utime, own.ru_stime, children.ru_utime, children.ru_stime)),
        "peak_bytes": 1024 * (own.ru_maxrss + workers * children.ru_maxrss),
        "files": len(paths),
        "lines": sum((root / path).read_bytes().count(b"\n") + 1 for path in paths),
        "chunks": len(index.chunks),
        "version": version("semble"),
    }


def use(root: Path, edited: str, addition: str, queries: list[str]) -> dict[str, Any]:
    index = indexed(root)
    index.search(queries[0])
    asked = [timed(lambda query=query: index.search(query)) for query in queries]  # type: ignore[misc]
    nothing = [timed(lambda: indexed(root)) for _ in range(REPEATS)]
    edits = []
    for number in range(REPEATS + 1):
        with (root / edited).open("a", encoding="utf-8") as file:
            file.write("\n" + addition.replace("NUMBER", f"{number}_{time.time_ns()}") + "\n")
        edits.append(timed(lambda: indexed(root)))
    return {"query_seconds": asked, "no_change_seconds": nothing, "one_file_seconds": edits[1:]}


def timed(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def main() -> None:
    task = json.load(sys.stdin)
    actions: dict[str, Callable[..., dict[str, Any]]] = {"build": build, "use": use}
    action = actions[task.pop("do")]
    print(json.dumps(action(Path(task.pop("root")), **task)))


if __name__ == "__main__":
    main()
