"""Languages as data: the table, and the compiled grammar and queries of a row."""

from coderag.languages.table import BY_NAME, LANGUAGES, TEXT, Language, detect_language, private_pattern

__all__ = ["BY_NAME", "LANGUAGES", "TEXT", "Language", "detect_language", "private_pattern"]
