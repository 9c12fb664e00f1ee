"""From an index and a request to everything that a page shows. Asks through `Index` alone, as a search and a context are asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from coderag.assemble.payload import Payload
from coderag.assemble.policy import ContextPolicy
from coderag.assemble.results import ContextQuery
from coderag.diagnose.explain import by_weight
from coderag.inspect.neighbourhood import neighbourhood
from coderag.inspect.values import Candidate, Inspection, Proposal
from coderag.offer.asking import asked
from coderag.payload import Request, build_payload, code_payload, load_configuration
from coderag.types import Focus, Hit

if TYPE_CHECKING:
    from coderag.diagnose.trial import Trial
    from coderag.index import Index

MOST = 200
"""Candidates that a page shows, unless it is said."""

HITS = 12
"""The first candidates, whose neighbours are looked at."""


def inspected(index: Index, request: Request, most: int = MOST) -> Inspection:
    """Ask the index for the candidates and for the payload of a request; `most` candidates are kept.

    Raises:
        QueryError, ContextError: the request cannot be understood.
        ConfigError, BudgetError: the layers are configured wrongly, or what must be in the payload does not fit.
        NotIndexedError, IndexFormatError, IndexCorruptError: there is no index that can be read.
    """
    query = asked(ContextQuery(request.task, params=request.params), HITS)
    trial = index.trial(query)
    candidates = _candidates(index, trial, most)
    rankings = trial.rankings()
    return Inspection(
        request=request.to_dict(),
        payload=_payload(index, request),
        candidates=candidates,
        total=len(trial.candidates()),
        recallers=tuple((hits[0].recaller, len(hits)) for hits in rankings),
        neighbourhood=neighbourhood(trial.snapshot, [each.row for each in trial.ranking().ranked]),
        bias=trial.bias,
        generation=trial.snapshot.generation,
        focus=place_of(query.focus),
        notes=(*trial.notes(), *trial.snapshot.vector_notes),
    )


def place_of(focus: Focus | None) -> str:
    """A focus as it is written on a command line."""
    if focus is None:
        return ""
    last = f"-{focus.end_line}" if focus.end_line > focus.start_line else ""
    return f"{focus.path}:{focus.start_line}{last}"


def _payload(index: Index, request: Request) -> Payload:
    """By the layers where they are configured, else what the index alone gives."""
    if load_configuration(index.root) is not None:
        return build_payload(index, request)
    policy = ContextPolicy.named(request.policy)
    policy = policy.scaled(request.budget) if request.budget else policy
    return code_payload(request, index.context(request.task, policy=policy, form=request.form, **request.params))


def _candidates(index: Index, trial: Trial, most: int) -> tuple[Candidate, ...]:
    ranked = trial.everything()[:most]
    chunks = trial.snapshot.chunks([each.row for each in ranked])
    stale = index.stale_paths(chunk.path for chunk in chunks.values())
    proposals = _proposals(trial.rankings())
    found = ((rank, each, chunks[each.row]) for rank, each in enumerate(ranked, 1))
    return tuple(
        Candidate(
            id=chunk.id,
            rank=rank,
            score=each.score,
            path=chunk.path,
            symbol=chunk.symbol,
            kind=chunk.kind.value,
            language=chunk.language,
            start_line=chunk.span.start_line,
            end_line=chunk.span.end_line,
            text=chunk.text,
            signals=by_weight(each.reasons),
            proposals=tuple(proposals.get(each.row, ())),
            is_stale=chunk.path in stale,
        )
        for rank, each, chunk in found
    )


def _proposals(rankings: Sequence[Sequence[Hit]]) -> Mapping[int, list[Proposal]]:
    """What the recallers said, by row, in the order of the recallers."""
    found: dict[int, list[Proposal]] = defaultdict(list)
    for hits in rankings:
        for hit in hits:
            found[hit.row].append(Proposal(hit.recaller, hit.rank, hit.why))
    return found
