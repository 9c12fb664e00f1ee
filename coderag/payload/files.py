"""What a payload's layers need from the disk: the configuration, rules, the memory, a history. Also writes a first configuration.

Every path is below the root, a regular file, no secret one, and its secrets are masked. A file that is not there is a reason and no error.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from coderag.assemble.configuration import (
    CONFIGURATION_FILE,
    Configuration,
    configuration_of,
    default_configuration,
    json_schema,
)
from coderag.assemble.located import Located, read_json, read_toml
from coderag.config import Settings
from coderag.errors import ConfigError, StorageError
from coderag.types import FileStat, Skipped, WalkedFile
from coderag.walk import read
from coderag.walk.builtin import is_secret_file

SCHEMA_FILE = ".assistant/context.schema.coderag.json"
_MOST_BYTES = 4_000_000
_TABLES = (("pyproject.toml", ("tool", "coderag", "context")), ("coderag.toml", ("context",)))


@dataclass(frozen=True, slots=True)
class FileText:
    """A file's text, or why there is none."""

    text: str = ""
    reason: str = ""


def read_text(root: Path, path: str) -> FileText:
    """A file below the root, secrets masked, as text."""
    if is_secret_file(path.rpartition("/")[2]):
        return FileText(reason=f"{path} is a file of secrets")
    if not os.path.lexists(root / path):
        return FileText(reason=f"{path} is not there")
    settings = Settings(max_file_bytes=_MOST_BYTES, max_line_bytes=_MOST_BYTES)
    found = read(root, WalkedFile(path, FileStat(0, 0, 0, 0)), settings, "")
    if isinstance(found, Skipped):
        return FileText(reason=f"{path} cannot be read: {found.reason}{f' ({found.detail})' if found.detail else ''}")
    return FileText(found.text.decode("utf-8", "replace"))


def load_configuration(root: Path, callables: tuple[str, ...] | None = ()) -> Configuration | None:
    """The configuration of a root, None where it has none. `callables` as in `configuration_of`.

    Raises:
        ConfigError: it has mistakes, or there are two.
    """
    found = [(path, document) for path, document in _documents(root) if document is not None]
    if len(found) > 1:
        raise ConfigError(f"layers are configured in {' and in '.join(path for path, _ in found)}; remove all but one")
    return configuration_of(found[0][1], found[0][0], callables=callables) if found else None


def _documents(root: Path) -> list[tuple[str, Located | None]]:
    written = _configuration_text(root, CONFIGURATION_FILE)
    found: list[tuple[str, Located | None]] = [
        (CONFIGURATION_FILE, None if written is None else read_json(written, CONFIGURATION_FILE))
    ]
    for path, table in _TABLES:
        text = _configuration_text(root, path)
        relevant = text is not None and "context" in text
        found.append((path, read_toml(text, path, table) if relevant and text is not None else None))
    return found


def _configuration_text(root: Path, path: str) -> str | None:
    if not os.path.lexists(root / path):
        return None
    found = read_text(root, path)
    if found.reason:
        raise ConfigError(f"{found.reason}; correct the file or remove it")
    return found.text


def initialise(root: Path) -> tuple[str, ...]:
    """Write the default configuration with its schema; the paths that were written.

    Raises:
        ConfigError: there is a configuration already.
        StorageError: the files cannot be written.
    """
    if (there := load_configuration(root, callables=None)) is not None:
        raise ConfigError(f"{there.path}: layers are configured already; edit that file")
    _write_new(root, SCHEMA_FILE, json.dumps(json_schema(), indent=2) + "\n", replaces=True)
    _write_new(root, CONFIGURATION_FILE, written_configuration(default_configuration()))
    return (CONFIGURATION_FILE, SCHEMA_FILE)


def written_configuration(configuration: Configuration) -> str:
    """A configuration as a file that people edit: one layer a line."""
    document = {"$schema": SCHEMA_FILE.rpartition("/")[2], **configuration.to_dict()}
    layers = ",\n".join("    " + json.dumps(layer, ensure_ascii=False) for layer in document.pop("layers"))
    rest = "".join(
        f",\n  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in document.items()
    )
    return f'{{\n  "layers": [\n{layers}\n  ]{rest}\n}}\n'


def _write_new(root: Path, path: str, text: str, replaces: bool = False) -> None:
    place = root / path
    try:
        place.parent.mkdir(exist_ok=True)
        if not place.parent.resolve().is_relative_to(root.resolve()):
            raise StorageError(f"{path} leads out of {root}; nothing was written")
        flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | (os.O_TRUNC if replaces else os.O_EXCL)
        with os.fdopen(os.open(place, flags, 0o644), "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise StorageError(f"{place}: {error.strerror or error}") from error
