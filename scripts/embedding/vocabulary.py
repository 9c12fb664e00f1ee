"""Items -> a tokenizer of stock `tokenizers` parts, and the items as token arrays.

Words are parts of identifiers (camelCase, snake_case, digits), lower-cased. The vocabulary is the words that most packages use,
and pieces for the rest.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from coderag.embed.passage import path_words

from .mine import key_of

SIZE = 30_000
PIECES = 4_000
FIELDS = ("path", "name", "signature", "body", "sentence", "doc")
LIMITS = {"path": 12, "name": 16, "signature": 48, "body": 320, "sentence": 40, "doc": 120}
_BORDER = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
_WORD = r"[0-9]+|\p{L}+"
_PYTHON_BORDER = re.compile(_BORDER)
_PYTHON_WORD = re.compile(r"[0-9]+|[^\W\d_]+")


def read_items(folder: Path) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Packages in order of name, with their items; repeated bodies are left out, over-frequent documentation is forgotten."""
    seen: set[str] = set()
    said: Counter[str] = Counter()
    for file in sorted(folder.glob("*.jsonl")):
        kept = []
        for line in file.open(encoding="utf-8"):
            item = json.loads(line)
            key = key_of(item["body"])
            if key in seen:
                continue
            seen.add(key)
            if item["doc"]:
                said[key_of(item["doc"])] += 1
                if said[key_of(item["doc"])] > 3:
                    item["doc"] = ""
            kept.append(item)
        if kept:
            yield file.stem, kept


def fields_of(item: dict[str, str]) -> dict[str, str]:
    """The texts that views are made of. The own name stands in `name` alone: it is cut out of signature and body."""
    own = item["name"].rpartition(".")[2]
    doc = item["doc"]
    sentence = re.split(r"(?<=[.!?])\s|\n\s*\n|\n\s*[@:\-*]", doc, maxsplit=1)[0]
    without = re.compile(rf"(?<!\w){re.escape(own)}(?!\w)") if own else None
    cut = (lambda text: without.sub(" ", text)) if without else (lambda text: text)
    return {
        "path": path_words(item["path"]),
        "name": item["name"],
        "signature": cut(item["signature"])[:500],
        "body": cut(item["body"])[:2_500],
        "sentence": sentence[:400],
        "doc": doc[len(sentence) :][:900],
    }


def words(text: str) -> list[str]:
    """What the tokenizer sees as words."""
    return [word.lower() for word in _PYTHON_WORD.findall(_PYTHON_BORDER.sub(" ", text))]


def build(texts: Iterable[tuple[str, str]], size: int = SIZE) -> Tokenizer:
    """A WordPiece tokenizer for (package, text) pairs: a word's standing is its count, damped within each package."""
    total: Counter[str] = Counter()
    packages: Counter[str] = Counter()
    current, counts = "", Counter[str]()
    for package, text in texts:
        if package != current:
            _add(total, packages, counts)
            current, counts = package, Counter()
        counts.update(words(text))
    _add(total, packages, counts)
    known = sorted(
        (word for word in total if packages[word] > 1 or total[word] >= 2), key=lambda word: (-total[word], word)
    )
    chosen = known[: size - PIECES]
    pieces = _pieces(known[size - PIECES :], random.Random(7))
    vocabulary = dict.fromkeys(["[UNK]", *chosen, *pieces])
    return assemble({word: index for index, word in enumerate(list(vocabulary)[:size])})


def _add(total: Counter[str], packages: Counter[str], counts: Counter[str]) -> None:
    for word, count in counts.items():
        if 1 < len(word) <= 24:
            total[word] += count**0.5
            packages[word] += 1


def _pieces(rest: list[str], chance: random.Random) -> list[str]:
    sample = chance.sample(rest, min(len(rest), 60_000))
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    alphabet = list("abcdefghijklmnopqrstuvwxyz0123456789")
    trainer = trainers.WordPieceTrainer(
        vocab_size=PIECES, special_tokens=["[UNK]"], initial_alphabet=alphabet, limit_alphabet=40, show_progress=False
    )
    tokenizer.train_from_iterator([" ".join(sorted(sample))], trainer)
    return sorted(tokenizer.get_vocab(), key=lambda piece: (len(piece), piece))


def assemble(vocabulary: dict[str, int]) -> Tokenizer:
    """The tokenizer of a vocabulary, in stock parts alone."""
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=40))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Replace(Regex(_BORDER), " "), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(_WORD), behavior="removed", invert=True)
    return tokenizer


def tokenise(
    tokenizer: Tokenizer, packages: list[list[dict[str, str]]], fields: list[list[dict[str, str]]]
) -> dict[str, np.ndarray]:
    """For each field the ids of all items one after another, with where each item begins; and what masks and groups need."""
    unknown = tokenizer.token_to_id("[UNK]")
    flat: dict[str, list[np.ndarray]] = {field: [] for field in FIELDS}
    lengths: dict[str, list[int]] = {field: [] for field in FIELDS}
    owners, names, docs, languages = [], [], [], []
    for number, (items, texts) in enumerate(zip(packages, fields, strict=True)):
        for field in FIELDS:
            for encoding in tokenizer.encode_batch_fast([text[field] for text in texts], add_special_tokens=False):
                ids = np.array(encoding.ids, dtype=np.int32)
                ids = ids[ids != unknown][: LIMITS[field]]
                flat[field].append(ids)
                lengths[field].append(len(ids))
        owners += [number] * len(items)
        names += [hash_of(item["name"].rpartition(".")[2]) for item in items]
        docs += [hash_of(text["sentence"]) for text in texts]
        languages += [item["language"] for item in items]
    arrays = {f"{field}_ids": np.concatenate(flat[field]) for field in FIELDS}
    arrays |= {f"{field}_starts": np.concatenate([[0], np.cumsum(lengths[field])]) for field in FIELDS}
    return arrays | {
        "packages": np.array(owners),
        "names": np.array(names),
        "docs": np.array(docs),
        "languages": np.array(languages),
    }


def hash_of(text: str) -> int:
    """A number that is the same for texts with the same words, 0 for none."""
    return int(key_of(text)[:15], 16) if text.strip() else 0
