"""One piece of context: whole or absent, with what the assembler needs to place it.

Knows the reserved keys of metadata and how they are read; knows no provider and no budget. A wrong type in metadata is never an
error: it reads as 0, as absent or as not required. Numbers that are none (NaN) are 0; infinities are the largest number of 32 bits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, Self

from coderag.assemble.documents import Fields, as_float, json_text, one_of, parsed_json, plain

PROVENANCE: Final = "a3s.context.provenance"
PRIORITY: Final = "a3s.context.priority"
TRUST: Final = "a3s.context.trust"
FRESHNESS: Final = "a3s.context.freshness"
REQUIRED: Final = "a3s.context.required"
"""Reserved keys of `ContextItem.metadata`. Only the host's own instructions may be required: see `providing.gather`."""

LARGEST: Final = 3.4028234663852886e38
"""The largest finite number of 32 bits."""


class ContextType(StrEnum):
    """What a piece of context is. Serialised as these words."""

    MEMORY = "Memory"
    RESOURCE = "Resource"
    SKILL = "Skill"


class ContextDepth(StrEnum):
    """How much of a thing is wanted: about 100 tokens, about 2,000, or all of it. Each provider decides what that means."""

    ABSTRACT = "Abstract"
    OVERVIEW = "Overview"
    FULL = "Full"


def context_type(value: Any) -> ContextType:
    """The type of that name, in any case.

    Raises:
        ContextError: there is none.
    """
    return value if type(value) is ContextType else ContextType(one_of("context_type", value, list(ContextType)))


def context_depth(value: Any) -> ContextDepth:
    """The depth of that name, in any case.

    Raises:
        ContextError: there is none.
    """
    return value if type(value) is ContextDepth else ContextDepth(one_of("depth", value, list(ContextDepth)))


@dataclass(frozen=True, slots=True)
class ContextItem:
    """A piece of context.

    `token_count` 0 means that nobody has counted. `relevance` is taken as it is given (`with_relevance` clamps it). `source` names
    what the item shows, like a URI: of two items with one source the better one survives. `extra` holds unknown fields of JSON.
    """

    id: str
    context_type: ContextType = ContextType.RESOURCE
    content: str = ""
    token_count: int = 0
    relevance: float = 0.0
    source: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if type(self.context_type) is not ContextType:
            object.__setattr__(self, "context_type", context_type(self.context_type))
        if self.token_count < 0:
            object.__setattr__(self, "token_count", 0)
        if type(self.relevance) is not float:
            object.__setattr__(self, "relevance", as_float(self.relevance))
        if not math.isfinite(self.relevance):
            value = 0.0 if math.isnan(self.relevance) else math.copysign(LARGEST, self.relevance)
            object.__setattr__(self, "relevance", value)

    # Building

    def with_content(self, content: str, token_count: int = 0) -> Self:
        """The item with another text."""
        return replace(self, content=content, token_count=token_count)

    def with_token_count(self, token_count: int) -> Self:
        """The item with a count of tokens."""
        return replace(self, token_count=token_count)

    def with_relevance(self, relevance: float) -> Self:
        """The item with a relevance, clamped to [0, 1]."""
        return replace(self, relevance=clamped(relevance))

    def with_source(self, source: str | None) -> Self:
        """The item with a source."""
        return replace(self, source=source)

    def with_metadata(self, key: str, value: Any) -> Self:
        """The item with one more entry of metadata."""
        return replace(self, metadata={**self.metadata, key: value})

    def with_provenance(self, provenance: str) -> Self:
        """The item with the name of where it comes from, which is what quotas count by."""
        return self.with_metadata(PROVENANCE, provenance)

    def with_priority(self, priority: float) -> Self:
        """The item with a priority, clamped to [0, 1]."""
        return self.with_metadata(PRIORITY, _written(priority))

    def with_trust(self, trust: float) -> Self:
        """The item with a trust, clamped to [0, 1]."""
        return self.with_metadata(TRUST, _written(trust))

    def with_freshness(self, freshness: float) -> Self:
        """The item with a freshness, clamped to [0, 1]."""
        return self.with_metadata(FRESHNESS, _written(freshness))

    def with_required(self, required: bool = True) -> Self:
        """The item as one that stands outside of all limits; for the host's own instructions alone."""
        return self.with_metadata(REQUIRED, required)

    def without_required(self) -> Self:
        """The item as an ordinary one."""
        if REQUIRED not in self.metadata:
            return self
        return replace(self, metadata={key: value for key, value in self.metadata.items() if key != REQUIRED})

    # Reading

    @property
    def provenance(self) -> str | None:
        """Where it comes from, None where nobody says so in a text."""
        value = self.metadata.get(PROVENANCE)
        return value if isinstance(value, str) else None

    @property
    def priority(self) -> float:
        """How much it matters, in [0, 1]."""
        return clamped(self.metadata.get(PRIORITY))

    @property
    def trust(self) -> float:
        """How far it can be relied on, in [0, 1]."""
        return clamped(self.metadata.get(TRUST))

    @property
    def freshness(self) -> float:
        """How recent it is, in [0, 1]."""
        return clamped(self.metadata.get(FRESHNESS))

    @property
    def required(self) -> bool:
        """Whether it stands outside of all limits. Only JSON's `true` says so."""
        return self.metadata.get(REQUIRED) is True

    @property
    def identity(self) -> str:
        """What two items share that are one: the source, also an empty one, else the id."""
        return self.id if self.source is None else self.source

    @property
    def quota(self) -> str:
        """What quotas count by: the provenance, else the part of the source before its first colon, else the type."""
        provenance = self.metadata.get(PROVENANCE)
        if isinstance(provenance, str):
            return f"provenance:{provenance}"
        if self.source is not None:
            return f"source:{self.source.partition(':')[0]}"
        return f"type:{self.context_type.value}"

    # JSON

    def to_dict(self) -> dict[str, Any]:
        """The item as a JSON object; unknown fields of the one that it was read from come last."""
        return {
            "id": self.id,
            "context_type": self.context_type.value,
            "content": self.content,
            "token_count": self.token_count,
            "relevance": self.relevance,
            "source": self.source,
            "metadata": plain(self.metadata),
            **plain(self.extra),
        }

    def to_json(self) -> str:
        """The item as a JSON text."""
        return json_text(self.to_dict())

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """The inverse of `to_dict`. Nothing is clamped.

        Raises:
            ContextError: `id`, `context_type` or `content` is missing, or a field is of the wrong form.
        """
        fields = Fields(document, "a context item")
        return cls(
            id=fields.text("id"),
            context_type=context_type(fields.text("context_type")),
            content=fields.text("content"),
            token_count=fields.count("token_count", 0),
            relevance=fields.number("relevance", 0.0),
            source=fields.optional_text("source"),
            metadata=fields.mapping("metadata"),
            extra=fields.rest(),
        )

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """The inverse of `to_json`.

        Raises:
            ContextError: it is no JSON, or not that of an item.
        """
        return cls.from_dict(parsed_json(text, "a context item"))


def clamped(value: Any) -> float:
    """A number in [0, 1]; 0 for what is no number."""
    if isinstance(value, float | int) and not isinstance(value, bool):
        return min(max(as_float(value), 0.0), 1.0) if value == value else 0.0
    return 0.0


def _written(value: float) -> float | None:
    """As metadata keep it: NaN is null."""
    return None if value != value else clamped(value)
