"""Memory for functions that may come back to themselves: cycles end, and what is remembered never depends on who asked first."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")
DEEPEST = 24
_NOTHING = DEEPEST + 1


class Memo:
    """Remembers results by key. A key that is being computed, or one too deep, is None to those who ask meanwhile.

    A result that such a None went into is not kept, except by the key that began the cycle: only answers that hold by themselves are.
    """

    __slots__ = ("_cut", "_open", "_values")

    def __init__(self) -> None:
        self._values: dict[Hashable, Any] = {}
        self._open: dict[Hashable, int] = {}
        self._cut = _NOTHING

    def get(self, key: Hashable, compute: Callable[..., T | None], *arguments: Any) -> T | None:
        """The remembered result of `compute(*arguments)`; the key must tell all of them apart."""
        values = self._values
        if key in values:
            return values[key]  # type: ignore[no-any-return]
        depth = len(self._open)
        if key in self._open or depth >= DEEPEST:
            self._cut = min(self._cut, self._open.get(key, 0))
            return None
        self._open[key] = depth
        value = compute(*arguments)
        del self._open[key]
        if self._cut >= depth:
            self._cut = _NOTHING
            values[key] = value
        return value
