"""Questions about an index, answered from the data that made it: what is there, what is not and why, who depends on whom."""

from coderag.diagnose.describe import Described, describe
from coderag.diagnose.export import export
from coderag.diagnose.freshness import CaughtUp, Freshness, freshness, is_stale
from coderag.diagnose.outline import Outline, outline
from coderag.diagnose.relations import Relation, SymbolEntry, callees, callers, definitions, symbols
from coderag.diagnose.status import LanguageCount, Status, status
from coderag.diagnose.why import Why, why

__all__ = [
    "CaughtUp",
    "Described",
    "Freshness",
    "LanguageCount",
    "Outline",
    "Relation",
    "Status",
    "SymbolEntry",
    "Why",
    "callees",
    "callers",
    "definitions",
    "describe",
    "export",
    "freshness",
    "is_stale",
    "outline",
    "status",
    "symbols",
    "why",
]
