"""Index: the one orchestrator. Each public method reads as the pipeline, a list of calls."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from coderag.config import Settings, load_settings
from coderag.errors import (
    EmbeddingError,
    IndexCorruptError,
    IndexFormatError,
    IndexLockedError,
    NotIndexedError,
    RootError,
    StorageError,
)
from coderag.types import Query, Ranked, SearchResult, Without

if TYPE_CHECKING:
    from coderag.assemble import ContextAssembly, ContextPolicy, ContextProvider, ContextQuery, TokenCounter
    from coderag.diagnose import CaughtUp, Described, Freshness, Outline, Relation, Status, SymbolEntry, Why
    from coderag.diagnose.check import Checked
    from coderag.diagnose.doctor import Examination
    from coderag.diagnose.explain import Explanation
    from coderag.diagnose.left_behind import LeftBehind
    from coderag.diagnose.lost import Lost
    from coderag.diagnose.trial import Trial
    from coderag.embed.choose import Chosen
    from coderag.offer import IndexProvider, Offering
    from coderag.snapshot import StoredSnapshot
    from coderag.update import Progress, Report

CALLERS_SHOWN = 10
NOTHING = Without()
"""A search does without nothing."""


def _silent(stage: str, done: int, total: int) -> None:
    """The progress of someone who does not look."""


def _noting(chosen: Chosen, report: Report) -> Report:
    """The report of an update that had to do without an embedder says so."""
    from dataclasses import replace

    missing = (f"made without vectors: {chosen.obstacle}",) if chosen.obstacle else ()
    return replace(report, notes=(*report.notes, *missing))


def _beginning(origin: Path | None, report: Report) -> Report:
    """The report of an update that began with another work tree's index says so."""
    from dataclasses import replace

    return replace(report, notes=(f"begun with the index of {origin}", *report.notes)) if origin else report


class _LazyEmbedder:
    """The embedder of the settings, loaded once; looked for again while it is missing.

    Apart from the index, so that a snapshot that holds it does not hold the index too and both go with the last name they have.
    """

    def __init__(self, root: Path, settings: Settings) -> None:
        self._root = root
        self._settings = settings
        self._chosen: Chosen | None = None

    def __call__(self) -> Chosen:
        from coderag.embed.choose import chosen

        if self._chosen is None or self._chosen.obstacle:
            self._chosen = chosen(self._settings, self._root)
        return self._chosen


class Index:
    """A repository's index. Open it once and ask often; each question is answered from one whole generation.

    One thread at a time may use an `Index`; any number of processes may read the same index while one writes it.
    """

    def __init__(self, root: Path, settings: Settings) -> None:
        self.root = root
        self.settings = settings
        self._snapshot: StoredSnapshot | None = None
        self._embedder = _LazyEmbedder(root, settings)

    # Life

    @classmethod
    def build(
        cls,
        root: str | Path = ".",
        *,
        settings: Settings | None = None,
        rebuild: bool = False,
        progress: Progress = _silent,
    ) -> Index:
        """Index a root, or bring its index up to date. With `rebuild` the index is made anew.

        Raises:
            RootError: the root is no directory.
            StorageError, IndexLockedError: the index cannot be written.
        """
        index = cls.at(root, settings=settings)
        index.update(rebuild=rebuild, progress=progress)
        return index

    @classmethod
    def open(cls, root: str | Path = ".", *, settings: Settings | None = None) -> Index:
        """An index that exists.

        Raises:
            RootError: the root is no directory.
            NotIndexedError: it has no index yet.
            IndexFormatError, IndexCorruptError: its index cannot be used as it is.
        """
        index = cls.at(root, settings=settings)
        index.snapshot()
        return index

    @classmethod
    def at(cls, root: str | Path = ".", *, settings: Settings | None = None) -> Index:
        """The index of a root, whether it exists yet or not.

        Raises:
            RootError: the root is no directory.
        """
        path = Path(root).resolve()
        if not path.is_dir():
            raise RootError(f"{root}: not a directory; name the root of the code to index")
        return cls(path, settings or load_settings(path))

    @staticmethod
    def nearest_root(start: Path) -> Path:
        """The nearest directory upwards that has an index inside of it, else `start`.

        An index that is stored elsewhere does not say whose it is, so it is looked for from `start` alone.

        Raises:
            ConfigError: a configuration file on the way is wrong.
        """
        from coderag.store import has_index

        for directory in (start, *start.parents):
            place = Path(load_settings(directory).index_directory)
            if place.is_absolute():
                break
            if has_index(directory / place):
                return directory
        return start

    @property
    def directory(self) -> Path:
        """Where the index is stored."""
        return self.root / self.settings.index_directory

    @property
    def is_indexed(self) -> bool:
        """Whether an index, sound or not, is stored for this root."""
        from coderag.store import has_index

        return has_index(self.directory)

    def close(self) -> None:
        """Let the generation go that is being read."""
        if self._snapshot is not None:
            self._snapshot.close()
            self._snapshot = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Write

    def update(self, *, verify: bool = False, rebuild: bool = False, progress: Progress = _silent) -> Report:
        """Make the index equal to the root; only what changed is read. `rebuild` starts anew.

        `verify` trusts nothing: every file is read again and every stored byte is checked. An index that is damaged or
        of another format is set aside and built anew; the report's notes say so.

        Raises:
            StorageError, IndexLockedError: the index cannot be written; the last generation stays.
            EmbeddingError: the model that the settings name cannot be used; the last generation stays.
        """
        from coderag.store import make_private
        from coderag.walk import walk

        self.close()
        self._require_embedder()
        make_private(self.directory)
        progress("walk", 0, 0)
        found = walk(self.root, self.settings)
        if not rebuild:
            try:
                if verify:
                    self._require_soundness()
                origin = self.seed(progress=progress)
                return _beginning(origin, self._update(found, verify, progress, self._embedder()))
            except NotIndexedError:
                pass
            except (IndexCorruptError, IndexFormatError) as error:
                return self._rebuild(found, progress, self._set_aside(error))
        return self._rebuild(found, progress, ())

    def seed(self, *, progress: Progress = _silent) -> Path | None:
        """Where there is no index yet, begin with that of another work tree of the same repository; whose it was, or None.

        What both have in common is then parsed, linked and embedded once; an update finds what differs, as it does after a change of
        branches. The index is stale until that update.

        Raises:
            StorageError, IndexLockedError: the index cannot be written.
        """
        from coderag.store import seed
        from coderag.walk import sibling_roots

        if self.is_indexed or Path(self.settings.index_directory).is_absolute():
            return None
        for root in sibling_roots(self.root):
            with suppress(NotIndexedError, IndexFormatError, IndexCorruptError):
                progress("copy", 0, 1)
                if seed(self.directory, root / self.settings.index_directory, lock_seconds=self.settings.lock_seconds):
                    return root
        return None

    def catch_up(self, *, progress: Progress = _silent) -> CaughtUp:
        """Update if little has changed, so that an answer is fresh; otherwise say what an update would find.

        Does not wait for another writer: the last generation answers then, as it does when the disk refuses. Without the model
        that the settings name, what has changed is found by its words and symbols until there are vectors for it.

        Raises:
            NotIndexedError, IndexFormatError, IndexCorruptError: there is no index that can be read; see `repair`.
        """
        from dataclasses import replace

        from coderag.diagnose import CaughtUp, freshness
        from coderag.embed.choose import Chosen
        from coderag.walk import walk

        found = walk(self.root, self.settings)
        pending = freshness(self.root, self.settings, self.snapshot(), found)
        if not pending.needs_update or not pending.is_cheap:
            return CaughtUp(pending)
        self.close()
        impatient = Index(self.root, replace(self.settings, lock_seconds=0.0))
        try:
            try:
                return CaughtUp(pending, impatient._update(found, False, progress, self._embedder()))
            except EmbeddingError as error:
                return CaughtUp(pending, impatient._update(found, False, progress, Chosen(None, str(error))))
        except (IndexLockedError, StorageError) as error:
            return CaughtUp(pending, obstacle=str(error))

    def repair(self, cause: object = "the index was damaged", *, progress: Progress = _silent) -> Report:
        """Set an index aside that cannot be read (kept beside the new one; `cause` goes into the notes) and build it anew.

        Raises:
            StorageError, IndexLockedError: the index cannot be written.
        """
        from coderag.walk import walk

        self.close()
        progress("walk", 0, 0)
        return self._rebuild(walk(self.root, self.settings), progress, self._set_aside(cause))

    def _require_soundness(self) -> None:
        for finding in self.check_integrity():
            raise IndexCorruptError(f"{self.directory}: {finding}")

    def _require_embedder(self) -> None:
        """Fail before any work when a model is missing that somebody has asked for; the bundled one is nobody's wish."""
        from coderag.embed.choose import BUNDLED

        obstacle = self._embedder().obstacle
        if obstacle and self.settings.embedding != BUNDLED:
            raise EmbeddingError(obstacle)

    def _update(self, found: Any, verify: bool, progress: Progress, chosen: Chosen) -> Report:
        from coderag.store import open_store
        from coderag.update import prepare, unchanged

        store = open_store(self.directory, create=False, lock_seconds=self.settings.lock_seconds)
        with store.read() as reader:
            prepared = prepare(reader, self.root, found, self.settings, chosen, verify=verify)
            if prepared is None:
                return _noting(chosen, unchanged(reader, found))
        from coderag.update.lending import open_lenders
        from coderag.update.run import apply

        with store.write() as writer:
            if writer.generation != prepared.generation + 1:
                prepared = prepare(writer, self.root, found, self.settings, chosen, verify=verify) or prepared
            with store.read() as reader, open_lenders(reader, self.root, self.settings, prepared) as lenders:
                report = apply(writer, self.root, self.settings, prepared, progress, lenders)
            return _noting(chosen, report)

    def _rebuild(self, found: Any, progress: Progress, notes: tuple[str, ...]) -> Report:
        from dataclasses import replace

        from coderag.store import rebuild
        from coderag.update import prepare
        from coderag.update.run import apply

        chosen = self._embedder()
        with rebuild(self.directory, lock_seconds=self.settings.lock_seconds) as writer:
            prepared = prepare(writer, self.root, found, self.settings, chosen)
            assert prepared is not None
            report = _noting(chosen, apply(writer, self.root, self.settings, prepared, progress))
        return replace(report, notes=(*notes, *report.notes))

    def _set_aside(self, cause: object) -> tuple[str, ...]:
        from coderag.store import set_aside

        kept = set_aside(self.directory, lock_seconds=self.settings.lock_seconds)
        return (f"{cause}; the old index was kept as {kept.name} and built anew",)

    def clean(self) -> None:
        """Remove the index.

        Raises:
            StorageError, IndexLockedError: it cannot be removed.
        """
        from coderag.store import remove_index

        self.close()
        remove_index(self.directory, lock_seconds=self.settings.lock_seconds)

    # Read

    def snapshot(self) -> StoredSnapshot:
        """The newest generation, kept open until there is a newer one.

        Raises:
            NotIndexedError, IndexFormatError, IndexCorruptError: there is none that can be read.
        """
        from coderag.snapshot import StoredSnapshot
        from coderag.store import open_store

        reader = open_store(self.directory, create=False, lock_seconds=self.settings.lock_seconds).read()
        if self._snapshot is not None and self._snapshot.generation == reader.generation:
            reader.close()
            return self._snapshot
        self.close()
        self._snapshot = StoredSnapshot(reader, self._embedder)
        return self._snapshot

    def search(self, query: Query | str = "", *, without: Without = NOTHING, **fields: Any) -> SearchResult:
        """Rank chunks for a query. `fields` are those of `Query`, when the query is given as text; a focus may be "PATH:LINE".

        Raises:
            QueryError: the query is empty, names an unknown language or kind, or wants no whole number of hits.
            ContextError: the focus cannot be read.
            NotIndexedError, IndexFormatError, IndexCorruptError: there is no index that can be read.
        """
        trial = self.trial(query, **fields)
        snapshot = trial.snapshot
        ranking = trial.ranking(without)
        shown = ranking.ranked
        stale = self._stale_paths(snapshot, [int(each.row) for each in shown])
        hits = tuple(
            Ranked(
                chunk=(chunk := snapshot.chunk(each.row)),
                score=each.score,
                rank=rank,
                reasons=each.reasons,
                callers=snapshot.callers(each.row, CALLERS_SHOWN),
                stale=chunk.path in stale,
            )
            for rank, each in enumerate(shown, 1)
        )
        return SearchResult(
            query=trial.query,
            hits=hits,
            generation=snapshot.generation,
            fresh=not stale and self._head_is_indexed(snapshot),
            left_out={"ranked below": ranking.below},
            notes=(*trial.notes(without), *snapshot.vector_notes),
        )

    def context(
        self,
        query: ContextQuery | str = "",
        *,
        policy: ContextPolicy | str = "balanced",
        providers: Iterable[ContextProvider] = (),
        form: str = "xml",
        count: TokenCounter | None = None,
        **params: Any,
    ) -> ContextAssembly:
        """What a model should be given for a task: the index and other providers asked, and assembled within a policy.

        `params` are those of the query: `focus`, `open_files`, `trace`, `edits`, `paths`, `languages`, `kinds`. Tokens are counted as
        rendered in `form`, its label included.

        Raises:
            ContextError: the policy, the form or a parameter is unknown; a provider that must not fail has failed.
            NotIndexedError, IndexFormatError, IndexCorruptError: there is no index that can be read.
        """
        from coderag.offer.assembling import assembled

        return assembled(self.as_provider, query, params, policy, tuple(providers), form, count)

    def as_provider(self, offering: Offering | None = None) -> IndexProvider:
        """The index as a provider of context for any assembler; see `coderag.offer`."""
        from coderag.offer import IndexProvider, Offering

        return IndexProvider(self.search, self.snapshot, self.stale_paths, offering or Offering())

    def trial(self, query: Query | str = "", **fields: Any) -> Trial:
        """The same question taken apart: what each recaller proposes, and the ranking that some of the stages make of it.

        Raises:
            QueryError, ContextError: a field of the query cannot be read.
            NotIndexedError, IndexFormatError, IndexCorruptError: there is no index that can be read.
        """
        from coderag.diagnose.trial import Trial
        from coderag.offer.asking import checked
        from coderag.rerank import load_weights

        asked = checked(query if isinstance(query, Query) else Query(query, **fields))
        return Trial(self.snapshot(), asked, load_weights(self.directory))

    def explain(self, query: Query | str = "", **fields: Any) -> Explanation:
        """The ranking of a question taken apart: recallers, every signal, and the edges between the hits.

        Raises:
            QueryError: the query is empty or names an unknown language.
            NotIndexedError, IndexFormatError, IndexCorruptError: there is no index that can be read.
        """
        from coderag.diagnose.explain import explain

        return explain(self.trial(query, **fields))

    def where_lost(
        self, target: str, query: Query | str, *, policy: ContextPolicy | str = "balanced", **fields: Any
    ) -> Lost:
        """Where the chunk at `PATH`, `PATH:LINE` or `PATH#SYMBOL` is lost for a question: index, filters, recall, ranking or budget.

        Raises:
            QueryError: the query or the target is empty, or names something unknown.
            ContextError: there is no policy of that name.
            NotIndexedError, IndexFormatError, IndexCorruptError: there is no index that can be read.
        """
        from coderag.diagnose.lost import where_lost

        trial = self.trial(query, **fields)
        asked = trial.query
        assembly = self.context(
            asked.text,
            policy=policy,
            focus=asked.focus,
            open_files=asked.open_files,
            trace=asked.trace,
            paths=asked.paths,
            languages=asked.languages,
            kinds=[kind.value for kind in asked.kinds],
        )
        return where_lost(trial, self.why(target), assembly)

    def check(self, answer: str, *, shown: Collection[str] | None = None) -> Checked:
        """What a model's answer or patch speaks of that does not exist. `shown`: ids of the chunks that the model was given.

        Raises:
            NotIndexedError, IndexFormatError, IndexCorruptError: there is no index that can be read.
        """
        from coderag.diagnose.check import check

        return check(self.root, self.settings, self.snapshot(), answer, shown)

    def left_behind(self, revision: str = "HEAD") -> LeftBehind:
        """Callers that do not fit what has changed since a commit. The index must be up to date.

        Raises:
            QueryError: this is no git work tree, or there is no such commit.
            NotIndexedError, IndexFormatError, IndexCorruptError: there is no index that can be read.
        """
        from coderag.diagnose.left_behind import left_behind

        return left_behind(self.root, self.settings, self.snapshot(), revision)

    def _stale_paths(self, snapshot: StoredSnapshot, rows: Sequence[int]) -> set[str]:
        """Paths among those of `rows` whose file is not as it was indexed, by its stat and, where that is no proof, its bytes."""
        from coderag.diagnose import is_stale

        paths = {snapshot.paths[int(snapshot.file_of_row[row])] for row in rows}
        return {path for path in sorted(paths) if is_stale(self.root, self.settings, snapshot, path)}

    def stale_paths(self, paths: Iterable[str]) -> set[str]:
        """Those of indexed paths whose file is not as it was indexed; a path that is not indexed is not among them."""
        from coderag.diagnose import is_stale

        snapshot = self.snapshot()
        known = sorted(path for path in set(paths) if snapshot.index_of(path) >= 0)
        return {path for path in known if is_stale(self.root, self.settings, snapshot, path)}

    def _head_is_indexed(self, snapshot: StoredSnapshot) -> bool:
        from coderag.walk import head_commit

        return snapshot.block("head") == head_commit(self.root).encode()

    def freshness(self) -> Freshness:
        """Walk the root and say what an update would do. Reads no file whose stat proves it unchanged."""
        from coderag.diagnose import freshness

        return freshness(self.root, self.settings, self.snapshot())

    def status(self) -> Status:
        """What is indexed, how fresh it is, and what was left out and why."""
        from coderag.diagnose import status

        return status(self.root, self.settings, self.snapshot())

    def why(self, target: str) -> Why:
        """What happened to `PATH`, `PATH:LINE` or `PATH#SYMBOL`: the rule that left it out, or the chunks that hold it."""
        from coderag.diagnose import why

        with suppress(NotIndexedError):
            return why(self.root, self.settings, self.snapshot(), target)
        return why(self.root, self.settings, None, target)

    def symbols(self, pattern: str = "", *, query: Query | None = None) -> list[SymbolEntry]:
        """Definitions whose qualified name contains `pattern` (any case), in the files that `query` filters."""
        from coderag.diagnose import symbols

        return symbols(self.snapshot(), pattern, query or Query())

    def definitions(self, symbol: str) -> list[SymbolEntry]:
        """The definitions that a name means to `callers` and `callees`; empty when there is none of that name."""
        from coderag.diagnose import definitions

        return definitions(self.snapshot(), symbol)

    def callers(self, symbol: str) -> list[Relation]:
        """Who depends on a symbol (a qualified or partly qualified name, `PATH#NAME`, or a chunk id)."""
        from coderag.diagnose import callers

        return callers(self.snapshot(), symbol)

    def callees(self, symbol: str) -> list[Relation]:
        """What a symbol depends on."""
        from coderag.diagnose import callees

        return callees(self.snapshot(), symbol)

    def describe(self, symbol: str) -> Described:
        """A symbol with its definitions, callers, callees and implementations; empty when there is none of that name."""
        from coderag.diagnose import describe

        return describe(self.snapshot(), symbol)

    def outline(self, path: str = "") -> Outline:
        """What an indexed file or folder holds, by its path relative to the root ("" is the root).

        Raises:
            QueryError: the index has nothing at this path.
        """
        from coderag.diagnose import outline

        return outline(self.snapshot(), path)

    def export(self) -> Iterator[str]:
        """The whole content as lines of JSON, free of row numbers and times: equal content gives equal lines."""
        from coderag.diagnose import export

        return export(self.snapshot())

    def examine(self, signs: Iterable[str] = ()) -> Examination:
        """Look for the cause of a failed retrieval. `signs` are names in `diagnose.doctor.SIGNS`; none: all.

        Raises:
            NotIndexedError, IndexFormatError, IndexCorruptError: there is no index that can be read.
        """
        from coderag.diagnose.doctor import Patient, examine

        return examine(Patient(self.root, self.settings, self.snapshot(), self.check_integrity), signs)

    def check_integrity(self) -> Iterable[str]:
        """Check every stored byte. One finding each; empty when all is well."""
        from coderag.store import open_store

        return open_store(self.directory, create=False, lock_seconds=self.settings.lock_seconds).verify()
