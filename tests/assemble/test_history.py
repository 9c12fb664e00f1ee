"""The conversation: read as the usual interfaces write it, counted in turns, written back as it was."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from coderag.assemble.history import Action, History, Message, actions


def test_turns_are_counted_by_the_users_messages() -> None:
    roles = ["system", "user", "assistant", "tool", "user", "assistant"]
    history = History.of({"role": role, "content": role} for role in roles)
    assert [message.turn for message in history.messages] == [1, 1, 1, 1, 2, 2]
    assert [len(turn) for turn in history.turns] == [4, 2]


def test_the_last_turns_are_split_off_whole() -> None:
    history = History.of([{"role": "user", "content": str(n)} for n in range(5)])
    older, recent = history.split(2)
    assert [message.content for message in older] == ["0", "1", "2"]
    assert [message.content for message in recent] == ["3", "4"]
    assert history.split(0)[1] == ()
    assert history.split(99)[0] == ()


def test_unknown_fields_and_lists_of_parts_come_back_as_they_were() -> None:
    lines = [
        {
            "role": "user",
            "content": [{"type": "text", "text": "see"}, {"type": "image", "url": "x"}],
            "turn": 3,
            "id": "m1",
        },
        {
            "role": "assistant",
            "content": "ok",
            "turn": 3,
            "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}],
        },
        {"role": "user", "content": "keep", "turn": 4, "constraint": True, "lang": "中文"},
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    history = History.parse(text)
    assert history.problems == ()
    assert history.messages[0].content == "see"
    assert [json.loads(line) for line in history.to_json_lines().splitlines()] == lines


def test_an_array_is_read_too() -> None:
    assert (
        len(History.parse('\ufeff[{"role": "user", "content": "a"}, {"role": "tool", "content": "b"}]').messages) == 2
    )


def test_a_line_that_is_no_message_costs_itself_alone() -> None:
    history = History.parse('{"role": "user", "content": "a"}\nnot json\n\n[1]\n{"role": "user", "content": "b"}\n')
    assert [message.content for message in history.messages] == ["a", "b"]
    assert [problem.line for problem in history.problems] == [2, 4]


def test_pinned_is_another_word_for_a_constraint() -> None:
    assert History.of([{"role": "user", "content": "a", "pinned": True}]).constraints


def test_commands_and_files_are_found_in_the_calls_of_tools() -> None:
    openai = Message.from_dict(
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"function": {"name": "bash", "arguments": json.dumps({"command": "pytest -q"})}}],
        }
    )
    parts = Message.from_dict(
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "name": "edit", "input": {"file_path": "a/b.py", "text": "x"}}],
        }
    )
    own = Message.from_dict({"role": "tool", "content": "", "command": ["ls", "-l"], "exit_code": 2, "files": ["c.py"]})
    assert actions(openai) == (Action(command="pytest -q"),)
    assert actions(parts) == (Action(path="a/b.py"),)
    assert actions(own) == (Action(command="ls -l", outcome="2"), Action(path="c.py"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "turn", "text", "files", "command", "constraint"]), inner, max_size=4
        )
    ),
    max_leaves=10,
)


@given(st.lists(JSON, max_size=4))
def test_no_log_breaks_the_reader(values: list[Any]) -> None:
    history = History.parse("\n".join(json.dumps(value) for value in values))
    assert len(history.messages) + len(history.problems) >= len([each for each in values if isinstance(each, dict)])
    for message in history.messages:
        assert message.turn >= 1
        actions(message)
    again = History.parse(history.to_json_lines())
    assert again.messages == history.messages
