"""The whole content of an index as text, free of row numbers, file numbers and times: equal content gives equal lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from coderag.recall.snapshot import FIELDS
from coderag.records import CONFIDENCES, EDGE_KINDS, chunk_to_bytes, from_json, parsed_to_bytes
from coderag.snapshot import StoredSnapshot


def export(snapshot: StoredSnapshot) -> Iterator[str]:
    """One JSON object a line: files, chunks with weights and vectors, edges, terms, what was left out; each group in path order."""
    if snapshot.embedding is not None:
        yield _line("embedding", of=from_json(snapshot.block("embedding") or b""))
    for index, path in enumerate(snapshot.paths):
        yield from _file(snapshot, index, path)
    for term in sorted(snapshot.all_terms()):
        postings = snapshot.postings(term)
        if postings is not None:
            found = sorted(
                (int(snapshot.order[row]), snapshot.chunk_id(row), counts)
                for row, counts in zip(postings.rows.tolist(), postings.counts.tolist(), strict=True)
            )
            yield _line("term", term=term, fields=FIELDS, chunks=[[each, counts] for _, each, counts in found])
    yield _line("skipped", paths=from_json(snapshot.block("skipped") or b"[]"))


def _file(snapshot: StoredSnapshot, index: int, path: str) -> Iterator[str]:
    manifest = snapshot.manifest
    record = snapshot.file(path)
    parsed = snapshot.parsed(path)
    yield _line(
        "file",
        path=path,
        language=snapshot.languages[index],
        hash=manifest.hashes[index],
        git_ids=manifest.git_ids[index].tobytes().hex(),
        uncommitted=path in snapshot.uncommitted,
        record=from_json(record.to_bytes()),
        parsed=parsed_to_bytes(parsed).hex(),
        named=[
            [each.qualified_name, each.index]
            for symbol in dict.fromkeys(symbol.name for symbol in parsed.symbols)
            for each in snapshot.definitions(symbol)
            if each.path == path
        ],
    )
    rows = snapshot.rows_of(path).tolist()
    chunks = snapshot.chunks(rows)
    vectors = snapshot.vectors(path)
    for ordinal, row in enumerate(rows):
        yield _line(
            "chunk",
            chunk=from_json(chunk_to_bytes(chunks[row])),
            importance=float(snapshot.importance[row]),
            references=int(snapshot.reference_count[row]),
            parts=int(snapshot.parts_of_row[row]),
            lengths=snapshot.lengths[row].tolist(),
            **({"vector": vectors.rows[1 + ordinal].tobytes().hex()} if vectors else {}),
        )
    if vectors:
        yield _line("place", path=path, vector=vectors.rows[0].tobytes().hex())
    edges = snapshot.edges_of(path)
    found = sorted(
        [
            snapshot.chunk_id(source),
            snapshot.chunk_id(target),
            EDGE_KINDS[kind],
            CONFIDENCES[confidence],
            count,
            name,
            lines,
        ]
        for source, target, kind, confidence, count, name, lines in zip(
            edges.sources.tolist(),
            edges.targets.tolist(),
            edges.kinds.tolist(),
            edges.confidences.tolist(),
            edges.counts.tolist(),
            edges.names,
            edges.lines,
            strict=True,
        )
    )
    yield _line("edges", path=path, edges=found, used=edges.used.tolist())


def _line(sort: str, **fields: Any) -> str:
    return json.dumps({"is": sort, **fields}, ensure_ascii=True, separators=(",", ":"))
