"""The texts that stand for a chunk, and their sum."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from coderag.embed.passage import (
    MAX_CHARACTERS,
    WORDS,
    body_text,
    encode_chunks,
    encode_question,
    head_text,
    path_words,
)
from coderag.embed.static import StaticEmbedder
from coderag.types import Chunk, Kind, Span
from tests.embed.fake import WordEmbedder


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


def test_the_first_line_of_a_report_counts_once_more() -> None:
    embedder = WordEmbedder(template=WORDS.name)
    title, whole = embedder.encode(["carts lose items", "carts lose items\n\nSteps: open, wait"], "query")
    assert encode_question(embedder, "carts lose items\n\nSteps: open, wait")[0] == pytest.approx(
        (title + whole) / np.linalg.norm(title + whole), abs=1e-6
    )


@pytest.mark.parametrize("question", ["where are carts stored", "\n where are carts stored\n"])
def test_one_line_is_the_whole_question(question: str) -> None:
    embedder = WordEmbedder(template=WORDS.name)
    assert (encode_question(embedder, question) == embedder.encode(["where are carts stored"], "query")).all()


def test_a_model_of_sentences_reads_a_report_as_one_text() -> None:
    embedder = WordEmbedder()
    assert (encode_question(embedder, "a title\na body") == embedder.encode(["a title\na body"], "query")).all()


def test_where_the_first_line_is_no_title_the_text_is_one() -> None:
    embedder = WordEmbedder(template=WORDS.name)
    found = encode_question(embedder, "Traceback\na body", has_title=False)
    assert (found == embedder.encode(["Traceback\na body"], "query")).all()


def test_a_report_without_known_words_has_no_direction() -> None:
    assert not encode_question(WordEmbedder(template=WORDS.name), "!\n?").any()
