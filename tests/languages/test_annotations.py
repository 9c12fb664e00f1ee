"""Every language against its annotated source: the comments of the source say what must be found.

`DEFINES <kind> <qualified name> <first>-<last>` on the line of the name (kind with "-" for " "); every symbol of the file must be
announced, and nothing else may be found. `REFERS <kind> <receiver.name>` on the line of the use; other references may be there.
A format without comments has its announcements in `expected.txt` beside it, each line led by the line number.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from coderag.languages import LANGUAGES, detect_language
from coderag.parse import parse

HERE = Path(__file__).parent
SOURCES = sorted(path for path in HERE.glob("*/*") if path.is_file() and path.name != "expected.txt")
DEFINES = re.compile(r"DEFINES (\S+) (\S+) (\d+)-(\d+)")
REFERS = re.compile(r"REFERS (\S+) (\S+)")


def announcements(path: Path) -> list[tuple[int, str]]:
    sidecar = path.parent / "expected.txt"
    if sidecar.exists():
        return [(int(line.split()[0]), line) for line in sidecar.read_text(encoding="utf-8").splitlines() if line]
    return list(enumerate(path.read_text(encoding="utf-8").splitlines(), 1))


def test_every_grammar_has_an_annotated_source() -> None:
    missing = [row.name for row in LANGUAGES if row.grammar and not (HERE / row.name).is_dir()]
    assert not missing


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_symbols_and_references_are_those_announced(path: Path) -> None:
    data = path.read_bytes()
    assert detect_language(path.name, data) == path.parent.name
    parsed = parse(data, path.parent.name)
    lines = announcements(path)
    expected = {
        (line, kind.replace("-", " "), name, int(first), int(last))
        for line, text in lines
        for kind, name, first, last in DEFINES.findall(text)
    }
    found = {
        (each.name_line, str(each.kind), each.qualified_name.replace(" ", "_"), each.span.start_line, each.span.end_line)
        for each in parsed.symbols
    }
    assert sorted(found) == sorted(expected)
    uses = {
        (line, str(each.kind), f"{each.receiver}.{each.name}" if each.receiver else each.name)
        for each in parsed.references
        for line in each.lines
    }
    wanted = {(line, kind, name) for line, text in lines for kind, name in REFERS.findall(text)}
    assert sorted(wanted - uses) == []
    assert expected and not parsed.problems
