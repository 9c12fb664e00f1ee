"""The texts that stand for a chunk when it is embedded, and how their vectors become one. Pure.

For the bundled model a chunk's place, its head and its text are embedded apart and their vectors added, each of length 1 before its
share: in one long text the few words that name a thing would drown among those of its body. Shares from the development questions; see
model/CARD.md. A model that reads sentences needs no head. The place is apart for every model, so that a file that moves keeps the
vectors of its contents: those depend on nothing but what `Chunk.content_hash` covers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from coderag.types import Chunk

if TYPE_CHECKING:
    from coderag.embed.protocol import Embedder, Matrix

TEMPLATE = "place + 1.5 head + text: 2"  # part of the identity of stored vectors; change it with the functions below
PLACE_SHARE = 1.0
HEAD_SHARE = 1.5
TITLE_SHARE = 1.0
"""Of the first line of a report. By vectors alone the first three of the development fixes hold a target in 0.332 of them, 0.307 without
(0.332 with 0.5, 0.311 with 2), their file in 0.718, 0.697 without. The first line of a trace is none: counted, it took traces by
vectors alone from 0.325 to 0.150."""
MAX_CHARACTERS = 4_000
MAX_DOC_CHARACTERS = 400
MAX_QUESTION_CHARACTERS = 20_000
"""A question beyond this is a paste; its beginning says what it is about."""


@dataclass(frozen=True, slots=True)
class Template:
    """What is added to the vector of a chunk's text, and to that of a whole question, both of length 1.

    The name is part of the identity of stored vectors; the share of the title is not, for no question is stored.
    """

    name: str
    head_share: float
    place_share: float
    title_share: float


WORDS: Final = Template(TEMPLATE, HEAD_SHARE, PLACE_SHARE, TITLE_SHARE)
SENTENCES: Final = Template("0.3 place + text: 1", 0.0, 0.3, 0.0)
TEMPLATES: Final[Mapping[str, Template]] = {each.name: each for each in (WORDS, SENTENCES)}


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


def encode_contents(embedder: Embedder, chunks: Sequence[Chunk]) -> Matrix:
    """One vector for each chunk, of its head and its text, not scaled: the place is still to be added."""
    share = TEMPLATES[embedder.identity.template].head_share
    result = embedder.encode([encodable(body_text(chunk)) for chunk in chunks])
    if share:
        result = result + share * embedder.encode([encodable(head_text(chunk)) for chunk in chunks])
    return result


def encode_places(embedder: Embedder, paths: Sequence[str]) -> Matrix:
    """One vector of length 1 for each path."""
    return embedder.encode([encodable(path_words(path)) for path in paths])


def encode_question(embedder: Embedder, text: str, *, has_title: bool = True) -> Matrix:
    """The vector of a question, as the only row. The first line of several counts once more where it says what the rest is about."""
    whole = encodable(text[:MAX_QUESTION_CHARACTERS]).strip()
    share = TEMPLATES[embedder.identity.template].title_share
    title, _, rest = whole.partition("\n")
    if not (share and rest and has_title):
        return embedder.encode([whole], "query")
    import numpy as np

    of_whole, of_title = embedder.encode([whole, title], "query")
    result: Matrix = (of_whole + np.float32(share) * of_title)[None]
    result /= max(np.float32(np.linalg.norm(result)), np.float32(1e-9))
    return result


def encode_chunks(embedder: Embedder, chunks: Sequence[Chunk]) -> Matrix:
    """One vector of length 1 for each chunk. The place is embedded once for each file."""
    import numpy as np

    paths = sorted({chunk.path for chunk in chunks})
    rows = {path: row for row, path in enumerate(paths)}
    places = encode_places(embedder, paths)[[rows[chunk.path] for chunk in chunks]]
    result = encode_contents(embedder, chunks) + TEMPLATES[embedder.identity.template].place_share * places
    result /= np.maximum(np.linalg.norm(result, axis=1, keepdims=True), np.float32(1e-9))
    return result


def encodable(text: str) -> str:
    """The text with "?" for what is no Unicode, as half a pair of surrogates or a byte of a path that is not UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")
