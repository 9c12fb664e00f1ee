"""The query source of a language: its own file, or the files that it shares with its relatives, one after another."""

from __future__ import annotations

from functools import cache
from importlib import resources

from coderag.languages.table import BY_NAME


@cache
def query_source(language: str) -> str:
    """All patterns of a row with a grammar, "" where no query file is there yet."""
    row = BY_NAME[language]
    folder = resources.files(__package__)
    files = [folder.joinpath(name) for name in (row.query or f"{language}.scm").split()]
    return "\n".join(file.read_text(encoding="utf-8") for file in files if file.is_file())
