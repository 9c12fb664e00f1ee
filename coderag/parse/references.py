"""Leaf captures as references: what is called, made, inherited, passed, put into tables and read, and on what."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from tree_sitter import Node

from coderag.languages import Language
from coderag.parse.scopes import Scopes
from coderag.parse.text import MAX_RECEIVER, SEPARATORS, Text, blanked, extent
from coderag.types import Reference, ReferenceKind

_LEAF_ORDER = (
    "ignore", "call", "new", "inherit", "implement", "type", "pass", "table", "read",
)  # fmt: skip
_LEAF_KIND = {order: ReferenceKind(name) for order, name in enumerate(_LEAF_ORDER) if order}
_MAY_END_CHAIN = frozenset(b".:>\\?&")
_MAY_PRECEDE = _MAY_END_CHAIN | frozenset(b" \t\r\n\v\f")
_REVERSED_SEPARATORS = (b".", b"?.", b"&.", b"::", b"\\")
_REVERSED_CHAINING = (b".", b"?.", b">-", b"::")  # what stands before a chain whose beginning is no name
_REVERSED_TIGHT = (b">-", b":")  # separators that have no white space behind them; the second where a language says so
_REVERSED_ROOT = re.compile(
    rb"\s*(?:::|\\)(?![\w)\]>}\"'?!\x80-\xff])"
)  # `::name` and `\name` begin at the outermost scope
_REVERSED_CHAIN, _REVERSED_COLON_CHAIN = (
    re.compile(
        rb"(?:(?:\s*\.[?&]?(?:[ \t]*\r?\n\s*)?|\s*::|\s*\\|"
        + tight
        + rb")(?:\)[^()\n]{0,80}\()?(?:>[\w\s,:.*&]{0,80}<(?:::)?)?!?[\w@$\x80-\xff]+#?)+"
    )
    for tight in (rb">-\??\s*", rb"(?:>-\??\s*|:(?=[\w\x80-\xff]))")
)  # a chain of names read backwards from the name that ends it
_CHAIN_ARGUMENTS = re.compile(r"<[\w\s,:.*&]*>")
_CHAIN_CALL = re.compile(r"\([^()]*\)")


def references_of(
    source: Text,
    row: Language,
    leaves: dict[str, list[Node]],
    names: set[int],
    scopes: Scopes,
    visible: list[frozenset[bytes]],
    numbers: list[int],
) -> tuple[Reference, ...]:
    """Leaf captures merged by (scope, receiver, name, kind), reads of locals left out."""
    data = _without_comments(source.data, leaves)
    colon_calls, member_mark, starts = row.colon_calls, row.member_mark, source.starts
    begins, holders = scopes.begins, scopes.holders  # asked so often that a call would cost more than the answer
    merged: dict[tuple[int, bytes, str, int], list[int]] = {}
    last = -1
    for start, order, end in _ordered_leaves(leaves):
        if start <= last:
            continue
        last = start if order >= 0 else end - 1
        if order <= 0 or start in names:
            continue
        name = data[start:end]
        receiver = _receiver(data, start, colon_calls) if data[start - 1] in _MAY_PRECEDE and start else ""
        if b"." in name and not receiver:
            path, _, name = name.rpartition(b".")
            receiver = path.decode("utf-8", "replace")
        if member_mark:
            name, receiver = _unmarked(row, name, receiver)
        scope = holders[bisect_right(begins, start)]
        if not receiver and name in visible[scope]:
            continue
        key = (numbers[scope], name, receiver, order)
        lines = merged.get(key)
        line = bisect_right(starts, start)
        if lines is None:
            merged[key] = [line]
        elif lines[-1] != line:
            lines.append(line)
    return tuple(
        Reference(name.decode("utf-8", "replace"), receiver, _LEAF_KIND[order], scope, tuple(lines))
        for (scope, name, receiver, order), lines in merged.items()
    )


def _without_comments(data: bytes, leaves: dict[str, list[Node]]) -> bytes:
    """The same bytes with blanks for comments: a chain may go on around them, never into them."""
    result = bytearray(data)
    for node in leaves.get("comment", ()):
        start, end = extent(node)
        result[start:end] = blanked(data[start:end])
    return bytes(result)


def _unmarked(row: Language, name: bytes, receiver: str) -> tuple[bytes, str]:
    """`:paid` is `paid`, and where `@` marks members `@store` is `store` of `self`."""
    mark, itself = row.member_mark, row.self_names[0]
    if receiver.startswith(mark):
        receiver = f"{itself}.{receiver.lstrip(mark)}"
    if name.startswith(mark.encode()):
        return name.lstrip(mark.encode()), itself
    return (name.strip(b":") or name) if name.startswith(b":") else name, receiver


def _ordered_leaves(leaves: dict[str, list[Node]]) -> list[tuple[int, int, int]]:
    """(start, kind order, end) of every reference leaf, most specific kind first at one place."""
    found = [
        (node.start_byte, order, node.end_byte)
        for order, capture in enumerate(("silent", *_LEAF_ORDER), -1)
        for node in leaves.get(capture, ())
    ]
    found.sort()
    return found


def _receiver(data: bytes, start: int, colon_calls: bool) -> str:
    """The chain written before a name; see `Reference.receiver`."""
    before = data[max(0, start - MAX_RECEIVER) : start]
    written = before.rstrip()
    if not written or written[-1] not in _MAY_END_CHAIN:
        return ""
    backwards = before[::-1]
    tight = _REVERSED_TIGHT if colon_calls else _REVERSED_TIGHT[:1]
    stripped = written[::-1]
    if not (stripped.startswith(_REVERSED_SEPARATORS) or backwards.startswith(tight)):
        return ""
    if stripped.startswith(b".."):
        return ""
    match = (_REVERSED_COLON_CHAIN if colon_calls else _REVERSED_CHAIN).match(backwards)
    if match is None:
        return "" if _REVERSED_ROOT.match(backwards) else "?"
    chain = _in_order(match.group())
    rest = backwards[match.end() :]
    goes_on = (rest.startswith(_REVERSED_CHAINING) and not rest.startswith(b"..")) or (
        not rest and start > MAX_RECEIVER
    )
    return f"?.{chain}" if goes_on else chain


@lru_cache(maxsize=4096)
def _in_order(backwards: bytes) -> str:
    """The names of a chain from its beginning, without arguments."""
    chain = "".join(backwards[::-1].decode("utf-8", "replace").split())
    chain = _CHAIN_ARGUMENTS.sub("", _CHAIN_CALL.sub("()", chain))
    return ".".join(part.rstrip("!?") for part in SEPARATORS.split(chain) if part)
