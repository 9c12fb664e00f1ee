"""Filters: what a query leaves out before anything is ranked."""

from __future__ import annotations

import pytest

from coderag.errors import QueryError
from coderag.recall.filters import (
    allowed_rows,
    is_example_path,
    is_test_path,
    is_vendored_path,
    kind_named,
    language_named,
    path_pattern,
)
from coderag.types import Kind, Query
from tests.recall.memory_snapshot import make_chunk, snapshot_of


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("pay/", "pay/refund.py", True),
        ("pay/", "app/pay/refund.py", True),
        ("pay/", "payment/refund.py", False),
        ("pay/", "pay", False),
        ("pay", "pay/a/b.py", True),
        ("pay", "src/pay", True),
        ("./pay/", "pay/refund.py", True),
        ("/pay", "pay/refund.py", True),
        ("/pay", "app/pay/refund.py", False),
        ("app/pay", "app/pay/refund.py", True),
        ("app/pay", "src/app/pay/refund.py", False),
        ("*.py", "a/b/c.py", True),
        ("*.py", "a/b/c.pyi", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/a/b.py", False),
        ("src/**/*.py", "src/a/b.py", True),
        ("src/**/*.py", "src/b.py", True),
        ("**/pay/*", "x/pay/b.py", True),
        ("src/**", "src/a/b.py", True),
        ("a?c.py", "abc.py", True),
        ("a?c.py", "a/c.py", False),
        ("[ab].py", "a.py", True),
        ("[!ab].py", "a.py", False),
        ("[!ab].py", "c.py", True),
        ("a.py", "axpy", False),
        ("(x)+.py", "(x)+.py", True),
        ("[", "[", True),
        (".", "anything/at/all", True),
        ("", "anything", True),
    ],
)
def test_a_glob_reads_as_an_ignore_file_would_read_it(glob: str, path: str, expected: bool) -> None:
    assert (path_pattern([glob]).search(path) is not None) is expected


@pytest.mark.parametrize(
    "path",
    [
        "tests/test_app.py",
        "pkg/test_app.py",
        "src/app.test.ts",
        "a/__tests__/b.js",
        "gin_test.go",
        "src/test/java/A.java",
        "lib/FooTest.java",
        "spec/models/cart_spec.rb",
        "conftest.py",
        "Tests/AppTests/X.swift",
        "Foo.Tests/Bar.cs",
    ],
)
def test_tests_are_known_by_their_path(path: str) -> None:
    assert is_test_path(path)


@pytest.mark.parametrize(
    "path", ["src/app.py", "contest/latest.py", "lib/attestation.go", "src/protest.c", "testament.py"]
)
def test_code_is_not_taken_for_a_test(path: str) -> None:
    assert not is_test_path(path)


def test_examples_and_vendored_code_are_known_by_their_path() -> None:
    assert is_example_path("examples/todo/app.js")
    assert is_vendored_path("deps/lua/src/lua.c")
    assert not is_example_path("src/app.py") and not is_vendored_path("src/dependencies.py")


CHUNKS = [
    make_chunk("pay/refund.py", "approve", kind=Kind.FUNCTION),
    make_chunk("pay/refund.go", "Refund", kind=Kind.STRUCT, language="go"),
    make_chunk("shop/cart.py", "Cart", kind=Kind.CLASS),
]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (Query(paths=("pay/",)), [0, 1]),
        (Query(paths=("pay/", "shop/")), [0, 1, 2]),
        (Query(paths=("!pay/",)), [2]),
        (Query(paths=("*.py", "!shop/")), [0]),
        (Query(paths=("none/",)), []),
        (Query(languages=("go",)), [1]),
        (Query(languages=("Go", "python")), [0, 1, 2]),
        (Query(kinds=(Kind.STRUCT, Kind.CLASS)), [1, 2]),
        (Query(paths=("pay/",), languages=("python",), kinds=(Kind.FUNCTION,)), [0]),
    ],
)
def test_filters_leave_rows(query: Query, expected: list[int]) -> None:
    allowed = allowed_rows(snapshot_of(CHUNKS), query)
    assert allowed is not None and allowed.nonzero()[0].tolist() == expected


def test_no_filter_is_no_mask() -> None:
    assert allowed_rows(snapshot_of(CHUNKS), Query("refund")) is None


def test_an_unknown_language_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(QueryError, match=r"unknown language 'klingon'; known are .*go, .*python, "):
        allowed_rows(snapshot_of(CHUNKS), Query(languages=("klingon",)))


def test_a_known_language_without_files_leaves_nothing() -> None:
    allowed = allowed_rows(snapshot_of(CHUNKS), Query(languages=("rust",)))
    assert allowed is not None and not allowed.any()


@pytest.mark.parametrize(("name", "language"), [("py", "python"), (".GO", "go"), ("Ruby", "ruby"), ("cc", "cpp")])
def test_languages_have_names_and_extensions(name: str, language: str) -> None:
    assert language_named(name) == language


def test_kinds_have_names() -> None:
    assert kind_named("enum-member") is kind_named("Enum Member") is Kind.ENUM_MEMBER
    with pytest.raises(QueryError, match="unknown kind 'gadget'; known are function, method"):
        kind_named("gadget")
