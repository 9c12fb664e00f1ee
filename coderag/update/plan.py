"""Compare a walk with a manifest: which files are as they were, which must be read, which are gone.

The stat is a hint, the content hash is the truth. A file that changed within two seconds of being read is stored without a usable stat (git's
racy rule), so that it is read again next time.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from coderag.config import Settings
from coderag.languages import detect_language
from coderag.records import Manifest, from_json, to_json
from coderag.types import FileStat, Reason, Skipped, Walk, WalkedFile
from coderag.walk import digest, read

RACY_NANOSECONDS = 2_000_000_000
_UNKNOWN_SIZE = -1


@dataclass(frozen=True, slots=True)
class Plan:
    """What an update has to do.

    `restat` are files with the same bytes and another stat; `moved` maps a new path to the old path that had its bytes; `unread` are
    files that were left out when they were read, with the stat that says so still holds.
    """

    walk: Walk
    analyse: tuple[WalkedFile, ...]
    restat: tuple[WalkedFile, ...]
    removed: tuple[str, ...]
    moved: Mapping[str, str]
    unread: tuple[tuple[FileStat, Skipped], ...]

    @property
    def is_empty(self) -> bool:
        """Whether every file is as the index has it."""
        return not (self.analyse or self.restat or self.removed)


def make_plan(
    root: Path,
    walk: Walk,
    manifest: Manifest,
    unread: Iterable[tuple[FileStat, Skipped]],
    settings: Settings,
    *,
    verify: bool,
    stale_languages: frozenset[str] = frozenset(),
) -> Plan:
    """What has to be done to make an index with this manifest equal to the walk. Reads files whose stat is no proof.

    With `verify` no stat is a proof. Files of `stale_languages` are analysed whatever their bytes.
    """
    known = {path: index for index, path in enumerate(manifest.paths)}
    stats = manifest.stats.tolist()
    left_out = {skipped.path: (stat, skipped) for stat, skipped in unread}
    analyse: list[WalkedFile] = []
    restat: list[WalkedFile] = []
    still_unread: list[tuple[FileStat, Skipped]] = []
    for file in walk.files:
        index = known.get(file.path, -1)
        if index >= 0:
            stale = manifest.languages[index] in stale_languages
            if stale:
                analyse.append(file)
            elif verify or not _has_stat(file, stats[index]):
                same = _content_hash(root, file, settings) == manifest.hashes[index]
                (restat if same else analyse).append(file)
        elif file.path in left_out and (still := _still_unread(root, file, *left_out[file.path], settings, verify)):
            still_unread.append(still)
        else:
            analyse.append(file)
    walked = {file.path for file in walk.files}
    removed = tuple(path for path in manifest.paths if path not in walked)
    moved = _moved(root, analyse, removed, manifest, settings)
    return Plan(walk, tuple(analyse), _useful(restat, manifest, known), removed, moved, tuple(still_unread))


def _has_stat(file: WalkedFile, stored: list[int]) -> bool:
    stat = file.stat
    return [stat.size, stat.mtime_ns, stat.ctime_ns, stat.inode] == stored


def _still_unread(
    root: Path, file: WalkedFile, stat: FileStat, skipped: Skipped, settings: Settings, verify: bool
) -> tuple[FileStat, Skipped] | None:
    """The entry of a file that was left out when it was read, if it still is, and for the same reason."""
    if stat == file.stat and not verify:
        return stat, skipped
    same = read(root, file, settings, detect_language(file.path)) == skipped
    return (proven(file.stat), skipped) if same else None


def _useful(restat: list[WalkedFile], manifest: Manifest, known: Mapping[str, int]) -> tuple[WalkedFile, ...]:
    """Files whose new stat is worth a write: it differs from the stored one once racy times are taken out."""
    return tuple(file for file in restat if proven(file.stat) != manifest.stat(known[file.path]))


def _moved(
    root: Path, analyse: Iterable[WalkedFile], removed: Iterable[str], manifest: Manifest, settings: Settings
) -> dict[str, str]:
    """New paths whose bytes and language are those of a path that is gone."""
    gone: dict[tuple[str, str], str] = {}
    sizes = set()
    known = {path: index for index, path in enumerate(manifest.paths)}
    for path in removed:
        index = known[path]
        gone.setdefault((manifest.hashes[index], manifest.languages[index]), path)
        sizes.add(int(manifest.stats[index][0]))
    result = {}
    for file in analyse if gone else ():
        if file.path not in known and (file.stat.size in sizes or _UNKNOWN_SIZE in sizes):
            source = read(root, file, settings, detect_language(file.path))
            if not isinstance(source, Skipped):
                language = detect_language(file.path, source.text)
                old = gone.get((source.content_hash, language))
                if old is not None:
                    result[file.path] = old
    return result


def _content_hash(root: Path, file: WalkedFile, settings: Settings) -> str:
    found = digest(root, file, settings)
    return "" if isinstance(found, Skipped) else found[0]


def proven(stat: FileStat) -> FileStat:
    """The stat to store: one that matches nothing when the file may still change without its times showing it."""
    racy = time.time_ns() - max(stat.mtime_ns, stat.ctime_ns) < RACY_NANOSECONDS
    return replace(stat, size=_UNKNOWN_SIZE) if racy else stat


def all_skipped(plan: Plan, fresh: Iterable[Skipped]) -> list[Skipped]:
    """Everything that was left out, by path."""
    return sorted(
        [*plan.walk.skipped, *(skipped for _, skipped in plan.unread), *fresh],
        key=lambda each: (each.path, each.reason),
    )


def unread_to_bytes(unread: Iterable[tuple[FileStat, Skipped]]) -> bytes:
    """Files that were left out when they were read, with their stats."""
    ordered = sorted(unread, key=lambda entry: entry[1].path)
    return to_json(
        [
            [skipped.path, skipped.reason, skipped.detail, stat.size, stat.mtime_ns, stat.ctime_ns, stat.inode]
            for stat, skipped in ordered
        ]
    )


def unread_from_bytes(data: bytes | None) -> list[tuple[FileStat, Skipped]]:
    """The inverse of `unread_to_bytes`; no block is none."""
    return [
        (FileStat(*stat), Skipped(path, Reason(reason), detail))
        for path, reason, detail, *stat in from_json(data or b"[]")
    ]
