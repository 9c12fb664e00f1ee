"""Which roots may be asked about, and which paths are inside of one. Everything else is refused before anything looks at it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from coderag.errors import QueryError, RootError
from coderag.types import Focus
from coderag.walk.found import is_inside


def usable_root(place: str | Path, *, named_by_user: bool) -> Path:
    """A directory that may be a root. One that the user has not named himself must not be his home or the whole disk.

    Raises:
        RootError: it may not.
    """
    root = Path(place).resolve()
    if not root.is_dir():
        raise RootError(f"{place}: not a directory; name the root of the code")
    if not named_by_user and (root == root.parent or root == Path.home().resolve()):
        raise RootError(f"{root}: too wide for a root; start the server with --root PROJECT")
    return root


def roots_of_client(addresses: Iterable[str]) -> list[Path]:
    """The directories among a client's roots; other schemes, other machines and what is no directory are left out."""
    found: dict[Path, None] = {}
    for address in addresses:
        parts = urlsplit(address)
        if parts.scheme == "file" and parts.netloc in ("", "localhost") and "\0" not in unquote(parts.path):
            path = Path(unquote(parts.path))
            if path.is_absolute() and path.is_dir():
                found[usable_root(path, named_by_user=False)] = None
    return list(found)


def chosen_root(roots: Sequence[Path], wanted: str) -> Path:
    """The root that a call is about: the only one, or the one that it names.

    Raises:
        QueryError: it names none, or another directory.
    """
    names = ", ".join(str(root) for root in roots)
    if not roots:
        raise QueryError("there is no root; start the server with --root PROJECT")
    if not wanted and len(roots) == 1:
        return roots[0]
    for root in roots:
        if wanted in (str(root), root.name) or (wanted and _same(wanted, root)):
            return root
    if wanted:
        raise QueryError(f"root {wanted[:200]!r}: not among the roots of this server; they are {names}")
    raise QueryError(f"root: name one of {names}")


def _same(wanted: str, root: Path) -> bool:
    return os.path.isabs(wanted) and "\0" not in wanted and os.path.normpath(wanted) == str(root)


def inside(root: Path, path: str) -> str:
    """A path relative to the root, as the index has it; an absolute one that is below the root is made relative.

    Raises:
        QueryError: it has a NUL or `..` in it, lies outside of the root, or leads out of it through a link.
    """
    relative = _relative(root, path)
    _require_inside(root, path, root / relative)
    return relative


def _relative(root: Path, path: str) -> str:
    if "\0" in path:
        raise QueryError("a path cannot hold a NUL")
    place = PurePosixPath(path)
    if ".." in place.parts:
        raise QueryError(f"{path[:200]!r}: `..` is refused; paths are relative to {root}")
    if place.is_absolute():
        if not is_inside(str(root), str(place)):
            raise QueryError(f"{path[:200]!r}: outside of {root}, which is all that can be asked about")
        place = place.relative_to(root.as_posix())
    return "" if place == PurePosixPath(".") else str(place)


def _require_inside(root: Path, path: str, place: Path) -> None:
    if not is_inside(str(root), os.path.realpath(place)):
        raise QueryError(f"{path[:200]!r}: leads out of {root} through a link")


def focus_of(root: Path, text: str) -> Focus | None:
    """`PATH`, `PATH:LINE` or `PATH:FIRST-LAST` as a focus; None for no text.

    Raises:
        QueryError: the path is not inside of the root.
    """
    if not text:
        return None
    path, colon, lines = text.rpartition(":")
    first, _, last = lines.partition("-")
    numbers = [int(each) for each in (first, last) if each.isascii() and each.isdigit() and len(each) < 10]
    if not colon or not numbers:
        return Focus(inside(root, text))
    return Focus(inside(root, path), numbers[0], numbers[-1] if len(numbers) > 1 else 0)


def shown_focus(focus: Focus | None) -> str:
    """The inverse of `focus_of`."""
    return f"{focus.path}:{focus.start_line}-{focus.end_line or focus.start_line}" if focus else ""


def target_inside(root: Path, target: str) -> str:
    """`PATH`, `PATH:LINE` or `PATH#SYMBOL` with its path checked and made relative to the root. The path itself may be a link.

    Raises:
        QueryError: the path is not inside of the root.
    """
    path, mark, rest = target.partition("#")
    relative = _relative(root, path)
    _require_inside(root, path, (root / relative).parent if relative else root)
    return relative + mark + rest.replace("\0", "")
