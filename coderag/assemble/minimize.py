"""The smallest part of a payload that still shows a problem: delta debugging over its parts.

Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE Transactions on Software Engineering 28(2), 2002: the
algorithm ddmin. What it finds is 1-minimal: the problem is gone when any one part is taken away. Every subset is tried once. Pure: the
caller's function decides whether a payload shows the problem.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from coderag.assemble.payload import Payload, PayloadBlock

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a payload that can be taken away: the `number`-th of a block, or the whole body of a block without parts."""

    block: int
    number: int
    layer: str
    id: str


def pieces(payload: Payload) -> tuple[Piece, ...]:
    """What a payload consists of, in order."""
    found = []
    for position, block in enumerate(payload.blocks):
        names = [part.id for part in block.parts] or ([block.layer] if block.body else [])
        found += [Piece(position, number, block.layer, name) for number, name in enumerate(names)]
    return tuple(found)


def with_pieces(payload: Payload, kept: Sequence[Piece]) -> Payload:
    """The payload with some of its pieces alone."""
    chosen = {(piece.block, piece.number) for piece in kept}
    return replace(payload, blocks=tuple(_part_of(block, n, chosen) for n, block in enumerate(payload.blocks)))


def _part_of(block: PayloadBlock, position: int, chosen: set[tuple[int, int]]) -> PayloadBlock:
    if not block.parts:
        return block if (position, 0) in chosen else replace(block, body="")
    kept = tuple(part for number, part in enumerate(block.parts) if (position, number) in chosen)
    return block if len(kept) == len(block.parts) else block.of_parts(kept)


def minimal(parts: Sequence[T], shows: Callable[[tuple[T, ...]], bool]) -> tuple[T, ...]:
    """A 1-minimal subset for which `shows` is true, in order. It must be true of the whole, which is not tried again."""
    tried: dict[tuple[T, ...], bool] = {tuple(parts): True}

    def still(subset: tuple[T, ...]) -> bool:
        if subset not in tried:
            tried[subset] = shows(subset)
        return tried[subset]

    if not parts or still(()):
        return ()
    kept = tuple(parts)
    pieces_wanted = 2
    while len(kept) >= 2:
        smaller = _smaller(kept, pieces_wanted, still)
        if smaller is not None:
            kept, was_subset = smaller
            pieces_wanted = 2 if was_subset else max(pieces_wanted - 1, 2)
        elif pieces_wanted >= len(kept):
            break
        else:
            pieces_wanted = min(pieces_wanted * 2, len(kept))
    return kept


def _smaller(
    kept: tuple[T, ...], number: int, still: Callable[[tuple[T, ...]], bool]
) -> tuple[tuple[T, ...], bool] | None:
    """A piece of `kept`, or `kept` without a piece, that still shows the problem; and whether it is a piece."""
    bounds = [len(kept) * step // number for step in range(number + 1)]
    cuts = list(pairwise(bounds))
    for start, end in cuts:
        if still(kept[start:end]):
            return kept[start:end], True
    for start, end in cuts if number > 2 else []:
        rest = kept[:start] + kept[end:]
        if still(rest):
            return rest, False
    return None
