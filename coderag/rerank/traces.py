"""Stack traces: which frames a text has, and in which chunks of the repository they stand.

`FORMATS` is the table of what a frame looks like, one row for each way of writing; a text may mix them. Frames come in the order in
which they matter: those of the first cause first, and among them the innermost. They are mapped by the end of their path, the symbol
and the line; lines drift, so the symbol counts more. Frames outside of the repository are ignored.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from coderag.recall.expressions import MAX_CHARACTERS
from coderag.recall.snapshot import Snapshot
from coderag.rerank.neighbours import Linked, used_by, users_of
from coderag.types import Chunk, Definition, Hit

NAME: Final = "trace"
AROUND: Final = "around trace"
INNERMOST: Final = 4  # frames whose neighbours in the graph are proposed
MAX_AROUND: Final = 60
MAX_FRAMES: Final = 300
SPOKEN: Final = 3
"""Frames whose line of code is searched for as words."""

MAX_LISTED: Final = 4  # files that a note about an ambiguous frame names


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame as written: a path, a file name or "", a qualified symbol or "", a line or 0; `code` is the line of source below it."""

    path: str
    symbol: str
    line: int
    code: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """How a frame is written: groups `path`, `symbol`, `line` and `code`, of which `path` or `symbol` must be there.

    `innermost_last` and `cause_last` say in which order frames and the traces of several exceptions stand; `packaged` that the
    folders are told by the symbol, as on the Java machine.
    """

    pattern: str
    innermost_last: bool = False
    cause_last: bool = True
    packaged: bool = False


def _format(*parts: str, innermost_last: bool = False, cause_last: bool = True, packaged: bool = False) -> Format:
    return Format("".join(parts), innermost_last, cause_last, packaged)


_LINE = r"(?P<line>\d{1,9})"
_PATH = r"(?P<path>[^\s()<>\"']{1,400}?\.\w{1,8})"
_TOKEN_START = r"(?<![^\s'\"`(\[])"
_NUMBER = r"^[ \t]*#\d{1,4}[ \t]+(?:0x[0-9a-f]+ in )?"
_C_NAME = r"(?P<symbol>[\w:~.<>$*&]{1,300})"
_SWIFT_FAILURE = r"(?:Fatal error|Assertion failed|Precondition failed|fatal error)"

FORMATS: Final[Mapping[str, Format]] = {
    "python": _format(
        rf'^[^"\n]{{0,40}}?File "(?P<path>[^"\n]{{1,400}})", line {_LINE}(?:, in (?P<symbol>[^\s(]+))?[^\n]*',
        r"(?:\n(?![^\"\n]{0,40}?File \")[^\n]{0,20}?[ \t]{2,}(?P<code>\S[^\n]*))?(?:\n[^\w\n]*[\^~]+[^\w\n]*$)?",
        innermost_last=True,
        cause_last=False,
    ),
    "python call": _format(
        r"^[^\w\n]{0,8}TypeError: (?=(?P<symbol>(?:\w+\.)*\w+)\(\) (?:got |missing \d|takes ))",
        innermost_last=True,
        cause_last=False,
    ),
    "rich": _format(
        rf"^[ \t]*(?P<path>[^\s:]{{1,400}}\.pyi?):{_LINE} in (?P<symbol>[\w<>.]+)[ \t]*$",
        r"(?:(?:\n[^\n]*){0,9}?\n[ \t]*\u2771[ \t]*\d+ [^\w\n]*(?P<code>[^\n]*))?",
        innermost_last=True,
        cause_last=False,
    ),
    "pytest": _format(
        rf"^(?P<path>[^\s:]{{1,400}}\.pyi?):{_LINE}: (?:in (?P<symbol>[\w<>.]+)[ \t]*$(?:\n[ \t]+(?P<code>\S[^\n]*))?|(?:[A-Z]\w*)?$)",
        innermost_last=True,
        cause_last=False,
    ),
    "notebook": _format(
        r"^(?P<path>[^\s()]{1,400}\.py) in (?P<symbol>[\w<>.]+)\([^\n]{0,400}\)$",
        rf"(?:(?:\n[^\n]*){{0,9}}?\n-+> {_LINE} (?P<code>[^\n]*))?",
        innermost_last=True,
        cause_last=False,
    ),
    "jvm": _format(
        r"^[^\n(]{0,12}?\bat (?:[\w.-]+(?:@[\w.-]+)?/{1,2})?(?P<symbol>[\w$.<>-]{1,300})",
        rf"\((?P<path>[\w$-]+\.(?:java|kt|kts|scala|groovy|clj)):{_LINE}\)",
        packaged=True,
    ),
    "javascript": _format(
        r"^[ \t]*at (?:async )?(?:new )?(?:(?P<symbol>[^\s()]{1,200})(?: \[as [^\]\n]{1,80}\])? \()?",
        rf"(?:file://|webpack-internal:///)?(?P<path>[^\s()<>]{{1,400}}?):{_LINE}:\d{{1,7}}\)?[ \t]*$",
        cause_last=False,
    ),
    "firefox": _format(
        rf"^(?P<symbol>[\w$./<>]{{0,200}})@(?:file://)?(?P<path>[^\s@]{{1,400}}?):{_LINE}:\d{{1,7}}[ \t]*$",
    ),
    "c#": _format(
        r"^[ \t]*at (?P<symbol>[\w.`<>+\[\],|]{1,300})\([^\n]{0,400}?\)",
        rf" in (?P<path>[^\n]{{1,400}}?):line {_LINE}",
        cause_last=False,
    ),
    "go": _format(
        r"^(?:created by )?(?P<symbol>[\w./*()@~-]{1,300}?)(?:\([^()\n]{0,400}\))?(?: in goroutine \d+)?\n",
        rf"[ \t]+(?P<path>[^\s:]{{1,400}}\.go):{_LINE}",
        cause_last=False,
    ),
    "rust": _format(
        r"^[ \t]*\d{1,4}:[ \t]+(?:0x[0-9a-f]+ - )?(?P<symbol>[^\n]{1,300})\n",
        rf"[ \t]+at (?P<path>[^\s:]{{1,400}}\.rs):{_LINE}",
    ),
    "rust panic": _format(
        rf"panicked at (?:'[^\n]{{0,400}}', )?(?P<path>[^\s:']{{1,400}}\.rs):{_LINE}", cause_last=False
    ),
    "sanitizer": _format(
        rf"{_NUMBER}{_C_NAME}(?:\([^()\n]{{0,300}}\))?[ \t]+(?P<path>[^\s()]{{1,400}}?\.\w{{1,4}}):{_LINE}",
        cause_last=False,
    ),
    "gdb": _format(
        rf"{_NUMBER}{_C_NAME} ?\([^\n]{{0,1000}}\)(?:\n[ \t]+|[ \t]+)at (?P<path>[^\s:]{{1,400}}):{_LINE}",
        cause_last=False,
    ),
    "lldb": _format(
        r"^[ \t*]*frame #\d{1,4}: (?:0x[0-9a-f]+ )?[^\n`]{0,200}`(?P<symbol>[\w:~.<>$]{1,300})",
        rf"[^\n]{{0,400}}? at (?P<path>[^\s:]{{1,400}}):{_LINE}",
        cause_last=False,
    ),
    "undefined behaviour": _format(
        rf"^(?P<path>[^\s:]{{1,400}}\.\w{{1,4}}):{_LINE}:\d{{1,6}}: runtime error: ", cause_last=False
    ),
    "assertion": _format(
        rf"{_TOKEN_START}(?P<path>[\w./\\-]{{1,400}}\.\w{{1,4}}):{_LINE}: (?:[^\n:(]{{0,200}}?[ *&])?",
        r"(?P<symbol>[\w:~]{1,200})(?:\([^\n]{0,300}?\))?: Assertion",
        cause_last=False,
    ),
    "assertion of macos": _format(
        r"Assertion failed: [^\n]{0,400}?, function (?P<symbol>[\w:~]{1,200}), ",
        rf"file (?P<path>[^\s,]{{1,400}}), line {_LINE}",
        cause_last=False,
    ),
    "ruby": _format(
        rf"{_TOKEN_START}(?P<path>[^\s:'\"`()]{{1,400}}\.(?:rb|rake|ru|erb|gemspec)):{_LINE}",
        r"(?::in [`'](?:[\w ]{1,40} in )?(?P<symbol>[^'\n]{1,200})')?",
    ),
    "php": _format(
        rf"^#\d{{1,4}} (?P<path>[^\s(]{{1,400}}\.\w{{1,6}})\({_LINE}\): (?P<symbol>[\w\\:>{{}}-]{{1,300}})\(",
        cause_last=False,
    ),
    "php failure": _format(rf"\bin (?P<path>[^\s:(]{{1,400}}\.php)(?:(?: on line |:){_LINE})", cause_last=False),
    "elixir": _format(
        r"^[ \t]+(?:\([\w ./-]{1,80}\) )?",
        rf"(?P<path>[\w./-]{{1,400}}\.exs?):{_LINE}: (?:anonymous fn/\d+ in )?(?P<symbol>[\w.!?]{{1,300}})(?:/\d|\()",
    ),
    "valgrind": _format(
        rf"^==\d+==[ \t]+(?:at|by) 0x[0-9A-F]+: {_C_NAME}(?:\([^\n]{{0,300}}?\))? \((?P<path>[^\s:()]{{1,400}}):{_LINE}\)",
        cause_last=False,
    ),
    "lua": _format(
        rf"^[ \t]*(?P<path>[^\s:]{{1,400}}\.lua):{_LINE}: in (?:(?:function|method|local|upvalue|field|global) )*",
        r"(?:'(?P<symbol>[^'\n]{1,200})'|<[^>\n]{1,400}>|main chunk)",
    ),
    "haskell": _format(
        rf"(?P<symbol>[\w']{{1,200}}), called at (?P<path>[^\s:]{{1,400}}\.hs):{_LINE}:\d{{1,7}} in ", cause_last=False
    ),
    "zig": _format(
        rf"^(?P<path>[^\s:]{{1,400}}\.zig):{_LINE}:\d{{1,7}}: 0x[0-9a-f]+ in (?P<symbol>\w{{1,300}})", cause_last=False
    ),
    "swift": _format(rf"{_TOKEN_START}{_PATH}:{_LINE}: {_SWIFT_FAILURE}", cause_last=False),
    "old swift": _format(rf"{_SWIFT_FAILURE}[^\n]{{0,400}}?: file {_PATH}, line {_LINE}", cause_last=False),
    "swift frame": _format(
        r"^[ \t]*\d{1,4}[ \t]+(?:\[[\w ]{1,20}\] )?(?:0x[0-9a-f]+ )?(?P<symbol>[\w.]{1,300})\([^\n]{0,300}?\)",
        rf"[^\n]{{0,200}}? at (?P<path>[^\s:]{{1,400}}\.swift):{_LINE}",
        cause_last=False,
    ),
}
"""Every way of writing a frame. Of matches that overlap the first counts, then the longest, then the earlier row."""

_MAY_HAVE_FRAMES = re.compile(r"[:(@]\d|\bline \d|> \d")
"""Every format has the number of a line."""

_NEXT_CAUSE = re.compile(
    r"^[^\n]{0,20}(?:Caused by:|During handling of the above exception|The above exception was the direct cause|"
    r"--- End of inner exception|Next \w|\[cause\]:)[^\n]*",
    re.MULTILINE,
)


_HELPER = re.compile(
    r"[A-Za-z]*(?:malloc|calloc|realloc|strdup|memdup|memcpy)|(?:assert|panic|abort|unreachable|unwrap)(?:_failed|_fmt|_handler)?\w{0,8}$",
    re.IGNORECASE,
)
"""Names of what only carries the news: allocators in a report of a leak, and what ends a program."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The frames of a text, those that matter most first, and what the text says beside them."""

    frames: tuple[Frame, ...]
    message: str


def read_trace(text: str) -> Trace:
    """The frames of every format in a text. Without frames the message is the text."""
    if _MAY_HAVE_FRAMES.search(text) is None:
        return Trace((), text[:MAX_CHARACTERS])
    text = _unframed(text[:MAX_CHARACTERS])
    found = _matches(text)
    causes = [match.start() for match in _NEXT_CAUSE.finditer(text)]
    blocks: defaultdict[int, list[tuple[Format, re.Match[str]]]] = defaultdict(list)
    for form, match in found:
        blocks[sum(start <= match.start() for start in causes)].append((form, match))
    cause_last = bool(found) and found[0][0].cause_last
    frames: list[Frame] = []
    for block in sorted(blocks, reverse=cause_last):
        frames += [_frame(form, match) for form, match in _innermost_first(blocks[block])]
    frames.sort(key=lambda frame: _HELPER.search(frame.symbol) is not None)
    return Trace(tuple(dict.fromkeys(frames))[:MAX_FRAMES], _without(text, [match for _, match in found]))


_RULE = re.compile(r"^[ \t]*[+|\u250c-\u257f]?[-=\u2500\u2501\u2550]{2}[^\n]*$", re.MULTILINE)
_ROW = re.compile(r"^[ \t]*[|\u2502\u2503\u2551] ?([^\n]*?)[ \t]*[|\u2502\u2503\u2551][ \t]*$", re.MULTILINE)
_BROKEN_PATH = re.compile(r"(?<=File \")([^\"\n]{1,400})\n([^\"\n]{1,400})(?=\")")
_FRAMED = 4  # rows of a table from which on a text stands in one


def _unframed(text: str) -> str:
    """The text without the table that was drawn around it, and paths whole that were broken at its right edge."""
    if len(_ROW.findall(text)) >= _FRAMED:
        text = _ROW.sub(r"\1", _RULE.sub("", text))
    return _BROKEN_PATH.sub(r"\1\2", text)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when a text first may have frames: all formats take 40 ms, which other questions need not wait for."""
    return re.compile(pattern, re.MULTILINE)


def _matches(text: str) -> list[tuple[Format, re.Match[str]]]:
    every = [
        (match.start(), match.start() - match.end(), number, form, match)
        for number, form in enumerate(FORMATS.values())
        for match in _compiled(form.pattern).finditer(text)
    ]
    chosen: list[tuple[Format, re.Match[str]]] = []
    end = 0
    for start, _, _, form, match in sorted(every, key=lambda each: each[:3]):
        if start >= end:
            chosen.append((form, match))
            end = match.end()
    return chosen


def _innermost_first(block: Sequence[tuple[Format, re.Match[str]]]) -> Iterable[tuple[Format, re.Match[str]]]:
    return reversed(block) if block[0][0].innermost_last else block


def _frame(form: Format, match: re.Match[str]) -> Frame:
    groups = match.groupdict()
    path, symbol = groups.get("path") or "", groups.get("symbol") or ""
    if form.packaged:
        *packages, _, _ = ["", *symbol.split(".")] if symbol.count(".") < 1 else symbol.split(".")
        path = "/".join([*(part for part in packages if part), path])
    line = groups.get("line")
    return Frame(path, symbol, int(line) if line else 0, (groups.get("code") or "").strip(" \t|"))


def _without(text: str, matches: Sequence[re.Match[str]]) -> str:
    pieces, position = [], 0
    for match in matches:
        pieces.append(text[position : match.start()])
        position = match.end()
    kept = "".join([*pieces, text[position:]])
    return "\n".join(line for line in kept.split("\n") if line.strip())


_NOISE = re.compile(
    r"\.(?:constprop|isra|part|cold|lto_priv)(?:\.\d+)*|::h[0-9a-f]{16}$|::\{\{closure\}\}|\{closure[^}]*\}|\[abi:\w+\]|"
    r"<[^<>]*>|\([^()]*\)$|`\d+|\$\d+|\|\d+_\d+"
)
_LAMBDA = re.compile(r"lambda\$(\w+)|<(\w+)>[bg]__(\w*)")
_SEPARATOR = re.compile(r"::|\.|#|/|\\|->|\$|\+")
_POINTER = re.compile(r"\(\*?(\w+)\)")


def symbol_parts(symbol: str) -> tuple[str, ...]:
    """The components of a frame's symbol without what compilers and closures add; empty where nothing is left."""
    symbol = _LAMBDA.sub(lambda match: next(group for group in match.groups() if group), symbol)
    symbol = _NOISE.sub("", _POINTER.sub(r"\1", symbol))
    parts = [part for part in _SEPARATOR.split(symbol) if part]
    while parts and not (parts[-1][0].isalpha() or parts[-1][0] in "_~@"):
        parts.pop()
    return tuple(parts)


@dataclass(frozen=True, slots=True)
class Located:
    """What the frames of a trace mean here: hits in the order of the frames, the frames that have one, and what is ambiguous."""

    hits: tuple[Hit, ...]
    own: tuple[Frame, ...]
    notes: tuple[str, ...]


def locate(snapshot: Snapshot, frames: Sequence[Frame]) -> Located:
    """The chunks in which the frames stand. A hit's score is 1 for the first of them and falls with each further one.

    Frames that only carry the news count where there are no others.
    """
    by_name = _paths_by_name(snapshot.paths)
    telling = [frame for frame in frames if _HELPER.search(frame.symbol) is None]
    located = _located(snapshot, telling, by_name)
    return located if located.hits else _located(snapshot, frames, by_name)


def _located(snapshot: Snapshot, frames: Sequence[Frame], by_name: Mapping[str, list[str]]) -> Located:
    scores: dict[int, tuple[float, str]] = {}
    own, notes = [], []
    for frame in frames:
        rows = _rows_of(snapshot, frame, by_name)
        if not rows:
            continue
        own.append(frame)
        if len(rows) > 1:
            notes.append(_ambiguous(snapshot, frame, rows))
        score = 1.0 / (len(own) * len(rows))
        for row in rows:
            scores.setdefault(row, (score, f"frame {_written(frame)}"))
    ranked = sorted(scores, key=lambda row: (-scores[row][0], int(snapshot.order[row])))
    hits = [Hit(row, NAME, rank, *scores[row]) for rank, row in enumerate(ranked, 1)]
    return Located(tuple(hits), tuple(own), tuple(dict.fromkeys(notes)))


def around(snapshot: Linked, located: Located) -> tuple[Hit, ...]:
    """What the innermost frames use and what uses the very first, where it is no frame itself; scores fall with the frame."""
    frames = [hit.row for hit in located.hits[:INNERMOST]]
    found: dict[int, float] = {}
    for place, row in enumerate(frames, 1):
        near = {**(users_of(snapshot, row) if place == 1 else {}), **used_by(snapshot, row)}
        for other, sureness in near.items():
            found[other] = max(found.get(other, 0.0), sureness / place)
    listed = {hit.row for hit in located.hits}
    ranked = sorted(found.keys() - listed, key=lambda row: (-found[row], int(snapshot.order[row])))[:MAX_AROUND]
    return tuple(Hit(row, AROUND, rank, found[row]) for rank, row in enumerate(ranked, 1))


def _written(frame: Frame) -> str:
    name = symbol_parts(frame.symbol)
    file = frame.path.replace(chr(92), "/").rpartition("/")[2]
    place = f"{file}:{frame.line}" if file else "the message"
    return f"{'.'.join(name[-2:])} ({place})" if name else place


def _ambiguous(snapshot: Snapshot, frame: Frame, rows: Sequence[int]) -> str:
    paths = [snapshot.paths[int(snapshot.file_of_row[row])] for row in rows]
    more = f" and {len(paths) - MAX_LISTED} more" if len(paths) > MAX_LISTED else ""
    return f"the frame {_written(frame)} may be in {', '.join(paths[:MAX_LISTED])}{more}"


def _paths_by_name(paths: Sequence[str]) -> Mapping[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        found[path.rpartition("/")[2]].append(path)
    return found


def _rows_of(snapshot: Snapshot, frame: Frame, by_name: Mapping[str, list[str]]) -> list[int]:
    """The chunk of a frame; several where several files may be meant; none for a frame from elsewhere."""
    files = _files_of(frame.path, by_name)
    parts = symbol_parts(frame.symbol)
    definitions = snapshot.definitions(parts[-1]) if parts else ()
    if not frame.path:
        named_so = [each for each in definitions if _names(each)[-len(parts) :] == [*parts]]
        return _in_other_file(snapshot, frame, parts, named_so)
    if _is_foreign(frame.path):
        pieces = _pieces(frame.path)
        files = [path for path in files if _is_installed_copy(pieces, path.split("/"))]
        if len(pieces) > 1:  # a file at the top has nothing but its name, which those of libraries have too
            definitions = [each for each in definitions if "/" in each.path or {*parts[:-1]} & {*_names(each)}]
    named = {path: [each for each in definitions if each.path == path] for path in files}
    if not files and definitions and _is_folder_here(frame.path, by_name):
        return _in_other_file(snapshot, frame, parts, definitions)
    if any(named.values()):
        return [_by_symbol(snapshot, named[path], parts, frame.line) for path in files if named[path]]
    if not _is_surely_here(frame.path, files):
        return []
    return [row for path in files for row in _by_line(snapshot, path, frame.line)]


def _in_other_file(
    snapshot: Snapshot, frame: Frame, parts: Sequence[str], definitions: Sequence[Definition]
) -> list[int]:
    """The best definition of each file that may be the one of a frame under another name: those of its folder, else any; few or none."""
    folder = "".join(f"{piece}/" for piece in _pieces(frame.path)[:-1][-2:])
    beside = [each for each in definitions if f"/{each.path}".rpartition("/")[0].endswith(f"/{folder[:-1]}")]
    of_file: defaultdict[str, list[Definition]] = defaultdict(list)
    for each in beside or definitions:
        of_file[each.path].append(each)
    if len(of_file) > MAX_LISTED:
        return []
    return [_by_symbol(snapshot, found, parts, frame.line) for found in of_file.values()]


_FOREIGN = re.compile(
    r"(?<![^/])(?:site-packages|dist-packages|node_modules|gems|\.cargo/registry/src/[^/]+|pkg/mod|rustc/[0-9a-f]+|vendor/bundle|"
    r"lib/python\d[\d.]*|deps|usr/include)/"
)


def _is_foreign(path: str) -> bool:
    """Whether a path is one of the places where libraries are installed."""
    return _FOREIGN.search(path.replace("\\", "/")) is not None


def _pieces(path: str) -> list[str]:
    """The components of a path as a frame writes it, without what only the machine knows and with `..` resolved."""
    path = path.replace("\\", "/")
    places = [match.end() for match in _FOREIGN.finditer(path)]
    pieces: list[str] = []
    for piece in path[places[-1] if places else 0 :].split("/"):
        if piece == ".." and pieces:
            pieces.pop()
        elif piece not in ("", ".", "..", "~") and not piece.endswith(":"):
            pieces.append(piece)
    return pieces


def _files_of(path: str, by_name: Mapping[str, list[str]]) -> list[str]:
    """The files that share the longest end with a path, at least the name."""
    pieces = _pieces(path)
    if not pieces:
        return []
    shared = {known: _shared_end(pieces, known.split("/")) for known in by_name.get(pieces[-1], ())}
    most = max(shared.values(), default=0)
    nearest = [known for known, length in shared.items() if length == most]
    whole = [known for known in nearest if known.count("/") + 1 == most]
    return whole or nearest


def _is_installed_copy(pieces: Sequence[str], known: Sequence[str]) -> bool:
    """Whether a file that stands where libraries are installed may be one of the repository: all of one path ends the other."""
    return _shared_end(pieces, known) == min(len(pieces), len(known))


def _shared_end(one: Sequence[str], other: Sequence[str]) -> int:
    return next(
        (i for i, (a, b) in enumerate(zip(reversed(one), reversed(other), strict=False)) if a != b),
        min(len(one), len(other)),
    )


def _is_folder_here(path: str, by_name: Mapping[str, list[str]]) -> bool:
    """Whether the folder of a file that is gone is one of the repository: the file may have been renamed."""
    folder = "/" + "/".join(_pieces(path)[:-1][-2:]) + "/"
    return len(folder) > 2 and any(folder in f"/{known}" for paths in by_name.values() for known in paths)


def _is_surely_here(path: str, files: Sequence[str]) -> bool:
    """Whether a path without a symbol that agrees is still that of a file here: enough of it agrees, and it is no library's."""
    pieces = _pieces(path)
    if not files:
        return False
    shared = _shared_end(pieces, files[0].split("/"))
    if shared == len(pieces):
        return True
    return not _is_foreign(path) and (shared > 1 or shared == files[0].count("/") + 1)


def _by_symbol(snapshot: Snapshot, definitions: Sequence[Definition], parts: Sequence[str], line: int) -> int:
    """The definition whose qualified name agrees most, then the one that holds the line or is nearest to it."""

    def fit(definition: Definition) -> tuple[int, int, int]:
        agreeing = len(set(parts[:-1]) & set(_names(definition)))
        chunk = snapshot.chunk(snapshot.row_of(definition.path, definition.index))
        return -agreeing, _distance(chunk, line), definition.index

    best = min(definitions, key=fit) if len(definitions) > 1 else definitions[0]
    return _part_with(snapshot, snapshot.row_of(best.path, best.index), line)


def _names(definition: Definition) -> list[str]:
    return _SEPARATOR.split(f"{definition.owner}.{definition.qualified_name}")


def _part_with(snapshot: Snapshot, row: int, line: int) -> int:
    """The part of a long symbol that holds the line; the row itself where it is whole."""
    chunk = snapshot.chunk(row)
    if chunk.parts == 1 or _distance(chunk, line) == 0:
        return row
    holding = [each for each in _by_line(snapshot, chunk.path, line) if snapshot.chunk(each).symbol == chunk.symbol]
    return holding[0] if holding else row


def _distance(chunk: Chunk, line: int) -> int:
    if not line or chunk.span.start_line <= line <= chunk.span.end_line:
        return 0
    return min(abs(chunk.span.start_line - line), abs(chunk.span.end_line - line))


def _by_line(snapshot: Snapshot, path: str, line: int) -> list[int]:
    """The smallest chunk of a file that holds the line."""
    file = snapshot.paths.index(path)
    rows = np.flatnonzero(snapshot.file_of_row == file).tolist()
    holding = []
    for row in rows if line else ():
        span = snapshot.chunk(row).span
        if span.start_line <= line <= span.end_line:
            holding.append((span.end_line - span.start_line, int(snapshot.order[row]), row))
    return [min(holding)[2]] if holding else []
