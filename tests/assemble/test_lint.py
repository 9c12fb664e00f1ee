"""What is wrong with layers that can be used all the same."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from coderag.assemble.configuration import Configuration, Layer, Source, Strategy, default_configuration
from coderag.assemble.lint import lint_configuration, lint_texts, lint_tools


def rules(*layers: Layer, window: int = 50_000) -> list[str]:
    return [finding.rule for finding in lint_configuration(Configuration(layers, window, path="c.json"))]


SYSTEM = Layer("system", Source.STATIC, 100, cacheable=True, line=2)
CODE = Layer("code", Source.INDEX, 100, line=3)


def test_the_default_configuration_has_nothing_wrong() -> None:
    assert lint_configuration(default_configuration()) == ()


def test_dynamic_before_stable_is_found_with_its_line() -> None:
    (finding,) = lint_configuration(Configuration((CODE, SYSTEM), 50_000, path="c.json"))
    assert (finding.rule, finding.place) == ("dynamic before stable", "c.json:3")
    assert "'code'" in finding.message and "'system'" in finding.message


def test_a_file_that_is_not_cacheable_before_a_stable_layer_is_found() -> None:
    assert rules(Layer("notes", Source.FILE, 10, "n.md"), SYSTEM) == ["dynamic before stable"]
    assert rules(SYSTEM, Layer("notes", Source.FILE, 10, "n.md")) == []


@pytest.mark.parametrize("source", [Source.INDEX, Source.SESSION, Source.EDITOR])
def test_what_changes_with_every_request_is_not_cacheable(source: Source) -> None:
    assert "cacheable but dynamic" in rules(Layer("x", source, 10, cacheable=True, strategy=Strategy.DROP_OLD))


def test_limits_are_compared_with_the_window() -> None:
    assert rules(SYSTEM, window=3_050) == ["fixed over window"]
    assert rules(SYSTEM, CODE, window=3_150) == ["limits over window"]


def test_a_history_needs_a_strategy_and_the_focus_comes_last() -> None:
    assert rules(Layer("h", Source.SESSION, 10)) == ["history without strategy"]
    assert rules(Layer("focus", Source.EDITOR, 10), CODE) == ["focus before the rest"]


@pytest.mark.parametrize(
    "line",
    [
        "Generated on 2026-11-30",
        "Last updated: 2026/11/30",
        "built 2026-11-30T20:00:00Z",
        "It is 20:15:07 now",
        "Today is Monday, 30 November 2026",
        "Current time: {{now}}",
        "生成时间：2026年11月30日",
        "更新于 2026-11-30",
        "Mon, 30 Nov 2026",
        "ts=1796068800",
        "date: $(date +%F)",
    ],
)
def test_a_time_in_a_stable_text_is_found_with_its_line(line: str) -> None:
    configuration = replace(default_configuration(), path="c.json")
    (finding,) = lint_texts(configuration, {"project_rules": f"# Rules\n{line}\n"}, {"project_rules": "rules.md"})
    assert (finding.rule, finding.place) == ("timestamp", "rules.md:2")


@pytest.mark.parametrize(
    "line",
    ["Use Python 3.11.", "Limit is 4,000 tokens, port 5432.", "See RFC 3339.", "Since 2024 we use uv.", "Ratio 16:9"],
)
def test_a_number_is_no_time(line: str) -> None:
    assert lint_texts(default_configuration(), {"project_rules": line}, {}) == ()


def test_a_time_in_a_dynamic_layer_is_none_of_our_business() -> None:
    configuration = Configuration((Layer("log", Source.FILE, 10, "log"),))
    assert lint_texts(configuration, {"log": "2026-11-30T20:00:00Z"}, {}) == ()


def test_unsorted_tools_and_keys_are_found() -> None:
    assert [f.rule for f in lint_tools(json.dumps([{"name": "b"}, {"name": "a"}]))] == ["unsorted tools"]
    assert [f.rule for f in lint_tools('[{"name": "a", "description": ""}]')] == ["unsorted keys"]
    assert [f.rule for f in lint_tools('{"tools": [{"function": {"name": "b"}}, {"function": {"name": "a"}}]}')] == [
        "unsorted tools"
    ]
    assert lint_tools('[{"description": "", "name": "a"}, {"name": "b"}]') == ()
    assert lint_tools("nothing")[0].rule == lint_tools("3")[0].rule == "tools"
