"""The variants of the pipeline that are measured: stage upon stage, and the whole without one part at a time."""

from __future__ import annotations

from coderag.errors import BenchError
from coderag.recall import graph
from coderag.types import Without

WHOLE = "whole pipeline"


def built_up() -> dict[str, tuple[str, ...]]:
    """Rankings by the stage that adds them, in order. The walk along edges begins at frames and focus, so it comes after them."""
    from coderag.recall import RECALLERS

    first = {"vectors alone": ("vector",), "plus symbols": ("symbol",), "plus lexical": ("lexical", "joined")}
    known = {name for names in first.values() for name in names}
    others = {f"plus {name}": (name,) for name in RECALLERS if name not in known}
    return {**first, **others, "plus frames and focus": from_the_question(), "plus graph": (graph.NAME,)}


def rankings() -> tuple[str, ...]:
    """The name of every ranking that there can be."""
    return tuple(name for names in built_up().values() for name in names)


def stages() -> dict[str, Without]:
    """Every stage with all before it: rankings fused by rank, until the reranker comes last."""
    known: set[str] = set()
    found: dict[str, Without] = {}
    for stage, names in built_up().items():
        known.update(names)
        found[stage] = Without(recallers=frozenset({*rankings()} - known), reranker=True)
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

    around = (focus.HERE, focus.NEEDED, focus.USERS, focus.BESIDE, focus.KIN, focus.IMPORTED, focus.USED_BESIDE)
    return (traces.NAME, traces.AROUND, *around)


def without_named(names: str) -> Without:
    """What `--without` says: names of recallers and signals and the word `reranker`, separated by commas.

    A name that is both leaves out both.

    Raises:
        BenchError: a name is unknown.
    """
    from coderag.rerank.ranking import LATER_SIGNALS
    from coderag.rerank.signals import SIGNALS

    asked = frozenset(name.strip() for name in names.split(",") if name.strip())
    recallers = asked & {*rankings()}
    signals = asked & {signal.name for signal in (*SIGNALS, *LATER_SIGNALS)}
    unknown = sorted(asked - recallers - signals - {"reranker"})
    if unknown:
        raise BenchError(f"{unknown[0]!r} is no recaller and no signal; `coderag bench --ablate` lists them all")
    return Without(recallers, signals, "reranker" in asked)
