"""Names of third parties that can be seen without running anything: packages that lie in the project's own environment.

Looks below the root alone (`.venv/lib/python*/site-packages`, `node_modules`), reads names of files, and runs and imports nothing.
An environment elsewhere cannot be seen; then nothing is said of what it may hold.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from coderag.link.words import words

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


class Installed:
    """The packages in the environment of a root."""

    def __init__(self, root: Path) -> None:
        self._root = root

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
            yield from sorted(base.glob("lib/python*/site-packages"))
            if (base / "Lib" / "site-packages").is_dir():
                yield base / "Lib" / "site-packages"

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


def _entries(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def is_standard(style: str, module: str) -> bool:
    """Whether a module is one of the language's own library."""
    first = module.removeprefix("node:").replace("/", ".").partition(".")[0]
    return module.startswith("node:") or first in STANDARD_MODULES.get(style, frozenset())
