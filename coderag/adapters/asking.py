"""What every adapter shares: asking an index from any thread, and a hit as flat metadata and as text that stands alone."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from coderag.assemble.cleaning import cleaned, cleaned_line
from coderag.index import Index
from coderag.offer.asking import focus_of
from coderag.offer.presenting import Piece, Style, header_of, in_words
from coderag.recall.filters import kind_named
from coderag.types import Query, Ranked


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked with every question: how many hits, filters, and where the editor is (`PATH:LINE`, "" for nowhere)."""

    k: int = 5
    paths: Sequence[str] = ()
    languages: Sequence[str] = ()
    kinds: Sequence[str] = ()
    focus: str = ""
    open_files: Sequence[str] = ()

    def query(self, text: str) -> Query:
        """The query of a question.

        Raises:
            QueryError, ContextError: a kind or the focus cannot be understood.
        """
        return Query(
            text=text,
            k=self.k,
            paths=tuple(self.paths),
            languages=tuple(self.languages),
            kinds=tuple(map(kind_named, self.kinds)),
            focus=focus_of(self.focus or None),
            open_files=tuple(self.open_files),
        )


@dataclass(frozen=True, slots=True)
class Asker:
    """An index that many threads may ask, one after another. With `update` it takes up small changes first."""

    index: Index
    update: bool = True
    _one_at_a_time: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def ask(self, text: str, wanted: Wanted) -> tuple[Ranked, ...]:
        """The hits of a question, best first.

        Raises:
            QueryError, ContextError: the question, a filter or the focus cannot be understood.
            NotIndexedError, IndexFormatError, IndexCorruptError: there is no index that can be read.
        """
        query = wanted.query(text)
        with self._one_at_a_time:
            if self.update:
                self.index.catch_up()
            return self.index.search(query).hits


def text_of(hit: Ranked, header: bool) -> str:
    """The code of a hit, below what is said of it where a host shows no metadata: path and lines, symbol, why, who uses it."""
    text = cleaned(hit.chunk.text)
    return f"{_header(hit)}\n\n{text}" if header else text


def _header(hit: Ranked) -> str:
    said = Piece(hit.chunk, hit.score, "", in_words(hit.reasons), callers=hit.callers, stale=hit.stale)
    return header_of(said, Style())


def metadata_of(hit: Ranked) -> dict[str, Any]:
    """What is known of a hit: texts, numbers and truths alone, which every store of documents can keep."""
    chunk = hit.chunk
    return {
        "source": cleaned_line(chunk.path),
        "start_line": chunk.span.start_line,
        "end_line": chunk.span.end_line,
        "symbol": cleaned_line(chunk.symbol),
        "kind": chunk.kind.value,
        "language": chunk.language,
        "why": cleaned_line(in_words(hit.reasons)),
        "callers": cleaned_line(", ".join(hit.callers)),
        "score": hit.score,
        "rank": hit.rank,
        "stale": hit.stale,
    }
