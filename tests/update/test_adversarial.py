"""Generated repositories with few names, edited at random: after every step the index is what a fresh build of the files is."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from coderag import Index
from tests.update.fragments import FILES, FUNCTIONS, MEMBERS, TONGUES, TYPES, USERS, Tongue
from tests.update.test_incremental import PLAIN, exported

SETTINGS = replace(PLAIN, embedding="none")
FOLDERS = ("", "bag/", "app/")
STEPS = 20
POOLS = dict.fromkeys("TUVW", TYPES) | {"m": MEMBERS, "n": MEMBERS, "f": FUNCTIONS, "p": FILES}
EDITS = ("fill", "fill", "fill", "member", "member", "template", "template", "piece", "add", "drop", "carry", "head",
         "everywhere", "move", "go", "come")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Piece:
    """A template and what fills it, so that an edit can change either and keep the other."""

    template: str
    fills: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """Source."""
        return self.template.format(**dict(self.fills))

    def filled(self, **fills: str) -> Piece:
        """The same with some fills changed."""
        return replace(self, fills=tuple({**dict(self.fills), **fills}.items()))

    def at(self, stem: str) -> Piece:
        """The same about what is at home in a file."""
        home = FILES.index(stem)
        return self.filled(p=stem, T=TYPES[home], f=FUNCTIONS[home])


Files = dict[str, tuple[Piece, ...]]


class Editor:
    """Makes a small repository in one language and changes it."""

    def __init__(self, chance: random.Random, tongue: Tongue) -> None:
        self._chance = chance
        self._tongue = tongue
        self._folder = chance.choice(FOLDERS)
        self._head = chance.choice(tongue.heads)
        self.files: Files = {}
        for stem in (*FILES, *USERS):
            self._come(f"{self._folder}{stem}{tongue.suffix}")

    def edit(self) -> None:
        """One small change: of a piece or one name in it, of the place of a piece or of a file, of a name everywhere."""
        chance, files = self._chance, self.files
        if chance.random() < 0.6:
            self._edit_member()
            return
        path = chance.choice(sorted(files))
        pieces = list(files[path])
        number = chance.randrange(len(pieces))
        match chance.choice(EDITS):
            case "fill":
                slot = chance.choice(sorted(POOLS))
                pieces[number] = pieces[number].filled(**{slot: chance.choice(POOLS[slot])})
            case "member":
                slot = chance.choice("mn")
                pieces[number] = pieces[number].filled(**{slot: chance.choice(MEMBERS)})
            case "template":
                pieces[number] = replace(pieces[number], template=self._template(number))
            case "piece":
                pieces[number] = self._piece(path, self._template(number))
            case "add":
                pieces.append(self._piece(path, self._template(9)))
            case "drop":
                del pieces[number]
            case "carry":
                other = chance.choice(sorted(files))
                files[other] = (*files[other], pieces[number])
                if other != path:
                    del pieces[number]
            case "head":
                pieces[0] = replace(pieces[0], template=chance.choice(self._tongue.heads) + "\n")
            case "everywhere":
                old, new = chance.sample(chance.choice((TYPES, MEMBERS)), 2)
                for each in files:
                    files[each] = tuple(_renamed(piece, old, new) for piece in files[each])
                return
            case "move":
                files[self._place()] = files.pop(path)
                return
            case "go":
                pieces = []
            case "come":
                self._come(self._place())
                return
        files[path] = tuple(pieces)
        if not pieces:
            del files[path]
        if not files:
            self._come(self._place())

    def _edit_member(self) -> None:
        """A member of a type gets the name of another: what should be seen by those who can reach the type."""
        usual = self._tongue.pieces[0]
        found = [
            (path, n)
            for path in sorted(self.files)
            for n, piece in enumerate(self.files[path])
            if piece.template == usual
        ]
        for path, number in self._chance.sample(found, min(len(found), 1)):
            pieces = list(self.files[path])
            pieces[number] = pieces[number].filled(**{self._chance.choice("mn"): self._chance.choice(MEMBERS)})
            self.files[path] = tuple(pieces)

    def _come(self, path: str) -> None:
        chance, usual = self._chance, self._tongue.imports[0] + "\n"
        imports = [self._piece(path, usual if chance.random() < 0.7 else self._template(1)).at(stem) for stem in FILES]
        pieces = [self._piece(path, self._template(9, _stem(path) in USERS)) for _ in range(chance.randint(1, 3))]
        if _stem(path) in FILES and chance.random() < 0.8:
            pieces = [self._piece(path, each) for each in self._tongue.pieces[:2]]
        self.files[path] = (self._piece(path, self._head + "\n"), *imports, *pieces)

    def _template(self, number: int, uses: bool | None = None) -> str:
        """One for the n-th piece of a file."""
        if 1 <= number <= len(FILES):
            return self._chance.choice(self._tongue.imports) + "\n"
        return self._chance.choice(
            [each for each in self._tongue.pieces if uses is None or ("use" in each.lower()) is uses]
        )

    def _piece(self, path: str, template: str) -> Piece:
        """Most types and functions are at home, so that most imports lead somewhere and most uses have a meaning."""
        chance = self._chance
        stem = _stem(path)
        types = chance.sample(TYPES, 3)
        fills = dict(zip("TUV", types, strict=True), W=chance.choice(TYPES), m=chance.choice(MEMBERS))
        fills |= {"n": chance.choice(MEMBERS), "f": chance.choice(FUNCTIONS), "p": chance.choice(FILES)}
        if chance.random() < 0.8 and stem in FILES and "use" not in template.lower():
            home = FILES.index(stem)
            fills |= {"T": TYPES[home], "f": FUNCTIONS[home], "p": stem}
            fills["U"] = fills["U"] if fills["U"] != fills["T"] else TYPES[home - 1]
        return Piece(template, tuple(fills.items()))

    def _place(self) -> str:
        folder = self._folder if self._chance.random() < 0.7 else self._chance.choice(FOLDERS)
        stem = self._chance.choice((*FILES, *FILES, "more", self._tongue.index or "more"))
        return f"{folder}{stem}{self._tongue.suffix}"


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _renamed(piece: Piece, old: str, new: str) -> Piece:
    swapped = {old: new, new: old}
    return piece.filled(**{slot: swapped.get(name, name) for slot, name in piece.fills})


def histories(seed: int, tongue: Tongue, steps: int) -> Iterator[Files]:
    """The states that a repository goes through."""
    chance = random.Random(f"{seed} {tongue.suffix}")
    editor = Editor(chance, tongue)
    yield dict(editor.files)
    for _ in range(steps):
        for _ in range(chance.choice((1, 1, 1, 1, 1, 3))):
            editor.edit()
        yield dict(editor.files)


def write(root: Path, files: Files) -> None:
    """Make a folder hold these files and no others."""
    root.mkdir(exist_ok=True)
    for path in [each for each in root.rglob("*.*") if ".coderag" not in each.parts and each.is_file()]:
        if str(path.relative_to(root)) not in files:
            path.unlink()
    for name, pieces in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("\n".join(piece.text for piece in pieces), encoding="utf-8")


def difference(root: Path, states: Iterator[Files]) -> tuple[Files, Files, list[str]] | None:
    """The first two states between which an update is not what a build is, and the lines that differ."""
    before = next(states)
    write(root, before)
    shutil.rmtree(root / ".coderag", ignore_errors=True)
    index = Index.build(root, settings=SETTINGS)
    for after in states:
        write(root, after)
        index.update()
        updated, built = exported(index), built_anew(root)
        if updated != built:
            return before, after, sorted(set(updated) ^ set(built))
        before = after
    return None


def built_anew(root: Path) -> list[str]:
    settings = replace(SETTINGS, index_directory=str(root.parent / "fresh"))
    return exported(Index.build(root, settings=settings, rebuild=True))


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small repositories meet the limits that are made for large ones."""
    monkeypatch.setattr("coderag.update.relink.FEW_USERS", 0)
    monkeypatch.setattr("coderag.update.relink.MOST_REACHING", 100)
    monkeypatch.setattr("coderag.link.guess.MOST_CANDIDATES", 2)
    monkeypatch.setattr("coderag.link.linker.MOST_CANDIDATES", 2)


def check(root: Path, seed: int, tongue: Tongue, steps: int) -> None:
    found = difference(root, histories(seed, tongue, steps))
    assert found is None, f"seed {seed}: {found}"


@pytest.mark.parametrize("tongue", TONGUES, ids=lambda tongue: tongue.suffix)
def test_updates_of_generated_code(eager: None, tmp_path: Path, tongue: Tongue) -> None:
    check(tmp_path / "root", 2, tongue, STEPS // 2)


@pytest.mark.slow
@pytest.mark.parametrize("tongue", TONGUES, ids=lambda tongue: tongue.suffix)
def test_many_updates_of_generated_code(eager: None, tmp_path: Path, tongue: Tongue) -> None:
    for seed in range(100):
        check(tmp_path / "root", seed, tongue, STEPS)
