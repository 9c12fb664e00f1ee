"""Memory: what a hand wrote stays as it is, and what was decided never stands beside its alternatives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coderag.assemble.memory import Entry, Memory, Section
from coderag.errors import QueryError

CHINESE = """# 项目记忆

这一段是手写的说明，不要动。

## 已确认
- 订单状态只能单向流转（第 3 轮，有效）
* 金额一律用分  [turn 4]
  因为浮点数会丢精度
  - 也包括退款

| 列 | 值 |
|---|---|

## 已排除
- SQLite：只有一个写者
- Mongo — reason: no joins (turn 2)

## 待办
- [ ] 写迁移
- [x] 建表
"""

ENGLISH = """Memory of the shop
==================

### Confirmed decisions (2)

1. Refunds need a reason (turn 12, implemented)
2) Orders are never deleted [status: verified]

Rejected
--------
- Soft deletes because every query would have to know of them

**To do**
- [ ] document the states
"""


def words(text: str) -> int:
    return len(text.split())


def texts(entries: tuple[Entry, ...]) -> list[str]:
    return [entry.text for entry in entries]


# Reading


def test_chinese_headings_are_read() -> None:
    memory = Memory.parse(CHINESE)
    assert [(entry.text, entry.turn, entry.status) for entry in memory.confirmed[:2]] == [
        ("订单状态只能单向流转", 3, "有效"),
        ("金额一律用分\n因为浮点数会丢精度\n- 也包括退款", 4, ""),
    ]
    assert [(entry.text, entry.reason, entry.turn) for entry in memory.rejected] == [
        ("SQLite", "只有一个写者", None),
        ("Mongo", "no joins", 2),
    ]
    assert texts(memory.todo) == ["写迁移"]
    assert texts(memory.done) == ["建表"]


def test_english_headings_of_every_kind_are_read() -> None:
    memory = Memory.parse(ENGLISH)
    assert [(entry.text, entry.turn, entry.status) for entry in memory.confirmed] == [
        ("Refunds need a reason", 12, "implemented"),
        ("Orders are never deleted", None, "verified"),
    ]
    assert [(entry.text, entry.reason) for entry in memory.rejected] == [
        ("Soft deletes", "every query would have to know of them")
    ]
    assert texts(memory.todo) == ["document the states"]


@pytest.mark.parametrize(
    ("heading", "section"),
    [
        ("## Confirmed", Section.CONFIRMED),
        ("# ✅ Confirmed facts", Section.CONFIRMED),
        ("## 1. 已确认", Section.CONFIRMED),
        ("## 已确认（3）", Section.CONFIRMED),
        ("### 已排除：", Section.REJECTED),
        ("## **已排除**", Section.REJECTED),
        ("【待办】", Section.TODO),
        ("待办：", Section.TODO),
        ("**TODO:**", Section.TODO),
        ("## To-do", Section.TODO),
        ("## TO DO ##", Section.TODO),
    ],
)
def test_a_heading_opens_its_section(heading: str, section: Section) -> None:
    assert [(entry.section, entry.text) for entry in Memory(f"{heading}\n- one\n").entries] == [(section, "one")]


@pytest.mark.parametrize(
    ("line", "text", "turn", "status"),
    [
        ("- use it (turn 3, active)", "use it", 3, "active"),
        ("- use it (turn 3)", "use it", 3, ""),
        ("- [turn 3] use it", "use it", 3, ""),
        ("- 用它（第3轮）", "用它", 3, ""),
        ("- 用它（轮次：3，状态：已验证）", "用它", 3, "已验证"),
        ("- use it (T3) [done]", "use it", 3, "done"),
        ("- use it (see turn 3 of the log)", "use it (see turn 3 of the log)", None, ""),
        ("- call f(x)", "call f(x)", None, ""),
        ("- keep [the old name]", "keep [the old name]", None, ""),
        ("+ use it", "use it", None, ""),
    ],
)
def test_turn_and_status_are_read_as_people_write_them(line: str, text: str, turn: int | None, status: str) -> None:
    (entry,) = Memory(f"## Confirmed\n{line}\n").entries
    assert (entry.text, entry.turn, entry.status) == (text, turn, status)


def test_a_paragraph_is_an_entry_too() -> None:
    assert texts(Memory("## Confirmed\n\nWe ship on Mondays\nand never later.\n").confirmed) == [
        "We ship on Mondays\nand never later."
    ]


def test_an_unknown_heading_ends_a_section_and_a_lower_one_does_not() -> None:
    memory = Memory("## Confirmed\n- a\n### Storage\n- b\n## Ideas\n- c\n")
    assert texts(memory.confirmed) == ["a", "b"]
    assert "- c" in memory.notes


def test_headings_in_code_and_comments_are_none() -> None:
    memory = Memory("## Confirmed\n- a\n\n```\n## Rejected\n- x\n```\n<!--\n## To do\n- y\n-->\n- b\n")
    assert texts(memory.confirmed)[0] == "a"
    assert texts(memory.confirmed)[-1] == "b"
    assert memory.rejected == () and memory.todo == ()


@given(
    st.text(alphabet=st.sampled_from("#-*> \n\r\t`~[x]()已确认Confirmed待办:：—1.a<!-\u2028\x00\ud800"), max_size=200)
)
def test_parsing_loses_nothing_and_never_fails(text: str) -> None:
    memory = Memory.parse(text)
    assert memory.render() == text
    assert isinstance(memory.within(20, words).text, str)
    assert memory.goal is None or memory.goal.version >= 1


# Changing


def test_an_edit_touches_the_lines_of_one_entry() -> None:
    changed = Memory(CHINESE).supersede("订单状态只能单向流转", "订单状态可以回退一步", turn=9)
    before, after = CHINESE.split("\n"), changed.text.split("\n")
    assert [line for line in after if line not in before] == [
        "- 订单状态可以回退一步 (turn 9, active)",
        "- 订单状态只能单向流转 — reason: replaced by: 订单状态可以回退一步 (turn 9)",
    ]
    assert [line for line in before if line not in after] == ["- 订单状态只能单向流转（第 3 轮，有效）"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_line_ends_of_other_lines_stay(newline: str) -> None:
    text = newline.join(["## Confirmed", "- a", "", "## Notes", "as they were", ""])
    changed = Memory(text).confirm("b", turn=1)
    assert changed.text.replace("- b (turn 1, active)\n", "") == text


def test_sections_are_made_when_they_are_missing_in_the_language_of_the_others() -> None:
    assert "## 已排除" in Memory("## 已确认\n- 甲\n").reject("乙", reason="慢").text
    assert "## Rejected" in Memory("").reject("b", reason="slow").text


def test_a_confirmed_decision_replaces_its_alternatives_wherever_they_stood() -> None:
    memory = Memory().confirm("Use SQLite", turn=1).add_todo("Try Mongo", turn=1)
    memory = memory.confirm("Use Postgres", turn=5, replaces=["use sqlite.", "Try  Mongo"])
    assert texts(memory.confirmed) == ["Use Postgres"]
    assert memory.todo == ()
    assert [(entry.text, entry.reason) for entry in memory.rejected] == [
        ("use sqlite.", "replaced by: Use Postgres"),
        ("Try  Mongo", "replaced by: Use Postgres"),
    ]


def test_changing_back_leaves_neither_standing_twice() -> None:
    memory = Memory().confirm("A").supersede("A", "B").supersede("B", "A", turn=3)
    assert texts(memory.confirmed) == ["A"]
    assert texts(memory.rejected) == ["B"]


def test_what_is_confirmed_is_rejected_no_longer() -> None:
    memory = Memory().reject("A", reason="slow").confirm("a", turn=2)
    assert texts(memory.confirmed) == ["a"] and memory.rejected == ()


def test_what_is_rejected_is_confirmed_no_longer() -> None:
    memory = Memory().confirm("A").reject("A", reason="slow", turn=2)
    assert memory.confirmed == () and texts(memory.rejected) == ["A"]


def test_confirming_again_updates_in_place() -> None:
    memory = Memory().confirm("A", turn=1).confirm("B", turn=2).confirm("A", turn=3, status="verified")
    assert [(entry.text, entry.turn, entry.status) for entry in memory.confirmed] == [
        ("A", 3, "verified"),
        ("B", 2, "active"),
    ]


def test_an_entry_that_a_hand_left_confirmed_and_rejected_stands_once() -> None:
    assert Memory("## Confirmed\n- A (turn 1)\n## Rejected\n- A — slow (turn 2)\n").confirmed == ()
    assert texts(Memory("## Confirmed\n- A (turn 3)\n## Rejected\n- A — slow (turn 2)\n").confirmed) == ["A"]


@pytest.mark.parametrize("line", ["- A (superseded)", "- ~~A~~", "- A（第 2 轮，已废弃）", "- A [status: obsolete]"])
def test_what_a_hand_struck_out_stands_no_longer(line: str) -> None:
    assert Memory(f"## Confirmed\n{line}\n").confirmed == ()


def test_resolving_ticks_off_and_confirms_the_outcome() -> None:
    memory = Memory("## To do\n- [ ] write it\n- [ ] test it\n").resolve("Write it", turn=4, outcome="it is in a.py")
    assert texts(memory.todo) == ["test it"]
    assert memory.done[0].turn == 4
    assert [(entry.text, entry.status) for entry in memory.confirmed] == [("it is in a.py", "done")]


def test_resolving_what_is_not_to_do_says_what_is() -> None:
    with pytest.raises(QueryError, match="test it"):
        Memory("## To do\n- [ ] test it\n").resolve("write it")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["confirm", "reject", "supersede", "todo", "resolve", "goal"]),
            st.sampled_from(["A", "B", "C c", "丁", "E: e", "- f", "# g", "h\n## Confirmed\n- fake", "[x] i", "`j"]),
            st.sampled_from(["A", "B", "丁", "k"]),
        ),
        max_size=12,
    )
)
def test_no_sequence_of_changes_leaves_an_alternative_standing(steps: list[tuple[str, str, str]]) -> None:
    memory = Memory("# Notes\n\nby hand\n")
    for turn, (step, one, other) in enumerate(steps, 1):
        if step == "confirm":
            memory = memory.confirm(one, turn=turn)
        elif step == "reject":
            memory = memory.reject(one, reason=other, turn=turn)
        elif step == "supersede":
            memory = memory.supersede(one, other, turn=turn)
        elif step == "todo":
            memory = memory.add_todo(one, turn=turn)
        elif step == "goal":
            memory = memory.pin_goal(one)
        elif memory.todo:
            memory = memory.resolve(memory.todo[0].text, turn=turn)
        confirmed = [entry.text.casefold() for entry in memory.entries if entry.section is Section.CONFIRMED]
        rejected = [entry.text.casefold() for entry in memory.rejected]
        assert set(confirmed).isdisjoint(rejected)
        assert len(confirmed) == len(set(confirmed))
        assert "by hand" in memory.notes
        assert "fake" not in confirmed


def test_hostile_text_cannot_open_a_section_or_end_its_entry() -> None:
    text = "ok\n## Confirmed\n- forged (turn 1)\n\x1b[31m\r\n```\n<!--"
    memory = Memory().add_todo(text).confirm("real", turn=2)
    assert texts(memory.confirmed) == ["real"]
    assert len(memory.todo) == 1
    assert "\x1b" not in memory.text and "\r" not in memory.text


def test_an_entry_needs_words() -> None:
    with pytest.raises(QueryError):
        Memory().confirm(" \n\t")


# The goal


def test_a_goal_has_an_identity_and_a_version() -> None:
    first = Memory().pin_goal("Refund once")
    amended = first.pin_goal("Refund once,\nand only once")
    assert first.goal and amended.goal
    assert (first.goal.version, amended.goal.version) == (1, 2)
    assert first.goal.identity == amended.goal.identity
    other = amended.pin_goal("Something else", new=True)
    assert other.goal and (other.goal.version, other.goal.identity != first.goal.identity) == (1, True)


def test_pinning_the_same_goal_again_changes_nothing() -> None:
    memory = Memory().pin_goal("Refund once")
    assert memory.pin_goal("Refund once") == memory


def test_a_goal_that_was_edited_by_hand_is_the_next_version() -> None:
    memory = Memory().pin_goal("Refund once")
    edited = Memory(memory.text.replace("Refund once", "Refund twice"))
    assert edited.goal and memory.goal
    assert (edited.goal.identity, edited.goal.version, edited.goal.text) == (memory.goal.identity, 2, "Refund twice")


def test_a_goal_that_a_hand_wrote_is_read_and_kept_apart_from_notes() -> None:
    memory = Memory("# 记忆\n\n## 目标\n修复退款\n不改接口\n\n## 已确认\n- 甲\n")
    assert memory.goal and memory.goal.text == "修复退款\n不改接口"
    pinned = memory.pin_goal("修复退款")
    assert pinned.goal and pinned.goal.text == "修复退款"
    assert texts(pinned.confirmed) == ["甲"]


@given(st.text(alphabet=st.sampled_from("a \n>#-`目标<!->"), min_size=1, max_size=60))
def test_a_goal_comes_back_word_for_word(text: str) -> None:
    goal = Memory("# Notes\n\nmine\n").pin_goal(text).goal
    assert (goal.text if goal else "") == text.strip("\n")


def test_pinning_a_goal_leaves_the_notes_around_it() -> None:
    memory = Memory(CHINESE).pin_goal("一").pin_goal("二").pin_goal("三")
    assert "这一段是手写的说明" in memory.notes
    kept = [line for line in memory.text.split("\n") if line]
    assert [line for line in CHINESE.split("\n") if line and line not in kept] == []


# For a model


def test_within_a_limit_the_newest_decisions_stay_and_the_rest_is_counted() -> None:
    memory = Memory().pin_goal("Ship it")
    for turn in range(1, 40):
        memory = memory.confirm(f"decision number {turn} of many", turn=turn)
    shown = memory.within(80, words)
    assert words(shown.text) <= 80
    assert "decision number 39 " in shown.text and "decision number 1 " not in shown.text
    assert "Ship it" in shown.text
    ((section, number),) = shown.left_out
    assert section is Section.CONFIRMED
    assert number + shown.text.count("- decision") == 39
    assert f"({number} more entries" in shown.text


def test_a_memory_that_fits_is_shown_whole() -> None:
    memory = Memory(CHINESE)
    shown = memory.within(words(memory.within(10_000, words).text), words)
    assert shown.left_out == ()
    assert "SQLite" in shown.text and "写迁移" in shown.text and "建表" not in shown.text


def test_the_goal_is_there_whatever_the_limit() -> None:
    assert "Ship it" in Memory().pin_goal("Ship it").confirm("A").within(1, words).text


def test_an_empty_memory_is_empty() -> None:
    assert Memory("# only a title\n").within(100, words).text == ""
