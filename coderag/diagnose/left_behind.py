"""Callers that a change left behind: a signature that they no longer fit, or a definition that went away under them.

A definition is compared in both states, and every caller that the change did not touch is looked at: its arguments are read from its line
and must have fitted before and not fit now. What went away is looked for again as the linker looks: what still resolves, through a
re-export or a new place, is no finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from coderag.config import Settings
from coderag.diagnose.calls import Parameter, arguments, fits, parameters, same_order
from coderag.diagnose.changes import Changes, FileChange, changes_since, text_at
from coderag.diagnose.universe import Overlay, structures
from coderag.languages import detect_language
from coderag.link import LINK_RULES, Linker
from coderag.recall.terms import token_terms
from coderag.snapshot import StoredSnapshot
from coderag.types import (
    CALLABLE_KINDS,
    CONTAINER_KINDS,
    Confidence,
    EdgeKind,
    FileStat,
    Link,
    Parsed,
    Skipped,
    Symbol,
    WalkedFile,
)
from coderag.walk import read

MOST_CALLERS = 500
"""Files that are linked for one name at most."""

_SURE = (Confidence.EXACT, Confidence.SCOPED)
_CALLING = (EdgeKind.CALLS, EdgeKind.TESTS)
_LINES_OF_CALL = 60


class Change(StrEnum):
    """What happened to a definition."""

    SIGNATURE = "signature changed"
    ORDER = "parameters changed places"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Caller:
    """A use that was not changed: where it is now, and how sure the edge is (`weight` is 1/n for one of n guesses)."""

    path: str
    line: int
    symbol: str
    text: str
    confidence: Confidence
    weight: float

    @property
    def is_sure(self) -> bool:
        """Whether the edge is no guess."""
        return self.confidence in _SURE


@dataclass(frozen=True, slots=True)
class Broken:
    """A changed definition with the callers that were left behind. `now` is "" for one that is gone."""

    path: str
    line: int
    symbol: str
    change: Change
    before: str
    now: str
    callers: tuple[Caller, ...]

    @property
    def is_sure(self) -> bool:
        """Whether at least one caller surely means this definition."""
        return any(each.is_sure for each in self.callers)


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """The answer for a commit: what broke, how many definitions changed their signature or went, and how many files were compared."""

    revision: str
    broken: tuple[Broken, ...]
    changed: int
    files: int
    notes: tuple[str, ...] = ()

    @property
    def sure(self) -> tuple[Broken, ...]:
        """Those with a caller that is no guess."""
        return tuple(each for each in self.broken if each.is_sure)


def left_behind(root: Path, settings: Settings, snapshot: StoredSnapshot, revision: str) -> LeftBehind:
    """Compare the files as they are, which the index must have, with a commit.

    Raises:
        QueryError: this is no work tree, or there is no such commit.
    """
    changes = changes_since(root, revision)
    return _Comparison(root, settings, snapshot, changes).answer()


@dataclass(frozen=True, slots=True)
class _Changed:
    """A definition of the commit, with what it is now (None: gone)."""

    path: str
    index: int
    symbol: Symbol
    now: Symbol | None


@dataclass(frozen=True, slots=True)
class _Use:
    """A use of a definition, with its line as the file is now."""

    path: str
    link: Link
    line: int


class _Comparison:
    """One commit beside one generation: the linker of then finds who meant what, the linker of now what they mean still."""

    def __init__(self, root: Path, settings: Settings, snapshot: StoredSnapshot, changes: Changes) -> None:
        self._root, self._settings, self._snapshot, self._changes = root, settings, snapshot, changes
        linked = [each for each in changes.files.values() if detect_language(each.path) in LINK_RULES]
        texts = {each.path: text_at(root, changes.revision, each.path) for each in linked if not each.is_new}
        self._before = structures({path: text for path, text in texts.items() if text is not None}, settings)
        then: dict[str, Parsed | None] = {each.path: self._before.get(each.path) for each in linked}
        self._then, self._now = Overlay(snapshot, then), Overlay(snapshot, {})
        self._linker_then, self._linker_now = Linker(self._then, LINK_RULES), Linker(self._now, LINK_RULES)
        self._links: dict[tuple[str, bool], Sequence[Link]] = {}
        self._lines: dict[str, list[str]] = {}
        self._compared = len(self._before)

    def answer(self) -> LeftBehind:
        changed = [each for path in sorted(self._before) for each in self._changed(path)]
        broken = (self._broken(each) for each in changed)
        left_out = self._changes.left_out
        return LeftBehind(
            self._changes.revision,
            tuple(each for each in broken if each is not None),
            len(changed),
            self._compared,
            (f"{left_out:,} more changed files were not compared",) if left_out else (),
        )

    # Definitions

    def _changed(self, path: str) -> Iterator[_Changed]:
        """The definitions of a file whose parameters are different now, or that are gone."""
        before = self._before[path]
        present = self._snapshot.index_of(path) >= 0
        after = _by_name(self._snapshot.parsed(path)) if present else {}
        if not present and not self._changes.files[path].is_gone:
            return  # it is there, but no longer indexed
        for name, indices in _by_name(before).items():
            symbol = before.symbols[indices[0]]
            if len(indices) > 1 or not _is_followed(before, symbol):
                continue
            others = after.get(name, ())
            if not others:
                yield _Changed(path, indices[0], symbol, None)
            elif len(others) == 1:
                now = self._snapshot.parsed(path).symbols[others[0]]
                both = symbol.kind in CALLABLE_KINDS and now.kind in CALLABLE_KINDS
                if both and symbol.signature != now.signature:
                    yield _Changed(path, indices[0], symbol, now)

    def _broken(self, changed: _Changed) -> Broken | None:
        now = changed.now
        if now is None:
            change, callers = Change.GONE, tuple(self._orphans(changed))
        else:
            rules = LINK_RULES[self._before[changed.path].language]
            before = parameters(changed.symbol.signature, changed.symbol.name, rules.self_names)
            after = parameters(now.signature, now.name, rules.self_names)
            if before is None or after is None or before == after:
                return None
            change, callers = self._misfits(changed, before, after)
        if not callers:
            return None
        symbol = changed.symbol
        line = now.name_line if now else symbol.name_line
        words = (symbol.signature, now.signature if now else "")
        return Broken(changed.path, line, symbol.qualified_name, change, *words, tuple(callers))

    # Callers

    def _uses(self, changed: _Changed) -> Iterator[_Use]:
        """The uses of a definition in the commit whose lines still stand."""
        for path in self._candidates(changed):
            change = self._changes.files.get(path)
            for link in self._linked(path, then=True):
                if (link.path, link.target) != (changed.path, changed.index):
                    continue
                for line in link.lines:
                    now = line if change is None else change.now(line)
                    if now is not None:
                        yield _Use(path, link, now)

    def _candidates(self, changed: _Changed) -> list[str]:
        """The files, in both states, that have the word; for a constructor that of its type."""
        name = changed.symbol.name
        parent = changed.symbol.parent
        words = {name}
        if parent >= 0:
            words.add(self._before[changed.path].symbols[parent].name)
        paths: set[str] = set()
        for word in words:
            terms = token_terms(word)
            postings = self._snapshot.postings(terms[0]) if terms else None
            rows = postings.rows.tolist() if postings else ()
            paths.update(self._snapshot.paths[int(self._snapshot.file_of_row[row])] for row in rows)
        return [path for path in sorted(paths) if self._then.has(path)][:MOST_CALLERS]

    def _linked(self, path: str, then: bool) -> Sequence[Link]:
        key = (path, then)
        if key not in self._links:
            self._links[key] = (self._linker_then if then else self._linker_now).link(path)
        return self._links[key]

    def _orphans(self, changed: _Changed) -> Iterator[Caller]:
        """Uses of what is gone that mean nothing now, or only a guess."""
        for use in self._uses(changed):
            path, link, line = use.path, use.link, use.line
            if link.kind in (EdgeKind.OVERRIDES, EdgeKind.EXTENDS, EdgeKind.DECLARES):
                continue
            still = any(
                each.name == link.name and line in each.lines and each.confidence in _SURE and each.target >= 0
                for each in self._linked(path, then=False)
            )
            if not still and link.name in self._line(path, line):
                yield self._caller(path, link, line)

    def _misfits(
        self, changed: _Changed, before: Sequence[Parameter], after: Sequence[Parameter]
    ) -> tuple[Change, tuple[Caller, ...]]:
        """Calls that fitted the parameters before and do not fit those of now."""
        misfits: list[Caller] = []
        moved: list[Caller] = []
        for use in self._uses(changed):
            path, link, line = use.path, use.link, use.line
            if link.kind not in _CALLING:
                continue
            change = self._changes.files.get(path)
            text = self._call(path, line, change)
            calls = arguments(text, link.name.rpartition(".")[2])[:1] if text else []
            for given in calls:
                if fits(given, before) and not fits(given, after):
                    misfits.append(self._caller(path, link, line))
                elif fits(given, before) and not same_order(given, before, after):
                    moved.append(self._caller(path, link, line))
        return (Change.SIGNATURE, tuple(misfits)) if misfits else (Change.ORDER, tuple(moved))

    def _call(self, path: str, line: int, change: FileChange | None) -> str:
        """The text from a line on as far as the change did not touch it."""
        lines = self._text(path)
        taken = []
        for number in range(line, min(line + _LINES_OF_CALL, len(lines) + 1)):
            if change is not None and change.is_changed(number):
                break
            taken.append(lines[number - 1])
        return "\n".join(taken)

    def _caller(self, path: str, link: Link, line: int) -> Caller:
        parsed = self._now.parsed(path)
        around = [each for each in parsed.symbols if each.span.start_line <= line <= each.span.end_line]
        symbol = around[-1].qualified_name if around else ""
        return Caller(path, line, symbol, self._line(path, line).strip(), link.confidence, link.weight)

    def _line(self, path: str, line: int) -> str:
        lines = self._text(path)
        return lines[line - 1] if line <= len(lines) else ""

    def _text(self, path: str) -> list[str]:
        if path not in self._lines:
            index = self._snapshot.index_of(path)
            found = None if index < 0 else self._read(path, self._snapshot.manifest.stat(index))
            self._lines[path] = [] if found is None else found.split("\n")
        return self._lines[path]

    def _read(self, path: str, stat: FileStat) -> str | None:
        language = self._snapshot.languages[self._snapshot.index_of(path)]
        source = read(self._root, WalkedFile(path, stat), self._settings, language)
        return None if isinstance(source, Skipped) else source.text.decode("utf-8", "surrogateescape")


def _by_name(parsed: Parsed) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = {}
    for index, symbol in enumerate(parsed.symbols):
        found.setdefault(symbol.qualified_name, []).append(index)
    return found


def _is_followed(parsed: Parsed, symbol: Symbol) -> bool:
    """Whether others can depend on a symbol: something that runs or is a type, and does not live inside of a function."""
    parent = symbol.parent
    while parent >= 0:
        if parsed.symbols[parent].kind in CALLABLE_KINDS:
            return False
        parent = parsed.symbols[parent].parent
    return symbol.kind in CALLABLE_KINDS | CONTAINER_KINDS and not symbol.declaration
