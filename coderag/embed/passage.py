"""The texts that stand for a chunk when the bundled model embeds it, and how their vectors become one. Pure.

A chunk's place, its head and its text are embedded apart and their vectors added, each of length 1 before its share: in one long text
the few words that name a thing would drown among those of its body. Shares from the development questions; see model/CARD.md.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from coderag.types import Chunk

if TYPE_CHECKING:
    from coderag.embed.protocol import Embedder, Matrix

TEMPLATE = "place + 1.5 head + text: 2"  # part of the identity of stored vectors; change it with the functions below
PLACE_SHARE = 1.0
HEAD_SHARE = 1.5
MAX_CHARACTERS = 4_000
MAX_DOC_CHARACTERS = 400


def body_text(chunk: Chunk) -> str:
    """What a chunk is called (its last name twice) and its text with comments; a later part has its signature before it."""
    header = (chunk.signature, chunk.doc) if chunk.part > 1 else ()
    return "\n".join((chunk.symbol, last_name(chunk), *header, chunk.text[:MAX_CHARACTERS]))


def head_text(chunk: Chunk) -> str:
    """Name, signature and the beginning of the documentation."""
    return "\n".join((last_name(chunk), chunk.signature, chunk.doc[:MAX_DOC_CHARACTERS]))


def path_words(path: str) -> str:
    """The last two folders and the file name without its extension."""
    parts = PurePosixPath(path).parts
    return " ".join((*parts[-3:-1], PurePosixPath(path).stem))


def last_name(chunk: Chunk) -> str:
    """The name without what encloses it."""
    return chunk.symbol.rpartition(".")[2]


def encode_chunks(embedder: Embedder, chunks: list[Chunk]) -> Matrix:
    """One vector of length 1 for each chunk. The place is embedded once for each file."""
    import numpy as np

    paths = sorted({chunk.path for chunk in chunks})
    rows = {path: row for row, path in enumerate(paths)}
    places = embedder.encode([path_words(path) for path in paths])[[rows[chunk.path] for chunk in chunks]]
    heads = embedder.encode([head_text(chunk) for chunk in chunks])
    result: Matrix = embedder.encode([body_text(chunk) for chunk in chunks]) + HEAD_SHARE * heads + PLACE_SHARE * places
    result /= np.maximum(np.linalg.norm(result, axis=1, keepdims=True), np.float32(1e-9))
    return result
