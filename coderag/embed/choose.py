"""Which embedder the settings ask for. Loads nothing that they do not name; the one place that tells the kinds apart."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from coderag.config import Settings, is_address
from coderag.embed.protocol import Embedder, Identity
from coderag.embed.static import StaticEmbedder
from coderag.errors import EmbeddingError

NONE = "none"
BUNDLED = "bundled"
_STATIC_FILE = "vectors.npz"


@dataclass(frozen=True, slots=True)
class Chosen:
    """An embedder, or why there is none: `obstacle` is "" when none is wanted."""

    embedder: Embedder | None
    obstacle: str = ""


Source = Callable[[], Chosen]
"""Gives the embedder when it is first needed, for loading one takes time."""


def choose(settings: Settings, root: Path) -> Embedder | None:
    """The embedder of these settings, None for "none". A folder is looked for from `root`.

    Raises:
        EmbeddingError: the model is missing or damaged; the message names the file to provide.
    """
    wanted = settings.embedding
    if wanted == NONE:
        return None
    # Forks of a process that has used the threads of `tokenizers` would complain on stderr; one text needs no threads.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    if wanted == BUNDLED:
        return StaticEmbedder.load()
    if is_address(wanted):
        from coderag.embed.endpoint import EndpointEmbedder

        return EndpointEmbedder.of(settings)
    folder = root / Path(wanted).expanduser()
    if (folder / _STATIC_FILE).is_file():
        return StaticEmbedder.load(folder)
    from coderag.embed.transformer import TransformerEmbedder

    return TransformerEmbedder.load(folder if folder.is_dir() else wanted, settings)


def chosen(settings: Settings, root: Path) -> Chosen:
    """As `choose`, with an error as a value."""
    try:
        return Chosen(choose(settings, root))
    except EmbeddingError as error:
        return Chosen(None, str(error))


def differences(stored: Identity, wanted: Identity) -> str:
    """In words, why vectors of one identity say nothing to those of the other; "" when they do.

    A dimension of 0 is not known before the first answer.
    """
    known = wanted if wanted.dimension else replace(wanted, dimension=stored.dimension)
    if stored == known:
        return ""
    if replace(stored, template="") == replace(known, template=""):
        return f"the vectors in the index stand for another text ({stored.template}) than is embedded now ({known.template})"
    return f"the vectors in the index are those of {described(stored)}, the settings name {described(known)}"


def described(identity: Identity) -> str:
    """A model in words."""
    size = f"{identity.dimension} numbers" if identity.dimension else "size unknown"
    return f"{identity.name} (revision {identity.revision}, {size})"


def truncated(embedder: Embedder) -> str:
    """In words, what the model could not read of the texts that it was given; "" where it read all."""
    from coderag.embed.transformer import TransformerEmbedder

    if not isinstance(embedder, TransformerEmbedder) or not embedder.truncated:
        return ""
    return (
        f"{embedder.truncated:,} texts were longer than {embedder.identity.name} reads ({embedder.limit:,} tokens); "
        f"{embedder.lost:,} tokens at their ends are not in the vectors"
    )


def is_pure(embedder: Embedder) -> bool:
    """Whether forks may encode in place of this process: no threads, no connection, no state."""
    return isinstance(embedder, StaticEmbedder)
