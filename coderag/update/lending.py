"""Where an update finds analyses instead of making them: in its own index and on the shelf of it, and in those of other work trees.

What is lent is what an analysis here would give, or nothing: of the same bytes, by the same code with the same settings. Another work
tree's index is only read, never waited for, and never more than a help.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from coderag.analyse import Analysis, analyse_known
from coderag.config import Settings
from coderag.embed.protocol import Identity as Model
from coderag.errors import CoderagError
from coderag.records import FileVectors, Manifest, from_json, parsed_from_bytes
from coderag.store import Reader, Table, borrow
from coderag.types import FileStat, Skipped, WalkedFile
from coderag.update.draft import Entry, entry_at
from coderag.update.embedding import BLOCK as EMBEDDING
from coderag.update.embedding import UNEMBEDDED, stored_embedding
from coderag.update.identity import Identity
from coderag.update.prepare import Prepared
from coderag.update.shelf import BLOCK as SHELF
from coderag.update.shelf import Shelved, maker, model_mark, shelved
from coderag.update.shelving import Leaving, follows_from_bytes, stored, taken
from coderag.walk import digest, sibling_roots

FILES_WORTH_ASKING = 4
"""From so many files on that the own index does not know, those of other work trees are opened: 3 to 11 ms for one of 1,600 files, where
analysing a file takes some 20 ms and starting a worker more than 100."""


@dataclass(frozen=True, slots=True)
class Loan:
    """An analysis, the vectors that came with it, and the shelf's number of it where it was there (0: it was not).

    `has_place` tells whether the first vector is that of the file's own path.
    """

    analysis: Analysis
    vectors: FileVectors | None = None
    number: int = 0
    has_place: bool = True


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a lender has to agree with: who analyses here, and whose vectors are made (None: nobody's)."""

    identity: Identity
    model: Model | None


class Lender:
    """One generation of an index as a source. Once something in it is found damaged it gives nothing any more."""

    def __init__(self, reader: Reader, wanted: Wanted, manifest: Manifest | None = None) -> None:
        self.reader = reader
        self.shelf: tuple[Shelved, ...] = ()
        self.is_damaged = False
        self._wanted = wanted
        self._stale: frozenset[str] = frozenset()
        self._model: Model | None = None
        self._unembedded: frozenset[int] = frozenset()
        self._manifest = Manifest.empty()
        self._same_path: dict[tuple[str, str], int | Shelved] = {}
        self._any_path: dict[str, int | Shelved] = {}
        try:
            self._open(manifest)
        except CoderagError:
            self._give_up()

    def _open(self, manifest: Manifest | None) -> None:
        self._stale = self._wanted.identity.stale_languages(Identity.from_bytes(self.reader.block("identity")))
        self._model = stored_embedding(self.reader.block(EMBEDDING))
        self._unembedded = frozenset(from_json(self.reader.block(UNEMBEDDED) or b"[]"))
        block = self.reader.block("manifest")
        self._manifest = manifest or (Manifest.from_bytes(block) if block else self._manifest)
        self.shelf = shelved(self.reader.block(SHELF))
        self._enter()

    def _enter(self) -> None:
        """Note where contents are whose analyses would be the same here."""
        wanted, manifest = self._wanted.identity, self._manifest
        columns = zip(manifest.paths, manifest.hashes, manifest.languages, range(len(manifest.paths)), strict=True)
        places: list[tuple[str, str, int | Shelved]] = [
            (path, content, index) for path, content, language, index in columns if language not in self._stale
        ]
        current = (each for each in self.shelf if each.maker == maker(wanted, each.language))
        places.extend((each.path, each.content_hash, each) for each in current)
        for path, content, place in places:
            self._same_path[path, content] = place
            self._any_path.setdefault(content, place)

    def lend(self, path: str, content_hash: str) -> Loan | None:
        """The analysis of a content, best under the same path."""
        place = self._same_path.get((path, content_hash), self._any_path.get(content_hash))
        try:
            return None if place is None else self._loan(place)
        except CoderagError:
            self._give_up()
            return None

    def _loan(self, place: int | Shelved) -> Loan | None:
        if isinstance(place, Shelved):
            analysis, vectors = taken(self.reader, place)
            return Loan(analysis, vectors if place.model == model_mark(self._wanted.model) else None, place.number)
        entry = entry_at(self._manifest, place)
        analysis = stored(self.reader, entry)
        if not follows_from_bytes(analysis):
            return None
        if self._model is None or self._model != self._wanted.model or entry.number in self._unembedded:
            return Loan(analysis)
        return Loan(analysis, FileVectors.from_bytes(self.reader.get(Table.VECTORS, entry.number)))

    def leaving(self, entries: Iterable[Entry]) -> Leaving:
        """Files of this generation whose contents the next one does not have."""
        useful = () if self.is_damaged else (each for each in entries if each.language not in self._stale)
        return Leaving(self.reader, tuple(useful), self._wanted.identity, self._model, self._unembedded)

    def _give_up(self) -> None:
        self.is_damaged = True
        self._same_path, self._any_path = {}, {}


class Lenders:
    """The own index, and those of the other work trees once they are worth opening."""

    def __init__(self, own: Lender, root: Path, settings: Settings, wanted: Wanted, opened: ExitStack) -> None:
        self.own = own
        self._root = root
        self._settings = settings
        self._wanted = wanted
        self._opened = opened

    def loans(self, files: Sequence[WalkedFile]) -> Iterator[tuple[WalkedFile, Loan | None]]:
        """Each file with its analysis, None where it has to be made."""
        unknown: list[tuple[WalkedFile, str, FileStat]] = []
        for file in files:
            found = digest(self._root, file, self._settings)
            if isinstance(found, Skipped):
                yield file, None
            elif loan := self._fitting(self.own, file, *found):
                yield file, loan
            else:
                unknown.append((file, *found))
        others = list(self._siblings()) if len(unknown) >= FILES_WORTH_ASKING else []
        for file, content_hash, stat in unknown:
            offers = (self._fitting(each, file, content_hash, stat) for each in others)
            yield file, next((each for each in offers if each), None)

    def _siblings(self) -> Iterator[Lender]:
        """Nobody can tell where other work trees have their indexes when that of this one is not inside of it."""
        place = Path(self._settings.index_directory)
        for root in [] if place.is_absolute() else sibling_roots(self._root):
            try:
                yield Lender(self._opened.enter_context(borrow(root / place)), self._wanted)
            except CoderagError:
                continue

    def _fitting(self, lender: Lender, file: WalkedFile, content_hash: str, stat: FileStat) -> Loan | None:
        """A loan made to fit: what depends on the path is made anew where the lender has the content under another one."""
        loan = lender.lend(file.path, content_hash)
        if loan is None:
            return None
        given = loan.analysis
        if given.path == file.path:
            return replace(loan, analysis=replace(given, stat=stat))
        parsed = parsed_from_bytes(given.parsed)
        fitted = analyse_known(self._root, file, self._settings, parsed, given.language, content_hash)
        return None if fitted is None else Loan(fitted, loan.vectors, has_place=False)


@contextmanager
def open_lenders(reader: Reader, root: Path, settings: Settings, prepared: Prepared) -> Iterator[Lenders]:
    """Lenders for an update of the generation that `reader` has; open until the context ends."""
    wanted = Wanted(prepared.identity, prepared.embedding.model)
    with ExitStack() as opened:
        yield Lenders(Lender(reader, wanted, prepared.manifest), root, settings, wanted, opened)
