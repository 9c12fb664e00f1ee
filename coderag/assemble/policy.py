"""How much context there may be, in all and from one source, and the three named sizes.

Knows numbers and no items. A limit per source may be None: no limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from coderag.assemble.documents import Fields, json_text, one_of, parsed_json, plain


@dataclass(frozen=True, slots=True)
class ContextBudget:
    """How many items and tokens there may be in all. Required items may exceed both."""

    max_items: int = 12
    max_tokens: int = 4_000
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The budget as a JSON object."""
        return {"max_items": self.max_items, "max_tokens": self.max_tokens, **plain(self.extra)}

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """The inverse of `to_dict`; what is missing is as in `ContextBudget()`.

        Raises:
            ContextError: a field is of the wrong form.
        """
        fields = Fields(document, "a budget")
        return cls(fields.count("max_items", 12), fields.count("max_tokens", 4_000), fields.rest())


@dataclass(frozen=True, slots=True)
class ContextSourcePolicy:
    """How many items and tokens one source may give; sources are told apart by `ContextItem.quota`."""

    max_items_per_source: int | None = 6
    max_tokens_per_source: int | None = 2_500
    extra: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def unlimited(cls) -> Self:
        """No limit for any source."""
        return cls(None, None)

    def to_dict(self) -> dict[str, Any]:
        """The policy as a JSON object."""
        return {
            "max_items_per_source": self.max_items_per_source,
            "max_tokens_per_source": self.max_tokens_per_source,
            **plain(self.extra),
        }

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """The inverse of `to_dict`; what is missing is as in `ContextSourcePolicy()`, null is no limit.

        Raises:
            ContextError: a field is of the wrong form.
        """
        fields = Fields(document, "a source policy")
        items, tokens = "max_items_per_source", "max_tokens_per_source"
        return cls(fields.optional_count(items, 6), fields.optional_count(tokens, 2_500), fields.rest())


@dataclass(frozen=True, slots=True)
class ContextPolicy:
    """A budget and a source policy that belong together, under a name."""

    name: str
    budget: ContextBudget
    source_policy: ContextSourcePolicy
    extra: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def balanced(cls) -> Self:
        """The default: 12 items and 4,000 tokens, of one source 6 and 2,500."""
        return cls("balanced", ContextBudget(12, 4_000), ContextSourcePolicy(6, 2_500))

    @classmethod
    def compact(cls) -> Self:
        """8 items and 2,500 tokens, of one source 4 and 1,200."""
        return cls("compact", ContextBudget(8, 2_500), ContextSourcePolicy(4, 1_200))

    @classmethod
    def expansive(cls) -> Self:
        """20 items and 8,000 tokens, of one source 8 and 3,500."""
        return cls("expansive", ContextBudget(20, 8_000), ContextSourcePolicy(8, 3_500))

    @classmethod
    def named(cls, name: str) -> Self:
        """The policy of that name, in any case.

        Raises:
            ContextError: there is none.
        """
        found: Self = getattr(cls, one_of("policy", name, POLICIES))()
        return found

    def scaled(self, max_tokens: int) -> Self:
        """The policy for another number of tokens in all: the other limits in proportion, those of items never lower than they are."""
        budget, source = self.budget, self.source_policy
        before = max(budget.max_tokens, 1)

        def of(limit: int) -> int:
            return max(limit, limit * max_tokens // before)

        items, tokens = source.max_items_per_source, source.max_tokens_per_source
        return replace(
            self,
            budget=replace(budget, max_items=of(budget.max_items), max_tokens=max_tokens),
            source_policy=replace(
                source,
                max_items_per_source=None if items is None else of(items),
                max_tokens_per_source=None if tokens is None else tokens * max_tokens // before,
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """The policy as a JSON object."""
        return {
            "name": self.name,
            "budget": self.budget.to_dict(),
            "source_policy": self.source_policy.to_dict(),
            **plain(self.extra),
        }

    def to_json(self) -> str:
        """The policy as a JSON text."""
        return json_text(self.to_dict())

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """The inverse of `to_dict`.

        Raises:
            ContextError: a field is of the wrong form.
        """
        fields = Fields(document, "a policy")
        return cls(
            fields.text("name", ""),
            ContextBudget.from_dict(fields.mapping("budget")),
            ContextSourcePolicy.from_dict(fields.mapping("source_policy")),
            fields.rest(),
        )

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """The inverse of `to_json`.

        Raises:
            ContextError: it is no JSON, or not that of a policy.
        """
        return cls.from_dict(parsed_json(text, "a policy"))


POLICIES: Final = ("balanced", "compact", "expansive")
"""The names that `ContextPolicy.named` knows."""
