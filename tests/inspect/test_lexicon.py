"""What colours code is asked of the grammars."""

from __future__ import annotations

import pytest

from coderag.inspect.lexicon import Lexicon, lexicon
from coderag.languages.table import LANGUAGES


@pytest.mark.parametrize(
    ("language", "keyword", "comments", "not_quotes"),
    [
        ("python", "def", [("#", "")], []),
        ("go", "func", [("/*", "*/"), ("//", "")], ["'"]),
        ("rust", "impl", [("/*", "*/"), ("//", "")], ["'"]),
        ("c", "struct", [("/*", "*/"), ("//", "")], []),
        ("lua", "local", [("--[[", "]]"), ("--", "")], []),
        ("haskell", "where", [("{-", "-}"), ("--", "")], ["'"]),
        ("php", "function", [("/*", "*/"), ("//", ""), ("#", "")], []),
        ("bash", "then", [("#", "")], []),
    ],
)
def test_keywords_comments_and_quotes_come_from_the_grammar(
    language: str, keyword: str, comments: list[tuple[str, str]], not_quotes: list[str]
) -> None:
    found = lexicon(language)
    assert keyword in found.keywords
    assert list(found.comments) == comments
    assert '"' in found.quotes
    assert not set(not_quotes) & set(found.quotes)


def test_text_without_a_grammar_stays_plain() -> None:
    assert lexicon("text") == lexicon("sql") == lexicon("a language of tomorrow") == Lexicon()


def test_every_language_of_code_with_a_grammar_has_comments() -> None:
    assert [row.name for row in LANGUAGES if row.code and row.grammar and not lexicon(row.name).comments] == []
