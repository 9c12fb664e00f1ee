"""Answers: what a tool found, in text and as data, cut to a budget of tokens with a count of what was left out.

Text of a repository stands between fences that it cannot close, and holds no character that could hide or steer anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coderag.assemble.tokens import estimate_tokens
from coderag.visible import visible, visible_line

RESERVED_TOKENS = 40
"""Kept for the line that says what was left out."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing that an answer lists under `key`, in text and as data. `shorter` stands in for it where it does not fit."""

    key: str
    text: str
    data: Mapping[str, Any]
    shorter: Piece | None = None

    @property
    def tokens(self) -> int:
        """What the larger of its two forms costs."""
        return max(estimate_tokens(self.text), estimate_tokens(as_json(self.data)))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool found. `pieces` stand in the order in which they are worth their tokens.

    `titles` maps the key of pieces to the line above them in the text; every key in it is in the data, with an empty list if need be.
    `stale` are the paths among what was found that have changed since.
    """

    titles: Mapping[str, str]
    pieces: tuple[Piece, ...] = ()
    text: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    stale: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Rendered:
    """An answer as the protocol carries it."""

    text: str
    data: dict[str, Any]


def render(answer: Answer, state: Mapping[str, Any], state_text: str, max_tokens: int) -> Rendered:
    """The answer within `max_tokens`, both as text and as data. `state` says how the index stands."""
    notes = [visible_line(note)[:500] for note in answer.notes]
    frame = {"index": state, **answer.data, "notes": notes, "left_out": dict(answer.left_out)}
    head = "\n".join(filter(None, [state_text, *(f"note: {note}" for note in notes), answer.text]))
    spent = max(estimate_tokens(head), estimate_tokens(as_json(frame))) + RESERVED_TOKENS
    kept, dropped = fit(answer.pieces, max_tokens - spent)
    left_out = {name: count for name, count in {**answer.left_out, "over the budget": dropped}.items() if count}
    lists = {key: [dict(each.data) for each in kept if each.key == key] for key in answer.titles}
    blocks = [head]
    for key, title in answer.titles.items():
        texts = [each.text for each in kept if each.key == key]
        if texts:
            blocks.append("\n".join([title, *texts] if title else texts))
    if left_out:
        blocks.append("left out: " + ", ".join(f"{count:,} {name}" for name, count in left_out.items()))
    data = {**frame, **lists, "left_out": left_out}
    return Rendered("\n\n".join(filter(None, blocks)), data)


def fit(pieces: Sequence[Piece], budget: int) -> tuple[list[Piece], int]:
    """The pieces that fit, in order, and how many do not.

    Short forms come first, on at most a half of the budget, so that much is named; then, in order, what fits is told in full. A piece
    that does not fit does not keep later ones out.
    """
    costs = [piece.tokens for piece in pieces]
    chosen: list[Piece | None] = [None] * len(pieces)
    left = budget
    for position, piece in enumerate(pieces):
        if piece.shorter is not None and piece.shorter.tokens <= left - budget // 2:
            chosen[position] = piece.shorter
            left -= piece.shorter.tokens
    for position, piece in enumerate(pieces):
        held = chosen[position]
        more = costs[position] - (held.tokens if held else 0)
        if more <= left:
            chosen[position] = piece
            left -= more
        elif held is None and piece.shorter is not None and piece.shorter.tokens <= left:
            chosen[position] = piece.shorter
            left -= piece.shorter.tokens
    kept = [piece for piece in chosen if piece is not None]
    return kept, len(pieces) - len(kept)


def as_json(value: object) -> str:
    """JSON as it goes over the wire."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def fenced(text: str, language: str) -> str:
    """The text between fences longer than any run of backticks in it, so that nothing in it can close them."""
    shown = visible(text)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    return f"{fence}{language}\n{shown}\n{fence}"


def cut(text: str, tokens: int) -> tuple[str, int]:
    """The first lines of a text that fit into `tokens`, and how many lines are missing; one line stays at least, if only in part."""
    if estimate_tokens(text) <= tokens:
        return text, 0
    lines = text.split("\n")
    kept, spent = 0, 0
    for line in lines:
        spent += estimate_tokens(line + "\n")
        if spent > tokens:
            break
        kept += 1
    if not kept:
        return lines[0][: 3 * tokens], len(lines) - 1
    return "\n".join(lines[:kept]), len(lines) - kept
