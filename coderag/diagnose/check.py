"""What a model's answer speaks of that does not exist: imports, members, names, paths, and the lines that a patch says are there.

The code of an answer is put over the index as an update would put it there, and every name in it is looked for as the language does.
Names that the answer itself defines are known. What is found has its nearest real definitions, and whether a recorded payload held
these: a model that was shown the right name made a mistake, one that was not shown it was let down by retrieval.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from coderag.config import Settings
from coderag.diagnose.answer import Answer, Mention, Snippet, read_answer
from coderag.diagnose.installed import Installed, is_standard
from coderag.diagnose.invented import Flaw, Inspector, Suspect
from coderag.diagnose.patch import FilePatch, applied
from coderag.diagnose.universe import Overlay, structures
from coderag.diagnose.vocabulary import LEAST_LIKENESS, NEAREST, Nearest, Vocabulary, likeness
from coderag.languages import BY_NAME, LANGUAGES
from coderag.link import LINK_RULES
from coderag.snapshot import StoredSnapshot
from coderag.types import Parsed, Skipped, WalkedFile
from coderag.walk import read

MOST_CHARACTERS = 4_000_000
_COMPONENTS = re.compile(r"\.|::|->|#")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not exist. `line` is a line of the answer, `path` the file that its code belongs to ("" for prose and loose code).

    `owner` is what was said to have it. `is_sure` is False for what nothing here has but something unseen may.
    """

    flaw: Flaw
    name: str
    line: int
    path: str = ""
    owner: str = ""
    is_sure: bool = True
    nearest: tuple[Nearest, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings by line, and what was looked at: pieces of code and of prose; `notes` say what could not be."""

    findings: tuple[Finding, ...]
    pieces: int
    mentions: int
    notes: tuple[str, ...] = ()

    @property
    def sure(self) -> tuple[Finding, ...]:
        """Those that nothing unseen can explain."""
        return tuple(each for each in self.findings if each.is_sure)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Code of the answer as a file. `lines` maps its lines that are to be checked to those of the answer; `shown` is its path for people."""

    path: str
    text: str
    lines: Mapping[int, int]
    shown: str = ""
    replaces: bool = False


@dataclass(slots=True)
class _Gathered:
    pieces: list[_Piece] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def check(
    root: Path, settings: Settings, snapshot: StoredSnapshot, text: str, shown: Collection[str] | None = None
) -> Checked:
    """Check an answer against an index. `shown` are the ids of the chunks that the model was given, None where nobody knows."""
    return Checking(root, settings, snapshot, shown).checked(read_answer(text[:MOST_CHARACTERS]))


class Checking:
    """One answer against one generation."""

    def __init__(
        self, root: Path, settings: Settings, snapshot: StoredSnapshot, shown: Collection[str] | None = None
    ) -> None:
        self._root = root
        self._settings = settings
        self._snapshot = snapshot
        self._shown = shown
        self._vocabulary = Vocabulary(snapshot)
        self._installed = Installed(root, settings)

    def checked(self, answer: Answer) -> Checked:
        """What the answer speaks of that does not exist."""
        gathered = _Gathered()
        for patch in answer.patches:
            self._patched(patch, gathered)
        for number, snippet in enumerate(answer.snippets, 1):
            gathered.pieces.append(self._placed(snippet, number))
        parsed = structures(
            {piece.path: piece.text.encode("utf-8", "surrogateescape") for piece in gathered.pieces}, self._settings
        )
        defined, imported = _defined(parsed), _imported(parsed)
        overlay = Overlay(self._snapshot, {**dict.fromkeys(gathered.removed), **parsed})
        inspector = Inspector(overlay, self._vocabulary, self._installed, self.exists, defined, imported)
        findings = [*gathered.findings]
        for piece in gathered.pieces:
            if piece.path not in parsed:
                gathered.notes.append(f"line {min(piece.lines.values(), default=1)}: this piece cannot be read as code")
                continue
            for suspect in inspector.suspects(piece.path, piece.text, piece.lines.keys()):
                findings.append(self._finding(suspect, piece))
        own_paths = {piece.shown for piece in gathered.pieces if piece.shown}
        findings += self._mentioned(
            answer.mentions, defined | imported, own_paths, "\n".join(p.text for p in gathered.pieces)
        )
        return Checked(_once(findings), len(gathered.pieces), len(answer.mentions), tuple(gathered.notes))

    def exists(self, place: str) -> bool:
        """Whether something of this path, with any ending, is in the root, indexed or not."""
        folder, _, name = os.path.normpath(place).rpartition("/")
        if folder.startswith(("..", "/")) or name in ("", ".."):
            return False
        try:
            entries = os.listdir(self._root / folder)
        except (OSError, ValueError):
            return False
        return any(entry == name or entry.partition(".")[0] == name.partition(".")[0] for entry in entries)

    # From the answer to files

    def _patched(self, patch: FilePatch, gathered: _Gathered) -> None:
        if not patch.new:
            gathered.removed.append(patch.old)
            return
        before = self._text(patch.old) if patch.old else ""
        if before is None:
            if self.exists(patch.old) or patch.old == "":
                gathered.notes.append(f"line {patch.line}: {patch.old} is not indexed, so its patch was not checked")
            else:
                gathered.findings.append(self._no_file(patch.old, patch.line))
            return
        result = applied(before, patch)
        for hunk in result.failed:
            first = next((each.text.strip() for each in hunk.lines if each.mark != "+" and each.text.strip()), "")
            gathered.findings.append(Finding(Flaw.CONTEXT, first, hunk.line, patch.old))
        if patch.old and patch.old != patch.new:
            gathered.removed.append(patch.old)
        gathered.pieces.append(_Piece(patch.new, result.text, result.added, patch.new, True))

    def _text(self, path: str) -> str | None:
        """The text of an indexed file as it is now."""
        index = self._snapshot.index_of(path)
        if index < 0:
            return None
        stat = self._snapshot.manifest.stat(index)
        source = read(self._root, WalkedFile(path, stat), self._settings, self._snapshot.languages[index])
        return None if isinstance(source, Skipped) else source.text.decode("utf-8", "surrogateescape")

    def _placed(self, snippet: Snippet, number: int) -> _Piece:
        """A snippet as a file of its own, beside the one that it is said to be of."""
        row = BY_NAME[snippet.language]
        ending = row.extensions[0] if row.extensions else ""
        folder = snippet.path.rpartition("/")[0]
        safe = (
            folder
            and not folder.startswith(("/", ".."))
            and any(p.startswith(f"{folder}/") for p in self._snapshot.paths)
        )
        name = f"~answer-{number}{ending}"  # after the files of its folder, whose first one speaks for it
        lines = {each: snippet.line + each - 1 for each in range(1, snippet.text.count("\n") + 2)}
        return _Piece(f"{folder}/{name}" if safe else name, snippet.text, lines, snippet.path)

    # From suspects to findings

    def _finding(self, suspect: Suspect, piece: _Piece) -> Finding:
        if suspect.flaw is Flaw.MODULE:
            nearest = tuple(self._like_paths(suspect.name))
        else:
            near = [path for path in suspect.near if self._snapshot.index_of(path) >= 0]
            nearest = self._vocabulary.nearest(suspect.name, near, self._shown)
        line = piece.lines.get(suspect.line, 0)
        return Finding(suspect.flaw, suspect.name, line, piece.shown, suspect.owner, suspect.is_sure, nearest)

    def _no_file(self, path: str, line: int) -> Finding:
        return Finding(Flaw.PATH, path, line, nearest=tuple(self._like_paths(path)))

    def _like_paths(self, place: str) -> Iterator[Nearest]:
        """Indexed files whose names, or else whose places, are most like a path or a module's name."""
        stem = _stem(place if "/" in place or _is_source(place) else place.replace(".", "/"))
        rated = ((likeness(stem, _stem(path)), path) for path in self._snapshot.paths)
        found = sorted((each for each in rated if each[0] >= LEAST_LIKENESS), key=lambda each: (-each[0], each[1]))
        for _, path in found[:NEAREST]:
            yield Nearest(path, path, 1, path, self._has_shown(path))

    def _has_shown(self, path: str) -> bool | None:
        return None if self._shown is None else any(each.startswith(f"{path}#") for each in self._shown)

    # Prose

    def _mentioned(
        self, mentions: tuple[Mention, ...], defined: frozenset[str], own_paths: set[str], code: str
    ) -> Iterator[Finding]:
        for mention in mentions:
            if mention.proposed:
                continue
            if mention.is_path:
                if self._lacks_path(mention.text, own_paths):
                    yield self._no_file(mention.text, mention.line)
            elif finding := self._lacks_name(mention, defined, code):
                yield finding

    def _lacks_path(self, path: str, own: set[str]) -> bool:
        if path.startswith(("/", "~", "..")) or self._snapshot.index_of(path) >= 0 or self.exists(path):
            return False
        ending = f"/{path}"
        if any(each == path or each.endswith(ending) for each in (*own, *self._snapshot.paths)):
            return False
        first, slash, _ = path.partition("/")
        known_folder = any(each.startswith(f"{first}/") for each in self._snapshot.paths)
        return (bool(slash) and known_folder) or (not slash and self._is_own_language(path))

    def _is_own_language(self, name: str) -> bool:
        extension = f".{name.rpartition('.')[2]}"
        return len(extension) > 2 and any(
            extension in BY_NAME[language].extensions for language in set(self._snapshot.languages) & LINK_RULES.keys()
        )

    def _lacks_name(self, mention: Mention, defined: frozenset[str], code: str) -> Finding | None:
        parts = _COMPONENTS.split(mention.text)
        name, root = parts[-1], parts[0]
        if name in defined or name.startswith("__") or len(name) < 3 or self._vocabulary.has(name):
            return None
        if re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", code) or self._is_known_word(name):
            return None
        if len(parts) > 1 and not self._is_ours(root):
            return Finding(Flaw.NAME, mention.text, mention.line, is_sure=False) if self._vocabulary.has(root) else None
        nearest = self._vocabulary.nearest(name, (), self._shown)
        return Finding(Flaw.NAME, mention.text, mention.line, is_sure=mention.called or len(parts) > 1, nearest=nearest)

    def _is_ours(self, root: str) -> bool:
        """Whether the first part of a dotted name is defined here, or is a folder or file of the repository."""
        if any(each.name == root for each in self._snapshot.definitions(root)):
            return True
        return any(
            f"/{root}/" in f"/{path}" or path.rpartition("/")[2].partition(".")[0] == root
            for path in self._snapshot.paths
        )

    def _is_known_word(self, name: str) -> bool:
        languages = sorted(set(self._snapshot.languages) & LINK_RULES.keys())
        rules = [LINK_RULES[language] for language in languages]
        return any(
            name in each.builtins or name in each.common_members or is_standard(each.style, name) for each in rules
        )


def _stem(path: str) -> str:
    name = path.rstrip("/").rpartition("/")[2]
    return name.partition(".")[0] or name


def _is_source(name: str) -> bool:
    return any(f".{name.rpartition('.')[2]}" in row.extensions for row in LANGUAGES)


def _defined(parsed: Mapping[str, Parsed]) -> frozenset[str]:
    """Every name that code of the answer defines or gives a value."""
    names: set[str] = set()
    for each in parsed.values():
        names.update(symbol.name for symbol in each.symbols)
        names.update(binding.name.rpartition(".")[2] for binding in each.bindings)
    return frozenset(names - {""})


def _imported(parsed: Mapping[str, Parsed]) -> frozenset[str]:
    """Every name that code of the answer brings in from elsewhere."""
    return frozenset(entry.alias for each in parsed.values() for entry in each.imports if entry.alias)


def _once(findings: list[Finding]) -> tuple[Finding, ...]:
    """By line, each name once in a place."""
    kept: dict[tuple[Flaw, str, str], Finding] = {}
    for each in sorted(findings, key=lambda each: (each.line, each.flaw, each.name)):
        kept.setdefault((each.flaw, each.name, each.path), each)
    return tuple(kept.values())
