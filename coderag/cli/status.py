"""`coderag status`: what is indexed, how fresh it is, and what was left out and why."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from coderag.cli.opening import opened
from coderag.cli.screen import Screen, plural, print_json, screen, size
from coderag.cli.table import EXIT_FOUND
from coderag.types import Problem

if TYPE_CHECKING:
    from coderag.diagnose import Freshness, Status

PROBLEMS_SHOWN = 20


def run_status(arguments: Namespace) -> int:
    """Print the state of an index."""
    with opened(arguments) as index:
        status = index.status()
    if arguments.json:
        print_json(as_object(status))
    elif arguments.skipped:
        _show_skipped(screen(arguments.no_color), status)
    else:
        _show(screen(arguments.no_color), status)
    return EXIT_FOUND


def as_object(status: Status) -> dict[str, Any]:
    """The status as `--json` prints it."""
    fresh = status.freshness
    return {
        "root": status.root,
        "directory": status.directory,
        "generation": status.generation,
        "files": status.files,
        "lines": status.lines,
        "chunks": status.chunks,
        "bytes_on_disk": status.bytes_on_disk,
        "shelf": {"files": status.shelf_files, "bytes": status.shelf_bytes},
        "languages": [
            {"language": each.language, "files": each.files, "lines": each.lines, "chunks": each.chunks}
            for each in status.languages
        ],
        "edges": dict(status.edges),
        "confidences": dict(status.confidences),
        "fresh": fresh.is_fresh,
        "pending": {"added": fresh.added, "changed": fresh.changed, "removed": fresh.removed},
        "head": fresh.head,
        "indexed_head": fresh.indexed_head,
        "skipped_by_reason": status.skipped_by_reason,
        "skipped": [{"path": each.path, "reason": each.reason, "rule": each.detail} for each in status.skipped],
        "problems": [{"path": path, "line": each.line, "message": each.message} for path, each in status.problems],
        "encodings": [{"path": path, "encoding": encoding} for path, encoding in status.encodings],
        "secrets": [{"path": path, "masked": count} for path, count in status.secrets],
    }


def _show(out: Screen, status: Status) -> None:
    _fact(out, "root", status.root)
    _fact(out, "index", f"{status.directory}, generation {status.generation}, {size(status.bytes_on_disk)}")
    _fact(
        out,
        "fresh",
        _freshness(status.freshness),
        "" if status.freshness.is_fresh and not status.freshness.outdated else "warning",
    )
    _fact(
        out,
        "holds",
        f"{plural(status.files, 'file')}, {plural(status.lines, 'line')}, {plural(status.chunks, 'chunk')}, "
        f"{plural(sum(status.edges.values()), 'edge')}",
    )
    _fact(out, "edges", _counts(status.edges))
    _fact(out, "sureness", _counts(status.confidences))
    _fact(out, "left out", _counts(status.skipped_by_reason) or "nothing")
    if status.shelf_files:
        kept = f"{plural(status.shelf_files, 'earlier version')} of files, {size(status.shelf_bytes)}"
        _fact(out, "shelf", f"{kept}: if they come back, they are not parsed again")
    if status.secrets:
        _fact(
            out,
            "secrets",
            f"{sum(count for _, count in status.secrets):,} masked in {plural(len(status.secrets), 'file')}",
        )
    out.line()
    width = max([8, *(len(each.language) for each in status.languages)])
    out.line((f"{'language':<{width}}{'files':>9}{'lines':>11}{'chunks':>9}", "quiet"))
    for each in status.languages:
        out.line(f"{each.language:<{width}}{each.files:>9,}{each.lines:>11,}{each.chunks:>9,}")
    _list(out, "encodings other than plain UTF-8", [f"{path}  {encoding}" for path, encoding in status.encodings])
    _list(out, "read in part", _problems(status))


def _fact(out: Screen, name: str, value: str, style: str = "") -> None:
    if value:
        out.line((f"{name:<10}", "quiet"), (value, style))


def _counts(counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{count:,} {name}" for name, count in ordered)


def _freshness(fresh: Freshness) -> str:
    commit = f"; indexed at commit {fresh.indexed_head[:12]}" if fresh.indexed_head else ""
    if fresh.head != fresh.indexed_head:
        commit += f", HEAD is {fresh.head[:12] or 'gone'}"
    if fresh.outdated:
        return f"no: another version of coderag made the index{commit}; run `coderag index`"
    if fresh.is_fresh:
        return f"yes, every file is as it was indexed{commit}"
    parts = ((fresh.added, "added"), (fresh.changed, "changed"), (fresh.removed, "removed"))
    return f"no: {', '.join(f'{len(paths):,} {what}' for paths, what in parts if paths)}{commit}; run `coderag index`"


def _problems(status: Status) -> list[str]:
    """A line for each file: its first problem and how many more it has."""
    by_path: dict[str, list[Problem]] = {}
    for path, problem in status.problems:
        by_path.setdefault(path, []).append(problem)
    return [
        f"{path}:{found[0].line}  {found[0].message}{f', and {len(found) - 1:,} more' if len(found) > 1 else ''}"
        for path, found in by_path.items()
    ]


def _list(out: Screen, title: str, entries: Iterable[str]) -> None:
    listed = list(entries)
    if listed:
        out.line()
        out.line((title, "quiet"))
        for entry in listed[:PROBLEMS_SHOWN]:
            out.line(f"  {entry}")
        if len(listed) > PROBLEMS_SHOWN:
            out.line((f"  and {len(listed) - PROBLEMS_SHOWN:,} more; --json has all", "quiet"))


def _show_skipped(out: Screen, status: Status) -> None:
    for each in status.skipped:
        out.line((each.path, "place"), f"  {each.reason}", (f"  {each.detail}" if each.detail else "", "quiet"))
