"""A tiny static model of random vectors, so that semble needs no network: `python semble_model.py DIRECTORY` with semble's Python.

Random vectors find nothing, but take as long as learned ones; the tokenizer has single letters and pairs of letters, so a word takes a few
tokens, about as many as with a learned vocabulary of this size.
"""

from __future__ import annotations

import string
import sys
from itertools import product

import numpy as np
from model2vec import StaticModel  # type: ignore[import-not-found, unused-ignore]
from tokenizers import Tokenizer  # type: ignore[import-not-found, unused-ignore]
from tokenizers.models import WordPiece  # type: ignore[import-not-found, unused-ignore]
from tokenizers.normalizers import Lowercase  # type: ignore[import-not-found, unused-ignore]
from tokenizers.pre_tokenizers import Whitespace  # type: ignore[import-not-found, unused-ignore]

DIMENSION = 256


def vocabulary() -> list[str]:
    letters = string.ascii_lowercase
    starts = [*string.ascii_lowercase, *string.digits, *string.punctuation]
    starts += ["".join(pair) for pair in product(letters, repeat=2)]
    starts += ["".join(three) for three in product(letters, "aeiou", letters)]
    return ["[UNK]", "[PAD]", *starts, *(f"##{start}" for start in starts)]


def main(directory: str) -> None:
    words = vocabulary()
    tokenizer = Tokenizer(WordPiece({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    vectors = np.random.default_rng(0).standard_normal((len(words), DIMENSION)).astype(np.float32)
    StaticModel(vectors=vectors, tokenizer=tokenizer).save_pretrained(directory)


if __name__ == "__main__":
    main(sys.argv[1])
