"""docs/api.md is what the docstrings say."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

import coderag

SCRIPT = Path(__file__).parents[2] / "scripts" / "api_docs.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = spec_from_file_location("api_docs", SCRIPT)
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date(script: ModuleType) -> None:
    assert script.PAGE.read_text(encoding="utf-8") == script.written(), "run `python scripts/api_docs.py`"


def test_every_public_name_is_documented(script: ModuleType) -> None:
    page = script.written()
    assert [
        name for name in coderag.__all__ if name != "__version__" and f"### `{name}`" not in page.replace("(", "`")
    ] == []


def test_what_is_raised_is_a_list(script: ModuleType) -> None:
    def ask() -> None:
        """Ask.

        Raises:
            OneError, TwoError: the first line
                and the second.
            ThirdError: another.
        """

    assert script.paragraphs(ask) == (
        "Ask.\n\n- raises `OneError, TwoError`: the first line and the second.\n- raises `ThirdError`: another.\n"
    )
