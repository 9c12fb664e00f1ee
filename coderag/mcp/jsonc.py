"""Changing one member of a JSON text, with or without comments, and nothing else in it: not a space, not a comment, not an order."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|[{}\[\],:]|[^\s"{}\[\],:/]+|\s+', re.DOTALL)
_INDENT = re.compile(r"\n([ \t]+)\S")


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def is_comment(self) -> bool:
        return self.text.startswith(("//", "/*"))


@dataclass(frozen=True, slots=True)
class _Member:
    """One member of an object, by offsets; `comma` is where one follows it, -1 where none does."""

    key: str
    start: int
    value: int
    end: int
    comma: int


@dataclass(frozen=True, slots=True)
class _Object:
    """An object: where it opens and closes, and its members."""

    open: int
    close: int
    members: tuple[_Member, ...]

    def member(self, key: str) -> _Member | None:
        """The member that counts: the last of its name."""
        return next((each for each in reversed(self.members) if each.key == key), None)


def loads(text: str) -> Any:
    """The value of a JSON text with comments and trailing commas.

    Raises:
        ValueError: it is none.
    """
    kept = [token for token in _tokens(text) if not token.is_comment]
    solid = [token.text for token in kept if not token.text.isspace()]
    plain = [
        each
        for each, following in zip(solid, [*solid[1:], ""], strict=True)
        if each != "," or following not in ("}", "]")
    ]
    return json.loads(" ".join(plain))


def with_member(text: str, path: tuple[str, ...], value: Any) -> str:
    """The text with the member at `path` set to `value`; objects on the way are made where they are missing.

    Raises:
        ValueError: the text is no JSON object, or something on the way is none.
    """
    found, depth = _deepest(text, path)
    missing = path[depth:]
    unit, line_end = _style(text)
    if not missing:
        member = _object_at(text, path[:-1]).member(path[-1])
        assert member is not None
        return text[: member.value] + _formatted(value, unit, len(path), line_end) + text[member.end :]
    for key in reversed(missing[1:]):
        value = {key: value}
    key = json.dumps(missing[0], ensure_ascii=False)
    entry = f"{key}: {_formatted(value, unit, depth + 1, line_end)}"
    inner, outer = line_end + unit * (depth + 1), line_end + unit * depth
    if not found.members:
        return text[: found.open + 1] + inner + entry + outer + text[found.close :]
    last = found.members[-1]
    if "\n" not in text[found.open : found.close]:
        return f"{text[: last.end]}, {key}: {json.dumps(value, ensure_ascii=False)}{text[last.end :]}"
    comma, own = ("", ",") if last.comma >= 0 else (",", "")
    between = text[last.end : found.close].rstrip()
    return text[: last.end] + comma + between + inner + entry + own + outer + text[found.close :]


def without_member(text: str, path: tuple[str, ...]) -> str:
    """The text without the member at `path`; as it is where there is none.

    Raises:
        ValueError: the text is no JSON object, or something on the way is none.
    """
    found, depth = _deepest(text, path)
    if depth < len(path):
        return text
    found = _object_at(text, path[:-1])
    member = found.member(path[-1])
    assert member is not None
    if len(found.members) == 1:
        return text[: found.open + 1] + text[found.close :]
    start = len(text[: member.start].rstrip())
    end = member.comma + 1 if member.comma >= 0 else member.end
    before = next((each for each in reversed(found.members) if each.end <= member.start), None)
    if member.comma < 0 and before is not None:  # the last one: the comma before it goes too
        return text[: before.comma] + text[before.comma + 1 : start] + text[end:]
    return text[:start] + text[end:]


def document(path: tuple[str, ...], value: Any) -> str:
    """A text that holds nothing but the member at `path`."""
    for key in reversed(path):
        value = {key: value}
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _tokens(text: str) -> Iterator[_Token]:
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"line {text.count(chr(10), 0, position) + 1}: {text[position]!r} is no JSON")
        yield _Token(match.group(), position)
        position = match.end()


def _object_at(text: str, path: tuple[str, ...]) -> _Object:
    tokens = [each for each in _tokens(text) if not each.is_comment and not each.text.isspace()]
    position = 0
    for key in (*path, None):
        if position >= len(tokens) or tokens[position].text != "{":
            raise ValueError("there is no object where the servers are listed")
        found = _members(tokens, position)
        if key is None:
            return found
        member = found.member(key)
        assert member is not None
        position = next(index for index, token in enumerate(tokens) if token.start == member.value)
    raise AssertionError


def _members(tokens: list[_Token], position: int) -> _Object:
    """The object that begins at a token."""
    opened = tokens[position].start
    members: list[_Member] = []
    position += 1
    while tokens[position].text != "}":
        key, value = tokens[position], position + 2
        end = _value_end(tokens, value)
        follows = end + 1 < len(tokens) and tokens[end + 1].text == ","
        comma = tokens[end + 1].start if follows else -1
        members.append(_Member(json.loads(key.text), key.start, tokens[value].start, tokens[end].end, comma))
        position = end + (2 if follows else 1)
    return _Object(opened, tokens[position].start, tuple(members))


def _value_end(tokens: list[_Token], position: int) -> int:
    """The last token of the value that begins at one."""
    depth = 0
    while True:
        text = tokens[position].text
        depth += (text in ("{", "[")) - (text in ("}", "]"))
        if not depth:
            return position
        position += 1


def _deepest(text: str, path: tuple[str, ...]) -> tuple[_Object, int]:
    """The innermost object that there is on the way to a member, and how many keys of the path exist."""
    value = loads(text)
    depth = 0
    while depth < len(path) and isinstance(value, dict) and path[depth] in value:
        value = value[path[depth]]
        depth += 1
    return _object_at(text, path[: min(depth, len(path) - 1)]), depth


def _style(text: str) -> tuple[str, str]:
    """The indentation of one level, and how lines end."""
    found = _INDENT.search(text)
    return (found.group(1) if found else "  "), ("\r\n" if "\r\n" in text else "\n")


def _formatted(value: Any, unit: str, depth: int, line_end: str) -> str:
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", line_end + unit * depth)
