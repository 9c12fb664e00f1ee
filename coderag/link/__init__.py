"""References to definitions, with how sure each link is; and what an incremental update must link again."""

from coderag.link.guess import Cause, is_guessed
from coderag.link.linker import Linker
from coderag.link.names import (
    files_to_relink,
    member_changes,
    module_keys,
    names_changed,
    names_derived,
    names_used,
    symbol_keys,
)
from coderag.link.rules import LINK_RULES, LinkRules
from coderag.link.universe import Universe
from coderag.link.view import definition_of

__all__ = [
    "LINK_RULES",
    "Cause",
    "LinkRules",
    "Linker",
    "Universe",
    "definition_of",
    "files_to_relink",
    "is_guessed",
    "member_changes",
    "module_keys",
    "names_changed",
    "names_derived",
    "names_used",
    "symbol_keys",
]
