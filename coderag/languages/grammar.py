"""Compiled grammars and queries, one per language and process. The only module that loads a grammar wheel.

A query file has patterns of two sorts. Patterns with `@name`, `@import…`, `@binding…`, `@export…` or `@module` are matched as wholes
(STRUCTURE); all others are leaf captures (REFERENCES), which are cheaper by an order of magnitude because no match object is
made. The captures that a query file may use are listed in `coderag/parse/__init__.py`.

A query is analysed when it is compiled, in every process that parses: what it costs grows with the parents that a pattern names, the
ways through their grammar up to the last child asked for, and the alternatives on it. A parent deeper in a pattern that a field
already tells apart is therefore written `_`, and patterns for one parent are few. In a leaf pattern nothing may be asked for after a
capture below such a `_`: tree-sitter hands the capture out before it has seen the rest.
"""

from __future__ import annotations

import importlib
import re
import warnings
from dataclasses import dataclass
from functools import cache

from tree_sitter import Language as Grammar
from tree_sitter import Parser, Query

from coderag.languages.query import query_source
from coderag.languages.table import BY_NAME

_STRUCTURE = re.compile(r"@(?:name|import|binding|export|module|splice)\b")


_QUERY_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|;[^\n]*')
_QUERY_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[()\[\]]')


@dataclass(frozen=True, slots=True)
class Compiled:
    """What it takes to parse one language. `structure` and `references` are the two halves of its query file."""

    parser: Parser
    structure: Query
    references: Query


@cache
def compiled(language: str) -> Compiled | None:
    """The grammar and queries of a row, None for text without a grammar."""
    row = BY_NAME[language]
    source = query_source(language) if row.grammar else ""
    if not source:
        return None
    module, _, function = row.grammar.partition(":")
    grammar = _grammar(module, function)
    patterns = _patterns(source)
    structure = [pattern for pattern in patterns if _STRUCTURE.search(pattern)]
    references = [pattern for pattern in patterns if not _STRUCTURE.search(pattern)]
    return Compiled(Parser(grammar), Query(grammar, "\n".join(structure)), Query(grammar, "\n".join(references)))


def grammar(language: str) -> Grammar | None:
    """The grammar of a row without its queries, which take longer to compile; None for text without one."""
    module, _, function = BY_NAME[language].grammar.partition(":")
    return _grammar(module, function) if module else None


def _grammar(module: str, function: str) -> Grammar:
    """The grammar of a wheel. Some wheels hand out an address instead of a capsule, which tree-sitter takes under protest."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return Grammar(getattr(importlib.import_module(module), function)())


def _patterns(source: str) -> list[str]:
    """The patterns of a query file, each from a bracket or string at depth 0 to the next one, without comments.

    Compiling the file only to ask where its patterns are would take as long again as compiling the two halves.
    """
    source = _QUERY_COMMENT.sub(lambda match: match.group(1) or "", source)
    depth, starts = 0, []
    for match in _QUERY_TOKEN.finditer(source):
        if not depth and match.group() not in (")", "]"):
            starts.append(match.start())
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(match.group(), 0)
    return [source[start:end].strip() for start, end in zip(starts, [*starts[1:], len(source)], strict=True)]
