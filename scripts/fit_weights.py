"""Fits the weights of the reranker's signals on development queries. Two steps, so that fitting takes seconds and can be repeated:

    fit_weights.py gather OUT.npz --bench BENCH --questions ROOTS --fixes ROOTS --indexes PLACE
    fit_weights.py fit OUT.npz --out coderag/rerank/weights.json

`gather` searches each repository below ROOTS (named as in BENCH) and keeps every candidate's signals. `fit` is a linear model by
the likelihood that a target comes first: -log of the share of exp(score) that the target's chunks have among all candidates, which
treats any chunk of a target alike. Each signal has two weights, for short questions and for long reports, between which a text's
brevity chooses. The square of the weights is added (scaled by each signal's spread), and that of the difference of the two; a weight
keeps the sign that the table states. Cross-validation leaves whole repositories out. Signals that the queries do not exercise (HELD) keep
the weights they have.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FOLDS = 4
STEPS = 200
STEP = 0.05
LEAST_SPREAD = 0.12  # a signal that is seldom above 0 is not held down because of that
REGULARISATION = 0.003
COUPLING = 0.003  # holds the two weights of a signal together
TRACE_COUPLING = 0.01  # traces are few
NAMES = ("weight", "long", "trace")
MANNERS = len(NAMES)
TASK_WEIGHTS = {"questions": 1.0, "fixes": 1.6, "traces": 1.6}
FILE_WEIGHT = 0.4  # of finding the file of a fix, beside finding its function

Floats = NDArray[np.float64]


@dataclass
class Examples:
    """All candidates of all queries, one after another, and which of them hit which target."""

    names: list[str]
    values: Floats  # [candidates, signals]
    files: NDArray[np.int64]  # [candidates]
    brevity: Floats  # [candidates]
    manners: Floats  # [candidates, 3]: how much of a short question, a report and a trace the text is
    starts: NDArray[np.int64]  # [queries + 1]
    repositories: list[str]  # [queries]
    tasks: list[str]  # [queries]
    hits: NDArray[np.int64]  # [pairs, 2]: candidate, target
    weights: Floats  # [targets]
    query_of: NDArray[np.int64]  # [targets]
    measured: NDArray[np.bool_]  # [targets]: not the files of a fix, which only help to fit

    @property
    def by_manner(self) -> Floats:
        """The signals as they count for a short question, then for a report, then for a trace."""
        return np.hstack([self.values * self.manners[:, [manner]] for manner in range(MANNERS)])

    def save(self, path: Path) -> None:
        columns = {name: np.asarray(getattr(self, name)) for name in self.__dataclass_fields__}
        np.savez_compressed(path, **columns)  # type: ignore[arg-type]

    @classmethod
    def load(cls, path: Path) -> Examples:
        with np.load(path, allow_pickle=False) as stored:
            columns: dict[str, Any] = {name: stored[name] for name in cls.__dataclass_fields__}
        for name in ("names", "repositories", "tasks"):
            columns[name] = columns[name].tolist()
        return cls(**columns)


def fit(examples: Examples, chosen: NDArray[np.bool_], signs: Floats, free: NDArray[np.bool_], start: Floats) -> Floats:
    """The weights that explain the chosen queries best (Adam, a fixed number of steps, from `start`)."""
    values = examples.by_manner
    spread = np.tile(np.maximum(examples.values.std(axis=0), LEAST_SPREAD), MANNERS)
    targets = np.flatnonzero(chosen[examples.query_of] & _can_be_missed(examples))
    share = examples.weights / examples.weights[targets].sum()
    weights = start * spread
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        gradient = _gradient(examples, values, targets, share, weights / spread) / spread
        gradient += 2 * REGULARISATION * weights + 2 * _coupling(weights)
        gradient[~free] = 0.0
        first, second = 0.9 * first + 0.1 * gradient, 0.99 * second + 0.01 * gradient**2
        rate = STEP * (1.0 - 0.9 * step / STEPS)
        weights = weights - rate * first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
        weights = np.where(free & (signs * weights < 0), 0.0, weights)
    return weights / spread


def _coupling(weights: Floats) -> Floats:
    """What holds the weights of a signal in a report to those in a short question and in a trace."""
    short, long, trace = np.split(weights, MANNERS)
    apart, traced = COUPLING * (short - long), TRACE_COUPLING * (trace - long)
    return np.concatenate((apart, -apart - traced, traced))


def _can_be_missed(examples: Examples) -> NDArray[np.bool_]:
    counts = np.bincount(examples.hits[:, 1], minlength=len(examples.weights))
    return (counts > 0) & (counts < np.diff(examples.starts)[examples.query_of])


def _gradient(examples: Examples, values: Floats, targets: NDArray[np.int64], share: Floats, weights: Floats) -> Floats:
    """Of the mean loss by the weights: what all candidates of a query pull less what those of its targets pull."""
    shares = _shares(examples, values @ weights)
    wanted = np.isin(examples.hits[:, 1], targets)
    candidates, of = examples.hits[wanted].T
    total = np.bincount(of, shares[candidates], len(examples.weights))
    pull = np.zeros(len(shares))
    np.add.at(pull, candidates, -share[of] * shares[candidates] / np.maximum(total[of], 1e-12))
    by_query = np.bincount(examples.query_of[targets], share[targets], len(examples.starts) - 1)
    pull += shares * np.repeat(by_query, np.diff(examples.starts))
    return np.asarray(values.T @ pull, np.float64)


def _shares(examples: Examples, scores: Floats) -> Floats:
    """exp(score), in parts of the sum over the candidates of its query."""
    sizes = np.diff(examples.starts)
    filled = examples.starts[:-1][sizes > 0]
    highest = np.repeat(np.maximum.reduceat(scores, filled), sizes[sizes > 0])
    power = np.exp(scores - highest)
    return np.asarray(power / np.repeat(np.add.reduceat(power, filled), sizes[sizes > 0]), np.float64)


def measure(examples: Examples, scores: Floats, chosen: NDArray[np.bool_], further: float) -> dict[str, float]:
    """The share of targets in the first three places: files for questions, any function for fixes; and NDCG@10 of questions."""
    found: dict[str, list[float]] = {"questions NDCG@10": [], "questions recall@3": []}
    for query in np.flatnonzero(chosen).tolist():
        ranks = _ranks(examples, scores, query, further)
        if examples.tasks[query] == "questions":
            ideal = sum(1 / math.log2(place + 1) for place in range(1, min(10, len(ranks)) + 1))
            gain = sum(1 / math.log2(rank + 1) for rank in {rank for rank in ranks if rank <= 10})
            found["questions NDCG@10"].append(gain / ideal)
            found["questions recall@3"].append(sum(rank <= 3 for rank in ranks) / len(ranks))
        elif ranks:
            found.setdefault(f"{examples.tasks[query]} any@3", []).append(float(min(ranks) <= 3))
    return {name: float(np.mean(values)) for name, values in found.items() if values}


def _ranks(examples: Examples, scores: Floats, query: int, further: float) -> list[float]:
    """The place of each target of a query, infinite where it was not recalled; files of fixes are not counted."""
    start, end = examples.starts[query : query + 2].tolist()
    own, files = scores[start:end].copy(), examples.files[start:end]
    seen: dict[int, int] = {}
    for place in np.argsort(-own, kind="stable").tolist():
        own[place] += further * examples.brevity[start + place] * min(seen.get(files[place], 0), 3) / 3
        seen[files[place]] = seen.get(files[place], 0) + 1
    rank = np.empty(end - start)
    rank[np.argsort(-own, kind="stable")] = np.arange(1, end - start + 1)
    ranks = []
    for target in np.flatnonzero(examples.query_of == query).tolist():
        if not examples.measured[target]:
            continue
        hits = examples.hits[examples.hits[:, 1] == target, 0] - start
        ranks.append(float(rank[hits].min()) if len(hits) else math.inf)
    return ranks


def folds_of(repositories: Sequence[str]) -> NDArray[np.int64]:
    """The fold of each query: a repository is in one fold as a whole, also where several tasks have it."""
    names = [name.split("/")[-1].split("+")[-1] for name in repositories]
    number = {name: index % FOLDS for index, name in enumerate(sorted(set(names)))}
    return np.array([number[name] for name in names])


def cross_validated(examples: Examples, signs: Floats, free: NDArray[np.bool_], start: Floats) -> Floats:
    """Scores of all candidates, each by weights that were fitted without its repository."""
    folds, scores = folds_of(examples.repositories), np.zeros(len(examples.values))
    of_candidate, values = np.repeat(folds, np.diff(examples.starts)), examples.by_manner
    for fold in range(FOLDS):
        weights = fit(examples, folds != fold, signs, free, start)
        scores[of_candidate == fold] = values[of_candidate == fold] @ weights
    return scores


def run_fit(arguments: argparse.Namespace) -> None:
    from coderag.rerank.signals import SIGNALS

    examples = Examples.load(arguments.examples)
    known = json.loads(arguments.out.read_text(encoding="utf-8"))
    table = {signal.name: signal for signal in SIGNALS}
    assert examples.names == list(table), "the examples were gathered with other signals; gather anew"
    entries = [known["weights"].setdefault(name, {}) for name in table]
    held = np.array([bool(entry.get("held")) for entry in entries])
    start = np.array([entry["weight"] if now else 0.0 for entry, now in zip(entries, held, strict=True)])
    signs = np.array([float(signal.sign) for signal in table.values()])
    free, all_signs, starts = np.tile(~held, MANNERS), np.tile(signs, MANNERS), np.tile(start, MANNERS)
    everything = np.ones(len(examples.tasks), bool)
    fitted = np.split(fit(examples, everything, all_signs, free, starts), MANNERS)
    further = known["weights"]["further of its file"]["weight"]
    scores = cross_validated(examples, all_signs, free, starts)
    whole = measure(examples, scores, everything, further)
    known["fitted"], known["cross_validated"] = str(date.today()), _rounded(whole)
    for number, entry in enumerate(entries):
        if held[number]:
            continue
        entry.update((name, round(float(of[number]), 2) or 0.0) for name, of in zip(NAMES, fitted, strict=True))
        entry.pop("without", None)
        if any(entry[name] for name in NAMES):
            given = examples.manners @ np.array([of[number] for of in fitted])
            without = measure(examples, scores - examples.values[:, number] * given, everything, further)
            entry["without"] = _rounded({key: without[key] - whole[key] for key in whole})
    arguments.out.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(_rounded(whole)))


def _rounded(values: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 4) or 0.0 for name, value in values.items()}


# Gathering


@dataclass(frozen=True)
class Asked:
    """A query of the benchmark: its repository and task, and a function from a chunk's place to the targets it hits."""

    repository: str
    task: str
    text: str
    root: Path
    targets: Any


def questions(bench: Path, roots: Path, scorer: Any) -> Iterator[Asked]:
    specs = {spec["name"]: spec for spec in json.loads((bench / "questions/repos.json").read_text("utf-8"))}
    for name, query, _, targets in scorer.load_queries(str(bench / "questions/annotations"), specs):
        below = specs[name].get("benchmark_root") or ""
        root = roots / name / below
        if root.is_dir():
            yield Asked(
                name,
                "questions",
                query,
                root,
                lambda place, targets=targets, below=below: [
                    (scorer.hit(place, target, below, "strict"), 1.0 / len(targets), True) for target in targets
                ],
            )


def fixes(bench: Path, roots: Path, scorer: Any) -> Iterator[Asked]:
    for query in scorer.load(str(bench / "fixes")):
        root = roots / query["repo"].replace("/", "+")
        functions = [target for target in query["targets"] if target["kind"] == "function"]
        files = sorted({target["file"] for target in query["targets"]})

        def targets(
            place: dict[str, Any], functions: Any = functions, files: Any = files
        ) -> list[tuple[bool, float, bool]]:
            found = [(scorer.hit(place, target), 1.0 / len(functions), True) for target in functions]
            return found + [(place["file"] == file, FILE_WEIGHT / len(files), False) for file in files]

        if root.is_dir():
            yield Asked(query["repo"], "fixes", query["query"], root, targets)


def run_gather(arguments: argparse.Namespace) -> None:
    from itertools import groupby

    sys.path.insert(0, str(arguments.bench))
    import score_fixes
    import score_questions

    asked: list[Asked] = []
    if arguments.questions:
        asked += questions(arguments.bench, arguments.questions, score_questions)
    if arguments.fixes:
        asked += fixes(arguments.bench, arguments.fixes, score_fixes)
    keep = {"questions": lambda path: True, "fixes": score_fixes.is_source}
    parts: list[tuple[Any, ...]] = []
    for root, queries in groupby(asked, key=lambda each: each.root):
        parts += _gathered(root, list(queries), keep, arguments.indexes)
        print(root, len(parts), file=sys.stderr)
    _joined(parts).save(arguments.examples)


def _gathered(root: Path, queries: Sequence[Asked], keep: Any, indexes: Path) -> list[tuple[Any, ...]]:
    from coderag import Index, Settings
    from coderag.rerank.signals import SIGNALS

    name = "+".join((queries[0].task, *root.parts[-2:]))
    found = []
    with Index.build(root, settings=Settings(index_directory=str(indexes / name))) as index:
        snapshot = index.snapshot()
        for asked in queries:
            candidates = index.trial(asked.text).candidates()
            values = np.stack([signal.values(candidates) for signal in SIGNALS], axis=1)
            chunks = snapshot.chunks(candidates.rows.tolist())
            places = [
                {"file": chunk.path, "start_line": chunk.span.start_line, "end_line": chunk.span.end_line}
                for chunk in (chunks[row] for row in candidates.rows.tolist())
            ]
            kept = np.array([keep[asked.task](place["file"]) for place in places], bool)
            hits = [asked.targets(place) for place, wanted in zip(places, kept, strict=True) if wanted]
            weights = [found[1:] for found in asked.targets({"file": "", "start_line": 0, "end_line": 0})]
            files = snapshot.file_of_row[candidates.rows][kept].astype(np.int64)
            found.append((asked, values[kept], files, candidates.brevity, hits, weights, candidates.manner))
    return found


def _joined(parts: Sequence[tuple[Any, ...]]) -> Examples:
    from coderag.rerank.signals import SIGNALS

    sizes = [len(values) for _, values, *_ in parts]
    starts = np.concatenate(([0], np.cumsum(sizes)))
    pairs, weights, query_of, measured = [], [], [], []
    for number, (asked, _, _, _, hits, target_weights, _) in enumerate(parts):
        pairs += [
            (starts[number] + row, len(weights) + target)
            for row, of_row in enumerate(hits)
            for target, (hit, *_) in enumerate(of_row)
            if hit
        ]
        weights += [weight * TASK_WEIGHTS[asked.task] for weight, _ in target_weights]
        measured += [counts for _, counts in target_weights]
        query_of += [number] * len(target_weights)
    return Examples(
        [signal.name for signal in SIGNALS],
        np.concatenate([values for _, values, *_ in parts]),
        np.concatenate([files for _, _, files, *_ in parts]),
        np.repeat([brevity for _, _, _, brevity, *_ in parts], sizes),
        np.repeat(np.array([manner for *_, manner in parts]), sizes, axis=0),
        starts,
        [asked.repository for asked, *_ in parts],
        [asked.task for asked, *_ in parts],
        np.array(pairs, np.int64).reshape(-1, 2),
        np.array(weights),
        np.array(query_of, np.int64),
        np.array(measured, bool),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    gather = commands.add_parser("gather")
    gather.add_argument("examples", type=Path)
    gather.add_argument("--bench", type=Path, required=True)
    gather.add_argument("--questions", type=Path)
    gather.add_argument("--fixes", type=Path)
    gather.add_argument("--indexes", type=Path, required=True)
    gather.set_defaults(run=run_gather)
    fitting = commands.add_parser("fit")
    fitting.add_argument("examples", type=Path)
    fitting.add_argument("--out", type=Path, required=True)
    fitting.set_defaults(run=run_fit)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
