"""References to definitions, with how sure each link is; and what an incremental update must link again."""

from coderag.link.guess import Cause
from coderag.link.linker import Linker
from coderag.link.names import files_to_relink, module_keys, names_changed, names_used
from coderag.link.rules import LINK_RULES, LinkRules
from coderag.link.universe import Universe

__all__ = [
    "LINK_RULES",
    "Cause",
    "LinkRules",
    "Linker",
    "Universe",
    "files_to_relink",
    "module_keys",
    "names_changed",
    "names_used",
]
