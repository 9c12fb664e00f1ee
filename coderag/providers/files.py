"""Named files and folders of a root as context: documentation, a changelog, rules that a task should respect.

A file counts as relevant by the share of the query's words that its path and text have, and above 0 in any case, because somebody named
it. Depth decides how much is shown: the first 500 characters, the first 2,000, or all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from coderag.assemble.items import ContextDepth, ContextItem, ContextType
from coderag.assemble.results import ContextQuery, ContextResult, Omission
from coderag.assemble.tokens import TokenCounter, estimate_tokens
from coderag.config import Settings, load_settings
from coderag.languages import detect_language
from coderag.providers.limits import within
from coderag.types import Reason, Skipped, WalkedFile
from coderag.walk import read, walk

PROVENANCE: Final = "file_system"
PRIORITY: Final = 0.55
TRUST: Final = 0.8
FRESHNESS: Final = 0.75
SHOWN: Final = {ContextDepth.ABSTRACT: 500, ContextDepth.OVERVIEW: 2_000}
_LEAST: Final = 0.1
_BY_RULE: Final = frozenset({Reason.IGNORED, Reason.BUILT_IN})
_WORD: Final = re.compile(r"[^\W_]{2,}")


@dataclass(frozen=True, slots=True)
class FileProvider:
    """Gives the files of `paths`, which are files or folders below `root`; what cannot be given of them is listed with its reason."""

    root: Path
    paths: tuple[str, ...]
    name: str = "files"
    settings: Settings | None = None
    count: TokenCounter = estimate_tokens

    def query(self, query: ContextQuery) -> ContextResult:
        """The named files, those with most of the query's words first."""
        if not query.wants(ContextType.RESOURCE):
            return ContextResult(self.name)
        settings = self.settings or load_settings(self.root)
        words = _words(query.query)
        walked = walk(self.root, settings)
        omissions = [_omission(each) for each in walked.skipped if self._is_missed(each)]
        items = []
        for file in walked.files:
            if any(_is_below(file.path, path) for path in self.paths):
                found = read_text(self.root, file, settings)
                if isinstance(found, Skipped):
                    omissions.append(_omission(found))
                else:
                    items.append(self._item(file.path, found, words, query.depth))
        items.sort(key=lambda item: (-item.relevance, item.id))
        return replace(within(self.name, items, query, self.count), left_out=tuple(omissions))

    def _is_missed(self, skipped: Skipped) -> bool:
        """Whether what the walk left out was named, or is in a named folder and no rule says that it is not wanted there."""
        path = skipped.path.rstrip("/")
        named = any(path == each.removeprefix("./").rstrip("/") for each in self.paths)
        return named or (skipped.reason not in _BY_RULE and any(_is_below(path, each) for each in self.paths))

    def _item(self, path: str, text: str, words: frozenset[str], depth: ContextDepth) -> ContextItem:
        share = len(words & _words(f"{path} {text}")) / len(words) if words else 0.0
        shown = text[: SHOWN.get(depth, len(text))]
        item = ContextItem(id=path, content=shown if shown == text else f"{shown}\n…", source=f"file:{path}")
        item = item.with_relevance(_LEAST + (1.0 - _LEAST) * share).with_provenance(PROVENANCE)
        return item.with_priority(PRIORITY).with_trust(TRUST).with_freshness(FRESHNESS)


def read_text(root: Path, walked: WalkedFile, settings: Settings) -> str | Skipped:
    """The text of a file as the index would read it, secrets masked, or why it is left out after all."""
    found = read(root, walked, settings, detect_language(walked.path))
    return found if isinstance(found, Skipped) else found.text.decode("utf-8", "replace")


def _omission(skipped: Skipped) -> Omission:
    return Omission(f"file:{skipped.path}", ": ".join(filter(None, (skipped.reason, skipped.detail))))


def _is_below(path: str, place: str) -> bool:
    folder = place.removeprefix("./").rstrip("/")
    return folder in ("", ".") or path == folder or path.startswith(f"{folder}/")


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))
