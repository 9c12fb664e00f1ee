"""How an index stands to the work tree now, without changing either."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from coderag.config import Settings
from coderag.snapshot import StoredSnapshot
from coderag.types import FileStat, Skipped, Walk, WalkedFile
from coderag.update import Report
from coderag.update.identity import Identity, current_identity
from coderag.update.plan import make_plan, unread_from_bytes
from coderag.walk import digest, head_commit, walk

CHEAP_FILES = 50
CHEAP_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Freshness:
    """What an update would find. `head` and `indexed_head` are commit ids, "" where there is none.

    `outdated`: this version of coderag reads or links files differently from the one that made the index. `unproven`
    counts files that are as they were, but had to be read to see that; an update spares the next question this.
    """

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    bytes_to_read: int
    head: str
    indexed_head: str
    unproven: int = 0
    outdated: bool = False

    @property
    def is_fresh(self) -> bool:
        """Whether every file is as it was indexed."""
        return not (self.added or self.changed or self.removed)

    @property
    def needs_update(self) -> bool:
        """Whether an update would write anything that a question gains by."""
        return not self.is_fresh or bool(self.unproven) or self.outdated or self.head != self.indexed_head

    @property
    def is_cheap(self) -> bool:
        """Whether an update takes so little that a question can wait for it."""
        files = len(self.added) + len(self.changed) + len(self.removed)
        return files <= CHEAP_FILES and self.bytes_to_read <= CHEAP_BYTES and not self.outdated


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """What was pending, and the report of the update that took care of it; None when there was none.

    `obstacle` says why a cheap update could not be made.
    """

    pending: Freshness
    report: Report | None = None
    obstacle: str = ""

    @property
    def is_fresh(self) -> bool:
        """Whether the index has every file as it is now."""
        return self.pending.is_fresh or self.report is not None


def freshness(root: Path, settings: Settings, snapshot: StoredSnapshot, found: Walk | None = None) -> Freshness:
    """Compare an index with its root (with `found`, a walk that was just made). Reads no file whose stat proves it unchanged.

    Files of a language that coderag itself now reads differently count as changed.
    """
    found = found or walk(root, settings)
    identity, stored = current_identity(settings), Identity.from_bytes(snapshot.block("identity"))
    stale_languages = identity.stale_languages(stored)
    plan = make_plan(
        root,
        found,
        snapshot.manifest,
        unread_from_bytes(snapshot.block("unread")),
        settings,
        verify=False,
        stale_languages=stale_languages,
    )
    return Freshness(
        tuple(file.path for file in plan.analyse if snapshot.index_of(file.path) < 0),
        tuple(file.path for file in plan.analyse if snapshot.index_of(file.path) >= 0),
        plan.removed,
        sum(file.stat.size for file in plan.analyse),
        head_commit(root),
        (snapshot.block("head") or b"").decode(),
        len(plan.restat),
        bool(stale_languages) or identity.links_differently(stored),
    )


def is_stale(root: Path, settings: Settings, snapshot: StoredSnapshot, path: str) -> bool:
    """Whether an indexed file is not as it was indexed: by its stat and, where that is no proof, by its bytes."""
    index = snapshot.index_of(path)
    try:
        found = (root / path).lstat()
    except OSError:
        return True
    stat = FileStat(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
    if stat == snapshot.manifest.stat(index):
        return False
    now = digest(root, WalkedFile(path, stat), settings)
    return isinstance(now, Skipped) or now[0] != snapshot.manifest.hashes[index]
