"""Languages as data: the table, and the compiled grammar and queries of a row."""

from coderag.languages.table import (
    BY_NAME,
    LANGUAGES,
    TEXT,
    Language,
    detect_language,
    doc_marks,
    maker_kinds,
    name_marks,
    noise_patterns,
    private_pattern,
    reader_of,
    view_of,
)

__all__ = [
    "BY_NAME",
    "LANGUAGES",
    "TEXT",
    "Language",
    "detect_language",
    "doc_marks",
    "maker_kinds",
    "name_marks",
    "noise_patterns",
    "private_pattern",
    "reader_of",
    "view_of",
]
