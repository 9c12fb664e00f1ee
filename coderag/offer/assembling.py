"""A task answered: providers asked, their answers assembled within a policy, counted as they will be rendered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from coderag.assemble.assembler import ContextAssembler, ContextAssembly, DropRule
from coderag.assemble.policy import ContextBudget, ContextPolicy
from coderag.assemble.providing import ContextProvider, gather
from coderag.assemble.rendering import LABEL, NOT_SHOWN, form_named, overhead
from coderag.assemble.results import ContextQuery
from coderag.assemble.tokens import TokenCounter, estimate_tokens
from coderag.offer.presenting import SCHEME, Style
from coderag.offer.provider import IndexProvider, Offering

_OFFERED: Final = 2
"""An index is asked for so many times the items and tokens of the budget, so that the assembler has a choice and can say what it left out."""

_NAMED: Final = 12
"""So many things that there was no room for are named at most."""


def assembled(
    as_provider: Callable[[Offering], IndexProvider],
    query: ContextQuery | str,
    params: Mapping[str, Any],
    policy: ContextPolicy | str,
    providers: Sequence[ContextProvider],
    form: str,
    count: TokenCounter | None,
) -> ContextAssembly:
    """The assembly for a task; see `Index.context`."""
    chosen = policy if isinstance(policy, ContextPolicy) else ContextPolicy.named(policy)
    style = Style(form_named(form), count or estimate_tokens)
    index = as_provider(Offering(style=style, largest=_largest(chosen), matches=chosen.budget.max_items))
    asked = _asked(query, params, chosen)
    index_result = index.query(asked)
    others = gather(providers, asked)
    room = max(chosen.budget.max_tokens - style.count(f"{LABEL}\n\n"), 0)
    assembler = ContextAssembler(ContextBudget(chosen.budget.max_items, room), chosen.source_policy, style.count)
    added = overhead(style.form, style.count)
    counted = (
        replace(
            result, items=tuple(item.with_token_count(style.count(item.content) + added(item)) for item in result.items)
        )
        for result in others.results
    )
    assembly = assembler.assemble((index_result, *counted))
    named = tuple(_named(assembly, style, room - assembly.total_tokens))
    failures = (f"{failure.provider} {failure.why}" for failure in others.failures)
    return replace(assembly, named=named, notes=(*assembly.notes, *failures))


def _asked(query: ContextQuery | str, params: Mapping[str, Any], policy: ContextPolicy) -> ContextQuery:
    if isinstance(query, ContextQuery):
        return query.with_params(**params) if params else query
    return ContextQuery(
        query,
        (),
        max_results=_OFFERED * policy.budget.max_items,
        max_tokens=_OFFERED * policy.budget.max_tokens,
        params=params,
    )


def _largest(policy: ContextPolicy) -> int:
    """What one item may have so that it can be selected at all."""
    of_source = policy.source_policy.max_tokens_per_source
    return min(policy.budget.max_tokens, policy.budget.max_tokens if of_source is None else of_source)


def _named(assembly: ContextAssembly, style: Style, room: int) -> Iterator[str]:
    """What there was no room for, most relevant first: as many as the tokens that are left can name, and no more than are of use."""
    dropped = sorted(assembly.dropped, key=lambda each: (-each.item.relevance, each.item.id))
    of_room = (each.item.id for each in dropped if each.rule not in (DropRule.REPLACED, DropRule.DUPLICATE))
    of_index = (each.source.removeprefix(f"{SCHEME}:") for each in assembly.left_out)
    room -= style.count(f"\n\n{NOT_SHOWN}")
    for name in islice(dict.fromkeys((*of_room, *of_index)), _NAMED):
        room -= style.count(f"{name}, ")
        if room < 0:
            return
        yield name
