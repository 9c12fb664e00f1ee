"""What layers read from the disk: only what lies below the root, and never a secret."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from coderag.assemble.configuration import default_configuration
from coderag.config import load_settings
from coderag.errors import ConfigError, StorageError
from coderag.payload import initialise, lint, load_configuration, read_text

LAYER = '{"name": "a", "source": "static", "max_tokens": 5}'
TABLE = '[tool.coderag]\nmax_files = 7\n[tool.coderag.context]\nlayers = [{name = "a", source = "static", max_tokens = 5}]\n'


def write(root: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content.encode() if isinstance(content, str) else content)


def test_a_root_without_a_configuration_has_none(tmp_path: Path) -> None:
    assert load_configuration(tmp_path) is None


def test_init_writes_what_loads_as_the_default(tmp_path: Path) -> None:
    assert initialise(tmp_path) == (".assistant/context.json", ".assistant/context.schema.coderag.json")
    assert load_configuration(tmp_path) == default_configuration()
    with pytest.raises(ConfigError, match="already"):
        initialise(tmp_path)


def test_init_does_not_follow_a_link_out_of_the_root(tmp_path: Path) -> None:
    root, other = tmp_path / "root", tmp_path / "other"
    root.mkdir()
    other.mkdir()
    (root / ".assistant").symlink_to(other)
    with pytest.raises(StorageError):
        initialise(root)
    assert list(other.iterdir()) == []


def test_both_toml_files_may_have_the_table_and_settings_ignore_it(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": TABLE})
    found = load_configuration(tmp_path)
    assert found is not None and found.path == "pyproject.toml"
    assert load_settings(tmp_path, {}).max_files == 7
    write(
        tmp_path,
        {"pyproject.toml": "", "coderag.toml": TABLE.replace("tool.coderag.", "").replace("[tool.coderag]\n", "")},
    )
    found = load_configuration(tmp_path)
    assert found is not None and found.path == "coderag.toml"
    assert load_settings(tmp_path, {}).max_files == 7


def test_two_configurations_are_an_error_that_names_both(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": TABLE, ".assistant/context.json": f'{{"layers": [{LAYER}]}}'})
    with pytest.raises(ConfigError, match=r"\.assistant/context\.json and in pyproject\.toml"):
        load_configuration(tmp_path)


def test_a_mistake_names_file_and_line(tmp_path: Path) -> None:
    write(tmp_path, {".assistant/context.json": f'{{\n"layers": [{LAYER}],\n"windows": 3\n}}'})
    with pytest.raises(ConfigError, match=r"^\.assistant/context\.json:3: "):
        load_configuration(tmp_path)


def test_secrets_in_a_text_are_masked(tmp_path: Path) -> None:
    write(tmp_path, {"rules.md": 'token = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"\n'})
    assert "ghp_a1" not in read_text(tmp_path, "rules.md").text


def test_what_cannot_be_read_is_a_reason(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(root, {".env": "A=1", "keys/id_rsa": "x", "big": b"a" * 5_000_000, "bin": b"\0" * 100, "ok.md": "\ufeffok"})
    write(tmp_path, {"outside.md": "outside"})
    (root / "leak.md").symlink_to(tmp_path / "outside.md")
    os.mkfifo(root / "pipe.md")
    for path in (
        ".env",
        "keys/id_rsa",
        "big",
        "bin",
        "leak.md",
        "pipe.md",
        "none.md",
        "keys",
        "../outside.md",
        "/etc/passwd",
    ):
        found = read_text(root, path)
        assert found.text == "" and found.reason, path
    assert read_text(root, "ok.md").text == "ok"


def rules(root: Path, **options: str) -> list[str]:
    return [finding.rule for finding in lint(root, **options)]


def test_the_doctor_looks_at_the_files_of_layers(tmp_path: Path) -> None:
    assert rules(tmp_path) == []
    initialise(tmp_path)
    assert rules(tmp_path) == ["missing file"]
    write(
        tmp_path, {".assistant/rules.md": "Generated on 2026-11-30\n", "tools.json": '[{"name": "b"}, {"name": "a"}]'}
    )
    assert rules(tmp_path, tools_file="tools.json") == ["timestamp", "unsorted tools"]
    write(tmp_path, {".assistant/memory.md": "## Confirmed\n- A\n## Rejected\n- A: slow\n"})
    assert rules(tmp_path) == ["timestamp", "confirmed and rejected"]


def test_the_doctor_reports_mistakes_one_by_one(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".assistant/context.json": '{"layers": [\n{"name": "a"},\n{"name": "b", "source": "memory", "max_tokens": 0}]}'
        },
    )
    found = lint(tmp_path)
    assert [finding.place for finding in found] == [".assistant/context.json:2"] * 2 + [".assistant/context.json:3"]
    assert {finding.rule for finding in found} == {"configuration"}
