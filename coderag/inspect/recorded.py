"""What a record of a payload can show of how it came to be: its parts with their signals, and what was left out. Needs no index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from coderag.assemble.configuration import Source
from coderag.assemble.items import LARGEST
from coderag.assemble.payload import LeftOut, Part
from coderag.diagnose.explain import by_weight
from coderag.errors import ContextError
from coderag.inspect.gathering import place_of
from coderag.inspect.values import Candidate, Inspection
from coderag.offer.asking import focus_of
from coderag.payload import Record
from coderag.types import SignalValue

MASKED = "secrets were masked when the record was written"
UNREADABLE = "the focus that was recorded cannot be read"


def of_record(record: Record) -> Inspection:
    """The inspection of a record; its candidates are what the index gave and what it gave that was left out, best first."""
    found = [*_parts(record), *_left_out(record)]
    ranked = sorted(found, key=lambda each: (-each.score, each.id))
    focus, notes = _focus(record)
    return Inspection(
        request=record.request,
        payload=record.payload,
        candidates=tuple(replace(each, rank=rank) for rank, each in enumerate(ranked, 1)),
        total=len(ranked),
        generation=record.generation,
        focus=focus,
        record=record.path,
        notes=(*notes, *((f"{record.masked} {MASKED}",) if record.masked else ())),
    )


def _focus(record: Record) -> tuple[str, tuple[str, ...]]:
    params = record.request.get("params")
    try:
        return place_of(focus_of(params.get("focus") if isinstance(params, Mapping) else None)), ()
    except ContextError:
        return "", (UNREADABLE,)


def _parts(record: Record) -> Iterator[Candidate]:
    for block in record.payload.blocks:
        if block.source == Source.INDEX:
            yield from (_of_part(part) for part in block.parts if part.score is not None)


def _left_out(record: Record) -> Iterator[Candidate]:
    for block in record.payload.blocks:
        if block.source == Source.INDEX:
            yield from (_of_left_out(each) for each in block.left_out if each.score is not None)


def _of_part(part: Part) -> Candidate:
    known = part.detail.get("metadata")
    known = known if isinstance(known, Mapping) else {}
    return Candidate(
        id=part.id,
        rank=0,
        score=_finite(part.score),
        path=_text(known, "path"),
        symbol=_text(known, "symbol"),
        kind=_text(known, "kind"),
        language=_text(known, "language"),
        start_line=_whole(known, "start_line"),
        end_line=_whole(known, "end_line"),
        text=part.text,
        signals=by_weight([*filter(None, map(_signal, part.reasons))]),
    )


def _of_left_out(each: LeftOut) -> Candidate:
    path, _, symbol = each.id.partition("#")
    return Candidate(each.id, 0, _finite(each.score), path, symbol)


def _text(known: Mapping[str, Any], name: str) -> str:
    value = known.get(f"coderag.{name}")
    return value if isinstance(value, str) else ""


def _whole(known: Mapping[str, Any], name: str) -> int:
    value = known.get(f"coderag.{name}")
    return value if isinstance(value, int) else 0


def _signal(reason: Mapping[str, Any]) -> SignalValue | None:
    name, value, added, why = (reason.get(key) for key in ("name", "value", "contribution", "why"))
    if isinstance(name, str) and isinstance(value, int | float) and isinstance(added, int | float):
        return SignalValue(name, _finite(value), _finite(added), str(why or ""))
    return None


def _finite(number: float | None) -> float:
    """A number that JSON can say; 0 for any other, for whoever edits a record may write anything."""
    return float(number) if number is not None and abs(number) <= LARGEST else 0.0
