"""Asking providers: all at once, each within its time, answers in the order in which they were registered.

A provider is anything with a `name` and a `query`, which may be `async`. What a provider raises, or a time
limit that it misses, costs its own answer (`FailureMode.BEST_EFFORT`, reported in `Gathered.failures`) or the turn
(`FailureMode.FAIL_CLOSED`, a `ProviderError` that names it). An ordinary provider cannot make an item required: the mark is taken off
unless the provider is `host_owned`. A thread that misses its limit is not waited for and does not keep the process alive.
"""

from __future__ import annotations

import inspect
import re
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, Protocol, runtime_checkable

from coderag.assemble.results import ContextQuery, ContextResult
from coderag.errors import ContextError, ProviderError

SECONDS: Final = 10.0
"""How long a provider may take unless it, or the caller, says otherwise."""


class FailureMode(StrEnum):
    """What a provider's failure costs: its own answer, or the whole turn."""

    BEST_EFFORT = "best effort"
    FAIL_CLOSED = "fail closed"


@runtime_checkable
class ContextProvider(Protocol):
    """Where context comes from. `query` may be called from another thread, once at a time for each gathering.

    Optional, with these defaults where a provider has none: `failure_mode` (best effort), `seconds` (the time limit), `host_owned`
    (False: its items are never required), and `on_turn_complete`.
    """

    @property
    def name(self) -> str:
        """Its name, the same in every turn: of two results with one name the later counts."""

    def query(self, query: ContextQuery) -> ContextResult:
        """What it has for a question, best first."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A provider that gave nothing, and why."""

    provider: str
    why: str


@dataclass(frozen=True, slots=True)
class Gathered:
    """The answers that have items, in the order of registration; the failures of best-effort providers; what answers had to say."""

    results: tuple[ContextResult, ...] = ()
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()


def gather(providers: Iterable[ContextProvider], query: ContextQuery, *, seconds: float = SECONDS) -> Gathered:
    """Put one query to all providers at the same time.

    Raises:
        ProviderError: one that must not fail has failed or was too slow.
        ContextError: one does not say in a known way what its failure costs.
    """
    asked = list(providers)
    for provider in asked:
        failure_mode_of(provider)
    calls = [_Call(provider, provider.query, (query,), seconds) for provider in asked]
    results: list[ContextResult] = []
    failures: list[Failure] = []
    notes: list[str] = []
    for call in calls:
        why = call.wait()
        if why is not None:
            failures.append(_failed(call.provider, why))
        elif isinstance(call.answer, ContextResult):
            answer = _owned(call.provider, call.answer)
            notes += answer.notes
            results.append(answer)
        else:
            failures.append(_failed(call.provider, f"gave {type(call.answer).__name__} and not a ContextResult"))
    return Gathered(tuple(each for each in results if not each.is_empty), tuple(failures), tuple(notes))


def complete_turn(
    providers: Iterable[ContextProvider], session_id: str, prompt: str, response: str, *, seconds: float = SECONDS
) -> tuple[Failure, ...]:
    """Tell every provider that wants to know that a turn is over.

    Raises:
        ProviderError: one that must not fail has failed or was too slow.
    """
    calls = [
        _Call(provider, listener, (session_id, prompt, response), seconds)
        for provider in providers
        if callable(listener := getattr(provider, "on_turn_complete", None))
    ]
    failed = ((call, call.wait()) for call in calls)
    return tuple(_failed(call.provider, why) for call, why in failed if why is not None)


def name_of(provider: ContextProvider) -> str:
    """The name of a provider, which may be an attribute or a method."""
    name: object = provider.name
    return str(name() if callable(name) else name)


def failure_mode_of(provider: ContextProvider) -> FailureMode:
    """What a provider's failure costs: an attribute or a method; also a text ("fail closed", "FailClosed", "fail_closed").

    Raises:
        ContextError: it is neither.
    """
    mode: Any = getattr(provider, "failure_mode", FailureMode.BEST_EFFORT)
    said = mode() if callable(mode) else mode
    for known in FailureMode:
        if _letters(str(said)) == _letters(known.value):
            return known
    raise ContextError(f"the failure mode of {name_of(provider)} must be one of {', '.join(FailureMode)}, not {said!r}")


def _letters(text: str) -> str:
    return re.sub("[^a-z]", "", text.casefold())


def _failed(provider: ContextProvider, why: str) -> Failure:
    name = name_of(provider)
    if failure_mode_of(provider) is FailureMode.FAIL_CLOSED:
        raise ProviderError(f"the context provider {name} {why}, and nothing may be sent without it")
    return Failure(name, why)


def _owned(provider: ContextProvider, result: ContextResult) -> ContextResult:
    """The result under its provider's name; nothing in it is required unless the provider is the host's own."""
    named = result if result.provider else replace(result, provider=name_of(provider))
    if getattr(provider, "host_owned", False) is True or not any(item.required for item in named.items):
        return named
    return replace(named, items=tuple(item.without_required() for item in named.items))


def _awaited(answer: Coroutine[Any, Any, object]) -> object:
    """What a provider gives that is written with `async def`; its thread has no loop of its own."""
    import asyncio

    return asyncio.run(answer)


@dataclass(slots=True)
class _Call:
    """One call in its own thread, begun when it is made."""

    provider: ContextProvider
    function: Callable[..., object]
    arguments: Sequence[object]
    seconds: float
    answer: object = None
    _why: str | None = None
    _thread: threading.Thread = field(init=False)
    _end: float = field(init=False)

    def __post_init__(self) -> None:
        self.seconds = getattr(self.provider, "seconds", None) or self.seconds
        self._end = time.monotonic() + self.seconds
        self._thread = threading.Thread(target=self._run, name=f"coderag {name_of(self.provider)}", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            answer = self.function(*self.arguments)
            self.answer = _awaited(answer) if inspect.iscoroutine(answer) else answer
        except Exception as error:  # a provider is another's code: whatever it raises must cost its own answer only
            self._why = f"failed ({type(error).__name__}: {error})"

    def wait(self) -> str | None:
        """Why there is no answer, None when there is one."""
        self._thread.join(max(self._end - time.monotonic(), 0.0))
        return f"gave no answer within {self.seconds:g} s" if self._thread.is_alive() else self._why
