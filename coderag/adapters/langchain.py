"""A LangChain retriever (extra `langchain`).

`CoderagRetriever.from_root(".").invoke("how is an order refunded")` gives documents; in a chain it stands where any retriever stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import PrivateAttr

from coderag.adapters.asking import Asker, Wanted, metadata_of, text_of
from coderag.index import Index


class CoderagRetriever(BaseRetriever):
    """Documents from an index: whole symbols, best first, `metadata["score"]` in [0, 1] and `metadata["why"]` beside it.

    A prompt mostly shows nothing but a document's content, so that begins with path, symbol, reason and users unless `header` is False.
    `focus` is `PATH:LINE`; `model_copy(update={"focus": …})` asks from another place. With `update`, small changes of the work tree are
    taken up before each answer. Threads may share it. The index stays its owner's to close.
    """

    index: Index
    k: int = 5
    paths: Sequence[str] = ()
    languages: Sequence[str] = ()
    kinds: Sequence[str] = ()
    focus: str = ""
    open_files: Sequence[str] = ()
    header: bool = True
    update: bool = True

    _asker: Asker = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """One lock for all that are copied from this one."""
        self._asker = Asker(self.index, self.update)

    @classmethod
    def from_root(cls, root: Path | str, **fields: Any) -> Self:
        """A retriever for the code below a root, whose index is built or brought up to date first.

        Raises:
            RootError, StorageError, IndexLockedError: it cannot be indexed.
        """
        return cls(index=Index.build(root), **fields)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        wanted = Wanted(self.k, self.paths, self.languages, self.kinds, self.focus, self.open_files)
        return [
            Document(page_content=text_of(hit, self.header), id=hit.chunk.id, metadata=metadata_of(hit))
            for hit in self._asker.ask(query, wanted)
        ]
