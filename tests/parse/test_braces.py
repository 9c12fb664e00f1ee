"""Braces that are written where a block must have ended, and never anywhere else."""

from __future__ import annotations

import pytest

from coderag.parse.braces import close_braces


@pytest.mark.parametrize(
    "text",
    [
        "func a() {\n\tb()\n}\n\nfunc c() {\n}\n",
        "switch x {\ncase 1:\n\tb()\ndefault:\n\tc()\n}\nd()\n",
        "class A {\npublic:\n  int a;\n};\nint b;\n",
        "if (a) {\n  b();\n} else {\n  c();\n}\n",
        "f(a, {\n  b: 1,\n}, function () {\n  c();\n});\nd();\n",
        "a = \"{\";\nb = '{';\nc = `{\n{`;\n// {\n/* {\n{ */\nd();\n",
        "fn a<'a>(b: &'a str) {\n    c();\n}\nfn d() {}\n",
        "label:\nfor {\n\tbreak label\n}\n",
        "",
    ],
)
def test_what_is_closed_stays_as_it_is(text: str) -> None:
    assert close_braces(text.encode()) == (text.encode(), ())


@pytest.mark.parametrize(
    ("text", "closed", "lines"),
    [
        ("func a() {\n\tb()\n\nfunc c() {\n}\n", "func a() {\n\tb()}\nfunc c() {\n}\n", (4,)),
        ("func a() {\n\tif b {\n\t\tc()\n}\n\nd\n", "func a() {\n\tif b {\n\t\tc()}}\n\nd\n", (4,)),
        ("a {\n  b {\n    c\nd\n", "a {\n  b {\n    c}d\n", (4,)),
        ("a {\n  b // c\n\n// d\ne\n", "a {\n  b // c\n}// d\ne\n", (5,)),
    ],
)
def test_an_open_block_ends_before_the_next_line_of_its_level(text: str, closed: str, lines: tuple[int, ...]) -> None:
    found, guessed = close_braces(text.encode())
    assert (found.decode(), guessed) == (closed, lines)
    assert len(found) == len(text)
