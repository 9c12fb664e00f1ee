"""The LangChain retriever, with the real package."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("langchain_core", reason="the extra `langchain` is not installed")

from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda

from coderag import Index, QueryError
from coderag.adapters.langchain import CoderagRetriever
from tests.adapters.conftest import FILES, TASK, write


def test_documents_have_content_id_and_metadata(index: Index) -> None:
    found = CoderagRetriever(index=index, k=2).invoke(TASK)
    assert len(found) == 2 and all(isinstance(each, Document) for each in found)
    best = found[0]
    assert best.id == "pay/refund.py#approve_refund"
    assert best.page_content.startswith("pay/refund.py:4-6 approve_refund (function)\nwhy: ")
    assert best.page_content.endswith("    return order.total")
    assert best.metadata["source"] == "pay/refund.py" and best.metadata["start_line"] == 4
    assert best.metadata["symbol"] == "approve_refund" and 0 < best.metadata["score"] <= 1
    assert "pay/desk.py#serve" in best.metadata["callers"]
    assert all(isinstance(value, str | int | float) for value in best.metadata.values())


def test_filters_focus_and_header_are_fields(index: Index) -> None:
    retriever = CoderagRetriever(index=index, languages=["go"], header=False)
    assert retriever.invoke("pay")[0].page_content == "func Pay() int { return 1 }"
    focused = retriever.model_copy(update={"languages": (), "focus": "pay/desk.py:5"})
    assert "pay/desk.py" in {each.metadata["source"] for each in focused.invoke("")}
    with pytest.raises(QueryError):
        CoderagRetriever(index=index, kinds=["poem"]).invoke(TASK)


def test_it_stands_in_a_chain_and_answers_many_and_later(index: Index) -> None:
    retriever = CoderagRetriever(index=index, k=1)
    chain = retriever | RunnableLambda(lambda documents: [each.metadata["symbol"] for each in documents])
    assert chain.invoke(TASK) == ["approve_refund"]
    assert chain.batch([TASK] * 6) == [["approve_refund"]] * 6
    assert asyncio.run(chain.ainvoke(TASK)) == ["approve_refund"]


def test_a_change_is_taken_up_before_the_answer(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    retriever = CoderagRetriever.from_root(tmp_path, k=1)
    write(tmp_path, {"pay/new.py": "def brand_new_discount():\n    return 3\n"})
    assert retriever.invoke("brand_new_discount")[0].id == "pay/new.py#brand_new_discount"
    retriever.index.close()
