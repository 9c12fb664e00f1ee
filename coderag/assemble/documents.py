"""JSON objects as values and back: what a field must be, what it is when it is missing, and what nobody knows yet.

Knows the forms of fields and nothing of what they mean. Refuses to guess: a field of the wrong form is an error that names it, and a
field that is unknown is kept, so that what a newer program wrote survives being read and written by this one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from typing import Any, NoReturn

from coderag.errors import ContextError

MOST = 2**64 - 1
"""Where sums of tokens stop: the largest unsigned integer of 64 bits."""


def saturated(number: int) -> int:
    """A sum of counts, which stops at `MOST` rather than growing further."""
    return min(number, MOST)


class Fields:
    """The fields of one JSON object, taken one by one; what was not taken is in `rest`."""

    def __init__(self, document: Any, name: str) -> None:
        if not isinstance(document, Mapping):
            raise ContextError(f"{name} must be a JSON object, not {_shown(document)}")
        self._name = name
        self._left = dict(document)

    def text(self, key: str, default: str | None = None) -> str:
        """A text; without a default it must be there."""
        value = self._left.pop(key, default)
        return value if isinstance(value, str) else self._refuse(key, "a text", value)

    def optional_text(self, key: str) -> str | None:
        """A text, or None where it is null or missing."""
        value = self._left.pop(key, None)
        return value if value is None or isinstance(value, str) else self._refuse(key, "a text or null", value)

    def count(self, key: str, default: int) -> int:
        """A whole number of at least 0."""
        value: Any = self._left.pop(key, default)
        return int(value) if _is_count(value) else self._refuse(key, "a whole number of at least 0", value)

    def optional_count(self, key: str, default: int | None) -> int | None:
        """A whole number of at least 0, or None for null."""
        value: Any = self._left.pop(key, default)
        return None if value is None else int(value) if _is_count(value) else self._refuse(key, "a whole number", value)

    def number(self, key: str, default: float) -> float:
        """A number."""
        value = self._left.pop(key, default)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return as_float(value) if is_number else self._refuse(key, "a number", value)

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self._left.pop(key, default)
        return value if isinstance(value, bool) else self._refuse(key, "true or false", value)

    def mapping(self, key: str) -> dict[str, Any]:
        """A JSON object, empty where it is missing or null."""
        value = self._left.pop(key, None)
        return (
            dict(value)
            if isinstance(value, Mapping)
            else {}
            if value is None
            else self._refuse(key, "an object", value)
        )

    def list(self, key: str) -> list[Any]:
        """A JSON array, empty where it is missing or null."""
        value = self._left.pop(key, None)
        found = value if value is not None else []
        return list(found) if isinstance(found, list | tuple) else self._refuse(key, "an array", value)

    def rest(self) -> dict[str, Any]:
        """The fields that nobody took."""
        return dict(self._left)

    def _refuse(self, key: str, wanted: str, value: Any) -> NoReturn:
        raise ContextError(f"{self._name}: {key!r} must be {wanted}, not {_shown(value)}")


def as_float(value: float) -> float:
    """A number as a float; one that is too large for it as infinity."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def one_of(name: str, value: Any, known: Collection[str]) -> str:
    """The member of `known` that a text names, in any case.

    Raises:
        ContextError: there is none; the message lists them.
    """
    if isinstance(value, str):
        for member in known:
            if member.casefold() == value.casefold():
                return member
    raise ContextError(f"{name} must be one of {', '.join(known)}, not {_shown(value)}")


def parsed_json(text: str | bytes, name: str) -> Any:
    """What a JSON text says.

    Raises:
        ContextError: it is no JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ContextError(f"{name} is not JSON: {error}") from error


def plain(value: Any) -> Any:
    """A value as JSON can say it: a number that is none (NaN, infinity) is null, as Rust's serde writes it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value


def json_text(document: Any, indent: int | None = None) -> str:
    """A document as JSON in ASCII, so that every text survives, keys in the order in which they stand."""
    return json.dumps(document, ensure_ascii=True, allow_nan=False, indent=indent)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
