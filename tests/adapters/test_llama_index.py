"""The LlamaIndex retriever, with the real package."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("llama_index.core", reason="the extra `llama-index` is not installed")

from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle

from coderag import Index
from coderag.adapters.asking import Wanted
from coderag.adapters.llama_index import CoderagRetriever
from tests.adapters.conftest import FILES, TASK, write


def test_nodes_have_text_score_and_what_a_model_may_read(index: Index) -> None:
    found = CoderagRetriever(index, Wanted(k=2)).retrieve(TASK)
    assert len(found) == 2 and all(isinstance(each, NodeWithScore) for each in found)
    best = found[0]
    assert best.node_id == "pay/refund.py#approve_refund" and best.score == best.metadata["score"]
    assert best.text.startswith("def approve_refund(order)")
    read = best.node.get_content(MetadataMode.LLM)
    assert "source: pay/refund.py" in read and "symbol: approve_refund" in read and "rank" not in read
    assert best.node.source_node and best.node.source_node.node_id == "pay/refund.py"


def test_filters_and_focus(index: Index) -> None:
    found = CoderagRetriever(index, Wanted(languages=["go"])).retrieve("pay")
    assert {each.metadata["language"] for each in found} == {"go"}
    focused = CoderagRetriever(index, Wanted(focus="pay/desk.py:5")).retrieve(QueryBundle(""))
    assert "pay/desk.py" in {each.metadata["source"] for each in focused}


def test_it_answers_later_too(index: Index) -> None:
    retriever = CoderagRetriever(index, Wanted(k=1))
    assert [each.metadata["symbol"] for each in asyncio.run(retriever.aretrieve(TASK))] == ["approve_refund"]


def test_a_change_is_taken_up_before_the_answer(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    with Index.build(tmp_path) as index:
        retriever = CoderagRetriever(index, Wanted(k=1))
        write(tmp_path, {"pay/new.py": "def brand_new_discount():\n    return 3\n"})
        assert retriever.retrieve("brand_new_discount")[0].node_id == "pay/new.py#brand_new_discount"
