"""The candidates of one question and what is known of them, as arrays: one entry per candidate, in the order of the snapshot.

Made from what recallers proposed, the arrays of a snapshot and the postings of the question's words. Reads no chunk and ranks
nothing. Every array that a signal sees lies between 0 and 1, unless its docstring says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from coderag.recall.expressions import Shape, shape_of
from coderag.recall.filters import is_example_path, is_test_path, is_vendored_path
from coderag.recall.fusion import is_about_tests
from coderag.recall.rarity import worth
from coderag.recall.snapshot import FIELDS, Snapshot
from coderag.recall.terms import query_terms, token_terms, tokens
from coderag.rerank.manner import brevity
from coderag.types import Hit, Kind, Query

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

RANK_CONSTANT: Final = 10.0
"""Of the share that a rank gives: (constant + 1) / (constant + rank), 1 for the first."""

FIELD_WEIGHTS: Final = np.array([0.5, 3.0, 1.0, 1.5, 1.0])
"""What a word counts in each field when a file is scored as a whole; its path is scored apart."""

STUB_ENDINGS: Final = (".pyi", ".d.ts", ".d.mts", ".d.cts")

SATURATION: Final = 4.0  # k1 of a file as a whole: a file says its words more often than a chunk does
FILE_LENGTH: Final = 0.6  # b of a file as a whole
_KINDS: Final = tuple(Kind)
_PATH, _SYMBOL, _SIGNATURE, _DOC, _BODY = range(len(FIELDS))


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the question that the index has: its share of the question's weight, and where it stands."""

    term: str
    share: float
    rows: NDArray[np.int32]
    counts: NDArray[np.uint8]


class Candidates:
    """What the signals may ask. Nothing is computed before it is asked for, and everything once."""

    def __init__(
        self,
        snapshot: Snapshot,
        query: Query,
        rankings: Sequence[Sequence[Hit]],
        used: Mapping[int, float] | None = None,
    ):
        self.snapshot = snapshot
        self.query = query
        self.rankings = {hits[0].recaller: hits for hits in rankings if hits}
        self._said = {(hit.recaller, hit.row): hit.why for hits in rankings for hit in hits}
        self.shape: Shape = shape_of(query.text)
        self._used = used or {}
        proposed = [hit.row for hits in rankings for hit in hits]
        rows = np.unique(np.array([*proposed, *self._used], np.int64))
        self.rows: Rows = rows[np.argsort(snapshot.order[rows])]
        self._place = {row: place for place, row in enumerate(self.rows.tolist())}

    def __len__(self) -> int:
        return len(self.rows)

    # What the recallers said

    def recalled(self, recaller: str) -> Floats:
        """The recaller's own scores in parts of its best one; 0 where it did not propose the candidate or is not there."""
        hits = self.rankings.get(recaller, ())
        most = max((hit.score for hit in hits), default=0.0)
        return self._scattered([(hit.row, max(hit.score, 0.0) / most) for hit in hits] if most > 0 else [])

    def sureness(self, recaller: str) -> Floats:
        """The recaller's own scores, for one that grades from 0 to 1."""
        return self._scattered([(hit.row, min(max(hit.score, 0.0), 1.0)) for hit in self.rankings.get(recaller, ())])

    def ranked(self, recaller: str) -> Floats:
        """What the ranks of a recaller give; see `RANK_CONSTANT`."""
        hits = self.rankings.get(recaller, ())
        return self._scattered([(hit.row, (RANK_CONSTANT + 1) / (RANK_CONSTANT + hit.rank)) for hit in hits])

    def listed(self, recaller: str) -> Floats:
        """1 where the recaller proposed the candidate."""
        return self._scattered([(hit.row, 1.0) for hit in self.rankings.get(recaller, ())])

    @cached_property
    def used(self) -> Floats:
        """How much the best hits use the candidate, where it is a definition."""
        return self._scattered(list(self._used.items()))

    def _scattered(self, values: Sequence[tuple[int, float]]) -> Floats:
        found = np.zeros(len(self))
        for row, value in values:
            found[self._place[row]] = value
        return found

    def said(self, recaller: str, row: int) -> str:
        """Why a recaller proposed a row, in its own words; "" where it did not."""
        return self._said.get((recaller, row), "")

    # Files and kinds

    @cached_property
    def files(self) -> NDArray[np.int64]:
        """The distinct files of the candidates."""
        return np.unique(self.snapshot.file_of_row[self.rows]).astype(np.int64)

    @cached_property
    def file_place(self) -> NDArray[np.int64]:
        """For each candidate the place of its file in `files`."""
        return np.searchsorted(self.files, self.snapshot.file_of_row[self.rows])

    @cached_property
    def paths(self) -> list[str]:
        """The paths of `files`."""
        return [self.snapshot.paths[file] for file in self.files.tolist()]

    @cached_property
    def languages(self) -> list[str]:
        """The languages of `files`."""
        return [self.snapshot.languages[file] for file in self.files.tolist()]

    def by_file(self, values: Sequence[float] | Floats) -> Floats:
        """One value for each of `files` as one for each candidate."""
        return np.asarray(values, np.float64)[self.file_place]

    def is_kind(self, kinds: frozenset[Kind]) -> Floats:
        """1 for candidates of one of the kinds."""
        wanted = np.array([kind in kinds for kind in _KINDS])
        return wanted[self.snapshot.kind_of_row[self.rows]].astype(np.float64)

    @cached_property
    def completeness(self) -> Floats:
        """1 for a symbol that is shown as a whole, 1/n for a part of n."""
        return 1.0 / self.snapshot.parts_of_row[self.rows].astype(np.float64)

    @cached_property
    def about_tests(self) -> bool:
        """Whether tests are what is looked for."""
        return is_about_tests(self.query)

    @cached_property
    def tests(self) -> Floats:
        """1 in files that hold tests."""
        found = zip(self.paths, self.languages, strict=True)
        return self.by_file([float(is_test_path(path, language)) for path, language in found])

    @cached_property
    def examples(self) -> Floats:
        """1 in examples and benchmarks."""
        return self.by_file([float(is_example_path(path)) for path in self.paths])

    @cached_property
    def vendored(self) -> Floats:
        """1 in files that others or a tool wrote."""
        return self.by_file([float(is_vendored_path(path)) for path in self.paths])

    # Where the editor is

    @cached_property
    def focus_nearness(self) -> Floats:
        """The share of the folders of the focus that are above the candidate too; 1 in its file, 0 without a focus."""
        if self.query.focus is None:
            return np.zeros(len(self))
        here = self.query.focus.path.split("/")
        return self.by_file([_shared_start(here, path.split("/")) / len(here) for path in self.paths])

    @cached_property
    def opened(self) -> Floats:
        """1 in files that are open."""
        return self.by_file([float(path in self.query.open_files) for path in self.paths])

    @cached_property
    def stubs(self) -> Floats:
        """1 for a declaration whose definition is elsewhere, and in files that hold nothing else."""
        declared = _stand_in(self.rows, self.snapshot.declarations).astype(np.float64)
        return np.maximum(declared, self.by_file([float(path.endswith(STUB_ENDINGS)) for path in self.paths]))

    # What git remembers

    @cached_property
    def recency(self) -> Floats:
        """1 in the files of the newest commit, less with every commit since."""
        recency = self.snapshot.history.recency
        return self.by_file([recency.get(path, 0.0) for path in self.paths])

    @cached_property
    def churn(self) -> Floats:
        """How often the file changes, 1 for the file that changes most."""
        churn = self.snapshot.history.churn
        return self.by_file([churn.get(path, 0.0) for path in self.paths])

    @cached_property
    def changed_together(self) -> Floats:
        """How often the file changes with those of the focus, of open files and of the first frames."""
        together, shares = self.snapshot.history.together, dict.fromkeys(self.query.open_files, 0.5)
        for hit in self.rankings.get("trace", ()):
            path = self.snapshot.paths[int(self.snapshot.file_of_row[hit.row])]
            shares[path] = max(hit.score, shares.get(path, 0.0))
        if self.query.focus is not None:
            shares[self.query.focus.path] = 1.0
        found: dict[str, float] = {}
        for path, share in shares.items():
            for other, often in together.get(path, {}).items():
                found[other] = min(found.get(other, 0.0) + share * often, 1.0)
        return self.by_file([found.get(path, 0.0) for path in self.paths])

    @cached_property
    def uncommitted(self) -> Floats:
        """1 in files that are not as the commit that is checked out has them."""
        changed = self.snapshot.uncommitted
        return self.by_file([float(path in changed) for path in self.paths])

    @cached_property
    def superseded(self) -> Floats:
        """1 in folders of an earlier version than another one beside them (`v3` beside `v4`) that the question does not name."""
        asked = set(tokens(self.query.text.casefold()))
        old = tuple(f"{folder}/" for folder, name in self.snapshot.superseded.items() if name not in asked)
        return self.by_file([float(path.startswith(old)) for path in self.paths])

    # Words

    @cached_property
    def words(self) -> list[Word]:
        """The words of the question that occur in the index, weighted by rarity; the shares add up to 1."""
        asked = query_terms(self.query.text) if self.query.text.strip() else None
        if asked is None:
            return []
        total = self.snapshot.present
        found = []
        for term, count in zip(asked.terms, asked.counts, strict=True):
            postings = self.snapshot.postings(term)
            if postings is not None and len(postings.rows):
                found.append((term, worth(term, total, len(postings.rows), count), postings))
        mass = sum(weight for _, weight, _ in found) or 1.0
        return [Word(term, weight / mass, postings.rows, postings.counts) for term, weight, postings in found]

    @cached_property
    def _occurrences(self) -> NDArray[np.uint8]:
        """[words, candidates, fields]: how often each word stands in each field."""
        found = np.zeros((len(self.words), len(self), len(FIELDS)), np.uint8)
        for number, word in enumerate(self.words):
            places = np.searchsorted(word.rows, self.rows.astype(word.rows.dtype))
            places[places == len(word.rows)] = 0
            here = np.flatnonzero(word.rows[places] == self.rows)
            found[number, here] = word.counts[places[here]]
        return found

    @cached_property
    def shares(self) -> Floats:
        """The share of the question's weight that each of `words` has."""
        return np.array([word.share for word in self.words], np.float64)

    @cached_property
    def coverage(self) -> Floats:
        """[candidates, fields]: the share of the question's weight that stands in the field."""
        return np.tensordot(self.shares, (self._occurrences > 0).astype(np.float64), 1)

    @cached_property
    def whole_coverage(self) -> Floats:
        """The share of the question's weight that stands anywhere in the chunk but its path."""
        inside = self._occurrences[:, :, _SYMBOL:].any(axis=2)
        return np.asarray(self.shares @ inside.astype(np.float64), np.float64)

    @cached_property
    def name_precision(self) -> Floats:
        """The share of the symbol's words that the question has."""
        counts = np.minimum(self._occurrences[:, :, _SYMBOL], 1).sum(axis=0, dtype=np.float64)
        lengths = self.snapshot.lengths[self.rows, _SYMBOL]
        # A name of several parts is also one term as a whole, which a question in words does not have.
        return np.asarray(np.minimum(counts / np.maximum(lengths - (lengths > 1), 1), 1.0), np.float64)

    # Files as a whole

    @cached_property
    def _place_of_file(self) -> NDArray[np.int64]:
        """For every file of the index its place in `files`, -1 where it has none; one more for the file -1 of a hole."""
        place_of = np.full(len(self.snapshot.paths) + 1, -1, np.int64)
        place_of[self.files] = np.arange(len(self.files))
        return place_of

    @cached_property
    def _in_files(self) -> Floats:
        """[words, files]: how often each word stands in all chunks of each file, by `FIELD_WEIGHTS`."""
        found = np.zeros((len(self.words), len(self.files)))
        for number, word in enumerate(self.words):
            places = self._place_of_file[self.snapshot.file_of_row[word.rows]]
            here = np.flatnonzero(places >= 0)
            counts = word.counts[here].astype(np.float64)
            counts[:, _PATH] = 0.0
            found[number] = np.bincount(places[here], counts @ FIELD_WEIGHTS, len(self.files))
        return found

    @cached_property
    def file_lengths(self) -> Floats:
        """How many terms the chunks of each of `files` have, in parts of the mean of all files."""
        places = self._place_of_file[self.snapshot.file_of_row]
        rows = np.flatnonzero(places >= 0)
        totals = np.bincount(places[rows], self.snapshot.lengths[rows, _SYMBOL:].sum(axis=1), len(self.files))
        every = sum(self.snapshot.total_lengths[_SYMBOL:])
        return totals.astype(np.float64) * len(self.snapshot.paths) / max(every, 1)

    @cached_property
    def file_score(self) -> Floats:
        """BM25F of the candidate's file as a whole, in parts of the best candidate's."""
        norm = 1.0 - FILE_LENGTH + FILE_LENGTH * self.file_lengths
        frequency = self._in_files / norm
        scores = self.shares @ (frequency / (SATURATION + frequency)) if len(self.words) else np.zeros(len(self.files))
        return self.by_file(scores / max(float(scores.max(initial=0.0)), 1e-9))

    @cached_property
    def file_coverage(self) -> Floats:
        """The share of the question's weight that stands anywhere in the candidate's file."""
        shares = self.shares @ (self._in_files > 0) if len(self.words) else np.zeros(len(self.files))
        return self.by_file(shares)

    def best_in_file(self, values: Floats) -> Floats:
        """For each candidate the highest of the values among the candidates of its file."""
        best = np.zeros(len(self.files))
        np.maximum.at(best, self.file_place, values)
        return best[self.file_place]

    @cached_property
    def _named(self) -> dict[str, float]:
        return {word.term: word.share for word in self.words}

    @cached_property
    def stem_coverage(self) -> Floats:
        """The share of the question's weight that the file's name without its ending has."""
        return self.by_file([sum(self._named.get(term, 0.0) for term in stem_terms(path)) for path in self.paths])

    @cached_property
    def stem_precision(self) -> Floats:
        """The share of the words of the file's name that the question has."""
        named = self._named
        found = [stem_terms(path) for path in self.paths]
        return self.by_file([sum(term in named for term in terms) / max(len(terms), 1) for terms in found])

    @cached_property
    def stem_kinship(self) -> Floats:
        """As `stem_coverage`, for words that are the question's in another form or cut short (`utils`, "utility")."""
        names = [stem_terms(path) for path in self.paths]
        known = {term: kin_share(term, self._asked) for term in sorted({term for name in names for term in name})}
        return self.by_file([min(sum(known[term] for term in name), 1.0) for name in names])

    @cached_property
    def _asked(self) -> list[tuple[str, float]]:
        """The words of the question that are long enough to have kin, whether the index has them or not, with equal shares."""
        terms = query_terms(self.query.text).terms if self.query.text.strip() else ()
        return [(term, 1.0 / len(terms)) for term in terms if len(term) >= SHORTEST_KIN]

    @cached_property
    def brevity(self) -> float:
        """How much the text asks briefly for places; see `manner.brevity`."""
        return brevity(self.query.text)

    @cached_property
    def manner(self) -> tuple[float, float, float]:
        """How much of a short question, of a report or statement, and of a trace with frames of this repository the query is; the sum is 1."""
        if "trace" in self.rankings:
            return 0.0, 0.0, 1.0
        return self.brevity, 1.0 - self.brevity, 0.0

    @cached_property
    def looks(self) -> NDArray[np.int64]:
        """A number for each candidate, the same for chunks whose kind, lengths and words of the question are the same."""
        counts = self._occurrences[:, :, _SYMBOL:].transpose(1, 0, 2).reshape(len(self), -1).astype(np.int64)
        lengths = self.snapshot.lengths[self.rows, _SYMBOL:].astype(np.int64)
        kinds = self.snapshot.kind_of_row[self.rows].astype(np.int64)[:, None]
        alone = np.where(lengths.sum(axis=1) < SHORTEST_TWIN, np.arange(1, len(self) + 1), 0)[:, None]
        return np.unique(np.hstack((alone, kinds, lengths, counts)), axis=0, return_inverse=True)[1].reshape(-1)

    @cached_property
    def folder_coverage(self) -> Floats:
        """The share of the question's weight that the folders above the file have."""
        return self.by_file([sum(self._named.get(term, 0.0) for term in folder_terms(path)) for path in self.paths])


def _shared_start(one: Sequence[str], other: Sequence[str]) -> int:
    same = (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(same, min(len(one), len(other)))


SHORTEST_TWIN: Final = 12
"""Terms below which two chunks may look the same by chance."""

SHORTEST_KIN: Final = 3


def kin_share(term: str, asked: Sequence[tuple[str, float]]) -> float:
    """The share of the first word of the question that is akin to a term, without being that term; 0 where none is."""
    return next((share for word, share in asked if word != term and are_kin(word, term)), 0.0)


def are_kin(one: str, other: str) -> bool:
    """Whether two words are one in different forms: either begins the other, or most of both is the same beginning."""
    short, long = sorted((one, other), key=len)
    if len(short) < SHORTEST_KIN or short[:3] != long[:3]:
        return False
    if long.startswith(short):
        return len(short) > SHORTEST_KIN or len(long) > 6
    same = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return same >= 5 and 10 * same >= 6 * len(long)


ENTRY_STEMS: Final = frozenset({"__init__", "index", "mod", "lib", "main", "init"})
"""Names of files that stand for their folder."""


@lru_cache(maxsize=100_000)
def stem_terms(path: str) -> tuple[str, ...]:
    """The distinct words of a file's name; of its folder's name where the file stands for its folder."""
    *folders, name = path.split("/")
    stem = name.partition(".")[0] or name
    if stem in ENTRY_STEMS and folders:
        stem = folders[-1]
    return _parts(stem)


@lru_cache(maxsize=100_000)
def folder_terms(path: str) -> tuple[str, ...]:
    """The distinct words of the folders above a file."""
    return tuple(dict.fromkeys(term for folder in path.split("/")[:-1] for term in _parts(folder)))


def _parts(name: str) -> tuple[str, ...]:
    """The words of a name without the whole, where it has several."""
    found: dict[str, None] = {}
    for token in tokens(name):
        terms = token_terms(token)
        found.update(dict.fromkeys(terms[1:] if len(terms) > 1 else terms))
    return tuple(found)


def _stand_in(rows: Rows, ordered: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which rows are among many that are sorted; `isin` would sort those again for every question."""
    if not len(ordered):
        return np.zeros(len(rows), bool)
    places = np.searchsorted(ordered, rows.astype(ordered.dtype))
    found: NDArray[np.bool_] = ordered[np.minimum(places, len(ordered) - 1)] == rows
    return found
