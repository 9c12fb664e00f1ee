"""coderag's bundled vectors as a model for semble: `python semble_same_vectors.py BUNDLED DIRECTORY` with semble's Python.

Both scale the sum of a text's token vectors to length 1; semble counts a repeated token in full, coderag by its square root.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from model2vec import StaticModel  # type: ignore[import-not-found, unused-ignore]
from tokenizers import Tokenizer  # type: ignore[import-not-found, unused-ignore]


def main(bundled: Path, directory: str) -> None:
    with np.load(bundled / "vectors.npz") as stored:
        vectors = stored["rows"] * stored["scales"][:, None].astype(np.float32)
    tokenizer = Tokenizer.from_file(str(bundled / "tokenizer.json"))
    StaticModel(vectors=vectors.astype(np.float32), tokenizer=tokenizer).save_pretrained(directory)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
