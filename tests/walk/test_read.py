"""What becomes of the bytes of a file: decoding, offsets back to the original, what is no text, what is minified, changes."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trees import make

from coderag.config import Settings
from coderag.types import FileStat, Reason, Skipped, SourceFile, WalkedFile
from coderag.walk import elided, original_offsets, read, walk
from coderag.walk.decode import Decoded, NotText, decode

NOWHEN = FileStat(0, 0, 0, 0)


def read_bytes(root: Path, data: bytes, name: str = "a.py", chosen: Settings | None = None) -> SourceFile | Skipped:
    make(root, {name: data})
    return read(root, WalkedFile(name, NOWHEN), chosen or Settings(), "python")


def source(root: Path, data: bytes, name: str = "a.py") -> SourceFile:
    found = read_bytes(root, data, name)
    assert isinstance(found, SourceFile), found
    return found


def refused(root: Path, data: bytes, name: str = "a.py", chosen: Settings | None = None) -> Skipped:
    found = read_bytes(root, data, name, chosen)
    assert isinstance(found, Skipped), f"{len(data)} bytes were read"
    return found


def original(found: SourceFile, part: str) -> bytes:
    """The original bytes of a part of the text, by way of the offsets."""
    start = found.text.index(part.encode())
    offsets = original_offsets(found)
    return found.data[offsets(start) : offsets(start + len(part.encode()))]


# Decoding


def test_what_a_source_file_holds(tmp_path: Path) -> None:
    found = source(tmp_path, b"def a(): return 1\n")
    assert found.text == found.data == b"def a(): return 1\n"
    assert (found.path, found.language, found.encoding, found.notes, found.secrets) == (
        "a.py",
        "python",
        "utf-8",
        (),
        0,
    )
    assert found.content_hash == hashlib.sha256(found.data).hexdigest()
    status = os.stat(tmp_path / "a.py")
    assert found.stat == FileStat(18, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def test_offsets_are_bytes_where_an_emoji_comes_first(tmp_path: Path) -> None:
    found = source(tmp_path, "naïve = '🚀'\ndef café():\n    return 1\n".encode())
    assert found.text.index(b"def") == 16
    assert original(found, "def café():\n    return 1") == "def café():\n    return 1".encode()


def test_byte_order_mark_of_utf8_is_no_part_of_the_text(tmp_path: Path) -> None:
    found = source(tmp_path, b"\xef\xbb\xbfdef a(): return 1")
    assert (found.encoding, found.text) == ("utf-8-sig", b"def a(): return 1")
    assert original_offsets(found)(0) == 3
    assert original(found, "a()") == b"a()"


def test_latin1_is_told_and_offsets_stay_on_the_original(tmp_path: Path) -> None:
    found = source(tmp_path, b"def caf\xe9(): return 1\n\xe9\xe8 = 2\n")
    assert (found.encoding, found.text.decode()) == ("latin-1", "def café(): return 1\néè = 2\n")
    assert "Latin-1" in found.notes[0]
    assert original(found, "café") == b"caf\xe9"
    assert original(found, "= 2") == b"= 2"
    assert original(found, "è = 2\n") == b"\xe8 = 2\n"


@pytest.mark.parametrize(("encoding", "mark"), [("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")])
def test_utf16_by_its_mark(tmp_path: Path, encoding: str, mark: bytes) -> None:
    text = "# naïve 🚀 日本\ndef café():\n    return 1\n"
    found = source(tmp_path, mark + text.encode(encoding))
    assert (found.encoding, found.text.decode()) == (encoding, text)
    assert original(found, "def café()") == "def café()".encode(encoding)
    assert original(found, "🚀") == "🚀".encode(encoding)


@pytest.mark.parametrize(
    "text", ["", " \n\t\n", "x = 1", "# only a comment", "a\r\nb\r\n", "a\rb", "\x0c\nx = 1\n", "\x1b[1mbold\x1b[0m"]
)
def test_small_texts_are_texts(tmp_path: Path, text: str) -> None:
    assert source(tmp_path, text.encode()).text.decode() == text


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])
def test_only_a_mark_is_an_empty_text(tmp_path: Path, data: bytes) -> None:
    assert source(tmp_path, data).text == b""


ENCODINGS = {"utf-8": b"", "utf-8-sig": b"", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(max_examples=40, derandomize=True, database=None)
@given(text=st.text(st.characters(min_codepoint=32, exclude_categories=["Cs", "Cc"]), max_size=40))
def test_every_character_is_found_again_in_the_original(encoding: str, text: str) -> None:
    data = ENCODINGS[encoding] + text.encode(encoding)
    if encoding == "utf-8" and text.startswith("\ufeff"):
        return
    decoded = decode(data)
    assert isinstance(decoded, Decoded)
    assert decoded.text.decode() == text
    made = SourceFile("a", "text", decoded.encoding, data, decoded.text, "", NOWHEN)
    offsets = original_offsets(made)
    plain = encoding.removesuffix("-sig")
    at, start = 0, len(data) - len(text.encode(plain))
    for character in text:
        assert offsets(at) == start
        for inside in range(1, len(character.encode())):
            assert plain == "utf-8" or offsets(at + inside) == start
        at, start = at + len(character.encode()), start + len(character.encode(plain))
    assert offsets(at) == start == len(data)


@settings(max_examples=60, derandomize=True, database=None)
@given(text=st.text(st.sampled_from("abc =\n\xe9\xe8\xfc\xdf\xa7"), max_size=60))
def test_every_latin1_character_is_found_again(text: str) -> None:
    data = text.encode("latin-1")
    decoded = decode(data)
    assert isinstance(decoded, Decoded)
    offsets = original_offsets(SourceFile("a", "text", decoded.encoding, data, decoded.text, "", NOWHEN))
    if decoded.encoding == "latin-1":
        assert [offsets(len(text[:end].encode())) for end in range(len(text) + 1)] == list(range(len(text) + 1))


# What is no text


@pytest.mark.parametrize(
    "data",
    [
        b"x = 1\0",
        "def a(): return 1".encode("utf-16-le"),
        "def a(): return 1".encode("utf-16-be"),
        gzip.compress(b"def a(): return 1\n" * 100, mtime=0),
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4,
        bytes(range(1, 32)) * 20,
        b"\x01\x02\x03\x04\x05\x06" * 40,
    ],
)
def test_binary_data_called_python(tmp_path: Path, data: bytes) -> None:
    assert refused(tmp_path, data).reason is Reason.BINARY


@pytest.mark.parametrize("size", [64, 300, 5_000, 200_000])
@pytest.mark.parametrize("lowest", [0, 1, 9])
def test_random_bytes_are_never_taken_for_latin1(tmp_path: Path, size: int, lowest: int) -> None:
    generator = random.Random(size)
    data = bytes(generator.randrange(lowest, 256) for _ in range(size))
    assert refused(tmp_path, data).reason is Reason.BINARY


def test_text_in_an_old_eastern_encoding_is_kept_as_it_can_be(tmp_path: Path) -> None:
    """It reads as Latin-1 nonsense in the comments, but its names are found."""
    for encoding in ("euc-jp", "cp1251", "gb2312"):
        text = (
            "def total(): # "
            + {"euc-jp": "合計", "cp1251": "сумма", "gb2312": "合计"}[encoding]
            + "\n    return 1\n" * 4
        )
        assert b"def total()" in source(tmp_path, text.encode(encoding)).text


@pytest.mark.parametrize(
    "data",
    [b"\xff\xfea\0b", b"\xfe\xff\0a\0", b"\xff\xfe" + b"\x00\xd8a\0", b"\xfe\xff\xdc\x00\0a", b"\xff\xfe\0\0a\0\0\0"],
)
def test_broken_utf16_and_utf32_are_undecodable(tmp_path: Path, data: bytes) -> None:
    assert refused(tmp_path, data).reason is Reason.UNDECODABLE


def test_nul_far_behind_the_beginning_is_no_reason(tmp_path: Path) -> None:
    assert source(tmp_path, b"x = 1\n" * 2000 + b"\0").encoding == "utf-8"


@settings(max_examples=100, derandomize=True, database=None)
@given(data=st.binary(max_size=200))
def test_any_bytes_are_text_or_have_a_reason(data: bytes) -> None:
    decoded = decode(data)
    assert isinstance(decoded, NotText) or decoded.text.decode("utf-8") is not None


# Minified, and long literals in ordinary code


DRAW = "export function draw(){ return logo }\n"
PICTURE = base64.b64encode(random.Random(1).randbytes(150_000)).decode()
SENTENCE = "the quick brown fox jumps over the lazy dog " * 5_000


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("vendor.min.js", "function a(b){return b}" * 13_000),
        ("vendor.js", "function a(b){return b}" * 13_000),
        ("licensed.js", "/*!\n * Licensed to you\n * under some terms\n */\n" + "function a(b){return b};" * 2_000),
        ("small.min.js", "!function(a,b){return a(b)}(c,d);" * 60),
        ("style.min.css", ".a{color:red}.b{margin:0 auto}" * 100),
        ("wrapped.js", ("var a=function(b){return b};" * 60 + "\n") * 40),
        ("data.json", json.dumps([{"id": number, "name": f"n{number}"} for number in range(9_000)])),
        ("quoted.js", 'var a="x",b=function(c){return c+"y"};' * 1_000),
    ],
)
def test_minified(tmp_path: Path, name: str, data: str) -> None:
    assert refused(tmp_path, data.encode(), name).reason is Reason.MINIFIED


@pytest.mark.parametrize(
    "line",
    [
        f'const logo = "data:image/png;base64,{PICTURE}";',
        f"const logo = '{PICTURE}';",
        f"const logo = `{PICTURE}`;",
        f"const logo = '{SENTENCE}';",
        "const logo = [" + ", ".join(str(number) for number in range(40_000)) + "];",
        "const logo = [" + ",".join(f"0x{number:04x}" for number in range(40_000)) + "];",
        "const logo = [" + ", ".join(f"{number}.25e-3" for number in range(30_000)) + "];",
        "const logo = " + json.dumps({f"key{number}": [number, None, "v"] for number in range(10_000)}) + ";",
        "const logo = [" + ",".join(f"{{id:{number},name:'n{number}'}}" for number in range(10_000)) + "];",
        "const logo = " + json.dumps(json.dumps({f"key{number}": "it's" for number in range(10_000)})) + ";",
        "const logo = '" + "\\u4e00" * 30_000 + "';",
        f"// {PICTURE}",
    ],
)
def test_one_long_line_in_ordinary_code_loses_its_literal_only(tmp_path: Path, line: str) -> None:
    data = f"{line}\n{DRAW}"
    found = source(tmp_path, data.encode(), "logo.js")
    assert found.text == data.encode()
    shown = elided(data)
    assert shown.endswith(f"\n{DRAW}")
    assert shown.startswith(line[:13])
    assert len(shown) < 1_500
    assert "bytes left out]…" in shown


def test_one_long_line_of_code_does_not_cost_a_file_of_code(tmp_path: Path) -> None:
    ordinary = "".join(f"function f{number}(a) {{\n  return a + {number};\n}}\n" for number in range(2_000))
    source(tmp_path, (ordinary + "function a(b){return b}" * 4_000 + "\n").encode(), "mixed.js")


def test_four_thousand_functions_are_no_reason(tmp_path: Path) -> None:
    data = "".join(f"def function_{number}(argument):\n    return argument + {number}\n\n" for number in range(4_000))
    assert len(source(tmp_path, data.encode()).text) > 200_000


def test_notebook_in_one_line_is_a_notebook(tmp_path: Path) -> None:
    cells = [{"cell_type": "code", "source": [f"def clean_{number}(df): return df\n"]} for number in range(500)]
    source(tmp_path, json.dumps({"cells": cells}).encode(), "n.ipynb")


def test_generated_code_with_ordinary_lines_is_kept(tmp_path: Path) -> None:
    source(
        tmp_path,
        b"# Generated by the protocol buffer compiler.  DO NOT EDIT!\nclass Order:\n    pass\n",
        "order_pb2.py",
    )


def test_line_limit_is_a_setting(tmp_path: Path) -> None:
    data = b"function a(b){return b}" * 50
    assert refused(tmp_path, data, "a.js", Settings(max_line_bytes=1_000)).reason is Reason.MINIFIED
    source(tmp_path, data, "a.js")


def test_elided_tells_how_much_it_leaves_out() -> None:
    assert elided("x = '" + "A" * 2_000 + "'") == "x = '" + "A" * 60 + "…[1940 bytes left out]…'"
    assert elided("x = '" + "é" * 2_000 + "'") == "x = '" + "é" * 60 + "…[3880 bytes left out]…'"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "short",
        "A" * 1_000,
        "word " * 900,
        "\n".join(["A" * 900] * 9),
        "x = [" + "1, " * 1_000 + "]",
        "a b c\n" * 999,
    ],
)
def test_elided_leaves_what_is_no_literal(text: str) -> None:
    assert elided(text) == text


def test_long_text_of_three_byte_characters_is_never_cut_inside_of_one(tmp_path: Path) -> None:
    text = '"""' + "合" * 3_000 + '"""\n'
    shown = elided(source(tmp_path, text.encode()).text.decode())
    assert shown == '"""' + "合" * 60 + "…[8820 bytes left out]…" + '"""\n'


@pytest.mark.parametrize(
    "unit",
    ['\\"', '"\\\\', "'\"", "a$", "a  ", "1e", "'", "a:", "-----BEGIN PRIVATE KEY-----\n", "-eyJ", "token", "://a:"],
)
def test_text_made_to_backtrack_is_judged_in_its_length(tmp_path: Path, unit: str) -> None:
    """Half a megabyte; anything quadratic would not end within a test run."""
    read_bytes(tmp_path, (unit * (500_000 // len(unit))).encode())
    elided(unit * (500_000 // len(unit)))


# Opening


def test_path_out_of_the_root_is_not_opened(tmp_path: Path) -> None:
    make(tmp_path, {"root/a.py": "", "private.txt": "private"})
    for path in (
        "../private.txt",
        "a/../../private.txt",
        str(tmp_path / "private.txt"),
        "",
        ".",
        "a.py/",
        "a//b",
        "a\0b",
    ):
        found = read(tmp_path / "root", WalkedFile(path, NOWHEN), Settings(), "text")
        assert isinstance(found, Skipped), path
        assert found.reason in (Reason.OUTSIDE_ROOT, Reason.NOT_REGULAR)


@pytest.mark.parametrize(("target", "reason"), [("{out}", Reason.OUTSIDE_ROOT), ("real", Reason.NOT_REGULAR)])
def test_link_put_in_the_place_of_a_file_or_directory_is_not_followed(
    tmp_path: Path, target: str, reason: Reason
) -> None:
    outside = make(tmp_path / "outside", {"a.py": "private"})
    root = make(tmp_path / "root", {"real/a.py": ""})
    (root / "directory").symlink_to(target.format(out=outside))
    (root / "file.py").symlink_to(target.format(out=outside) + "/a.py")
    for path in ("directory/a.py", "file.py"):
        found = read(root, WalkedFile(path, NOWHEN), Settings(), "python")
        assert isinstance(found, Skipped)
        assert found.reason is reason


def test_fifo_put_in_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.py")
    assert read(tmp_path, WalkedFile("x.py", NOWHEN), Settings(), "python") == Skipped(
        "x.py", Reason.NOT_REGULAR, "FIFO"
    )


def test_file_that_is_gone_or_became_a_directory(tmp_path: Path) -> None:
    make(tmp_path, {"d/": ""})
    assert read(tmp_path, WalkedFile("a.py", NOWHEN), Settings(), "python") == Skipped(
        "a.py", Reason.UNREADABLE, "No such file or directory"
    )
    assert read(tmp_path, WalkedFile("d", NOWHEN), Settings(), "python") == Skipped(
        "d", Reason.NOT_REGULAR, "directory"
    )


def test_file_that_grew_over_the_limit(tmp_path: Path) -> None:
    assert refused(tmp_path, b"x" * 11, chosen=Settings(max_file_bytes=10)).reason is Reason.TOO_LARGE


def test_read_error_costs_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(descriptor: int, size: int) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "read", failing)
    assert refused(tmp_path, b"x") == Skipped("a.py", Reason.UNREADABLE, "Input/output error")


# Changing while it is read


@pytest.fixture
def changing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """The next n readings find the file one byte longer afterwards than before."""
    reading = os.read

    def change(times: int) -> None:
        left = [times]

        def read_and_change(descriptor: int, size: int) -> bytes:
            data = reading(descriptor, size)
            if data and left[0]:
                left[0] -= 1
                with open(tmp_path / "a.py", "ab") as file:
                    file.write(b"+")
            return data

        monkeypatch.setattr(os, "read", read_and_change)

    return change


def test_file_that_changes_three_times_is_read_a_fourth_time(tmp_path: Path, changing: Callable[[int], None]) -> None:
    changing(3)
    found = source(tmp_path, b"x = 1 ")
    assert found.data == b"x = 1 +++"
    assert found.stat.size == 9


def test_file_that_goes_on_changing_is_skipped(tmp_path: Path, changing: Callable[[int], None]) -> None:
    changing(100)
    assert refused(tmp_path, b"x = 1 ").reason is Reason.CHANGING


def test_file_replaced_while_it_is_read_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = os.read

    def read_and_replace(descriptor: int, size: int) -> bytes:
        if (tmp_path / "new").exists():
            os.replace(tmp_path / "new", tmp_path / "a.py")
        return reading(descriptor, size)

    make(tmp_path, {"new": "new"})

    monkeypatch.setattr(os, "read", read_and_replace)
    assert source(tmp_path, b"old").data == b"new"


def test_walked_size_is_only_a_hint(tmp_path: Path) -> None:
    make(tmp_path, {"a.py": "one"})
    (walked,) = walk(tmp_path, Settings()).files
    make(tmp_path, {"a.py": "three"})
    found = read(tmp_path, replace(walked, stat=NOWHEN), Settings(), "python")
    assert isinstance(found, SourceFile)
    assert (found.data, found.stat.size) == (b"three", 5)


@settings(max_examples=40, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300))
def test_no_bytes_make_read_fail(tmp_path: Path, data: bytes) -> None:
    found = read_bytes(tmp_path, data)
    assert isinstance(found, Skipped) or found.data == data
