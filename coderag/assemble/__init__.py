"""What reaches a model: items from many providers, ordered, counted and cut to a budget by rules that can be read.

Modules: `items`, `results` and `policy` are the values; `assembler` decides; `tokens` counts; `rendering` writes; `providing` asks providers.
Around it: `configuration` and `layers` make a `payload` of everything that a model reads; `memory`, `history` and `compaction` keep what was
said; `prefix`, `comparison`, `minimize` and `lint` look at payloads. Those are imported when they are first asked for.
Knows results only, and neither an index nor a disk. Nothing here needs a model or the network. Text of a repository is data.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from coderag.assemble.assembler import ContextAssembler, ContextAssembly, Dropped, DropRule
from coderag.assemble.items import ContextDepth, ContextItem, ContextType
from coderag.assemble.policy import ContextBudget, ContextPolicy, ContextSourcePolicy
from coderag.assemble.providing import ContextProvider, Failure, FailureMode, Gathered, complete_turn, gather
from coderag.assemble.ranking import ranking_score
from coderag.assemble.rendering import render, to_markdown, to_xml
from coderag.assemble.results import ContextQuery, ContextResult, Omission
from coderag.assemble.static import StaticProvider
from coderag.assemble.tokens import TokenCounter, count_words, estimate_tokens

if TYPE_CHECKING:
    from coderag.assemble.checking import check_summary
    from coderag.assemble.compaction import Compaction, compact, compaction_prompt
    from coderag.assemble.comparison import compare, repetitions
    from coderag.assemble.configuration import (
        Configuration,
        Layer,
        default_configuration,
        json_schema,
        read_configuration,
    )
    from coderag.assemble.history import History, Message
    from coderag.assemble.layers import Inputs, build
    from coderag.assemble.lint import lint_configuration, lint_texts, lint_tools
    from coderag.assemble.memory import Goal, Memory
    from coderag.assemble.minimize import minimal
    from coderag.assemble.payload import Payload, PayloadBlock
    from coderag.assemble.prefix import shared_prefix

_LATER = {
    "checking": ("check_summary",),
    "compaction": ("Compaction", "compact", "compaction_prompt"),
    "comparison": ("compare", "repetitions"),
    "configuration": ("Configuration", "Layer", "default_configuration", "json_schema", "read_configuration"),
    "history": ("History", "Message"),
    "layers": ("Inputs", "build"),
    "lint": ("lint_configuration", "lint_texts", "lint_tools"),
    "memory": ("Goal", "Memory"),
    "minimize": ("minimal",),
    "payload": ("Payload", "PayloadBlock"),
    "prefix": ("shared_prefix",),
}
_MODULE_OF = {name: module for module, names in _LATER.items() for name in names}

__all__ = [
    "Compaction",
    "Configuration",
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
    "Goal",
    "History",
    "Inputs",
    "Layer",
    "Memory",
    "Message",
    "Omission",
    "Payload",
    "PayloadBlock",
    "StaticProvider",
    "TokenCounter",
    "build",
    "check_summary",
    "compact",
    "compaction_prompt",
    "compare",
    "complete_turn",
    "count_words",
    "default_configuration",
    "estimate_tokens",
    "gather",
    "json_schema",
    "lint_configuration",
    "lint_texts",
    "lint_tools",
    "minimal",
    "ranking_score",
    "read_configuration",
    "render",
    "repetitions",
    "shared_prefix",
    "to_markdown",
    "to_xml",
]


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
