"""One update, from a plan to a committed generation. Reads as the pipeline: analyse, enter, name, post, link, weigh, write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coderag.analyse import Analysis, analyse_known
from coderag.config import Settings
from coderag.embed.choose import is_pure, truncated
from coderag.embed.protocol import Embedder
from coderag.link import member_changes, module_keys, names_changed, names_derived, symbol_keys
from coderag.link.importance import page_rank, reference_counts
from coderag.recall.postings import build as build_postings
from coderag.recall.terms import FileTerms, lengths_in
from coderag.records import (
    CONFIDENCES,
    FIELD_COUNT,
    EdgeColumns,
    FileRecord,
    Graph,
    Manifest,
    definitions_from_bytes,
    definitions_to_bytes,
    has_key,
    history_to_bytes,
    keys_from_bytes,
    keys_to_bytes,
    name_key,
    parsed_from_bytes,
    skipped_to_bytes,
    to_json,
)
from coderag.store import Table, Writer
from coderag.types import Confidence, Definition, Parsed, Skipped, WalkedFile
from coderag.update.collector import paused_collector
from coderag.update.draft import Draft, Entry, file_record, joined
from coderag.update.embedding import Embedding
from coderag.update.identity import Identity, with_languages
from coderag.update.lending import Lenders, Loan
from coderag.update.plan import Plan, all_skipped, proven, unread_to_bytes
from coderag.update.prepare import Prepared
from coderag.update.relink import StoredUniverse, Touched, affected, definitions, linking
from coderag.update.report import Progress, Report
from coderag.update.shelf import BLOCK as SHELF
from coderag.update.shelf import room
from coderag.update.shelving import restock
from coderag.update.vectors import Lent, write_vectors
from coderag.walk import find_uncommitted, head_commit, read_history
from coderag.workers import analyse_files, worker_count

COMPACT_CHUNKS = 2_000
COMPACT_SHARE = 0.1
"""Base postings are built anew when more chunks than the larger of these have changed since; below it a query pays
less for the merge than an update for the build."""

_AMBIGUOUS = CONFIDENCES.index(Confidence.AMBIGUOUS)


@dataclass(slots=True)
class _Analysed:
    """What the workers handed back, by path."""

    results: dict[str, Analysis] = field(default_factory=dict)
    parsed: dict[str, Parsed] = field(default_factory=dict)
    skipped: list[tuple[WalkedFile, Skipped]] = field(default_factory=list)
    loans: list[Loan] = field(default_factory=list)


def apply(
    writer: Writer,
    root: Path,
    settings: Settings,
    prepared: Prepared,
    progress: Progress,
    lenders: Lenders | None = None,
) -> Report:
    """Write the generation that was prepared. Without `lenders` everything is made here.

    Raises:
        CoderagError: the store cannot be read or written; the last generation stays.
    """
    with paused_collector():
        update = _Update(writer, root, settings, prepared.manifest, prepared.plan, lenders, progress)
        return update.apply(prepared)


@dataclass(frozen=True, slots=True)
class _Old:
    """A file of the last generation that changes or goes."""

    entry: Entry
    record: FileRecord
    parsed: Parsed

    def rows_by_id(self) -> dict[str, int]:
        """Chunk id -> row."""
        path = self.entry.path
        return {f"{path}#{name}": row for name, row in zip(self.record.names, self.entry.rows.tolist(), strict=True)}


class _Update:
    """The steps of one update over one draft."""

    def __init__(
        self,
        writer: Writer,
        root: Path,
        settings: Settings,
        manifest: Manifest,
        plan: Plan,
        lenders: Lenders | None,
        progress: Progress,
    ) -> None:
        self._writer = writer
        self._root = root
        self._settings = settings
        self._plan = plan
        self._lenders = lenders
        self._progress = progress
        self._draft = Draft.of(manifest)
        self._before = dict(self._draft.entries)

    def apply(self, prepared: Prepared) -> Report:
        """All steps in order."""
        analysed = self._analyse(prepared.embedding)
        gone = [*self._plan.removed, *(file.path for file, _ in analysed.skipped if file.path in self._before)]
        old = self._old([*gone, *(path for path in analysed.results if path in self._before)])
        records = self._enter(analysed, gone, old)
        defined = {path: definitions(path, parsed) for path, parsed in sorted(analysed.parsed.items())}
        self._write_names(defined, old)
        before = Graph.from_bytes(self._writer.block("graph"))
        touched = self._touched(analysed, old, records) if self._before and not prepared.relink_all else None
        with self._linking(analysed, records, defined, before, touched) as (relinked, links):
            self._write_files(analysed, records)
            embedded, notes = self._embed(analysed, prepared.embedding)
            self._write_postings(analysed)
            self._restock(analysed, old)
            self._write_blocks(analysed, prepared.identity)
            graph = self._write_edges(before, {*old, *relinked}, links, len(relinked))
        self._weigh(graph)
        notes = (*(prepared.identity.differences(prepared.stored) if self._before else ()), *notes)
        report = self._report(analysed, gone, len(relinked), len(graph.sources), notes)
        return replace(report, embedded=embedded, reused=len(analysed.loans))

    # Analyse

    def _analyse(self, embedding: Embedding) -> _Analysed:
        """Every file that must be read. Where there are no vectors yet, children that parse embed as well."""
        analysed = _Analysed()
        embedder = embedding.embedder
        if embedder is None or not (embedding.is_new and is_pure(embedder)):
            embedder = None
        files = {file.path: file for file in self._plan.analyse}
        done, total, chunks = 0, sum(file.stat.size for file in files.values()), 0
        for count, result in enumerate(self._results(analysed.loans, embedder), 1):
            file = files[result.path]
            done += file.stat.size
            if isinstance(result, Skipped):
                analysed.skipped.append((file, result))
            else:
                chunks += len(result.chunks)
                analysed.results[result.path] = result
                analysed.parsed[result.path] = parsed_from_bytes(result.parsed)
            self._progress("files", count, len(files))
            self._progress("chunks", chunks, 0)
            self._progress("read", done, total)
        analysed.results = {path: analysed.results[path] for path in sorted(analysed.results)}
        return analysed

    def _results(self, loans: list[Loan], embedder: Embedder | None) -> Iterator[Analysis | Skipped]:
        """What was moved keeps its structure and is only chunked again; what somebody lends (noted in `loans`) is taken as it is."""
        rest = []
        for file in self._plan.analyse:
            found = self._moved(file)
            if found is None:
                rest.append(file)
            else:
                yield found
        unknown = []
        for file, loan in self._lenders.loans(rest) if self._lenders else ((file, None) for file in rest):
            if loan is None:
                unknown.append(file)
            else:
                loans.append(loan)
                yield loan.analysis
        yield from analyse_files(self._root, unknown, self._settings, 0, embedder)

    def _moved(self, file: WalkedFile) -> Analysis | None:
        source = self._plan.moved.get(file.path)
        if source is None:
            return None
        old = self._before[source]
        parsed = parsed_from_bytes(self._writer.get(Table.PARSED, old.number))
        return analyse_known(self._root, file, self._settings, parsed, old.language, old.content_hash)

    # Enter

    def _old(self, paths: Iterable[str]) -> dict[str, _Old]:
        numbers = {self._before[path].number: path for path in paths}
        parsed = self._writer.get_many(Table.PARSED, list(numbers))
        records = self._writer.get_many(Table.FILES, list(numbers))
        return {
            path: _Old(self._before[path], FileRecord.from_bytes(records[number]), parsed_from_bytes(parsed[number]))
            for number, path in numbers.items()
        }

    def _enter(self, analysed: _Analysed, gone: Iterable[str], old: Mapping[str, _Old]) -> dict[str, FileRecord]:
        """Give the files of this generation numbers and rows; hand back their records."""
        writer, draft = self._writer, self._draft
        for path in gone:
            number = draft.remove(path).number
            for table in (Table.FILES, Table.PARSED, Table.EDGES, Table.TERMS):
                writer.delete(table, [number])
        for file in self._plan.restat:
            draft.restat(file.path, proven(file.stat))
        records: dict[str, FileRecord] = {}
        for path, result in analysed.results.items():
            lengths = np.asarray(lengths_in(result.terms), np.int32).reshape(-1, FIELD_COUNT)
            known = old[path].rows_by_id() if path in old else {}
            draft.put(result, proven(result.stat), lengths, known)
            records[path] = file_record(result)
        return records

    def _write_files(self, analysed: _Analysed, records: Mapping[str, FileRecord]) -> None:
        """Files, chunks, structures and terms of this generation."""
        writer, entries = self._writer, self._draft.entries
        chunks = [
            each
            for path, result in analysed.results.items()
            for each in zip(entries[path].rows.tolist(), result.chunks, strict=True)
        ]
        writer.delete(Table.CHUNKS, sorted(self._draft.freed))
        writer.put_many(Table.CHUNKS, sorted(chunks))
        by_number = sorted((entries[path].number, path) for path in records)
        writer.put_many(Table.FILES, ((number, records[path].to_bytes()) for number, path in by_number))
        writer.put_many(Table.PARSED, ((number, analysed.results[path].parsed) for number, path in by_number))
        writer.put_many(Table.TERMS, ((number, analysed.results[path].terms) for number, path in by_number))

    # Embed

    def _embed(self, analysed: _Analysed, embedding: Embedding) -> tuple[int, tuple[str, ...]]:
        """The vectors of new contents; how many there were, and what is unusual about them."""
        changed = {path: result.chunks for path, result in analysed.results.items()}
        lent = Lent()
        for loan in analysed.loans:
            if loan.vectors is not None:
                lent.add(loan.analysis.path, loan.vectors, has_place=loan.has_place)
        workers = worker_count(self._settings)
        advance = partial(self._progress, "embed")
        entries = self._draft.entries
        made = {path: result.vectors for path, result in analysed.results.items() if result.vectors}
        embedded = write_vectors(self._writer, embedding, self._before, entries, changed, made, lent, workers, advance)
        overflow = truncated(embedding.embedder) if embedding.embedder else ""
        return embedded, tuple(note for note in (embedding.note, overflow) if note)

    # Name

    def _write_names(self, defined: Mapping[str, Iterable[Definition]], old: Mapping[str, _Old]) -> None:
        """Definitions by name: those of changed and gone files out, those of changed files in."""
        fresh: dict[int, list[tuple[int, Definition]]] = {}
        for path, found in defined.items():
            number = self._draft.entries[path].number
            for definition in found:
                fresh.setdefault(name_key(definition.name), []).append((number, definition))
        stored = keys_from_bytes(self._writer.block("names"))
        outdated = {name_key(each.name) for path in old for each in definitions(path, old[path].parsed)}
        replaced = {each.entry.number for each in old.values()}
        touched = [key for key in sorted(outdated | fresh.keys()) if has_key(stored, key)]
        paths = {entry.number: path for path, entry in self._before.items()}
        for key, data in self._writer.get_many(Table.NAMES, touched).items():
            kept = [each for each in definitions_from_bytes(data, paths) if each[0] not in replaced]
            if kept:
                fresh.setdefault(key, [])[:0] = kept
        self._writer.put_many(Table.NAMES, ((key, definitions_to_bytes(fresh[key])) for key in sorted(fresh)))
        vanished = [key for key in touched if key not in fresh]
        self._writer.delete(Table.NAMES, vanished)
        kept_keys = stored[~np.isin(stored, vanished)]
        self._writer.put_block("names", keys_to_bytes(kept_keys, np.fromiter(fresh, np.int64, len(fresh))))

    # Link

    @contextmanager
    def _linking(
        self,
        analysed: _Analysed,
        records: Mapping[str, FileRecord],
        defined: Mapping[str, Iterable[Definition]],
        graph: Graph,
        touched: Touched | None,
    ) -> Iterator[tuple[Sequence[str], Iterator[tuple[str, bytes]]]]:
        """The files to link anew, all if nobody knows what was `touched`, and each with its edges, which forks may be making meanwhile."""
        universe = StoredUniverse(self._writer, self._draft, analysed.parsed, defined, records)
        paths = sorted(self._draft.entries)
        chosen = paths if touched is None else affected(universe, graph, touched, analysed.results)
        with linking(universe, self._draft, chosen, worker_count(self._settings)) as links:
            yield chosen, links

    def _write_edges(self, graph: Graph, outdated: set[str], links: Iterable[tuple[str, bytes]], count: int) -> Graph:
        """The graph with the edges of `links`, `count` files in all, in place of those of `outdated` files."""
        entries, linked = self._draft.entries, []
        for path, data in links:
            linked.append((entries[path].number, data))
            self._progress("link", len(linked), count)
        linked.sort()
        self._writer.put_many(Table.EDGES, linked)
        before = [self._before[path] for path in sorted(outdated & self._before.keys())]
        graph = graph.without(
            joined([each.rows for each in before], np.int32),
            np.asarray([each.number for each in before], np.int32),
        ).plus((number, EdgeColumns.from_bytes(data, texts=False)) for number, data in linked)
        self._writer.put_block("graph", graph.to_bytes())
        self._writer.put_block("edge_count", len(graph.sources).to_bytes(4, "little"))
        self._progress("edges", len(graph.sources), 0)
        return graph

    def _touched(
        self, analysed: _Analysed, old: Mapping[str, _Old], records: Mapping[str, FileRecord]
    ) -> Touched | None:
        """Every name that means something else than before; None when links of any file may differ."""
        touched = Touched()
        for path in sorted(old.keys() | analysed.results.keys()):
            before, after = old[path].parsed if path in old else None, analysed.parsed.get(path)
            differing = names_changed(path, before, after)
            if differing is None:
                return None
            members = member_changes(path, before, after, differing)
            touched.names.update(differing - members.keys())
            touched.languages.update(each.language for each in (before, after) if each and members)
            for name, keys in members.items():
                touched.members.setdefault(name, set()).update(keys)
            if path in old and path in records:
                touched.names.update(self._moved_names(old[path], analysed.parsed[path], records[path]))
        return touched

    def _moved_names(self, old: _Old, parsed: Parsed, record: FileRecord) -> set[str]:
        """Names of symbols that live in another row than before, although they themselves may be as they were. Those that come or go
        are among the names that changed.
        """
        path = old.entry.path
        before = _homes(path, old.parsed, old.record, old.entry)
        after = _homes(path, parsed, record, self._draft.entries[path])
        moved = frozenset(key[0] for key in before.keys() & after.keys() if before[key] != after[key])
        return {*moved, *names_derived(path, parsed, moved)}

    # Weigh

    def _weigh(self, graph: Graph) -> None:
        """Importance and reference counts of every row, computed in the order of paths and positions."""
        rows = joined([self._draft.entries[path].rows for path in sorted(self._draft.entries)], np.int32)
        size = int(rows.max()) + 1 if len(rows) else 0
        place = np.zeros(size, np.int64)
        place[rows] = np.arange(len(rows))
        sources, targets = place[graph.sources], place[graph.targets]
        order = np.argsort((sources * size + targets) << 8 | graph.counts, kind="stable")
        order = order[(sources != targets)[order]]
        sources, targets = sources[order], targets[order]
        ranks = page_rank(len(rows), sources, targets, 1.0 / graph.counts[order])
        sure = graph.confidences[order] != _AMBIGUOUS
        by_row = np.zeros(size, np.float32)
        by_row[rows] = ranks
        counts_by_row = np.zeros(size, np.int32)
        counts_by_row[rows] = reference_counts(len(rows), sources[sure], targets[sure])
        self._writer.put_block("importance", by_row.astype("<f4").tobytes())
        self._writer.put_block("reference_count", counts_by_row.astype("<i4").tobytes())

    # Post

    def _write_postings(self, analysed: _Analysed) -> None:
        """Base postings, built anew when too many chunks have changed since."""
        entries = self._draft.entries
        since = sum(len(entry.rows) for entry in entries.values() if not entry.base)
        total = sum(len(entry.rows) for entry in entries.values())
        if self._before and since <= max(COMPACT_CHUNKS, COMPACT_SHARE * total):
            return
        self._progress("write", 0, 1)
        self._writer.clear(Table.POSTINGS)
        keys: list[int] = []
        self._writer.put_many(Table.POSTINGS, _noting_keys(build_postings(self._all_terms(analysed)), keys))
        self._writer.put_block("terms", keys_to_bytes(np.asarray(keys, np.int64)))
        rows = max((int(entry.rows.max()) + 1 for entry in entries.values() if len(entry.rows)), default=0)
        self._writer.put_block("base_rows", rows.to_bytes(4, "little"))
        self._draft.entries = {path: replace(entry, base=True) for path, entry in entries.items()}
        self._progress("write", 1, 1)

    def _all_terms(self, analysed: _Analysed) -> Iterator[tuple[NDArray[np.int32], FileTerms]]:
        for path in sorted(self._draft.entries):
            entry = self._draft.entries[path]
            known = analysed.results.get(path)
            data = known.terms if known else self._writer.get(Table.TERMS, entry.number)
            yield entry.rows, FileTerms.from_bytes(data)

    # Shelve

    def _restock(self, analysed: _Analysed, old: Mapping[str, _Old]) -> None:
        """Contents that left go on the shelf; those that came back leave it."""
        if self._lenders is None:
            return
        own, entries = self._lenders.own, self._draft.entries
        if own.is_damaged:
            self._writer.clear(Table.SHELF)
            self._writer.delete_block(SHELF)
        contents = {entry.content_hash for entry in entries.values()}
        leaving = own.leaving(each.entry for each in old.values() if each.entry.content_hash not in contents)
        returned = {loan.number for loan in analysed.loans if loan.number}
        limit = room(sum(len(entry.rows) for entry in entries.values()))
        restock(self._writer, () if own.is_damaged else own.shelf, returned, leaving, limit)

    # The rest

    def _write_blocks(self, analysed: _Analysed, identity: Identity) -> None:
        manifest = self._draft.manifest()
        self._writer.put_block("manifest", manifest.to_bytes())
        self._writer.put_block("identity", with_languages(identity, manifest.languages).to_bytes())
        unread = [*self._plan.unread, *((proven(file.stat), skipped) for file, skipped in analysed.skipped)]
        self._writer.put_block("unread", unread_to_bytes(unread))
        fresh = [skipped for _, skipped in analysed.skipped]
        self._writer.put_block("skipped", skipped_to_bytes(all_skipped(self._plan, fresh)))
        self._write_git(manifest)

    def _write_git(self, manifest: Manifest) -> None:
        """What git says: nothing of it changes before a file does or another commit is checked out."""
        commit = head_commit(self._root)
        files = zip(manifest.paths, (each.tobytes() for each in manifest.git_ids), strict=True)
        self._writer.put_block("uncommitted", to_json(find_uncommitted(self._root, commit, files)))
        if self._writer.block("head") != commit.encode() or self._writer.block("history") is None:
            self._writer.put_block("history", history_to_bytes(read_history(self._root)))
        self._writer.put_block("head", commit.encode())

    def _report(
        self,
        analysed: _Analysed,
        gone: Sequence[str],
        relinked: int,
        edges: int,
        notes: tuple[str, ...],
    ) -> Report:
        entries, results = self._draft.entries, analysed.results
        moved = sum(path in results for path in self._plan.moved)
        changed = sum(path in self._before for path in results)
        skipped = Counter(str(each.reason) for each in all_skipped(self._plan, [each for _, each in analysed.skipped]))
        return Report(
            generation=self._writer.generation,
            files=len(entries),
            lines=sum(entry.lines for entry in entries.values()),
            chunks=sum(len(entry.rows) for entry in entries.values()),
            edges=edges,
            added=len(results) - changed - moved,
            changed=changed,
            removed=len(gone) - moved,
            moved=moved,
            relinked=relinked,
            skipped=dict(sorted(skipped.items())),
            problems=sum(bool(each.problems) for each in results.values()),
            secrets=sum(each.secrets for each in results.values()),
            notes=(*self._plan.walk.notes, *notes),
        )


def _homes(path: str, parsed: Parsed, record: FileRecord, entry: Entry) -> dict[tuple[str, str, int], int]:
    """(name, qualified name, n) -> row for every symbol, and the file as a whole under its module keys -> its first row."""
    rows = entry.rows.tolist()
    first = rows[0] if rows else -1
    result: dict[tuple[str, str, int], int] = {(key, "", 0): first for key in module_keys(path, parsed)}
    seen: Counter[str] = Counter()
    for index, (symbol, home) in enumerate(zip(parsed.symbols, record.homes, strict=True)):
        for name in symbol_keys(parsed, index):
            result[name, symbol.qualified_name, seen[symbol.qualified_name]] = rows[home]
        seen[symbol.qualified_name] += 1
    return result


def _noting_keys(records: Iterable[tuple[int, bytes]], keys: list[int]) -> Iterator[tuple[int, bytes]]:
    for key, data in records:
        keys.append(key)
        yield key, data
