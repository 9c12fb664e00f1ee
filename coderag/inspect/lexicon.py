"""What a page must know of a language to colour its code: keywords, marks of comments, quotes. Asked of the grammar itself.

A grammar lists its keywords. Marks and quotes are found by giving it a few words between them and looking at what it makes of those. So
there is no table of languages here, and no text of a repository is parsed in this process. A language without a grammar stays plain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from coderag.languages import BY_NAME

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Parser

_KEYWORD: Final = re.compile(r"[A-Za-z]{2,}")
_COMMENTS: Final = (
    ("<!--", "-->"),
    ("--[[", "]]"),
    ("{-", "-}"),
    ("/*", "*/"),
    ("//", ""),
    ("--", ""),
    ("#", ""),
    (";", ""),
)
_QUOTES: Final = ('"""', "'''", '"', "'", "`")
_OPENINGS: Final = ("", "<?php\n")  # what a grammar of templates needs before there is any code
_AROUND: Final = ("{}", "x = {}\n", "x = {};\n", "func f() {{ x({}) }}\n")
_WORDS: Final = "some words"


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Keywords; pairs of marks around a comment, the second "" for one that ends with its line; and quotes, the longest first."""

    keywords: tuple[str, ...] = ()
    comments: tuple[tuple[str, str], ...] = ()
    quotes: tuple[str, ...] = ()


@cache
def lexicon(language: str) -> Lexicon:
    """The lexicon of a language by its name; an empty one for a language that has no grammar or is unknown."""
    from tree_sitter import Parser

    from coderag.languages.grammar import grammar

    found = grammar(language) if language in BY_NAME else None
    if found is None:
        return Lexicon()
    kinds = (found.node_kind_for_id(number) for number in range(found.node_kind_count) if _is_token(found, number))
    parser = Parser(found)

    return Lexicon(
        tuple(sorted({kind for kind in kinds if kind and _KEYWORD.fullmatch(kind)})),
        tuple(marks for marks in _COMMENTS if _is_read(parser, _between(*marks), "{}\n", _COMMENT)),
        tuple(
            quote
            for quote in _QUOTES
            if any(_is_read(parser, f"{quote}{_WORDS}{quote}", around, _STRING) for around in _AROUND)
        ),
    )


def _between(start: str, end: str) -> str:
    """A comment; over two lines where its end is marked, so that one that ends with its line is not taken for it."""
    return f"{start} some\nwords {end}" if end else f"{start} {_WORDS}"


def _is_read(parser: Parser, text: str, around: str, kind: re.Pattern[str]) -> bool:
    return any(
        _holds(parser.parse(f"{opening}{around.format(text)}".encode()).root_node, text, kind) for opening in _OPENINGS
    )


_COMMENT: Final = re.compile("comment")
_STRING: Final = re.compile("string|str_lit|literal|char|template|rune|scalar")


def _is_token(found: Grammar, number: int) -> bool:
    return found.node_kind_is_visible(number) and not found.node_kind_is_named(number)


def _holds(root: Node, wanted: str, kind: re.Pattern[str]) -> bool:
    """Whether a node of that kind is the wanted text and free of errors."""
    return any(
        kind.search(node.type) and not node.has_error and (node.text or b"").decode().strip() == wanted
        for node in _nodes(root)
    )


def _nodes(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(node.children)
