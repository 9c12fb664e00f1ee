"""Small inputs in Ruby, in configuration, SQL and notebooks, and what they are taken apart into."""

from __future__ import annotations

import json

import pytest

from coderag.chunk import chunk_file
from coderag.config import Settings
from coderag.languages import LANGUAGES, detect_language
from coderag.parse import parse
from coderag.types import Chunk, FileStat, Kind, Parsed, SourceFile


def symbols(text: str, language: str) -> dict[str, tuple[Kind, int, int]]:
    return {
        each.qualified_name: (each.kind, each.span.start_line, each.span.end_line)
        for each in parse(text.encode(), language).symbols
    }


def chunks(path: str, text: str) -> tuple[Chunk, ...]:
    data = text.encode()
    language = detect_language(path, data)
    source = SourceFile(path, language, "utf-8", data, data, "", FileStat(0, 0, 0, 0))
    return chunk_file(source, parse(data, language), Settings())


def test_a_reopened_ruby_class_has_every_member_under_its_name() -> None:
    first = symbols("class Cart; def add; end; end\n", "ruby")
    second = symbols("class Cart; LIMIT = 3; attr_accessor :note; def drop; end; end\n", "ruby")
    assert first == {"Cart": (Kind.CLASS, 1, 1), "Cart.add": (Kind.METHOD, 1, 1)}
    assert {name: kind for name, (kind, _, _) in second.items()} == {
        "Cart": Kind.CLASS,
        "Cart.LIMIT": Kind.CONSTANT,
        "Cart.note": Kind.FIELD,
        "Cart.drop": Kind.METHOD,
    }


def test_a_compact_ruby_class_keeps_its_compact_name() -> None:
    found = symbols("class Shop::Cart; def tax; end; end\n", "ruby")
    assert list(found) == ["Shop::Cart", "Shop::Cart.tax"]


def test_both_sites_of_a_class_reopened_in_one_file_are_symbols() -> None:
    parsed = parse(b"class Cart\n  def add; end\nend\nclass Cart\n  def drop; end\nend\n", "ruby")
    assert [each.qualified_name for each in parsed.symbols] == ["Cart", "Cart.add", "Cart", "Cart.drop"]


def test_a_migration_is_its_statements_and_the_columns_that_they_add() -> None:
    text = (
        "-- 0007_add_refunds\n"
        "CREATE TABLE refunds (id int, order_id int);\n"
        "ALTER TABLE orders ADD COLUMN refunded_at timestamptz;\n"
    )
    assert symbols(text, "sql") == {
        "refunds": (Kind.STATEMENT, 1, 2),
        "refunds.id": (Kind.FIELD, 2, 2),
        "refunds.order_id": (Kind.FIELD, 2, 2),
        "orders": (Kind.STATEMENT, 3, 3),
        "orders.refunded_at": (Kind.FIELD, 3, 3),
    }
    first, second = chunks("db/0007_add_refunds.sql", text)
    assert first.text.startswith("-- 0007_add_refunds\nCREATE TABLE refunds")
    assert (first.path, second.symbol) == ("db/0007_add_refunds.sql", "orders")


@pytest.mark.parametrize(
    "column",
    [
        "ALTER TABLE orders ADD refunded_at timestamp",
        "alter table if exists only orders\n  add column if not exists refunded_at timestamptz",
        "ALTER TABLE orders ADD CONSTRAINT c CHECK (a > 1), ADD COLUMN refunded_at int;",
        "ALTER TABLE `orders` ADD COLUMN `refunded_at` DATETIME NULL AFTER `state`;",
        "ALTER TABLE [orders] ADD [refunded_at] DATETIME2 NULL\nGO\n",
        'ALTER TABLE "orders" RENAME COLUMN "old" TO "refunded_at";',
    ],
)
def test_an_added_column_is_found_in_every_dialect(column: str) -> None:
    assert "orders.refunded_at" in symbols(column, "sql")


def test_a_semicolon_in_a_string_a_comment_or_a_body_ends_no_statement() -> None:
    text = (
        "INSERT INTO a VALUES ('x;y', \"z;\"); -- ; here\n"
        "CREATE FUNCTION f() RETURNS int AS $$ BEGIN RETURN 1; END; $$ LANGUAGE plpgsql;\n"
        "/* ; */ CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE b SET c = 1; DELETE FROM d; END;\n"
        "SELECT 1\n"
    )
    assert list(symbols(text, "sql")) == ["insert a", "f", "t", "select"]


def test_a_key_of_a_configuration_is_a_member_of_the_chunk_of_its_top_level_key() -> None:
    text = "payment:\n  retry_limit: 7\n"
    assert symbols(text, "yaml") == {"payment": (Kind.KEY, 1, 2), "payment.retry_limit": (Kind.KEY, 2, 2)}
    (chunk,) = chunks("settings.yaml", text)
    assert (chunk.symbol, chunk.defines) == ("payment", ("payment", "payment.retry_limit"))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("toml", "[payment]\nretry_limit = 7\n"),
        ("json", '{"payment": {"retry_limit": 7}}'),
        ("yaml", "payment: {retry_limit: 7}"),
        ("yaml", "other: 1\n---\n'payment':\n  \"retry_limit\": 7\n"),
    ],
)
def test_a_nested_key_is_found_by_its_path_in_every_format(language: str, text: str) -> None:
    assert symbols(text, language)["payment.retry_limit"][0] is Kind.KEY


def test_a_workflow_file_is_configuration_and_nothing_else() -> None:
    text = "on: push\njobs:\n  test:\n    steps:\n      - run: curl https://example.com/api/orders\n"
    parsed = parse(text.encode(), detect_language(".github/workflows/ci.yml", text.encode()))
    assert {each.kind for each in parsed.symbols} == {Kind.KEY}
    assert parsed.references == () and parsed.imports == ()


def test_a_generated_table_is_text_and_not_thousands_of_names() -> None:
    text = json.dumps({f"key{number}": {"inner": number} for number in range(1_500)}, indent=1)
    parsed = parse(text.encode(), "json")
    assert len(parsed.symbols) == 2_000
    assert sum(each.parent < 0 for each in parsed.symbols) == 1_500
    assert "1000 of 3000 names" in parsed.problems[0].message


NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Cleaning\n", "Drop what is empty."]},
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [{"data": {"image/png": "iVBORw0KGgoAAAANSUhEUgAA" * 40}}],
            "source": ["def clean(df): return df"],
        },
    ],
    "metadata": {"kernelspec": {"language": "python"}},
}


@pytest.mark.parametrize("indent", [None, 1])
def test_a_notebook_is_its_cells_without_what_they_put_out(indent: int | None) -> None:
    found = chunks("notebook.ipynb", json.dumps(NOTEBOOK, indent=indent))
    assert [(each.kind, each.symbol) for each in found] == [(Kind.CELL, "cell 1"), (Kind.FUNCTION, "cell 2.clean")]
    assert found[1].text == "def clean(df): return df"
    assert not any("iVBOR" in each.text + each.before + each.after for each in found)


def test_a_broken_notebook_is_a_problem_and_keeps_the_cells_before_the_break() -> None:
    text = json.dumps(NOTEBOOK, indent=1)
    parsed = parse(text[: text.index("image/png")].encode(), "notebook")
    assert [each.name for each in parsed.symbols] == ["cell 1"]
    assert "broken notebook" in parsed.problems[0].message
    assert parse(b"{nonsense", "notebook") == Parsed("notebook", 1, problems=parse(b"{nonsense", "notebook").problems)


@pytest.mark.parametrize("language", [row.name for row in LANGUAGES])
@pytest.mark.parametrize("text", ["", " ", "\n", "\n\n  \n", "x", "\t", "\r\n", "\r", "\ufeff", "#", "'", "{", "é"])
def test_next_to_nothing_is_no_trouble_in_any_language(language: str, text: str) -> None:
    data = text.encode()
    parsed = parse(data, language)
    assert parsed.lines == len(data.split(b"\n")) - (data.endswith(b"\n") or not data)
    for symbol in parsed.symbols:
        assert 0 <= symbol.span.start_byte < symbol.span.end_byte <= len(data)


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("ruby", "def pay\n  1\nend", "pay"),
        ("bash", "pay() {\n  :\n}", "pay"),
        ("lua", "function pay()\n  return 1\nend", "pay"),
        ("elixir", "def pay do\n  1\nend", "pay"),
        ("haskell", "pay :: Int\n\npay =\n  1", "pay"),
        ("zig", "fn pay() void {\n  _ = 1;\n}", "pay"),
        ("sql", "CREATE TABLE pay (\n  id int\n)", "pay"),
        ("yaml", "pay:\n  a:\n    1", "pay"),
        ("toml", "[pay]\na = 1\nb = 2", "pay"),
        ("markdown", "# pay\n\ntext", "pay"),
        ("css", ".pay {\n  top: 0\n}", ".pay"),
        ("makefile", "pay:\n\techo\n\techo", "pay"),
        ("dockerfile", "FROM a AS pay\nRUN b\nRUN c", "pay"),
    ],
)
@pytest.mark.parametrize("ending", ["", "\n", "\n\n\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_file_without_a_last_line_break_or_with_any_kind_of_it_has_the_same_lines(
    language: str, text: str, name: str, ending: str, newline: str
) -> None:
    data = (text + ending).replace("\n", newline).encode()
    (symbol,) = [each for each in parse(data, language).symbols if each.qualified_name == name]
    last = text.count("\n") + 1
    assert (symbol.span.start_line, symbol.span.end_line) == (1, last)
    assert data[symbol.span.start_byte : symbol.span.end_byte] == text.replace("\n", newline).encode()


def test_a_file_of_comments_alone_has_no_symbols() -> None:
    for language, text in [
        ("ruby", "# a\n# b"),
        ("lua", "-- a"),
        ("sql", "-- a\n/* b */"),
        ("yaml", "# a"),
        ("css", "/* a */"),
    ]:
        assert symbols(text, language) == {}
