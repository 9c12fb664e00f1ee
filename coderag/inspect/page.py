"""An inspection as one HTML page that needs nothing beside it.

The data stand in the page as JSON in which no character can end a script. Its policy names its own script and style by their hashes and
forbids everything else: no other script runs, and nothing is fetched. The live page may only talk to the server that it came from.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from coderag.errors import StorageError
from coderag.inspect.document import document
from coderag.inspect.values import Inspection
from coderag.visible import visible_line

MARK: Final = "<!doctype html><!-- a page of `coderag inspect` -->"
"""How every page begins; a file that begins otherwise is never replaced."""

_ESCAPES: Final = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def render_page(found: Inspection) -> str:
    """The page of an inspection, in ASCII."""
    title = str(found.request.get("task", "")) or found.focus or "a trace"
    return _filled(document(found), f"{visible_line(title)[:120]} · coderag")


def live_page() -> str:
    """The page that asks the server that it came from."""
    return _filled({"live": True}, "coderag inspect")


def policy(live: bool = False) -> str:
    """The Content-Security-Policy of a page."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(_asset('page.js'))}'",
            f"style-src '{_hash(_asset('page.css'))}'",
            "connect-src 'self'" if live else "connect-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def write_page(place: Path, text: str) -> None:
    """Write a page, for its owner alone to read; only an earlier page is replaced, and as a whole or not at all.

    Raises:
        StorageError: something else is there, or it cannot be written.
    """
    try:
        if os.path.lexists(place) and not _is_page(place):
            raise StorageError(f"{place}: this is no page of `coderag inspect`; name another file")
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.with_name(f".{place.name}.{os.getpid()}")
        try:
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(text.encode("ascii"))
            beside.replace(place)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"{place}: the page cannot be written: {error.strerror or error}") from error


def _is_page(place: Path) -> bool:
    if place.is_symlink() or not place.is_file():
        return False
    with place.open("rb") as file:
        return file.read(len(MARK)) == MARK.encode()


def _filled(data: Mapping[str, Any], title: str) -> str:
    parts = {
        "MARK": MARK,
        "POLICY": escape(policy(live=bool(data.get("live")))),
        "TITLE": escape(title).encode("ascii", "xmlcharrefreplace").decode(),
        "STYLE": _asset("page.css"),
        "SCRIPT": _asset("page.js"),
        "DATA": as_json(data),
    }
    pieces = _asset("page.html").split("%%")
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def as_json(data: Mapping[str, Any]) -> str:
    """A document as JSON in ASCII, in which nothing can end a script or begin a tag."""
    return json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":")).translate(_ESCAPES)


@cache
def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
