"""A provider of texts that the host brings itself: its own instructions, a note, a rule. Also the shortest example of a provider."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from coderag.assemble.items import ContextItem
from coderag.assemble.results import ContextQuery, ContextResult
from coderag.assemble.tokens import TokenCounter, estimate_tokens

MARK: Final = "\n[context truncated]"
BYTES_A_TOKEN: Final = 4


@dataclass(frozen=True, slots=True)
class StaticProvider:
    """Always gives the same items, in their order, within the limits of the query.

    A first item that is too long is cut to four bytes a token and says so; at a later one it stops; both are `truncated`. Required items
    ignore the limit of tokens. `host_owned` decides whether they stay required.
    """

    items: tuple[ContextItem, ...]
    name: str = "static"
    host_owned: bool = False
    count: TokenCounter = estimate_tokens

    @classmethod
    def of_texts(
        cls, texts: Iterable[tuple[str, str]], name: str = "static", *, relevance: float = 1.0
    ) -> StaticProvider:
        """A provider of named texts."""
        return cls(
            tuple(ContextItem(key, content=text, relevance=relevance, source=f"{name}:{key}") for key, text in texts),
            name,
        )

    def query(self, query: ContextQuery) -> ContextResult:
        """The items of the wanted types, as many as the query allows."""
        most_items, most_tokens = max(query.max_results, 1), max(query.max_tokens, 1)
        kept: list[ContextItem] = []
        spent, truncated = 0, False
        for item in self.items:
            counted = self._counted(item)
            if not query.wants(item.context_type):
                continue
            if len(kept) >= most_items:
                truncated = True
                break
            if not counted.required and spent + counted.token_count > most_tokens:
                truncated = True
                if kept:
                    break
                counted = cut(counted, most_tokens)
            kept.append(counted)
            spent += 0 if counted.required else counted.token_count
        return ContextResult(self.name, tuple(kept), truncated=truncated)

    def _counted(self, item: ContextItem) -> ContextItem:
        return item if item.token_count else replace(item, token_count=max(self.count(item.content), 1))


def cut(item: ContextItem, tokens: int) -> ContextItem:
    """The beginning of an item, at most four bytes for each token, whole characters, with a mark at its end."""
    content = item.content.encode("utf-8", "surrogatepass")[: tokens * BYTES_A_TOKEN].decode("utf-8", "ignore")
    return replace(item, content=f"{content}{MARK}", token_count=tokens)
