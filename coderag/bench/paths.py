"""Which paths may be the answer to a fix: code that is neither a test nor somebody else's.

The rules are those of the query sets, so they stay as they are even where coderag's own idea of a test is another.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CODE = _words(".py .js .mjs .cjs .jsx .ts .mts .cts .tsx .go .rs .java .c .h .cc .cpp .hpp .cxx .rb .cs")
_TEST_FOLDERS = _words(
    "test tests __tests__ spec specs testdata fixtures e2e testsuite test-utils __mocks__ features "
    "testfixtures test-fixtures test_fixtures integration-tests integration_tests"
)
_TEST_FOLDER = re.compile(r"[A-Za-z0-9_.]+\.Tests|[A-Za-z0-9_.]*(?:Unit|Integration)Tests")
_TEST_NAME = re.compile(
    r"(?:test_.*|conftest|.*_tests?|.*[._-](?:test|spec)|[A-Za-z0-9_]*Tests?|.*\.test-d|tests)\.[A-Za-z]+"
)
_SIDE_FOLDERS = _words(
    "doc docs example examples bench benches benchmark benchmarks benchmarking perf playground website www sandbox "
    "galleries tutorials extra extras fuzz fuzzing .github"
)
_FOREIGN_FOLDERS = _words("vendor _vendor third-party third_party deps node_modules dist")
_FOREIGN_NAME = re.compile(r".*(?:\.min\.js|\.d\.ts)")
_TESTING = ("testing/",)
_ABOUT_TESTING = ("sympy/testing/", "src/_pytest/")  # sources although they are called tests
_DJANGO_TESTING = ("django/test/", "django/contrib/")


def may_answer(path: str) -> bool:
    """Whether a path is code, not a test and not vendored."""
    return PurePosixPath(path).suffix.lower() in _CODE and not is_test(path) and not is_foreign(path)


def is_source(path: str) -> bool:
    """As `may_answer`, without documentation, examples and benchmarks."""
    return may_answer(path) and not any(folder in _SIDE_FOLDERS for folder in path.split("/")[:-1])


def is_test(path: str) -> bool:
    """Whether a path holds tests or what only tests need."""
    if path.startswith(_TESTING):
        return True
    if path.startswith(_ABOUT_TESTING) or (path.startswith(_DJANGO_TESTING) and "/tests/" not in path):
        return False
    *folders, name = path.split("/")
    in_folder = any(folder in _TEST_FOLDERS or _TEST_FOLDER.fullmatch(folder) for folder in folders)
    return in_folder or _TEST_NAME.fullmatch(name) is not None


def is_foreign(path: str) -> bool:
    """Whether somebody else, or a tool, wrote what a path holds."""
    *folders, name = path.split("/")
    return (
        any(folder in _FOREIGN_FOLDERS for folder in folders)
        or "/requests/packages/" in f"/{path}"
        or _FOREIGN_NAME.fullmatch(name) is not None
    )
