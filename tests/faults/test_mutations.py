"""Annotated sources of every language with random damage, parsed and chunked here. A number that fails is its own recipe."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from coderag.chunk import chunk_file
from coderag.config import Settings
from coderag.languages import detect_language
from coderag.parse import parse
from coderag.types import FileStat, SourceFile, Span
from coderag.walk.decode import NotText, decode
from tests.faults.invariants import check_chunks

SOURCES = sorted(
    path
    for path in (Path(__file__).parent.parent / "languages").glob("*/*")
    if path.is_file() and path.suffix not in (".pyc", ".txt")
)
PIECES = [
    *(bytes([each]) for each in b"(){}[]<>\"'`#/*;:,.=@$\\\n\t "),
    *(b"/*", b"*/", b'"""', b"//", b"<!--", b"#if 0\n", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\xff", b"\xc3", b"\x1b[0m"),
    *(
        "é".encode(),
        "🚀".encode(),
        "\u2028".encode(),
        "\u202e".encode(),
        b"end",
        b"class ",
        b"def ",
        b"function ",
        b"return",
    ),
]
Mutation = Callable[[bytes, random.Random], bytes]


def between(data: bytes, chance: random.Random, most: int) -> tuple[int, int]:
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.randint(1, most))


def without_a_part(data: bytes, chance: random.Random) -> bytes:
    start, end = between(data, chance, 80)
    return data[:start] + data[end:]


def with_a_part_twice(data: bytes, chance: random.Random) -> bytes:
    start, end = between(data, chance, 200)
    return data[:end] + data[start:]


def with_a_piece(data: bytes, chance: random.Random) -> bytes:
    start, _ = between(data, chance, 1)
    return data[:start] + chance.choice(PIECES) + data[start:]


def with_another_byte(data: bytes, chance: random.Random) -> bytes:
    start, end = between(data, chance, 1)
    return data[:start] + bytes([chance.randrange(1, 256)]) + data[end:]


def with_lines_exchanged(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def cut(data: bytes, chance: random.Random) -> bytes:
    start, _ = between(data, chance, 1)
    return data[:start]


def with_a_stranger_inside(data: bytes, chance: random.Random) -> bytes:
    start, _ = between(data, chance, 1)
    other = chance.choice(SOURCES).read_bytes()
    first, last = between(other, chance, 400)
    return data[:start] + other[first:last] + data[start:]


MUTATIONS: Sequence[Mutation] = (
    without_a_part,
    with_a_part_twice,
    with_a_piece,
    with_a_piece,
    with_another_byte,
    with_lines_exchanged,
    cut,
    with_a_stranger_inside,
)


def mutated(source: Path, number: int) -> bytes:
    chance = random.Random(f"{source.name} {number}")
    data = source.read_bytes()
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        data = chance.choice(MUTATIONS)(data, chance)
    return data


def check(source: Path, number: int) -> None:
    data = mutated(source, number)
    decoded = decode(data)
    if isinstance(decoded, NotText):
        return
    language = detect_language(source.name, decoded.text)
    parsed = parse(decoded.text, language)
    file = SourceFile(source.name, language, decoded.encoding, data, decoded.text, "", FileStat(0, 0, 0, 0))
    order = [symbol.span.start_byte for symbol in parsed.symbols]
    assert order == sorted(order)
    for index, symbol in enumerate(parsed.symbols):
        assert symbol.parent < index
        assert within(symbol.span, len(decoded.text))
        assert symbol.span.start_byte <= symbol.header_end <= symbol.span.end_byte
        if symbol.parent >= 0:
            assert parsed.symbols[symbol.parent].span.start_byte <= symbol.span.start_byte
    check_chunks(chunk_file(file, parsed, Settings()), data, decoded.encoding, language, parsed.problems)


def within(span: Span, size: int) -> bool:
    return 0 <= span.start_byte <= span.end_byte <= size and 1 <= span.start_line <= span.end_line


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.parent.name)
def test_a_damaged_source_is_still_all_there(source: Path) -> None:
    for number in range(10):
        check(source, number)


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.parent.name)
def test_a_source_damaged_in_many_ways_is_still_all_there(source: Path) -> None:
    for number in range(10, 1_400):
        check(source, number)
