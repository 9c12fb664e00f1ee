"""An OpenAI-compatible endpoint, served on this machine: what is sent, what is taken, and every way it can fail."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import numpy as np
import pytest

from coderag.config import Settings
from coderag.embed import endpoint
from coderag.embed.choose import choose
from coderag.embed.endpoint import EndpointEmbedder
from coderag.errors import EmbeddingError

Answer = Callable[[dict[str, Any]], tuple[int, Any]]


def vectors(document: dict[str, Any]) -> tuple[int, Any]:
    """Two numbers for each text, in another order than asked for."""
    rows = [{"index": place, "embedding": [len(text), 1.0]} for place, text in enumerate(document["input"])]
    return 200, {"data": rows[::-1]}


@dataclass
class Server:
    address: str
    answer: Answer = vectors
    documents: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    hold: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def server() -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            document = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.documents.append(document)
            state.headers.append(dict(self.headers))
            status, reply = state.answer(document)
            body = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
            self.send_response(status)
            if status in (301, 307):
                self.send_header("Location", "http://127.0.0.1:9/stolen")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    listening = HTTPServer(("127.0.0.1", 0), Handler)
    state = Server(f"http://127.0.0.1:{listening.server_port}/v1/")
    thread = threading.Thread(target=listening.serve_forever, args=(0.01,))
    thread.start()
    yield state
    state.hold.set()
    listening.shutdown()
    thread.join()
    listening.server_close()


def embedder(server: Server, **fields: Any) -> EndpointEmbedder:
    settings = replace(Settings(embedding=server.address, embedding_model="small"), **fields)
    return EndpointEmbedder.of(settings, {"SECRET": "key-1"})


def test_each_text_gets_its_vector_of_length_1(server: Server) -> None:
    subject = embedder(server)
    rows = subject.encode(["abc", "", "abcd"])
    assert rows == pytest.approx(np.array([[3, 1], [1, 1], [4, 1]]) / np.sqrt([[10], [2], [17]]))
    assert server.documents == [{"model": "small", "input": ["abc", " ", "abcd"], "encoding_format": "float"}]
    assert subject.dimension == subject.identity.dimension == 2


def test_many_texts_are_asked_for_in_batches(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "BATCH", 2)
    assert embedder(server).encode(list("abcde")).shape == (5, 2)
    assert [document["input"] for document in server.documents] == [["a", "b"], ["c", "d"], ["e"]]
    assert embedder(server).encode([]).shape == (0, 0)


def test_prompts_and_their_part_in_the_identity(server: Server) -> None:
    subject = embedder(server, embedding_query_prompt="Q: ", embedding_passage_prompt="P: ")
    subject.encode(["x"], "query")
    subject.encode(["x"])
    assert [document["input"] for document in server.documents] == [["Q: x"], ["P: x"]]
    assert subject.identity.revision != embedder(server).identity.revision


def test_the_key_comes_from_the_variable_that_is_named(server: Server) -> None:
    embedder(server, embedding_key_variable="SECRET").encode(["x"])
    embedder(server).encode(["x"])
    assert [headers.get("Authorization") for headers in server.headers] == ["Bearer key-1", None]
    with pytest.raises(EmbeddingError, match="OTHER is not set"):
        embedder(server, embedding_key_variable="OTHER")


def test_a_model_must_be_named(server: Server) -> None:
    with pytest.raises(EmbeddingError, match="embedding_model"):
        embedder(server, embedding_model="")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ((401, {"error": "wrong key"}), "HTTP 401 .*wrong key"),
        ((500, b""), "HTTP 500"),
        ((307, b""), "HTTP 307"),
        ((200, b"<html>"), "could not be asked"),
        ((200, {"data": []}), "not one vector for each of 2"),
        ((200, {"object": "list"}), "holds no vectors"),
        ((200, {"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}]}), "no vectors"),
        ((200, {"data": [{"index": 0, "embedding": ["x"]}, {"index": 1, "embedding": ["y"]}]}), "holds no vectors"),
        ((200, b'{"data": [{"index": 0, "embedding": [NaN]}, {"index": 1, "embedding": [1]}]}'), "not one vector"),
        ((200, [1, 2]), "holds no vectors"),
    ],
)
def test_what_is_no_answer_is_said_with_the_address(server: Server, reply: tuple[int, Any], said: str) -> None:
    server.answer = lambda _: reply
    with pytest.raises(EmbeddingError, match=said) as caught:
        embedder(server).encode(["a", "b"])
    assert server.address.rstrip("/") in str(caught.value)
    assert len(server.documents) == 1


def test_a_slow_endpoint_is_given_up(server: Server) -> None:
    def slow(document: dict[str, Any]) -> tuple[int, Any]:
        server.hold.wait(20)
        return vectors(document)

    server.answer = slow
    with pytest.raises(EmbeddingError, match=r"no answer within 0\.05 s|timed out"):
        embedder(server, embedding_seconds=0.05).encode(["a"])
    server.hold.set()


def test_nobody_listens() -> None:
    settings = Settings(embedding="http://127.0.0.1:9/v1", embedding_model="small")
    with pytest.raises(EmbeddingError, match=r"127\.0\.0\.1:9 could not be asked"):
        EndpointEmbedder.of(settings, {}).encode(["a"])


def test_a_size_that_changes_is_refused(server: Server) -> None:
    subject = embedder(server)
    subject.encode(["a"])
    server.answer = lambda document: (200, {"data": [{"index": 0, "embedding": [1, 2, 3]}]})
    with pytest.raises(EmbeddingError, match="3 numbers after 2"):
        subject.encode(["a"])


def test_choosing_asks_nothing(server: Server, tmp_path: Any) -> None:
    settings = Settings(embedding=server.address, embedding_model="small")
    assert isinstance(choose(settings, tmp_path), EndpointEmbedder)
    assert server.documents == []
