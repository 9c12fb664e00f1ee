"""Providers of context beside the index: files and folders, what was changed lately, and a folder of skills.

Each is small, reads through `walk` alone, so that ignored files, secrets and what lies outside of the root stay out, and gives what it reads
as data. A static text is `coderag.assemble.StaticProvider`. They are also the examples of how to write one: a name, and a function from a
`ContextQuery` to a `ContextResult`.
"""

from coderag.providers.files import FileProvider
from coderag.providers.recent import RecentFilesProvider
from coderag.providers.skills import SkillProvider

__all__ = ["FileProvider", "RecentFilesProvider", "SkillProvider"]
