"""Small inputs and what a person finds in them."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.cli.conftest import Place


def test_a_decorated_function_is_one_chunk_found_by_name_route_and_path(place: Place) -> None:
    place.write({"web.py": '@route("/pay")\n@retry(times=3)\ndef pay(order):\n    return order.total\n'})
    place.index()
    for query in ("pay", "route", '"/pay"'):
        first = place.search(query).hits[0]
        assert (first["symbol"], first["start_line"], first["end_line"]) == ("pay", 1, 4)
        assert first["text"].startswith('@route("/pay")')
    assert len(place.run("symbols", "--json").json["symbols"]) == 1


def test_a_constant_and_the_members_of_an_enum_are_found(place: Place) -> None:
    place.write(
        {
            "states.py": 'from enum import Enum\n\nRETRY_LIMIT = 5\n\n\nclass State(Enum):\n    PAID = "paid"\n    VOID = "void"\n',
            "noise.py": "def have(order):\n    return order\n\n\ndef can(an):\n    return an\n",
        }
    )
    place.index()
    assert place.search("RETRY_LIMIT").symbols[0] == "RETRY_LIMIT"
    assert place.search("State.PAID").hits[0]["text"].count("PAID") == 1
    assert place.search("VOID").symbols[0] == "State"
    assert "State" in place.search("what states can an order have").symbols[:3]


def test_handlers_in_a_table_are_found_by_their_key(place: Place) -> None:
    place.write(
        {
            "events.py": "def on_paid(e): ...\n\n\ndef on_void(e): ...\n\n\n"
            'HANDLERS = {"paid": on_paid, "void": on_void}\n\n\ndef dispatch(e):\n    return HANDLERS[e.kind](e)\n'
        }
    )
    place.index()
    found = place.search('"void"').symbols
    assert {"HANDLERS", "on_void"} <= set(found)
    for handler in ("on_paid", "on_void"):
        assert place.run("callers", handler).status == 0
    kinds = {each["kind"] for each in place.run("callees", "--json", "dispatch").json["callees"]}
    assert "via-table" in kinds


def test_a_minified_bundle_is_left_out(place: Place) -> None:
    place.write({"vendor.min.js": "function a(b){return b}" * 13_000, "app.js": "function real() { return 1 }\n"})
    place.index()
    assert place.run("symbols", "--json").json["symbols"][0]["symbol"] == "real"
    assert place.search("a").status == 1 or all(hit["path"] == "app.js" for hit in place.search("a").hits)
    assert "1 minified or generated" in place.run("status").out


def test_a_long_literal_costs_only_itself(place: Place) -> None:
    place.write(
        {
            "logo.js": f'const logo = "data:image/png;base64,{"iVBORw0K" * 25_000}";\nexport function draw(){{ return logo }}\n'
        }
    )
    place.index()
    hit = place.search("draw").hits[0]
    assert (hit["symbol"], hit["start_line"]) == ("draw", 2)
    assert all(len(each["text"]) < 10_000 for each in place.search("logo").hits)


def test_four_thousand_functions_are_four_thousand_symbols(place: Place) -> None:
    place.write({"many.js": "".join(f"function f{n}() {{\n  return {n} + {n} * 2;\n}}\n\n" for n in range(4_000))})
    place.index()
    assert len(place.run("symbols", "--json").json["symbols"]) == 4_000
    assert place.search("f3999", "-k", "1").symbols == ["f3999"]


def test_a_method_with_a_receiver_is_not_the_function_of_that_name(place: Place) -> None:
    place.write(
        {"cart.go": "package shop\n\nfunc (c *Cart) Total() int {\n\treturn c.n\n}\n\nfunc Total() int { return 0 }\n"}
    )
    place.index()
    assert {each["symbol"] for each in place.run("symbols", "--json").json["symbols"]} == {"Cart.Total", "Total"}
    best = place.search("Cart.Total").hits[0]
    assert (best["symbol"], best["start_line"], best["end_line"]) == ("Cart.Total", 3, 5)
    assert [each["symbol"] for each in place.run("callers", "--json", "Cart.Total").json["definitions"]] == [
        "Cart.Total"
    ]


def test_what_only_the_configuration_defines(place: Place) -> None:
    place.write(
        {
            "settings.yaml": "payment:\n  retry_limit: 7\n",
            "use.py": 'def limit(cfg):\n    return cfg["payment"]["retry_limit"]\n',
        }
    )
    place.index()
    assert [hit["path"] for hit in place.search("retry_limit").hits] == ["settings.yaml", "use.py"]


def test_a_notebook_by_cells(place: Place) -> None:
    picture = "iVBORw0KGgo" * 3_000
    cells = [
        {
            "cell_type": "code",
            "source": ["def clean(df):\n", "    return df\n"],
            "metadata": {},
            "execution_count": 1,
            "outputs": [{"output_type": "display_data", "data": {"image/png": picture}, "metadata": {}}],
        },
        {"cell_type": "markdown", "source": ["# Cleaning\n"], "metadata": {}},
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    place.write({"work.ipynb": json.dumps(notebook), "broken.ipynb": '{"cells": ['})
    place.index()
    assert "clean" in place.search("clean").hits[0]["symbol"]
    assert all(picture[:40] not in hit["text"] for hit in place.search("clean cleaning image png").hits)
    assert "broken.ipynb" in place.run("status").out


@pytest.mark.parametrize(
    ("content", "symbol", "start", "text"),
    [
        ("naïve = '🚀'\ndef café():\n    return 1\n".encode(), "café", 2, "def café():\n    return 1"),
        (b"\xef\xbb\xbfdef a(): return 1\n", "a", 1, "def a(): return 1"),
        (b"def caf\xe9(): return 1\n", "café", 1, "def café(): return 1"),
        (b"x = 1\r\n\r\ndef crlf():\r\n    return 1\r\n", "crlf", 3, "def crlf():\n    return 1"),
        ("def wide(): return 'ü'\n".encode("utf-16"), "wide", 1, "def wide(): return 'ü'"),
        (b"def last(): return 1", "last", 1, "def last(): return 1"),
    ],
    ids=["emoji", "mark", "latin-1", "crlf", "utf-16 with mark", "no line end"],
)
def test_encodings(place: Place, content: bytes, symbol: str, start: int, text: str) -> None:
    place.write({"m.py": content})
    place.index()
    first = place.search(symbol).hits[0]
    assert (first["symbol"], first["start_line"], first["text"]) == (symbol, start, text)


def test_a_wide_file_without_mark_is_binary_and_the_rest_is_ready(place: Place) -> None:
    place.write({"wide.py": "def wide(): return 1\n".encode("utf-16-le"), "a.py": "def ready(): return 1\n"})
    place.index()
    assert place.search("ready").symbols == ["ready"]
    assert "binary: wide.py" in place.run("why", "wide.py").out


def test_files_with_next_to_nothing_in_them(place: Place) -> None:
    place.write({"empty.py": "", "blank.py": " \n\n\t\n", "comment.py": "# only a remark\n", "short.py": "x"})
    place.index()
    assert place.run("status", "--json").json["files"] == 4
    assert [hit["path"] for hit in place.search("remark").hits] == ["comment.py"]
    for name in ("empty.py", "blank.py"):
        assert place.run("why", name).status == 0


def test_a_ci_file_is_configuration(place: Place) -> None:
    place.write(
        {".github/workflows/x.yml": "on: push\njobs:\n  build:\n    env:\n      URL: https://example.org/api/pay\n"}
    )
    place.index()
    hit = place.search("jobs build").hits[0]
    assert (hit["language"], hit["kind"]) == ("yaml", "key")


def test_a_definition_stands_before_the_tests_that_repeat_its_words(place: Place) -> None:
    place.write(
        {
            "charge.py": "def charge(amount):\n    return amount\n",
            "tests/test_charge.py": "from charge import charge\n\n\n"
            + "".join(
                f"def test_charge_{n}():\n    assert charge({n}) == {n}  # charge amount\n\n\n" for n in range(5)
            ),
        }
    )
    place.index()
    first = place.search("charge").hits[0]
    assert first["path"] == "charge.py"
    assert len(first["callers"]) >= 5
    assert place.search("test charge amount").hits[0]["path"] == "tests/test_charge.py"


def test_two_processes_with_different_hash_seeds_print_the_same_bytes(place: Place) -> None:
    place.write({f"m{n}.py": f"def refund_{n}(order):\n    return order\n" for n in range(20)})
    place.index()
    printed = set()
    for seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-m", "coderag", "search", "refund order", "--json", "--no-update"],
            cwd=place.root,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        printed.add(done.stdout)
    assert len(printed) == 1
