"""How an index stands to the work tree now, without changing either."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from coderag.config import Settings
from coderag.snapshot import StoredSnapshot
from coderag.types import FileStat, Skipped, WalkedFile
from coderag.update.plan import make_plan, unread_from_bytes
from coderag.walk import head_commit, read, walk


@dataclass(frozen=True, slots=True)
class Freshness:
    """What an update would find. `head` and `indexed_head` are commit ids, "" where there is none."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    bytes_to_read: int
    head: str
    indexed_head: str

    @property
    def is_fresh(self) -> bool:
        """Whether every file is as it was indexed."""
        return not (self.added or self.changed or self.removed)


def freshness(root: Path, settings: Settings, snapshot: StoredSnapshot) -> Freshness:
    """Walk the root and compare. Reads no file whose stat proves it unchanged."""
    found = walk(root, settings)
    plan = make_plan(
        root, found, snapshot.manifest, unread_from_bytes(snapshot.block("unread")), settings, verify=False
    )
    return Freshness(
        tuple(file.path for file in plan.analyse if snapshot.index_of(file.path) < 0),
        tuple(file.path for file in plan.analyse if snapshot.index_of(file.path) >= 0),
        plan.removed,
        sum(file.stat.size for file in plan.analyse),
        head_commit(root),
        (snapshot.block("head") or b"").decode(),
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
    source = read(root, WalkedFile(path, stat), settings, snapshot.languages[index])
    return isinstance(source, Skipped) or source.content_hash != snapshot.manifest.hashes[index]
