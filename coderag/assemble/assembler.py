"""The budgeted assembler: from what providers gave to what fits, in an order that is total, with a rule for everything that is left out.

1. Of two results with one provider's name the later one stands in for the earlier, which is dropped whole (`REPLACED`). Results of
   providers without a name all stand.
2. Of items with one identity (the source, else the id; across providers and types) the best stays: required before ordinary, then the
   score, then the relevance; the first seen on a tie (`DUPLICATE`).
3. Order: required first; score and relevance descending; tokens ascending; id, then identity, ascending by code point.
4. Required items are taken outside of all limits, and count into the total and the number of items. Of the others: the item limit ends the
   selection (`ITEM_LIMIT`), an item that is too long for what is left is skipped (`TOKEN_LIMIT`), and so is one whose source has given its
   share (`SOURCE_ITEMS`, `SOURCE_TOKENS`). Filling a limit exactly is allowed. No item is ever cut.
5. `truncated` is true when anything was dropped by 2 or 4. What a provider said of itself is kept apart, in `truncated_providers`.

Pure: knows no provider, no disk and no model.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby, islice
from operator import eq
from typing import Any, Self

from coderag.assemble.documents import MOST, Fields, json_text, one_of, parsed_json, plain, saturated
from coderag.assemble.items import ContextItem
from coderag.assemble.leftovers import Leftovers
from coderag.assemble.policy import ContextBudget, ContextPolicy, ContextSourcePolicy
from coderag.assemble.ranking import ranks
from coderag.assemble.results import ContextResult, Omission
from coderag.assemble.tokens import TokenCounter, estimate_tokens


class DropRule(StrEnum):
    """Why an item is not in an assembly. Closed: every dropped item has exactly one of these."""

    REPLACED = "replaced"
    DUPLICATE = "duplicate"
    ITEM_LIMIT = "item limit"
    TOKEN_LIMIT = "token limit"
    SOURCE_ITEMS = "source items"
    SOURCE_TOKENS = "source tokens"


@dataclass(frozen=True, slots=True)
class Dropped:
    """An item that was left out: by which rule, whose it was, its tokens (0: nobody had to count), and for a duplicate the id that stayed."""

    item: ContextItem
    rule: DropRule
    provider: str = ""
    tokens: int = 0
    stayed: str = ""

    @property
    def why(self) -> str:
        """The rule in words."""
        return f"{self.rule.value} of {self.stayed}" if self.stayed else self.rule.value

    def to_dict(self) -> dict[str, Any]:
        """As a JSON object."""
        return {
            "item": self.item.to_dict(),
            "rule": self.rule.value,
            "provider": self.provider,
            "tokens": self.tokens,
            "stayed": self.stayed,
        }

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """The inverse of `to_dict`.

        Raises:
            ContextError: a field is of the wrong form.
        """
        fields = Fields(document, "a dropped item")
        return cls(
            ContextItem.from_dict(fields.mapping("item")),
            DropRule(one_of("rule", fields.text("rule"), list(DropRule))),
            fields.text("provider", ""),
            fields.count("tokens", 0),
            fields.text("stayed", ""),
        )


@dataclass(frozen=True, slots=True)
class ContextAssembly:
    """What was selected, best first, and what was not.

    `tokens` has a count for each item. `truncated` says that something was dropped for being a duplicate or for want of room;
    `truncated_providers` are those who said that they had more, `left_out` what they named of it, `notes` what else they had to say.
    `named` are ids of dropped items that the rendered text mentions, so that whoever reads it can ask for them.
    """

    items: tuple[ContextItem, ...] = ()
    total_tokens: int = 0
    truncated: bool = False
    tokens: tuple[int, ...] = ()
    dropped: Sequence[Dropped] = ()
    truncated_providers: tuple[str, ...] = ()
    left_out: tuple[Omission, ...] = ()
    named: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", tuple(self.items))

    @property
    def is_empty(self) -> bool:
        """Whether nothing was selected."""
        return not self.items

    @property
    def provider_truncated(self) -> bool:
        """Whether any provider said that it had more."""
        return bool(self.truncated_providers)

    def to_xml(self) -> str:
        """The items alone as XML; see `rendering.to_xml`."""
        from coderag.assemble.rendering import to_xml

        return to_xml(self.items)

    def to_markdown(self) -> str:
        """The items alone as Markdown; see `rendering.to_markdown`."""
        from coderag.assemble.rendering import to_markdown

        return to_markdown(self.items)

    def render(self, form: str = "xml") -> str:
        """What a model is given, in the form "xml", "md" or "json", labelled as data; see `rendering.render`.

        Raises:
            ContextError: there is no such form.
        """
        from coderag.assemble.rendering import render

        return render(self, form)

    def to_dict(self) -> dict[str, Any]:
        """The assembly as a JSON object."""
        return {
            "items": [item.to_dict() for item in self.items],
            "total_tokens": self.total_tokens,
            "truncated": self.truncated,
            "tokens": list(self.tokens),
            "dropped": [each.to_dict() for each in self.dropped],
            "truncated_providers": list(self.truncated_providers),
            "left_out": [each.to_dict() for each in self.left_out],
            "named": list(self.named),
            "notes": list(self.notes),
            **plain(self.extra),
        }

    def to_json(self) -> str:
        """The assembly as a JSON text."""
        return json_text(self.to_dict())

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """The inverse of `to_dict`.

        Raises:
            ContextError: a field, or an item, is of the wrong form.
        """
        fields = Fields(document, "an assembly")
        return cls(
            items=tuple(ContextItem.from_dict(item) for item in fields.list("items")),
            total_tokens=fields.count("total_tokens", 0),
            truncated=fields.flag("truncated", False),
            tokens=tuple(map(int, fields.list("tokens"))),
            dropped=tuple(Dropped.from_dict(each) for each in fields.list("dropped")),
            truncated_providers=tuple(map(str, fields.list("truncated_providers"))),
            left_out=tuple(map(Omission.from_dict, fields.list("left_out"))),
            named=tuple(map(str, fields.list("named"))),
            notes=tuple(map(str, fields.list("notes"))),
            extra=fields.rest(),
        )

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """The inverse of `to_json`.

        Raises:
            ContextError: it is no JSON, or not that of an assembly.
        """
        return cls.from_dict(parsed_json(text, "an assembly"))


@dataclass(frozen=True, slots=True)
class ContextAssembler:
    """A budget, a source policy (the balanced ones unless given), and how tokens are counted.

    `count` is asked for the content of items that bring no count; `overhead` is added to every item, for what rendering puts around it
    (`rendering.overhead`), and is nothing unless given: a provider's own count is of what will be rendered.
    """

    budget: ContextBudget = field(default_factory=ContextBudget)
    source_policy: ContextSourcePolicy = field(default_factory=ContextSourcePolicy)
    count: TokenCounter = estimate_tokens
    overhead: Callable[[ContextItem], int] | None = None

    @classmethod
    def of(cls, policy: ContextPolicy | str) -> Self:
        """The assembler of a policy or of a named one.

        Raises:
            ContextError: there is no policy of that name.
        """
        chosen = policy if isinstance(policy, ContextPolicy) else ContextPolicy.named(policy)
        return cls(chosen.budget, chosen.source_policy)

    @classmethod
    def balanced(cls) -> Self:
        """The assembler of the balanced policy."""
        return cls.of(ContextPolicy.balanced())

    @classmethod
    def compact(cls) -> Self:
        """The assembler of the compact policy."""
        return cls.of(ContextPolicy.compact())

    @classmethod
    def expansive(cls) -> Self:
        """The assembler of the expansive policy."""
        return cls.of(ContextPolicy.expansive())

    def with_budget(self, budget: ContextBudget) -> Self:
        """The assembler with another budget."""
        return replace(self, budget=budget)

    def with_source_policy(self, source_policy: ContextSourcePolicy) -> Self:
        """The assembler with another source policy."""
        return replace(self, source_policy=source_policy)

    def with_counter(self, count: TokenCounter, overhead: Callable[[ContextItem], int] | None = None) -> Self:
        """The assembler with another way to count."""
        return replace(self, count=count, overhead=overhead)

    def assemble(self, results: Iterable[ContextResult] | ContextResult) -> ContextAssembly:
        """Select from results, or from one; their order decides only which of two equal duplicates stays."""
        given = (results,) if isinstance(results, ContextResult) else tuple(results)
        latest, replaced = _latest(given)
        pool = _Pool(self, latest)
        selection = _selected(self, pool)
        tokens = tuple(map(pool.tokens, selection.taken))
        return ContextAssembly(
            items=tuple(pool.items[position] for position in selection.taken),
            total_tokens=saturated(sum(tokens)),
            truncated=len(pool.best) < len(pool.items) or bool(selection.refused),
            tokens=tokens,
            dropped=_leftovers(replaced, pool, selection),
            truncated_providers=tuple(dict.fromkeys(each.provider for each in latest if each.truncated)),
            left_out=tuple(omission for each in latest for omission in each.left_out),
            notes=tuple(dict.fromkeys(note for each in latest for note in each.notes)),
        )


def _latest(results: Sequence[ContextResult]) -> tuple[list[ContextResult], list[Dropped]]:
    """The last result of each provider, in the order of those last ones; what was replaced."""
    last = {result.provider: position for position, result in enumerate(results)}
    kept: list[ContextResult] = []
    dropped: list[Dropped] = []
    for position, result in enumerate(results):
        if not result.provider or last[result.provider] == position:
            kept.append(result)
        else:
            dropped += [Dropped(item, DropRule.REPLACED, result.provider) for item in result.items]
    return kept, dropped


class _Pool:
    """The items of all results as numbered positions, without duplicates in `best`."""

    def __init__(self, assembler: ContextAssembler, results: Sequence[ContextResult]) -> None:
        self._assembler = assembler
        self.items = [item for result in results for item in result.items]
        self._providers = [result.provider for result in results for _ in result.items]
        self._scores, self._relevances = ranks(self.items)
        self._counted: dict[int, int] = {}
        self._lost: list[tuple[int, str]] = []
        self.best = self._without_duplicates()

    def _without_duplicates(self) -> dict[str, int]:
        best: dict[str, int] = {}
        for position, item in enumerate(self.items):
            identity = item.identity
            incumbent = best.setdefault(identity, position)
            if incumbent != position:
                better = self._strength(position) > self._strength(incumbent)
                best[identity] = position if better else incumbent
                self._lost.append((incumbent if better else position, identity))
        return best

    def _strength(self, position: int) -> tuple[bool, float, float]:
        return self.items[position].required, self._scores[position], self._relevances[position]

    def duplicates(self) -> list[Dropped]:
        """What lost against another item of its identity, in the order of the input."""
        stayed = {position: self.items[self.best[identity]].id for position, identity in self._lost}
        return [self.dropped(position, DropRule.DUPLICATE, stayed[position]) for position in sorted(stayed)]

    def dropped(self, position: int, rule: DropRule, stayed: str = "") -> Dropped:
        """An item as one that was left out. It need not be counted for that."""
        item = self.items[position]
        return Dropped(item, rule, self._providers[position], self._counted.get(position) or item.token_count, stayed)

    def tokens(self, position: int) -> int:
        """The tokens of an item: its own count, else that of its content and at least 1; and what rendering adds."""
        if position not in self._counted:
            assembler, item = self._assembler, self.items[position]
            own = item.token_count if item.token_count > 0 else max(assembler.count(item.content), 1)
            added = assembler.overhead(item) if assembler.overhead else 0
            self._counted[position] = saturated(own + added)
        return self._counted[position]

    def ordered(self) -> tuple[list[int], list[int]]:
        """Positions of required items and of ordinary ones, each best first."""
        required = [position for position in self.best.values() if self.items[position].required]
        apart = frozenset(required)
        ordinary = (
            [position for position in self.best.values() if position not in apart] if apart else self.best.values()
        )
        return self._sorted(required), self._sorted(ordinary)

    def _sorted(self, positions: Iterable[int]) -> list[int]:
        """By score and relevance; only items that tie have to be counted."""
        found = sorted(positions, key=self._relevances.__getitem__, reverse=True)
        if self._scores is not self._relevances:
            found.sort(key=self._scores.__getitem__, reverse=True)
        values = [self._scores[position] for position in found]
        return self._untied(found) if any(map(eq, values, islice(values, 1, None))) else found

    def _untied(self, found: Sequence[int]) -> list[int]:
        """The same order, where items of one score and one relevance are told apart by the rest of it."""
        scores, relevances = self._scores, self._relevances
        result: list[int] = []
        for _, group in groupby(found, key=lambda position: (scores[position], relevances[position])):
            tied = list(group)
            result += sorted(tied, key=self._tie) if len(tied) > 1 else tied
        return result

    def _tie(self, position: int) -> tuple[int, str, str]:
        item = self.items[position]
        return self.tokens(position), item.id, item.identity


@dataclass(slots=True)
class _Selection:
    """Positions that are taken, required ones first, and those that are refused with the rule for each."""

    taken: list[int]
    refused: list[int] = field(default_factory=list)
    rules: list[DropRule] = field(default_factory=list)


def _selected(assembler: ContextAssembler, pool: _Pool) -> _Selection:
    required, ordinary = pool.ordered()
    selection = _Selection(list(required))
    room = _Room(assembler, len(required), saturated(sum(map(pool.tokens, required))))
    for number, position in enumerate(ordinary):
        if room.is_full:
            selection.refused += ordinary[number:]
            selection.rules += [DropRule.ITEM_LIMIT] * (len(ordinary) - number)
            break
        rule = room.take(pool.items[position].quota, pool.tokens(position))
        if rule is None:
            selection.taken.append(position)
        else:
            selection.refused.append(position)
            selection.rules.append(rule)
    return selection


def _leftovers(replaced: Sequence[Dropped], pool: _Pool, selection: _Selection) -> Sequence[Dropped]:
    """Everything that was dropped: by being replaced, as a duplicate, then for want of room, best first."""
    earlier = (*replaced, *pool.duplicates())

    def make(number: int) -> Dropped:
        if number < len(earlier):
            return earlier[number]
        place = number - len(earlier)
        return pool.dropped(selection.refused[place], selection.rules[place])

    return Leftovers(len(earlier) + len(selection.refused), make)


class _Room:
    """What is left of the budget, in all and for each source. Sums need no end here: only what is below `MOST` is a limit."""

    def __init__(self, assembler: ContextAssembler, items: int, tokens: int) -> None:
        policy = assembler.source_policy
        self._most = assembler.budget.max_items, _limit(assembler.budget.max_tokens)
        self._most_of_source = _limit(policy.max_items_per_source), _limit(policy.max_tokens_per_source)
        self._items, self._tokens = items, tokens
        self._of_source: dict[str, tuple[int, int]] = {}

    @property
    def is_full(self) -> bool:
        return self._items >= self._most[0]

    def take(self, source: str, tokens: int) -> DropRule | None:
        """Take an item's tokens from what is left, or say which rule forbids it."""
        if self._tokens + tokens > self._most[1]:
            return DropRule.TOKEN_LIMIT
        count, spent = self._of_source.get(source, (0, 0))
        if count >= self._most_of_source[0]:
            return DropRule.SOURCE_ITEMS
        if spent + tokens > self._most_of_source[1]:
            return DropRule.SOURCE_TOKENS
        self._items += 1
        self._tokens += tokens
        self._of_source[source] = (count + 1, spent + tokens)
        return None


def _limit(most: int | None) -> float:
    return math.inf if most is None or most >= MOST else most
