"""A writer to be killed: commits generation after generation and says each number once it is safe.

    python -m tests.faults.committing DIRECTORY [STEP]

Every fifth generation is a rebuild. With a step, it stops itself (SIGSTOP) the first time that it reaches the step in an update,
"rebuild STEP" in a rebuild, after it has committed three generations.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from coderag.store import steps
from tests.faults.generations import advance, advance_by_rebuild

PROJECT = Path(__file__).parents[2]


def start(directory: Path, step: str = "") -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.faults.committing", str(directory), *([step] if step else [])]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=PROJECT)


def main(directory: Path, step: str = "") -> None:
    committed = 0
    for turn in range(1_000_000):
        rebuilding = turn % 5 == 4
        if step and turn >= 3 and step.startswith("rebuild ") is rebuilding:
            _stop_at(step.removeprefix("rebuild "))
        committed = (advance_by_rebuild if rebuilding else advance)(directory)
        print(committed, flush=True)


def _stop_at(step: str) -> None:
    def stop(reached: str) -> None:
        if reached == step:
            steps.on_step = _go_on
            os.kill(os.getpid(), signal.SIGSTOP)

    steps.on_step = stop


def _go_on(step: str) -> None:
    del step


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
