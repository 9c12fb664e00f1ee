"""What a page shows, before anybody knows how: candidates, the edges around them, and the payload that was made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from coderag.assemble.payload import Payload
from coderag.types import Confidence, EdgeKind, SignalValue


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one recaller said of a candidate: its rank from 1, and why."""

    recaller: str
    rank: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk in its place. The contributions and the bias of the inspection add up to the log-odds of the score.

    A record knows neither lines nor language where it did not keep them: they are 0 and "".
    """

    id: str
    rank: int
    score: float
    path: str = ""
    symbol: str = ""
    kind: str = ""
    language: str = ""
    start_line: int = 0
    end_line: int = 0
    text: str = ""
    signals: tuple[SignalValue, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    is_stale: bool = False


@dataclass(frozen=True, slots=True)
class Node:
    """A chunk in the neighbourhood. `more` counts the neighbours that are not shown: those that use it, those that it uses."""

    id: str
    path: str
    line: int
    symbol: str
    kind: str
    is_hit: bool
    more: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Connection:
    """An edge between two nodes: how, how surely, by which name, and on which lines of the source's file."""

    source: str
    target: str
    kind: EdgeKind
    confidence: Confidence
    weight: float
    name: str
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The hits, in the order of their ranks, then what stands next to them; and the edges between any two of these."""

    nodes: tuple[Node, ...] = ()
    connections: tuple[Connection, ...] = ()


@dataclass(frozen=True, slots=True)
class Inspection:
    """Everything that a page shows.

    `request` is as `Request.to_dict` gives it. `total` is how many candidates there were, `candidates` those that are shown. `recallers` are
    pairs of a name and how many it proposed. `focus` is the focus in words. `record` names the record that it was read from.
    """

    request: Mapping[str, Any]
    payload: Payload
    candidates: tuple[Candidate, ...] = ()
    total: int = 0
    recallers: tuple[tuple[str, int], ...] = ()
    neighbourhood: Neighbourhood = Neighbourhood()
    bias: float = 0.0
    generation: int = 0
    focus: str = ""
    record: str = ""
    notes: tuple[str, ...] = field(default=())
