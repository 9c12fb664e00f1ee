"""JSON and TOML with the line of every value, so that an error in a configuration can say where.

JSON is read strictly, here and not by the standard library, which forgets lines. The lines of TOML, whose values the standard library
reads, are looked for in the text and are those of the key, or of its table where the key is not found. Refuses what is nested deeper
than 64 levels.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from typing import Any

from coderag.errors import ConfigError

_DEEPEST = 64
_BLANK = re.compile(r"[ \t\r\n]*")
_SCALAR = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Located:
    """A value and the line on which it begins, from 1. Objects map to `Located`, arrays hold them."""

    value: Any
    line: int

    @property
    def plain(self) -> Any:
        """The value without its lines."""
        if isinstance(self.value, dict):
            return {key: each.plain for key, each in self.value.items()}
        return [each.plain for each in self.value] if isinstance(self.value, list) else self.value


def read_json(text: str, path: str) -> Located:
    """A JSON text.

    Raises:
        ConfigError: it is no JSON, says a key twice, or is nested too deeply; the message begins with `path:line`.
    """
    reader = _Reader(text.removeprefix("\ufeff"), path)
    found = reader.value(reader.skipped(0), 0)
    if reader.skipped(reader.at) != len(reader.text):
        reader.fail(reader.skipped(reader.at), "nothing may follow the closing bracket")
    return found


class _Reader:
    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self.at = 0  # behind the value that was read last
        self._ends = [found.start() for found in re.finditer("\n", text)]

    def line(self, at: int) -> int:
        from bisect import bisect_left

        return bisect_left(self._ends, at) + 1

    def fail(self, at: int, message: str) -> Any:
        raise ConfigError(f"{self.path}:{self.line(at)}: {message}")

    def skipped(self, at: int) -> int:
        found = _BLANK.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int, depth: int) -> Located:
        if depth > _DEEPEST:
            self.fail(at, f"nested deeper than {_DEEPEST} levels")
        character = self.text[at : at + 1]
        if character == "{":
            return Located(self._object(at, depth), self.line(at))
        if character == "[":
            return Located(self._array(at, depth), self.line(at))
        return Located(self._scalar(at), self.line(at))

    def _scalar(self, at: int) -> Any:
        try:
            value, self.at = _SCALAR.raw_decode(self.text, at)
        except json.JSONDecodeError as error:
            return self.fail(min(error.pos, len(self.text)), f"this is no JSON: {error.msg}")
        except ValueError as error:  # a number of thousands of digits
            return self.fail(at, f"this is no JSON: {error}")
        return value

    def _object(self, at: int, depth: int) -> dict[str, Located]:
        found: dict[str, Located] = {}
        at = self.skipped(at + 1)
        while self.text[at : at + 1] != "}":
            if self.text[at : at + 1] != '"':
                self.fail(at, 'a key in double quotes or "}" must stand here')
            key_at, key = at, self._scalar(at)
            at = self.skipped(self.at)
            if self.text[at : at + 1] != ":":
                self.fail(at, f'":" must follow the key {key!r}')
            if key in found:
                self.fail(key_at, f"{key!r} is there twice")
            found[key] = self.value(self.skipped(at + 1), depth + 1)
            at = self._next(self.skipped(self.at), "}")
        self.at = at + 1
        return found

    def _array(self, at: int, depth: int) -> list[Located]:
        found: list[Located] = []
        at = self.skipped(at + 1)
        while self.text[at : at + 1] != "]":
            found.append(self.value(at, depth + 1))
            at = self._next(self.skipped(self.at), "]")
        self.at = at + 1
        return found

    def _next(self, at: int, closing: str) -> int:
        """Where the next member begins, or where the closing bracket stands."""
        if self.text[at : at + 1] == closing:
            return at
        if self.text[at : at + 1] != ",":
            self.fail(at, f'"," or "{closing}" must stand here')
        following = self.skipped(at + 1)
        if self.text[following : following + 1] == closing:
            self.fail(at, f'no "," may stand before "{closing}"')
        return following


def read_toml(text: str, path: str, table: tuple[str, ...]) -> Located | None:
    """One table of a TOML text, None where it has none.

    Raises:
        ConfigError: it is no TOML, or nested too deeply.
    """
    try:
        document: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: {error}; correct the file") from error
    for name in table:
        document = document.get(name) if isinstance(document, dict) else None
    if document is None:
        return None
    return _TomlLines(text, path).located(document, table, 1, 0)


class _TomlLines:
    """Looks for keys in a TOML text. An array of tables or of inline tables is found by counting."""

    def __init__(self, text: str, path: str) -> None:
        self._lines = text.split("\n")
        self._path = path

    def located(self, value: Any, table: tuple[str, ...], around: int, depth: int) -> Located:
        if depth > _DEEPEST:
            raise ConfigError(f"{self._path}:{around}: nested deeper than {_DEEPEST} levels")
        if isinstance(value, dict):
            line = self._header(table, 1) or around
            return Located({key: self._member(each, key, table, line, depth) for key, each in value.items()}, line)
        if isinstance(value, list):
            lines = [self._header(table, number) or around for number in range(1, len(value) + 1)]
            return Located(
                [self._element(each, table, line, depth) for each, line in zip(value, lines, strict=True)], around
            )
        return Located(value, around)

    def _member(self, value: Any, key: str, table: tuple[str, ...], line: int, depth: int) -> Located:
        found = self._key(key, line)
        if isinstance(value, list) and all(isinstance(each, dict) for each in value) and self._inline(found):
            return Located([self._inline_element(each, number, found) for number, each in enumerate(value)], found)
        return self.located(value, (*table, key), found, depth + 1)

    def _element(self, value: Any, table: tuple[str, ...], line: int, depth: int) -> Located:
        if not isinstance(value, dict):
            return self.located(value, table, line, depth + 1)
        members = {
            key: self.located(each, (*table, key), self._key(key, line), depth + 1) for key, each in value.items()
        }
        return Located(members, line)

    def _inline(self, line: int) -> bool:
        return "=" in self._lines[line - 1] and not self._lines[line - 1].lstrip().startswith("[")

    def _inline_element(self, value: Any, number: int, start: int) -> Located:
        opened = [
            at
            for at in range(start, len(self._lines) + 1)
            for _ in re.findall(r"(?:\A|[\[,=]|\A\s+)\s*\{", self._lines[at - 1])
        ]
        line = opened[number] if number < len(opened) else start
        return Located({key: self.located(each, ("?",), line, 1) for key, each in value.items()}, line)

    def _header(self, table: tuple[str, ...], number: int) -> int:
        """The line of the `number`-th header of a table, 0 where it has none."""
        names = r"\s*\.\s*".join(rf"[\"']?{re.escape(name)}[\"']?" for name in table)
        pattern = re.compile(rf"\s*\[{{1,2}}\s*{names}\s*\]{{1,2}}")
        found = [at for at, line in enumerate(self._lines, 1) if pattern.match(line)]
        return found[number - 1] if len(found) >= number else 0

    def _key(self, key: str, start: int) -> int:
        """The line of a key below a header, as far as the next header; `start` where it is not found."""
        pattern = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]")
        for at in range(start, len(self._lines)):
            if re.match(r"\s*\[", self._lines[at]) and not self._lines[at].rstrip().endswith(","):
                break
            if pattern.match(self._lines[at]):
                return at + 1
        return start
