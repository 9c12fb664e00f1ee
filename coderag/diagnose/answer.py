"""A model's answer as what can be checked: its code, its diffs, and the names and paths that its prose puts in back-ticks. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import dedent

from coderag.diagnose.patch import FilePatch, is_patch, read_patches
from coderag.languages import BY_NAME, LANGUAGES, detect_language

_FENCE = re.compile(r"(\s*)(`{3,}|~{3,})\s*([^`]*)$")
_SPAN = re.compile(r"(?<!`)(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)")
_TITLE = re.compile(r"""(?:title|file|filename|path)\s*=\s*["']?([^"'\s}]+)""")
_PATH = re.compile(r"(?:[\w.@+-]+/)*[\w.@+-]*\.\w{1,8}")
_ALONE = re.compile(
    r"[\s#*_:>`\-]*(?:in|file|path|create|edit|update|modify)?[\s*_`:]*([\w./@+-]+\.\w{1,8})[\s*_`:(]*.{0,24}$", re.I
)
_COMMENT = re.compile(
    r"\s*(?://|#|--|/\*|<!--|;)\s*(?:file(?:name)?\s*:\s*)?([\w.@+-]+(?:/[\w.@+-]+)+\.\w{1,8})\s*(?:\*/|-->)?\s*$", re.I
)
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*)*")
_CODE_LIKE = re.compile(r"[a-z0-9][A-Z]|\w_\w|\.|::|->|#")
_OF_A_DIFF = ("diff --git ", "--- ", "Index: ", "From ", "commit ")
_PROPOSING = re.compile(
    r"\b(?:new|create|add|adding|introduc\w+|call it|named?|rename\w*|would|e\.g\.|for example|such as"
    r"|hypothetical)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Snippet:
    """A block of code: its language (a row of the table), the path that it is said to be of ("" for none), and where it begins."""

    language: str
    path: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Mention:
    """A name or a path in the prose. `called`: written with parentheses. `proposed`: its line speaks of something new."""

    text: str
    is_path: bool
    line: int
    called: bool = False
    proposed: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer holds, in order."""

    snippets: tuple[Snippet, ...] = ()
    patches: tuple[FilePatch, ...] = ()
    mentions: tuple[Mention, ...] = ()


@dataclass(frozen=True, slots=True)
class _Block:
    info: str
    text: str
    line: int
    above: str


def read_answer(text: str) -> Answer:
    """Take an answer apart: Markdown with fenced code, a bare diff, or both."""
    text = text.replace("\r\n", "\n")
    if text.lstrip().startswith(_OF_A_DIFF) and is_patch(text):
        return Answer(patches=tuple(read_patches(text)))
    blocks, prose = _parted(text.split("\n"))
    if not blocks and is_patch(text):
        return Answer(patches=tuple(read_patches(text)))
    snippets: list[Snippet] = []
    patches: list[FilePatch] = []
    for block in blocks:
        if is_patch(block.text) or block.info.split(" ")[0].casefold() in ("diff", "patch"):
            patches += read_patches(block.text, block.line)
        elif snippet := _snippet(block):
            snippets.append(snippet)
    return Answer(tuple(snippets), tuple(patches), tuple(_mentions(prose)))


def _parted(lines: Sequence[str]) -> tuple[list[_Block], list[tuple[int, str]]]:
    """Fenced blocks, and the lines of prose between them by number."""
    blocks: list[_Block] = []
    prose: list[tuple[int, str]] = []
    fence, info, begun, above = "", "", 0, ""
    for number, line in enumerate(lines, 1):
        found = _FENCE.match(line)
        if fence:
            if found and found[2].startswith(fence) and not found[3].strip():
                blocks.append(_Block(info, "\n".join(lines[begun : number - 1]), begun + 1, above))
                fence = ""
        elif found:
            fence, info, begun = found[2], found[3].strip(), number
            above = next((each for _, each in reversed(prose[-2:]) if each.strip()), "")
        else:
            prose.append((number, line))
    if fence:  # an answer that was cut off
        blocks.append(_Block(info, "\n".join(lines[begun:]), begun + 1, above))
    return blocks, prose


def _snippet(block: _Block) -> Snippet | None:
    """A block as code; None for one of no language that the table has."""
    path = _path_of(block)
    word = re.split(r"[\s:{,]", block.info.casefold(), maxsplit=1)[0].lstrip(".")
    language = _language(word) or (detect_language(path) if path else "")
    if language not in BY_NAME or not BY_NAME[language].code:
        return None
    return Snippet(language, path, dedent(block.text), block.line)


def _path_of(block: _Block) -> str:
    """The path that a block is said to be of: in its info string, alone on the line above, or in a comment on its first line."""
    title = _TITLE.search(block.info)
    if title:
        return _plain(title[1])
    words = [word for word in re.split(r"[\s:]", block.info) if "/" in word or _PATH.fullmatch(word)]
    if words and _PATH.fullmatch(words[0]):
        return _plain(words[0])
    first = block.text.partition("\n")[0]
    for pattern, line in ((_COMMENT, first), (_ALONE, block.above)):
        found = pattern.match(line)
        if found:
            return _plain(found[1])
    return ""


def _plain(path: str) -> str:
    return path.removeprefix("./").strip("`*")


def _language(word: str) -> str:
    """The language that a fence names, by its own name or an extension; "" for none."""
    if word in BY_NAME:
        return word
    return next((row.name for row in LANGUAGES if f".{word}" in row.extensions or word in row.interpreters), "")


# Prose


def _mentions(prose: Sequence[tuple[int, str]]) -> Iterator[Mention]:
    for number, line in prose:
        proposed = bool(_PROPOSING.search(_SPAN.sub("", line)))
        for span in _SPAN.finditer(line):
            mention = _mention(span[2].strip(), number, proposed)
            if mention:
                yield mention


def _mention(text: str, line: int, proposed: bool) -> Mention | None:
    place = re.sub(r":\d+(?:-\d+)?$", "", text)
    if "/" in place and _PATH.fullmatch(place) and "//" not in place:
        return Mention(_plain(place), True, line, proposed=proposed)
    called = text.endswith(")") and "(" in text
    name = text.partition("(")[0] if called else text
    if not _NAME.fullmatch(name) or not (called or _CODE_LIKE.search(name)):
        return None
    if _is_file_name(name):
        return Mention(name, True, line, proposed=proposed)
    return Mention(name, False, line, called, proposed)


def _is_file_name(name: str) -> bool:
    stem, dot, extension = name.rpartition(".")
    return bool(dot) and "." not in stem and any(f".{extension}" in row.extensions for row in LANGUAGES)
