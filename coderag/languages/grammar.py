"""Compiled grammars and queries, one per language and process. The only module that loads a grammar wheel.

A query file has patterns of two sorts. Patterns with `@name`, `@import…`, `@binding…`, `@export…` or `@module` are matched as wholes
(STRUCTURE); all others are leaf captures (REFERENCES), which are cheaper by an order of magnitude because no match object is
made. The captures that a query file may use are listed in `coderag/parse.py`.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tree_sitter import Language as Grammar
from tree_sitter import Parser, Query

from coderag.languages.table import BY_NAME

_STRUCTURE = re.compile(r"@(?:name|import|binding|export|module|splice)\b")


@dataclass(frozen=True, slots=True)
class Compiled:
    """What it takes to parse one language. `structure` and `references` are the two halves of its query file."""

    parser: Parser
    structure: Query
    references: Query
    errors: Query


@cache
def compiled(language: str) -> Compiled | None:
    """The grammar and queries of a row, None for text without a grammar."""
    row = BY_NAME[language]
    if not row.grammar:
        return None
    module, _, function = row.grammar.partition(":")
    grammar = Grammar(getattr(importlib.import_module(module), function)())
    source = resources.files(__package__).joinpath(row.query or f"{language}.scm").read_text(encoding="utf-8")
    whole = Query(grammar, source)
    raw = source.encode()
    structure: list[str] = []
    references: list[str] = []
    for index in range(whole.pattern_count):
        pattern = raw[whole.start_byte_for_pattern(index) : whole.end_byte_for_pattern(index)].decode()
        (structure if _STRUCTURE.search(pattern) else references).append(pattern)
    return Compiled(
        Parser(grammar),
        Query(grammar, "\n".join(structure)),
        Query(grammar, "\n".join(references)),
        Query(grammar, "(ERROR) @error (MISSING) @error"),
    )
