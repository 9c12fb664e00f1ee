"""Token arrays -> token vectors: bags of tokens, symmetric cross-entropy over a batch in which most negatives share a package."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from .vocabulary import FIELDS

QUESTION_WORDS = (
    "how does", "how is", "how are", "where is", "where are", "where does", "what does", "which function", "which class", "how to",
    "what happens when", "how can i", "find the code that", "implementation of", "the code for", "logic for", "how do", "what is",
    "where do we", "explain how", "function that", "class that", "support for", "handling of", "works", "implemented", "defined",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a run depends on besides its data."""

    dimension: int = 256
    steps: int = 1_000
    batch: int = 1_024
    block: int = 64
    rate: float = 0.01
    scale: float = 20.0
    dropout: float = 0.12
    query_tokens: int = 48
    passage_tokens: int = 96
    seed: int = 20


@dataclass(frozen=True, slots=True)
class Bags:
    """The distinct tokens of each row, one row after another: where each begins, and the square roots of the counts."""

    tokens: torch.Tensor
    offsets: torch.Tensor
    weights: torch.Tensor

    def vectors(self, table: torch.Tensor) -> torch.Tensor:
        """The weighted sums, of length 1."""
        summed = torch.nn.functional.embedding_bag(
            self.tokens, table, self.offsets, mode="sum", per_sample_weights=self.weights
        )
        return torch.nn.functional.normalize(summed)


class Data:
    """Token arrays with quick ragged gathering."""

    def __init__(self, arrays: dict[str, np.ndarray]) -> None:
        self.ids = {field: arrays[f"{field}_ids"] for field in FIELDS}
        self.starts = {field: arrays[f"{field}_starts"].astype(np.int64) for field in FIELDS}
        self.packages, self.names, self.docs = arrays["packages"], arrays["names"], arrays["docs"]
        self.languages = arrays["languages"]
        self.members = [np.flatnonzero(self.packages == each) for each in range(int(self.packages.max()) + 1)]

    def gather(self, field: str, items: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions (rows of the batch) and tokens of a field for the rows where `chosen`."""
        starts = self.starts[field][items]
        lengths = np.where(chosen, self.starts[field][items + 1] - starts, 0)
        rows = np.repeat(np.arange(len(items)), lengths)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return rows, self.ids[field][np.repeat(starts, lengths) + within]


def bags(
    parts: list[tuple[np.ndarray, np.ndarray]],
    rows: int,
    size: int,
    dropout: float,
    limit: int,
    chance: np.random.Generator,
) -> Bags:
    """Token, row and weight (square root of the count) of each distinct token, some dropped at random, at most `limit` a row."""
    owners = np.concatenate([part[0] for part in parts])
    tokens = np.concatenate([part[1] for part in parts]).astype(np.int64)
    keys, counts = np.unique(owners * size + tokens, return_counts=True)
    owners, tokens = keys // size, keys % size
    per_row = np.bincount(owners, minlength=rows)
    keep = chance.random(len(keys)) < np.minimum(1 - dropout, limit / np.maximum(per_row, 1))[owners]
    owners, tokens, counts = owners[keep], tokens[keep], counts[keep]
    offsets = np.searchsorted(owners, np.arange(rows))
    return Bags(
        torch.from_numpy(tokens), torch.from_numpy(offsets), torch.from_numpy(np.sqrt(counts).astype(np.float32))
    )


def choose(data: Data, recipe: Recipe, weights: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """Items of a batch: blocks of one package each, half of them neighbours in it."""
    items = []
    for package in chance.choice(len(data.members), recipe.batch // recipe.block, replace=True, p=weights):
        members = data.members[package]
        if chance.random() < 0.5 and len(members) > recipe.block:
            start = chance.integers(len(members) - recipe.block)
            items.append(members[start : start + recipe.block])
        else:
            items.append(chance.choice(members, min(recipe.block, len(members)), replace=False))
    return np.unique(np.concatenate(items))


def views(
    data: Data, items: np.ndarray, recipe: Recipe, questions: list[np.ndarray], size: int, chance: np.random.Generator
) -> tuple[Bags, Bags]:
    """A query bag and a passage bag for each item, each drawn from its views."""
    rows = len(items)
    draw, second = chance.random(rows), chance.random(rows)
    documented = data.docs[items] != 0
    by_doc = documented & (draw < 0.85)
    whole = by_doc & (second < 0.25)
    question = by_doc & (chance.random(rows) < 0.25)
    by_name = ~by_doc
    nameless = data.names[items] == 0
    by_path = by_name & (nameless | (second < 0.3))
    query = [
        data.gather("sentence", items, by_doc),
        data.gather("doc", items, whole),
        data.gather("name", items, by_name | (by_doc & (second > 0.92))),
        data.gather("path", items, by_path),
        _question_words(question, questions, chance),
    ]
    titles = data.languages[items] == "markdown"  # the name of a section is its documentation
    named = by_doc & ~titles & (chance.random(rows) < 0.6)
    short = by_doc & ~titles & ~nameless & (chance.random(rows) < 0.12)
    passage = [
        data.gather("path", items, ~(by_path & nameless) & (chance.random(rows) < 0.6)),
        data.gather("name", items, named | short),
        data.gather("name", items, named | short),
        data.gather("signature", items, np.ones(rows, bool)),
        data.gather("body", items, ~short),
        data.gather("doc", items, by_doc & ~whole & (chance.random(rows) < 0.3)),
        data.gather("sentence", items, by_name & documented & (chance.random(rows) < 0.5)),
    ]
    asked = bags(query, rows, size, recipe.dropout, recipe.query_tokens, chance)
    return asked, bags(passage, rows, size, recipe.dropout, recipe.passage_tokens, chance)


def _question_words(
    chosen: np.ndarray, questions: list[np.ndarray], chance: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    picks = [questions[chance.integers(len(questions))] if each else questions[0][:0] for each in chosen]
    return np.repeat(np.arange(len(chosen)), [len(pick) for pick in picks]), np.concatenate(picks)


def package_weights(data: Data) -> np.ndarray:
    """How often a package is drawn: the square root of its items, rare languages more."""
    common = {"python", "javascript", "typescript", "tsx"}
    rare = np.array(
        [np.mean([str(each) not in common for each in data.languages[members]]) for members in data.members]
    )
    weights = np.sqrt([len(members) for members in data.members]) * (1 + 2 * rare)
    weights[[len(members) < 8 for members in data.members]] = 0
    return weights / weights.sum()


def train(
    data: Data,
    recipe: Recipe,
    size: int,
    questions: list[np.ndarray],
    save: Path | None = None,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """The table of token vectors, float32."""
    chance = np.random.default_rng(recipe.seed)
    torch.manual_seed(recipe.seed)
    table = torch.nn.Parameter(_first_table(data, recipe, size) if start is None else torch.from_numpy(start))
    optimiser = torch.optim.Adam([table], lr=recipe.rate, betas=(0.9, 0.98), fused=True)
    weights = package_weights(data)
    began, mean = time.monotonic(), 0.0
    for step in range(recipe.steps):
        items = choose(data, recipe, weights, chance)
        query, passage = views(data, items, recipe, questions, size, chance)
        loss = _loss(table, query, passage, _same(data, items), recipe.scale)
        done = step / recipe.steps
        optimiser.param_groups[0]["lr"] = recipe.rate * min(1.0, (step + 1) / 30) * 0.5 * (1 + math.cos(math.pi * done))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        mean = 0.95 * mean + 0.05 * float(loss.detach()) if step else float(loss.detach())
        if step % 25 == 0:
            print(
                f"step {step} loss {mean:.3f} {time.monotonic() - began:.0f} s, {time.process_time():.0f} CPU s",
                flush=True,
            )
            if save is not None and step % 100 == 0:
                np.save(save, table.detach().numpy())
    return table.detach().numpy()


def _first_table(data: Data, recipe: Recipe, size: int) -> torch.Tensor:
    """Random directions, longer for rarer tokens."""
    counts = np.bincount(data.ids["body"], minlength=size)[:size] + 1.0
    rarity = np.log(counts.sum() / counts)
    lengths = (rarity / rarity.mean() / math.sqrt(recipe.dimension)).astype(np.float32)
    return torch.randn(size, recipe.dimension) * torch.from_numpy(lengths)[:, None]


def carried_over(table: np.ndarray, old: dict[str, int], new: dict[str, int], seed: int) -> np.ndarray:
    """An earlier table for a newer vocabulary: known tokens keep their vectors, the others begin short and random."""
    chance = np.random.default_rng(seed)
    spread = float(np.linalg.norm(table, axis=1).mean()) / math.sqrt(table.shape[1])
    result = (chance.standard_normal((len(new), table.shape[1])) * spread).astype(np.float32)
    for token, index in new.items():
        if token in old:
            result[index] = table[old[token]]
    return result


def _same(data: Data, items: np.ndarray) -> torch.Tensor:
    """Which pairs of the batch are no fair negatives: equal names or equal first sentences."""
    names, docs = data.names[items], data.docs[items]
    same = ((names[:, None] == names) & (names != 0)) | ((docs[:, None] == docs) & (docs != 0))
    np.fill_diagonal(same, False)
    return torch.from_numpy(same)


def _loss(table: torch.Tensor, query: Bags, passage: Bags, same: torch.Tensor, scale: float) -> torch.Tensor:
    logits = (query.vectors(table) @ passage.vectors(table).T * scale).masked_fill(same, -1e4)
    target = torch.arange(len(logits))
    entropy = torch.nn.functional.cross_entropy
    return (entropy(logits, target) + entropy(logits.T, target)) / 2


def quantise(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """int8 rows and the scale of each."""
    scales = np.maximum(np.abs(table).max(axis=1), 1e-8) / 127
    return np.round(table / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def joined(tables: list[np.ndarray], dimension: int, counts: np.ndarray) -> np.ndarray:
    """Several runs over one vocabulary as one table: side by side, then the directions that hold most of it, frequent tokens counting more."""
    wide = np.concatenate([table / np.linalg.norm(table) for table in tables], axis=1)
    weighted = wide * np.sqrt(np.log1p(counts))[:, None]
    _, directions = np.linalg.eigh(weighted.T @ weighted)
    return (wide @ directions[:, ::-1][:, :dimension]).astype(np.float32)
