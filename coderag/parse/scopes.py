"""Which symbol holds a byte, and which names are local to it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Set

from tree_sitter import Node

from coderag.parse.text import Text, extent
from coderag.types import CALLABLE_KINDS, Symbol


class Scopes:
    """Innermost symbol at a byte: `holders[i]` from `begins[i - 1]` on; -1 for none, as `holders[0]` is."""

    __slots__ = ("begins", "holders")

    def __init__(self, symbols: list[Symbol]) -> None:
        events: list[tuple[int, int]] = []
        stack: list[tuple[int, int]] = []
        for index, symbol in enumerate(symbols):
            while stack and stack[-1][1] <= symbol.span.start_byte:
                end = stack.pop()[1]
                events.append((end, stack[-1][0] if stack else -1))
            events.append((symbol.span.start_byte, index))
            end = min(symbol.span.end_byte, stack[-1][1]) if stack else symbol.span.end_byte
            stack.append((index, end))
        while stack:
            end = stack.pop()[1]
            events.append((end, stack[-1][0] if stack else -1))
        self.begins = [event[0] for event in events]
        self.holders = [-1, *(event[1] for event in events)]

    def at(self, offset: int) -> int:
        """The index of the innermost symbol that holds the byte, -1 for none."""
        return self.holders[bisect_right(self.begins, offset)]


def visible_locals(
    source: Text, leaves: dict[str, list[Node]], imported: dict[int, Node], scopes: Scopes, symbols: list[Symbol]
) -> list[frozenset[bytes]]:
    """Names bound in each symbol or around it, by the symbol's index; the last entry is for module level.

    At module level those of anonymous functions and loops are meant: what is a symbol or imported is no local there.
    """
    own: dict[int, set[bytes]] = {}
    for node in leaves.get("local", ()):
        start, end = extent(node)
        own.setdefault(_binder_at(scopes.at(start), symbols), set()).add(source.data[start:end])
    for node in leaves.get("generic", ()):
        start, end = extent(node)
        own.setdefault(scopes.at(start), set()).add(source.data[start:end])
    for symbol in symbols:
        if symbol.parent >= 0 and symbol.kind in CALLABLE_KINDS:
            own.get(_binder_at(symbol.parent, symbols), set()).discard(symbol.name.encode())
    for node in (*leaves.get("global", ()), *imported.values()):
        start, end = extent(node)
        own.get(_binder_at(scopes.at(start), symbols), set()).discard(source.data[start:end])
    names = {symbol.name.encode() for symbol in symbols if symbol.parent < 0}
    outermost = frozenset(own.get(-1, ())) - names
    visible: list[frozenset[bytes]] = []
    for index, symbol in enumerate(symbols):
        around = visible[symbol.parent] if symbol.parent >= 0 else outermost
        visible.append(around | own[index] if index in own else around)
    return [*visible, outermost]


def _binder_at(scope: int, symbols: list[Symbol]) -> int:
    """The symbol whose locals are bound here: the callable around, else the symbol itself, -1 for module level."""
    outer = scope
    while outer >= 0 and symbols[outer].kind not in CALLABLE_KINDS:
        outer = symbols[outer].parent
    return outer if outer >= 0 else scope


def known_in(scopes: Scopes, drafts: list[Symbol], numbers: list[int], names: Set[int], name: Node) -> int:
    """The scope that knows a name: a symbol's own name is known around it."""
    scope = scopes.at(name.start_byte)
    return numbers[drafts[scope].parent if scope >= 0 and name.start_byte in names else scope]
