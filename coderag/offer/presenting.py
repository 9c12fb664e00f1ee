"""A chunk as an item of context: what it is, why it is here, who uses it, and its text, whole or in outline.

The header goes into the content, because a host may render nothing else: path and lines, symbol and kind, why, users. Chunks that are
longer than an item may be are outlined: the deepest lines are left out, with a mark in their place, until the rest fits. Nothing is cut in
silence: the header says that it is an outline and how many lines there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from coderag.assemble.cleaning import cleaned_line
from coderag.assemble.items import FRESHNESS, PRIORITY, PROVENANCE, TRUST, ContextItem
from coderag.assemble.rendering import HEADER, LANGUAGE, WRITERS
from coderag.assemble.tokens import TokenCounter, estimate_tokens
from coderag.types import Chunk, SignalValue

SCHEME: Final = "coderag"
MARK: Final = "…"
PRIORITY_OF_CODE: Final = 0.5
TRUST_OF_CODE: Final = 0.8

_REASONS: Final = 2
_CALLERS: Final = 3
_TAB: Final = 4
_SPOKEN: Final[Mapping[str, str]] = {
    "used by hits": "the best matches use it",
    "words in symbol": "its name",
    "all words": "has every word",
    "file name asked": "the name of its file",
    "joined": "words of the task are one identifier",
    "importance": "much depends on it",
}
"""Signals that give no words of their own, where they say something about one chunk."""


@dataclass(frozen=True, slots=True)
class Style:
    """How items are written: the form that they will be rendered in, how tokens are counted, and whether one may name its users."""

    form: str = "xml"
    count: TokenCounter = estimate_tokens
    callers: int = _CALLERS


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk that is offered: how relevant, in what role, why, and what is known beside it."""

    chunk: Chunk
    relevance: float
    role: str
    why: str
    freshness: float = 0.0
    callers: tuple[str, ...] = ()
    stale: bool = False

    @property
    def source(self) -> str:
        """What names the chunk for an assembler: the same on every machine, another for each chunk."""
        return f"{SCHEME}:{self.chunk.id}"


def as_item(piece: Piece, provenance: str, style: Style, limit: int) -> ContextItem:
    """The piece as an item of at most `limit` tokens as rendered, if an outline of it can be that short."""
    whole = _item(piece, provenance, style, piece.chunk.text, "")
    if whole.token_count <= limit:
        return whole
    room = limit - (whole.token_count - style.count(piece.chunk.text))
    total = piece.chunk.text.count("\n") + 1
    for text, shown in outlines(piece.chunk.text):
        if style.count(text) <= room or shown <= 1:
            break
    return _item(piece, provenance, style, text, f"outline, {shown} of {total} lines")


def _item(piece: Piece, provenance: str, style: Style, text: str, form: str) -> ContextItem:
    chunk = piece.chunk
    header = header_of(piece, style, form)
    item = ContextItem(
        id=chunk.id,
        content=f"{header}\n\n{text}",
        relevance=piece.relevance,
        source=piece.source,
        metadata={
            PROVENANCE: provenance,
            PRIORITY: PRIORITY_OF_CODE,
            TRUST: TRUST_OF_CODE,
            FRESHNESS: piece.freshness,
            HEADER: f"{header}\n",
            LANGUAGE: chunk.language,
            "coderag.path": chunk.path,
            "coderag.symbol": chunk.symbol,
            "coderag.kind": chunk.kind.value,
            "coderag.start_line": chunk.span.start_line,
            "coderag.end_line": chunk.span.end_line,
            "coderag.role": piece.role,
            "coderag.why": piece.why,
        },
    )
    return item.with_token_count(style.count(f"{WRITERS[style.form](item)}\n\n"))


def header_of(piece: Piece, style: Style, form: str = "") -> str:
    """What is said of a chunk before its text, a line each."""
    chunk = piece.chunk
    kind = [chunk.kind.value, f"part {chunk.part}/{chunk.parts}" if chunk.parts > 1 else "", form]
    place = f"{chunk.path}:{chunk.span.start_line}-{chunk.span.end_line}"
    lines = [
        f"{place} {chunk.symbol} ({', '.join(filter(None, kind))})".replace("  ", " "),
        f"why: {piece.why}" if piece.why else "",
        "changed since it was indexed: read the file before you rely on it" if piece.stale else "",
        f"used by: {', '.join(piece.callers[: style.callers])}{', …' if len(piece.callers) > style.callers else ''}"
        if piece.callers and style.callers
        else "",
    ]
    return "\n".join(cleaned_line(line) for line in lines if line)


def outlines(text: str) -> Iterator[tuple[str, int]]:
    """Ever shorter outlines of a text, each with the number of lines that it shows: whole levels of indentation are left out, deepest
    first, and then lines from the end."""
    lines = text.split("\n")
    depths = _depths(lines)
    for depth in sorted(set(depths), reverse=True)[1:]:
        yield _without(lines, [own <= depth for own in depths]), sum(own <= depth for own in depths)
    least = min(depths)
    kept = [number for number, depth in enumerate(depths) if depth == least]
    while len(kept) > 1:
        kept = kept[: len(kept) * 2 // 3]
        shown = set(kept)
        yield _without(lines, [number in shown for number in range(len(lines))]), len(kept)
    yield _without(lines, [number == 0 for number in range(len(lines))]), 1


def _depths(lines: Sequence[str]) -> list[int]:
    """The indentation of every line; that of a blank one is the next line's, so that both go together."""
    depths = [0] * len(lines)
    following = 0
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number].expandtabs(_TAB)
        following = len(line) - len(line.lstrip()) if line.strip() else following
        depths[number] = following
    return depths


def _without(lines: Sequence[str], shown: Sequence[bool]) -> str:
    """The shown lines, with one mark for each stretch of others."""
    result: list[str] = []
    for number, (line, is_shown) in enumerate(zip(lines, shown, strict=True)):
        if is_shown:
            result.append(line)
        elif number == 0 or shown[number - 1]:
            result.append(f"{line[: len(line) - len(line.lstrip())]}{MARK}")
    return "\n".join(result)


def in_words(reasons: Sequence[SignalValue]) -> str:
    """The strongest reasons of a ranking in a few words."""
    found = [
        (reason.contribution, text) for reason in reasons if reason.contribution > 0.0 and (text := _spoken(reason))
    ]
    found.sort(key=lambda each: -each[0])
    return "; ".join(dict.fromkeys(text for _, text in found[:_REASONS]))


def _spoken(reason: SignalValue) -> str:
    if reason.name == "lexical" and reason.why:
        return f"words {re.sub(r' [(][^()]*[)]', '', reason.why)}"
    if reason.name == "vector" and reason.why:
        return f"near in meaning ({reason.why})"
    return reason.why or _SPOKEN.get(reason.name, "")
