"""A LlamaIndex retriever (extra `llama-index`).

`CoderagRetriever.from_root(".").retrieve("how is an order refunded")` gives nodes with scores; a query engine takes it as any retriever.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Self

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeRelationship, NodeWithScore, QueryBundle, RelatedNodeInfo, TextNode

from coderag.adapters.asking import Asker, Wanted, metadata_of, text_of
from coderag.index import Index
from coderag.types import Ranked

SHOWN = ("source", "start_line", "end_line", "symbol", "kind", "why")
"""The metadata that a model reads beside the text; the rest is for programs."""


class CoderagRetriever(BaseRetriever):
    """Nodes from an index: whole symbols, best first, with scores in [0, 1].

    `wanted` says how many, the filters and the focus. With `update`, small changes of the work tree are taken up before each answer. Threads
    may share it. The index stays its owner's to close.
    """

    def __init__(self, index: Index, wanted: Wanted | None = None, *, update: bool = True, **base: Any) -> None:
        self.wanted = wanted or Wanted()
        self._asker = Asker(index, update)
        super().__init__(**base)

    @classmethod
    def from_root(cls, root: Path | str, wanted: Wanted | None = None, **options: Any) -> Self:
        """A retriever for the code below a root, whose index is built or brought up to date first.

        Raises:
            RootError, StorageError, IndexLockedError: it cannot be indexed.
        """
        return cls(Index.build(root), wanted, **options)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits = self._asker.ask(query_bundle.query_str, self.wanted)
        return [NodeWithScore(node=_node(hit), score=hit.score) for hit in hits]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)


def _node(hit: Ranked) -> TextNode:
    known = metadata_of(hit)
    return TextNode(
        id_=hit.chunk.id,
        text=text_of(hit, header=False),
        metadata=known,
        excluded_llm_metadata_keys=[name for name in known if name not in SHOWN],
        excluded_embed_metadata_keys=[name for name in known if name not in ("source", "symbol")],
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=hit.chunk.path)},
    )
