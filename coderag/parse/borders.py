"""Where a long symbol may be cut: lines on which a statement begins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Tree

from coderag.parse.text import Text
from coderag.types import CONTAINER_KINDS, Symbol

LONG_SYMBOL_LINES = 60  # only symbols longer than this carry statement borders


def with_borders(source: Text, tree: Tree, symbols: list[Symbol]) -> Iterator[Symbol]:
    """The symbols, long ones with the lines on which they may be cut."""
    for symbol in symbols:
        if symbol.kind in CONTAINER_KINDS or symbol.span.end_line - symbol.span.start_line < LONG_SYMBOL_LINES:
            yield symbol
        else:
            yield replace(symbol, borders=tuple(_borders(tree, symbol)))


def _borders(tree: Tree, symbol: Symbol) -> list[tuple[int, int]]:
    """Lines after the header on which a node begins that has the line to itself, with the depth of the outermost such node."""
    depths: dict[int, int] = {}
    node = tree.root_node.descendant_for_byte_range(symbol.header_end, max(symbol.header_end, symbol.span.end_byte - 1))
    stack = [(node, 0)] if node else []
    while stack:
        current, depth = stack.pop()
        last = -1
        for child in current.children:
            first, end = child.start_point.row + 1, child.end_point.row + 1
            if first > last and first > symbol.span.start_line and child.is_named:
                depths[first] = min(depth, depths.get(first, depth))
            last = end
            if end - first >= 8 and depth < 12:
                stack.append((child, depth + 1))
    return sorted((line, depth) for line, depth in depths.items() if line <= symbol.span.end_line)
