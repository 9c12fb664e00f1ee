"""The text that stands for a chunk when it is embedded. Pure."""

from __future__ import annotations

from pathlib import PurePosixPath

from coderag.types import Chunk

TEMPLATE = "path, name twice, text: 1"  # part of the identity of stored vectors; change it with `passage_text`
MAX_CHARACTERS = 6_000


def passage_text(chunk: Chunk) -> str:
    """Where a chunk stands, what it is called (twice, for a name says more than a word of the body), and its text with comments."""
    name = chunk.symbol.rpartition(".")[2]
    return "\n".join((path_words(chunk.path), chunk.symbol, name, chunk.text[:MAX_CHARACTERS]))


def path_words(path: str) -> str:
    """The last two folders and the file name without its extension."""
    parts = PurePosixPath(path).parts
    return " ".join((*parts[-3:-1], PurePosixPath(path).stem))
