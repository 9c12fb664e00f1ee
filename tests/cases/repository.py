"""A small repository with its index, asked as a user asks: everything in the answers is an id, a name or a path."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from coderag import Index, Settings
from coderag.types import Chunk, EdgeKind, Kind

Files = Mapping[str, str | bytes]
IMPORTING = (EdgeKind.IMPORTS, EdgeKind.RE_EXPORTS)
IDENTITY = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false")


class Repository:
    """Files below a root, and an index of them."""

    def __init__(self, root: Path, files: Files, settings: Settings) -> None:
        self.root = root
        self.settings = settings
        self.write(files)
        self.index = Index.build(root, settings=settings)

    def write(self, files: Files) -> None:
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", *IDENTITY, *arguments], cwd=self.root, check=True, capture_output=True)

    def kinds(self, path: str = "") -> dict[str, Kind]:
        """What is defined, by qualified name; no name twice."""
        found = [entry for entry in self.index.symbols() if path in ("", entry.path)]
        assert len({(entry.path, entry.name) for entry in found}) == len(found)
        return {entry.name: entry.kind for entry in found}

    def defined(self) -> list[str]:
        """`path#qualified name` of every definition."""
        return [f"{entry.path}#{entry.name}" for entry in self.index.symbols()]

    def chunks(self, path: str) -> list[Chunk]:
        snapshot = self.index.snapshot()
        rows = snapshot.rows_of(path).tolist()
        return list(snapshot.chunks(rows).values())

    def chunk(self, chunk_id: str) -> Chunk:
        (found,) = (each for each in self.chunks(chunk_id.partition("#")[0]) if each.id == chunk_id)
        return found

    def lines(self, chunk_id: str) -> tuple[int, int]:
        span = self.chunk(chunk_id).span
        return span.start_line, span.end_line

    def bytes_of(self, chunk: Chunk) -> bytes:
        return (self.root / chunk.path).read_bytes()[chunk.span.start_byte : chunk.span.end_byte]

    def search(self, query: str, k: int = 10) -> list[str]:
        return [hit.chunk.id for hit in self.index.search(query, k=k).hits]

    def callers(self, symbol: str) -> list[str]:
        """Who uses a symbol, those that only bring its name in left out."""
        found = (each.chunk_id for each in self.index.callers(symbol) if each.kind not in IMPORTING)
        return sorted(set(found))

    def callees(self, symbol: str) -> list[str]:
        return sorted({each.chunk_id for each in self.index.callees(symbol) if each.kind not in IMPORTING})

    def relations(self, source: str, target: str) -> set[EdgeKind]:
        """How the chunk `source` depends on the symbol `target`."""
        return {each.kind for each in self.index.callers(target) if each.chunk_id == source}

    def skipped(self) -> dict[str, str]:
        return {each.path: str(each.reason) for each in self.index.status().skipped}

    def problems(self) -> dict[str, list[int]]:
        lines: dict[str, list[int]] = {}
        for path, problem in self.index.status().problems:
            lines.setdefault(path, []).append(problem.line)
        return lines
