"""Plots of a result of `benchmarks/retrieval.py` as SVG: stages, languages, peers, tokens. Pure, and needs only the standard library."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

WIDTH, HEIGHT = 760, 380
LEFT, RIGHT, TOP, BOTTOM = 60, 200, 40, 60
COLOURS = ("#4c78a8", "#f58518", "#54a24b", "#e45756", "#72b7b2", "#b279a2", "#9d755d", "#bab0ac")
WHOLE = "whole pipeline"


@dataclass(frozen=True, slots=True)
class Line:
    """A name and its points."""

    name: str
    points: tuple[tuple[float, float], ...]


def plots(documents: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """File name and SVG of every plot that the results of one run allow; coderag's result comes first."""
    whole = documents[0]
    yield "stages.svg", stages(whole)
    if "questions" in whole["tasks"]:
        yield "languages.svg", languages(whole["tasks"]["questions"])
        for axis, title in (("query_milliseconds", "milliseconds a question"), ("index_seconds", "seconds to index")):
            yield f"peers_{axis}.svg", peers(documents, axis, title)
    yield "tokens.svg", tokens(whole)


def stages(document: Mapping[str, Any]) -> str:
    """Recall@3 of every task, stage upon stage."""
    names = list(next(iter(document["tasks"].values()))["recall_by_language"])
    order = [name for name in names if name != WHOLE] + [WHOLE]
    lines = [
        Line(
            task,
            tuple(
                (float(number), _finest(found["variants"][name])["recall@3"][0]) for number, name in enumerate(order)
            ),
        )
        for task, found in document["tasks"].items()
    ]
    return chart("recall@3, stage upon stage", lines, dict(enumerate(order)))


def languages(task: Mapping[str, Any]) -> str:
    """Recall@3 of the questions by language, vectors alone and whole."""
    by_variant = task["recall_by_language"]
    names = sorted(by_variant[WHOLE], key=lambda name: (-by_variant[WHOLE][name], name))
    lines = [
        Line(variant, tuple((float(number), by_variant[variant][name]) for number, name in enumerate(names)))
        for variant in ("vectors alone", WHOLE)
        if variant in by_variant
    ]
    return chart("questions: recall@3 by language", lines, dict(enumerate(names)))


def peers(documents: Sequence[Mapping[str, Any]], axis: str, title: str) -> str:
    """NDCG@10 of the questions against a time, one point a subject, times on a log scale."""
    lines = []
    for document in documents:
        times = sorted(each[axis] for each in document["times"] if each["task"] == "questions" and each[axis] > 0)
        if times and (found := _finest(_whole(document["tasks"]["questions"]))):
            lines.append(Line(document["subject"], ((math.log10(times[len(times) // 2]), found["NDCG@10"][0]),)))
    ticks = {float(power): f"{10.0**power:g}" for power in range(-2, 5)}
    return chart(f"questions: NDCG@10 and median {title}", lines, ticks)


def tokens(document: Mapping[str, Any]) -> str:
    """Recall against the budget in tokens."""
    lines = [
        Line(task, tuple((math.log2(int(budget)), recall) for budget, recall in found["recall_by_tokens"].items()))
        for task, found in document["tasks"].items()
    ]
    ticks = {math.log2(budget): f"{budget:,}" for budget in (250, 500, 1_000, 2_000, 4_000, 8_000)}
    return chart("recall within a budget of tokens", lines, ticks)


def chart(title: str, lines: Sequence[Line], ticks: Mapping[int, str] | Mapping[float, str]) -> str:
    """Lines over labelled places; the other axis goes from 0 to 1."""
    places = [x for line in lines for x, _ in line.points] or [0.0]
    low, high = min(places), max(places)
    span = (high - low) or 1.0
    parts = [_text(LEFT, 22, title, 15), *_frame()]
    for place, label in ticks.items():
        if low - 0.35 * span / 5 <= place <= high + 0.35 * span / 5:
            parts.append(_text(_x(place, low, span), HEIGHT - BOTTOM + 16, label, 10, turned=len(ticks) > 8))
    for number, line in enumerate(lines):
        parts += _drawn(line, number, low, span)
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">\n{body}\n</svg>\n'


def _drawn(line: Line, number: int, low: float, span: float) -> Iterator[str]:
    colour = COLOURS[number % len(COLOURS)]
    points = [(_x(x, low, span), _y(y)) for x, y in line.points]
    if len(points) > 1:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>' for x, y in points)
    label = f"{line.name} {line.points[-1][1]:.3f}" if line.points else line.name
    yield _text(WIDTH - RIGHT + 14, TOP + 14 + 18 * number, label, 11, colour)


def _frame() -> Iterator[str]:
    for tenth in range(0, 11, 2):
        y = _y(tenth / 10)
        yield f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd"/>'
        yield _text(LEFT - 30, y + 4, f"{tenth / 10:.1f}", 10)


def _x(place: float, low: float, span: float) -> float:
    return LEFT + 12 + (place - low) / span * (WIDTH - LEFT - RIGHT - 24)


def _y(value: float) -> float:
    return HEIGHT - BOTTOM - value * (HEIGHT - TOP - BOTTOM)


def _text(x: float, y: float, words: str, size: int, colour: str = "#333", turned: bool = False) -> str:
    turn = f' transform="rotate(35 {x:.1f} {y:.1f})"' if turned else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}"{turn}>{escape(words)}</text>'


def _whole(task: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = task["variants"].get(WHOLE) or next(iter(task["variants"].values()))
    return found


def _finest(levels: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = levels.get("function") or levels.get("file") or {}
    return found
