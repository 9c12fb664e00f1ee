"""Vectors through updates: only new contents are embedded, nothing depends on how, and a model never meets another's vectors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from coderag import EmbeddingError, Index, Settings
from coderag.embed import choose
from coderag.embed.passage import WORDS, body_text, path_words
from coderag.embed.static import StaticEmbedder
from coderag.update import vectors
from tests.embed.fake import WordEmbedder

PLAIN = Settings(workers=1)
FILES = {
    "shop/cart.py": "def total(cart):\n    return sum(cart)\n\n\ndef clear(cart):\n    cart.clear()\n",
    "shop/pay.py": "def charge(amount):\n    return send(amount)\n",
    "notes.md": "# Refunds\n\nMoney goes back.\n",
}


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "root", FILES)
    return tmp_path / "root"


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> WordEmbedder:
    return use(WordEmbedder(), monkeypatch)


def use(embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch) -> WordEmbedder:
    monkeypatch.setattr(choose, "choose", lambda *_: embedder)
    return embedder


def exported(index: Index) -> list[str]:
    with index:
        return list(index.export())


def nearest(index: Index, question: str) -> str:
    hits = index.search(question).hits
    with_vector = [hit for hit in hits if any(reason.name == "vector" for reason in hit.reasons)]
    return max(with_vector, key=lambda hit: next(each.value for each in hit.reasons if each.name == "vector")).chunk.id


def test_a_build_embeds_every_chunk_and_every_place(root: Path, embedder: WordEmbedder) -> None:
    index = Index.at(root, settings=PLAIN)
    report = index.update()
    chunks = [index.snapshot().chunk(row) for path in FILES for row in index.snapshot().rows_of(path).tolist()]
    assert report.embedded == report.chunks == len(chunks)
    assert sorted(embedder.passages) == sorted([*map(body_text, chunks), *map(path_words, FILES)])


def test_a_question_finds_by_vector_and_says_the_cosine(root: Path, embedder: WordEmbedder) -> None:
    index = Index.build(root, settings=PLAIN)
    result = index.search("sum of the cart")
    reason = next(each for each in result.hits[0].reasons if each.name == "vector")
    assert reason.why.startswith("cosine 0.")
    assert nearest(index, "money goes back") == "notes.md#Refunds"
    assert result.notes == ()


def test_nothing_is_embedded_when_nothing_changed(root: Path, embedder: WordEmbedder) -> None:
    index = Index.build(root, settings=PLAIN)
    embedder.passages.clear()
    assert index.update().embedded == 0
    assert embedder.passages == []


def test_only_the_changed_chunk_of_a_file_is_embedded(root: Path, embedder: WordEmbedder) -> None:
    index = Index.build(root, settings=PLAIN)
    embedder.passages.clear()
    write(root, {"shop/cart.py": FILES["shop/cart.py"].replace("sum(cart)", "max(cart)")})
    assert index.update().embedded == 1
    assert len(embedder.passages) == 1
    assert "max(cart)" in embedder.passages[0]


def test_lines_above_a_chunk_do_not_embed_it_anew(root: Path, embedder: WordEmbedder) -> None:
    index = Index.build(root, settings=PLAIN)
    write(root, {"shop/pay.py": "\n\n\n" + FILES["shop/pay.py"]})
    assert index.update().embedded == 0


def test_a_moved_file_embeds_its_place_alone(root: Path, embedder: WordEmbedder) -> None:
    index = Index.build(root, settings=PLAIN)
    embedder.passages.clear()
    (root / "till").mkdir()
    (root / "shop/cart.py").rename(root / "till/basket.py")
    report = index.update()
    assert (report.moved, report.embedded) == (1, 0)
    assert embedder.passages == ["till basket"]
    assert nearest(index, "sum total cart") == "till/basket.py#total"


def test_a_function_that_moves_to_another_file_is_not_embedded_anew(root: Path, embedder: WordEmbedder) -> None:
    index = Index.build(root, settings=PLAIN)
    first, second = FILES["shop/cart.py"].split("\n\n\n")
    write(root, {"shop/cart.py": first + "\n", "shop/pay.py": FILES["shop/pay.py"] + "\n\n" + second})
    assert index.update().embedded == 0
    assert nearest(index, "clear cart") == "shop/pay.py#clear"


def test_what_is_deleted_is_gone(root: Path, embedder: WordEmbedder) -> None:
    index = Index.build(root, settings=PLAIN)
    (root / "notes.md").unlink()
    index.update()
    assert "notes.md" not in {hit.chunk.path for hit in index.search("Refunds: money goes back").hits}
    assert list(index.check_integrity()) == []


@pytest.mark.parametrize("path", [*FILES, "empty.py"])
def test_updates_equal_a_fresh_build(root: Path, embedder: WordEmbedder, tmp_path: Path, path: str) -> None:
    index = Index.build(root, settings=PLAIN)
    write(root, {path: "", "other/new.py": FILES["shop/cart.py"]})
    index.update()
    (root / "shop/pay.py").rename(root / "pay.py")
    index.update()
    fresh = Index.build(root, settings=replace(PLAIN, index_directory=str(tmp_path / "fresh")))
    assert exported(index) == exported(fresh)


def test_vectors_do_not_depend_on_workers_or_batches(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the bundled model, in this process and in forks, two chunks at a time and all at once."""
    results = set()
    for workers, batch, shared in ((1, 256, 2_000), (1, 1, 2_000), (3, 2, 1), (2, 256, 1)):
        monkeypatch.setattr(vectors, "TEXTS_AT_ONCE", batch)
        monkeypatch.setattr(vectors, "SHARED_TEXTS", shared)
        place = tmp_path / f"{workers}-{batch}-{shared}"
        settings = Settings(workers=workers, index_directory=str(place))
        results.add("\n".join(exported(Index.build(root, settings=settings))))
    assert len(results) == 1
    assert '"vector"' in results.pop()


def test_many_files_are_embedded_some_at_a_time(
    root: Path, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = exported(Index.build(root, settings=PLAIN))
    monkeypatch.setattr(vectors, "FILES_AT_ONCE", 1)
    assert exported(Index.build(root, settings=PLAIN, rebuild=True)) == whole


def test_the_bundled_model_embeds_alike_whatever_stands_beside(root: Path) -> None:
    texts = [*FILES.values(), "", "?!", "a" * 3_000, *(f"word{n} " * n for n in range(20))]
    model = StaticEmbedder.load()
    together = model.encode(texts)
    assert [model.encode([text])[0].tobytes() for text in texts] == [row.tobytes() for row in together]


# Another model


def test_another_model_is_refused_by_name_until_an_update_embeds_anew(
    root: Path, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the same dimension, so that nothing but the name can tell."""
    Index.build(root, settings=PLAIN).close()
    use(WordEmbedder("other"), monkeypatch)
    index = Index.open(root, settings=PLAIN)
    result = index.search("sum of the cart")
    (note,) = result.notes
    assert "words (revision 1" in note
    assert "other (revision 1" in note
    assert "coderag index" in note
    assert result.hits[0].chunk.id == "shop/cart.py#total"
    assert {reason.name for hit in result.hits for reason in hit.reasons}.isdisjoint({"vector"})
    report = index.update()
    assert report.embedded == report.chunks
    assert any("words (revision 1" in each and "other (revision 1" in each for each in report.notes)
    assert index.search("sum of the cart").notes == ()
    assert index.update().embedded == 0


@pytest.mark.parametrize(
    "other", [WordEmbedder(revision="2"), WordEmbedder(dimension=32)], ids=["revision", "dimension"]
)
@pytest.mark.parametrize("rebuild", [False, True])
def test_a_changed_model_embeds_all_anew(
    root: Path,
    tmp_path: Path,
    embedder: WordEmbedder,
    monkeypatch: pytest.MonkeyPatch,
    other: WordEmbedder,
    rebuild: bool,
) -> None:
    index = Index.build(root, settings=PLAIN)
    use(other, monkeypatch)
    index = Index.at(root, settings=PLAIN)
    assert "searched without vectors" in index.search("cart").notes[0]
    report = index.update(rebuild=rebuild)
    assert report.embedded == report.chunks
    fresh = Index.build(root, settings=replace(PLAIN, index_directory=str(tmp_path / "fresh")))
    assert exported(index) == exported(fresh)


def test_the_text_that_is_embedded_is_part_of_the_identity(
    root: Path, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    Index.build(root, settings=PLAIN).close()
    use(WordEmbedder(template=WORDS.name), monkeypatch)
    index = index_again(root)
    assert WORDS.name in index.search("cart").notes[0]
    report = index.update()
    assert report.embedded == report.chunks


def index_again(root: Path) -> Index:
    return Index.open(root, settings=PLAIN)


class Breaking(WordEmbedder):
    """Answers so many times, then no more."""

    def __init__(self, answers: int) -> None:
        super().__init__("breaking")
        self.answers = answers

    def encode(self, texts, kind="passage"):  # type: ignore[no-untyped-def]
        if self.answers <= 0:
            raise EmbeddingError("http://localhost:1: no answer within 1 s")
        self.answers -= 1
        return super().encode(texts, kind)


@pytest.mark.parametrize("rebuild", [False, True])
def test_the_old_generation_stays_until_the_new_one_is_whole(
    root: Path, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch, rebuild: bool
) -> None:
    index = Index.build(root, settings=PLAIN)
    before = exported(index)
    monkeypatch.setattr(vectors, "FILES_AT_ONCE", 1)
    use(Breaking(2), monkeypatch)  # type: ignore[arg-type]
    with pytest.raises(EmbeddingError, match="no answer"):
        Index.at(root, settings=PLAIN).update(rebuild=rebuild)
    use(embedder, monkeypatch)
    again = index_again(root)
    assert again.search("sum of the cart").notes == ()
    assert exported(again) == before


# No model


def missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(*_: object) -> None:
        raise EmbeddingError("/models/mine/config.json: missing; provide it")

    monkeypatch.setattr(choose, "choose", absent)


def test_without_the_model_words_and_symbols_still_find(
    root: Path, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    Index.build(root, settings=PLAIN).close()
    missing(monkeypatch)
    settings = replace(PLAIN, embedding="/models/mine")
    index = Index.open(root, settings=settings)
    result = index.search("total")
    assert result.hits[0].chunk.id == "shop/cart.py#total"
    assert result.notes == ("searched without vectors: /models/mine/config.json: missing; provide it",)
    with pytest.raises(EmbeddingError, match=r"/models/mine/config\.json"):
        index.update()


def test_a_model_that_somebody_named_is_missed_before_any_work(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing(monkeypatch)
    monkeypatch.setattr("coderag.walk.walk", lambda *_: pytest.fail("walked"))
    with pytest.raises(EmbeddingError):
        Index.build(root, settings=replace(PLAIN, embedding="/models/mine"))


def test_without_the_bundled_model_an_index_has_no_vectors_and_says_so(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        missing(patch)
        index = Index.at(root, settings=PLAIN)
        assert "made without vectors" in index.update().notes[0]
        assert index.search("total").hits
    use(WordEmbedder(), monkeypatch)
    report = index.update()
    assert report.embedded == report.chunks


def test_a_change_is_taken_up_without_the_model_and_embedded_later(
    root: Path, tmp_path: Path, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    Index.build(root, settings=PLAIN).close()
    write(root, {"shop/new.py": "def refund(cart):\n    return cart\n", "shop/pay.py": "def charge():\n    pass\n"})
    with monkeypatch.context() as patch:
        missing(patch)
        index = Index.open(root, settings=replace(PLAIN, embedding="/models/mine"))
        assert index.catch_up().report is not None
        assert index.search("refund").hits[0].chunk.id == "shop/new.py#refund"
        assert list(index.check_integrity()) == []
    index = index_again(root)
    assert nearest(index, "sum of the cart") == "shop/cart.py#total"
    assert index.search("cart").notes == ("2 files have no vectors yet; run `coderag index` to make them",)
    assert index.update().embedded == 2
    fresh = Index.build(root, settings=replace(PLAIN, index_directory=str(tmp_path / "fresh")))
    assert exported(index) == exported(fresh)


def test_an_endpoint_that_fails_does_not_keep_a_change_from_being_found(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = Breaking(2)
    use(embedder, monkeypatch)  # type: ignore[arg-type]
    index = Index.build(root, settings=PLAIN)
    assert embedder.answers == 0
    write(root, {"shop/new.py": "def refund(cart):\n    return cart\n"})
    assert index.catch_up().report is not None
    result = index.search("refund")
    assert result.hits[0].chunk.id == "shop/new.py#refund"
    assert result.notes[0] == "searched without vectors: http://localhost:1: no answer within 1 s"


def test_embedding_none_takes_the_vectors_away(
    root: Path, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    Index.build(root, settings=PLAIN).close()
    monkeypatch.setattr(choose, "choose", lambda *_: None)
    index = Index.build(root, settings=PLAIN)
    assert index.snapshot().embedding is None
    assert index.search("total").notes == ()
    assert list(index.check_integrity()) == []
    assert '"vector"' not in "\n".join(index.export())


def test_paths_that_are_not_unicode_are_embedded(tmp_path: Path) -> None:
    name = b"caf\xe9.py"
    (tmp_path / "root").mkdir()
    try:
        with open(bytes(tmp_path / "root") + b"/" + name, "w") as file:
            file.write("def brew():\n    return 1\n")
    except OSError:
        pytest.skip("the file system takes Unicode alone")
    index = Index.build(tmp_path / "root", settings=PLAIN)
    assert index.search("brew \udce9").hits
