"""semble on one tree: indexes it, prints how many chunks that made, then answers each line of JSON with one.

Environment: SEMBLE_CACHE_LOCATION, SEMBLE_MODEL_NAME.
"""

from __future__ import annotations

import json
import os
import sys

from semble import SembleIndex  # type: ignore[import-not-found, unused-ignore]


def main(root: str) -> None:
    index = SembleIndex.from_path(root, model_path=os.environ["SEMBLE_MODEL_NAME"])
    print(json.dumps({"chunks": len(index.chunks)}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        chunks = [result.chunk for result in index.search(asked["text"], top_k=asked["most"])]
        found = [[each.file_path, each.start_line, each.end_line, each.content] for each in chunks]
        print(json.dumps({"found": found}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
