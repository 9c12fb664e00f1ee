"""SQL text -> Parsed: the statements of a script in any dialect, the columns of its tables.

Knows how statements end (`;`, `GO`, `/`, `DELIMITER`, blocks, dollar quotes) and how they begin, and refuses to know a grammar: dialects
differ too much for one (of three short scripts in the PostgreSQL, MySQL and T-SQL dialects a tree-sitter grammar loses parts of all).
Text is handled as latin-1 in here, so that an index into it is a byte offset; names are decoded when they leave.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from coderag.types import Kind, Parsed, Problem, Span, Symbol

LONG_STATEMENT_LINES = 60  # only statements longer than this carry borders
MAX_SIGNATURE = 400
MAX_DOC = 4_000

_IDENTIFIER = r'(?:"[^"]*"|`[^`]*`|\[[^\]]*\]|[@#]*[^\W\d][\w$#]*)'
_NAME = rf"{_IDENTIFIER}(?:\s*\.\s*{_IDENTIFIER})*"
_TOKEN = re.compile(
    r"""
    (?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z)|(?:(?<=\n)|(?<=\A))\#[^\n]*|(?<=[ \t])\#\ [^\n]*)
    |(?P<quoted>[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"[^"]*"|`[^`]*`|\[[^\]\n]*\]|\$(?P<tag>\w*)\$.*?\$(?P=tag)\$)
    |(?P<batch>(?:(?<=\n)|(?<=\A))(?:[ \t]*GO|/|\\\.|\\[a-z!][^\n]*)[ \t\r]*(?=\n|\Z)
        |(?:(?<=\n)|(?<=\A))DELIMITER[ \t]+(?P<delimiter>\S+)[^\n]*)
    |(?P<word>[^\W\d][\w$]*)
    |(?P<sign>[;()'"`,])
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ESCAPING_QUOTE = re.compile(r"'(?:[^'\\]|\\.|'')*'", re.DOTALL)
_ROUTINE = re.compile(
    r"\s*(?:CREATE|ALTER)\s(?:[^(;']*?\s)??(?:PROCEDURE|PROC|FUNCTION|TRIGGER|EVENT|PACKAGE|TYPE\s+BODY)\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"\s*(?P<verb>CREATE|ALTER)\s+(?:[^(;']*?\s)??(?P<type>TABLE|VIEW|INDEX|FUNCTION|PROCEDURE|PROC|TRIGGER|TYPE|SEQUENCE|SCHEMA|DATABASE"
    r"|EXTENSION|ROLE|USER|DOMAIN|POLICY|AGGREGATE|EVENT|RULE|SERVER|PUBLICATION|SUBSCRIPTION|PACKAGE|SYNONYM|LOGIN|COLLATION|CAST"
    r"|OPERATOR|STATISTICS|TABLESPACE|LANGUAGE|DICTIONARY|STREAM|TASK|STAGE|PIPE|MACRO|MODEL)\b"
    rf"(?:\s+(?:BODY|CONCURRENTLY|ONLY|IF\s+(?:NOT\s+)?EXISTS))*\s+(?P<name>{_NAME})",
    re.IGNORECASE,
)
_OTHER = re.compile(
    rf"\s*(?P<verb>[^\W\d]\w*)(?:[^;']*?\b(?:INTO|FROM|UPDATE|TABLE|ON|VIEW|INDEX|FUNCTION|PROCEDURE|TRIGGER|TYPE|COLUMN|JOIN)\s+"
    rf"(?:ONLY\s+|IF\s+EXISTS\s+|TABLE\s+|COLUMN\s+)*(?P<name>{_NAME}))?",
    re.IGNORECASE,
)
_DIRECT = re.compile(
    rf"\s*(?P<verb>COPY|UPDATE|USE|SET|EXEC|EXECUTE|CALL|WITH|PRAGMA)\s+(?:ONLY\s+)?(?P<name>{_NAME})", re.IGNORECASE
)
_COLUMN = re.compile(rf"\s*(?P<name>{_IDENTIFIER})(?:\s+(?P<type>[^\W\d][\w.]*(?:\s*\([^)]*\))?(?:\[\])*))?")
_ADDED = re.compile(
    rf"\s*(?:ADD|RENAME\s+COLUMN\s+{_IDENTIFIER}\s+TO)\b(?:\s+COLUMN\b)?(?:\s+IF\s+NOT\s+EXISTS\b)?", re.IGNORECASE
)
_NO_COLUMN = re.compile(
    r"\s*(?:CONSTRAINT|PRIMARY|FOREIGN|UNIQUE|CHECK|KEY|INDEX|FULLTEXT|SPATIAL|EXCLUDE|LIKE|PERIOD|PARTITION|VALUE)\b",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"\n(?=(?:CREATE|ALTER|DROP)\s+(?:TABLE|VIEW|INDEX|UNIQUE|PROC|FUNCTION|TRIGGER|TYPE|SCHEMA|SEQUENCE)\b)",
    re.IGNORECASE,
)
_ROUTINES = frozenset({"function", "procedure", "proc", "aggregate", "macro"})
_COMMENT_MARKS = re.compile(r"^\s*(?:--+|#+|/\*+|\*/|\*(?!/))? ?|\s*\*+/\s*$")
_ANY_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/|#[^\n]*", re.DOTALL)
_NOT_BREAK = re.compile(r"[^\n]")
_NO_SIGN = re.compile(r"[^\s.@#=<>+\-*/;,0-9]")
_STREAM = re.compile(r"\s*COPY\b[^;]*\bFROM\s+stdin\b", re.IGNORECASE)
_UNQUOTED = re.compile(r'^["`\[]|["`\]]$')


@dataclass(frozen=True, slots=True)
class _Statement:
    """Where a statement stands. `code` is its text with comments and quoted text blanked, except for names."""

    start: int
    end: int
    code: str


class _Script:
    """A script and its lines."""

    def __init__(self, data: bytes) -> None:
        self.text = data.decode("latin-1")
        self.starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        self.slash_ends = re.search(r"(?m)^/[ \t\r]*$", self.text) is not None
        self.escapes = "`" in self.text

    def line(self, offset: int) -> int:
        """The 1-based line of a byte."""
        return bisect_right(self.starts, offset)


def parse_statements(data: bytes) -> Parsed:
    """The statements of a script, each with the columns that it defines. `data` is UTF-8."""
    script = _Script(data)
    problems: list[Problem] = []
    symbols: list[Symbol] = []
    runs: dict[int, list[tuple[int, int]]] = {}
    for statement in _statements(script, problems):
        found = _symbols(script, statement)
        last = len(symbols) - 1
        if symbols and len(found) == 1 and _continues(symbols[last], found[0]):
            runs.setdefault(last, []).append((found[0].name_line, 0))
            symbols[last] = replace(symbols[last], span=_together(symbols[last].span, found[0].span))
        else:
            base = len(symbols)
            symbols.extend(replace(each, parent=base) if number else each for number, each in enumerate(found))
    for index, borders in runs.items():
        symbols[index] = replace(symbols[index], borders=tuple(dict(borders).items()))
    lines = len(script.starts) - (script.starts[-1] == len(data)) if data else 0
    return Parsed("sql", lines, tuple(symbols), problems=tuple(problems))


# Where statements begin and end


def _statements(script: _Script, problems: list[Problem]) -> Iterator[_Statement]:
    """Cut a script at its terminators; comments directly above a statement are part of it."""
    reader = _Reader(script)
    for match in reader.tokens():
        if match.group("sign") in ("'", '"', "`"):
            problems.append(Problem(script.line(match.start()), "quote without an end"))
        yield from reader.take(match)
    yield from reader.finish(len(script.text))


class _Reader:
    """The state while a script is read: where the statement begins, how deep it is, what ends it."""

    def __init__(self, script: _Script) -> None:
        self.script = script
        self.text = script.text
        self.delimiter = ";"
        self.position = 0
        self._begin(0)

    def _begin(self, offset: int) -> None:
        self.comments = self.start = -1
        self.began = self.from_here = offset
        self.parentheses = self.blocks = 0
        self.kept: list[tuple[int, int]] = []

    def tokens(self) -> Iterator[re.Match[str]]:
        """All tokens, with the string rules and the delimiter that are in force."""
        while match := _TOKEN.search(self.text, self.position):
            self.position = match.end()
            if self.script.escapes and match.group("quoted") and match.group().startswith("'"):
                match = _ESCAPING_QUOTE.match(self.text, match.start()) or match
                self.position = match.end()
                self._see(match.start(), match.end())
                continue
            yield match

    def take(self, match: re.Match[str]) -> Iterator[_Statement]:
        """Account for one token; the statement that it ends, if it does."""
        if match.group("comment"):
            behind = self.began > 0 and "\n" not in self.text[self.began : match.start()]
            if self.start < 0 and not behind and (self.comments < 0 or self._apart(self.from_here, match.start())):
                self.comments = match.start()
            self.from_here = match.end()
            return
        if match.group("batch"):
            self.delimiter = match.group("delimiter") or (self.delimiter if self.delimiter != "/" else ";")
            yield from self.finish(match.start())
            self._begin(match.end())
            return
        self._see(match.start(), match.end())
        if match.group("word"):
            self._count_block(match.group("word").upper(), match.end())
        sign = match.group("sign")
        self.parentheses += (sign == "(") - (sign == ")")
        if self._ends(match):
            self.position = self._after_data(match.end())
            yield from self.finish(self.position)
            self._begin(self.position)

    def _after_data(self, end: int) -> int:
        """Where a statement ends that the data for it follow, up to a line with a backslash and a dot."""
        if not _STREAM.match(self.text, self.start):
            return end
        last = self.text.find("\n\\.", end)
        return last + 3 if last >= 0 else end

    def _see(self, start: int, end: int) -> None:
        if self.start < 0:
            if self.comments >= 0 and self._apart(self.from_here, start):
                self.comments = -1
            self.start = start
        self.kept.append((start, end))

    def _apart(self, start: int, end: int) -> bool:
        """Whether a blank line lies between two offsets."""
        return self.text.count("\n", start, end) > 1

    def _count_block(self, word: str, end: int) -> None:
        if word not in ("BEGIN", "CASE", "END") or not _ROUTINE.match(self.text, self.start):
            return
        following = self.text[end : end + 40].upper().split()
        after = following[0] if following else ""
        if word == "END":
            self.blocks -= after.rstrip(";") not in ("IF", "LOOP", "WHILE", "REPEAT", "FOR") and self.blocks > 0
        elif after.rstrip(";") not in ("TRAN", "TRANSACTION") and not self.text[end:].startswith(";"):
            before = self.text[max(self.start, end - 40) : end].upper().split()
            self.blocks += before[-2:-1] != ["END"]

    def _ends(self, match: re.Match[str]) -> bool:
        if self.delimiter != ";":
            return self.text.startswith(self.delimiter, match.end()) or match.group() == self.delimiter
        if match.group("sign") != ";" or self.blocks > 0:
            return False
        return not (self.script.slash_ends and _ROUTINE.match(self.text, self.start))

    def finish(self, end: int) -> Iterator[_Statement]:
        """The statement that ends here, split where a new one begins without a terminator; nothing when there is none."""
        if self.start < 0:
            return
        code = self._code(end)
        if not code.strip(" \t\r\n;/"):
            return
        borders = [] if _ROUTINE.match(code) else self._borders(code)
        start = self.comments if self.comments >= 0 else self.start
        first = self.start
        for border in [*borders, end - self.start]:
            yield _Statement(start, self.start + border, code[first - self.start : border])
            start = first = self.start + border

    def _borders(self, code: str) -> list[int]:
        return [
            match.end()
            for match in _DEFINES.finditer(code)
            if code.count("(", 0, match.end()) == code.count(")", 0, match.end()) and code[: match.end()].strip()
        ]

    def _code(self, end: int) -> str:
        """The statement's text with blanks for what is no code: comments and strings."""
        parts: list[str] = []
        position = self.start
        for start, stop in self.kept:
            parts.append(self._blank(position, start))
            quoted = self.text[start] == "'" or (self.text[start] in "eE$" and self.text[stop - 1] in "'$")
            parts.append(self._blank(start, stop) if quoted else self.text[start:stop])
            position = stop
        parts.append(self._blank(position, end))
        return "".join(parts)

    def _blank(self, start: int, end: int) -> str:
        part = _ANY_COMMENT.sub(lambda match: _NOT_BREAK.sub(" ", match.group()), self.text[start:end])
        return _NO_SIGN.sub(" ", part)


# What a statement defines


def _symbols(script: _Script, statement: _Statement) -> list[Symbol]:
    """The symbol of a statement, and after it those of the columns that it defines."""
    match = _OBJECT.match(statement.code)
    end = _with_rest_of_line(script, _trimmed(script.text, statement.end))
    if match is None:
        return [_symbol(script, statement, end, _other_name(statement.code), Kind.STATEMENT)]
    name = _plain(match.group("name"))
    kind = (
        Kind.FUNCTION
        if match.group("type").lower() in _ROUTINES and match.group("verb").upper() == "CREATE"
        else Kind.STATEMENT
    )
    symbols = [_symbol(script, statement, end, name, kind, match.end())]
    if match.group("type").upper() == "TABLE":
        alters = match.group("verb").upper() == "ALTER"
        for start, stop, item in _columns(statement.code, match.end(), alters):
            symbols.append(_column(script, statement, start, stop, item, name))
    return symbols


def _symbol(script: _Script, statement: _Statement, end: int, name: str, kind: Kind, header: int = 0) -> Symbol:
    start = statement.start
    code_start = statement.end - len(statement.code)
    name_at = code_start + len(statement.code) - len(statement.code.lstrip())
    opened = statement.code.find("(", header)
    header_end = code_start + opened if header and opened >= 0 else end
    signature = " ".join(script.text[name_at : min(header_end, name_at + MAX_SIGNATURE)].split())
    first, last = script.line(start), script.line(max(start, end - 1))
    return Symbol(
        name=name.rpartition(".")[2],
        qualified_name=name,
        kind=kind,
        span=Span(start, end, first, last),
        name_line=script.line(name_at),
        header_end=header_end,
        signature=_decoded(signature).rstrip(" ;"),
        doc=_doc(script.text[start:name_at]),
        borders=_borders(script, name_at, end) if last - first >= LONG_STATEMENT_LINES else (),
    )


def _column(script: _Script, statement: _Statement, start: int, stop: int, item: re.Match[str], table: str) -> Symbol:
    base = statement.end - len(statement.code)
    start, stop = base + start, _trimmed(script.text, base + stop)
    name = _plain(item.group("name"))
    return Symbol(
        name=name,
        qualified_name=f"{table}.{name}",
        kind=Kind.FIELD,
        span=Span(start, stop, script.line(start), script.line(max(start, stop - 1))),
        name_line=script.line(base + item.start("name")),
        header_end=stop,
        signature=_decoded(" ".join(script.text[start:stop].split()))[:MAX_SIGNATURE],
        type=_decoded(script.text[base + item.start("type") : base + item.end("type")]) if item.group("type") else "",
    )


def _columns(code: str, start: int, alters: bool) -> Iterator[tuple[int, int, re.Match[str]]]:
    """(start, end, match) of every column in the list of a new table or among the changes of an old one."""
    if not alters:
        opened = code.find("(", start)
        if opened < 0 or code[start:opened].strip():
            return
        start = opened + 1
    for first, last in _items(code, start):
        added = _ADDED.match(code, first, last) if alters else None
        if alters and added is None:
            continue
        begin = added.end() if added else first
        if added and code[begin:last].lstrip().startswith("("):
            yield from _columns(code, begin, alters=False)
        elif not _NO_COLUMN.match(code, begin, last) and (item := _COLUMN.match(code, begin, last)):
            yield item.start("name"), last, item


def _items(code: str, start: int) -> Iterator[tuple[int, int]]:
    """Stretches between the commas of a list, up to the parenthesis that closes it or the end."""
    depth, first = 0, start
    for match in re.finditer(r"[(),]", code[start:]):
        sign, position = match.group(), start + match.start()
        if sign == "," and not depth:
            yield first, position
            first = position + 1
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            yield first, position
            return
    yield first, len(code)


def _other_name(code: str) -> str:
    match = _DIRECT.match(code) or _OTHER.match(code)
    if match is None:
        return "statement"
    verb = match.group("verb").lower()
    return f"{verb} {_plain(match.group('name'))}" if match.group("name") else verb


def _continues(first: Symbol, second: Symbol) -> bool:
    """Whether two statements are one unit: the same deed to the same thing, line after line, as in a dump."""
    alike = first.qualified_name == second.qualified_name and " " in first.qualified_name
    return alike and second.span.start_line <= first.span.end_line + 1


def _together(first: Span, second: Span) -> Span:
    return Span(first.start_byte, second.end_byte, first.start_line, second.end_line)


def _borders(script: _Script, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """The lines of a long statement, each with the depth of parentheses that it begins at."""
    found, depth = [], 0
    for number in range(script.line(start), script.line(end - 1) + 1):
        line = script.text[script.starts[number - 1] : script.starts[number] if number < len(script.starts) else end]
        if line.strip():
            found.append((number, max(0, depth)))
        depth += line.count("(") - line.count(")")
    return tuple(found[1:])


def _trimmed(text: str, end: int) -> int:
    while end > 0 and text[end - 1] in " \t\r\n":
        end -= 1
    return end


def _with_rest_of_line(script: _Script, end: int) -> int:
    """Widen an end over a terminator and a comment on the same line."""
    match = re.compile(r"[ \t]*;?[ \t]*(?:--[^\n]*|/\*[^\n]*\*/)?(?=[ \t\r]*(?:\n|\Z))").match(script.text, end)
    return _trimmed(script.text, match.end()) if match else end


def _plain(name: str) -> str:
    """`"shop" . [Orders]` -> `shop.Orders`."""
    parts = re.findall(_IDENTIFIER, name)
    return _decoded(".".join(_UNQUOTED.sub("", part) for part in parts))


def _doc(comments: str) -> str:
    lines = [_COMMENT_MARKS.sub("", line).strip() for line in comments.splitlines()]
    return _decoded("\n".join(lines).strip())[:MAX_DOC]


def _decoded(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "replace")
