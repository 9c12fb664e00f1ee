"""A chunk as an item of context: what it is, why it is here, who uses it, and its text, whole or in outline.

The header goes into the content, because a host may render nothing else: path and lines, symbol and kind, why, users. Chunks that are
longer than an item may be are outlined: the deepest lines are left out, with a mark in their place, until the rest fits. Nothing is cut in
silence: the header says that it is an outline and how many lines there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from coderag.assemble.cleaning import cleaned_line
from coderag.assemble.items import FRESHNESS, PRIORITY, PROVENANCE, TRUST, ContextItem
from coderag.assemble.rendering import HEADER, LANGUAGE, WRITERS
from coderag.assemble.tokens import TokenCounter, estimate_tokens
from coderag.recall.filters import is_test_path
from coderag.types import Chunk, SignalValue

SCHEME: Final = "coderag"
MARK: Final = "…"
PRIORITY_OF_CODE: Final = 0.5
TRUST_OF_CODE: Final = 0.8

_REASONS: Final = 2
_CALLERS: Final = 3
_TAB: Final = 4
_SPOKEN: Final[Mapping[str, str]] = {
    "in trace": "a frame of the trace",
    "around trace": "beside a frame of the trace",
    "focus": "under the cursor",
    "needed by focus": "what is under the cursor uses it",
    "uses focus": "it uses what is under the cursor",
    "vector": "near in meaning",
    "joined": "words of the task are one identifier",
    "used by hits": "the best matches use it",
    "file words": "its file has every word",
}
"""What signals say of a chunk whose own words say too much or nothing."""

_TELLING: Final = (
    "in trace",
    "focus",
    "around trace",
    "needed by focus",
    "uses focus",
    "symbol",
    "joined",
    "lexical",
    "used by hits",
    "vector",
    "file words",
)
"""Signals that say why a chunk is here, the most telling first."""


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
    total = piece.chunk.text.count("\n") + 1
    said = whole.token_count - style.count(piece.chunk.text) + style.count(f", outline, {total} of {total} lines")
    room = limit - said
    text, shown = outline(piece.chunk.text, piece.chunk.doc, lambda part: style.count(part) <= room)
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
        _users(piece, style.callers),
    ]
    return "\n".join(cleaned_line(line) for line in lines if line)


def _users(piece: Piece, most: int) -> str:
    """The first users of a chunk, tests last, those of its own file without their path."""
    own = f"{piece.chunk.path}#"
    users = sorted(piece.callers, key=lambda user: is_test_path(user.partition("#")[0]))
    named = [user.removeprefix(own) if user != own else user for user in users[:most]]
    return f"used by: {', '.join(named)}{', …' if len(users) > most else ''}" if named else ""


def outline(text: str, doc: str, fits: Callable[[str], bool]) -> tuple[str, int]:
    """As much of a text as fits, and how many of its lines that is, the first one at least: least indented lines first, those further
    up before those below, and the documentation but for its first line last of all. A mark stands for every stretch left out."""
    lines = text.split("\n")
    depths, rest = _depths(lines), _rest_of_doc(lines, doc)
    order = sorted(range(len(lines)), key=lambda number: (number > 0, number in rest, depths[number], number))
    least, most = 1, len(lines)
    while least < most:
        middle = (least + most + 1) // 2
        if fits(_with(lines, frozenset(order[:middle]))):
            least = middle
        else:
            most = middle - 1
    return _with(lines, frozenset(order[:least])), least


def _rest_of_doc(lines: Sequence[str], doc: str) -> frozenset[int]:
    """The lines that hold the documentation after its first line."""
    said = [line.strip() for line in doc.split("\n")]
    start = next((number for number, line in enumerate(lines) if said[0] and said[0] in line), len(lines))
    found = []
    for number, (line, words) in enumerate(zip(lines[start:], said, strict=False), start):
        if words not in line:
            break
        found.append(number)
    return frozenset(found[1:])


def _depths(lines: Sequence[str]) -> list[int]:
    """The indentation of every line; that of a blank one is the next line's, so that both go together."""
    depths = [0] * len(lines)
    following = 0
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number].expandtabs(_TAB)
        following = len(line) - len(line.lstrip()) if line.strip() else following
        depths[number] = following
    return depths


def _with(lines: Sequence[str], shown: Collection[int]) -> str:
    """The shown lines, with one mark for each stretch of others, as deep as the first of them."""
    result: list[str] = []
    for is_shown, stretch in groupby(range(len(lines)), key=shown.__contains__):
        found = [lines[number] for number in stretch]
        if is_shown:
            result += found
        else:
            first = next((line for line in found if line.strip()), "")
            result.append(f"{first[: len(first) - len(first.lstrip())]}{MARK}")
    return "\n".join(result)


def in_words(reasons: Sequence[SignalValue]) -> str:
    """The most telling reasons of a ranking in a few words."""
    found = {reason.name: reason for reason in reasons if reason.contribution > 0.0}
    said = (_spoken(found[name]) for name in _TELLING if name in found)
    return "; ".join(list(dict.fromkeys(filter(None, said)))[:_REASONS])


def _spoken(reason: SignalValue) -> str:
    if reason.name == "lexical" and reason.why:
        return f"words {re.sub(r' [(][^()]*[)]', '', reason.why)}"
    return _SPOKEN.get(reason.name) or reason.why
