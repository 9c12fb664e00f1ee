"""Whether a payload comes out the same in another process: the same command twice, with different hash seeds."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coderag.assemble.payload import Payload
from coderag.assemble.prefix import SharedPrefix, shared_prefix
from coderag.errors import ContextError

SEEDS = ("1", "2")


@dataclass(frozen=True, slots=True)
class Stability:
    """Two payloads of one request, compared. `broken_cacheable` are the stable layers that are not the same in both."""

    prefix: SharedPrefix
    broken_cacheable: tuple[str, ...]

    @property
    def is_stable(self) -> bool:
        """Whether they are equal to the byte."""
        return self.prefix.is_whole


def check_stable(build: Callable[[str], Payload]) -> Stability:
    """Build a payload once for each of two hash seeds and compare. `build` starts the process."""
    first, second = (build(seed) for seed in SEEDS)
    broken = [
        block.layer
        for block in first.blocks
        if block.cacheable and (other := second.block(block.layer)) is not None and other.body != block.body
    ]
    return Stability(shared_prefix(first, second), tuple(broken))


def in_a_process(arguments: Sequence[str]) -> Callable[[str], Payload]:
    """What runs `coderag` with arguments that make it print a payload as JSON, under a hash seed.

    Raises, when it is called:
        ContextError: the process failed; the message is its own.
    """

    def build(seed: str) -> Payload:
        done = subprocess.run(
            [sys.executable, "-m", "coderag", *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=False,
        )
        if done.returncode not in (0, 1):
            raise ContextError(
                done.stderr.decode("utf-8", "replace").strip().removeprefix("coderag: ") or "the process failed"
            )
        return Payload.from_json(done.stdout)

    return build
