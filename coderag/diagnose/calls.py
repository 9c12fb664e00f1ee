"""Parameters of a signature and arguments of a call, as far as their text says: enough to tell whether a call still fits. Pure.

Knows brackets, quotes and commas, and no language. What it cannot read is None, and then nothing is said of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

_OPEN, _CLOSE = "([{", ")]}"
_QUOTES = "\"'`"
_IDENTIFIER = re.compile(r"[A-Za-z_$@][\w$]*")
_KEYWORD = re.compile(r"([A-Za-z_]\w*)\s*(?:=(?![=>])|:(?!:))\s*\S")
_LIFETIME = re.compile(r"[&<]'[a-z_]\w*|.'[a-z_]\w*>")
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter. `positional`: it can be given by its place; `named`: by its name; `many`: it takes any number."""

    name: str
    optional: bool = False
    positional: bool = True
    named: bool = True
    many: bool = False


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a call gives: how many by place, and the names of the others. `open`: some are spread, so their number is not known."""

    positional: int
    names: tuple[str, ...] = ()
    open: bool = False


def parameters(signature: str, name: str, self_names: Collection[str] = ()) -> tuple[Parameter, ...] | None:
    """The parameters in a signature, the receiver left out; None where they cannot be read."""
    parts = _listed(signature, name)
    if parts is None:
        return None
    parts = [] if parts == ["void"] else parts
    found: list[Parameter] = []
    by_place, by_name = True, True
    for position, part in enumerate(parts):
        if part in ("*", "/"):
            if part == "*":
                by_place = False
            else:
                found = [Parameter(each.name, each.optional, True, False, each.many) for each in found]
            continue
        parameter = _parameter(part, by_place, by_name)
        if position == 0 and (parameter.name in self_names or part.strip("&*mut ") in self_names):
            continue
        if part.startswith("*") and not part.startswith("**"):
            by_place = False
        found.append(parameter)
    return tuple(found)


def _parameter(text: str, by_place: bool, by_name: bool) -> Parameter:
    many = bool(re.match(r"\*|\.\.\.|&\w|params\b|vararg\b", text)) or "..." in text.partition("=")[0]
    name = _IDENTIFIER.search(text)
    optional = many or bool(re.search(r"(?<![=!<>:])=(?![=>])|:=", text)) or bool(re.match(r"[\w$.\s]*\?", text))
    return Parameter(name[0] if name else "", optional, by_place and not text.startswith("**"), by_name, many)


def arguments(text: str, name: str) -> list[Arguments]:
    """What each call of a name in a text gives, in order; calls that cannot be read are left out."""
    pattern = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    found = []
    for place in pattern.finditer(text):
        parts = _listed(text[place.start() : place.start() + _LONGEST], name)
        if parts is not None:
            found.append(_given(parts))
    return found


def _given(parts: Sequence[str]) -> Arguments:
    spread = any(re.match(r"\*|\.\.\.|&\w", part) or part.endswith("...") for part in parts)
    names = [found[1] for part in parts if (found := _KEYWORD.match(part))]
    return Arguments(len(parts) - len(names), tuple(names), spread)


def fits(given: Arguments, taken: Sequence[Parameter]) -> bool:
    """Whether a call gives what the parameters need, and nothing that they do not take."""
    if given.open:
        return True
    any_name = any(each.many and not each.positional for each in taken)
    by_place = [each for each in taken if each.positional and not each.many]
    if given.positional > len(by_place) and not any(each.many and each.positional for each in taken):
        return False
    known = {each.name for each in taken if each.named and not each.many}
    if not any_name and not set(given.names) <= known:
        return False
    covered = {each.name for each in by_place[: given.positional]} | set(given.names)
    return all(each.optional or each.many or each.name in covered for each in taken)


def same_order(given: Arguments, before: Sequence[Parameter], after: Sequence[Parameter]) -> bool:
    """Whether what is given by place still goes where it went: parameters that both have did not change places."""
    old = [each.name for each in before if each.positional and not each.many][: given.positional]
    new = [each.name for each in after if each.positional and not each.many][: given.positional]
    moved = [name for name, other in zip(old, new, strict=False) if name != other and name in new and other in old]
    return given.open or not moved


# Text in brackets


def _listed(text: str, name: str) -> list[str] | None:
    """The parts of the list in parentheses behind a name, type arguments between both skipped; None where there is none."""
    found = re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text)
    if not found:
        return None
    position = _behind_generics(text, found.end())
    if position >= len(text) or text[position] != "(":
        return None
    end = _closing(text, position)
    if end < 0:
        return None
    return [part for part in map(str.strip, _parts(text[position + 1 : end])) if part]


def _behind_generics(text: str, position: int) -> int:
    """The place behind white space and one list of types (`<T>`, `::<T>`, `[T any]`)."""
    rest = text[position:]
    skipped = re.match(r"[?!]?\s*(?:(?:::)?<[^()<>]*(?:<[^()<>]*>[^()<>]*)*>|\[[^\[\]()]*\](?=\())?\s*", rest)
    return position + (skipped.end() if skipped else 0)


def _closing(text: str, position: int) -> int:
    depth = 0
    for place, character in _unquoted(text, position):
        depth += (character in _OPEN) - (character in _CLOSE)
        if depth == 0:
            return place
    return -1


def _parts(text: str) -> Iterator[str]:
    """A list parted at the commas outside of brackets; angle brackets of types count where they close."""
    depth, begun = 0, 0
    for place, character in _unquoted(text, 0):
        depth += (character in _OPEN) - (character in _CLOSE)
        if character == "," and depth == 0 and not _inside_types(text, begun, place):
            yield text[begun:place]
            begun = place + 1
    yield text[begun:]


def _inside_types(text: str, begun: int, place: int) -> bool:
    """Whether a comma stands in a list of types such as `Map<K, V>`."""
    before = text[begun:place]
    opened = len(re.findall(r"\w<(?=[\w\[{(\"'])", before)) - len(re.findall(r"(?<![-=])>", before))
    return opened > 0 and bool(re.match(r"[^()]*?>", text[place:]))


def _unquoted(text: str, position: int) -> Iterator[tuple[int, str]]:
    """The characters outside of quotes and of comments to the end of a line."""
    quote = ""
    while position < len(text):
        character = text[position]
        if quote:
            if character == "\\":
                position += 1
            elif character == quote or (character == "\n" and quote != "`"):
                quote = ""
        elif character in _QUOTES and not (character == "'" and _LIFETIME.match(text, max(position - 1, 0))):
            quote = character
        elif (character == "#" and text[position - 1 : position] in ("", " ", "\n", "\t")) or text.startswith(
            "//", position
        ):
            position = text.find("\n", position)
            if position < 0:
                return
            yield position, "\n"
        else:
            yield position, character
        position += 1
