"""Which symbols have a chunk of their own, and which bytes each chunk shows. Knows symbols and lines, no text rules of any language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coderag.types import CALLABLE_KINDS, CONTAINER_KINDS, MEMBER_KINDS, Kind, Symbol

NESTED_LINES = 8  # a function in a function, an element in an element has its own chunk from this many lines on; a shorter one is its parent's
_INLINE = frozenset({*MEMBER_KINDS, Kind.CONSTANT, Kind.VARIABLE, Kind.TYPE_ALIAS, Kind.KEY})


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes [start, end) of the text that a chunk shows; `elided` when something was left out right after them."""

    start: int
    end: int
    elided: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """`homes[i]` is the symbol whose chunk holds symbol i (itself when it has its own); `children[i]` the own-chunk symbols below i.

    `children[-1]` (the last entry) are those at module level. `members[i]` are the symbols that live in the chunk of i, i first.
    """

    homes: tuple[int, ...]
    members: tuple[tuple[int, ...], ...]
    children: tuple[tuple[int, ...], ...]


def lay_out(symbols: Sequence[Symbol], max_lines: int, max_bytes: int) -> Layout:
    """Decide, for every symbol, in whose chunk it lives. An element within the limits is whole: what it holds is shown once, not again
    for every level of a page.
    """
    homes: list[int] = []
    children: list[list[int]] = [[] for _ in range(len(symbols) + 1)]
    for index, symbol in enumerate(symbols):
        twin = index - 1
        if index and symbols[twin].span == symbol.span and symbols[twin].parent == symbol.parent:
            homes.append(homes[twin])
        elif symbol.parent >= 0 and (
            _lives_in_parent(symbol, symbols[symbol.parent])
            or (symbol.kind is Kind.ELEMENT and _is_whole(symbols[symbol.parent], max_lines, max_bytes))
        ):
            homes.append(homes[symbol.parent])
        else:
            homes.append(index)
            children[homes[symbol.parent] if symbol.parent >= 0 else -1].append(index)
    members: list[list[int]] = [[] for _ in symbols]
    for index, home in enumerate(homes):
        members[home].append(index)
    return Layout(tuple(homes), tuple(map(tuple, members)), tuple(map(tuple, children)))


def _lives_in_parent(symbol: Symbol, parent: Symbol) -> bool:
    if parent.kind is Kind.MODULE:
        return symbol.kind in MEMBER_KINDS
    if (symbol.kind in CALLABLE_KINDS and parent.kind in CALLABLE_KINDS) or symbol.kind is parent.kind is Kind.ELEMENT:
        return symbol.span.end_line - symbol.span.start_line + 1 < NESTED_LINES
    return symbol.kind in _INLINE


def _is_whole(parent: Symbol, max_lines: int, max_bytes: int) -> bool:
    span = parent.span
    lines, size = span.end_line - span.start_line + 1, span.end_byte - span.start_byte
    return parent.kind is Kind.ELEMENT and lines <= max_lines and size < max_bytes


def pieces(symbols: Sequence[Symbol], layout: Layout, index: int, whole: bool) -> Iterator[Piece]:
    """What the chunk of a symbol shows: all of it, or its text with the bodies of `children` elided to their headers."""
    span = symbols[index].span
    position = span.start_byte
    for child in () if whole else layout.children[index]:
        inner = symbols[child]
        if inner.span.start_byte < position or inner.span.end_line == inner.span.start_line:
            continue
        header_end = max(inner.header_end, inner.span.start_byte)
        yield Piece(position, min(header_end, inner.span.end_byte), header_end < inner.span.end_byte)
        position = inner.span.end_byte
    yield Piece(position, span.end_byte)


def is_outline(symbols: Sequence[Symbol], layout: Layout, index: int) -> bool:
    """Whether a symbol is shown as an outline: it holds others that have chunks of their own, and is not a callable."""
    return bool(layout.children[index]) and (
        symbols[index].kind in CONTAINER_KINDS or symbols[index].kind not in CALLABLE_KINDS
    )
