"""Code of another language inside of a file: the scripts of a page are one module, whose symbols are among those of the page.

Knows `Language.embedded` and how two readings of one file become one. The rest of the file is blanked for the other grammar, so bytes
and lines stay what they are.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import replace

from coderag.languages import Language
from coderag.parse.text import Text, blanked
from coderag.types import Parsed, Symbol

_Parse = Callable[[bytes, str], Parsed]
_BEGINNING = 7  # letters of a signature: `<script`


def with_embedded(source: Text, row: Language, whole: Parsed, parse: _Parse) -> Parsed:
    """What a file holds together with what the code inside of it holds."""
    for pattern, language in row.embedded:
        found = [match for match in re.finditer(pattern.encode(), source.data) if match.group("code").strip()]
        if found:
            code = bytearray(blanked(source.data))
            for match in found:
                start, end = match.span("code")
                code[start:end] = match.group("code")
            inner = _within(source, parse(bytes(code), language), [match.start("code") for match in found])
            whole = _joined(whole, inner, _elements(source, whole, found))
    return whole


def _within(source: Text, inner: Parsed, starts: list[int]) -> Parsed:
    """The same with no symbol that begins before the code does, on its first line."""
    return replace(inner, symbols=tuple(_begun(source, symbol, starts) for symbol in inner.symbols))


def _begun(source: Text, symbol: Symbol, starts: list[int]) -> Symbol:
    start = starts[bisect_right(starts, symbol.header_end) - 1]
    if start <= symbol.span.start_byte:
        return symbol
    span = replace(symbol.span, start_byte=start, start_line=source.line(start))
    return replace(symbol, span=span)


def _elements(source: Text, whole: Parsed, found: list[re.Match[bytes]]) -> set[int]:
    """The symbols that are the code, as elements of the whole: innermost where a match begins, and written like it."""
    starts = [symbol.span.start_byte for symbol in whole.symbols]
    elements = set()
    for match in found:
        at = bisect_right(starts, match.start()) - 1
        while at >= 0 and whole.symbols[at].span.end_byte <= match.start():
            at = whole.symbols[at].parent
        if at >= 0 and whole.symbols[at].signature[:_BEGINNING] == source.cut(match.start(), match.end())[:_BEGINNING]:
            elements.add(at)
    return elements


def _joined(whole: Parsed, inner: Parsed, elements: set[int]) -> Parsed:
    """Both as one. Elements that are the code give way to the symbols that they hold."""
    held = [symbol.span.start_byte for symbol in inner.symbols]
    dropped = {index for index in elements if _has_one(held, whole.symbols[index])}
    order = sorted(
        [(symbol.span.start_byte, -symbol.span.end_byte, False, index) for index, symbol in enumerate(whole.symbols)]
        + [(symbol.span.start_byte, -symbol.span.end_byte, True, index) for index, symbol in enumerate(inner.symbols)]
    )
    symbols: list[Symbol] = []
    around: list[int] = []  # symbols of the whole that have not ended yet
    outer, own = [-1] * len(whole.symbols), [-1] * len(inner.symbols)
    for _, _, is_inner, index in order:
        symbol = (inner if is_inner else whole).symbols[index]
        numbers = own if is_inner else outer
        parent = numbers[symbol.parent] if symbol.parent >= 0 else -1
        while around and not _holds(symbols[around[-1]], symbol):
            around.pop()
        if is_inner and parent < 0 and around:
            parent = around[-1]
        if not is_inner and index in dropped:
            outer[index] = parent
        else:
            numbers[index] = len(symbols)
            if not is_inner:
                around.append(len(symbols))
            symbols.append(replace(symbol, parent=parent))
    return _renumbered(whole, inner, tuple(symbols), [*own, -1])


def _has_one(starts: list[int], symbol: Symbol) -> bool:
    first = bisect_left(starts, symbol.span.start_byte)
    return first < len(starts) and starts[first] < symbol.span.end_byte


def _holds(outer: Symbol, inner: Symbol) -> bool:
    return outer.span.start_byte <= inner.span.start_byte and inner.span.end_byte <= outer.span.end_byte


def _renumbered(whole: Parsed, inner: Parsed, symbols: tuple[Symbol, ...], own: list[int]) -> Parsed:
    return replace(
        whole,
        symbols=symbols,
        references=whole.references + tuple(replace(each, scope=own[each.scope]) for each in inner.references),
        imports=whole.imports + tuple(replace(each, scope=own[each.scope]) for each in inner.imports),
        bindings=whole.bindings + tuple(replace(each, scope=own[each.scope]) for each in inner.bindings),
        exports=whole.exports + inner.exports,
        problems=tuple(sorted({*whole.problems, *inner.problems}, key=lambda each: (each.line, each.message))),
    )
