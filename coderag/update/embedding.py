"""Whose vectors a generation has, and what has to become of them. Loads no model and makes no vector."""

from __future__ import annotations

from dataclasses import dataclass

from coderag.embed.choose import Chosen, differences
from coderag.embed.protocol import Embedder, Identity
from coderag.records import from_json, to_json
from coderag.store import Reader

BLOCK, UNEMBEDDED = "embedding", "unembedded"


@dataclass(frozen=True, slots=True)
class Embedding:
    """What an update does about vectors: those stored are of `stored`, files with a number in `unembedded` have none.

    Without an embedder vectors go away, unless one is wanted and cannot be had (`keep`): then those of unchanged files stay.
    """

    embedder: Embedder | None
    stored: Identity | None
    unembedded: frozenset[int]
    keep: bool

    @classmethod
    def of(cls, reader: Reader, chosen: Chosen) -> Embedding:
        """What a generation has, against what the settings choose."""
        unembedded = frozenset(from_json(reader.block(UNEMBEDDED) or b"[]"))
        return cls(chosen.embedder, stored_embedding(reader.block(BLOCK)), unembedded, bool(chosen.obstacle))

    @property
    def wanted(self) -> Identity | None:
        """The identity of the vectors of the next generation."""
        if self.embedder is None:
            return self.stored if self.keep else None
        return self.embedder.identity

    @property
    def model(self) -> Identity | None:
        """Whose vectors the next generation can take over; its dimension is known."""
        return self.wanted if self.is_new else self.stored

    @property
    def is_new(self) -> bool:
        """Whether all stored vectors are of no use."""
        return self.stored is None or self.wanted is None or bool(differences(self.stored, self.wanted))

    @property
    def is_pending(self) -> bool:
        """Whether vectors have to be made or taken away although no file has changed."""
        if self.embedder is None:
            return self.stored is not None and not self.keep
        return self.is_new or bool(self.unembedded)

    @property
    def note(self) -> str:
        """In words, why all vectors are made anew."""
        if self.embedder is None or self.stored is None or not self.is_new:
            return ""
        return f"all chunks were embedded anew: {differences(self.stored, self.embedder.identity)}"


def identity_to_bytes(identity: Identity) -> bytes:
    """JSON by position."""
    return to_json([identity.name, identity.revision, identity.dimension, identity.template])


def stored_embedding(data: bytes | None) -> Identity | None:
    """Whose vectors a generation has, by its block "embedding"; None where it has none."""
    return Identity(*from_json(data)) if data is not None else None
