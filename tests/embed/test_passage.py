"""The text that stands for a chunk."""

from coderag.embed.passage import MAX_CHARACTERS, passage_text, path_words
from coderag.types import Chunk, Kind, Span


def chunk(path: str, symbol: str, text: str) -> Chunk:
    return Chunk(f"{path}#{symbol}", path, "python", Kind.METHOD, symbol, Span(0, 1, 1, 1), text)


def test_a_chunk_is_its_place_its_name_and_its_text() -> None:
    lines = passage_text(chunk("src/shop/cart.py", "Cart.total", "def total(self): ...")).splitlines()
    assert lines == ["src shop cart", "Cart.total", "total", "def total(self): ..."]


def test_deep_paths_keep_their_last_two_folders() -> None:
    assert path_words("a/b/c/d/store.test.ts") == "c d store.test"
    assert path_words("Makefile") == "Makefile"


def test_a_long_text_is_cut() -> None:
    assert len(passage_text(chunk("a.py", "f", "x" * 50_000))) < MAX_CHARACTERS + 100
