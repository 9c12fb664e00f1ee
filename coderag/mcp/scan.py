"""A plain look through the files for the words of a question: what can be answered before there is an index."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import nsmallest
from math import log
from pathlib import Path

from coderag.config import Settings
from coderag.types import Skipped, WalkedFile
from coderag.walk import read, walk

MAX_BYTES = 6_000_000
MAX_WORDS = 20
MAX_LINE = 300
_WORD = re.compile(rb"[\w]{3,}")


@dataclass(frozen=True, slots=True)
class Line:
    """A line with words of the question in it."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Scanned:
    """The best lines, and how many files were not looked at for want of time."""

    lines: tuple[Line, ...]
    files_left: int


def matching_lines(root: Path, settings: Settings, question: str, k: int) -> Scanned:
    """The `k` lines that hold the rarest words of the question; files whose path holds some are looked at first.

    Reads `MAX_BYTES` at most. A word is worth the more the fewer files hold it.
    """
    words = list(dict.fromkeys(each.lower() for each in _WORD.findall(question.encode("utf-8", "replace"))))[:MAX_WORDS]
    walked = walk(root, settings).files
    texts = _texts(root, settings, sorted(walked, key=lambda file: (-_in_path(words, file.path), file.path)))
    lowered = {path: text.lower() for path, text in texts.items()}
    holders = {word: sum(word in text for text in lowered.values()) for word in words}
    worth = {word: log(1 + len(texts) / count) for word, count in holders.items() if count}
    found = nsmallest(k, (each for path, text in lowered.items() for each in _lines(path, text, worth)))
    return Scanned(tuple(_shown(texts[path], path, line) for _, path, line in found), len(walked) - len(texts))


def _in_path(words: list[bytes], path: str) -> int:
    lowered = path.lower().encode("utf-8", "replace")
    return sum(word in lowered for word in words)


def _texts(root: Path, settings: Settings, files: list[WalkedFile]) -> dict[str, bytes]:
    """Path -> text of the first files, secrets masked; those that are no source have an empty one."""
    texts: dict[str, bytes] = {}
    budget = MAX_BYTES
    for file in files:
        budget -= file.stat.size
        if budget < 0:
            break
        source = read(root, file, settings, "")
        texts[file.path] = b"" if isinstance(source, Skipped) else source.text
    return texts


def _lines(path: str, text: bytes, worth: dict[bytes, float]) -> Iterator[tuple[float, str, int]]:
    held = {word: value for word, value in worth.items() if word in text}
    for number, line in enumerate(text.split(b"\n"), 1) if held else ():
        value = sum(value for word, value in held.items() if word in line)
        if value:
            yield -value, path, number


def _shown(text: bytes, path: str, line: int) -> Line:
    return Line(path, line, text.split(b"\n")[line - 1].decode("utf-8", "replace")[:MAX_LINE])
