"""Questions mined from a repository's own history: what a commit says, and the functions that it changed.

Each commit is asked about at its parent, from a tree whose history ends there. Messages are the fixer's words: they say more than a report
would, so figures are for comparing, not for boasting.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from coderag.bench.checkouts import check_out, git
from coderag.bench.paths import is_foreign, is_test
from coderag.bench.scoring import covers_function
from coderag.bench.values import DEPTH, Asked, Case, Rule, Target
from coderag.index import Index
from coderag.languages import BY_NAME, detect_language
from coderag.recall.filters import is_example_path, is_test_path, is_vendored_path
from coderag.snapshot import StoredSnapshot
from coderag.types import CALLABLE_KINDS, Focus, Kind, Query, Symbol

MOST_FILES: Final = 5
MOST_FUNCTIONS: Final = 8
FEWEST_WORDS: Final = 4
LOOKED_AT: Final = 40
"""Commits that are read for each one that is wanted."""

_FIX = re.compile(
    r"\b(?:fix(?:e[sd]|ing)?|bugs?|crash(?:es|ed)?|regressions?|wrong(?:ly)?|incorrect(?:ly)?|broken|fail(?:s|ed|ures?)?|"
    r"leak(?:s|ed)?|panic(?:s|ked)?|handle[sd]?|prevents?|avoids?|修复|修正)\b",
    re.IGNORECASE,
)
_TRAILER = re.compile(
    r"^(?:[A-Z][\w-]+-by|Co-authored-by|Change-Id|Cc|Reviewed-on|PiperOrigin-RevId): .*$", re.MULTILINE
)
_NUMBER = re.compile(
    r"\(?(?:(?:fix(?:es|ed)?|clos(?:es|ed?)|resolv(?:es|ed?)|see|refs?):? )?(?:GH-|#)\d+\)?", re.IGNORECASE
)
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? ")


def is_own_code(path: str) -> bool:
    """Whether a path is source in a known language, and no test, example or foreign code."""
    row = BY_NAME.get(detect_language(path))
    if row is None or not row.code or is_test(path) or is_foreign(path):
        return False
    return not (is_test_path(path) or is_example_path(path) or is_vendored_path(path))


OWN: Final = Rule("own", is_own_code, covers_function, 200)


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit with one parent: its message without trailers and numbers, and the lines of the parent that it changes, by path."""

    id: str
    parent: str
    message: str
    changed: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Mined:
    """A case for each commit that is asked about, from the oldest on, and how many of the others there are, by reason."""

    cases: tuple[Case, ...]
    passed_over: Mapping[str, int]


def fixes(repository: Path, name: str, head: str, most: int) -> Mined:
    """The newest fixes of a repository, at most `most`."""
    return _mined("yours", repository, name, head, most, _no_fix, _by_message)


def yours(repository: Path, name: str, head: str, most: int) -> Iterator[Case]:
    """One case for each of the newest fixes of a repository, from the oldest on."""
    yield from fixes(repository, name, head, most).cases


def together(repository: Path, name: str, head: str, most: int) -> Iterator[Case]:
    """One case for each of the newest commits that change functions in several files: one is the focus, the others are the answers."""
    yield from _mined("focus", repository, name, head, most, _not_spread, _by_focus).cases


def _mined(
    task: str,
    repository: Path,
    name: str,
    head: str,
    most: int,
    obstacle: Callable[[Commit], str],
    ask: Callable[[str, Commit, Index], list[Asked]],
) -> Mined:
    chosen: list[Commit] = []
    passed_over: Counter[str] = Counter()
    for commit in commits(repository, head, most * LOOKED_AT):
        if why := obstacle(commit):
            passed_over[why] += 1
        else:
            chosen.append(commit)
        if len(chosen) == most:
            break
    place = f"{name.replace('/', '+')}+commits"
    cases = [
        Case(task, place, partial(_prepare, repository, commit.parent), mine=partial(ask, name, commit))
        for commit in reversed(chosen)
    ]
    return Mined(tuple(cases), dict(sorted(passed_over.items())))


def _prepare(repository: Path, commit: str, place: Path) -> Path:
    check_out(repository, commit, place)
    return place


def _no_fix(commit: Commit) -> str:
    """Why a commit is not asked about as a fix, "" for one that is."""
    if _FIX.search(commit.message.partition("\n")[0]) is None:
        return "the message speaks of no fix"
    return _unfit(commit)


def _not_spread(commit: Commit) -> str:
    return _unfit(commit) or ("it changes one file" if len(commit.changed) == 1 else "")


def _unfit(commit: Commit) -> str:
    if len(commit.message.split()) < FEWEST_WORDS:
        return f"the message has fewer than {FEWEST_WORDS} words"
    if not commit.changed:
        return "it changes no code that was there before"
    return f"it changes more than {MOST_FILES} files" if len(commit.changed) > MOST_FILES else ""


def commits(repository: Path, head: str, most: int) -> Iterator[Commit]:
    """The newest commits with one parent, newest first, each with what it changes in code of the repository's own.

    Raises:
        BenchError: git cannot answer.
    """
    log = ("log", "--no-merges", f"-n{most}", "--format=%H %P%n%B%x00", head, "--")
    for entry in git(repository, *log).decode("utf-8", "replace").split("\0"):
        first, _, message = entry.lstrip("\n").partition("\n")
        ids = first.split()
        if len(ids) == 2:
            changed = {path: lines for path, lines in changes(repository, *reversed(ids)).items() if is_own_code(path)}
            yield Commit(ids[0], ids[1], _spoken(message), changed)


def changes(repository: Path, old: str, new: str) -> dict[str, tuple[int, ...]]:
    """The lines of `old` that are changed in `new`, by path; for what is only added the two lines around it."""
    diff = ("diff", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", "-U0", "--src-prefix=a/")
    told = git(repository, *diff, old, new, "--")
    found: dict[str, tuple[int, ...]] = {}
    path = ""
    for line in told.split(b"\n"):
        if line.startswith(b"--- "):
            path = line[6:].decode("utf-8", "surrogateescape") if line.startswith(b"--- a/") else ""
        elif path and (hunk := _HUNK.match(line)):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            lines = range(first, first + count) if count else (first, first + 1)
            found[path] = (*found.get(path, ()), *lines)
    return found


def _spoken(message: str) -> str:
    return re.sub(r"[ \t]{2,}", " ", _NUMBER.sub("", _TRAILER.sub("", message))).strip()


def functions_changed(snapshot: StoredSnapshot, changed: Mapping[str, Sequence[int]]) -> list[Target]:
    """The innermost functions that hold changed lines, by path and position."""
    found = []
    for path in sorted(changed):
        if snapshot.index_of(path) >= 0:
            functions = functions_of(snapshot, path)
            found += [
                Target(path, symbol.span.start_line, symbol.span.end_line, symbol.qualified_name, inside)
                for symbol in functions
                if (inside := tuple(line for line in changed[path] if _innermost(functions, line) is symbol))
            ]
    return found


def functions_of(snapshot: StoredSnapshot, path: str) -> list[Symbol]:
    """The functions and methods of a file that have chunks of their own, by position."""
    symbols = snapshot.parsed(path).symbols
    chunks = snapshot.chunks(snapshot.rows_of(path).tolist())
    own = {
        chunk.symbols[0] for chunk in chunks.values() if chunk.kind in CALLABLE_KINDS - {Kind.MACRO} and chunk.symbols
    }
    return [symbols[number] for number in sorted(own)]


def _innermost(functions: Sequence[Symbol], line: int) -> Symbol | None:
    around = [symbol for symbol in functions if symbol.span.start_line <= line <= symbol.span.end_line]
    return min(around, key=lambda symbol: symbol.span.end_line - symbol.span.start_line, default=None)


def _by_message(name: str, commit: Commit, index: Index) -> list[Asked]:
    targets = functions_changed(index.snapshot(), commit.changed)
    if not 0 < len(targets) <= MOST_FUNCTIONS:
        return []
    named = any(target.symbol.rpartition(".")[2] in commit.message for target in targets)
    category = "names the function" if named else "does not name it"
    return [_asked("yours", commit, Query(commit.message, k=DEPTH), targets, name, category)]


def _by_focus(name: str, commit: Commit, index: Index) -> list[Asked]:
    targets = functions_changed(index.snapshot(), commit.changed)
    if not 1 < len(targets) <= MOST_FUNCTIONS:
        return []
    known, *others = targets
    focus = Focus(known.file, known.edited[0])
    silent, spoken = Query(focus=focus, k=DEPTH), Query(commit.message, focus=focus, k=DEPTH)
    return [
        _asked("focus", commit, silent, others, name, "changed together", known),
        _asked("focus", commit, spoken, others, name, "changed together, with the message", known),
    ]


def _asked(
    task: str,
    commit: Commit,
    query: Query,
    targets: Sequence[Target],
    name: str,
    category: str,
    known: Target | None = None,
) -> Asked:
    files = dict.fromkeys(target.file for target in targets)
    levels = {"function": tuple(targets), "file": tuple(map(Target, files))}
    language = detect_language(targets[0].file)
    return Asked(task, f"{name}@{commit.id[:12]}", query, levels, OWN, name, language, category, known=known)
