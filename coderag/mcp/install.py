"""Entering the server into the configuration files of assistants, and taking it out again, leaving everything else as it is.

The files are those that the assistants document. One that cannot be understood is not touched.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from coderag.errors import ConfigError, StorageError
from coderag.mcp import jsonc

NAME = "coderag"
_HEADER = re.compile(r"\s*\[+([^\]\n]*)\]")


@dataclass(frozen=True, slots=True)
class Command:
    """How an assistant starts the server."""

    program: str
    arguments: tuple[str, ...]


Shape = Callable[[Command], Mapping[str, Any]]


def _plain(command: Command) -> Mapping[str, Any]:
    return {"command": command.program, "args": list(command.arguments)}


def _typed(command: Command) -> Mapping[str, Any]:
    return {"type": "stdio", **_plain(command)}


def _listed(command: Command) -> Mapping[str, Any]:
    return {"type": "local", "command": [command.program, *command.arguments], "enabled": True}


def _custom(command: Command) -> Mapping[str, Any]:
    return {"source": "custom", **_plain(command)}


@dataclass(frozen=True, slots=True)
class Agent:
    """An assistant: its file in a project, its file of the user (by platform where they differ), and how a server stands in it.

    `workspace` is how the file in a project names the project: "." where the server is started in it.
    """

    title: str
    project: str = ""
    user: str = ""
    user_elsewhere: Mapping[str, str] = field(default_factory=dict)
    keys: tuple[str, ...] = ("mcpServers",)
    shape: Shape = _plain
    workspace: str = "."


AGENTS: Mapping[str, Agent] = {
    "claude-code": Agent("Claude Code", ".mcp.json", ".claude.json", shape=_typed),
    "claude-desktop": Agent(
        "Claude Desktop",
        user=".config/Claude/claude_desktop_config.json",
        user_elsewhere={
            "darwin": "Library/Application Support/Claude/claude_desktop_config.json",
            "win32": "AppData/Roaming/Claude/claude_desktop_config.json",
        },
    ),
    "codex": Agent("Codex", ".codex/config.toml", ".codex/config.toml", keys=("mcp_servers",)),
    "cursor": Agent("Cursor", ".cursor/mcp.json", ".cursor/mcp.json", workspace="${workspaceFolder}"),
    "gemini": Agent("Gemini CLI", ".gemini/settings.json", ".gemini/settings.json"),
    "opencode": Agent("opencode", "opencode.json", ".config/opencode/opencode.json", keys=("mcp",), shape=_listed),
    "roo": Agent("Roo Code", ".roo/mcp.json", workspace="${workspaceFolder}"),
    "vscode": Agent("VS Code", ".vscode/mcp.json", keys=("servers",), shape=_typed, workspace="${workspaceFolder}"),
    "windsurf": Agent("Windsurf", user=".codeium/windsurf/mcp_config.json"),
    "zed": Agent("Zed", ".zed/settings.json", ".config/zed/settings.json", keys=("context_servers",), shape=_custom),
}


@dataclass(frozen=True, slots=True)
class Place:
    """Whose configuration: that of the project, or that of the user."""

    project: Path
    home: Path
    platform: str
    of_user: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A file as it is (None: not there) and as it shall be, and the entry alone."""

    path: Path
    before: str | None
    after: str
    shown: str

    @property
    def is_needed(self) -> bool:
        """Whether the file would differ."""
        return (self.before or "") != self.after

    def apply(self) -> None:
        """Write the file, whole or not at all. Its permissions stay.

        Raises:
            StorageError: the disk refused.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
                    file.write(self.after)
                os.chmod(name, self.path.stat().st_mode & 0o777 if self.before is not None else 0o644)
                os.replace(name, self.path)
            except BaseException:
                os.unlink(name)
                raise
        except OSError as error:
            raise StorageError(f"{self.path}: {error.strerror or error}; give permission or make room") from error


def planned(name: str, program: str, roots: Sequence[Path], place: Place, *, remove: bool = False) -> Change:
    """What installing (or removing) the server for an assistant changes.

    Raises:
        ConfigError: there is no such assistant, it has no file of this kind, or its file is not understood.
    """
    if name not in AGENTS:
        raise ConfigError(f"{name!r}: no such assistant; known are {', '.join(AGENTS)}")
    agent = AGENTS[name]
    path, is_project = _file(agent, place)
    rooted = [str(root) for root in roots] or ([agent.workspace] if is_project else [])
    command = Command(program, ("mcp", *(part for root in rooted for part in ("--root", root))))
    entry = dict(agent.shape(command))
    where = (*agent.keys, NAME)
    before = _read(path)
    is_toml = path.suffix == ".toml"
    shown = _table(where, entry) if is_toml else jsonc.document(where, entry)
    try:
        edit = _toml_edited if is_toml else _json_edited
        after = edit(before, where, None if remove else entry)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: {error}; it was left as it is. This is the entry:\n{shown}") from error
    return Change(path, before, after, shown)


def _file(agent: Agent, place: Place) -> tuple[Path, bool]:
    """The file of an assistant, links resolved, and whether it belongs to the project."""
    user = agent.user_elsewhere.get(place.platform, agent.user)
    if agent.project and not place.of_user:
        path = Path(os.path.realpath(place.project / agent.project))
        if not path.is_relative_to(os.path.realpath(place.project)):
            raise ConfigError(f"{place.project / agent.project}: leads out of the project; nothing was written")
        return path, True
    if not user:
        raise ConfigError(f"{agent.title} has no file of the user for this; run it without --user, in the project")
    return Path(os.path.realpath(place.home / user)), False


def _read(path: Path) -> str | None:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error


def _json_edited(before: str | None, where: tuple[str, ...], entry: Mapping[str, Any] | None) -> str:
    if before is None or not before.strip("\ufeff \t\r\n"):
        return (before or "") if entry is None else jsonc.document(where, entry)
    mark, text = ("\ufeff", before[1:]) if before.startswith("\ufeff") else ("", before)
    value = jsonc.loads(text)
    if not isinstance(value, dict):
        raise ValueError("it holds no JSON object")
    if entry is not None and _at(value, where) == entry:
        return before
    after = jsonc.without_member(text, where) if entry is None else jsonc.with_member(text, where, entry)
    _require(jsonc.loads(after) == _expected(value, where, entry))
    return mark + after


def _toml_edited(before: str | None, where: tuple[str, ...], entry: Mapping[str, Any] | None) -> str:
    text = before or ""
    value = tomllib.loads(text.replace("\r\n", "\n"))
    if _at(value, where) == entry:
        return text
    line_end = "\r\n" if "\r\n" in text else "\n"
    kept = _without_table(text, where)
    if entry is None:
        after = kept
    else:
        gap = "" if not kept else line_end if kept.endswith(line_end) else line_end * 2
        after = kept + gap + _table(where, entry).replace("\n", line_end)
    _require(tomllib.loads(after.replace("\r\n", "\n")) == _expected(value, where, entry))
    return after


def _table(where: tuple[str, ...], entry: Mapping[str, Any]) -> str:
    """An entry as a TOML table. A JSON text of a string or of a list of strings is one in TOML too."""
    lines = [
        f"[{'.'.join(where)}]",
        *(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()),
    ]
    return "\n".join(lines) + "\n"


def _without_table(text: str, where: tuple[str, ...]) -> str:
    """The text without a table, those inside of it, and the blank line above it. Comments below it stay."""
    kept: list[str] = []
    held: list[str] = []
    is_inside = False
    for line in text.splitlines(keepends=True):
        if header := _HEADER.match(line):
            was_inside, is_inside = is_inside, _is_table(header.group(1), where)
            if was_inside and not is_inside:
                kept += held
            if is_inside and not was_inside and kept and not kept[-1].strip():
                kept.pop()
            held.clear()
        if not is_inside:
            kept.append(line)
        elif line.strip() and not line.lstrip().startswith("#"):
            held.clear()
        else:
            held.append(line)
    return "".join(kept + held)


def _is_table(name: str, where: tuple[str, ...]) -> bool:
    parts = tuple(part.strip(" \t\"'") for part in name.split("."))
    return parts[: len(where)] == where


def _at(value: Any, where: tuple[str, ...]) -> Any:
    for key in where:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _expected(value: dict[str, Any], where: tuple[str, ...], entry: Mapping[str, Any] | None) -> dict[str, Any]:
    """The value that the text must have after the change."""
    key, *rest = where
    below = value.get(key, {})
    if rest and not isinstance(below, dict):
        raise ValueError(f"{key} is no table of servers")
    if rest and entry is None and key not in value:
        return value
    if rest:
        return {**value, key: _expected(below, tuple(rest), entry)}
    others = {name: each for name, each in value.items() if name != key}
    return others if entry is None else {**others, key: dict(entry)}


def _require(is_as_expected: bool) -> None:
    if not is_as_expected:
        raise ValueError("the entry cannot be changed without changing something else")
