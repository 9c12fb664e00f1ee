"""Asking providers: all at once, each within its time, and what a failure costs."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import dataclass

import pytest

from coderag.assemble import (
    ContextItem,
    ContextProvider,
    ContextQuery,
    ContextResult,
    Failure,
    FailureMode,
    StaticProvider,
    complete_turn,
    gather,
)
from coderag.errors import ContextError, ProviderError

QUERY = ContextQuery("words")


@dataclass
class Scripted:
    name: str
    answer: object = None
    error: BaseException | None = None
    waits: threading.Event | None = None
    failure_mode: FailureMode = FailureMode.BEST_EFFORT
    seconds: float | None = None

    def query(self, query: ContextQuery) -> ContextResult:
        assert query is QUERY
        if self.waits is not None:
            self.waits.wait(20)
        if self.error is not None:
            raise self.error
        return self.answer if self.answer is not None else ContextResult(self.name, (ContextItem(self.name),))  # type: ignore[return-value]


def test_answers_stand_in_the_order_of_registration() -> None:
    second_is_done = threading.Event()

    @dataclass
    class Last(Scripted):
        def query(self, query: ContextQuery) -> ContextResult:
            second_is_done.set()
            return super().query(query)

    found = gather([Scripted("slow", waits=second_is_done), Last("quick")], QUERY)
    assert [result.provider for result in found.results] == ["slow", "quick"]


def test_empty_answers_are_left_out() -> None:
    found = gather([Scripted("none", ContextResult("none")), Scripted("some")], QUERY)
    assert [result.provider for result in found.results] == ["some"] and found.failures == ()


def test_a_best_effort_failure_costs_its_own_answer() -> None:
    found = gather([Scripted("bad", error=ValueError("no disk")), Scripted("good")], QUERY)
    assert [result.provider for result in found.results] == ["good"]
    assert found.failures == (Failure("bad", "failed (ValueError: no disk)"),)


def test_a_fail_closed_failure_costs_the_turn_and_is_named() -> None:
    with pytest.raises(ProviderError, match=r"rules.*no disk"):
        gather(
            [Scripted("good"), Scripted("rules", error=OSError("no disk"), failure_mode=FailureMode.FAIL_CLOSED)], QUERY
        )


def test_a_provider_that_is_too_slow_is_not_waited_for() -> None:
    never = threading.Event()
    began = time.monotonic()
    found = gather([Scripted("slow", waits=never, seconds=0.05), Scripted("good")], QUERY)
    never.set()
    assert time.monotonic() - began < 15
    assert [result.provider for result in found.results] == ["good"]
    assert found.failures == (Failure("slow", "gave no answer within 0.05 s"),)


def test_a_slow_provider_may_also_be_one_that_must_not_fail() -> None:
    never = threading.Event()
    with pytest.raises(ProviderError, match="within"):
        gather([Scripted("slow", waits=never, failure_mode=FailureMode.FAIL_CLOSED)], QUERY, seconds=0.05)
    never.set()


def test_an_answer_that_is_none_is_a_failure() -> None:
    found = gather([Scripted("odd", answer=["text"])], QUERY)
    assert found.failures == (Failure("odd", "gave list and not a ContextResult"),)


def test_an_ordinary_provider_cannot_require() -> None:
    required = ContextItem("a", content="obey").with_required()
    ordinary, own = StaticProvider((required,), "ordinary"), StaticProvider((required,), "own", host_owned=True)
    found = gather([ordinary, own], QUERY)
    assert [result.items[0].required for result in found.results] == [False, True]


def test_an_answer_without_a_name_gets_its_providers() -> None:
    found = gather([Scripted("named", ContextResult("", (ContextItem("a"),)))], QUERY)
    assert found.results[0].provider == "named"


def test_names_and_modes_may_be_methods() -> None:
    class Rustic:
        def name(self) -> str:
            return "rustic"

        def failure_mode(self) -> str:
            return "fail closed"

        def query(self, query: ContextQuery) -> ContextResult:
            raise KeyError("x")

    with pytest.raises(ProviderError, match="rustic"):
        gather([Rustic()], QUERY)  # type: ignore[list-item]


@pytest.mark.parametrize("mode", ["FailClosed", "fail_closed", "FAIL CLOSED", FailureMode.FAIL_CLOSED])
def test_modes_may_be_written_in_several_ways(mode: FailureMode) -> None:
    with pytest.raises(ProviderError):
        gather([Scripted("a", error=OSError("x"), failure_mode=mode)], QUERY)


def test_a_mode_that_is_none_is_refused_and_not_taken_for_the_lenient_one() -> None:
    with pytest.raises(ContextError, match="best effort, fail closed"):
        gather([Scripted("a", failure_mode="fail shut")], QUERY)  # type: ignore[arg-type]


def test_a_provider_may_be_asynchronous() -> None:
    class Asynchronous:
        name = "asynchronous"

        async def query(self, query: ContextQuery) -> ContextResult:
            await asyncio.sleep(0)
            return ContextResult(self.name, (ContextItem("a"),))

    found = gather([Asynchronous(), Scripted("plain")], QUERY)  # type: ignore[list-item]
    assert [result.provider for result in found.results] == ["asynchronous", "plain"]


def test_who_wants_to_know_is_told_that_a_turn_is_over() -> None:
    told: list[tuple[str, str, str]] = []

    class Listener(Scripted):
        def on_turn_complete(self, session_id: str, prompt: str, response: str) -> None:
            told.append((session_id, prompt, response))

    class Deaf(Scripted):
        def on_turn_complete(self, session_id: str, prompt: str, response: str) -> None:
            raise RuntimeError("deaf")

    assert complete_turn([Scripted("a"), Listener("b"), Deaf("c")], "s", "p", "r") == (
        Failure("c", "failed (RuntimeError: deaf)"),
    )
    assert told == [("s", "p", "r")]


def test_the_protocol_can_be_checked() -> None:
    assert isinstance(StaticProvider(()), ContextProvider)
