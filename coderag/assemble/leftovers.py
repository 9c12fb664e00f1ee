"""A sequence whose members are made when they are looked at: an assembler drops very many items that nobody may ask about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

Member = TypeVar("Member")


class Leftovers(Sequence[Member]):
    """`count` members, each made by its number. Equal to any sequence of equal members."""

    __slots__ = ("_count", "_make")

    def __init__(self, count: int, make: Callable[[int], Member]) -> None:
        self._count = count
        self._make = make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Member: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Member, ...]: ...
    def __getitem__(self, at: Any) -> Any:
        numbers = range(self._count)[at]
        return self._make(numbers) if isinstance(numbers, int) else tuple(map(self._make, numbers))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))
