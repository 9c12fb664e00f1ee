"""Which embedder the settings name, and what is said when it cannot be had."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from coderag.config import Settings, load_settings
from coderag.embed.choose import choose, chosen, differences, truncated
from coderag.embed.protocol import Identity
from coderag.embed.static import StaticEmbedder
from coderag.embed.transformer import BATCH, TransformerEmbedder
from coderag.errors import ConfigError, EmbeddingError

PLAIN = Settings()


def setting(**fields: str) -> Settings:
    return replace(PLAIN, **fields)


def test_the_default_is_the_bundled_model(tmp_path: Path) -> None:
    assert isinstance(choose(PLAIN, tmp_path), StaticEmbedder)


def test_none_is_none(tmp_path: Path) -> None:
    assert choose(setting(embedding="none"), tmp_path) is None
    assert chosen(setting(embedding="none"), tmp_path).obstacle == ""


def test_a_folder_with_a_static_model(tiny: Path) -> None:
    for folder in (str(tiny), tiny.name):
        embedder = choose(setting(embedding=folder), tiny.parent)
        assert embedder is not None
        assert embedder.identity.name == "tiny"


# Models of sentence-transformers, as far as one can get without it


def installed(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    """As if the extra were installed; whoever imports the package itself fails."""
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: object() if name == "sentence_transformers" else found(name, *rest),
    )
    hub = SimpleNamespace(
        constants=SimpleNamespace(HF_HUB_CACHE=str(cache)),
        try_to_load_from_cache=lambda name, file: None,
    )
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)  # type: ignore[arg-type]


def test_without_the_extra_the_error_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda *_: None)
    with pytest.raises(EmbeddingError, match=r"coderag\[transformers\]"):
        choose(setting(embedding="all-MiniLM-L6-v2"), tmp_path)


def test_a_name_that_is_not_on_this_machine_names_the_folder_to_provide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(monkeypatch, tmp_path / "hub")
    with pytest.raises(EmbeddingError) as caught:
        choose(setting(embedding="all-MiniLM-L6-v2"), tmp_path)
    assert str(tmp_path / "hub" / "models--sentence-transformers--all-MiniLM-L6-v2") in str(caught.value)
    assert "config.json" in str(caught.value)
    assert "CODERAG_EMBEDDING_DOWNLOAD" in str(caught.value)


def test_a_folder_without_a_model_names_the_file_to_provide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, tmp_path / "hub")
    (tmp_path / "mine").mkdir()
    with pytest.raises(EmbeddingError) as caught:
        choose(setting(embedding="mine"), tmp_path)
    assert str(tmp_path / "mine" / "config.json") in str(caught.value)


@pytest.mark.parametrize("name", ["/no/such/folder", "./models/x", "~nobody/x", "a/b/c", "../../etc", "x\ny", ""])
def test_what_is_neither_folder_nor_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    installed(monkeypatch, tmp_path / "hub")
    assert chosen(setting(embedding=name), tmp_path / "absent").obstacle


class Model:
    """What is asked of a model of sentence-transformers: eight tokens at most, one for each word."""

    max_seq_length = 8
    device = SimpleNamespace(type="cuda")
    prompts: dict[str, str] = {}  # noqa: RUF012

    def __init__(self) -> None:
        self.calls: list[tuple[list[str], str | None, int]] = []

    def encode(self, texts: list[str], prompt: str | None, batch_size: int, **options: bool) -> np.ndarray:
        assert options == {"normalize_embeddings": True, "convert_to_numpy": True, "show_progress_bar": False}
        self.calls.append((texts, prompt, batch_size))
        return np.ones((len(texts), 2), np.float32) / np.sqrt(np.float32(2))

    def tokenizer(self, text: str, **_: bool) -> dict[str, list[str]]:
        return {"input_ids": ["start", *text.split(), "end"]}


def transformer(model: Model) -> TransformerEmbedder:
    return TransformerEmbedder(model, Identity("model", "1", 2, ""), {"query": "query: ", "passage": ""})


def test_questions_and_passages_have_their_prompts() -> None:
    model = Model()
    embedder = transformer(model)
    assert embedder.encode(["what is it"], "query").shape == (1, 2)
    assert embedder.encode([]).shape == (0, 2)
    embedder.encode(["a", "b"])
    assert model.calls == [(["what is it"], "query: ", BATCH), ([], None, BATCH), (["a", "b"], None, BATCH)]


def test_what_is_too_long_for_the_model_is_counted() -> None:
    embedder = transformer(Model())
    embedder.encode(["one two three", "one two three four five six", "1 2 3 4 5 6 7 8 9 10"])
    assert (embedder.truncated, embedder.lost) == (1, 4)
    assert truncated(embedder) == (
        "1 texts were longer than model reads (8 tokens); 4 tokens at their ends are not in the vectors"
    )
    assert truncated(StaticEmbedder.load()) == ""


# Identity


def test_a_difference_names_both_models() -> None:
    one, other = Identity("one", "a", 384, "t"), Identity("other", "b", 384, "t")
    assert differences(one, one) == ""
    assert "one (revision a, 384 numbers)" in differences(one, other)
    assert "other (revision b, 384 numbers)" in differences(one, other)
    assert differences(one, replace(one, dimension=0)) == ""
    assert "another text (t) than is embedded now (u)" in differences(one, replace(one, template="u"))


# What a repository may decide


@pytest.mark.parametrize(
    "line",
    [
        'embedding = "https://elsewhere.example/v1"',
        'embedding = "HTTP://127.0.0.1:9"',
        'embedding_key_variable = "AWS_SECRET_ACCESS_KEY"',
        "embedding_download = true",
    ],
)
@pytest.mark.parametrize("name", ["coderag.toml", "pyproject.toml"])
def test_a_file_of_the_repository_cannot_open_the_network(tmp_path: Path, line: str, name: str) -> None:
    (tmp_path / name).write_text(f"[tool.coderag]\n{line}\n" if name == "pyproject.toml" else line + "\n")
    with pytest.raises(ConfigError, match="CODERAG_EMBEDDING"):
        load_settings(tmp_path, {})


def test_the_user_can(tmp_path: Path) -> None:
    environment = {"CODERAG_EMBEDDING": "https://host.example/v1", "CODERAG_EMBEDDING_DOWNLOAD": "true"}
    settings = load_settings(tmp_path, environment)
    assert (settings.embedding, settings.embedding_download) == ("https://host.example/v1", True)
    (tmp_path / "coderag.toml").write_text('embedding = "none"\n')
    assert load_settings(tmp_path, {}).embedding == "none"
