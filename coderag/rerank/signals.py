"""The SIGNALS table: every reason why one candidate stands before another, one small function each.

A signal sees all candidates of a question at once and gives each a value, mostly between 0 and 1. What a value is worth is not
written here but in `weights.json`, where it was fitted. Ablation is a loop over the table, an explanation a print of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from coderag.recall.expressions import Shape
from coderag.rerank.candidates import Candidates, Floats
from coderag.types import Kind


@dataclass(frozen=True, slots=True)
class Signal:
    """A name, a function from candidates to one value each, why that says something, and which way it may push.

    `sign` is 1 for a signal that must not lower a chunk, -1 for one that must not raise it, 0 where fitting decides.
    """

    name: str
    values: Callable[[Candidates], Floats]
    why: str
    sign: int = 1


TYPES: Final = frozenset(
    {Kind.CLASS, Kind.STRUCT, Kind.INTERFACE, Kind.TRAIT, Kind.ENUM, Kind.TYPE_ALIAS, Kind.EXTENSION}
)
CALLABLES: Final = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.MACRO})
DATA: Final = frozenset({Kind.CONSTANT, Kind.VARIABLE, Kind.FIELD, Kind.ENUM_MEMBER})
PROSE: Final = frozenset({Kind.SECTION, Kind.PARAGRAPH, Kind.CELL, Kind.ELEMENT})
SETTINGS: Final = frozenset({Kind.KEY, Kind.TARGET, Kind.STAGE, Kind.RULE})


def _length(candidates: Candidates) -> Floats:
    """Log of the body's terms: 0 for none, 1 from a thousand."""
    lengths = candidates.snapshot.lengths[candidates.rows, 1:].sum(axis=1)
    return np.asarray(np.minimum(np.log10(1.0 + lengths) / 3.0, 1.0), np.float64)


def _importance(candidates: Candidates) -> Floats:
    """PageRank in multiples of the mean on a log scale: 0 up to the mean, 1 from a hundred times the mean."""
    share = candidates.snapshot.importance[candidates.rows].astype(np.float64) * len(candidates.snapshot.order)
    return np.clip(np.log10(np.maximum(share, 1.0)) / 2.0, 0.0, 1.0)


def _references(candidates: Candidates) -> Floats:
    """Dependents on a log scale: 1 from a hundred."""
    counts = candidates.snapshot.reference_count[candidates.rows].astype(np.float64)
    return np.clip(np.log10(1.0 + counts) / 2.0, 0.0, 1.0)


def _plumbing(candidates: Candidates) -> Floats:
    return candidates.listed("trace") * _references(candidates)


def _setting(candidates: Candidates) -> Floats:
    return np.where(candidates.sureness("symbol") > 0.0, 0.0, candidates.is_kind(SETTINGS))


def _symbol_alone(candidates: Candidates) -> Floats:
    found = candidates.sureness("symbol")
    return found if candidates.shape is Shape.SYMBOL else np.zeros(len(candidates))


def _unless_asked(values: Floats, candidates: Candidates) -> Floats:
    return np.zeros(len(candidates)) if candidates.about_tests else values


SIGNALS: Final = (
    Signal("lexical", lambda c: c.recalled("lexical"), "the words of the question, by BM25F"),
    Signal(
        "lexical rank", lambda c: c.ranked("lexical"), "first by its words says more than the distance to the second"
    ),
    Signal("symbol", lambda c: c.sureness("symbol"), "a name that the question says"),
    Signal("symbol alone", _symbol_alone, "the question is nothing but a name"),
    Signal("vector", lambda c: c.recalled("vector"), "the meaning of the question"),
    Signal(
        "vector rank", lambda c: c.ranked("vector"), "first by its meaning says more than the distance to the second"
    ),
    Signal("joined", lambda c: c.recalled("joined"), "neighbouring words of the question are one identifier"),
    Signal("joined in file", lambda c: c.best_in_file(c.recalled("joined")), "the file has the joined words"),
    Signal("words in path", lambda c: c.coverage[:, 0], "where it stands says what it is about"),
    Signal("words in symbol", lambda c: c.coverage[:, 1], "what it is called"),
    Signal("words in signature", lambda c: c.coverage[:, 2], "what it takes and gives"),
    Signal("words in doc", lambda c: c.coverage[:, 3], "what its author says of it"),
    Signal("words in body", lambda c: c.coverage[:, 4], "what it does"),
    Signal("all words", lambda c: c.whole_coverage, "a chunk that has every word rather than one often"),
    Signal("name asked", lambda c: c.name_precision, "every word of its name is in the question"),
    Signal("name mass", lambda c: c.name_precision * c.coverage[:, 1], "its name is most of the question"),
    Signal("file words", lambda c: c.file_coverage, "the file as a whole has every word"),
    Signal("file score", lambda c: c.file_score, "the file as a whole, by BM25F"),
    Signal("file best", lambda c: c.best_in_file(c.recalled("lexical")), "the best chunk of the file"),
    Signal("file name", lambda c: c.stem_coverage, "the question says the file's name"),
    Signal("file name asked", lambda c: c.stem_precision, "every word of the file's name is in the question"),
    Signal("file name mass", lambda c: c.stem_precision * c.stem_coverage, "the file's name is most of the question"),
    Signal("file name akin", lambda c: c.stem_kinship, "the file's name in another form"),
    Signal("folder name", lambda c: c.folder_coverage, "the question says the folder's name"),
    Signal("in trace", lambda c: c.listed("trace"), "a frame of the trace"),
    Signal("trace place", lambda c: c.sureness("trace"), "the innermost frames of the first cause come first"),
    Signal(
        "around trace", lambda c: c.sureness("around trace"), "an innermost frame uses it, or it uses the first one"
    ),
    Signal("file of trace", lambda c: c.best_in_file(c.sureness("trace")), "an innermost frame stands in its file"),
    Signal("trace plumbing", _plumbing, "what everybody calls is rarely where the error is", -1),
    Signal("used by hits", lambda c: c.used, "a definition that the best hits use"),
    Signal("graph", lambda c: c.recalled("graph"), "linked to what matches"),
    Signal("graph rank", lambda c: c.ranked("graph"), "first of what is linked to what matches"),
    Signal("focus", lambda c: c.sureness("focus"), "under the cursor"),
    Signal("needed by focus", lambda c: c.sureness("needed by focus"), "what is under the cursor uses it"),
    Signal("uses focus", lambda c: c.sureness("uses focus"), "it uses what is under the cursor"),
    Signal("used beside focus", lambda c: c.sureness("used beside focus"), "others in the file of the cursor use it"),
    Signal("class of focus", lambda c: c.listed("class of focus"), "in the same class as the cursor"),
    Signal(
        "imported by focus",
        lambda c: c.best_in_file(c.sureness("imported by focus")),
        "the file under the cursor imports its file",
    ),
    Signal("near focus", lambda c: c.focus_nearness, "in the file or the folders of the cursor"),
    Signal("open file", lambda c: c.opened, "somebody is reading it"),
    Signal("uncommitted", lambda c: c.uncommitted, "somebody is working on it"),
    Signal("type", lambda c: c.is_kind(TYPES), "a type definition: what others are made of", 0),
    Signal("callable", lambda c: c.is_kind(CALLABLES), "something that runs", 0),
    Signal("data", lambda c: c.is_kind(DATA), "a constant, variable or field", 0),
    Signal("module", lambda c: c.is_kind(frozenset({Kind.MODULE})), "the outline of a file", 0),
    Signal("statement", lambda c: c.is_kind(frozenset({Kind.STATEMENT})), "loose statements", 0),
    Signal("prose", lambda c: c.is_kind(PROSE), "text about code is not the code", -1),
    Signal("setting", _setting, "configuration, unless the question names its key", -1),
    Signal("test", lambda c: _unless_asked(c.tests, c), "a test repeats the words of what it tests", -1),
    Signal("example", lambda c: c.examples, "an example uses the code, it is not the code", -1),
    Signal("vendored", lambda c: c.vendored, "others wrote it, or a tool", -1),
    Signal("stub", lambda c: c.stubs, "a declaration is not the code", -1),
    Signal("superseded", lambda c: c.superseded, "an earlier version stands beside a later one", -1),
    Signal("recency", lambda c: c.recency, "its file was changed lately"),
    Signal("churn", lambda c: c.churn, "its file changes often"),
    Signal("changed together", lambda c: c.changed_together, "its file changes with those that match"),
    Signal("importance", _importance, "much depends on it, directly or not"),
    Signal("references", _references, "many depend on it"),
    Signal("part", lambda c: 1.0 - c.completeness, "a part of a symbol shows less than the whole", -1),
    Signal("length", _length, "a chunk that says too little to answer", 0),
)
"""The order is that in which reasons are listed."""
