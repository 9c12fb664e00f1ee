"""What a docstring says, and the function that it was taken from: Python packages, each docstring asked about hidden in the tree.

Packages come as wheels, so that a name and a version pin the data and the task runs wherever a registry can be reached; bringing them is the
caller's part (`benchmarks/retrieval.py` does). The bundled model was trained on other packages.
"""

from __future__ import annotations

import ast
import warnings
import zipfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Final

from coderag.bench.paths import is_test
from coderag.bench.scoring import covers_function
from coderag.bench.values import DEPTH, Asked, Case, Rule, Target
from coderag.errors import BenchError
from coderag.index import Index
from coderag.types import Query

SAMPLE: Final = 100
FEWEST_WORDS: Final = 5
SHORTEST: Final = 3
"""Lines of a function beside its docstring."""


def _any_path(path: str) -> bool:
    return True


DOCS: Final = Rule("docs", _any_path, covers_function, 200)


@dataclass(frozen=True, slots=True)
class Documented:
    """A function of a file, and the lines and first sentence of its docstring."""

    path: str
    name: str
    start_line: int
    end_line: int
    doc_lines: range
    sentence: str


def cases(folder: Path, only: Collection[str] = ()) -> Iterator[Case]:
    """One case for each wheel in a folder.

    Raises:
        BenchError: there is none.
    """
    wheels = sorted(folder.glob("*.whl"))
    if not wheels:
        raise BenchError(
            f"{folder}: no wheels here; `pip download --no-deps --only-binary :all: NAME==VERSION` brings one"
        )
    for wheel in wheels:
        name = "-".join(wheel.name.split("-")[:2])
        if not only or name.split("-")[0] in only:
            package = _Package(wheel, name)
            yield Case("docs", name, package.prepare, mine=package.asked)


class _Package:
    def __init__(self, wheel: Path, name: str) -> None:
        self._name = name
        self._sources = partial(sources, wheel)

    def prepare(self, place: Path) -> Path:
        texts = dict(self._sources())
        chosen = sampled(texts)
        for path, text in texts.items():
            hidden = [each for each in chosen if each.path == path]
            target = place / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(without_docs(text, hidden), encoding="utf-8")
        return place

    def asked(self, index: Index) -> list[Asked]:
        return [_question(self._name, documented) for documented in sampled(dict(self._sources()))]


def _question(package: str, documented: Documented) -> Asked:
    target = Target(documented.path, documented.start_line, documented.end_line, documented.name)
    named = documented.name.rpartition(".")[2].lower() in documented.sentence.lower()
    return Asked(
        "docs",
        f"{package}:{documented.path}#{documented.name}",
        Query(documented.sentence, k=DEPTH),
        {"function": (target,), "file": (Target(documented.path),)},
        DOCS,
        package,
        "python",
        "names the function" if named else "does not name it",
    )


def sources(wheel: Path) -> Iterator[tuple[str, str]]:
    """The Python sources of a wheel that are no tests, by path.

    Raises:
        BenchError: it is no wheel.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            for name in sorted(archive.namelist()):
                parts = PurePosixPath(name).parts
                if name.endswith(".py") and not is_test(name) and ".." not in parts and not name.startswith("/"):
                    yield name, archive.read(name).decode("utf-8", "replace")
    except (OSError, zipfile.BadZipFile) as error:
        raise BenchError(f"{wheel}: {error}; bring it anew") from error


def sampled(texts: dict[str, str]) -> list[Documented]:
    """Up to `SAMPLE` documented functions, chosen by the hash of their names; of those that share a sentence none."""
    found = [each for path, text in texts.items() for each in documented(path, text)]
    counts: dict[str, int] = {}
    for each in found:
        counts[each.sentence] = counts.get(each.sentence, 0) + 1
    unique = [each for each in found if counts[each.sentence] == 1]
    return sorted(unique, key=lambda each: blake2b(f"{each.path}#{each.name}".encode()).digest())[:SAMPLE]


def documented(path: str, text: str) -> Iterator[Documented]:
    """The functions of a file whose docstring says enough to look for them; none where it is not Python of this version."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    yield from _documented(path, tree, "")


def _documented(path: str, node: ast.AST, prefix: str) -> Iterator[Documented]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _documented(path, child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and (found := _one(path, child, prefix)):
            yield found


def _one(path: str, function: ast.FunctionDef | ast.AsyncFunctionDef, prefix: str) -> Documented | None:
    doc, first = ast.get_docstring(function), function.body[0]
    sentence = " ".join((doc or "").partition("\n\n")[0].partition(". ")[0].split())
    first_line = min([function.lineno, *(each.lineno for each in function.decorator_list)])
    lines = range(first.lineno, (first.end_lineno or first.lineno) + 1)
    end = function.end_lineno or function.lineno
    stands_alone = first.lineno > function.lineno and len(function.body) > 1 and function.body[1].lineno not in lines
    if not stands_alone or len(sentence.split()) < FEWEST_WORDS or end - first_line + 1 - len(lines) < SHORTEST:
        return None
    return Documented(path, prefix + function.name, first_line, end, lines, sentence)


def without_docs(text: str, hidden: Collection[Documented]) -> str:
    """The text with empty lines where the docstrings stood."""
    gone = {line for each in hidden for line in each.doc_lines}
    return "\n".join("" if number in gone else line for number, line in enumerate(text.split("\n"), 1))
