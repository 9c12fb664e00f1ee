"""What is different between two payloads, part by part, and why; and text that a payload has more than once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from coderag.assemble.payload import Part, Payload, PayloadBlock
from coderag.assemble.rendering import unescaped_text
from coderag.assemble.tokens import TokenCounter, estimate_tokens

SAME_LINES = 4
"""Lines one after the other that must be the same for two places to have the same text."""
_SHORTEST = 60  # characters of those lines together


class Change(StrEnum):
    """What happened to a part from one payload to the next."""

    IN = "in"
    OUT = "out"
    MOVED = "moved"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Difference:
    """One part that is not as it was. Positions count from 1 in its layer, 0 where it is absent; scores are those of the ranking."""

    layer: str
    id: str
    change: Change
    why: str
    before: int = 0
    after: int = 0
    score_before: float | None = None
    score_after: float | None = None


@dataclass(frozen=True, slots=True)
class LayerDifference:
    """A layer's tokens in both payloads, None where a payload has no such layer."""

    layer: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that is different. Equal payloads have neither."""

    layers: tuple[LayerDifference, ...] = ()
    parts: tuple[Difference, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is different."""
        return not self.layers and not self.parts


def compare(first: Payload, second: Payload) -> Comparison:
    """What is different in `second`."""
    names = list(dict.fromkeys([block.layer for block in (*first.blocks, *second.blocks)]))
    layers = []
    parts: list[Difference] = []
    for name in names:
        before, after = first.block(name), second.block(name)
        if before is None or after is None or before.body != after.body:
            layers.append(LayerDifference(name, _tokens(before), _tokens(after)))
            parts += _of_block(name, before, after)
    return Comparison(tuple(layers), tuple(parts))


def _tokens(block: PayloadBlock | None) -> int | None:
    return None if block is None else block.tokens


def _of_block(name: str, before: PayloadBlock | None, after: PayloadBlock | None) -> Iterator[Difference]:
    old, new = _placed(before), _placed(after)
    stayed = [identity for identity in old if identity in new]
    for identity, (place, part) in old.items():
        if identity not in new:
            yield Difference(name, part.id, Change.OUT, _why_absent(identity, after), place, 0, part.score, None)
    for identity, (place, part) in new.items():
        if identity not in old:
            yield Difference(name, part.id, Change.IN, _why_present(identity, before), 0, place, None, part.score)
    in_old_order = {identity: rank for rank, identity in enumerate(stayed)}
    in_new_order = {identity: rank for rank, identity in enumerate(each for each in new if each in in_old_order)}
    for identity in stayed:
        (old_place, old_part), (new_place, new_part) = old[identity], new[identity]
        places = old_place, new_place, old_part.score, new_part.score
        if old_part.text != new_part.text:
            yield Difference(name, new_part.id, Change.CHANGED, _why_changed(old_part, new_part), *places)
        if in_old_order[identity] != in_new_order[identity]:
            yield Difference(name, new_part.id, Change.MOVED, _why_moved(old_part, new_part), *places)


def _placed(block: PayloadBlock | None) -> dict[str, tuple[int, Part]]:
    """The parts of a block by what they are, each with its place. A block without parts is one part; equal names are counted."""
    if block is None or not block.body:
        return {}
    found: dict[str, tuple[int, Part]] = {}
    for place, part in enumerate(block.parts or (Part(block.layer, block.body, block.tokens),), 1):
        number = 1
        while f"{part.id}\0{number}" in found:
            number += 1
        found[f"{part.id}\0{number}"] = (place, part)
    return found


def _left_out(identity: str, block: PayloadBlock | None) -> str:
    name = identity.partition("\0")[0]
    return next((each.rule for each in block.left_out if each.id == name), "") if block else ""


def _why_absent(identity: str, after: PayloadBlock | None) -> str:
    if after is None:
        return "the layer is gone"
    rule = _left_out(identity, after)
    return f"left out: {rule}" if rule else "; ".join(after.notes) or "not among what was found"


def _why_present(identity: str, before: PayloadBlock | None) -> str:
    if before is None:
        return "the layer is new"
    rule = _left_out(identity, before)
    return f"was left out: {rule}" if rule else "was not among what was found"


def _why_changed(before: Part, after: Part) -> str:
    old, new = before.text.split("\n"), after.text.split("\n")
    first = next(
        (n for n, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), min(len(old), len(new))
    )
    size = f", {after.tokens - before.tokens:+,} tokens" if after.tokens != before.tokens else ""
    return f"its text is different from line {first + 1} on{size}"


def _why_moved(before: Part, after: Part) -> str:
    """The signals that changed most."""
    if before.score is None or after.score is None:
        return "the order is different"
    if before.score == after.score:
        return "others passed it or fell behind"
    old, new = _contributions(before), _contributions(after)
    steps = [(new.get(name, 0.0) - old.get(name, 0.0), name) for name in sorted({*old, *new})]
    largest = sorted((step for step in steps if abs(step[0]) > 1e-9), key=lambda step: (-abs(step[0]), step[1]))[:3]
    signals = ", ".join(f"{name} {step:+.3f}" for step, name in largest)
    return f"score {before.score:.3f} → {after.score:.3f}{f' ({signals})' if signals else ''}"


def _contributions(part: Part) -> Mapping[str, float]:
    return {str(each.get("name")): _number(each.get("contribution")) for each in part.reasons}


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of the text of a part: its layer, the part, the first line from 1."""

    layer: str
    part: str
    line: int


@dataclass(frozen=True, slots=True)
class Repetition:
    """The same lines in two places, and the tokens that the second one costs."""

    first: Place
    second: Place
    lines: int
    tokens: int
    text: str


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    place: Place
    number: int  # counted over the whole payload, with a step between parts


def repetitions(payload: Payload, *, count: TokenCounter = estimate_tokens) -> tuple[Repetition, ...]:
    """Text of at least `SAME_LINES` lines that stands in a payload more than once, the longest stretches of it; blank lines aside."""
    lines = list(_lines(payload))
    seen: dict[tuple[str, ...], int] = {}
    found: list[Repetition] = []
    at = 0
    while at + SAME_LINES <= len(lines):
        window = _window(lines, at)
        if window is None or window not in seen:
            if window is not None:
                seen[window] = at
            at += 1
            continue
        length = _length(lines, seen[window], at)
        text = "\n".join(line.text for line in lines[at : at + length])
        found.append(Repetition(lines[seen[window]].place, lines[at].place, length, count(text), text))
        at += length
    return tuple(found)


def _lines(payload: Payload) -> Iterator[_Line]:
    number = 0
    for block in payload.blocks:
        for part in block.parts or (Part(block.layer, block.body),):
            number += 1
            for line, text in enumerate(unescaped_text(part.text).split("\n"), 1):
                if text.strip():
                    number += 1
                    yield _Line(text.strip(), Place(block.layer, part.id, line), number)


def _window(lines: list[_Line], at: int) -> tuple[str, ...] | None:
    """The lines from one on, unless they go beyond a part or say next to nothing."""
    chosen = lines[at : at + SAME_LINES]
    if chosen[-1].number - chosen[0].number != SAME_LINES - 1:
        return None
    texts = tuple(line.text for line in chosen)
    return texts if sum(map(len, texts)) >= _SHORTEST else None


def _length(lines: list[_Line], first: int, second: int) -> int:
    """How far two places agree, without running into one another or beyond their parts."""
    length = SAME_LINES
    while second + length < len(lines) and first + length < second:
        one, two = lines[first + length], lines[second + length]
        apart = one.number - lines[first].number != length or two.number - lines[second].number != length
        if apart or one.text != two.text:
            break
        length += 1
    return length
