"""What holds for the chunks of any file, however broken: where they are, what they show, and that they show all of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coderag.languages import view_of
from coderag.types import Chunk, Kind, Problem

LONG = 1_000
CODECS = {"utf-8-sig": "utf-8"}
MARKS = {"utf-8-sig": 3, "utf-16-le": 2, "utf-16-be": 2}
WORD = re.compile(r"\w+")


def check_chunks(
    chunks: Sequence[Chunk], data: bytes, encoding: str, language: str, problems: Sequence[Problem]
) -> None:
    """A format whose text is not the file's (a notebook) shows what it can read of it, and has a problem where it can read nothing."""
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    for chunk in chunks:
        check_span(chunk, data, encoding)
    if view_of(language) is not None:
        assert chunks or problems or not decoded(data, encoding).strip()
        return
    for chunk in chunks:
        check_text(chunk, data, encoding)
    check_lines(chunks, data, encoding)


def decoded(data: bytes, encoding: str) -> str:
    return data[MARKS.get(encoding, 0) :].decode(CODECS.get(encoding, encoding))


def check_span(chunk: Chunk, data: bytes, encoding: str) -> None:
    span = chunk.span
    assert MARKS.get(encoding, 0) <= span.start_byte <= span.end_byte <= len(data)
    before = decoded(data[: span.start_byte], encoding)
    inside = data[span.start_byte : span.end_byte].decode(CODECS.get(encoding, encoding))
    assert before.count("\n") + 1 == span.start_line
    last = before.count("\n") + inside.count("\n") + 1
    assert span.end_line in ((last - 1, last) if inside.endswith("\n") else (last,))
    shown = chunk.text + chunk.before + chunk.after + chunk.signature + chunk.doc
    assert "\ufffd" not in shown or "\ufffd" in decoded(data, encoding)


def is_whole(chunk: Chunk) -> bool:
    return chunk.kind is not Kind.MODULE and bool(chunk.symbol) and chunk.parts == 1 and "…" not in chunk.text


def check_text(chunk: Chunk, data: bytes, encoding: str) -> None:
    """A chunk that shows all of a symbol shows the bytes of its span, runs of blank lines and returns at line ends aside."""
    if not is_whole(chunk):
        return
    inside = data[chunk.span.start_byte : chunk.span.end_byte].decode(CODECS.get(encoding, encoding))
    wanted = [line.rstrip("\r") for line in inside.split("\n")]
    shown = chunk.text.split("\n")
    assert [line for line in shown if line.strip()] == [line for line in wanted if line.strip()]


def check_lines(chunks: Sequence[Chunk], data: bytes, encoding: str) -> None:
    """Every word of every line is in a chunk that holds the line; of over-long lines only the chunk is asked for."""
    lines = decoded(data, encoding).split("\n")
    texts: list[list[str]] = [[] for _ in lines]
    for chunk in chunks:
        for number in range(chunk.span.start_line - 1, min(chunk.span.end_line, len(lines))):
            texts[number].append(chunk.text)
    for number, line in enumerate(lines):
        if line.strip():
            assert texts[number], f"line {number + 1} is in no chunk: {line[:80]!r}"
            if len(line) <= LONG:
                check_words(line, texts[number], number + 1)


def check_words(line: str, texts: list[str], number: int) -> None:
    if any(line.strip() in text for text in texts):
        return
    for word in WORD.findall(line):
        assert any(word in text for text in texts), f"line {number}: {word[:80]!r} of {line[:120]!r}"
