"""The names of the files that were changed last: one item, no contents. It tells a model where work is going on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from coderag.assemble.items import ContextItem, ContextType
from coderag.assemble.results import ContextQuery, ContextResult
from coderag.assemble.tokens import TokenCounter, estimate_tokens
from coderag.config import Settings, load_settings
from coderag.providers.limits import within
from coderag.walk import walk

SOURCE: Final = "coderag-workspace:recent-files"
RELEVANCE: Final = 0.72
PRIORITY: Final = 0.62
TRUST: Final = 0.70
MOST: Final = 32
_AGES: Final = {60: "within a minute", 3_600: "within an hour", 86_400: "within a day", 7 * 86_400: "within a week"}


@dataclass(frozen=True, slots=True)
class RecentFilesProvider:
    """Lists up to `limit` files (at most 32) by the time of their last change, told from the newest one, so that no clock is asked."""

    root: Path
    limit: int = 12
    name: str = "recent files"
    settings: Settings | None = None
    count: TokenCounter = estimate_tokens

    def query(self, query: ContextQuery) -> ContextResult:
        """One item, or none where there are no files."""
        files = walk(self.root, self.settings or load_settings(self.root)).files
        if not files or not query.wants(ContextType.RESOURCE):
            return ContextResult(self.name)
        newest_first = sorted(files, key=lambda file: (-file.stat.mtime_ns, file.path))
        newest = newest_first[0].stat.mtime_ns
        shown = newest_first[: max(1, min(self.limit, MOST))]
        lines = [f"- {file.path} ({_age((newest - file.stat.mtime_ns) // 10**9)})" for file in shown]
        content = "Files by their last change, told from the newest one:\n" + "\n".join(lines)
        item = ContextItem(id="recent-files", content=content, source=SOURCE).with_relevance(RELEVANCE)
        item = item.with_provenance(self.name).with_priority(PRIORITY).with_trust(TRUST).with_freshness(1.0)
        return within(self.name, [item], query, self.count)


def _age(seconds: int) -> str:
    return next((words for limit, words in _AGES.items() if seconds <= limit), "earlier")
