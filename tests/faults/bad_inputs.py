"""Files that no one should write and someone will: made in code, each under a name that says what is wrong with it.

`BAD` maps that name to (path, content). The path's ending chooses the language that has to cope.
"""

from __future__ import annotations

import codecs
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).parent.parent / "languages"
DEEP = 12_000
FUNCTION = "def kept():\n    return 1\n"


def _bytes_and_encodings() -> Iterator[tuple[str, bytes]]:
    yield "empty", b""
    yield "one byte", b"x"
    yield "one line end", b"\n"
    yield "only blanks", b" \t \n\n   \n"
    yield "only a mark", codecs.BOM_UTF8
    yield "a mark and a line end", codecs.BOM_UTF8 + b"\n"
    yield "two marks", codecs.BOM_UTF8 * 2 + FUNCTION.encode()
    yield "a mark in the middle", FUNCTION.encode() + codecs.BOM_UTF8 + b"x = 1\n"
    yield "only a NUL", b"\0"
    yield "a NUL at the end", FUNCTION.encode() + b"\0"
    yield "a NUL far behind", b"x = 1\n" * 3_000 + b"y = '\0'\nz = 1\n"
    yield "UTF-16 little", FUNCTION.encode("utf-16")
    yield "UTF-16 big", codecs.BOM_UTF16_BE + FUNCTION.encode("utf-16-be")
    yield "UTF-16 cut", FUNCTION.encode("utf-16")[:-1]
    yield "UTF-16 half a pair", codecs.BOM_UTF16_LE + b"a\0\x3d\xd8b\0"
    yield "UTF-16 without a mark", FUNCTION.encode("utf-16-le")
    yield "UTF-16 mark alone", codecs.BOM_UTF16_LE
    yield "UTF-32", FUNCTION.encode("utf-32")
    yield "UTF-7", "def caf+AOk-(): return 1\n".encode("ascii")
    yield "Latin-1", "def café():\n    return 'ÿ'\n".encode("latin-1")
    yield "Windows quotes", b"x = \x93quoted\x94\n" + FUNCTION.encode()
    yield "Shift JIS", "# 日本語のコメント\ndef kept(): return 1\n".encode("shift_jis")
    yield "GBK", "# 中文注释\ndef kept(): return 1\n".encode("gbk")
    yield "KOI8-R", "# привет\ndef kept(): return 1\n".encode("koi8_r")
    yield "half a character at the end", FUNCTION.encode() + "# é".encode()[:-1]
    yield "overlong characters", FUNCTION.encode() + b"# \xc0\xaf\n"
    yield "surrogates in UTF-8", FUNCTION.encode() + b"# \xed\xa0\xbd\xed\xb8\x80\n"
    yield "lone continuation", b"\x80 = 1\n" + FUNCTION.encode()
    yield "lone returns", b"def a():\r    return 1\rdef b():\r    return 2\r"
    yield "mixed line ends", b"def a():\r\n    return 1\n\rdef b():\r\n\n    return 2\r"
    yield "no line end at the end", FUNCTION.encode()[:-1]
    yield "a thousand line ends at the end", FUNCTION.encode() + b"\n" * 1_000
    yield "form feeds", b"\x0c\ndef a():\n    return 1\n\x0c\ndef b():\n    return 2\n"
    yield "other line separators", "a = 1\u2028b = 2\u2029c = 3\x85d = 4\x0be = 5\n".encode()
    yield "control characters", bytes(range(1, 32)) * 3 + b"\n" + FUNCTION.encode() * 20
    yield "escape sequences", b"x = '\x1b[31m\x1b]0;title\x07'\n" + FUNCTION.encode()
    yield "backspaces", b"x = 1\x08\x08\x08y = 2\n" + FUNCTION.encode()
    yield "random bytes", random.Random(1).randbytes(4_000)
    yield "random letters", bytes(random.Random(2).choices(range(32, 127), k=4_000))
    yield "random brackets", bytes(random.Random(3).choices(b"()[]{}<>\"'\n ", k=3_000))
    yield "gzip", gzip.compress(FUNCTION.encode() * 9, mtime=0)
    yield "picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + random.Random(4).randbytes(200)
    yield "document", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"
    yield "archive", b"PK\x03\x04\x14\0\0\0\x08\0" + random.Random(5).randbytes(100)
    yield "machine code", b"\x7fELF\x02\x01\x01\0" + bytes(56)
    yield "high bytes", bytes(range(128, 256)) * 4


def _characters() -> Iterator[tuple[str, str]]:
    yield "zero width", "def ke\u200bpt():\n    return '\u200d\ufeff'\n"
    yield "turned direction", "# \u202e } \u2066if admin\u2069 \u2066\ndef kept():\n    return '\u202e'\n"
    yield "picture names", "🚀 = 1\ndef 🎉():\n    return 🚀\n"
    yield "combining marks", "cafe\u0301 = 1\n" + "e" + "\u0301" * 500 + " = 2\n"
    yield "look-alikes", "def kерt():\n    return 1\n\n\ndef kept():\n    return 2\n"
    yield "outside of the basic plane", "def 𝔨𝔢𝔭𝔱():\n    return '𝔘'\n"
    yield "private and unassigned", "x = '\ue000\U0010ffff\ufffe\uffff'\n" + FUNCTION
    yield "unusual blanks", "def\u00a0kept():\u3000\n\u2003return 1\n"
    yield "other digits", "x = ٣ + ３\n" + FUNCTION


def _size_and_depth() -> Iterator[tuple[str, str]]:
    yield "a name of 10,000 characters", f"def {'a' * 10_000}():\n    return 1\n"
    yield "a line of 300,000 characters", FUNCTION + f"x = '{'a b ' * 75_000}'\n"
    yield "a line of 300,000 names", "x = [" + "a1, " * 75_000 + "]\n" + FUNCTION
    yield "a document of 200,000 characters", f'def kept():\n    """{"word " * 40_000}"""\n    return 1\n'
    yield "100,000 empty lines", "\n" * 100_000 + FUNCTION
    yield "5,000 statements on a line", "x=1;" * 1_200 + "\n" + FUNCTION
    yield "a sum of 5,000 terms", "x = " + " + ".join(map(str, range(5_000))) + "\n" + FUNCTION
    yield "a chain of 3,000 calls", "x = a" + ".b()" * 3_000 + "\n" + FUNCTION
    yield "3,000 arguments", "def kept(" + ", ".join(f"a{n}=1" for n in range(3_000)) + "):\n    return 1\n"
    yield "300 decorators", "@a\n" * 300 + FUNCTION
    yield "2,000 branches", "if a: pass\n" + "elif a: pass\n" * 2_000 + FUNCTION
    yield "2,000 strings side by side", "x = (\n" + "  'word'\n" * 2_000 + ")\n" + FUNCTION
    yield "deep parentheses", "x = " + "(" * DEEP + ")" * DEEP + "\n" + FUNCTION
    yield "deep lists", "x = " + "[" * DEEP + "]" * DEEP + "\n" + FUNCTION
    yield "deep dictionaries", "x = " + "{1:" * DEEP + "1" + "}" * DEEP + "\n" + FUNCTION
    yield "deep negations", "x = " + "not " * 5_000 + "a\n" + FUNCTION
    yield "deep functions of one line", "x = " + "lambda: " * 3_000 + "1\n" + FUNCTION
    yield "deep blocks", "".join(f"{' ' * n}if a:\n" for n in range(400)) + " " * 400 + "pass\n"
    yield "deep functions", "".join(f"{' ' * n}def f{n}():\n" for n in range(300)) + " " * 300 + "pass\n"
    yield "deep classes", "".join(f"{' ' * n}class C{n}:\n" for n in range(300)) + " " * 300 + "pass\n"
    yield "only opening brackets", "([{" * 3_000 + "\n" + FUNCTION
    yield "only closing brackets", ")]}" * 3_000 + "\n" + FUNCTION


def _unfinished() -> Iterator[tuple[str, str]]:
    yield "an open string", "x = 'never\n" + FUNCTION
    yield "an open long string", FUNCTION + 'y = """never\n' + FUNCTION
    yield "an open parenthesis", "x = (1,\n" + FUNCTION
    yield "an open class", "class A:\n" + FUNCTION
    yield "a decorator of nothing", FUNCTION + "@route\n"
    yield "a header of nothing", FUNCTION + "def other():\n"
    yield "a continued last line", FUNCTION + "x = 1 + \\"
    yield "conflict marks", "<<<<<<< ours\ndef a(): return 1\n=======\ndef a(): return 2\n>>>>>>> theirs\n" + FUNCTION
    yield "half of a patch", "--- a/m.py\n+++ b/m.py\n@@ -1,2 +1,2 @@\n-def a():\n+def b():\n     return 1\n"
    yield "unknown escapes", "x = '\\q \\x \\N{NO SUCH} \\u12'\n" + FUNCTION
    yield "tabs and spaces", "def a():\n\tif b:\n        return 1\n\treturn 2\n" + FUNCTION
    yield "wrong indentation", "  def a():\n return 1\n      x = 2\n" + FUNCTION
    yield "another language", "#include <stdio.h>\nint main(void) { return 0; }\n"
    yield "an older language", "print 'a'\nexec 'b'\nraise E, 'c'\nexcept E, e: pass\n" + FUNCTION
    yield "only keywords", "def class if else return yield lambda import from as\n"
    yield "only operators", "+ - * / ** // % @ & | ^ ~ << >> := -> ...\n"
    yield "only a remark", "# nothing else"
    yield "only a first line", "#!/usr/bin/env python"
    yield "a template", "{% for a in b %}\ndef {{ a }}():\n    return {{ a | safe }}\n{% endfor %}\n"
    yield "a page", "<!DOCTYPE html><html><body><script>def a(): pass</script></body></html>\n"
    yield "markers of ours", "x = '…[12 bytes left out]…'\n" + FUNCTION + "# …\n"
    yield "names with marks", "def a():\n    return {'m.py#a~2@1/3': 1}\n"
    yield "one name 500 times", "def a(): return 1\n" * 500
    yield "formatted strings in each other", "x = f\"{f'{f\"{a}\"}'!r:>{w}}\" + f'{a!'\n" + FUNCTION


def _other_formats() -> Iterator[tuple[str, str, str]]:
    cell = {"cell_type": "code", "source": [1, None, {"a": "b"}], "metadata": {}, "outputs": "none"}
    yield "a notebook of nonsense", "n.ipynb", json.dumps({"cells": [cell, None, 7, {}, {"source": 3}], "metadata": []})
    yield (
        "a notebook cut",
        "n.ipynb",
        json.dumps({"cells": [{"cell_type": "code", "source": "def kept(): return 1"}]})[:-9],
    )
    yield "a notebook that is a number", "n.ipynb", "17"
    yield "deep JSON", "d.json", "[" * 5_000 + "]" * 5_000
    yield "deep JSON objects", "d.json", '{"a":' * 3_000 + "1" + "}" * 3_000
    yield "JSON cut", "d.json", '{"payment": {"retry_limit": 7'
    yield "JSON with one key 1,000 times", "d.json", "{" + ",".join(['"a": 1'] * 1_000) + "}"
    yield "JSON of one string", "d.json", '"' + "word " * 500 + '"'
    yield "YAML with tabs", "d.yaml", "a:\n\tb: 1\n  - c\n"
    yield "YAML of anchors", "d.yaml", "a: &a [*a, *b]\nb: &b {<<: *a}\n"
    yield "YAML that opens only", "d.yaml", "a: [1, {b: 'c\n"
    yield "deep YAML", "d.yaml", "".join(f"{' ' * n}a:\n" for n in range(500))
    yield "TOML twice the same", "d.toml", "[a]\nb = 1\n[a]\nb = 'open\n[[a.b]]\n"
    yield "SQL in one line", "d.sql", "CREATE TABLE a (id int);" * 100
    yield "SQL that ends nowhere", "d.sql", "CREATE FUNCTION a() AS $$ SELECT 'it''s; -- no\n" * 5
    yield "Markdown of marks", "d.md", "#" * 3_000 + "\n" + "> " * 1_000 + "\n" + "- " * 1_000 + "\n```\nnever closed\n"
    yield "Markdown of headings", "d.md", "".join(f"{'#' * (n % 8)} Part {n}\n" for n in range(1_000))
    yield "deep HTML", "d.html", "<div>" * 2_000 + "text" + "</p>" * 2_000
    yield "HTML cut", "d.html", "<html><body class='a><script>var a = '</scr"
    yield "CSS cut", "d.css", "@media { .a { color: red; .b { /* never\n"
    yield "a Makefile of spaces", "Makefile", "all:\n    echo no tab\n$(eval $(call\n\tx = 1\n"
    yield "a Dockerfile of nothing", "Dockerfile", "FROM\nRUN \\\n\\\n\nCOPY --from=\n"
    yield "text of one word", "d.txt", "word" * 20_000
    yield "text without an ending", "LICENSE", "All rights.\n\n\nNone.\n" * 300
    yield "a lock file by name", "poetry.lock", "[[package]]\n" * 10


def _damaged_sources() -> Iterator[tuple[str, str, bytes]]:
    for directory in sorted(path for path in SOURCES.iterdir() if path.is_dir() and path.name != "__pycache__"):
        source = next(path for path in sorted(directory.iterdir()) if path.is_file() and path.name != "expected.txt")
        data, name = source.read_bytes(), directory.name
        lines = data.splitlines(keepends=True)
        yield f"{name}: the first half", source.name, data[: len(data) // 2]
        yield f"{name}: the second half", source.name, data[len(data) // 2 :]
        yield f"{name}: every third line gone", source.name, b"".join(x for n, x in enumerate(lines) if n % 3)
        yield f"{name}: lines in reverse", source.name, b"".join(reversed(lines))
        yield f"{name}: brackets gone", source.name, data.translate(None, b"(){}[]")
        yield f"{name}: in one line", source.name, data.replace(b"\n", b" ")[:4_000]
        yield f"{name}: quotes opened", source.name, data.replace(b"\n", b' "\n', 3)


def _all() -> Iterator[tuple[str, tuple[str, bytes]]]:
    for name, content in _bytes_and_encodings():
        yield name, ("m.py", content)
    for makers in (_characters, _size_and_depth, _unfinished):
        for name, text in makers():
            yield name, ("m.py", text.encode())
    for name, path, text in _other_formats():
        yield name, (path, text.encode())
    yield "another language's brackets", ("m.js", b"(" * DEEP + b")" * DEEP)
    yield "deep arrows", ("m.ts", b"const a = " + b"() => " * 2_000 + b"1\n")
    yield "deep elements", ("m.tsx", b"const a = " + b"<a>" * 1_000 + b"</a>" * 1_000)
    yield "deep templates", ("m.cc", b"A<" * 2_000 + b"int" + b">" * 2_000 + b" a;\n")
    yield "deep blocks of C", ("m.c", b"void a(void) " + b"{" * 5_000 + b"}" * 5_000)
    yield "deep conditions of C", ("m.c", b"#if A\n" * 1_000 + b"int a;\n" + b"#endif\n" * 1_000)
    yield "deep generics", ("M.java", b"class M { List<" + b"List<" * 1_000 + b"A" + b">" * 1_001 + b" a; }\n")
    yield (
        "a macro of everything",
        ("m.rs", b"macro_rules! a { ($($t:tt)*) => { $($t)* } }\na! { " + b"[" * 900 + b" }\n"),
    )
    for name, path, content in _damaged_sources():
        yield name, (path, content)


BAD: dict[str, tuple[str, bytes]] = dict(_all())
