"""Named files and folders of a root as context: documentation, a changelog, rules that a task should respect.

A file counts as relevant by the share of the query's words that its path and text have, and above 0 in any case, because somebody named
it. Depth decides how much is shown: the first 500 characters, the first 2,000, or all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from coderag.assemble.items import ContextDepth, ContextItem, ContextType
from coderag.assemble.results import ContextQuery, ContextResult
from coderag.assemble.tokens import TokenCounter, estimate_tokens
from coderag.config import Settings, load_settings
from coderag.languages import detect_language
from coderag.providers.limits import within
from coderag.types import Skipped, WalkedFile
from coderag.walk import read, walk

PROVENANCE: Final = "file_system"
PRIORITY: Final = 0.55
TRUST: Final = 0.8
FRESHNESS: Final = 0.75
SHOWN: Final = {ContextDepth.ABSTRACT: 500, ContextDepth.OVERVIEW: 2_000}
_LEAST: Final = 0.1
_WORD: Final = re.compile(r"[^\W_]{2,}")


@dataclass(frozen=True, slots=True)
class FileProvider:
    """Gives the files of `paths`, which are files or folders below `root`; what the walk leaves out stays out."""

    root: Path
    paths: tuple[str, ...]
    name: str = "files"
    settings: Settings | None = None
    count: TokenCounter = estimate_tokens

    def query(self, query: ContextQuery) -> ContextResult:
        """The named files, those with most of the query's words first."""
        if not query.wants(ContextType.RESOURCE):
            return ContextResult(self.name)
        found = sorted(self._items(query), key=lambda item: (-item.relevance, item.id))
        return within(self.name, found, query, self.count)

    def _items(self, query: ContextQuery) -> Iterator[ContextItem]:
        settings = self.settings or load_settings(self.root)
        words = _words(query.query)
        for walked in walk(self.root, settings).files:
            if any(_is_below(walked.path, path) for path in self.paths):
                text = text_of(self.root, walked, settings)
                if text is not None:
                    yield self._item(walked.path, text, words, query.depth)

    def _item(self, path: str, text: str, words: frozenset[str], depth: ContextDepth) -> ContextItem:
        share = len(words & _words(f"{path} {text}")) / len(words) if words else 0.0
        shown = text[: SHOWN.get(depth, len(text))]
        item = ContextItem(id=path, content=shown if shown == text else f"{shown}\n…", source=f"file:{path}")
        item = item.with_relevance(_LEAST + (1.0 - _LEAST) * share).with_provenance(PROVENANCE)
        return item.with_priority(PRIORITY).with_trust(TRUST).with_freshness(FRESHNESS)


def text_of(root: Path, walked: WalkedFile, settings: Settings) -> str | None:
    """The text of a file as the index would read it, secrets masked; None for one that is left out after all."""
    found = read(root, walked, settings, detect_language(walked.path))
    return None if isinstance(found, Skipped) else found.text.decode("utf-8", "replace")


def _is_below(path: str, place: str) -> bool:
    folder = place.removeprefix("./").rstrip("/")
    return folder in ("", ".") or path == folder or path.startswith(f"{folder}/")


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))
