"""One root with its index, for many callers at once: questions go to one thread, updates to another process."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import TypeVar

import coderag
from coderag.config import load_settings
from coderag.errors import StorageError
from coderag.index import Index
from coderag.watch.events import changes
from coderag.watch.messages import Request, Standing, State, Step, Task, decode

Found = TypeVar("Found")

PATIENCE_SECONDS = 5.0
"""How long a question waits for the index to catch up with a small change before it is answered from what there is."""

LINE_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class IndexState:
    """How the index stood when a question was answered. `step` is set while it is being built or updated."""

    standing: Standing
    is_updating: bool
    step: Step | None = None

    @property
    def word(self) -> str:
        """One of "fresh", "stale", "updating" (stale, and being updated), "building" (there is none yet)."""
        if self.standing.state in (State.ABSENT, State.DAMAGED):
            return "building" if self.is_updating else "none"
        if self.is_updating:
            return "updating"
        return "fresh" if self.standing.state is State.FRESH else "stale"


class KeeperProcess:
    """The process that writes the index of one root; started when it is needed, started again should it die."""

    def __init__(self, root: Path, index_directory: str | None) -> None:
        self._arguments = [str(root), *([index_directory] if index_directory else [])]
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[Standing]] = {}
        self._news = asyncio.Condition()
        self.step: Step | None = None

    async def ask(self, task: Task) -> Standing:
        """Have a task done."""
        if self._process is None:
            await self._start()
        assert self._process is not None and self._process.stdin is not None
        number = next(self._numbers)
        answer: asyncio.Future[Standing] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        self._process.stdin.write(Request(number, task).encode())
        with suppress(ConnectionError):  # whoever reads its output learns why it went, and answers
            await self._process.stdin.drain()
        return await answer

    async def _start(self) -> None:
        # -P and PYTHONPATH: this very coderag is run, whatever lies in the current directory, which may be a stranger's.
        own = str(Path(coderag.__file__).parents[1])
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [own, os.environ.get("PYTHONPATH")]))}
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "coderag.watch.keeper",
            *self._arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=environment,
            limit=LINE_LIMIT,
        )
        self._reading = asyncio.create_task(self._read(self._process))

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            message = decode(line)
            if isinstance(message, Step):
                self.step = message
            elif (answer := self._waiting.pop(message.number, None)) and not answer.done():
                self.step = None
                answer.set_result(message)
            await self._notify()
        code = await process.wait()
        self._process, self.step = None, None
        for number, answer in self._waiting.items():
            if not answer.done():
                answer.set_result(Standing(number, State.FAILED, reason=f"the indexing process ended with code {code}"))
        self._waiting.clear()
        await self._notify()

    async def _notify(self) -> None:
        async with self._news:
            self._news.notify_all()

    async def news(self) -> None:
        """Return when something has happened since the call."""
        async with self._news:
            await self._news.wait()

    async def renew(self) -> None:
        """Let the process end, and with it the memory of a large update, and start another one."""
        if self._process is not None and self._process.stdin is not None and self._reading is not None:
            self._process.stdin.close()
            await self._reading
            await self._start()

    async def close(self) -> None:
        """End the process; an update that it was making is as if it had not begun."""
        if self._process is not None:
            process = self._process
            process.kill()
            await process.wait()
        if self._reading is not None:
            await self._reading


class Repository:
    """One root. All methods belong to the thread of the event loop."""

    def __init__(self, root: Path, index_directory: str | None) -> None:
        self.root = root
        self._index = Index.at(root, settings=load_settings(root, index_directory=index_directory))
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="coderag-index")
        self._keeper = KeeperProcess(root, index_directory)
        self._update: asyncio.Task[Standing] | None = None
        self._last = Standing(0, State.ABSENT)
        self._watcher: threading.Thread | None = None
        self._is_over = threading.Event()
        self._background: set[asyncio.Task[IndexState]] = set()
        self._missed = False

    @property
    def is_updating(self) -> bool:
        """Whether the index is being built or updated in the background."""
        return self._update is not None and not self._update.done()

    @property
    def is_being_repaired(self) -> bool:
        """Whether the index turned out to be damaged and is being built anew."""
        return self.is_updating and self._last.state is State.DAMAGED

    async def catch_up(self) -> IndexState:
        """Bring the index up to date if that is cheap; begin to in the background if it is not. Never waits long."""
        self._watch()
        if not self.is_updating:
            asking = asyncio.create_task(self._keeper.ask(Task.CATCH_UP))
            done, _ = await asyncio.wait([asking], timeout=PATIENCE_SECONDS)
            if done:
                self._last = asking.result()
                if self._last.state in (State.STALE, State.ABSENT, State.DAMAGED):
                    self.update()
        return self.state()

    def state(self) -> IndexState:
        """How the index stands, as far as it is known."""
        return IndexState(self._last, self.is_updating, self._keeper.step if self.is_updating else None)

    def update(self, task: Task = Task.UPDATE) -> None:
        """Begin an update in the background, if none is running."""
        if not self.is_updating:
            self._update = asyncio.create_task(self._updated(task))

    def repair(self, cause: Exception) -> None:
        """Begin to set a damaged index aside and to build it anew."""
        if not self.is_updating:
            self._last = Standing(0, State.DAMAGED, reason=str(cause))
            self.update(Task.VERIFY)

    async def _updated(self, task: Task) -> Standing:
        standing = await self._keeper.ask(task)
        failed = standing.state is State.FAILED
        self._last = replace(self._last, reason=standing.reason) if failed else standing
        if not self._is_over.is_set():
            await self._keeper.renew()
        if self._missed:
            asyncio.get_running_loop().call_soon(self._look)
        return standing

    # Events

    def _watch(self) -> None:
        """Watch the files from the first question on, so that later ones find the index up to date; where that can be done."""
        if self._watcher is None and find_spec("watchfiles"):
            loop = asyncio.get_running_loop()
            self._watcher = threading.Thread(target=self._observe, args=(loop,), name="coderag-watch", daemon=True)
            self._watcher.start()

    def _observe(self, loop: asyncio.AbstractEventLoop) -> None:
        # Every question looks for itself, so an end of the events costs time and nothing else.
        with suppress(StorageError, RuntimeError):
            for _ in changes(self.root, self._index.directory, self._is_over):
                loop.call_soon_threadsafe(self._look)

    def _look(self) -> None:
        """Catch up in the background; after the update that is running, if there is one."""
        self._missed = self.is_updating
        if not self._missed and not self._is_over.is_set():
            task = asyncio.create_task(self.catch_up())
            self._background.add(task)
            task.add_done_callback(self._background.discard)

    async def follow(self) -> AsyncIterator[Step]:
        """The steps of the update that is running, until it has ended."""
        told: Step | None = None
        update = self._update
        while update is not None and not update.done():
            news = asyncio.create_task(self._keeper.news())
            try:
                if self._keeper.step not in (None, told):
                    told = self._keeper.step
                    yield told
                await asyncio.wait([news, update], return_when=asyncio.FIRST_COMPLETED)
            finally:
                news.cancel()

    async def ask(self, question: Callable[[Index], Found]) -> Found:
        """What a question finds. A question that nobody waits for any more is not begun."""
        return await asyncio.wrap_future(self._thread.submit(question, self._index))

    async def close(self) -> None:
        """Let everything go."""
        self._is_over.set()
        if self._watcher is not None:
            await asyncio.to_thread(self._watcher.join)
        await self._keeper.close()
        if self._update is not None:
            await self._update
        self._thread.shutdown(wait=True, cancel_futures=True)
        self._index.close()
