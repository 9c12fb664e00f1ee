"""One file, read and taken apart: what a worker does, and how its answer crosses the pipe.

Runs in a child process, for a parser is native code that meets hostile input. Parent and child speak in batches of bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from coderag.chunk import chunk_file
from coderag.config import Settings
from coderag.embed.passage import encode_contents, encode_places
from coderag.embed.protocol import Embedder
from coderag.languages import detect_language
from coderag.parse import parse
from coderag.recall.terms import file_terms
from coderag.records import KINDS, FileVectors, chunk_from_bytes, chunk_to_bytes, from_json, parsed_to_bytes, to_json
from coderag.types import Chunk, FileStat, Parsed, Problem, Reason, Skipped, SourceFile, WalkedFile
from coderag.walk import git_ids, read

AS_TEXT = "indexed as text"
"""How the problem ends that says why a file was not parsed: its structure depends on more than its bytes."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """All that an index keeps of one file, encoded. `parsed`, `chunks` and `terms` are records; see `coderag.records`.

    `homes[i]` is the ordinal of the chunk that holds symbol i, `starts` the first line of each chunk, `chunk_parts` of how many parts it is
    one. `git_ids` are the file's ids in git (`walk.git_ids`). `vectors` is a record too; it and `terms` are empty where nobody has made
    them yet.
    """

    path: str
    language: str
    encoding: str
    content_hash: str
    git_ids: bytes
    stat: FileStat
    lines: int
    secrets: int
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]
    chunk_ids: tuple[str, ...]
    chunk_kinds: tuple[int, ...]
    chunk_parts: tuple[int, ...]
    homes: tuple[int, ...]
    starts: tuple[int, ...]
    parsed: bytes
    chunks: tuple[bytes, ...]
    terms: bytes = b""
    vectors: bytes = b""


Analysed = tuple[Analysis, Sequence[Chunk]]
"""A file, and its chunks as they are before they are encoded."""


def analyse(root: Path, walked: WalkedFile, settings: Settings, *, problem: str = "") -> Analysis | Skipped:
    """Read, parse, chunk and tokenise one file. With `problem` (why parsing is not to be tried) it is indexed as text."""
    result = analyse_chunks(root, walked, settings, problem=problem)
    return result if isinstance(result, Skipped) else with_terms(result)[0]


def analyse_chunks(root: Path, walked: WalkedFile, settings: Settings, *, problem: str = "") -> Analysed | Skipped:
    """As `analyse`, with the chunks and without terms."""
    source = _source(root, walked, settings)
    return source if isinstance(source, Skipped) else _analysis(source, _structure(source, problem), settings)


def with_terms(file: Analysed) -> Analysed:
    """The same with the terms of its chunks."""
    analysis, chunks = file
    return replace(analysis, terms=file_terms(chunks).to_bytes()), chunks


def finished(analysis: Analysis) -> Analysed:
    """A file without terms with its terms and its chunks, decoded."""
    return with_terms((analysis, [chunk_from_bytes(data) for data in analysis.chunks]))


def embedded(files: Sequence[Analysed | Skipped], embedder: Embedder | None) -> list[Analysis | Skipped]:
    """The same with vectors if there is an embedder. Many files at a time cost much less than each alone, and their vectors are the same."""
    if embedder is None:
        return [file if isinstance(file, Skipped) else file[0] for file in files]
    chunks = [chunk for file in files if not isinstance(file, Skipped) for chunk in file[1]]
    rows = encode_contents(embedder, chunks).astype(np.float16) if chunks else np.zeros((0, 0), np.float16)
    paths = [file[0].path for file in files if not isinstance(file, Skipped)]
    places = iter(encode_places(embedder, paths).astype(np.float16))
    results: list[Analysis | Skipped] = []
    position = 0
    for file in files:
        if isinstance(file, Skipped):
            results.append(file)
            continue
        analysis, own = file
        hashes = b"".join(bytes.fromhex(chunk.content_hash) for chunk in own)
        contents = rows[position : position + len(own)]
        position += len(own)
        place = next(places)[None, :]
        vectors = FileVectors(hashes, np.concatenate((place, contents)) if len(own) else place)
        results.append(replace(analysis, vectors=vectors.to_bytes()))
    return results


def analyse_known(
    root: Path, walked: WalkedFile, settings: Settings, parsed: Parsed, language: str, content_hash: str
) -> Analysis | None:
    """As `analyse`, without parsing, given the structure of a content of a language; None where the file is not that."""
    source = _source(root, walked, settings)
    if isinstance(source, Skipped) or (source.language, source.content_hash) != (language, content_hash):
        return None
    return with_terms(_analysis(source, parsed, settings))[0]


def _source(root: Path, walked: WalkedFile, settings: Settings) -> SourceFile | Skipped:
    source = read(root, walked, settings, detect_language(walked.path))
    if isinstance(source, Skipped):
        return source
    return replace(source, language=detect_language(source.path, source.text))


def _structure(source: SourceFile, problem: str) -> Parsed:
    if not problem:
        return parse(source.text, source.language)
    return Parsed(source.language, source.text.count(b"\n") + 1, problems=(Problem(1, problem),))


def _analysis(source: SourceFile, parsed: Parsed, settings: Settings) -> Analysed:
    chunks = chunk_file(source, parsed, settings)
    homes = [0] * len(parsed.symbols)
    for ordinal, chunk in enumerate(chunks):
        for symbol in chunk.symbols:
            homes[symbol] = ordinal
    analysis = Analysis(
        source.path,
        source.language,
        source.encoding,
        source.content_hash,
        git_ids(source.data),
        source.stat,
        parsed.lines,
        source.secrets,
        source.notes,
        parsed.problems,
        tuple(chunk.id for chunk in chunks),
        tuple(KINDS.index(chunk.kind) for chunk in chunks),
        tuple(chunk.parts for chunk in chunks),
        tuple(homes),
        tuple(chunk.span.start_line for chunk in chunks),
        parsed_to_bytes(parsed),
        tuple(chunk_to_bytes(chunk) for chunk in chunks),
    )
    return analysis, chunks


# The pipe

_COUNT = struct.Struct("<I")


def pack(results: Sequence[Analysis | Skipped]) -> bytes:
    """One reply: for each result a JSON header and its records."""
    parts: list[bytes] = []
    for result in results:
        if isinstance(result, Skipped):
            blobs = [to_json([result.path, result.reason, result.detail])]
        else:
            blobs = [_header(result), result.parsed, result.terms, result.vectors, *result.chunks]
        parts.append(_COUNT.pack(len(blobs)))
        for blob in blobs:
            parts.append(_COUNT.pack(len(blob)))
            parts.append(blob)
    return b"".join(parts)


def _header(result: Analysis) -> bytes:
    stat = result.stat
    return to_json(
        [
            result.path,
            result.language,
            result.encoding,
            result.content_hash,
            result.git_ids.hex(),
            [stat.size, stat.mtime_ns, stat.ctime_ns, stat.inode],
            result.lines,
            result.secrets,
            result.notes,
            [[each.line, each.message] for each in result.problems],
            result.chunk_ids,
            result.chunk_kinds,
            result.chunk_parts,
            result.homes,
            result.starts,
        ]
    )


def unpack(data: bytes) -> Iterator[Analysis | Skipped]:
    """The inverse of `pack`."""
    view, position = memoryview(data), 0
    while position < len(data):
        (count,) = _COUNT.unpack_from(data, position)
        position += _COUNT.size
        blobs: list[bytes] = []
        for _ in range(count):
            (size,) = _COUNT.unpack_from(data, position)
            position += _COUNT.size
            blobs.append(bytes(view[position : position + size]))
            position += size
        yield _unpacked(blobs)


def _unpacked(blobs: list[bytes]) -> Analysis | Skipped:
    header = from_json(blobs[0])
    if len(blobs) == 1:
        path, reason, detail = header
        return Skipped(path, Reason(reason), detail)
    path, language, encoding, content_hash, in_git, stat, lines, secrets, notes, problems, *columns = header
    ids, kinds, parts, homes, starts = map(tuple, columns)
    return Analysis(
        path,
        language,
        encoding,
        content_hash,
        bytes.fromhex(in_git),
        FileStat(*stat),
        lines,
        secrets,
        tuple(notes),
        tuple(Problem(*each) for each in problems),
        ids,
        kinds,
        parts,
        homes,
        starts,
        blobs[1],
        tuple(blobs[4:]),
        blobs[2],
        blobs[3],
    )
