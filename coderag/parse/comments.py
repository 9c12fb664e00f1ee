"""Comments and attributes that stand above or below a definition and belong to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

from coderag.languages import Language, doc_marks
from coderag.parse.text import BLANK, Text, extent

_COMMENT_MARKS = re.compile(
    r"^\s*(?:/\*\*?!?|\*/|\*(?!/)|///?!?|//!|#+!?|--+(?: ?[|^])?|;+|%+|\{-(?: ?[|^])?|-\}|\(\*|\*\))? ?|\s*\*/\s*$"
)
_QUOTES = re.compile(r"^[rRbBuUfF@]*(?:\"\"\"|'''|\"|')|(?:\"\"\"|'''|\"|')$")
_REST_OF_LINE = re.compile(rb"[ \t]*[;,]?[ \t]*(?:(?:#|//|--|/\*).*)?$")
_COMMENT_SIGNS = (b"//", b"/*", b"#", b"--")


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment or attribute that has its lines to itself."""

    start: int
    end: int
    first: int
    last: int
    column: int
    comment: bool


def attachable(source: Text, leaves: dict[str, list[Node]]) -> dict[int, Comment]:
    """Comments and attributes that begin their line, by the line on which they end."""
    result: dict[int, Comment] = {}
    for capture in ("comment", "attached"):
        for node in leaves.get(capture, ()):
            start, end = extent(node)
            line_start = source.indent_start(start)
            if line_start == start and start and source.data[start - 1] != 10:
                continue
            if source.data[end - 1 : end] == b"\n":
                end -= 1
            first, last = source.line(start), source.line(max(start, end - 1))
            rest = source.data[end : source.line_end(end)].strip(BLANK)
            if rest and (capture == "comment" or not rest.startswith(_COMMENT_SIGNS)):
                continue
            if first == 1 and source.data.startswith(b"#!"):
                continue
            result[last] = Comment(line_start, end, first, last, start - line_start, capture == "comment")
    return result


def attach_above(source: Text, start: int, comments: dict[int, Comment]) -> tuple[int, list[Comment]]:
    """Widen a start over the comments and attributes directly above it, at the same indentation."""
    column, start = start, source.indent_start(start)
    column -= start
    line = source.line(start)
    leading: list[Comment] = []
    while start == source.starts[line - 1] and line - 1 in comments and comments[line - 1].column == column:
        above = comments[line - 1]
        leading.append(above)
        start, line = above.start, above.first
    return start, leading[::-1]


def attach_below(
    source: Text, row: Language, start: int, end: int, header_start: int, starts: dict[int, Comment]
) -> int:
    """Widen an end over what is left of its line (a sign, a comment) and, where indentation says so, comments below."""
    while end > start and source.data[end - 1] in b"\n\r \t":
        end -= 1
    rest = source.data[end : source.line_end(end)]
    if _REST_OF_LINE.match(rest):
        end += len(rest.rstrip())
    if not row.indented:
        return end
    column = header_start - source.indent_start(header_start)
    line = source.line(max(0, end - 1)) + 1
    while line in starts and starts[line].comment and starts[line].column > column:
        end, line = starts[line].end, starts[line].last + 1
    return end


def plain_doc(doc: str) -> str:
    """Documentation in a string, without its quotes and indentation."""
    if not doc:
        return ""
    return "\n".join(line.strip() for line in _QUOTES.sub("", doc.strip()).strip().splitlines()).strip()


def comment_doc(source: Text, row: Language, comments: list[Comment]) -> str:
    """Documentation in comments, without what marks them as such."""
    if not comments:
        return ""
    marks = doc_marks(row.name)
    lines = [
        marks.sub("", _COMMENT_MARKS.sub("", line)) if row.doc_marks else _COMMENT_MARKS.sub("", line)
        for comment in comments
        if comment.comment
        for line in source.cut(comment.start, comment.end).splitlines()
    ]
    return "\n".join(line.strip() for line in lines).strip()
