"""When to look at a root again: file events, put together until there is a moment's quiet and git is not at work.

An event is only a reason to look. Where none comes, because a network file system sends none or the queue overflowed, a look now and then
finds what was missed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

from coderag.errors import ConfigError, StorageError
from coderag.walk.git import common_directory, find_work_tree, git_directory

QUIET_MILLISECONDS = 200
LONGEST_WAIT_SECONDS = 10.0
"""After so long a change is looked at although more keep coming, or git still holds its lock."""
RESCAN_SECONDS = 120.0

Batch = Iterable[str]
"""Paths of events that came close together; none when it was quiet for `QUIET_MILLISECONDS`."""

_GIT_FILES = ("HEAD", "index", "packed-refs", "info/exclude", "config")
_GIT_FOLDERS = ("refs/heads/",)


class Stop(Protocol):
    """Says whether to end."""

    def is_set(self) -> bool:
        """Whether it is over."""


class Relevance:
    """Which paths matter to an index: all below the root but the index itself unless it has gone, and what git keeps of the work tree."""

    def __init__(self, root: Path, index_directory: Path) -> None:
        self._root = os.path.realpath(root) + os.sep
        self._own = os.path.realpath(index_directory) + os.sep
        self.git = self._git_directories(root)

    @staticmethod
    def _git_directories(root: Path) -> tuple[str, ...]:
        top = find_work_tree(root)
        git = None if top is None else git_directory(str(top))
        if git is None:
            return ()
        return tuple(dict.fromkeys(os.path.realpath(each) for each in (git, common_directory(git))))

    def places(self) -> list[str]:
        """The directories to watch."""
        outside = [each for each in self.git if not f"{each}{os.sep}".startswith(self._root)]
        return [self._root.rstrip(os.sep) or os.sep, *outside]

    def __call__(self, path: str) -> bool:
        """Whether an event at this absolute path is a reason to look."""
        if f"{path}{os.sep}".startswith(self._own):
            return f"{path}{os.sep}" == self._own and not os.path.lexists(path)
        for git in self.git:
            if path == git or path.startswith(git + os.sep):
                inside = path[len(git) + 1 :]
                return inside in _GIT_FILES or (inside.startswith(_GIT_FOLDERS) and not inside.endswith(".lock"))
        return f"{path}{os.sep}".startswith(self._root)

    def git_is_at_work(self) -> bool:
        """Whether git holds the lock of the work tree, as it does all through a checkout."""
        return any(os.path.lexists(os.path.join(git, "index.lock")) for git in self.git)


def changes(root: Path, index_directory: Path, stop: Stop) -> Iterator[None]:
    """Yield when it is time to look: first as soon as nothing can be missed any more, then after every change. Ends with `stop`.

    Raises:
        ConfigError: the extra `watch` is missing.
        StorageError: the system refuses to watch.
    """
    relevant = Relevance(root, index_directory)
    yield from settled(_batches(relevant.places(), stop), relevant, relevant.git_is_at_work, time.monotonic)


def settled(
    batches: Iterable[Batch], relevant: Callable[[str], bool], is_busy: Callable[[], bool], now: Callable[[], float]
) -> Iterator[None]:
    """The moments to look, by batches of events. `now` is in seconds."""
    since: float | None = now()  # whatever changed before the first event counts as a change
    looked = now()
    for batch in batches:
        moment = now()
        is_moving = any(relevant(path) for path in batch)
        if is_moving and since is None:
            since = moment
        if since is None and moment - looked < RESCAN_SECONDS:
            continue
        is_late = since is not None and moment - since >= LONGEST_WAIT_SECONDS
        if is_late or not (is_moving or is_busy()):
            yield
            since, looked = None, now()


def _batches(places: list[str], stop: Stop) -> Iterator[Batch]:
    try:
        from watchfiles import watch
    except ImportError as error:
        raise ConfigError("watching needs the extra `watch`; run `pip install 'coderag[watch]'`") from error
    try:
        for found in watch(
            *places,
            watch_filter=None,
            step=50,
            stop_event=stop,
            rust_timeout=QUIET_MILLISECONDS,
            yield_on_timeout=True,
            ignore_permission_denied=True,
        ):
            yield [path for _, path in found]
    except OSError as error:
        raise StorageError(f"{places[0]}: cannot be watched: {error}; raise the system's limit of watches") from error
