"""A query made by hand: what is understood, and what is refused with a word on what to give."""

from __future__ import annotations

import pytest

from coderag import Index
from coderag.config import Settings
from coderag.errors import CoderagError, QueryError
from coderag.types import Focus, Kind

CODE = "import os\n\n\ndef first():\n    return os.name\n\n\ndef last():\n    return first()\n"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    root = tmp_path_factory.mktemp("shop")
    (root / "a.py").write_text(CODE)
    (root / "b.py").write_text("def other():\n    return 1\n")
    return Index.build(root, settings=Settings(embedding="none"))


def test_a_focus_may_be_a_place_in_a_text(index: Index) -> None:
    as_text, as_value = index.search(focus="a.py:8"), index.search("", focus=Focus("a.py", 8))
    assert [hit.chunk.id for hit in as_text.hits] == [hit.chunk.id for hit in as_value.hits]
    assert as_text.query.focus == Focus("a.py", 8)


@pytest.mark.parametrize("focus", ["", 7, {"line": 3}])
def test_a_focus_that_cannot_be_read_is_refused(index: Index, focus: object) -> None:
    with pytest.raises(CoderagError, match="PATH:LINE"):
        index.search("first", focus=focus)


@pytest.mark.parametrize("k", [0, -1, 2.5, None, "3"])
def test_k_is_a_number_of_hits(index: Index, k: object) -> None:
    with pytest.raises(QueryError, match="a whole number from 1 on"):
        index.search("first", k=k)


def test_kinds_are_known_ones(index: Index) -> None:
    with pytest.raises(QueryError, match="unknown kind 'blah'; known are function"):
        index.search("first", kinds=["blah"])
    for kinds in (["function"], "function", (Kind.FUNCTION,)):
        found = index.search("first", kinds=kinds)
        assert found.query.kinds == (Kind.FUNCTION,)
        assert found.hits


@pytest.mark.parametrize("fields", [{"paths": 3}, {"languages": [None]}, {"trace": b"x"}, {"kinds": None}])
def test_other_fields_are_texts(index: Index, fields: dict[str, object]) -> None:
    with pytest.raises(QueryError, match="give a"):
        index.search("first", **fields)


def test_one_path_may_stand_alone(index: Index) -> None:
    assert {hit.chunk.path for hit in index.search("other", paths="b.py").hits} == {"b.py"}
