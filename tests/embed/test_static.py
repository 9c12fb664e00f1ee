"""The static embedder: shape, length, tokens, damage, and the same numbers in every process."""

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from coderag.embed.passage import TEMPLATE
from coderag.embed.static import _RUN, BUNDLED, FILES, StaticEmbedder
from coderag.errors import EmbeddingError

TEXTS = ["def readFile(path): return open(path).read()", "", "写入文件", "write the file", "x" * 500]


def test_one_row_of_length_one_for_each_text(tiny: Path) -> None:
    vectors = StaticEmbedder.load(tiny).encode(["read", "write the file"])
    assert vectors.shape == (2, 2) and vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1])


def test_no_texts_give_no_rows(tiny: Path) -> None:
    assert StaticEmbedder.load(tiny).encode([]).shape == (0, 2)


@pytest.mark.parametrize("text", ["", "  \n", "+-*/", "zebra"])
def test_a_text_without_known_tokens_is_all_zeros(tiny: Path, text: str) -> None:
    vectors = StaticEmbedder.load(tiny).encode([text, "read"])
    assert not vectors[0].any() and vectors[1] == pytest.approx([1, 0])


def test_identifiers_are_split_at_their_humps(tiny: Path) -> None:
    embedder = StaticEmbedder.load(tiny)
    assert embedder.encode(["readFile"]) == pytest.approx(embedder.encode(["read_file"]))


def test_a_token_counts_with_the_square_root_of_its_number(tiny: Path) -> None:
    vector = StaticEmbedder.load(tiny).encode(["read " * 9 + "write"])[0]
    assert vector[0] / vector[1] == pytest.approx(3)


def test_the_learned_length_of_a_row_is_its_weight(tiny: Path) -> None:
    vector = StaticEmbedder.load(tiny).encode(["read the"])[0]
    assert vector[0] > 500 * vector[1] > 0


def test_a_text_has_the_same_vector_whatever_stands_beside_it() -> None:
    embedder = StaticEmbedder.load()
    together = embedder.encode(TEXTS * 300)
    assert all(np.array_equal(embedder.encode([text])[0], together[row]) for row, text in enumerate(TEXTS))


@pytest.mark.parametrize(
    "text",
    [
        "readFile HTTPServer2Go x_y",
        "größe_prüfen ×² 数据库 e\u0301te",
        "a" * 70 + "B" * 70,
        "snake_case-kebab.dot/slash\n\t",
    ],
)
def test_tokens_are_those_of_the_tokenizer_whatever_is_remembered(text: str) -> None:
    embedder = StaticEmbedder.load()
    tokenizer = Tokenizer.from_file(str(BUNDLED / "tokenizer.json"))
    for _ in range(2):
        assert [each for run in _RUN.findall(text) for each in embedder._runs[run]] == tokenizer.encode(text).ids


def test_identity_says_which_vectors_these_are(tiny: Path) -> None:
    identity = StaticEmbedder.load(tiny).identity
    assert (identity.name, identity.dimension, identity.template) == ("tiny", 2, TEMPLATE)


def test_another_file_is_another_revision(tiny: Path) -> None:
    before = StaticEmbedder.load(tiny).identity.revision
    (tiny / "model.json").write_text('{"name": "tiny", "note": "changed"}')
    assert StaticEmbedder.load(tiny).identity.revision != before


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(tiny: Path, name: str) -> None:
    (tiny / name).unlink()
    with pytest.raises(EmbeddingError, match=name):
        StaticEmbedder.load(tiny)


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_refused(tiny: Path, name: str) -> None:
    (tiny / name).write_bytes(b"PK\x03\x04 damaged")
    with pytest.raises(EmbeddingError):
        StaticEmbedder.load(tiny)


def test_vectors_of_another_vocabulary_are_refused(tiny: Path) -> None:
    np.savez(tiny / "vectors.npz", rows=np.zeros((3, 2), dtype=np.int8), scales=np.ones(3, dtype=np.float32))
    with pytest.raises(EmbeddingError, match="do not fit"):
        StaticEmbedder.load(tiny)


def test_the_bundled_model_is_small_and_complete() -> None:
    assert sum(file.stat().st_size for file in BUNDLED.iterdir()) <= 12_000_000
    assert {file.name for file in BUNDLED.iterdir()} >= {*FILES, "CARD.md", "packages.tsv"}


def test_the_bundled_model_brings_like_to_like() -> None:
    embedder = StaticEmbedder.load()
    passages = embedder.encode(
        [
            "def open_connection(host, port):\n    return socket.create_connection((host, port), timeout=5)",
            "func ParseDate(text string) (time.Time, error) { return time.Parse(layout, text) }",
            "fn sort_descending(values: &mut Vec<u32>) { values.sort_by(|a, b| b.cmp(a)); }",
        ]
    )
    queries = embedder.encode(
        ["connect to a server", "read a timestamp from a string", "order numbers from large to small"], "query"
    )
    assert (queries @ passages.T).argmax(axis=1).tolist() == [0, 1, 2]


def test_the_numbers_are_the_same_in_another_process_with_another_hash_seed() -> None:
    program = (
        "import hashlib, sys; from coderag.embed.static import StaticEmbedder; "
        f"print(hashlib.sha256(StaticEmbedder.load().encode({TEXTS!r}).tobytes()).hexdigest())"
    )
    here = hashlib.sha256(StaticEmbedder.load().encode(TEXTS).tobytes()).hexdigest()
    environment = {"PYTHONHASHSEED": "77", "TOKENIZERS_PARALLELISM": "false", "OMP_NUM_THREADS": "1"}
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert ran.stdout.strip() == here
