"""What a query says beside its words: frames of a trace, a focus. Read before recall, because a trace is searched without its frames."""

from __future__ import annotations

from dataclasses import dataclass, replace

from coderag.rerank import focus, traces
from coderag.rerank.neighbours import Linked
from coderag.types import Hit, Query


@dataclass(frozen=True, slots=True)
class Reading:
    """The query as recallers should see it, and rankings that come from the query itself."""

    query: Query
    rankings: tuple[tuple[Hit, ...], ...] = ()
    notes: tuple[str, ...] = ()


def read(snapshot: Linked, query: Query) -> Reading:
    """Find traces in the text and in `Query.trace`, and what stands around the focus.

    What is searched for is the text without frames, which are found already, and the code that the innermost ones show; where that
    leaves nothing, the frames.
    """
    rankings: list[tuple[Hit, ...]] = []
    notes: list[str] = []
    text = f"{query.text}\n{query.trace}" if query.trace else query.text
    trace = traces.read_trace(text)
    if trace.frames:
        located = traces.locate(snapshot, trace.frames)
        spoken = "\n".join((trace.message, *(frame.code for frame in located.own[: traces.SPOKEN])))
        text = spoken if spoken.strip() else text
        rankings += [located.hits, traces.around(snapshot, located)]
        notes += located.notes
    if query.focus is not None:
        rankings += focus.hits_of(snapshot, query.focus)
        if query.focus.path not in snapshot.paths:
            notes.append(f"the focus {query.focus.path} is not indexed")
    return Reading(replace(query, text=text), tuple(filter(None, rankings)), tuple(notes))
