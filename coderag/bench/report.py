"""A run as tables to read and as one object to keep: with the date, the versions and the machine, and without any text of a question."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from coderag import __version__
from coderag.bench.losses import STAGES
from coderag.bench.run import Run, Timing
from coderag.bench.scoring import counted, within
from coderag.bench.stages import WHOLE
from coderag.bench.summary import Summary, grouped, levels_of, summarise
from coderag.bench.values import Asked, Loss, Outcome, Target

COLUMNS: Final = ("NDCG@10", "MRR", "recall@1", "recall@3", "recall@5", "recall@10")
ANY_COLUMNS: Final = ("any@1", "any@3", "any@5", "any@10", "all@5", "all@10")
CURVE: Final = (250, 500, 1_000, 2_000, 4_000, 8_000)
"""Budgets in tokens at which the recall of whole rankings is kept."""

BUDGET_COLUMNS: Final = ("recall within 1000", "recall within 4000")
COMPARED: Final = ("NDCG@10", "recall@3", "any@3")
PACKAGES: Final = ("numpy", "faiss-cpu", "tokenizers", "tree-sitter", "networkx")
ABLATED: Final = "without "


def lines(run: Run) -> Iterator[str]:
    """The run as Markdown, task by task."""
    for task, outcomes in grouped(run.outcomes, lambda each: each.asked.task).items():
        variants = _by_variant(outcomes)
        whole = variants.get(WHOLE, outcomes)
        yield from (f"## {task}", "", *_summaries("stage", _without_ablations(variants)))
        for title, key in (("category", _category), ("language", _language)):
            if len(groups := grouped(whole, key)) > 1:
                yield from _summaries(title, groups)
        yield from _intervals(whole)
        yield from _lost([loss for outcome in whole for loss in outcome.losses])
        yield from _ablations(variants)
    yield from _times(run.timings)
    yield from (f"- not measured: {problem}" for problem in run.problems)


def _category(outcome: Outcome) -> str:
    return outcome.asked.category


def _language(outcome: Outcome) -> str:
    return outcome.asked.language


def as_object(run: Run, conditions: Mapping[str, Any]) -> dict[str, Any]:
    """The run as JSON: every average with its interval, losses and times, with where and with what it was measured."""
    tasks = grouped(run.outcomes, lambda each: each.asked.task)
    return {
        "subject": run.subject,
        "date": datetime.now(UTC).date().isoformat(),
        "versions": versions(),
        "machine": machine(),
        "conditions": dict(conditions),
        "tasks": {task: _task_object(outcomes) for task, outcomes in tasks.items()},
        "times": [_timing_object(timing) for timing in run.timings],
        "problems": run.problems,
    }


def versions() -> dict[str, str]:
    """Of coderag, Python and what does the arithmetic."""
    found = {"coderag": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "none"
    return found


def machine() -> dict[str, Any]:
    """What a figure of time depends on."""
    return {"system": platform.system(), "architecture": platform.machine(), "processors": os.cpu_count()}


def rankings(run: Run, task: str) -> dict[str, list[dict[str, Any]]]:
    """What the whole pipeline answered to each question of a task, by the question's id, best first."""
    found = {each.asked.id: each.places for each in run.outcomes if each.asked.task == task and each.places}
    return {
        name: [{"file": at.file, "start_line": at.start_line, "end_line": at.end_line} for at in places]
        for name, places in found.items()
    }


def misses(run: Run) -> Iterator[str]:
    """Every target that is not among the first, with the stage that lost it and what it was asked with."""
    for outcome in run.outcomes:
        for loss in outcome.losses:
            if loss.stage != STAGES[0]:
                ranks = ", ".join(f"{name} {rank}" for name, rank in sorted(loss.recalled.items()))
                place = f"{loss.target.file}:{loss.target.start_line} {loss.target.symbol}".rstrip()
                yield f"{outcome.asked.task} {outcome.asked.id}: {loss.stage} (rank {loss.rank or 'none'}) {place}"
                yield f"    asked: {outcome.asked.query.text.partition(chr(10))[0] or '(a focus)'}"
                yield f"    recalled by: {ranks or 'nothing'}; first: {[place.file for place in outcome.places[:3]]}"


def _by_variant(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """The outcomes of each variant in the order in which variants were measured."""
    names = dict.fromkeys(outcome.variant for outcome in outcomes)
    found = grouped(outcomes, lambda outcome: outcome.variant)
    return {name: found[name] for name in names}


def _without_ablations(variants: Mapping[str, list[Outcome]]) -> dict[str, list[Outcome]]:
    kept = {name: each for name, each in variants.items() if not name.startswith(ABLATED)}
    return {name: kept[name] for name in [*(name for name in kept if name != WHOLE), *({WHOLE} & {*kept})]}


def _summaries(title: str, groups: Mapping[str, Sequence[Outcome]]) -> Iterator[str]:
    every = [outcome for group in groups.values() for outcome in group]
    for level in levels_of(every):
        columns = (*COLUMNS, *(ANY_COLUMNS if level == "function" else ANY_COLUMNS[:3]), *BUDGET_COLUMNS)
        yield _row(f"{title}, {level}", "questions", *columns)
        yield _row(*("---" for _ in range(len(columns) + 2)))
        for name, outcomes in groups.items():
            if (summary := summarise(outcomes, level)) is not None:
                means = [f"{summary.mean(column):.3f}" for column in columns]
                yield _row(name or "(none)", str(summary.questions), *means)
        yield ""


def _intervals(outcomes: Sequence[Outcome]) -> Iterator[str]:
    for level in levels_of(outcomes):
        summary = summarise(outcomes, level)
        assert summary is not None
        parts = [
            f"{name} {each.mean:.3f} [{each.low:.3f}, {each.high:.3f}]"
            for name, each in summary.averages.items()
            if name in COMPARED
        ]
        yield f"{level}, 95 % over {summary.repositories} repositories: {'; '.join(parts)}"
    yield ""


def _lost(found: Sequence[Loss]) -> Iterator[str]:
    if found:
        counts = [sum(loss.stage == stage for loss in found) for stage in STAGES]
        yield _row("targets", *STAGES)
        yield _row(*("---" for _ in range(len(STAGES) + 1)))
        yield _row(str(len(found)), *(f"{count} ({count / len(found):.3f})" for count in counts))
        yield ""


def _ablations(variants: Mapping[str, Sequence[Outcome]]) -> Iterator[str]:
    ablated = {name: outcomes for name, outcomes in variants.items() if name.startswith(ABLATED)}
    if not ablated or WHOLE not in variants:
        return
    for level in levels_of(variants[WHOLE]):
        yield _row(f"{level}: change", *COMPARED)
        yield _row("---", *("---" for _ in COMPARED))
        for name, outcomes in ablated.items():
            changes = _changes(variants[WHOLE], outcomes, level)
            if any(changes):
                yield _row(name, *(f"{change:+.4f}" for change in changes))
        yield ""


def _changes(whole: Sequence[Outcome], other: Sequence[Outcome], level: str) -> list[float]:
    before, after = summarise(whole, level), summarise(other, level)
    assert before is not None
    assert after is not None
    return [after.mean(metric) - before.mean(metric) for metric in COMPARED]


def _times(timings: Sequence[Timing]) -> Iterator[str]:
    asked = [timing.query_milliseconds for timing in timings if timing.query_milliseconds]
    if asked:
        total = sum(timing.index_seconds for timing in timings)
        yield f"indexed {len(timings)} trees in {total:.1f} s; median of the trees' median questions {statistics.median(asked):.1f} ms"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _task_object(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    variants = _by_variant(outcomes)
    whole = variants.get(WHOLE, outcomes)
    return {
        "variants": {name: _levels_object(each) for name, each in variants.items()},
        "categories": _groups_object(whole, _category),
        "languages": _groups_object(whole, _language),
        "repositories": _groups_object(whole, lambda each: each.asked.repository),
        "recall_by_tokens": _curve(whole),
        "recall_by_language": {
            name: _recall_by_language(each) for name, each in variants.items() if not name.startswith(ABLATED)
        },
        "losses": {stage: sum(loss.stage == stage for each in whole for loss in each.losses) for stage in STAGES},
        "misses": [
            {
                "id": each.asked.id,
                "stage": loss.stage,
                "rank": loss.rank,
                "recalled": dict(sorted(loss.recalled.items())),
            }
            for each in whole
            for loss in each.losses
            if loss.stage != STAGES[0]
        ],
    }


def _curve(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The mean recall of the finest level within each budget of `CURVE`."""
    asked = [(each, _finest(each.asked)) for each in outcomes if each.places]
    found = {}
    for budget in CURVE if asked else ():
        shares = [
            sum(hits) / len(hits)
            for each, targets in asked
            if (hits := within(each.asked.rule, counted(each.asked, each.places), targets, budget))
        ]
        found[str(budget)] = round(sum(shares) / len(shares), 4)
    return found


def _recall_by_language(outcomes: Sequence[Outcome]) -> dict[str, float]:
    summaries = {
        language: summarise(group, levels_of(group)[0]) for language, group in grouped(outcomes, _language).items()
    }
    return {language: round(each.mean("recall@3"), 4) for language, each in summaries.items() if each is not None}


def _finest(asked: Asked) -> tuple[Target, ...]:
    return asked.targets.get("function") or asked.targets.get("file", ())


def _groups_object(outcomes: Sequence[Outcome], key: Callable[[Outcome], str]) -> dict[str, Any]:
    return {name: _levels_object(group) for name, group in grouped(outcomes, key).items()}


def _levels_object(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    summaries = {level: summarise(outcomes, level) for level in levels_of(outcomes)}
    return {level: _summary_object(summary) for level, summary in summaries.items() if summary is not None}


def _summary_object(summary: Summary) -> dict[str, Any]:
    averages = {
        name: [round(value, 4) for value in (each.mean, each.low, each.high)] for name, each in summary.averages.items()
    }
    return {"questions": summary.questions, "repositories": summary.repositories, **averages}


def _timing_object(timing: Timing) -> dict[str, Any]:
    return {
        "task": timing.task,
        "place": timing.place,
        "index_seconds": round(timing.index_seconds, 2),
        "query_milliseconds": round(timing.query_milliseconds, 2),
        "chunks": timing.chunks,
    }
