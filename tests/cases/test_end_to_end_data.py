"""SQL, configuration, notebooks and text in many encodings, from files on disk to answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from repository import Repository

from coderag.types import Kind

Indexed = Callable[..., Repository]

# SQL and configuration.


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        (
            "-- 0007_add_refunds\nCREATE TABLE refunds (id int, order_id int);\n"
            "ALTER TABLE orders ADD COLUMN refunded_at timestamptz;\n",
            {"refunds": "refunds", "orders.refunded_at": "orders", "refunded_at": "orders"},
        ),
        (
            "-- 0007_add_refunds\nBEGIN;\nALTER TABLE orders\n  ADD refunded_at DATETIME NULL,\n  ADD note TEXT;\n"
            "CREATE INDEX orders_note ON orders (note);\nCOMMIT;\n",
            {"orders.refunded_at": "orders", "orders.note": "orders", "orders_note": "orders_note"},
        ),
        (
            "/* 0007_add_refunds */\nCREATE TABLE IF NOT EXISTS `refunds` (`id` int, `order_id` int);\n"
            "CREATE OR REPLACE VIEW late AS SELECT * FROM refunds;\n",
            {"refunds": "refunds", "refunds.order_id": "refunds", "late": "late"},
        ),
    ],
)
def test_a_migration_is_found_by_tables_columns_and_its_comment(
    indexed: Indexed, text: str, queries: dict[str, str]
) -> None:
    path = "migrations/0007_add_refunds.sql"
    repository = indexed({path: text, "app.py": "def pay(order):\n    return order\n"})
    for query, symbol in queries.items():
        assert repository.search(query)[0] == f"{path}#{symbol}"
    assert all(chunk.path == path for chunk in repository.chunks(path))
    assert any("0007_add_refunds" in chunk.text for chunk in repository.chunks(path))
    assert {chunk.kind for chunk in repository.chunks(path)} <= {Kind.STATEMENT, Kind.MODULE, Kind.FUNCTION}


@pytest.mark.parametrize(
    ("path", "text", "key"),
    [
        ("settings.yaml", "payment:\n  retry_limit: 7\nother:\n  x: 1\n", "payment"),
        ("settings.toml", "[payment]\nretry_limit = 7\n\n[other]\nx = 1\n", "payment"),
        ("settings.json", '{\n  "payment": {\n    "retry_limit": 7\n  },\n  "other": {"x": 1}\n}\n', "payment"),
    ],
)
@pytest.mark.parametrize(
    ("use_path", "use"),
    [
        ("use.py", 'def limit(cfg):\n    return cfg["payment"]["retry_limit"]\n'),
        ("use.js", "function limit(cfg) { return cfg.payment.retry_limit }\n"),
        ("use.rb", "def limit(cfg)\n  cfg.fetch(:payment).fetch(:retry_limit)\nend\n"),
    ],
)
def test_what_only_the_configuration_defines_is_found_before_its_uses(
    indexed: Indexed, path: str, text: str, key: str, use_path: str, use: str
) -> None:
    repository = indexed({path: text, use_path: use})
    assert repository.search("retry_limit")[:2] == [f"{path}#{key}", f"{use_path}#limit"]
    assert {chunk.symbol for chunk in repository.chunks(path)} == {"payment", "other"} or path != "settings.yaml"


@pytest.mark.parametrize("path", [".github/workflows/x.yml", ".gitlab-ci.yml", "ci/pipeline.yaml"])
def test_a_ci_file_is_configuration_and_nothing_else(indexed: Indexed, path: str) -> None:
    text = "on: push\njobs:\n  build:\n    env:\n      URL: https://example.org/api/pay\n    run: def deploy\n"
    repository = indexed({path: text, "app.py": "def other():\n    return 1\n"})
    assert set(repository.kinds(path).values()) == {Kind.KEY}
    assert repository.search("jobs build")[0] == f"{path}#jobs"
    assert repository.search("example.org api pay")[0] == f"{path}#jobs"
    assert {chunk.language for chunk in repository.chunks(path)} == {"yaml"}
    assert not repository.index.callers("jobs")


# Notebooks.


def notebook(*cells: dict[str, Any], **metadata: Any) -> str:
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def code(source: str | list[str], **output: Any) -> dict[str, Any]:
    outputs = [{"output_type": "display_data", "data": output, "metadata": {}}] if output else []
    return {"cell_type": "code", "source": source, "metadata": {}, "execution_count": 1, "outputs": outputs}


PICTURE = "iVBORw0KGgo" * 3_000


@pytest.mark.parametrize(
    "source", ["def clean(df): return df\n", ["def clean(df): return df\n"], ["def clean(df):\n", "    return df"]]
)
def test_a_notebook_by_its_cells(indexed: Indexed, source: str | list[str]) -> None:
    cell = code(source, **{"image/png": PICTURE, "text/plain": "<Figure of cleaning>"})
    text = notebook(cell, {"cell_type": "markdown", "source": ["# Cleaning\n"], "metadata": {}})
    repository = indexed({"work.ipynb": text})
    assert repository.kinds() == {"cell 1.clean": Kind.FUNCTION, "cell 2": Kind.CELL}
    assert repository.search("clean")[0] == "work.ipynb#cell 1.clean"
    assert "work.ipynb#cell 2" in repository.search("Cleaning")
    assert all("iVBOR" not in chunk.text and "Figure" not in chunk.text for chunk in repository.chunks("work.ipynb"))


@pytest.mark.parametrize(
    "text", ['{"cells": [', '{"cells": 7}', "[]", "not json", '{"cells": [{"cell_type": "code"}]}', "{}", "null"]
)
def test_a_broken_notebook_is_told_and_costs_nothing_else(indexed: Indexed, text: str) -> None:
    repository = indexed({"broken.ipynb": text, "a.py": "def ready(): return 1\n"})
    assert repository.search("ready")[0] == "a.py#ready"
    assert repository.index.why("broken.ipynb").verdict == "indexed"
    if text == '{"cells": [':
        assert repository.problems() == {"broken.ipynb": [1]}


# Bytes and text.

BODY = "def {name}():\n    return 1"


@pytest.mark.parametrize(
    ("content", "symbol", "start", "span", "encoding"),
    [
        ("naïve = '🚀'\ndef café():\n    return 1\n".encode(), "café", 2, (16, 41), "utf-8"),
        ("'''𝔘𝔫𝔦'''\n\ndef größe():\n    return 1\n".encode(), "größe", 3, (20, 47), "utf-8"),
        (b"\xef\xbb\xbfdef a():\n    return 1\n", "a", 1, (3, 24), "utf-8-sig"),
        (b"def caf\xe9():\n    return 1\n", "café", 1, (0, 24), "latin-1"),
        (b"# na\xefve \xe9t\xe9\ndef ete():\n    return 1", "ete", 1, (0, 35), "latin-1"),
        ("def wide():\n    return 1\n".encode("utf-16"), "wide", 1, (2, 50), "utf-16-le"),
        (b"\xfe\xff" + "x = '🚀'\ndef wide():\n    return 1\n".encode("utf-16-be"), "wide", 2, (20, 68), "utf-16-be"),
        (b"x = 1\r\n\r\ndef crlf():\r\n    return 1\r\n", "crlf", 3, (9, 34), "utf-8"),
        (b"def last():\n    return 1", "last", 1, (0, 24), "utf-8"),
    ],
)
def test_text_and_spans_in_every_encoding(
    indexed: Indexed, content: bytes, symbol: str, start: int, span: tuple[int, int], encoding: str
) -> None:
    repository = indexed({"m.py": content})
    chunk = repository.chunk(f"m.py#{symbol}")
    decoder = {"utf-8-sig": "utf-8"}.get(encoding, encoding)
    assert (chunk.span.start_byte, chunk.span.end_byte, chunk.span.start_line) == (*span, start)
    assert repository.bytes_of(chunk).decode(decoder).replace("\r\n", "\n") == chunk.text
    assert chunk.text.endswith(BODY.format(name=symbol))
    assert repository.search(symbol)[0] == chunk.id
    assert dict(repository.index.status().encodings) == ({} if encoding == "utf-8" else {"m.py": encoding})


def test_a_name_in_latin_1_is_not_another_name_without_its_accent(indexed: Indexed) -> None:
    repository = indexed({"m.py": b"def caf\xe9(): return 1\n\ndef caf(): return 2\n"})
    assert set(repository.kinds()) == {"café", "caf"}
    assert "�" not in "".join(chunk.text for chunk in repository.chunks("m.py"))


@pytest.mark.parametrize(
    "content",
    [
        "def wide(): return 1\n".encode("utf-16-le"),
        bytes(range(256)) * 10,
        b"\x7fELF\x02\x01\x01\x00" * 9,
        b"PK\x03\x04\x00\x00",
    ],
)
def test_what_is_no_text_is_skipped_and_the_rest_is_ready(indexed: Indexed, content: bytes) -> None:
    repository = indexed({"wide.py": content, "a.py": "def ready(): return 1\n"})
    assert repository.skipped() == {"wide.py": "binary"}
    assert repository.search("ready")[0] == "a.py#ready"
    assert repository.index.why("wide.py").verdict == "left out"


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_line_ends_change_no_symbol_and_no_line(indexed: Indexed, end: str) -> None:
    text = (
        "import os\n\n\n# Says a.\ndef a(x):\n    '''Two\n    lines.'''\n    return os.path\n\n\nclass B:\n    c = 1\n\n"
        "    def d(self):\n        return a(1)\n"
    )
    repository = indexed({"m.py": text.replace("\n", end).encode()})
    assert [(entry.name, entry.line) for entry in repository.index.symbols()] == [
        ("a", 5),
        ("B", 11),
        ("B.c", 12),
        ("B.d", 14),
    ]
    assert [repository.lines(f"m.py#{name}") for name in ("a", "B", "B.d")] == [(4, 8), (11, 15), (14, 15)]
    for name in ("a", "B.d"):
        chunk = repository.chunk(f"m.py#{name}")
        assert repository.bytes_of(chunk).decode().replace("\r\n", "\n").strip() == chunk.text.strip()
        assert "\r" not in chunk.text + chunk.before + chunk.after
    assert repository.callers("a") == ["m.py#B.d"]


@pytest.mark.parametrize("unit", ["漢字かな", "漢字かな\n", "日本 ", "🚀🚀 x\n", "é" * 40 + "\n"])
def test_no_character_is_cut_in_two(indexed: Indexed, unit: str) -> None:
    repository = indexed({"d.py": f'def wide():\n    """{unit * 4000}"""\n    return 1\n'})
    chunks = repository.chunks("d.py")
    assert all("�" not in chunk.text + chunk.before + chunk.after + chunk.doc + chunk.signature for chunk in chunks)
    assert all(repository.bytes_of(chunk).decode() for chunk in chunks)
    assert "return 1" in chunks[-1].text
    assert repository.search("wide")[0].startswith("d.py#wide")


def test_files_with_next_to_nothing_in_them(indexed: Indexed) -> None:
    files = {
        "empty.py": "",
        "blank.py": " \n\n\t\n",
        "end.py": "x = 1\ny = 2",
        "remark.py": "# only a remark\n",
        "one.txt": "x",
    }
    repository = indexed(files)
    assert repository.index.status().files == 5
    assert not repository.skipped() and not repository.problems()
    assert [chunk.text for chunk in repository.chunks("end.py")][-1] == "y = 2"
    assert repository.search("remark") == ["remark.py#"]
    for path in files:
        assert repository.index.why(path).verdict == "indexed"
    assert not repository.chunks("empty.py") and not repository.chunks("blank.py")
