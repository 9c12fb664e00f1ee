"""From the text of a type to the names in it that can have members. Pure text: resolves nothing."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|\\|\?\.)[^\W\d][\w$]*)*(?:\(\))?")
_NOISE = re.compile(
    r"\b(?:const|mut|dyn|impl|struct|enum|class|readonly|typeof|ref|inout|volatile|unsigned|signed|static|union|extends|await|new)\b"
)
_LIFETIME = re.compile(r"'\w+\b(?!')")
_IDENTIFIER = re.compile(r"[^\W\d][\w$]*")
_NONE = frozenset({"None", "null", "undefined", "nil", "void", "NoneType"})
MAX_LENGTH = 300


@lru_cache(maxsize=65_536)
def type_names(text: str, wrappers: frozenset[str]) -> tuple[str, ...]:
    """The dotted names that a value of this type may be an instance of, in the order written.

    Generic arguments are left out unless the type is one of `wrappers`, which stand for their last argument; alternatives of a union are all
    given. `Box<T>` -> ("Box",); `Optional[a.B]` -> ("a.B",); `A | None` -> ("A",).
    """
    text = _NOISE.sub(" ", _LIFETIME.sub(" ", text[:MAX_LENGTH])).replace('"', " ").replace("'", " ")
    names: list[str] = []
    for alternative in _split(text, "|"):
        names.extend(_alternative(alternative, wrappers))
    return tuple(dict.fromkeys(name for name in names if name not in _NONE))


@lru_cache(maxsize=65_536)
def identifiers(text: str) -> tuple[str, ...]:
    """Every single name in a text, in the order written."""
    return tuple(dict.fromkeys(_IDENTIFIER.findall(text)))


def _alternative(text: str, wrappers: frozenset[str]) -> tuple[str, ...]:
    match = _WORD.search(text)
    if match is None:
        return ()
    name = match.group().replace("::", ".").replace("\\", ".").replace("?.", ".")
    rest = text[match.end() :].strip()
    last = name.rpartition(".")[2]
    if rest[:1] in ("[", "<") and len(rest) > 2:
        inner = rest[1 : max(rest.rfind("]"), rest.rfind(">"))]
        if last == "Union":
            return tuple(found for part in _split(inner, ",") for found in _alternative(part, wrappers))
        if last in wrappers:
            parts = _split(inner, ",")
            chosen = parts[0] if last == "Annotated" else parts[-1]
            return type_names(chosen, wrappers)
    if text[: match.start()].strip().startswith("[") or (rest[:2] == "[]" and len(rest) == 2):
        return ()
    return (name,)


def _split(text: str, separator: str) -> list[str]:
    """Split outside of brackets."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in "[<({":
            depth += 1
        elif character in "]>)}":
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]]
