"""Which paths may be the answer to a fix."""

from __future__ import annotations

import pytest

from coderag.bench.paths import is_source, may_answer


@pytest.mark.parametrize(
    "path",
    ["a.py", "src/http/client.go", "lib/x.rb", "include/fmt/core.h", "src/_pytest/runner.py", "django/test/client.py"],
)
def test_source_is_source(path: str) -> None:
    assert is_source(path)


@pytest.mark.parametrize(
    "path",
    [
        "tests/a.py",
        "src/test_a.py",
        "a_test.go",
        "web/a.spec.ts",
        "a.test-d.ts",
        "src/CartTest.java",
        "Shop.Tests/a.cs",
        "ShopIntegrationTests/a.cs",
        "testing/a.py",
        "features/steps.rb",
        "conftest.py",
        "vendor/a.go",
        "node_modules/a/index.js",
        "x/requests/packages/urllib3/a.py",
        "a.min.js",
        "types.d.ts",
        "README.md",
        "a.kt",
    ],
)
def test_tests_foreign_code_and_text_may_not_answer(path: str) -> None:
    assert not may_answer(path)


@pytest.mark.parametrize("path", ["docs/conf.py", "examples/a.py", "benchmarks/a.go", "extra/a.c"])
def test_what_stands_beside_the_source_may_answer_an_issue_but_not_a_fix(path: str) -> None:
    assert may_answer(path)
    assert not is_source(path)
