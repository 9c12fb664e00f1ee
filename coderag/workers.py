"""Parse in child processes, with limits of time and memory. The only use of multiprocessing.

A child that dies or hangs costs the one file that it died of: its batch is tried again file by file, and the file that kills a child
alone is indexed as plain text with a problem that says so. Results come in any order; what is made of them must not depend on it.

`spread` shares out a pure computation of ours, which needs no limits.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from coderag.analyse import AS_TEXT, Analysed, Analysis, analyse_chunks, embedded, finished, pack, unpack, with_terms
from coderag.config import Settings
from coderag.embed.protocol import Embedder
from coderag.languages import TEXT, detect_language
from coderag.languages.grammar import compiled
from coderag.types import Reason, Skipped, WalkedFile

BATCH_BYTES = 192_000
BATCH_FILES = 64
MAX_WORKERS = 8
_HANG_FACTOR = 10  # the wall clock is only a guard against a child that does not run at all; the limit is CPU time
_HANG_SECONDS = 30.0
_UNREADABLE_REPLY = "the parser gave an unreadable reply"


@dataclass(slots=True)
class _Worker:
    """A child, the end of its pipe, and what it is working on."""

    process: BaseProcess
    pipe: Connection
    batch: list[WalkedFile]
    deadline: float = 0.0


def analyse_files(
    root: Path, files: Iterable[WalkedFile], settings: Settings, workers: int = 0, embedder: Embedder | None = None
) -> Iterator[Analysis | Skipped]:
    """Analyse every file once, in children. `workers` 0: as `settings` say.

    A child that is a fork embeds its chunks with the `embedder`, which must be pure; no other child does. A child that is alone only
    parses and chunks: this process, which would have nothing to do, makes terms and vectors while the next files are parsed.
    """
    pending = deque(_batches(_in_order_of_work(files)))
    if not pending:
        return
    count = min(workers or worker_count(settings), len(pending))
    pool = _Pool(root, settings, embedder, helps=count == 1 and len(pending) > 1)
    try:
        pool.start(count, _met_by_all(pending, count))
        yield from pool.run(pending)
    finally:
        pool.stop()


def worker_count(settings: Settings) -> int:
    """How many children `settings` ask for on this machine."""
    return settings.workers or min(MAX_WORKERS, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2)


def _in_order_of_work(files: Iterable[WalkedFile]) -> list[WalkedFile]:
    """Files of one language together, so that not every child has to compile it; the language with the most to do comes last,
    and of each its large files first, so that all children end at about the same time.
    """
    by_language: dict[str, list[WalkedFile]] = {}
    for file in files:
        by_language.setdefault(detect_language(file.path), []).append(file)
    sizes = {name: sum(file.stat.size for file in group) for name, group in by_language.items() if name != TEXT}
    ordered = sorted(by_language, key=lambda name: (sizes.get(name, -1), name))
    return [file for name in ordered for file in sorted(by_language[name], key=lambda file: -file.stat.size)]


def _batches(files: Iterable[WalkedFile]) -> Iterator[list[WalkedFile]]:
    batch: list[WalkedFile] = []
    size = 0
    for file in files:
        batch.append(file)
        size += file.stat.size
        if size >= BATCH_BYTES or len(batch) >= BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _met_by_all(batches: Iterable[Sequence[WalkedFile]], children: int) -> list[str]:
    """The languages that every child will meet; with one batch all of them."""
    batches_of = Counter(name for batch in batches for name in {detect_language(file.path) for file in batch})
    return sorted(name for name, count in batches_of.items() if count > 2 * children or children == 1)


def _context() -> BaseContext:
    """Fork where it is safe (one thread), for it starts in milliseconds; a fresh interpreter otherwise."""
    if "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1:
        return multiprocessing.get_context("fork")
    return multiprocessing.get_context("spawn")


_starting = threading.Lock()


@contextmanager
def _main_unseen() -> Iterator[None]:
    """While this lasts, a fresh interpreter is not told which script started it.

    It would run that script again, up to the line that made the index, unless its author had thought of a guard; no child needs it.
    """
    main = sys.modules["__main__"].__dict__
    with _starting:
        hidden: dict[str, Any] = {name: main.pop(name) for name in ("__file__", "__spec__") if name in main}
        main["__spec__"] = None
        try:
            yield
        finally:
            main.update(hidden)


class _Pool:
    """Children and their batches."""

    def __init__(self, root: Path, settings: Settings, embedder: Embedder | None, *, helps: bool) -> None:
        self._root = root
        self._settings = settings
        self._context = _context()
        self._embedder = embedder if helps or self._context.get_start_method() == "fork" else None
        self._helps = helps
        self._workers: list[_Worker] = []

    def start(self, count: int, languages: Iterable[str]) -> None:
        """Start children. Where they are forks, these languages are compiled once, here, and kept for the next time."""
        if self._context.get_start_method() == "fork":
            for language in languages:
                compiled(language)
        self._workers = [self._spawn() for _ in range(count)]

    def _spawn(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        arguments = (theirs, str(self._root), self._settings, None if self._helps else self._embedder, self._helps)
        process = self._context.Process(target=serve, args=arguments, daemon=True)  # type: ignore[attr-defined]
        with _main_unseen():
            process.start()
        theirs.close()
        return _Worker(process, ours, [])

    def run(self, pending: deque[list[WalkedFile]]) -> Iterator[Analysis | Skipped]:
        suspects: deque[tuple[WalkedFile, str]] = deque()
        while pending or any(worker.batch for worker in self._workers):
            for worker in self._workers:
                if not worker.batch and pending:
                    self._give(worker, pending.popleft())
            for batch, results, cause in [self._collect(worker, pending) for worker in self._ready()]:
                done, problem = ([], cause) if cause else self._finished(results)
                if problem and len(batch) == 1:
                    suspects.append((batch[0], problem))
                elif problem:
                    pending.extendleft([file] for file in reversed(batch))
                yield from done
            while suspects:
                yield self._as_text(*suspects.popleft())

    def _finished(self, results: list[Analysis | Skipped]) -> tuple[list[Analysis | Skipped], str]:
        """The results with what children have left to this process, or why there are none."""
        if not self._helps:
            return results, ""
        try:
            return embedded(
                [each if isinstance(each, Skipped) else finished(each) for each in results], self._embedder
            ), ""
        except Exception as error:  # a fault of ours in one file must not cost the others
            return [], f"{type(error).__name__}: {error}"

    def _give(self, worker: _Worker, batch: list[WalkedFile], problem: str = "") -> None:
        worker.batch = batch
        size = sum(file.stat.size for file in batch)
        allowed = self._settings.parse_seconds * _HANG_FACTOR * (1 + size / self._settings.max_file_bytes)
        worker.deadline = time.monotonic() + allowed + _HANG_SECONDS
        try:
            worker.pipe.send((batch, problem))
        except OSError:
            worker.deadline = 0.0

    def _ready(self) -> list[_Worker]:
        busy = {worker.pipe: worker for worker in self._workers if worker.batch}
        timeout = max(0.0, min(worker.deadline for worker in busy.values()) - time.monotonic())
        ready = [busy[pipe] for pipe in wait(list(busy), timeout) if isinstance(pipe, Connection)]
        now = time.monotonic()
        return ready or [worker for worker in busy.values() if worker.deadline <= now]

    def _collect(
        self, worker: _Worker, pending: deque[list[WalkedFile]]
    ) -> tuple[list[WalkedFile], list[Analysis | Skipped], str]:
        """The batch of a child and its results, or why there are none. The child has its next batch before anyone looks at them."""
        results, cause = self._reply(worker)
        batch, worker.batch = worker.batch, []
        if cause:
            worker = self._replace(worker)
        if pending:
            self._give(worker, pending.popleft())
        return batch, results, cause

    def _reply(self, worker: _Worker) -> tuple[list[Analysis | Skipped], str]:
        """The results of a batch, or why there are none."""
        if worker.deadline <= time.monotonic() and not worker.pipe.poll():
            return [], "the parser did not answer"
        try:
            results = list(unpack(worker.pipe.recv_bytes()))
        except (EOFError, OSError):
            worker.process.join(5)
            return [], _cause_of_death(worker.process.exitcode, self._settings)
        except Exception:  # whatever a child sends, it costs its batch and nothing else
            return [], _UNREADABLE_REPLY
        expected = sorted(file.path for file in worker.batch)
        return (results, "") if sorted(result.path for result in results) == expected else ([], _UNREADABLE_REPLY)

    def _as_text(self, file: WalkedFile, cause: str) -> Analysis | Skipped:
        """Index a file that killed its parser without parsing it; skip it when even that fails."""
        worker = self._spawn()
        try:
            self._give(worker, [file], f"{cause}; {AS_TEXT}")
            worker.pipe.poll(max(0.0, worker.deadline - time.monotonic()))
            results, second = self._reply(worker)
            return Skipped(file.path, Reason.UNREADABLE, f"{cause}; as text: {second}") if second else results[0]
        finally:
            self._end(worker)

    def _replace(self, worker: _Worker) -> _Worker:
        self._end(worker)
        fresh = self._spawn()
        self._workers[self._workers.index(worker)] = fresh
        return fresh

    @staticmethod
    def _end(worker: _Worker) -> None:
        worker.pipe.close()
        worker.process.kill()
        worker.process.join()
        worker.process.close()

    def stop(self) -> None:
        for worker in self._workers:
            self._end(worker)
        self._workers = []


def _cause_of_death(code: int | None, settings: Settings) -> str:
    if code is not None and code < 0:
        if -code == getattr(signal, "SIGVTALRM", None):
            return f"parsing took more than {settings.parse_seconds:g} s of CPU"
        return f"the parser died of {signal.Signals(-code).name}"
    return f"the parser ended with code {code}"


# Halves of one pure computation


@contextmanager
def spread(
    compute: Callable[[Sequence[str]], Iterator[bytes]], own: Sequence[str], parts: Sequence[Sequence[str]]
) -> Iterator[Iterator[bytes]]:
    """What `compute` gives for `own` and for every part, one after the other. Each part is computed in a fork of its own where that is safe,
    from now on; `own` is computed here once it is asked for.

    The forks see what `compute` holds at no cost, and must not use a connection of the parent. A part whose fork dies is computed here.
    """
    context = _context()
    if not parts or context.get_start_method() != "fork":
        yield chain.from_iterable(map(compute, (own, *parts)))
        return
    children: list[tuple[BaseProcess, Connection]] = []
    gc.freeze()
    try:
        for part in parts:
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_compute, args=(theirs, compute, part), daemon=True)  # type: ignore[attr-defined]
            process.start()
            theirs.close()
            children.append((process, ours))
        yield chain(compute(own), _in_order([pipe for _, pipe in children], compute, parts))
    finally:
        gc.unfreeze()
        for process, pipe in children:
            pipe.close()
            process.kill()
            process.join()
            process.close()


def _compute(pipe: Connection, compute: Callable[[Sequence[str]], Iterator[bytes]], part: Sequence[str]) -> None:
    """A thread sends the results, so that a pipe that nobody empties yet does not hold up what is still to be computed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    results: SimpleQueue[bytes] = SimpleQueue()
    sender = threading.Thread(target=_send, args=(pipe, results, len(part)), daemon=True)
    sender.start()
    for result in compute(part):
        results.put(result)
    sender.join()


def _send(pipe: Connection, results: SimpleQueue[bytes], count: int) -> None:
    with suppress(OSError):  # nobody wants them any more
        for _ in range(count):
            pipe.send_bytes(results.get())


def _in_order(
    pipes: Sequence[Connection], compute: Callable[[Sequence[str]], Iterator[bytes]], parts: Sequence[Sequence[str]]
) -> Iterator[bytes]:
    """The results of all parts, one part after the other. Every pipe is emptied as it fills, so that no fork waits for another."""
    results: dict[Connection, deque[bytes]] = {pipe: deque() for pipe in pipes}
    running = {pipe: len(part) for pipe, part in zip(pipes, parts, strict=True)}
    for pipe, part in zip(pipes, parts, strict=True):
        for done in range(len(part)):
            while not results[pipe] and running.get(pipe):
                _receive(results, running)
            if not results[pipe]:
                yield from compute(part[done:])
                break
            yield results[pipe].popleft()


def _receive(results: dict[Connection, deque[bytes]], running: dict[Connection, int]) -> None:
    """Take one result from every fork that has one; a fork that has died or is done runs no longer."""
    for pipe in wait([pipe for pipe, left in running.items() if left]):
        assert isinstance(pipe, Connection)
        try:
            results[pipe].append(pipe.recv_bytes())
            running[pipe] -= 1
        except (EOFError, OSError):
            running[pipe] = 0


# The child


def serve(
    pipe: Connection, root: str, settings: Settings, embedder: Embedder | None = None, helped: bool = False
) -> None:
    """Answer batches until the pipe closes. The main function of a child. One that is `helped` leaves terms to its parent, but for those
    of a file that is only text.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()  # nothing here makes cycles, and to look for them took 4 % of the time
    _limit_memory(settings.worker_memory_bytes)
    while True:
        try:
            batch, problem = pipe.recv()
        except (EOFError, OSError):
            return
        for language in {detect_language(file.path) for file in batch if not problem}:
            compiled(language)  # before the clock runs for a file
        finish = _as_it_is if helped and not problem else with_terms
        results = [_guarded(Path(root), file, settings, problem, finish) for file in batch]
        try:
            pipe.send_bytes(pack(embedded(results, embedder)))
        except MemoryError:
            os._exit(1)


def _as_it_is(file: Analysed) -> Analysed:
    return file


def _guarded(
    root: Path, file: WalkedFile, settings: Settings, problem: str, finish: Callable[[Analysed], Analysed]
) -> Analysed | Skipped:
    _limit_time(settings.parse_seconds)
    try:
        result = analyse_chunks(root, file, settings, problem=problem)
        return result if isinstance(result, Skipped) else finish(result)
    except MemoryError:
        os._exit(1)
    except Exception as error:  # a fault of ours in one file must not cost the others
        if problem:
            return Skipped(file.path, Reason.UNREADABLE, f"{type(error).__name__}: {error}")
        return _guarded(root, file, settings, f"{type(error).__name__}: {error}; {AS_TEXT}", finish)
    finally:
        _limit_time(0)


def _limit_time(seconds: float) -> None:
    """CPU time of this process until it is ended by a signal; 0: no limit. Not on Windows, where the parent's guard remains."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


def _limit_memory(limit: int) -> None:
    try:
        import resource
    except ImportError:
        return
    used = _address_space()
    resource.setrlimit(resource.RLIMIT_AS, (used + limit, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _address_space() -> int:
    """Bytes of address space in use, so that a limit counts from here; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
