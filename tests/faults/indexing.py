"""A child that indexes a root, to be killed; and a root whose content follows from a number.

python -m tests.faults.indexing ROOT
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from coderag import Index, Settings

PROJECT = Path(__file__).parents[2]
PLAIN = Settings(workers=1)


def write_root(root: Path, number: int, files: int = 30) -> None:
    """A small repository; every third file differs from that of the number before."""
    for each in range(files):
        version = number if each % 3 == number % 3 else 0
        path = root / f"part{each % 4}" / f"module{each}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        callee = (each + 1) % files
        path.write_text(
            f"from part{callee % 4}.module{callee} import work{callee}\n\n\n"
            f"def work{each}(value):\n    # version {version}\n    return work{callee}(value)\n\n\n"
            f"class Holder{each}v{version}:\n    LIMIT = {number}\n\n    def get(self):\n        return work{each}(self.LIMIT)\n"
        )


def start(root: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.faults.indexing", str(root)],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def exported(root: Path) -> list[str]:
    with Index.open(root, settings=PLAIN) as index:
        return list(index.export())


def main(root: Path) -> None:
    print("started", flush=True)
    Index.build(root, settings=PLAIN)
    print("done", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
