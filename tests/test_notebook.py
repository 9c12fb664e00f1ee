"""Notebooks: cells in their languages, and the way from what was read back to where it stands in the JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coderag.notebook import parse_notebook, read_notebook
from coderag.types import Kind


def code(*lines: str) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "outputs": [], "source": [f"{line}\n" for line in lines]}


def prose(*lines: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": [f"{line}\n" for line in lines]}


def notebook(*cells: dict[str, Any], language: str = "python", indent: int | None = 1, escaped: bool = True) -> bytes:
    whole = {"cells": cells, "metadata": {"kernelspec": {"language": language}}, "nbformat": 4}
    return json.dumps(whole, indent=indent, ensure_ascii=escaped).encode()


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("escaped", [True, False])
def test_every_symbol_leads_back_to_where_it_stands_in_the_json(indent: int | None, escaped: bool) -> None:
    data = notebook(
        prose("# Prix é 中 🚀"),
        code('label = "\\t🚀 é"', "def café():", '    return "中"', "rest = 1"),
        indent=indent,
        escaped=escaped,
    )
    for symbol in parse_notebook(data).symbols:
        written = data[symbol.span.start_byte : symbol.span.end_byte]
        assert data[: symbol.span.start_byte].count(b"\n") + 1 == symbol.span.start_line
        assert written.count(b"\n") == symbol.span.end_line - symbol.span.start_line
    cafe = next(each for each in parse_notebook(data).symbols if each.name == "café")
    written = data[cafe.span.start_byte : cafe.span.end_byte]
    assert written.startswith(b"def caf") and written.endswith((b'"\\u4e2d\\"', '中\\"'.encode(), b'\\u4e2d\\"'))


def test_the_lines_are_those_of_the_file() -> None:
    data = notebook(prose("# Title"), code("import os", "", "def clean(df):", "    return os.path(df)"))
    lines = data.split(b"\n")
    parsed = parse_notebook(data)
    clean = next(each for each in parsed.symbols if each.name == "clean")
    assert b"def clean" in lines[clean.name_line - 1] and b"return" in lines[clean.span.end_line - 1]
    assert b"import os" in lines[parsed.imports[0].line - 1]
    assert [b"os.path" in lines[each.lines[0] - 1] for each in parsed.references if each.name == "path"] == [True]
    assert parsed.lines == len(lines)


def test_a_cell_that_is_all_definitions_has_no_chunk_beside_them() -> None:
    parsed = parse_notebook(notebook(code("def a(): ...", "", "def b(): ..."), code("x = a()", "print(x)")))
    assert [(each.kind, each.qualified_name) for each in parsed.symbols] == [
        (Kind.FUNCTION, "cell 1.a"),
        (Kind.FUNCTION, "cell 1.b"),
        (Kind.CELL, "cell 2"),
        (Kind.VARIABLE, "cell 2.x"),
    ]


@pytest.mark.parametrize(
    ("named", "language"),
    [
        ("python", "python"),
        ("R", "text"),
        ("bash", "bash"),
        ("JavaScript", "javascript"),
        ("c++", "cpp"),
        ("Wolfram", "text"),
    ],
)
def test_code_is_read_in_the_language_of_the_kernel(named: str, language: str) -> None:
    assert [cell.language for cell in read_notebook(notebook(code("x"), language=named)).cells] == [language]


def test_a_cell_may_name_its_own_language() -> None:
    found = read_notebook(notebook(code("%%bash", "pay() { :; }"), code("%%time", "x = 1"), prose("text"), code("y")))
    assert [cell.language for cell in found.cells] == ["bash", "python", "markdown", "python"]
    assert "cell 1.pay" in [each.qualified_name for each in found.parse().symbols]


def test_what_is_meant_for_the_notebook_is_no_syntax_error() -> None:
    parsed = parse_notebook(notebook(code("%matplotlib inline", "!pip install x", "help?", "def f():", "    return 1")))
    assert parsed.problems == ()
    assert [each.qualified_name for each in parsed.symbols] == ["cell 1", "cell 1.f"]


def test_a_source_may_be_one_string_and_an_old_notebook_has_worksheets() -> None:
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["def f(): ...\n"]}]}], "metadata": {"name": ""}}
    assert [each.name for each in parse_notebook(json.dumps(old).encode()).symbols] == ["f"]
    new = {"cells": [{"source": "def f():\n    return 1", "cell_type": "code"}]}
    assert [each.name for each in parse_notebook(json.dumps(new).encode()).symbols] == ["f"]


def test_an_error_in_one_cell_leaves_the_others() -> None:
    parsed = parse_notebook(notebook(code("def broken( return"), code("def fine(): ...")))
    assert "cell 2.fine" in [each.qualified_name for each in parsed.symbols]
    assert [each.message for each in parsed.problems] == ["cell 1: syntax error"]


def test_no_cut_and_no_stray_byte_is_more_than_a_problem() -> None:
    data = notebook(prose("# é 🚀"), code('x = "\\u4e2d"', "def f(): ..."))
    for cut in range(len(data)):
        parse_notebook(data[:cut])
        parsed = parse_notebook(data[:cut] + b"\xff" + data[cut:])
        for symbol in parsed.symbols:
            assert 0 <= symbol.span.start_byte <= symbol.span.end_byte <= len(data) + 1


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        '{"cells": 3}',
        '{"cells": [3]}',
        '{"cells": [{"source": 3}]}',
        "[" * 20_000,
        '{"cells": [{"source": ["x", 3]}]}',
    ],
)
def test_json_that_is_no_notebook_is_no_trouble(text: str) -> None:
    assert all(each.kind is Kind.CELL for each in parse_notebook(text.encode()).symbols)
