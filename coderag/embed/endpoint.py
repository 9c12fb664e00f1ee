"""Vectors from an OpenAI-compatible endpoint, `POST <address>/embeddings`. The only module that uses the network.

It is used when the user's own settings name an address (a file of the repository cannot). The texts of all chunks go there; the key
comes from the environment variable that the settings name and is sent nowhere else: redirects are refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from http.client import HTTPException, HTTPMessage
from typing import IO, TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from coderag.config import Settings
from coderag.embed.passage import SENTENCES
from coderag.embed.protocol import Identity, TextKind
from coderag.errors import EmbeddingError

if TYPE_CHECKING:
    from coderag.embed.protocol import Matrix

BATCH = 64
MAX_REPLY_BYTES = 64_000_000
MAX_CHARACTERS = 24_000  # about 8,000 tokens, what such models commonly read; many refuse longer texts
_SHOWN_OF_REPLY = 200


class _NoRedirects(HTTPRedirectHandler):
    """A redirect would take the key and the code to where the user has not sent them."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None


class EndpointEmbedder:
    """An `Embedder` whose dimension is 0 until the first answer. Made by `of`."""

    def __init__(self, address: str, model: str, key: str, seconds: float, prompts: Mapping[TextKind, str]) -> None:
        self._address = address.rstrip("/")
        self._model = model
        self._key = key
        self._seconds = seconds
        self._prompts = prompts
        self._dimension = 0
        self._opener = build_opener(_NoRedirects())

    @classmethod
    def of(cls, settings: Settings, environment: Mapping[str, str] | None = None) -> EndpointEmbedder:
        """The endpoint that the settings name. Does not ask it anything yet.

        Raises:
            EmbeddingError: there is no model, or the variable of the key is not set.
        """
        if not settings.embedding_model:
            raise EmbeddingError(f"{settings.embedding}: no model; set embedding_model to one that the endpoint has")
        variable = settings.embedding_key_variable
        key = (os.environ if environment is None else environment).get(variable, "") if variable else ""
        if variable and not key:
            raise EmbeddingError(f"{settings.embedding}: {variable} is not set; it should hold the key of the endpoint")
        prompts: dict[TextKind, str] = {
            "query": settings.embedding_query_prompt,
            "passage": settings.embedding_passage_prompt,
        }
        return cls(settings.embedding, settings.embedding_model, key, settings.embedding_seconds, prompts)

    @property
    def identity(self) -> Identity:
        """Model and host. Two hosts with a model of one name are taken to have the same, or there would be no fallback for one."""
        revision = "|".join(self._prompts[kind] for kind in ("query", "passage")) or "as served"
        return Identity(self._model, revision, self._dimension, SENTENCES.name)

    @property
    def dimension(self) -> int:
        """Components of a vector, 0 before the first answer."""
        return self._dimension

    def encode(self, texts: Sequence[str], kind: TextKind = "passage") -> Matrix:
        """One row for each text, scaled to length 1.

        Raises:
            EmbeddingError: the endpoint cannot be reached, refuses, takes too long or answers something else.
        """
        import numpy as np

        parts = [self._encode(texts[start : start + BATCH], kind) for start in range(0, len(texts), BATCH)]
        result = np.concatenate(parts) if parts else np.zeros((0, self._dimension), np.float32)
        lengths = np.linalg.norm(result, axis=1, keepdims=True)
        scaled: Matrix = np.divide(result, lengths, out=np.zeros_like(result), where=lengths > 0)
        return scaled

    def _encode(self, texts: Sequence[str], kind: TextKind) -> Matrix:
        inputs = [(self._prompts[kind] + text)[:MAX_CHARACTERS] or " " for text in texts]
        reply = self._post({"model": self._model, "input": inputs, "encoding_format": "float"})
        rows = self._rows(reply, len(texts))
        if self._dimension and rows.shape[1] != self._dimension:
            raise EmbeddingError(f"{self._address}: gave vectors of {rows.shape[1]} numbers after {self._dimension}")
        self._dimension = int(rows.shape[1])
        return rows

    def _rows(self, reply: Any, count: int) -> Matrix:
        import numpy as np

        try:
            entries = sorted(reply["data"], key=lambda entry: entry["index"])
            rows = np.asarray([entry["embedding"] for entry in entries], np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise EmbeddingError(
                f"{self._address}: the answer holds no vectors ({error!r}); is it an embeddings API?"
            ) from error
        if rows.ndim != 2 or len(rows) != count or not rows.shape[1] or not np.isfinite(rows).all():
            raise EmbeddingError(f"{self._address}: the answer is not one vector for each of {count} texts")
        return rows

    def _post(self, document: Mapping[str, Any]) -> Any:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = Request(f"{self._address}/embeddings", json.dumps(document).encode("ascii"), headers, method="POST")
        try:
            with self._opener.open(request, timeout=self._seconds) as answer:
                return json.loads(answer.read(MAX_REPLY_BYTES))
        except HTTPError as error:
            said = error.read(_SHOWN_OF_REPLY).decode("utf-8", "replace").strip()
            raise EmbeddingError(f"{self._address}: HTTP {error.code} {error.reason} {said}".rstrip()) from error
        except TimeoutError as error:
            raise EmbeddingError(f"{self._address}: no answer within {self._seconds:g} s") from error
        except (URLError, HTTPException, OSError, ValueError) as error:
            cause = getattr(error, "reason", None) or error
            host = urlsplit(self._address).netloc
            raise EmbeddingError(f"{self._address}: {host} could not be asked ({cause})") from error
