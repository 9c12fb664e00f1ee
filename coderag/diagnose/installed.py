"""Names of third parties that can be seen without running anything: packages that lie in the project's own environment.

Looks below the root alone (`.venv/lib/python*/site-packages`, `node_modules`), links out of it not followed; reads names of files and the
text of single modules, and runs and imports nothing. An environment elsewhere cannot be seen; then nothing is said of what it may hold.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from coderag.config import Settings
from coderag.link.words import words
from coderag.types import FileStat, Skipped, WalkedFile
from coderag.walk import read

_ENVIRONMENTS: Final = (".venv", "venv", "env", ".env", "virtualenv")
_BINARY: Final = (".so", ".pyd")

STANDARD_MODULES: Final[Mapping[str, frozenset[str]]] = {
    "dotted": frozenset(sys.stdlib_module_names) | {"__future__", "_typeshed", "typing_extensions"},
    "script": words(
        """
        assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain
        events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl
        stream string_decoder sys test timers tls trace_events tty url util v8 vm wasi worker_threads zlib bun deno
        """
    ),
}
"""By the style of imports: the first parts of what the language's own library is called."""


_ANSWERS: Final = re.compile(
    r"import \*|__getattr__|\bglobals\(|\bimport_module\b|\b__path__\b|\bsys\.modules\b|\blazy\w*\b|\bsetattr\("
)
"""What lets a module have names that are not written in it."""


class Installed:
    """The packages in the environment of a root."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self._root = root
        self._settings = settings

    def lacks_name(self, style: str, module: str, name: str) -> bool:
        """Whether a module that can be seen surely has no such name: it is not written in it, and nothing brings names in unseen."""
        if style != "dotted" or not module or module.startswith("."):
            return False
        file = self._module_file(module)
        if file is None or _has_part(file, name):
            return False
        text = self._text(file)
        written = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) if text else None
        return bool(text) and not written and not _ANSWERS.search(text)

    def _module_file(self, module: str) -> Path | None:
        parts = module.split(".")
        for folder in self._site_packages():
            base = folder.joinpath(*parts)
            for file in (base / "__init__.py", base.with_name(f"{base.name}.py")):
                if file.is_file():
                    return file
        return None

    def _text(self, file: Path) -> str:
        """The text of a file inside of the root; "" where it cannot be read."""
        path, stat = file.relative_to(self._root).as_posix(), FileStat(0, 0, 0, 0)
        source = read(self._root, WalkedFile(path, stat), self._settings, "python")
        return "" if isinstance(source, Skipped) else source.text.decode("utf-8", "replace")

    def lacks(self, style: str, module: str) -> bool:
        """Whether an environment can be seen and the package of a module is surely not in it."""
        if style == "dotted":
            return bool(self._python) and module.partition(".")[0] not in self._python
        if style == "script":
            parts = module.split("/")
            package = "/".join(parts[:2]) if module.startswith("@") else parts[0]
            return bool(self._scripts) and package not in self._scripts and f"@types/{package}" not in self._scripts
        return False

    @cached_property
    def _python(self) -> frozenset[str]:
        """Top-level modules of the project's virtual environments."""
        names: set[str] = set()
        for folder in self._site_packages():
            for entry in _entries(folder):
                names.add(entry.partition(".")[0])
        return frozenset(names - {""})

    def _site_packages(self) -> Iterator[Path]:
        for name in _ENVIRONMENTS:
            base = self._root / name
            if not base.resolve().is_relative_to(self._root.resolve()):
                continue
            yield from sorted(base.glob("lib/python*/site-packages"))
            yield from (each for each in (base / "Lib" / "site-packages",) if each.is_dir())

    @cached_property
    def _scripts(self) -> frozenset[str]:
        """Packages below `node_modules`, with those of a scope."""
        folder = self._root / "node_modules"
        names: set[str] = set()
        for entry in _entries(folder):
            names.update(f"{entry}/{each}" for each in _entries(folder / entry)) if entry[:1] == "@" else names.add(
                entry
            )
        return frozenset(names)


def _has_part(file: Path, name: str) -> bool:
    """Whether a package has a module of this name, or ones that are no Python."""
    return file.stem == "__init__" and any(
        entry.partition(".")[0] == name or entry.endswith(_BINARY) for entry in _entries(file.parent)
    )


def _entries(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def is_standard(style: str, module: str) -> bool:
    """Whether a module is one of the language's own library."""
    first = module.removeprefix("node:").replace("/", ".").partition(".")[0]
    return module.startswith("node:") or first in STANDARD_MODULES.get(style, frozenset())
