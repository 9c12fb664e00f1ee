"""Why retrieval failed: three signs by which one notices, and for each the checks that find the cause.

A check looks at one thing, says what it found and what to do, and changes nothing. It is a small function of a `Patient`; `CHECKS` is the
table of all of them and `SIGNS` says which belong to which sign.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np

from coderag.config import Settings
from coderag.diagnose.freshness import freshness
from coderag.diagnose.status import skipped
from coderag.diagnose.universe import Overlay
from coderag.errors import EmbeddingError
from coderag.languages import BY_NAME, detect_language
from coderag.link import LINK_RULES, Cause, Linker
from coderag.recall.filters import path_pattern
from coderag.records import CONFIDENCES, EDGE_KINDS
from coderag.snapshot import StoredSnapshot
from coderag.types import Confidence, EdgeKind, Reason, Skipped, Walk
from coderag.walk import walk

LINKED_FILES: Final = 300
"""Files that are linked again to count unresolved references; evenly spread over the index."""

ENTRIES_LOOKED_AT: Final = 20_000
"""Names that are read in left-out folders, at most."""

SHOWN: Final = 8
_MANY_PROBLEMS: Final = 0.05
_MANY_GUESSES: Final = 0.3
_OVER: Final = 1.1
"""A part ends with a whole line, so it may be a little over a limit."""

_COSTLY: Final = (Reason.TOO_LARGE, Reason.MINIFIED, Reason.UNDECODABLE, Reason.UNREADABLE, Reason.CHANGING, Reason.CAP)


class State(StrEnum):
    """What a check thinks of what it saw."""

    WELL = "well"
    LOOK = "look"  # may explain a failure
    WRONG = "wrong"  # should not be so


@dataclass(frozen=True, slots=True)
class Check:
    """What one check found: in a sentence, in detail, and what to do about it ("" where there is nothing to do)."""

    name: str
    state: State
    summary: str
    details: tuple[str, ...] = ()
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Sign:
    """A way in which one notices that retrieval failed, and the names of the checks that find the cause."""

    name: str
    symptom: str
    checks: tuple[str, ...]


SIGNS: Final = (
    Sign(
        "symbols",
        "the answer speaks of symbols that do not exist",
        ("integrity", "freshness", "coverage", "ignored", "parsing", "vectors"),
    ),
    Sign(
        "callers",
        "the change left callers behind",
        ("freshness", "links", "references", "parsing", "ignored"),
    ),
    Sign(
        "files",
        "the answer asks to paste a file",
        ("coverage", "ignored", "chunks", "vectors", "settings", "freshness"),
    ),
)
"""The signs, with what to look at first."""


@dataclass(frozen=True, slots=True)
class Examination:
    """What all checks of some signs found, each once, in the order of the table."""

    signs: tuple[Sign, ...]
    checks: Mapping[str, Check]

    @property
    def is_well(self) -> bool:
        """Whether nothing is wrong; what may be worth a look does not count."""
        return all(check.state is not State.WRONG for check in self.checks.values())


class Patient:
    """What checks may look at."""

    def __init__(
        self, root: Path, settings: Settings, snapshot: StoredSnapshot, damages: Callable[[], Iterable[str]]
    ) -> None:
        self.root = root
        self.settings = settings
        self.snapshot = snapshot
        self.damages = damages

    @cached_property
    def walked(self) -> Walk:
        """The root as it is now."""
        return walk(self.root, self.settings)

    @cached_property
    def left_out(self) -> tuple[Skipped, ...]:
        """What the index has left out."""
        return skipped(self.snapshot)

    @cached_property
    def code_paths(self) -> list[str]:
        """The indexed files of languages that have code."""
        pairs = zip(self.snapshot.paths, self.snapshot.languages, strict=True)
        return [path for path, language in pairs if BY_NAME[language].code]


def examine(patient: Patient, signs: Iterable[str] = ()) -> Examination:
    """Run the checks of some signs, of all when none is named."""
    wanted = set(signs)
    chosen = tuple(sign for sign in SIGNS if not wanted or sign.name in wanted)
    names = {name for sign in chosen for name in sign.checks}
    return Examination(chosen, {name: check(patient) for name, check in CHECKS.items() if name in names})


def _integrity(patient: Patient) -> Check:
    found = list(patient.damages())
    if found:
        return Check("integrity", State.WRONG, f"{len(found):,} damages", _first(found), "coderag doctor --repair")
    return Check("integrity", State.WELL, "every stored byte matches its checksum")


def _freshness(patient: Patient) -> Check:
    found = freshness(patient.root, patient.settings, patient.snapshot, patient.walked)
    parts = ((found.added, "added"), (found.changed, "changed"), (found.removed, "removed"))
    counted = ", ".join(f"{len(paths):,} {what}" for paths, what in parts if paths)
    advice = "coderag index"
    if found.outdated:
        return Check("freshness", State.LOOK, "another version of coderag made parts of the index", (), advice)
    if counted:
        details = _first(f"{what}: {path}" for paths, what in parts for path in paths)
        return Check("freshness", State.LOOK, f"files are not as they were indexed: {counted}", details, advice)
    if found.head != found.indexed_head:
        return Check("freshness", State.WELL, "every file is as it was indexed, at another commit", (), advice)
    return Check("freshness", State.WELL, "every file is as it was indexed")


def _coverage(patient: Patient) -> Check:
    """Languages and folders with what is indexed of each; code that is left out for what it is."""
    lost = [each for each in patient.left_out if each.reason in _COSTLY and _is_code(each.path)]
    lines = Counter[str]()
    files = Counter[str]()
    languages: dict[str, Counter[str]] = {}
    counts = patient.snapshot.manifest.lines.tolist()
    for path, language, count in zip(patient.snapshot.paths, patient.snapshot.languages, counts, strict=True):
        folder = f"{path.partition('/')[0]}/" if "/" in path else "."
        files[folder] += 1
        lines[folder] += count
        languages.setdefault(folder, Counter())[language] += count
    details = [
        f"{folder}  {files[folder]:,} files, {lines[folder]:,} lines, mostly {languages[folder].most_common(1)[0][0]}"
        for folder in sorted(lines, key=lambda each: (-lines[each], each))
    ]
    whole = f"{len(patient.snapshot.paths):,} files in {len(lines):,} folders are indexed"
    if not lost:
        return Check("coverage", State.WELL, f"{whole}, and no code is left out for its size or form", _first(details))
    named = [f"left out: {each.path}  {each.reason} ({each.detail})" for each in lost]
    return Check(
        "coverage",
        State.LOOK,
        f"{whole}; {len(lost):,} files of code are left out for their size or form",
        (*_first(named), *_first(details)),
        "coderag status --skipped; the limits are settings (max_file_bytes, max_files)",
    )


def _ignored(patient: Patient) -> Check:
    """Folders and files that a rule leaves out although they hold code."""
    left = [ENTRIES_LOOKED_AT]
    found: list[tuple[int, str]] = []
    for each in patient.left_out:
        if each.reason not in (Reason.IGNORED, Reason.BUILT_IN):
            continue
        count = _code_below(patient.root / each.path, left) if each.path.endswith("/") else int(_is_code(each.path))
        if count:
            rule = f"{each.reason}{f' {each.detail}' if each.detail else ''}"
            found.append((count, f"{each.path}  {count:,} files of code  ({rule})"))
    if not found:
        return Check("ignored", State.WELL, "nothing that is left out by a rule holds code")
    ordered = [line for _, line in sorted(found, key=lambda each: (-each[0], each[1]))]
    summary = f"{len(found):,} places that rules leave out hold code"
    summary += "" if left[0] > 0 else f" (only the first {ENTRIES_LOOKED_AT:,} names in them were read)"
    return Check("ignored", State.LOOK, summary, _first(ordered), "take one back in with !PATH in .coderagignore")


def _code_below(folder: Path, left: list[int]) -> int:
    """How many files of code a folder holds, links not followed, as long as there are names `left` to read."""
    count, waiting = 0, [str(folder)]
    while waiting and left[0] > 0:
        try:
            entries = sorted(os.scandir(waiting.pop()), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            left[0] -= 1
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            else:
                count += _is_code(entry.name)
    return count


def _is_code(path: str) -> bool:
    row = BY_NAME.get(detect_language(path))
    return row is not None and row.code


def _parsing(patient: Patient) -> Check:
    counts = Counter[str]()
    details = []
    for path in patient.code_paths:
        problems = patient.snapshot.file(path).problems
        if problems:
            counts[patient.snapshot.languages[patient.snapshot.index_of(path)]] += 1
            details.append((len(problems), f"{path}:{problems[0].line}  {problems[0].message}"))
    total, bad = len(patient.code_paths), sum(counts.values())
    if not bad:
        return Check("parsing", State.WELL, f"all {total:,} files of code were read whole")
    by_language = ", ".join(f"{count:,} of {language}" for language, count in sorted(counts.items()))
    ordered = [line for _, line in sorted(details, key=lambda each: (-each[0], each[1]))]
    state = State.LOOK if bad > _MANY_PROBLEMS * total else State.WELL
    summary = f"{bad:,} of {total:,} files of code were read in part: {by_language}"
    return Check("parsing", state, summary, _first(ordered), "coderag status lists them; a broken part has no symbols")


def _links(patient: Patient) -> Check:
    """How sure the calls are, and which languages have none."""
    edges = patient.snapshot.edges
    calls = np.isin(edges.kinds, (EDGE_KINDS.index(EdgeKind.CALLS), EDGE_KINDS.index(EdgeKind.TESTS)))
    counts = np.bincount(edges.confidences[calls], minlength=len(CONFIDENCES)).tolist()
    total = sum(counts)
    unlinked = sorted({x for x in patient.snapshot.languages if BY_NAME[x].code and x not in LINK_RULES})
    details = [f"{sure}  {count:,}" for sure, count in zip(CONFIDENCES, counts, strict=True) if count]
    details += [f"no links: {language}" for language in unlinked]
    if not total:
        return Check("links", State.LOOK, "no call is linked to a definition", tuple(details))
    guesses = counts[CONFIDENCES.index(Confidence.AMBIGUOUS)] / total
    state = State.LOOK if guesses > _MANY_GUESSES or unlinked else State.WELL
    summary = f"{total:,} links from calls, {guesses:.0%} of them guesses among several definitions"
    return Check("links", state, summary, tuple(details), "coderag callers SYMBOL shows how sure each one is")


def _references(patient: Patient) -> Check:
    """References that lead nowhere, by cause, in a sample."""
    linked = [path for path in patient.code_paths if detect_language(path) in LINK_RULES]
    chosen = linked[:: max(len(linked) // LINKED_FILES, 1)][:LINKED_FILES]
    linker = Linker(Overlay(patient.snapshot, {}), LINK_RULES)
    missing = Counter[str]()
    for path in chosen:
        linker.link(path)
        if count := linker.unresolved(path).get(Cause.MISSING, 0):
            missing[path] = count
    causes = linker.unresolved_total()
    total = sum(len(patient.snapshot.parsed(path).references) for path in chosen)
    lost = sum(causes.values())
    if not total:
        return Check("references", State.WELL, "there are no references to resolve")
    details = [f"{cause}  {count:,}" for cause, count in causes.items()]
    details += [f"{path}  {count:,} with no definition" for path, count in missing.most_common(SHOWN // 2)]
    ours = sum(causes.get(each, 0) for each in (Cause.MISSING, Cause.MANY, Cause.RECEIVER))
    state = State.LOOK if ours > total / 2 else State.WELL
    summary = f"{lost:,} of {total:,} references in {len(chosen):,} files lead out of the repository or nowhere"
    advice = "an unknown receiver has no declared type; coderag callees SYMBOL shows what is linked"
    return Check("references", state, summary, tuple(details), advice)


def _chunks(patient: Patient) -> Check:
    """Chunks that are over a limit or had to be split."""
    settings, snapshot = patient.settings, patient.snapshot
    over: list[tuple[int, str]] = []
    split = 0
    for path in snapshot.paths:
        for chunk in snapshot.chunks(snapshot.rows_of(path).tolist()).values():
            split += chunk.parts > 1 and chunk.part == 1
            size, lines = len(chunk.text.encode("utf-8", "surrogateescape")), chunk.text.count("\n") + 1
            if size > _OVER * settings.max_chunk_bytes or lines > _OVER * settings.max_chunk_lines:
                over.append((size, f"{chunk.id}  {lines:,} lines, {size:,} bytes"))
    limits = f"{settings.max_chunk_lines} lines and {settings.max_chunk_bytes:,} bytes"
    if not over:
        return Check(
            "chunks", State.WELL, f"no chunk is well over {limits}; {split:,} symbols were split to stay within"
        )
    ordered = [line for _, line in sorted(over, key=lambda each: (-each[0], each[1]))]
    summary = f"{len(over):,} chunks are well over {limits}; an assembly shows outlines of them"
    return Check("chunks", State.LOOK, summary, _first(ordered), "coderag context --explain shows what was outlined")


def _vectors(patient: Patient) -> Check:
    snapshot = patient.snapshot
    try:
        space = snapshot.space()
    except EmbeddingError as error:
        return Check("vectors", State.WRONG, f"questions are asked without vectors: {error}", (), "coderag index")
    if space is None:
        summary = "vectors are switched off: what is worded differently is not found"
        return Check("vectors", State.LOOK, summary, (), 'set embedding = "bundled"')
    identity = snapshot.embedding
    name = f"{identity.name} ({identity.dimension} dimensions)" if identity else "a model"
    if snapshot.unembedded:
        return Check("vectors", State.LOOK, f"{name}; {'; '.join(snapshot.vector_notes)}", (), "coderag index")
    return Check("vectors", State.WELL, f"{name}, the model of the settings, and every file has its vectors")


def _settings(patient: Patient) -> Check:
    """Settings that do nothing, or more than they seem to."""
    found = []
    for pattern in patient.settings.include:
        if not any(map(path_pattern((pattern,)).search, patient.snapshot.paths)):
            found.append(f"include: {pattern!r} matches no indexed file")
    for pattern in patient.settings.exclude:
        if not any(pattern.strip("!/*") in each.detail or _matches(pattern, each.path) for each in patient.left_out):
            found.append(f"exclude: {pattern!r} leaves nothing out")
    if not patient.settings.built_in_rules:
        found.append("built_in_rules = false: installed packages and build outputs are indexed, too")
    if patient.settings.max_chunk_lines < 20:
        found.append(f"max_chunk_lines = {patient.settings.max_chunk_lines}: most functions are split")
    if found:
        return Check("settings", State.LOOK, f"{len(found)} settings are worth a look", tuple(found), "correct them")
    return Check("settings", State.WELL, "no setting looks wrong")


def _matches(pattern: str, path: str) -> bool:
    return bool(path_pattern((pattern,)).search(path.rstrip("/")))


def _first(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(_shortened(list(lines)))


def _shortened(lines: list[str]) -> Iterator[str]:
    yield from lines[:SHOWN]
    if len(lines) > SHOWN:
        yield f"and {len(lines) - SHOWN:,} more"


CHECKS: Final[Mapping[str, Callable[[Patient], Check]]] = {
    "integrity": _integrity,
    "freshness": _freshness,
    "coverage": _coverage,
    "ignored": _ignored,
    "parsing": _parsing,
    "links": _links,
    "references": _references,
    "chunks": _chunks,
    "vectors": _vectors,
    "settings": _settings,
}
"""Every check by its name."""
