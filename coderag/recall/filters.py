"""What a query leaves out before anything is ranked: paths, languages and kinds, as one mask over rows.

Also says which paths hold tests, examples and vendored code. Knows paths as text; reads no file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from fnmatch import translate
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from coderag.errors import QueryError
from coderag.languages import BY_NAME, TEXT, detect_language
from coderag.recall.snapshot import Snapshot
from coderag.types import Kind, Query

TEST_PATHS = """
    test/ tests/ __tests__/ spec/ specs/ testdata/ test-data/ test_data/ fixtures/ e2e/ __mocks__/ testsuite/ unittests/
    integration-tests/ integration_tests/ *.Tests/ *Tests/
""".split()  # noqa: SIM905
"""Patterns of `path_pattern` for what holds tests in any language; the table of languages has the patterns of each."""

EXAMPLE_PATHS = """
    example/ examples/ demo/ demos/ sample/ samples/ playground/ tutorial/ tutorials/ benchmark/ benchmarks/ bench/ docs_src/
    sandbox/ website/
""".split()  # noqa: SIM905
"""Patterns for files that use the code rather than being it."""

VENDORED_PATHS = """
    vendor/ vendored/ _vendor/ third_party/ third-party/ thirdparty/ deps/ node_modules/ external/ externals/ dist/
    *.min.js *.pb.go *_pb2.py *.d.ts
""".split()  # noqa: SIM905
"""Patterns for files that others wrote or that a tool made."""


def path_pattern(globs: Sequence[str]) -> re.Pattern[str]:
    """One expression that finds (`search`) something in the paths that any of the globs names, as .gitignore would read them.

    `*` and `?` stop at "/", `**` does not; a glob with "/" inside or at its start counts from the root, any other matches at
    every depth; a folder stands for everything below it.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for glob in globs:
        start, body, end = _translated(glob)
        groups.setdefault((start, end), []).append(body)
    return re.compile(
        "|".join(f"{start}(?:{'|'.join(bodies)}){end}" for (start, end), bodies in groups.items()) or r"(?!)"
    )


def _translated(glob: str) -> tuple[str, str, str]:
    """What must stand before, what the glob itself is, and what must follow."""
    written = glob.removeprefix("./")
    body = written.rstrip("/")
    if body in ("", ".", "**"):
        return "", "", ""
    start = r"\A" if "/" in body else r"(?:\A|/)"
    end = "/" if written.endswith("/") else r"(?:/|\Z)"
    return start, "".join(_piece(token) for token in _GLOB_TOKENS.findall(body.lstrip("/"))), end


_GLOB_TOKENS = re.compile(r"/\*\*/|\*\*/|/\*\*|\*\*|\*|\?|\[!?\]?[^\]/]*\]|\\.|[^*?\[\\/]+|.", re.DOTALL)
_SPECIAL = {"/**/": r"/(?s:.*/)?", "**/": r"(?s:.*/)?", "/**": "/(?s:.*)", "**": "(?s:.*)", "*": "[^/]*", "?": "[^/]"}


def _piece(token: str) -> str:
    if token in _SPECIAL:
        return _SPECIAL[token]
    if token.startswith("[") and token.endswith("]") and len(token) > 2:
        inside = token[1:-1].replace("\\", "\\\\").replace("[", "\\[")
        return f"[^/{inside[1:]}]" if inside.startswith("!") else f"[{inside}]"
    return re.escape(token[1:] if token.startswith("\\") and len(token) > 1 else token)


_TESTS, _EXAMPLES, _VENDORED = path_pattern(TEST_PATHS), path_pattern(EXAMPLE_PATHS), path_pattern(VENDORED_PATHS)


@lru_cache(maxsize=100_000)
def is_test_path(path: str, language: str = "") -> bool:
    """Whether the path is that of a test or of something made for tests; the language is told by the path unless it is given."""
    if _TESTS.search(path) is not None:
        return True
    pattern = _test_pattern(language or detect_language(path))
    return pattern is not None and pattern.match(path) is not None


@lru_cache
def _test_pattern(language: str) -> re.Pattern[str] | None:
    row = BY_NAME.get(language)
    globs = row.test_paths if row else ()
    return re.compile("|".join(translate(glob) for glob in globs)) if globs else None


@lru_cache(maxsize=100_000)
def is_example_path(path: str) -> bool:
    """Whether the path is that of an example, a demonstration or a benchmark."""
    return _EXAMPLES.search(path) is not None


@lru_cache(maxsize=100_000)
def is_vendored_path(path: str) -> bool:
    """Whether others wrote the file, or a tool made it."""
    return _VENDORED.search(path) is not None


_VERSION_FOLDER = re.compile(r"v(\d{1,3})(?:(?:alpha|beta)\d{0,3})?")


def superseded_folders(paths: Iterable[str]) -> dict[str, str]:
    """Folders named for a version (`v3`) that stand beside a later one (`v4`), each with its name."""
    versions: dict[str, dict[str, int]] = {}
    for folder in sorted({path.rpartition("/")[0] for path in paths}):
        parts = folder.split("/")
        for depth, part in enumerate(parts):
            if match := _VERSION_FOLDER.fullmatch(part):
                versions.setdefault("/".join(parts[:depth]), {})[part] = int(match.group(1))
    return {
        f"{parent}/{name}" if parent else name: name
        for parent, found in versions.items()
        for name, number in found.items()
        if number < max(found.values())
    }


def kind_named(name: str) -> Kind:
    """The kind of that name ("enum member", "enum-member" and "Enum_Member" are one).

    Raises:
        QueryError: there is none; the message lists the known ones.
    """
    wanted = re.sub(r"[\s_-]+", " ", name.strip()).casefold()
    for kind in Kind:
        if kind.value == wanted:
            return kind
    raise QueryError(f"unknown kind {name!r}; known are {', '.join(kind.value for kind in Kind)}")


def language_named(name: str, indexed: Collection[str] = ()) -> str:
    """The language of that name, in any case, or of that extension ("py", ".cc").

    Raises:
        QueryError: there is none; the message lists the known ones.
    """
    known = {language.casefold(): language for language in sorted({*BY_NAME, *indexed})}
    wanted = name.strip().casefold()
    if wanted in known:
        return known[wanted]
    by_extension = detect_language(f"file.{wanted.lstrip('.')}")
    if by_extension != TEXT:
        return by_extension
    raise QueryError(f"unknown language {name!r}; known are {', '.join(known.values())}")


def allowed_rows(snapshot: Snapshot, query: Query, known_languages: Collection[str] = ()) -> NDArray[np.bool_] | None:
    """The rows that a query's filters leave; None when it has no filters.

    A path must match one of `paths` (those that begin with "!" take away), a language be one of `languages`, a kind one of `kinds`.

    `known_languages` may be asked for beside those of the table and of the index.

    Raises:
        QueryError: a language is unknown; the message lists the known ones.
    """
    if not (query.paths or query.languages or query.kinds):
        return None
    files = _allowed_files(snapshot, query, known_languages)
    allowed: NDArray[np.bool_] = (snapshot.order >= 0) & np.append(files, False)[snapshot.file_of_row]
    if query.kinds:
        allowed &= np.isin(snapshot.kind_of_row, [index for index, kind in enumerate(Kind) if kind in query.kinds])
    return allowed


def _allowed_files(snapshot: Snapshot, query: Query, known_languages: Collection[str]) -> NDArray[np.bool_]:
    allowed = np.ones(len(snapshot.paths), np.bool_)
    wanted = [glob for glob in query.paths if not glob.startswith("!")]
    unwanted = [glob[1:] for glob in query.paths if glob.startswith("!")]
    if wanted:
        pattern = path_pattern(wanted)
        allowed &= np.fromiter((pattern.search(path) is not None for path in snapshot.paths), np.bool_, len(allowed))
    if unwanted:
        pattern = path_pattern(unwanted)
        allowed &= np.fromiter((pattern.search(path) is None for path in snapshot.paths), np.bool_, len(allowed))
    if query.languages:
        known = {*snapshot.languages, *known_languages}
        languages = {language_named(name, known) for name in query.languages}
        allowed &= np.fromiter((language in languages for language in snapshot.languages), np.bool_, len(allowed))
    return allowed
