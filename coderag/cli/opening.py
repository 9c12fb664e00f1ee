"""From the arguments of a command to an open index that is as fresh as it cheaply can be."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from coderag.cli.progress import watching
from coderag.cli.screen import plural, say, size
from coderag.config import Settings, load_settings
from coderag.errors import IndexCorruptError, IndexFormatError
from coderag.types import Query

if TYPE_CHECKING:
    from coderag.diagnose import Freshness
    from coderag.index import Index

Answer = TypeVar("Answer")


@contextmanager
def opened(arguments: Namespace) -> Iterator[Index]:
    """The index that a command is about, whether it exists or not."""
    from coderag.index import Index

    root = _root_of(arguments)
    with Index.at(root, settings=settings_for(root, arguments.index_directory)) as index:
        yield index


def settings_for(root: Path, index_directory: str | None, workers: int | None = None) -> Settings:
    """The settings of a root; an index directory from the command line is relative to the current directory."""
    chosen = None if index_directory is None else str(Path(index_directory).absolute())
    return load_settings(root, index_directory=chosen, workers=workers)


def _root_of(arguments: Namespace) -> Path:
    from coderag.index import Index

    if arguments.root is not None:
        return Path(arguments.root)
    return Path.cwd() if arguments.index_directory is not None else Index.nearest_root(Path.cwd())


def caught_up(index: Index, no_update: bool) -> bool:
    """Bring the index up to date if that is cheap. Says on stderr what it did or why the answer may be old; True when it is fresh."""
    if no_update:
        _say_what_is_pending(pending := index.freshness())
        return pending.is_fresh
    with watching(quiet=True) as progress:
        found = index.catch_up(progress=progress)
    if found.report is None:
        _say_what_is_pending(found.pending)
    for note in found.report.notes if found.report else filter(None, [found.obstacle]):
        say(note)
    return found.is_fresh


def _say_what_is_pending(pending: Freshness) -> None:
    parts = ((pending.added, "added"), (pending.changed, "changed"), (pending.removed, "removed"))
    counted = ", ".join(f"{plural(len(paths), 'file')} {what}" for paths, what in parts if paths)
    if pending.outdated:
        say("another version of coderag made the index; run `coderag index`")
    elif counted:
        say(f"the index is stale: {counted} ({size(pending.bytes_to_read)} to read); run `coderag index`")


def answered(index: Index, no_update: bool, ask: Callable[[], Answer]) -> Answer:
    """The answer of `ask`; an index that turns out to be damaged is set aside, built anew and asked again."""
    try:
        return ask()
    except (IndexCorruptError, IndexFormatError) as error:
        if no_update:
            raise
        with watching(quiet=True) as progress:
            report = index.repair(error, progress=progress)
        for note in report.notes:
            say(note)
        return ask()


def filters(arguments: Namespace) -> Query:
    """The filters of a command as a query without text.

    Raises:
        QueryError: a kind is unknown.
    """
    from coderag.recall.filters import kind_named

    return Query(
        paths=tuple(arguments.path),
        languages=tuple(arguments.lang),
        kinds=tuple(dict.fromkeys(kind_named(name) for name in arguments.kind)),
    )
