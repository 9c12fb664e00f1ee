"""What a provider is asked and what it answers.

Knows items and no provider. `total_tokens` of a result is the raw sum of what its items say, so an item that nobody counted adds
nothing; the assembler does not look at it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from coderag.assemble.documents import Fields, json_text, parsed_json, plain, saturated
from coderag.assemble.items import ContextDepth, ContextItem, ContextType, context_depth, context_type


@dataclass(frozen=True, slots=True)
class ContextQuery:
    """A question to every provider alike.

    `context_types` is what is wanted, empty for anything. `params` is free: coderag reads `focus`, `open_files`, `trace` and `edits`.
    """

    query: str = ""
    context_types: tuple[ContextType, ...] = (ContextType.RESOURCE,)
    depth: ContextDepth = ContextDepth.OVERVIEW
    max_results: int = 10
    max_tokens: int = 4_000
    session_id: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        types = (self.context_types,) if isinstance(self.context_types, str) else self.context_types
        object.__setattr__(self, "context_types", tuple(map(context_type, types)))
        object.__setattr__(self, "depth", context_depth(self.depth))

    def wants(self, kind: ContextType | str) -> bool:
        """Whether items of a type are asked for."""
        return not self.context_types or context_type(kind) in self.context_types

    def with_params(self, **params: Any) -> Self:
        """The query with more parameters."""
        return replace(self, params={**self.params, **params})

    def to_dict(self) -> dict[str, Any]:
        """The query as a JSON object."""
        return {
            "query": self.query,
            "context_types": [kind.value for kind in self.context_types],
            "depth": self.depth.value,
            "max_results": self.max_results,
            "max_tokens": self.max_tokens,
            "session_id": self.session_id,
            "params": plain(self.params),
            **plain(self.extra),
        }

    def to_json(self) -> str:
        """The query as a JSON text."""
        return json_text(self.to_dict())

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """The inverse of `to_dict`. A query that names no types wants any: unlike the constructor's, the default is empty.

        Raises:
            ContextError: `query` is missing or a field is of the wrong form.
        """
        fields = Fields(document, "a context query")
        return cls(
            query=fields.text("query"),
            context_types=tuple(map(context_type, fields.list("context_types"))),
            depth=context_depth(fields.text("depth", ContextDepth.OVERVIEW)),
            max_results=fields.count("max_results", 10),
            max_tokens=fields.count("max_tokens", 4_000),
            session_id=fields.optional_text("session_id"),
            params=fields.mapping("params"),
            extra=fields.rest(),
        )

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """The inverse of `to_json`.

        Raises:
            ContextError: it is no JSON, or not that of a query.
        """
        return cls.from_dict(parsed_json(text, "a context query"))


@dataclass(frozen=True, slots=True)
class Omission:
    """Something that a provider could have given and did not: its source, and why."""

    source: str
    why: str

    def to_dict(self) -> dict[str, Any]:
        """As a JSON object."""
        return {"source": self.source, "why": self.why}

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """The inverse of `to_dict`.

        Raises:
            ContextError: a field is of the wrong form.
        """
        fields = Fields(document, "an omission")
        return cls(fields.text("source", ""), fields.text("why", ""))


@dataclass(frozen=True, slots=True)
class ContextResult:
    """What one provider gives in one turn, best first.

    `provider` is its name; `truncated` says that it had more. `total_tokens` is the sum of the items' counts unless it is given.
    `left_out` and `notes` are for people: what was not given and what could not be known.
    """

    provider: str = ""
    items: tuple[ContextItem, ...] = ()
    total_tokens: int = -1
    truncated: bool = False
    left_out: tuple[Omission, ...] = ()
    notes: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", tuple(self.items))
        if self.total_tokens < 0:
            object.__setattr__(self, "total_tokens", saturated(sum(item.token_count for item in self.items)))

    @property
    def is_empty(self) -> bool:
        """Whether there are no items."""
        return not self.items

    def with_item(self, item: ContextItem) -> Self:
        """The result with one more item."""
        return self.with_items((item,))

    def with_items(self, items: Iterable[ContextItem]) -> Self:
        """The result with more items, whose counts are added to the total."""
        more = tuple(items)
        total = saturated(self.total_tokens + sum(item.token_count for item in more))
        return replace(self, items=(*self.items, *more), total_tokens=total)

    def with_truncated(self, truncated: bool = True) -> Self:
        """The result, saying whether there was more."""
        return replace(self, truncated=truncated)

    def to_xml(self) -> str:
        """The items as XML; see `rendering.to_xml`."""
        from coderag.assemble.rendering import to_xml

        return to_xml(self.items)

    def to_dict(self) -> dict[str, Any]:
        """The result as a JSON object; `left_out` and `notes` only where there are some."""
        left_out = [each.to_dict() for each in self.left_out]
        return {
            "items": [item.to_dict() for item in self.items],
            "total_tokens": self.total_tokens,
            "provider": self.provider,
            "truncated": self.truncated,
            **({"left_out": left_out} if left_out else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
            **plain(self.extra),
        }

    def to_json(self) -> str:
        """The result as a JSON text."""
        return json_text(self.to_dict())

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """The inverse of `to_dict`; a total that is missing is the sum of the items' counts.

        Raises:
            ContextError: a field, or an item, is of the wrong form.
        """
        fields = Fields(document, "a context result")
        items = tuple(ContextItem.from_dict(item) for item in fields.list("items"))
        return cls(
            provider=fields.text("provider", ""),
            items=items,
            total_tokens=fields.count("total_tokens", saturated(sum(item.token_count for item in items))),
            truncated=fields.flag("truncated", False),
            left_out=tuple(map(Omission.from_dict, fields.list("left_out"))),
            notes=tuple(map(str, fields.list("notes"))),
            extra=fields.rest(),
        )

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """The inverse of `to_json`.

        Raises:
            ContextError: it is no JSON, or not that of a result.
        """
        return cls.from_dict(parsed_json(text, "a context result"))
