"""A model small enough to check by hand: six tokens of two components."""

import json
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

TOKENS = {"[UNK]": 0, "read": 1, "write": 2, "file": 3, "##s": 4, "the": 5}
ROWS = np.array([[0, 0], [127, 0], [0, 127], [127, 127], [0, 0], [0, 64]], dtype=np.int8)
SCALES = np.array([1, 1, 1, 1, 1, 1 / 640], dtype=np.float32) / 127


def write_model(folder: Path, rows: np.ndarray = ROWS) -> Path:
    tokenizer = Tokenizer(models.WordPiece(TOKENS, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Replace(Regex("(?<=[a-z0-9])(?=[A-Z])"), " "), normalizers.Lowercase()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"[0-9]+|\p{L}+"), behavior="removed", invert=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    np.savez(folder / "vectors.npz", rows=rows, scales=SCALES)
    (folder / "model.json").write_text(json.dumps({"name": "tiny"}))
    return folder


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write_model(tmp_path)
