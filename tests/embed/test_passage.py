"""The texts that stand for a chunk, and their sum."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from coderag.embed.passage import MAX_CHARACTERS, body_text, encode_chunks, head_text, path_words
from coderag.embed.static import StaticEmbedder
from coderag.types import Chunk, Kind, Span


def chunk(path: str, symbol: str, text: str, part: int = 1) -> Chunk:
    span = Span(0, 1, 1, 1)
    return Chunk(
        f"{path}#{symbol}", path, "python", Kind.METHOD, symbol, span, text, "def total(self)", "The sum.", part=part
    )


def test_the_text_of_a_chunk_begins_with_its_name() -> None:
    assert body_text(chunk("cart.py", "Cart.total", "return 1")).splitlines() == ["Cart.total", "total", "return 1"]


def test_a_later_part_has_its_signature_before_it() -> None:
    lines = body_text(chunk("cart.py", "Cart.total", "return 1", part=2)).splitlines()
    assert lines == ["Cart.total", "total", "def total(self)", "The sum.", "return 1"]


def test_the_head_is_name_signature_and_documentation() -> None:
    assert head_text(chunk("cart.py", "Cart.total", "")).splitlines() == ["total", "def total(self)", "The sum."]


def test_deep_paths_keep_their_last_two_folders() -> None:
    assert path_words("a/b/c/d/store.test.ts") == "c d store.test"
    assert path_words("Makefile") == "Makefile"


def test_a_long_text_is_cut() -> None:
    assert len(body_text(chunk("a.py", "f", "x" * 50_000))) < MAX_CHARACTERS + 100


def test_place_head_and_text_are_added(tiny: Path) -> None:
    chunks: Sequence[Chunk] = [chunk("read.py", "write", "write write"), chunk("file.py", "write", "read")]
    vectors = encode_chunks(StaticEmbedder.load(tiny), list(chunks))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1])
    assert vectors[0] == pytest.approx(np.array([1, 2.5]) / np.sqrt(7.25), abs=1e-4)


def test_no_chunks_give_no_vectors(tiny: Path) -> None:
    assert encode_chunks(StaticEmbedder.load(tiny), []).shape == (0, 2)
