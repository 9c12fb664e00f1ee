"""Any model of sentence-transformers, by name or folder. Needs the extra `transformers`; imported when it is chosen, for torch takes seconds.

Weights are read from safetensors alone and no code that a model brings along is run. Nothing is fetched unless the user's settings
allow it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coderag.config import Settings
from coderag.embed.passage import SENTENCES
from coderag.embed.protocol import Identity, TextKind
from coderag.errors import EmbeddingError

if TYPE_CHECKING:
    from coderag.embed.protocol import Matrix

BATCH = 32  # where there is an accelerator
_SAMPLES, _SAMPLE_BYTES = 64, 16_384
_MODEL_FILE = "config.json"
_PROMPT_NAMES: Mapping[TextKind, tuple[str, ...]] = {
    "query": ("query",),
    "passage": ("passage", "document", "corpus"),
}


class TransformerEmbedder:
    """An `Embedder` around a sentence-transformers model. Made by `load`.

    `truncated` counts the texts so far that were longer than the `limit` (in tokens) of the model, `lost` their tokens beyond it.
    """

    def __init__(self, model: Any, identity: Identity, prompts: Mapping[TextKind, str]) -> None:
        self.identity = identity
        self.limit = int(model.max_seq_length or 0)
        self.truncated = 0
        self.lost = 0
        self._model = model
        self._prompts = prompts

    @classmethod
    def load(cls, source: Path | str, settings: Settings) -> TransformerEmbedder:
        """The model in a folder, or of a name (from the cache of this machine; fetched when `settings.embedding_download`).

        Raises:
            EmbeddingError: the extra or the model is missing. Raised before anything slow is imported.
        """
        if importlib.util.find_spec("sentence_transformers") is None:
            raise EmbeddingError(
                f"embedding = {str(source)!r} needs sentence-transformers; run `pip install 'coderag[transformers]'`"
            )
        folder = _folder(source, settings)
        model = _loaded(source, folder, settings)
        folder = folder or _folder(source, settings)
        prompts = {kind: _prompt(model, kind, settings) for kind in _PROMPT_NAMES}
        dimension = _dimension(model)
        name = "/".join(source.parts[-2:]) if isinstance(source, Path) else source
        return cls(model, Identity(name, _revision(folder, prompts), dimension, SENTENCES.name), prompts)

    @property
    def dimension(self) -> int:
        """Components of a vector."""
        return self.identity.dimension

    def encode(self, texts: Sequence[str], kind: TextKind = "passage") -> Matrix:
        """One row for each text, scaled to length 1.

        On a processor each text goes alone through one thread, for the sums of a batch depend on how its texts are padded and shared
        out, and vectors must not depend on their neighbours. It is no loss there: 96 texts took 3.2 s of CPU so, 4.0 s in batches
        and 6.1 s in batches on two threads. With an accelerator they go in batches, equal to about three decimals.
        """
        import numpy as np

        self._count_overflow(texts, kind)
        alone = self._model.device.type == "cpu"
        with _one_thread() if alone else nullcontext():
            rows: Matrix = self._model.encode(
                list(texts),
                prompt=self._prompts[kind] or None,
                batch_size=1 if alone else BATCH,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return np.asarray(rows, np.float32).reshape(len(texts), self.dimension)

    def _count_overflow(self, texts: Sequence[str], kind: TextKind) -> None:
        """Counts with the model's own tokens. A text whose bytes are fewer than the limit cannot have more tokens."""
        prompt = self._prompts[kind]
        for text in texts:
            if kind == "passage" and self.limit and len(prompt) + len(text.encode("utf-8", "replace")) > self.limit:
                length = len(self._model.tokenizer(prompt + text, truncation=False, verbose=False)["input_ids"])
                if length > self.limit:
                    self.truncated += 1
                    self.lost += length - self.limit


@contextmanager
def _one_thread() -> Iterator[None]:
    """Torch computes in this thread alone; afterwards it has as many as before."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _folder(source: Path | str, settings: Settings) -> Path | None:
    """Where the files of a model are; None when it has to be fetched and may be."""
    if isinstance(source, Path):
        if not any((source / name).is_file() for name in ("modules.json", _MODEL_FILE)):
            raise EmbeddingError(f"{source / _MODEL_FILE}: missing; provide a folder with the files of a model")
        return source
    from huggingface_hub import constants, try_to_load_from_cache

    name = source if "/" in source else f"sentence-transformers/{source}"
    if _is_name(name):
        found = try_to_load_from_cache(name, _MODEL_FILE)
        if isinstance(found, str):
            return Path(found).parent
        if settings.embedding_download:
            return None
    expected = os.path.join(constants.HF_HUB_CACHE, f"models--{name.replace('/', '--')}")
    raise EmbeddingError(
        f"{expected}: there is no model {source!r} on this machine; put it there, name the folder that holds its {_MODEL_FILE}, "
        "or set CODERAG_EMBEDDING_DOWNLOAD=true to fetch it once"
    )


def _is_name(name: str) -> bool:
    """Whether the hub could have a model of that name."""
    return name.count("/") <= 1 and not name.startswith((".", "/", "~", "-")) and name.isprintable()


def _loaded(source: Path | str, folder: Path | None, settings: Settings) -> Any:
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()
    try:
        model = SentenceTransformer(
            str(folder or source),
            local_files_only=folder is not None,
            trust_remote_code=False,
            model_kwargs={"use_safetensors": True},
        )
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        raise EmbeddingError(f"{folder or source}: the model cannot be loaded ({error})") from error
    model.eval()
    return model


def _dimension(model: Any) -> int:
    """Components of a vector; newer releases have it under the first name."""
    renamed = getattr(model, "get_embedding_dimension", None)
    return int(renamed() if renamed else model.get_sentence_embedding_dimension())


def _prompt(model: Any, kind: TextKind, settings: Settings) -> str:
    """What the settings put before a text, else what the model itself brings for this kind of text."""
    own: Mapping[str, str] = model.prompts or {}
    given = settings.embedding_query_prompt if kind == "query" else settings.embedding_passage_prompt
    return given or next((own[name] for name in _PROMPT_NAMES[kind] if own.get(name)), "")


def _revision(folder: Path | None, prompts: Mapping[TextKind, str]) -> str:
    """A digest of all files of a model and of the prompts. Large files by their size and samples, or it would take longer than loading."""
    digest = hashlib.blake2b(repr(sorted(prompts.items())).encode(), digest_size=8)
    for path in sorted(folder.rglob("*")) if folder else ():
        if path.suffix in (".json", ".safetensors", ".txt", ".model") and path.is_file():
            size = path.stat().st_size
            digest.update(f"{path.relative_to(folder or path).as_posix()} {size}\0".encode())
            with path.open("rb") as file:
                for sample in range(_SAMPLES):
                    file.seek(max(size - _SAMPLE_BYTES, 0) * sample // (_SAMPLES - 1))
                    digest.update(file.read(_SAMPLE_BYTES))
    return digest.hexdigest()
