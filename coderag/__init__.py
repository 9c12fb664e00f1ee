"""coderag decides which code a coding assistant sees.

`Index.build(root)` parses a repository into linked, symbol-level chunks; `Index.search(text)` ranks them and says why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coderag.config import Settings, load_settings
from coderag.errors import (
    CoderagError,
    ConfigError,
    ContextError,
    EmbeddingError,
    IndexCorruptError,
    IndexFormatError,
    IndexLockedError,
    NotIndexedError,
    ProviderError,
    QueryError,
    RootError,
    StorageError,
)
from coderag.types import Chunk, Edge, Focus, Kind, Query, Ranked, Reason, SearchResult, SignalValue, Skipped, Span

if TYPE_CHECKING:
    from coderag.assemble import (
        ContextAssembler,
        ContextAssembly,
        ContextBudget,
        ContextDepth,
        ContextItem,
        ContextPolicy,
        ContextProvider,
        ContextQuery,
        ContextResult,
        ContextSourcePolicy,
        ContextType,
    )
    from coderag.index import Index

__version__ = "0.1.0"

__all__ = [
    "Chunk",
    "CoderagError",
    "ConfigError",
    "ContextAssembler",
    "ContextAssembly",
    "ContextBudget",
    "ContextDepth",
    "ContextError",
    "ContextItem",
    "ContextPolicy",
    "ContextProvider",
    "ContextQuery",
    "ContextResult",
    "ContextSourcePolicy",
    "ContextType",
    "Edge",
    "EmbeddingError",
    "Focus",
    "Index",
    "IndexCorruptError",
    "IndexFormatError",
    "IndexLockedError",
    "Kind",
    "NotIndexedError",
    "ProviderError",
    "Query",
    "QueryError",
    "Ranked",
    "Reason",
    "RootError",
    "SearchResult",
    "Settings",
    "SignalValue",
    "Skipped",
    "Span",
    "StorageError",
    "__version__",
    "load_settings",
]


def __getattr__(name: str) -> Any:
    if name == "Index":
        from coderag.index import Index

        return Index
    if name in __all__ and name.startswith("Context"):
        from coderag import assemble

        return getattr(assemble, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
