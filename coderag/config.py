"""Settings: one frozen value, passed in. The only module that reads the environment and configuration files."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from coderag.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set, in `[tool.coderag]` of pyproject.toml, in `coderag.toml`, or by `CODERAG_…` variables.

    Sizes are bytes, times are seconds of CPU.
    """

    index_directory: str = ".coderag"  # relative to the root, or absolute
    include: tuple[str, ...] = ()  # gitignore-style patterns that are indexed although a rule excludes them
    exclude: tuple[str, ...] = ()  # gitignore-style patterns that are left out
    built_in_rules: bool = True  # node_modules, virtual environments, build outputs, lock files
    submodules: bool = True
    max_file_bytes: int = 1_000_000
    max_files: int = 200_000
    max_line_bytes: int = 5_000
    max_chunk_lines: int = 120
    max_chunk_bytes: int = 8_000
    parse_seconds: float = 10.0
    worker_memory_bytes: int = 2_000_000_000
    workers: int = 0  # 0: as many as there are processors, at most 8
    lock_seconds: float = 10.0
    embedding: str = "bundled"  # or "none", the name or folder of a model, or the URL of an OpenAI-compatible endpoint
    embedding_model: str = ""  # the name of the model at an endpoint
    embedding_key_variable: str = ""  # the environment variable that holds the key of an endpoint
    embedding_seconds: float = 30.0  # how long an endpoint may take to answer
    embedding_download: bool = False  # whether a model that is named may be fetched
    embedding_query_prompt: str = ""  # put before a question, where the model does not bring its own
    embedding_passage_prompt: str = ""  # put before the text of a chunk


_PREFIX = "CODERAG_"
_OF_LAYERS = "context"  # the table that configures the layers of a payload, see `payload.files`
_OF_THE_USER = frozenset({"embedding_key_variable", "embedding_download"})
"""What a file of the repository must not decide: where its code goes, and what is fetched or sent along."""


def load_settings(root: str | Path, environment: Mapping[str, str] | None = None, **overrides: Any) -> Settings:
    """Defaults, then `pyproject.toml`, then `coderag.toml`, then the environment, then `overrides` (None: not given).

    Raises:
        ConfigError: an unknown name, a value of the wrong type, or a file that is not TOML.
    """
    root = Path(root)
    values: dict[str, Any] = {}
    values.update(_from_toml(root / "pyproject.toml", ("tool", "coderag")))
    values.update(_from_toml(root / "coderag.toml", ()))
    values.update(_from_environment(os.environ if environment is None else environment))
    values.update({name: value for name, value in overrides.items() if value is not None})
    return Settings(**values)


def _from_toml(path: Path, table: tuple[str, ...]) -> dict[str, Any]:
    try:
        document: Any = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        if not table:
            raise ConfigError(f"{path}: {error}; correct the file or remove it") from error
        return {}
    for name in table:
        document = document.get(name, {}) if isinstance(document, dict) else {}
    own = {name: value for name, value in document.items() if not (name == _OF_LAYERS and isinstance(value, dict))}
    return {name: _harmless(name, _checked(name, value, str(path)), path) for name, value in own.items()}


def _harmless(name: str, value: Any, path: Path) -> Any:
    """A value from a file of the repository, which may be a stranger's."""
    if name in _OF_THE_USER or (name == "embedding" and is_address(value)):
        variable = _PREFIX + name.upper()
        raise ConfigError(f"{path}: {name} = {value!r} would let a repository use the network; set {variable} instead")
    return value


def is_address(embedding: str) -> bool:
    """Whether the setting `embedding` names an endpoint."""
    return embedding.casefold().startswith(("http://", "https://"))


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    known = {_PREFIX + entry.name.upper(): entry.name for entry in fields(Settings)}
    return {
        known[variable]: _checked(known[variable], _from_text(known[variable], text, variable), variable)
        for variable, text in sorted(environment.items())
        if variable in known
    }


def _from_text(name: str, text: str, origin: str) -> Any:
    default = getattr(Settings(), name)
    try:
        if isinstance(default, bool):
            return {"1": True, "true": True, "0": False, "false": False}[text.lower()]
        if isinstance(default, tuple):
            return [part for part in text.split(os.pathsep) if part]
        return type(default)(text)
    except (KeyError, ValueError) as error:
        raise ConfigError(f"{origin}: {text!r} is no {type(default).__name__}") from error


def _checked(name: str, value: Any, origin: str) -> Any:
    if name not in {entry.name for entry in fields(Settings)}:
        known = ", ".join(entry.name for entry in fields(Settings))
        raise ConfigError(f"{origin}: unknown setting {name!r}; known are {known}")
    default = getattr(Settings(), name)
    if isinstance(default, tuple) and isinstance(value, list) and all(isinstance(part, str) for part in value):
        return tuple(value)
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not type(default):
        raise ConfigError(f"{origin}: {name} must be a {type(default).__name__}, not {value!r}")
    return value
