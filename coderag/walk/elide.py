"""Long literals: taken out of a text that is shown, and looked through when a file is judged to be minified.

A literal is an unbroken run of more than LITERAL_CHARACTERS: encoded data, or anything between two quotes without a
space. In lines over LONG_LINE characters also a run of plain data: numbers, strings and brackets without any name.
"""

from __future__ import annotations

import re

LITERAL_CHARACTERS = 1_000
LONG_LINE = 5_000
_HEAD_CHARACTERS = 60
_MINIFIED_NAME_LINE = 500
_MINIFIED_AVERAGE = 1_000
_MINIFIED_TIMES = 4  # so much more in over-long lines than in ordinary ones

_ENCODED = re.compile(rf"(?<![A-Za-z0-9+/=_%-])[A-Za-z0-9+/=_%-]{{{LITERAL_CHARACTERS + 1},}}+")
_QUOTED = re.compile(rf"(?<=[\"'`])[^\s\"'`]{{{LITERAL_CHARACTERS + 1},}}+(?=[\"'`])")
# A quote after a backslash opens no string: so at most one string per line is tried in vain, whatever the line holds.
_DATA = re.compile(
    r"""(?:(?<!\\)"(?>[^"\\]++|\\.)*+"|(?<!\\)'(?>[^'\\]++|\\.)*+'"""
    r"""|(?<![A-Za-z_$])[-+]?(?:0[xX])?[0-9][0-9a-fA-FxXeE.+_lLuU-]*+"""
    r"""|(?<![A-Za-z0-9_$])[A-Za-z_$][A-Za-z0-9_$]*+[ \t]*+:"""
    r"""|\b(?:true|false|null|nil|None|True|False)\b"""
    r"""|[\[\]{}(),:; \t])++"""
)


def elided(text: str) -> str:
    """The text with every long literal cut to its head and "…[N bytes left out]…"; lines stay lines."""
    if len(text) <= LITERAL_CHARACTERS:
        return text
    lines = text.split("\n")
    if max(map(len, lines)) <= LITERAL_CHARACTERS:
        return text
    return "\n".join(_without_data(_without_literals(line)) for line in lines)


def _without_literals(line: str) -> str:
    if len(line) <= LITERAL_CHARACTERS:
        return line
    return _QUOTED.sub(_shortened, _ENCODED.sub(_shortened, line))


def _without_data(line: str) -> str:
    return _DATA.sub(_shortened, line) if len(line) > LONG_LINE else line


def _shortened(match: re.Match[str]) -> str:
    run = match.group()
    if len(run) <= LITERAL_CHARACTERS:
        return run
    left_out = len(run[_HEAD_CHARACTERS:].encode("utf-8", "surrogateescape"))
    return f"{run[:_HEAD_CHARACTERS]}…[{left_out} bytes left out]…"


def minified(path: str, text: bytes, max_line_bytes: int) -> str:
    """Why the text is minified, or nothing but data in lines of inhuman length; "" where it is neither.

    Long literals do not count, so a picture inside of ordinary code leaves the code. A file that is merely *generated*
    is kept, because its names are useful. A notebook is one JSON document and may be one line.
    """
    name = path[path.rfind("/") + 1 :]
    limit = min(max_line_bytes, _MINIFIED_NAME_LINE) if ".min." in name else max_line_bytes
    if len(text) <= limit or name.endswith(".ipynb"):
        return ""
    lines = text.split(b"\n")
    if max(map(len, lines)) <= limit and len(text) / len(lines) <= _MINIFIED_AVERAGE:
        return ""
    without_literals = [_without_literals(line.decode("utf-8")) for line in lines]
    if max(map(len, without_literals)) > limit:
        return _judged_lines(without_literals, limit)
    average = sum(map(len, without_literals)) / len(lines)
    return f"{average:.0f} bytes in an average line" if average > _MINIFIED_AVERAGE else ""


def _judged_lines(lines: list[str], limit: int) -> str:
    ordinary = sum(len(line) for line in lines if len(line) <= limit and not line.isspace())
    long = [line for line in lines if len(line) > limit]
    remaining = sum(length for line in long if (length := len(_without_data(line))) > limit)
    if ordinary and remaining <= _MINIFIED_TIMES * ordinary:
        return ""
    return f"{len(long)} lines over {limit} bytes hold almost everything"
