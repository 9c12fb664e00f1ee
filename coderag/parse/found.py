"""From the matches of a query to symbols in the making: captures of one `@name` are gathered, whichever pattern made them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import itemgetter

from tree_sitter import Node, Tree

from coderag.languages import Language, maker_kinds
from coderag.languages.grammar import Compiled
from coderag.parse.comments import Comment, attach_above
from coderag.parse.text import Text, cursor_of, extent, one_line
from coderag.types import CALLABLE_KINDS, CONTAINER_KINDS, Kind, Visibility

VARIABLES = frozenset({Kind.VARIABLE, Kind.CONSTANT})
_LATE = VARIABLES | {Kind.FIELD}
_DEFINITIONS = {f"definition.{name}": kind for kind in Kind for name in (kind.value, kind.value.replace(" ", "_"))}
_WITH_BODY = CALLABLE_KINDS | CONTAINER_KINDS
_LAST = 1 << 20  # added to the number of a pattern that finds a variable: what is also a function or a type is that
_SHARED = frozenset({"binding.name", "export.default", "export.name"})  # captures that may share a pattern with `@name`

Match = tuple[int, dict[str, list[Node]]]
"""The number of a pattern and what it captured."""


@dataclass(slots=True)
class Found:
    """A symbol while its captures are being gathered."""

    name: Node
    node: Node | None = None
    kind: Kind | None = None
    rank: int = 1 << 30
    start: int = -1
    end: int = -1
    header_start: int = -1
    body: int = -1
    doc: str = ""
    owner: str = ""
    type: str = ""
    declaration: bool = False
    reach: int = 0
    until: int = -1
    visibility: Visibility | None = None
    bases: list[str] = field(default_factory=list)
    decorators: list[str] = field(default_factory=list)


def matches_of(rules: Compiled, tree: Tree) -> list[Match]:
    """What the structure patterns match in a tree."""
    return cursor_of(rules.structure).matches(tree.root_node)


def count_definitions(matches: list[Match]) -> int:
    """How many names the matches define."""
    names = {
        (name.start_byte, name.end_byte)
        for _, captures in matches
        if "made" in captures or not _DEFINITIONS.keys().isdisjoint(captures)
        for name in captures.get("name", ())
    }
    return sum(start < end for start, end in names)


def gather(source: Text, row: Language, matches: list[Match]) -> tuple[list[Found], list[dict[str, list[Node]]]]:
    """Symbol captures by the position of their `@name`, what an earlier pattern says first; all other matches as they are."""
    by_name: dict[int, Found] = {}
    makers = maker_kinds(row.name)
    others: list[dict[str, list[Node]]] = []
    named: list[Match] = []
    for match in matches:
        captures = match[1]
        if "made" in captures:
            maker = source.cut(*extent(captures["maker"][0]))
            captures[f"definition.{makers[maker]}"] = captures.pop("made")
        if "name" in captures:
            named.append(match)
        if "name" not in captures or not _SHARED.isdisjoint(captures):
            others.append(captures)
    named.sort(key=itemgetter(0))
    for pattern, captures in named:
        for name in captures["name"]:
            start = name.start_byte
            found = by_name.get(start)
            if found is None:
                found = by_name[start] = Found(name)
            _gather(source, found, pattern, captures)
    complete = [
        found for found in by_name.values() if found.kind is not None and found.name.end_byte > found.name.start_byte
    ]
    _find_bodies(complete)
    return complete, others


def _find_bodies(found: list[Found]) -> None:
    """Where no `@body` says where the header ends, the field "body" of the definition does."""
    for each in found:
        if each.body < 0 and each.kind in _WITH_BODY and each.node and (body := each.node.child_by_field_name("body")):
            each.body = body.start_byte


def _gather(source: Text, found: Found, pattern: int, captures: dict[str, list[Node]]) -> None:
    for capture, nodes in captures.items():
        if capture == "name":
            continue
        node, kind = nodes[0], _DEFINITIONS.get(capture)
        if kind is not None:
            found.start, found.end = _widened(found, node)
            rank = pattern + _LAST * (kind in _LATE)
            if rank < found.rank:
                found.rank, found.kind, found.node = rank, kind, node
                found.header_start = node.start_byte
        elif capture == "span":
            found.start, found.end = _widened(found, node)
        elif capture == "body":
            found.body = node.start_byte if found.body < 0 else min(found.body, node.start_byte)
        elif capture == "doc":
            found.doc = found.doc or "\n".join(source.cut(*extent(part)) for part in nodes)
        elif capture == "base":
            found.bases.extend(source.cut(*extent(part)) for part in nodes)
        elif capture == "decorator":
            found.decorators.extend(one_line(source.cut(*extent(part))) for part in nodes)
        elif capture == "owner":
            found.owner = found.owner or source.cut(*extent(node))
        elif capture == "type":
            found.type = found.type or one_line(source.cut(*extent(node)))
        elif capture == "declaration":
            found.declaration = True
        elif capture.startswith("reach."):
            level = source.cut(*extent(node))[-1:] if capture == "reach.digit" else capture[6:]
            found.reach, found.body = int(level), source.line_end(found.name.end_byte)
        elif capture == "until":
            found.until = node.end_byte
        elif capture == "inside":
            found.until = node.parent.end_byte if node.parent else -1
        elif capture in ("public", "private", "file") and found.visibility is not Visibility.FILE:
            found.visibility = Visibility(capture)


def wrap(found: list[Found], wrappers: Iterable[Node]) -> None:
    """Let what a wrapper (`template <…>`) ends with begin where the wrapper begins."""
    around = {
        last.start_byte: node
        for node in wrappers
        if (last := node.named_child(node.named_child_count - 1)) and last.start_byte > node.start_byte
    }
    for each in found if around else ():
        while (node := around.get(each.header_start)) is not None:
            each.start, each.end = _widened(each, node)
            each.header_start = node.start_byte


def hide(source: Text, found: list[Found], exported: set[str]) -> None:
    """Make private what a module does not export; a file that exports nothing is no module and hides nothing."""
    if not exported and not any(each.visibility is Visibility.PUBLIC for each in found):
        return
    end = -1
    for each in sorted(found, key=lambda each: (each.start, -each.end)):
        outermost, end = each.start >= end, max(end, each.end)
        if (
            outermost
            and each.visibility is None
            and each.kind is not Kind.EXTENSION
            and not each.owner
            and source.cut(*extent(each.name)) not in exported
        ):
            each.visibility = Visibility.PRIVATE


def extend_reaching(source: Text, found: list[Found], comments: dict[int, Comment]) -> None:
    """Let a heading, table or stage reach to the next one of its level or a higher one, or to the end of the file."""
    reaching: list[Found] = []
    for each in sorted((each for each in found if each.reach), key=lambda each: each.start):
        start, _ = attach_above(source, each.start, comments)
        while reaching and (reaching[-1].reach >= each.reach or 0 <= reaching[-1].until <= start):
            last = reaching.pop()
            last.end = min(start, last.until) if last.until >= 0 else start
        reaching.append(each)
    for each in reaching:
        each.end = each.until if each.until >= 0 else len(source.data)


def _widened(found: Found, node: Node) -> tuple[int, int]:
    if found.start < 0:
        return node.start_byte, node.end_byte
    return min(found.start, node.start_byte), max(found.end, node.end_byte)
