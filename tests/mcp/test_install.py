"""Entering the server into configuration files: the entry as documented, everything else byte for byte as it was."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coderag import ConfigError
from coderag.mcp import jsonc
from coderag.mcp.install import AGENTS, Change, Place, planned

OTHER = (
    '{\n  "mcpServers": {\n    "github": {\n      "command": "docker",\n      "args": ["run", "-i"]\n    }\n  }\n}\n'
)
COMMENTED = """// Mine.
{
\t"servers": {
\t\t// the other one
\t\t"github": { "type": "http", "url": "https://example.org/mcp" }, // keep
\t\t/* and this */
\t},
\t"inputs": [ ],
}
"""
CODEX = """# Mine.
model = "gpt-5"

[mcp_servers.docs]
command = "docs-server"  # keep
args = ["--port", "4000"]

[mcp_servers.docs.env]
KEY = "value"

# The profile.
[profiles.fast]
model = "small"
"""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    project, home = tmp_path / "project", tmp_path / "home"
    project.mkdir()
    home.mkdir()
    return Place(project, home, "linux")


def of_user(place: Place) -> Place:
    return Place(place.project, place.home, place.platform, of_user=True)


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def install(name: str, place: Place, *roots: Path, remove: bool = False) -> Change:
    change = planned(name, "coderag", roots, place, remove=remove)
    if change.is_needed:
        change.apply()
    return change


@pytest.mark.parametrize(
    ("name", "path", "where", "entry"),
    [
        ("claude-code", ".mcp.json", "mcpServers", {"type": "stdio", "command": "coderag", "args": ["mcp", "--root", "."]}),
        ("cursor", ".cursor/mcp.json", "mcpServers", {"command": "coderag", "args": ["mcp", "--root", "${workspaceFolder}"]}),
        ("vscode", ".vscode/mcp.json", "servers", {"type": "stdio", "command": "coderag", "args": ["mcp", "--root", "${workspaceFolder}"]}),
        ("opencode", "opencode.json", "mcp", {"type": "local", "command": ["coderag", "mcp", "--root", "."], "enabled": True}),
        ("zed", ".zed/settings.json", "context_servers", {"source": "custom", "command": "coderag", "args": ["mcp", "--root", "."]}),
        ("gemini", ".gemini/settings.json", "mcpServers", {"command": "coderag", "args": ["mcp", "--root", "."]}),
    ],
)  # fmt: skip
def test_a_new_file_holds_the_entry_as_documented(place: Place, name: str, path: str, where: str, entry: Any) -> None:
    install(name, place)
    assert json.loads((place.project / path).read_text()) == {where: {"coderag": entry}}


def test_codex_keeps_its_servers_in_toml(place: Place) -> None:
    install("codex", of_user(place))
    text = (place.home / ".codex" / "config.toml").read_text()
    assert tomllib.loads(text) == {"mcp_servers": {"coderag": {"command": "coderag", "args": ["mcp"]}}}


@pytest.mark.parametrize(
    ("platform", "path"),
    [
        ("linux", ".config/Claude/claude_desktop_config.json"),
        ("darwin", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("win32", "AppData/Roaming/Claude/claude_desktop_config.json"),
    ],
)
def test_a_file_of_the_user_stands_where_the_platform_has_it(place: Place, platform: str, path: str) -> None:
    root = place.project
    install("claude-desktop", Place(place.project, place.home, platform), root)
    found = json.loads((place.home / path).read_text())
    assert found["mcpServers"]["coderag"]["args"] == ["mcp", "--root", str(root)]


def words(text: str) -> set[str]:
    """All of a file but what separates."""
    return set(re.findall(r"[^\s{}\[\],]+", text))


FILES = [
    ("claude-code", ".mcp.json", OTHER),
    ("claude-code", ".mcp.json", OTHER.replace("\n", "\r\n")),
    ("claude-code", ".mcp.json", "\ufeff" + OTHER),
    ("claude-code", ".mcp.json", '{"mcpServers": {"b": {"command": "x"}}, "a": 1.50, "a": 2, "é": "\\u00e9"}'),
    ("vscode", ".vscode/mcp.json", COMMENTED),
    ("vscode", ".vscode/mcp.json", COMMENTED.replace(", // keep", " // keep")),
    ("codex", ".codex/config.toml", CODEX),
    ("codex", ".codex/config.toml", CODEX.replace("\n", "\r\n")),
    ("codex", ".codex/config.toml", "[mcp_servers.docs]\ncommand = 'x'\n"),
]


@pytest.mark.parametrize(("name", "path", "text"), FILES)
def test_everything_else_stays_and_taking_it_out_gives_the_file_as_it_was(
    place: Place, name: str, path: str, text: str
) -> None:
    file = put(place.project / path, text)
    install(name, place)
    changed = file.read_bytes().decode()
    assert changed != text and words(text) <= words(changed)
    assert not install(name, place).is_needed
    assert install(name, place, remove=True).is_needed
    assert file.read_bytes().decode() == text
    assert not install(name, place, remove=True).is_needed


@pytest.mark.parametrize(("name", "path", "text"), [FILES[0], FILES[4], FILES[6]])
def test_an_older_entry_is_replaced_in_its_place(place: Place, name: str, path: str, text: str) -> None:
    file = put(place.project / path, text)
    install(name, place)
    install(name, place, place.home)
    assert file.read_text().count("coderag") == 2 and str(place.home) in file.read_text()
    install(name, place, remove=True)
    assert file.read_text() == text


def test_a_table_between_others_goes_without_the_comments_of_the_next(place: Place) -> None:
    ours = '[mcp_servers.coderag]\ncommand = "old"\nargs = [\n  "mcp",\n]\n\n[mcp_servers.coderag.env]\nA = "b"\n\n'
    file = put(place.project / ".codex/config.toml", CODEX.replace("# The profile.", ours + "# The profile."))
    install("codex", place, remove=True)
    assert file.read_text() == CODEX


@pytest.mark.parametrize(
    ("name", "path", "text"),
    [
        ("claude-code", ".mcp.json", "{"),
        ("claude-code", ".mcp.json", "[]"),
        ("claude-code", ".mcp.json", '{"mcpServers": []}'),
        ("claude-code", ".mcp.json", '{"mcpServers": null}'),
        ("claude-code", ".mcp.json", "{'mcpServers': {}}"),
        ("claude-code", ".mcp.json", '{"mcpServers": {}} trailing'),
        ("claude-code", ".mcp.json", "[" * 100_000),
        ("codex", ".codex/config.toml", "= broken"),
        ("codex", ".codex/config.toml", 'mcp_servers = { docs = { command = "x" } }\n'),
        ("codex", ".codex/config.toml", 'mcp_servers.coderag = { command = "x" }\n'),
        (
            "codex",
            ".codex/config.toml",
            'text = """\n[mcp_servers.coderag]\n"""\n[mcp_servers]\ncoderag = { command = "x" }\n',
        ),
    ],
)
def test_a_file_that_is_not_understood_is_left_alone(place: Place, name: str, path: str, text: str) -> None:
    file = put(place.project / path, text)
    with pytest.raises(ConfigError, match="left as it is"):
        install(name, place)
    assert file.read_text() == text


def test_permissions_and_links_of_the_user_stay(place: Place) -> None:
    real = put(place.home / "dotfiles" / "claude.json", OTHER)
    real.chmod(0o600)
    (place.home / ".claude.json").symlink_to(real)
    install("claude-code", of_user(place))
    assert "coderag" in real.read_text() and (place.home / ".claude.json").is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert [each.name for each in real.parent.iterdir()] == ["claude.json"]


def test_a_project_cannot_have_another_file_written(place: Place) -> None:
    (place.project / ".mcp.json").symlink_to(place.home / ".profile")
    with pytest.raises(ConfigError, match="leads out of the project"):
        install("claude-code", place)
    assert not (place.home / ".profile").exists()


def test_what_is_not_known_is_said(place: Place) -> None:
    with pytest.raises(ConfigError, match="known are claude-code"):
        planned("emacs", "coderag", [], place)
    with pytest.raises(ConfigError, match="no file of the user"):
        planned("vscode", "coderag", [], of_user(place))


def test_taking_it_out_of_no_file_makes_none(place: Place) -> None:
    for name in AGENTS:
        assert not planned(name, "coderag", [], place, remove=True).is_needed or AGENTS[name].project
        install(name, place, remove=True)
    assert not list(place.project.rglob("*.json")) and not list(place.home.rglob("*.json"))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda each: st.lists(each) | st.dictionaries(st.text(), each),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(), values), st.dictionaries(st.text(), values), values, st.sampled_from([None, 1, 2, "\t"])
)
def test_any_json_keeps_everything_else(
    top: dict[str, Any], below: dict[str, Any], value: Any, indent: int | str | None
) -> None:
    text = json.dumps({**top, "servers": below}, indent=indent)
    changed = jsonc.with_member(text, ("servers", "coderag"), value)
    assert json.loads(changed) == {**top, "servers": {**below, "coderag": value}}
    if "coderag" not in below and below:
        assert jsonc.without_member(changed, ("servers", "coderag")) == text


def run(*arguments: str, cwd: Path, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(home), "PYTHONPATH": str(Path.cwd())}
    command = [sys.executable, "-m", "coderag", "mcp", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)


def test_the_command_installs_shows_and_uninstalls(place: Place) -> None:
    def call(*arguments: str) -> tuple[int, str, str]:
        done = run(*arguments, cwd=place.project, home=place.home)
        return done.returncode, done.stdout, done.stderr

    code, shown, _ = call("install", "claude-code", "--print")
    assert code == 0 and '"coderag"' in shown and not (place.project / ".mcp.json").exists()
    assert "entered into" in call("install", "claude-code", "cursor")[2]
    assert (place.project / ".mcp.json").exists() and (place.project / ".cursor" / "mcp.json").exists()
    assert call("uninstall", "claude-code")[0] == 0
    assert call("uninstall", "claude-code")[0] == 1
    for wrong in (("install",), ("install", "emacs"), ("serve", "cursor"), ("dance",), ("--http", "99999")):
        code, shown, said = call(*wrong)
        assert (code, shown, said.count("\n")) == (2, "", 1), wrong
