"""What a model is worth: docstring to function in held-out packages, and development questions by vectors alone."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from coderag.chunk import chunk_file
from coderag.config import Settings
from coderag.embed.passage import encode_chunks
from coderag.embed.static import StaticEmbedder
from coderag.languages import detect_language
from coderag.parse import parse
from coderag.types import Chunk, Skipped
from coderag.walk import read, walk

from .vocabulary import fields_of, read_items, words

MAX_CANDIDATES = 800


def held_out(embedder: StaticEmbedder, folder: Path) -> dict[str, dict[str, float]]:
    """MRR and recall@3 for first sentences of documentation against the functions of their package, means over packages."""
    rows: dict[str, list[tuple[float, float]]] = {}
    for _, items in read_items(folder):
        items = [item for item in items if item["kind"] in ("function", "method")][:MAX_CANDIDATES]
        texts = [fields_of(item) for item in items]
        queries = [index for index, text in enumerate(texts) if len(words(text["sentence"])) >= 4]
        if len(queries) < 20:
            continue
        asked = [texts[index]["sentence"] for index in queries]
        for view, named in (("named", True), ("masked", False)):
            passages = [_passage(text, named) for text in texts]
            scored = {"bm25": bm25(asked, passages)}
            for model, each in (("static", embedder), ("untrained", untrained(embedder))):
                scored[model] = each.encode(asked, "query") @ each.encode(passages).T
            for name, scores in scored.items():
                rows.setdefault(f"{name} {view}", []).append(_ranked(scores, queries))
    return {
        name: {"mrr": float(np.mean([r[0] for r in found])), "recall@3": float(np.mean([r[1] for r in found]))}
        for name, found in rows.items()
    }


def _passage(text: dict[str, str], named: bool) -> str:
    name = text["name"] if named else text["name"].rpartition(".")[0]
    own = text["name"].rpartition(".")[2] if named else ""
    return "\n".join((text["path"], name, own, text["signature"], text["body"]))


def _ranked(scores: np.ndarray, targets: list[int]) -> tuple[float, float]:
    own = scores[np.arange(len(targets)), targets]
    ranks = (scores > own[:, None]).sum(axis=1) + ((scores == own[:, None]).sum(axis=1) - 1) / 2 + 1
    return float((1 / ranks).mean()), float((ranks <= 3).mean())


def bm25(queries: list[str], passages: list[str], k1: float = 1.2, b: float = 0.75) -> np.ndarray:
    """Okapi BM25 over identifier parts, the words' plural s cut off."""
    bags = [Counter(word.removesuffix("s") for word in words(passage)) for passage in passages]
    lengths = np.array([sum(bag.values()) for bag in bags], dtype=float)
    norm = k1 * (1 - b + b * lengths / lengths.mean())
    postings: dict[str, list[tuple[int, int]]] = {}
    for row, bag in enumerate(bags):
        for word, count in bag.items():
            postings.setdefault(word, []).append((row, count))
    scores = np.zeros((len(queries), len(passages)))
    for row, query in enumerate(queries):
        for word in {each.removesuffix("s") for each in words(query)} & postings.keys():
            found = np.array(postings[word])
            rare = math.log(1 + (len(bags) - len(found) + 0.5) / (len(found) + 0.5))
            scores[row, found[:, 0]] += rare * found[:, 1] * (k1 + 1) / (found[:, 1] + norm[found[:, 0]])
    return scores


def untrained(embedder: StaticEmbedder, seed: int = 7) -> StaticEmbedder:
    """The same tokens with random vectors: what is won by matching words alone."""
    table = embedder._table
    rows = np.random.default_rng(seed).integers(-127, 128, table.shape).astype(np.int8)
    return StaticEmbedder("untrained", "", embedder._runs._tokenizer, rows, np.ones(len(rows), dtype=np.float32))


def repository_chunks(root: Path) -> list[Chunk]:
    """All chunks below a root, as an index would hold them."""
    settings, chunks = Settings(), []
    for walked in walk(root, settings).files:
        source = read(root, walked, settings, detect_language(walked.path))
        if not isinstance(source, Skipped):
            chunks.extend(chunk_file(source, parse(source.text, source.language), settings))
    return chunks


def questions(
    embedder: StaticEmbedder, bench: Path, checkouts: Path, cache: Path | None = None
) -> dict[str, dict[str, list[dict[str, object]]]]:
    """The ten best chunks for each question, by cosine alone, in the form that the scorer reads."""
    results: dict[str, dict[str, list[dict[str, object]]]] = {}
    for repository in json.loads((bench / "questions/repos.json").read_text()):
        name = repository["name"]
        places = [
            each
            for each in (checkouts / name, checkouts / repository.get("fetch", name).split("/")[-1])
            if each.is_dir()
        ]
        if not places:
            print(f"{name}: no checkout", file=sys.stderr)
            continue
        chunks = repository_chunks(places[0] / (repository.get("benchmark_root") or ""))
        asked = [each["query"] for each in json.loads((bench / f"questions/annotations/{name}.json").read_text())]
        best = np.argsort(
            -(embedder.encode(asked, "query") @ encode_chunks(embedder, chunks).T),
            axis=1,
            kind="stable",
        )
        results[name] = {
            query: [
                {
                    "file": chunks[each].path,
                    "start_line": chunks[each].span.start_line,
                    "end_line": chunks[each].span.end_line,
                }
                for each in best[row, :10]
            ]
            for row, query in enumerate(asked)
        }
    return results


def score(results: dict[str, object], bench: Path, out: Path) -> str:
    """What the scorer of the benchmark says."""
    out.write_text(json.dumps({"tool": "static vectors alone", "results": results}))
    command = [sys.executable, str(bench / "score_questions.py"), str(out)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
