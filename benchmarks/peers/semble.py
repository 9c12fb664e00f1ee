"""semble in an interpreter of its own, on code alone as it does by itself, with a static model that is given by its folder."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers.session import PeerSession
from coderag.assemble.tokens import estimate_tokens
from coderag.bench.values import Case, Place
from coderag.errors import BenchError

CHILD = Path(__file__).parents[1] / "children" / "semble_search.py"


class Child:
    """A process that has indexed one tree and answers a line with a line."""

    def __init__(self, python: str, model: str, root: Path, work: Path) -> None:
        environment = {
            **os.environ,
            "SEMBLE_CACHE_LOCATION": str(work / "semble"),
            "SEMBLE_MODEL_NAME": model,
            "OMP_NUM_THREADS": "1",
            "TOKENIZERS_PARALLELISM": "false",
            "HF_HUB_OFFLINE": "1",
        }
        command = (python, str(CHILD), str(root))
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)
        self.chunks = int(self._answer()["chunks"])

    def find(self, text: str, most: int) -> list[Place]:
        """What semble finds."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"text": text, "most": most}) + "\n")
        self._process.stdin.flush()
        found = self._answer()["found"]
        return [Place(path, first, last, estimate_tokens(content)) for path, first, last, content in found]

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise BenchError(f"semble ended with {self._process.wait()}; its message stands above")
        return json.loads(line)

    def close(self) -> None:
        """Let the process end."""
        self._process.communicate()


@dataclass(frozen=True, slots=True)
class Semble:
    """A subject of `coderag.bench.run`."""

    python: str
    model: str
    name: str = "semble"

    def open(self, root: Path, case: Case, work: Path) -> tuple[PeerSession, int]:
        """Start semble on a tree."""
        child = Child(self.python, self.model, root, work)
        return PeerSession(self.name, child, case.below), child.chunks
