"""What made an index: fingerprints of everything but the repository that its content depends on.

An index whose identity differs is not wrong but old: the files of the languages that changed are analysed again, links are made anew
when the linker changed, and the report says which and why.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib import metadata, resources

from coderag.config import Settings
from coderag.languages import BY_NAME
from coderag.languages.query import query_source
from coderag.records import from_json, to_json

_ANALYSIS = ("parse", "notebook.py", "statements.py", "analyse.py", "records.py", "chunk", "recall/terms.py", "recall/words.py",
             "walk/decode.py", "walk/elide.py", "walk/reader.py", "walk/secrets.py", "languages/grammar.py",
             "languages/table.py")  # fmt: skip
_LINKING = ("link", "update/relink.py")
_SETTINGS = ("max_file_bytes", "max_line_bytes", "max_chunk_lines", "max_chunk_bytes")


@dataclass(frozen=True, slots=True)
class Identity:
    """Fingerprints by what they cover. `languages` has those of the languages that the index holds."""

    analysis: str = ""
    linking: str = ""
    languages: tuple[tuple[str, str], ...] = ()

    def stale_languages(self, stored: Identity) -> frozenset[str]:
        """Languages whose files an index of identity `stored` must analyse again."""
        if not stored.analysis:
            return frozenset()
        if stored.analysis != self.analysis:
            return frozenset(BY_NAME)
        return frozenset(name for name, mark in stored.languages if mark != language_mark(name))

    def links_differently(self, stored: Identity) -> bool:
        """Whether all links of an index of identity `stored` must be made anew."""
        return bool(stored.linking) and stored.linking != self.linking

    def differences(self, stored: Identity) -> tuple[str, ...]:
        """In words, what was done again because something other than the repository changed."""
        notes = []
        stale = self.stale_languages(stored)
        if stale and stored.analysis != self.analysis:
            notes.append("all files were analysed again: the chunker or a setting of it changed")
        elif stale:
            notes.append(
                f"files were analysed again because their grammar or query changed: {', '.join(sorted(stale))}"
            )
        if self.links_differently(stored):
            notes.append("all files were linked again: the linker changed")
        return tuple(notes)

    def to_bytes(self) -> bytes:
        """JSON by position."""
        return to_json([self.analysis, self.linking, self.languages])

    @classmethod
    def from_bytes(cls, data: bytes | None) -> Identity:
        """The inverse of `to_bytes`; no block is the identity of an empty index."""
        if data is None:
            return cls()
        analysis, linking, languages = from_json(data)
        return cls(analysis, linking, tuple((name, mark) for name, mark in languages))


def current_identity(settings: Settings) -> Identity:
    """The identity of this installation with these settings; languages are added by `with_languages`."""
    chosen = [f"{name}={getattr(settings, name)}" for name in _SETTINGS]
    return Identity(_digest([_sources(_ANALYSIS), *chosen]), _digest([_sources(_LINKING)]))


def with_languages(identity: Identity, languages: Iterable[str]) -> Identity:
    """The identity of an index that holds these languages."""
    marks = tuple((name, language_mark(name)) for name in sorted(set(languages)))
    return Identity(identity.analysis, identity.linking, marks)


@cache
def language_mark(language: str) -> str:
    """The fingerprint of a language: its row, its query, the version of its grammar, and the same of what is embedded in it."""
    row = BY_NAME.get(language)
    if row is None or not row.grammar:
        return ""
    wheel = row.grammar.partition(":")[0].replace("_", "-")
    inside = (language_mark(name) for _, name in row.embedded)
    return _digest([repr(row), query_source(language), metadata.version(wheel), *inside])


@cache
def _sources(names: tuple[str, ...]) -> str:
    """A digest over source files of coderag itself, so that no version number has to be remembered by hand."""
    parts: list[str] = []
    for name in names:
        place = resources.files("coderag").joinpath(name)
        files = sorted(place.iterdir(), key=lambda each: each.name) if place.is_dir() else [place]
        parts.extend(each.read_text(encoding="utf-8") for each in files if each.name.endswith(".py"))
    return _digest(parts)


def _digest(parts: Iterable[str]) -> str:
    digest = blake2b(digest_size=8)
    for part in parts:
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()
