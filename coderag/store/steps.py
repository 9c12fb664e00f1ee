"""A hook at every step that touches the disk, for fault tests alone: they replace `on_step` by something that dies or raises.

It does nothing otherwise, and nothing outside a test may set it.
"""

from __future__ import annotations

from collections.abc import Callable


def _nothing(step: str) -> None:
    del step


on_step: Callable[[str], None] = _nothing


def reached(step: str) -> None:
    """Say that a step is about to happen. An `OSError` from the hook is taken for the disk's own."""
    on_step(step)
