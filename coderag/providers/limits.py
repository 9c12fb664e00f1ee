"""A query's limits, kept in one place: items one after another until there are enough."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from coderag.assemble.items import ContextItem
from coderag.assemble.results import ContextQuery, ContextResult
from coderag.assemble.tokens import TokenCounter


def within(provider: str, items: Iterable[ContextItem], query: ContextQuery, count: TokenCounter) -> ContextResult:
    """As many of the items as a query has room for, counted; one that is too long is passed over, and the result says that there was more."""
    kept: list[ContextItem] = []
    spent, truncated = 0, False
    for item in items:
        if len(kept) >= max(query.max_results, 1):
            truncated = True
            break
        counted = item if item.token_count else replace(item, token_count=count(item.content))
        if spent + counted.token_count > query.max_tokens:
            truncated = True
            continue
        kept.append(counted)
        spent += counted.token_count
    return ContextResult(provider, tuple(kept), truncated=truncated)
