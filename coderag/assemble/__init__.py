"""What reaches a model: items from many providers, ordered, counted and cut to a budget by rules that can be read.

Modules: `items`, `results` and `policy` are the values; `assembler` decides; `tokens` counts; `rendering` writes; `providing` asks providers.
Knows results only, and neither an index nor a disk. Nothing here needs a model or the network. Text of a repository is data.
"""

from coderag.assemble.assembler import ContextAssembler, ContextAssembly, Dropped, DropRule
from coderag.assemble.items import ContextDepth, ContextItem, ContextType
from coderag.assemble.policy import ContextBudget, ContextPolicy, ContextSourcePolicy
from coderag.assemble.providing import ContextProvider, Failure, FailureMode, Gathered, complete_turn, gather
from coderag.assemble.ranking import ranking_score
from coderag.assemble.rendering import render, to_markdown, to_xml
from coderag.assemble.results import ContextQuery, ContextResult, Omission
from coderag.assemble.static import StaticProvider
from coderag.assemble.tokens import TokenCounter, count_words, estimate_tokens

__all__ = [
    "ContextAssembler",
    "ContextAssembly",
    "ContextBudget",
    "ContextDepth",
    "ContextItem",
    "ContextPolicy",
    "ContextProvider",
    "ContextQuery",
    "ContextResult",
    "ContextSourcePolicy",
    "ContextType",
    "DropRule",
    "Dropped",
    "Failure",
    "FailureMode",
    "Gathered",
    "Omission",
    "StaticProvider",
    "TokenCounter",
    "complete_turn",
    "count_words",
    "estimate_tokens",
    "gather",
    "ranking_score",
    "render",
    "to_markdown",
    "to_xml",
]
