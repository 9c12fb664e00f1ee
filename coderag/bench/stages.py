"""The variants of the pipeline that are measured: stage upon stage, and the whole without one part at a time."""

from __future__ import annotations

from coderag.errors import BenchError
from coderag.types import Without

WHOLE = "whole pipeline"
BUILT_UP = (
    ("vectors alone", ("vector",)),
    ("plus symbols", ("symbol",)),
    ("plus lexical", ("lexical", "joined")),
    ("plus graph", ("graph",)),
)
"""Recallers by stage; one that is in no stage, and what a question names itself (frames, a focus), come after the last."""


def stages() -> dict[str, Without]:
    """Every stage with all before it: rankings fused by rank, until the reranker comes last."""
    from coderag.recall import RECALLERS

    everything = {*RECALLERS, *from_the_question()}
    known: set[str] = set()
    found: dict[str, Without] = {}
    for name, recallers in BUILT_UP:
        if here := {*recallers} & {*RECALLERS}:
            known |= here
            found[name] = Without(recallers=frozenset(everything - known), reranker=True)
    found["plus frames and focus"] = Without(reranker=True)
    return {**found, WHOLE: Without()}


def ablations() -> dict[str, Without]:
    """The whole without each recaller, each ranking that a question names itself, and each signal."""
    from coderag.recall import RECALLERS
    from coderag.rerank.ranking import LATER_SIGNALS
    from coderag.rerank.signals import SIGNALS

    recallers = {
        f"without recaller {name}": Without(recallers=frozenset((name,))) for name in (*RECALLERS, *from_the_question())
    }
    signals = {
        f"without signal {signal.name}": Without(signals=frozenset((signal.name,)))
        for signal in (*SIGNALS, *LATER_SIGNALS)
    }
    return {**recallers, **signals}


def from_the_question() -> tuple[str, ...]:
    """The names of the rankings that come from the question itself."""
    from coderag.rerank import focus, traces

    return (traces.NAME, traces.AROUND, focus.HERE, focus.NEEDED, focus.USERS, focus.BESIDE)


def without_named(names: str) -> Without:
    """What `--without` says: names of recallers and signals and the word `reranker`, separated by commas.

    A name that is both leaves out both.

    Raises:
        BenchError: a name is unknown.
    """
    from coderag.recall import RECALLERS
    from coderag.rerank.ranking import LATER_SIGNALS
    from coderag.rerank.signals import SIGNALS

    asked = frozenset(name.strip() for name in names.split(",") if name.strip())
    recallers = asked & {*RECALLERS, *from_the_question()}
    signals = asked & {signal.name for signal in (*SIGNALS, *LATER_SIGNALS)}
    unknown = sorted(asked - recallers - signals - {"reranker"})
    if unknown:
        raise BenchError(f"{unknown[0]!r} is no recaller and no signal; `coderag bench --ablate` lists them all")
    return Without(recallers, signals, "reranker" in asked)
