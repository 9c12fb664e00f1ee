"""Lines of an ignore file, matched byte for byte as git matches them.

It knows one file's rules and paths relative to that file's directory; which files apply to a path, and what a parent
directory's exclusion means, is decided by its callers. A rule here matches an entry itself, never what is below it:
that is what lets `*`, `!*/`, `!*.py` keep a directory whose files are mostly left out. Written from gitignore(5) and
compared with git on random trees.

Why not pathspec: in its place (`GitIgnoreSpecPattern` of 1.1, entries told from what is below them by its `ps_d` group)
it passes 141 of the 147 one-line rules of the tests, and it differs from git in

- `[[:digit:]]` and every other named class: read as the letters of the name;
- `[\\]]`: a backslash inside of brackets escapes nothing;
- `[z-a]`: `re.error`, and with it the end of the run, instead of a rule that matches nothing;
- `a.py` and a tab: the tab is stripped, git strips spaces alone;
- `a/**/`: does not match the directories below `a`;
- `*`, `!*/`, `!*.py` from a nested file: what `*/` matches cannot be told from what is below it;
- `*a*a*a*a*a*a*a*a*b`: time that grows exponentially with the stars, which a repository chooses.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

_SPECIAL = re.compile(rb"[*?\[\\]")
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_CLASSES: dict[bytes, Callable[[int], bool]] = {
    b"alnum": lambda c: c in _WORD,
    b"alpha": lambda c: c in _WORD and not 48 <= c <= 57,
    b"blank": lambda c: c in b" \t",
    b"cntrl": lambda c: c < 32 or c == 127,
    b"digit": lambda c: 48 <= c <= 57,
    b"graph": lambda c: 33 <= c <= 126,
    b"lower": lambda c: 97 <= c <= 122,
    b"print": lambda c: 32 <= c <= 126,
    b"punct": lambda c: 33 <= c <= 126 and c not in _WORD,
    b"space": lambda c: c in b" \t\n\r\v\f",
    b"upper": lambda c: 65 <= c <= 90,
    b"xdigit": lambda c: c in b"0123456789abcdefABCDEF",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of an ignore file. `pattern` is what is left without "!", a leading and a trailing slash."""

    source: str
    line: int
    text: str
    pattern: bytes
    negated: bool
    directory_only: bool
    by_path: bool  # has a slash at its beginning or middle: matched against the path, otherwise against the name

    @property
    def detail(self) -> str:
        """`<file>:<line>: <pattern>`, as git check-ignore says it."""
        return f"{self.source}:{self.line}: {self.text}"

    @property
    def is_catch_all(self) -> bool:
        """Made of wildcards alone (`!*/`): it opens its own list again and says nothing about any directory by name."""
        return not self.pattern.strip(b"*/")

    @property
    def parts(self) -> list[bytes]:
        """The path parts of the pattern, without leading `**`, which say no more than that it may stand anywhere."""
        parts = self.pattern.split(b"/")
        while len(parts) > 1 and parts[0] == b"**":
            parts = parts[1:]
        return parts

    @property
    def names_directories(self) -> bool:
        """Whether the pattern says in which directory it wants something (`generated/api.py`)."""
        return self.by_path and len(self.parts) > 1

    @property
    def names_file(self) -> bool:
        """Whether its last part is a plain name."""
        return not _SPECIAL.search(self.parts[-1])


def parse_rules(content: bytes, source: str) -> Iterator[Rule]:
    """The rules in an ignore file, in their order. Never fails: what git cannot match, matches nothing."""
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        line = line.removesuffix(b"\r").partition(b"\0")[0]
        if line and not line.startswith(b"#") and (line := _without_trailing_spaces(line)):
            yield parse_rule(line, source, number)


def parse_rule(line: bytes, source: str, number: int) -> Rule:
    """One line as a rule."""
    negated = line.startswith(b"!")
    pattern = line[1:] if negated else line
    directory_only = pattern.endswith(b"/")
    pattern = pattern[:-1] if directory_only else pattern
    by_path = b"/" in pattern
    return Rule(source, number, os.fsdecode(line), pattern.removeprefix(b"/"), negated, directory_only, by_path)


def _without_trailing_spaces(line: bytes) -> bytes:
    kept = line.rstrip(b" ")
    if kept == line:
        return line
    # A backslash before the first of the spaces keeps that one, unless the backslash is itself escaped.
    backslashes = len(kept) - len(kept.rstrip(b"\\"))
    return kept + b" " if backslashes % 2 else kept


@dataclass(slots=True)
class RuleList:
    """The rules of one file, asked for the last one that matches.

    Plain names and paths (the bulk of long files) are looked up; only the others are tried in turn.
    """

    rules: list[Rule] = field(default_factory=list)
    _names: dict[bytes, list[int]] = field(default_factory=dict)
    _paths: dict[bytes, list[int]] = field(default_factory=dict)
    _tests: list[tuple[int, Callable[[bytes], object]]] = field(default_factory=list)

    @classmethod
    def of(cls, rules: Iterable[Rule]) -> RuleList:
        """The rules, made ready to be asked."""
        made = cls()
        for rule in rules:
            made._add(rule)
        made._tests.reverse()
        return made

    def _add(self, rule: Rule) -> None:
        number = len(self.rules)
        self.rules.append(rule)
        if not _SPECIAL.search(rule.pattern):
            (self._paths if rule.by_path else self._names).setdefault(rule.pattern, []).append(number)
        elif (expression := translate(rule.pattern, by_path=rule.by_path)) is not None:
            self._tests.append((number, re.compile(expression, re.DOTALL).fullmatch))

    def last_match(self, path: bytes, is_directory: bool) -> Rule | None:
        """The last rule that matches the entry at `path`, relative to the directory of the file; None where none does."""
        name = path[path.rfind(b"/") + 1 :]
        best = max(self._found(self._names, name, is_directory), self._found(self._paths, path, is_directory))
        for number, matches in self._tests:
            if number < best:
                break
            rule = self.rules[number]
            if (is_directory or not rule.directory_only) and matches(path if rule.by_path else name):
                return rule
        return self.rules[best] if best >= 0 else None

    def _found(self, table: dict[bytes, list[int]], key: bytes, is_directory: bool) -> int:
        for number in reversed(table.get(key, ())):
            if is_directory or not self.rules[number].directory_only:
                return number
        return -1


_STAR, _SLASH, _ANY_DIRECTORIES, _ANYTHING = "*", "/", "**/", "**"


def translate(pattern: bytes, *, by_path: bool) -> bytes | None:
    """A regular expression for `fullmatch` that matches what git's wildmatch does; None where nothing can match.

    Every wildcard but the last of its kind is put into an atomic group up to what must follow it. The leftmost place is
    always as good as any later one there, and so no pattern takes more than (length of path) x (length of pattern).
    """
    tokens = _tokens(pattern, by_path)
    if tokens is None:
        return None
    blocks: list[list[bytes | str]] = [[]]
    for token in tokens:
        if token in (_ANY_DIRECTORIES, _ANYTHING):
            blocks.append([])
        blocks[-1].append(token)
    last = len(blocks) - 1
    return b"".join(_block(block, atomic=number < last) for number, block in enumerate(blocks))


def _block(tokens: list[bytes | str], *, atomic: bool) -> bytes:
    if tokens and tokens[0] == _ANY_DIRECTORIES:
        body = rb"(?:[^/]*/)*?" + _segments(tokens[1:])
    elif tokens and tokens[0] == _ANYTHING:
        body = (rb".*?" if atomic else rb".*") + _segments(tokens[1:])
    else:
        return _segments(tokens)
    return rb"(?>" + body + rb")" if atomic else body


def _segments(tokens: list[bytes | str]) -> bytes:
    made: list[bytes] = []
    piece: list[bytes] = []
    after_star = False
    for token in [*tokens, _SLASH]:
        if isinstance(token, bytes):
            piece.append(token)
            continue
        text = b"".join(piece)
        made.append(_after_star(text, atomic=token == _STAR) if after_star else text)
        piece, after_star = [], token == _STAR
        if token == _SLASH:
            made.append(b"/")
    return b"".join(made[:-1])


def _after_star(piece: bytes, *, atomic: bool) -> bytes:
    return rb"(?>[^/]*?" + piece + rb")" if atomic else rb"[^/]*" + piece


def _tokens(pattern: bytes, by_path: bool) -> list[bytes | str] | None:
    tokens: list[bytes | str] = []
    at, plain = 0, True
    while at < len(pattern):
        byte = pattern[at : at + 1]
        if byte == b"*":
            end = at + len(pattern[at:]) - len(pattern[at:].lstrip(b"*"))
            # Git strips the plain beginning before it looks, so `foo**/bar` behaves as if `**` stood at the start.
            bounded = plain or pattern[at - 1 : at] == b"/"
            if by_path and end - at > 1 and bounded and end == len(pattern):
                tokens.append(_ANYTHING)
            elif by_path and end - at > 1 and bounded and pattern[end : end + 1] == b"/":
                tokens.append(_ANY_DIRECTORIES)
                end += 1
            elif by_path and end - at > 1 and bounded and pattern[end : end + 2] == rb"\/":
                tokens.append(_ANYTHING)
            else:
                tokens.append(_STAR)
            at, plain = end, False
        elif byte == b"[":
            found = _bracket(pattern, at + 1)
            if found is None:
                return None
            members, at = found
            tokens.append(_class(members))
            plain = False
        elif byte == b"?":
            tokens.append(rb"[^/]")
            at, plain = at + 1, False
        elif byte == b"\\":
            if at + 1 == len(pattern):
                return None
            tokens.append(_literal(pattern[at + 1 : at + 2]))
            at, plain = at + 2, False
        else:
            tokens.append(_literal(byte))
            at += 1
    return tokens


def _literal(byte: bytes) -> bytes | str:
    return _SLASH if byte == b"/" else re.escape(byte)


def _class(members: set[int]) -> bytes:
    inside = b"".join(b"\\x%02x" % member for member in sorted(members - {ord("/")}))
    return b"[" + inside + b"]" if inside else rb"(?!)"


def _bracket(pattern: bytes, at: int) -> tuple[set[int], int] | None:
    """The bytes that a bracket expression allows and where it ends; None where it does not end or names no known class."""
    negated = pattern[at : at + 1] in (b"!", b"^")
    at += negated
    members: set[int] = set()
    previous: int | None = None
    first = True
    while first or pattern[at : at + 1] != b"]":
        first = False
        if at >= len(pattern):
            return None
        if pattern[at] == ord("-") and previous is not None and pattern[at + 1 : at + 2] not in (b"", b"]"):
            at += 1 + (pattern[at + 1] == ord("\\"))
            if at >= len(pattern):
                return None
            members.update(range(previous, pattern[at] + 1))
            previous, at = None, at + 1
        elif pattern[at : at + 2] == b"[:" and (named := _named_class(pattern, at + 2)) is not None:
            name, at = named
            if name not in _CLASSES:
                return None
            members.update(code for code in range(256) if _CLASSES[name](code))
            previous = None
        else:
            at += pattern[at] == ord("\\")
            if at >= len(pattern):
                return None
            previous = pattern[at]
            members.add(previous)
            at += 1
    return (set(range(256)) - members if negated else members), at + 1


def _named_class(pattern: bytes, at: int) -> tuple[bytes, int] | None:
    end = pattern.find(b"]", at)
    if end < 0:
        return b"", at  # no end at all: git gives the pattern up, and "" is no class
    if end == at or pattern[end - 1] != ord(":"):
        return None
    return pattern[at : end - 1], end + 1
