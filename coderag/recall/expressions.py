"""What a query text names: symbol expressions in prose, code and traces, and the shape of the text as a whole.

Pure functions of the text; whether a name exists is for the recallers to find out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from coderag.recall.words import STOP_WORDS

MAX_CHARACTERS: Final = 32_768
MAX_EXPRESSIONS: Final = 64


class Shape(StrEnum):
    """What kind of text a query is; recallers are trusted differently for each."""

    SYMBOL = "symbol"
    SENTENCE = "sentence"
    CODE = "code"
    TRACE = "trace"


@dataclass(frozen=True, slots=True)
class Expression:
    """A name as written, its components without the receiver that means "here", and how surely it is meant as a name (0 to 1)."""

    text: str
    parts: tuple[str, ...]
    certainty: float


WHOLE: Final = 1.0  # the query is nothing else
QUOTED: Final = 0.95  # in back-ticks, or a frame of a trace
QUALIFIED: Final = 0.85  # qualified, or called
SHAPED: Final = 0.7  # CamelCase or snake_case
WORD: Final = 0.3  # a plain word

_NAME = r"[^\W\d]\w*(?:[!?](?!\.))?"
_SEPARATOR = r"(?:\?\.|\.|::|#|->|/|\\|\$\d*[.$]?)"
_QUALIFIED = re.compile(rf"[@$&*]{{0,3}}{_NAME}(?:{_SEPARATOR}{_NAME})*")
_SPLIT = re.compile(_SEPARATOR)
_TYPE_ARGUMENTS = re.compile(r"<[^<>()\n]{0,80}>(?=::|\.)")
_POINTER_RECEIVER = re.compile(r"\(\*?(\w+)\)(?=\.)")
_QUOTE = re.compile(r"`([^`\n]{1,200})`")
_FRAME = re.compile(r"line \d+, in (\S+)")
_SHAPED = re.compile(r"[a-z0-9][A-Z]|[^\W_]_[^\W_]|^_+[^\W_]|[A-Z]{2,}[a-z]{2}|^[A-Z][a-z]+\d")
_HERE: Final = frozenset({"self", "this", "cls", "super", "Self", "crate", "@"})

_TRACE = re.compile(
    r"Traceback \(most recent call last\)|^[ \t]*File \"[^\"\n]{1,500}\", line \d|^[ \t]*at \S[^\n]{0,500}?:\d|"
    r"^[ \t]*(?:panicked at|thread '[^'\n]{0,100}' panicked)|^goroutine \d|^[ \t]*from \S{1,500}?:\d+:in |^#\d{1,5}[ \t]+0x[0-9a-f]",
    re.MULTILINE,
)
_CODE_MARKS = re.compile(
    r"[{};=]|\)[ \t]*[:{]|=>|->|^[ \t]*(?:def|fn|func|class|import|return|#include)\b", re.MULTILINE
)
_WORDS = re.compile(r"[^\W\d_]+")


OPENING_LINES: Final = 3
"""A trace that nobody introduced shows a frame, or says that it is one, within so many lines."""


def shape_of(text: str) -> Shape:
    """What kind of text this is: one name, a stack trace, code, or prose."""
    text = text[:MAX_CHARACTERS].strip()
    if whole_expression(text) is not None:
        return Shape.SYMBOL
    if _TRACE.search(text):
        return Shape.TRACE
    words = len(_WORDS.findall(text))
    return Shape.CODE if 4 * len(_CODE_MARKS.findall(text)) >= max(words, 4) else Shape.SENTENCE


def begins_with_trace(text: str) -> bool:
    """Whether the first lines are those of a stack trace, so that nobody has said what it is about."""
    return shape_of("\n".join(text[:MAX_CHARACTERS].strip().splitlines()[:OPENING_LINES])) is Shape.TRACE


def whole_expression(text: str) -> Expression | None:
    """The text as one name, with or without quotes and a call's parentheses; None when it is anything more."""
    bare = _plain(text.strip().strip("`'\""))
    bare = re.sub(r"\([^()]*\)\s*;?$", "", bare)
    match = _QUALIFIED.fullmatch(bare)
    return _expression(match.group(), WHOLE) if match else None


def expressions(text: str) -> tuple[Expression, ...]:
    """Every name that a text may mean, each once with its greatest certainty, the surest first and then in order of appearance."""
    text = text[:MAX_CHARACTERS]
    whole = whole_expression(text)
    if whole is not None:
        return (whole,)
    found: dict[tuple[str, ...], Expression] = {}
    for expression in (*_quoted(text), *_in_text(text)):
        known = found.get(expression.parts)
        if known is None or known.certainty < expression.certainty:
            found[expression.parts] = expression
    return tuple(sorted(found.values(), key=lambda expression: -expression.certainty)[:MAX_EXPRESSIONS])


def _plain(text: str) -> str:
    return _POINTER_RECEIVER.sub(r"\1", _TYPE_ARGUMENTS.sub("", text))


def _quoted(text: str) -> list[Expression]:
    candidates = [whole_expression(match.group(1)) for match in _QUOTE.finditer(text)]
    candidates += [whole_expression(match.group(1)) for match in _FRAME.finditer(text)]
    return [Expression(found.text, found.parts, QUOTED) for found in candidates if found is not None]


def _in_text(text: str) -> list[Expression]:
    text = _plain(text)
    found = []
    for match in _QUALIFIED.finditer(text):
        called = text[match.end() : match.end() + 1] == "("
        expression = _expression(match.group(), 0.0)
        if expression is not None:
            certainty = _certainty(expression, called)
            if certainty > 0.0:
                found.append(Expression(expression.text, expression.parts, certainty))
    return found


def _expression(text: str, certainty: float) -> Expression | None:
    parts = [part for part in _SPLIT.split(text.lstrip("@$&*")) if part]
    while len(parts) > 1 and parts[0] in _HERE:
        del parts[0]
    return Expression(text, tuple(parts), certainty) if parts else None


def _certainty(expression: Expression, called: bool) -> float:
    name = expression.parts[-1]
    if len(expression.parts) > 1 or called:
        return QUALIFIED
    if _SHAPED.search(name):
        return SHAPED
    return WORD if len(name) > 2 and name.lower() not in STOP_WORDS else 0.0
