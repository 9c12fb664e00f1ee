"""Lexical recall: chunks whose words are those of the question, by BM25F.

Zaragoza, Craswell, Taylor, Saria and Robertson, "Microsoft Cambridge at TREC-13" (2004): counts are normalised by the length of
their field, weighted, summed, and only then saturated, so that a word in the name counts more than one in the body but never
twice for the same reason. Knows the arrays of a snapshot; never reads a chunk's text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coderag.recall.rarity import worth
from coderag.recall.snapshot import FIELDS, Postings, Snapshot
from coderag.recall.terms import QueryTerms
from coderag.types import Hit

NAME = "lexical"
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Weights:
    """The constants of BM25F, fields in the order of `FIELDS`.

    Chosen by walking each constant over a grid on 260 questions and 160 messages of fixes in 13 and 9 repositories, the middle of
    what is best for both. Most matters that the body is neither ignored nor above the name; the rest is flat within a point.
    """

    field: tuple[float, ...] = (2.0, 4.0, 1.0, 1.5, 1.0)
    length: tuple[float, ...] = (0.3, 0.5, 0.5, 0.5, 0.65)  # b: 0 ignores the length of a field, 1 divides by it
    saturation: float = 1.5  # k1
    named_terms: int = 6  # terms that `why` names at most


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class _Term:
    label: str
    postings: Postings
    gain: float  # idf times how often the query says it


@dataclass(frozen=True, slots=True)
class _Fields:
    lengths: NDArray[np.int32]
    means: tuple[float, ...]
    weights: Weights

    def weight(self, field: int, lengths: NDArray[np.int32]) -> Floats:
        """What one occurrence counts in a field of these lengths: w / (1 - b + b * length / mean length)."""
        b = self.weights.length[field]
        return self.weights.field[field] / (1.0 - b + (b / self.means[field]) * lengths.astype(np.float64))


def recall(
    snapshot: Snapshot, query: QueryTerms, k: int, allowed: NDArray[np.bool_] | None = None, weights: Weights = WEIGHTS
) -> list[Hit]:
    """The k best chunks among the allowed ones, best first; ties by path and position. Word rarity is that of the whole index."""
    terms = _found(snapshot, query)
    if not terms or k < 1:
        return []
    field = _Fields(snapshot.lengths, _means(snapshot), weights)
    scores = np.zeros(len(snapshot.order), np.float64)
    gains = [_contributions(term.postings, term.gain, field) for term in terms]
    for term, gain in zip(terms, gains, strict=True):
        scores[term.postings.rows] += gain
    if allowed is not None:
        scores[~allowed] = 0.0
    rows = best(scores, snapshot.order, k)
    reasons = _reasons(terms, gains, rows, weights.named_terms)
    found = zip(rows.tolist(), scores[rows].tolist(), reasons, strict=True)
    return [Hit(row, NAME, rank, score, why) for rank, (row, score, why) in enumerate(found, 1)]


def best(scores: Floats, order: NDArray[np.int32], k: int) -> NDArray[np.intp]:
    """The rows of the k highest scores above zero, best first; equal scores in the order of the snapshot."""
    rows = np.flatnonzero(scores > 0)
    if len(rows) > k:
        threshold = np.partition(scores[rows], len(rows) - k)[len(rows) - k]
        rows = rows[scores[rows] >= threshold]
    return rows[np.lexsort((order[rows], -scores[rows]))][:k]


def _found(snapshot: Snapshot, query: QueryTerms) -> list[_Term]:
    found = []
    for text, count, label in zip(query.terms, query.counts, query.labels, strict=True):
        postings = snapshot.postings(text)
        if postings is not None and len(postings.rows):
            gain = worth(text, snapshot.present, len(postings.rows), count)
            found.append(_Term(label, postings, gain))
    return found


def _means(snapshot: Snapshot) -> tuple[float, ...]:
    """The mean length of each field, at least one term."""
    return tuple(max(total / max(snapshot.present, 1), 1.0) for total in snapshot.total_lengths)


def _contributions(postings: Postings, gain: float, field: _Fields) -> Floats:
    """What a term adds to the score of each of its rows."""
    frequency = np.zeros(len(postings.rows), np.float64)
    for number in range(len(FIELDS)):
        counts = postings.counts[:, number]
        where = np.flatnonzero(counts)
        if len(where):
            lengths = field.lengths[postings.rows[where], number]
            frequency[where] += counts[where] * field.weight(number, lengths)
    return gain * frequency / (field.weights.saturation + frequency)


def _reasons(terms: Sequence[_Term], gains: Sequence[Floats], rows: NDArray[np.intp], limit: int) -> list[str]:
    """For each row the terms that made its score, those that gave most first, and the fields where they stand."""
    found: list[list[tuple[float, int, str]]] = [[] for _ in rows]
    wanted = rows.astype(np.int32)  # as postings are: numpy would convert all of them
    for number, (term, gain) in enumerate(zip(terms, gains, strict=True)):
        places = np.searchsorted(term.postings.rows, wanted)
        places[places == len(term.postings.rows)] = 0
        hits = np.flatnonzero(term.postings.rows[places] == rows)
        which = (term.postings.counts[places[hits]] > 0) @ _FIELD_BITS
        for hit, fields, value in zip(hits.tolist(), which.tolist(), gain[places[hits]].tolist(), strict=True):
            found[hit].append((-value, number, f"{term.label} ({_FIELD_NAMES[fields]})"))
    return [", ".join(text for _, _, text in sorted(parts)[:limit]) for parts in found]


_FIELD_BITS = 1 << np.arange(len(FIELDS))
_FIELD_NAMES = [
    ", ".join(name for bit, name in enumerate(FIELDS) if fields >> bit & 1) for fields in range(1 << len(FIELDS))
]
