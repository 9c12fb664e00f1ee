"""Neighbouring words of a question that may be one identifier in the code ("json object", `JsonObject`). Pure functions of the text.

Such a term is far rarer than its words, so it finds what the words alone bury.
"""

from __future__ import annotations

from typing import Final

from coderag.recall.terms import MAX_QUERY_CHARACTERS, QueryTerms, token_terms, tokens
from coderag.recall.words import STOP_WORDS

MAX_JOINED: Final = 64
MAX_WORDS: Final = 3  # words that are joined at most


def joined_terms(text: str) -> QueryTerms:
    """Two or three neighbouring words as one term, stop words left out; pairs before triples, in order of appearance."""
    words = [word for word in tokens(text[:MAX_QUERY_CHARACTERS]) if word.lower() not in STOP_WORDS]
    found: dict[str, str] = {}
    for size in range(2, MAX_WORDS + 1):
        for first in range(len(words) - size + 1):
            group = words[first : first + size]
            for term in token_terms("".join(group).lower())[:1]:
                found.setdefault(term, " ".join(group))
    chosen = list(found.items())[:MAX_JOINED]
    return QueryTerms(tuple(term for term, _ in chosen), (1,) * len(chosen), tuple(label for _, label in chosen))
