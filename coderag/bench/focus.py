"""For a function under edit: the definitions in other files that it needs.

What it needs is what its own edges lead to that are exact or scoped. As it stands, those edges are in the index, so the question is whether they
become a ranking. With its body hidden, from the index and from the question, they are gone, and the needs must be guessed from its name,
its signature, its surroundings and whoever is like it, as when the body is still to be written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Final

from coderag.bench.checkouts import check_out
from coderag.bench.history import functions_of, is_own_code
from coderag.bench.run import open_index
from coderag.bench.values import DEPTH, Asked, Case, Place, Rule, Target
from coderag.config import Settings
from coderag.index import Index
from coderag.records import CONFIDENCES, EDGE_KINDS
from coderag.snapshot import StoredSnapshot
from coderag.types import Confidence, EdgeKind, Focus, Query, Symbol

SAMPLE: Final = 30
"""Functions of one repository that are asked about."""

SHORTEST: Final = 5
MOST_NEEDS: Final = 10
_CLOSERS: Final = (b"}", b"end")
_SURE: Final = frozenset((Confidence.EXACT, Confidence.SCOPED))
_NOT_NEEDS: Final = frozenset((EdgeKind.IMPORTS, EdgeKind.TESTS, EdgeKind.DECLARES))


def stands_at(place: Place, target: Target) -> bool:
    """The place begins in the definition and is not much longer: the outline of a class is none of its methods.

    A target without lines is a file.
    """
    if not target.start_line:
        return place.file == target.file
    begins = place.file == target.file and target.start_line <= place.start_line <= target.end_line
    return begins and place.end_line - place.start_line <= 2 * (target.end_line - target.start_line + 1)


DEFINITIONS: Final = Rule("definitions", is_own_code, stands_at, 200)


@dataclass(frozen=True, slots=True)
class Edited:
    """A function under edit, the bytes of its body in the file, and the definitions that it needs."""

    path: str
    language: str
    symbol: Symbol
    needs: tuple[Target, ...]


def cases(repository: Path, name: str, commit: str) -> Iterator[Case]:
    """Two cases for a tree: as it stands, and with the bodies of the functions that are asked about hidden."""
    place = name.replace("/", "+")
    hidden = _Hidden(repository, name, commit, f"{place}+stands")
    yield Case("focus", f"{place}+stands", hidden.prepare_whole, mine=hidden.as_it_stands)
    yield Case("focus", f"{place}+hidden", hidden.prepare, mine=hidden.with_bodies_hidden)


@dataclass
class _Hidden:
    """The tree of one repository, first whole, then without the bodies of the sample."""

    repository: Path
    name: str
    commit: str
    whole: str
    sample: list[Edited] = field(default_factory=list)

    def prepare_whole(self, place: Path) -> Path:
        check_out(self.repository, self.commit, place)
        return place

    def as_it_stands(self, index: Index) -> list[Asked]:
        self.sample = sampled(index.snapshot())
        return self._asked("as it stands")

    def prepare(self, place: Path) -> Path:
        whole = place.parent.parent / self.whole
        with open_index(self.prepare_whole(whole / "tree"), whole / "index", Settings()) as index:
            self.sample = sampled(index.snapshot())
        (place / ".git" / "bench-commit").unlink(missing_ok=True)  # its files were changed after the checkout
        check_out(self.repository, self.commit, place)
        for path in sorted({edited.path for edited in self.sample}):
            file = place / path
            file.write_bytes(hide(file.read_bytes(), [each.symbol for each in self.sample if each.path == path]))
        return place

    def with_bodies_hidden(self, index: Index) -> list[Asked]:
        return self._asked("body hidden")

    def _asked(self, category: str) -> list[Asked]:
        return [_question(self.name, edited, category) for edited in self.sample]


def _question(name: str, edited: Edited, category: str) -> Asked:
    line = edited.symbol.name_line
    files = dict.fromkeys(target.file for target in edited.needs)
    return Asked(
        "focus",
        f"{name}:{edited.path}#{edited.symbol.qualified_name}",
        Query(focus=Focus(edited.path, line), k=DEPTH),
        {"function": edited.needs, "file": tuple(map(Target, files))},
        DEFINITIONS,
        name,
        edited.language,
        category,
        known=Target(edited.path, edited.symbol.span.start_line, edited.symbol.span.end_line),
    )


def sampled(snapshot: StoredSnapshot) -> list[Edited]:
    """Up to `SAMPLE` functions that need definitions in other files, chosen by the hash of their names."""
    found = [edited for path in snapshot.paths if is_own_code(path) for edited in _edited(snapshot, path)]
    return sorted(found, key=lambda each: _lot(f"{each.path}#{each.symbol.qualified_name}"))[:SAMPLE]


def _lot(name: str) -> bytes:
    return blake2b(name.encode("utf-8", "surrogateescape"), digest_size=8).digest()


def _edited(snapshot: StoredSnapshot, path: str) -> Iterator[Edited]:
    if snapshot.file(path).encoding != "utf-8":
        return
    needs = _needs(snapshot, path)
    language = snapshot.languages[snapshot.index_of(path)]
    symbols = snapshot.parsed(path).symbols
    for symbol in functions_of(snapshot, path):
        row = snapshot.row_of(path, symbols.index(symbol))
        wanted = needs.get(row, {})
        body = symbol.span.end_byte - symbol.header_end
        if body > 0 and symbol.span.end_line - symbol.span.start_line + 1 >= SHORTEST and 0 < len(wanted) <= MOST_NEEDS:
            yield Edited(path, language, symbol, tuple(wanted[target] for target in sorted(wanted)))


def _needs(snapshot: StoredSnapshot, path: str) -> dict[int, dict[int, Target]]:
    """For each row of a file the definitions in other files that its sure edges lead to, by their rows."""
    links = snapshot.links_of(path)
    columns = (links.sources, links.targets, links.kinds, links.confidences)
    found: dict[int, dict[int, Target]] = {}
    for source, target, kind, confidence in zip(*(column.tolist() for column in columns), strict=True):
        if CONFIDENCES[confidence] in _SURE and EDGE_KINDS[kind] not in _NOT_NEEDS:
            chunk = snapshot.chunk(target)
            if chunk.path != path and chunk.symbol and is_own_code(chunk.path):
                span = chunk.span
                found.setdefault(source, {})[target] = Target(chunk.path, span.start_line, span.end_line, chunk.symbol)
    return found


def hide(data: bytes, symbols: list[Symbol]) -> bytes:
    """The file with the bodies of the symbols empty. Lines keep their numbers."""
    for symbol in sorted(symbols, key=lambda each: -each.span.start_byte):
        body = data[symbol.header_end : symbol.span.end_byte]
        data = data[: symbol.header_end] + _emptied(body) + data[symbol.span.end_byte :]
    return data


def _emptied(body: bytes) -> bytes:
    """As many lines, with what opens and closes the body, or an ellipsis where nothing closes it."""
    last = next((end for end in _CLOSERS if body.rstrip().endswith(end)), b"")
    lead = body[: len(body) - len(body.lstrip())]
    first = b"{" if body.lstrip().startswith(b"{") else b"" if last else b"..."
    inner = b"\n" * (body.count(b"\n") - lead.count(b"\n"))
    return lead + first + inner + last
