"""What is kept of contents that have left an index, so that a branch that comes back is neither parsed nor embedded again.

A cache beside the generation, bounded in bytes: the contents that left first go first. No answer and no update depends on what is on it
beyond the time that it saves; a damaged shelf is emptied, not repaired. This module knows the list of what is there, `shelving` the records.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

from coderag.embed.protocol import Identity as Model
from coderag.records import from_json, to_json
from coderag.update.identity import Identity, language_mark

BLOCK = "shelf"
FLOOR_BYTES = 16_000_000
BYTES_PER_CHUNK = 1_000
"""The shelf may hold this for each chunk of the index, a good quarter of what a chunk takes there, and the floor in any case."""


@dataclass(frozen=True, slots=True)
class Shelved:
    """One content that has left: the number of its record, what it is of, who made it, and how many bytes it takes.

    `maker` and `model` are marks by `maker` and `model_mark`; `model` is "" without vectors.
    """

    number: int
    path: str
    language: str
    content_hash: str
    maker: str
    model: str
    size: int

    @property
    def content(self) -> tuple[str, str]:
        """What it is of: a path and a hash."""
        return self.path, self.content_hash


_FIELDS = tuple(Shelved.__slots__)


def maker(identity: Identity, language: str) -> str:
    """A mark of what the analysis of a file of a language depends on beside its path and bytes."""
    return _mark(identity.analysis, language_mark(language))


def model_mark(model: Model | None) -> str:
    """A mark of whose vectors these are; "" for none."""
    return _mark(model.name, model.revision, str(model.dimension), model.template) if model else ""


@cache
def _mark(*parts: str) -> str:
    return blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()


def shelved(data: bytes | None) -> tuple[Shelved, ...]:
    """What is on the shelf of a generation by its block, what left last first; no block is an empty shelf."""
    return tuple(Shelved(*each) for each in from_json(data or b"[]"))


def listed(entries: Iterable[Shelved]) -> bytes:
    """The inverse of `shelved`."""
    return to_json([[getattr(each, name) for name in _FIELDS] for each in entries])


def room(chunks: int) -> int:
    """How many bytes the shelf of an index with so many chunks may take."""
    return max(FLOOR_BYTES, BYTES_PER_CHUNK * chunks)
