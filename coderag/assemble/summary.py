"""A summary of older messages: its sections, and one that is made of the messages' own words where no model writes it.

`extracted` keeps requests, corrections, decisions, files touched, commands with their outcome, errors and the next action, each as
somebody said it and with its turn; a decision that only the assistant stated is marked as inferred. A summary that was made before is
taken apart and merged, so that summaries never nest. English and Chinese. Pure and deterministic.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from coderag.assemble.history import ASSISTANT, TOOL, USER, Message, actions
from coderag.assemble.markdown import Block, blocks, title_key

Count = Callable[[str], int]
WORDS = 600
"""A summary has fewer words than this; the goal, which is not the model's to shorten, does not count."""
INFERRED = "(inferred)"
_LOOKED_AT = 20_000  # characters from the beginning and from the end of a message


class Part(StrEnum):
    """The sections of a summary, in order."""

    GOAL = "Goal"
    FILES = "Files Touched"
    COMMANDS = "Commands Run"
    ERRORS = "Errors / Issues"
    STATE = "Current State"


_PART_NAMES: Mapping[Part, tuple[str, ...]] = {
    Part.GOAL: ("goal", "目标", "目標"),
    Part.FILES: ("files touched", "files", "涉及的文件", "涉及文件", "文件"),
    Part.COMMANDS: ("commands run", "commands", "运行的命令", "执行的命令", "命令"),
    Part.ERRORS: ("errors issues", "errors", "issues", "errors and issues", "错误与问题", "错误", "问题"),
    Part.STATE: ("current state", "state", "当前状态", "目前状态"),
}
PARTS_BY_TITLE = {name: part for part, names in _PART_NAMES.items() for name in names}

_CORRECTION = re.compile(
    r"\A(?:no\b|nope|wait\b|stop\b|actually\b|sorry,)|\b(?:instead|rather than|not what i|i meant|that'?s wrong|wrong\b|don'?t|do not"
    r"|must not|never|undo|revert)\b|不要|不是|不对|错了|别再|别用|改成|改为|应该是|而不是|撤销|必须|不能|禁止",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\b(?:we(?:'ll| will| have|'ve)? (?:use|go with|keep|decided|settled)|decided|decision|let'?s (?:use|go with|keep)|agreed|chosen?"
    r"|settled on)\b|决定|采用|选用|选择了|确定用|定为|就用",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"\b\w*(?:Error|Exception)\b(?!s? (?:class|type|handl))|\bTraceback\b|\bFAILED\b|\bpanic(?:ked)?\b|\b(?:error|fatal)(?:\[\w+\])?:"
    r"|\bexit (?:code|status) [1-9]|错误|失败|异常|报错"
)
_FIXED = re.compile(
    r"\b(?:fixed|resolved|solved|passes now|pass now|works now)\b|已修复|已解决|修好|通过了", re.IGNORECASE
)
_NEXT = re.compile(
    r"\b(?:next(?: step| action)?\b|then i(?:'ll| will)|i(?:'ll| will) now|remaining|to do)|下一步|接下来|剩下",
    re.IGNORECASE,
)
_PATH = re.compile(
    r"(?<![\w/.:@-])(?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z][A-Za-z0-9]{0,9}\b(?![/(@])|(?<![\w/.:@-])(?:[\w.-]+/)+[\w.-]+"
)
_FILE_ENDING = re.compile(r"\.(?:[a-z]{1,4}\d?|java|scala|swift|toml|yaml|json|lock|svelte|ipynb|proto)\Z")
_COMMAND_LINE = re.compile(r"^[ \t]*(?:\$|❯)[ \t]+(\S.*)$", re.MULTILINE)
_SENTENCE = re.compile(r"[^\n。！？!?]+?(?:[。！？!?]+|[.](?=\s|\Z)|(?=\n)|\Z)", re.DOTALL)
_TURN_OF_POINT = re.compile(r" \(turn \d+[^()]*\)\Z|\A([A-Za-z ]{4,24}), turn \d+(?=: )")
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def words(text: str) -> int:
    """How many words: stretches between spaces, and each character of Chinese, Japanese or Korean."""
    return len(_CJK.findall(text)) + len(_CJK.sub(" ", text).split())


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, without the blank ones."""
    return [found for part in _SENTENCE.findall(text) if (found := part.strip())]


@dataclass(frozen=True, slots=True)
class Point:
    """One line of a summary. The smaller `weight` is, the longer it stays when there is no room; `order` is where it stands."""

    part: Part
    text: str
    weight: int
    order: int


def sections(summary: str) -> dict[Part, list[Block]]:
    """The blocks of each section that a summary has, headings left out."""
    found: dict[Part, list[Block]] = {}
    for block in blocks(summary, PARTS_BY_TITLE):
        if block.section is not None:
            held = found.setdefault(Part(block.section), [])
            if block.is_heading:
                if title_key(block.title) not in PARTS_BY_TITLE:
                    held.append(block)
            else:
                held.append(block)
    return found


def extracted(
    messages: tuple[Message, ...],
    *,
    goal: str = "",
    followed: bool = False,
    max_tokens: int | None = None,
    count: Count = words,
) -> str:
    """A summary made of what was said, with as many points as fit: the goal whole, then the newest of the most needed.

    `followed` says that newer messages of the user stand behind it, so that no request in it is the latest. It has fewer than `WORDS` words
    beside the goal and, unless the goal alone is longer, at most `max_tokens` tokens by `count`.
    """
    points = sorted(_distinct(_points(messages, goal, followed)), key=lambda point: (point.weight, -point.order))
    left = WORDS - 1 - words(_text([], ""))
    room = None if max_tokens is None else max_tokens - count(_text([], goal))
    taken: list[Point] = []
    for point in points:
        cost, tokens = words(f"- {point.text}"), count(f"- {point.text}\n")
        if cost <= left and (room is None or tokens <= room):
            taken.append(point)
            left -= cost
            room = None if room is None else room - tokens
    while taken and max_tokens is not None and count(_text(taken, goal)) > max_tokens:
        taken.pop()
    return _text(taken, goal)


def _text(points: list[Point], goal: str) -> str:
    lines = [f"## {Part.GOAL}", goal or "(unknown)"]
    for part in list(Part)[1:]:
        held = sorted((point for point in points if point.part is part), key=lambda point: point.order)
        lines += ["", f"## {part}", *([f"- {point.text}" for point in held] or ["- none recorded"])]
    return "\n".join(lines) + "\n"


def _distinct(points: Iterator[Point]) -> list[Point]:
    """The points, of those that say the same, whatever the turn, the last."""
    return list({(point.part, _TURN_OF_POINT.sub(r"\1", point.text)): point for point in points}.values())


@dataclass(frozen=True, slots=True)
class _Log:
    """The messages with what has to be known of all of them: the last request and the last next action, -1 where there is none, and for
    each message the turn, behind it, in which somebody said that something is fixed."""

    messages: tuple[Message, ...]
    request: int
    next_action: int
    fixed: tuple[int | None, ...]


_Found = Iterator[tuple[Part, str, int]]


def _log(messages: tuple[Message, ...], followed: bool) -> _Log:
    read = tuple(replace(each, content=_beginning_and_end(each.content)) for each in messages)
    requests = [n for n, each in enumerate(read) if each.role == USER and not each.summary]
    nexts = [n for n, each in enumerate(read) if each.role == ASSISTANT and _NEXT.search(each.content)]
    fixed: list[int | None] = [None]
    for message in reversed(read[1:]):
        fixed.append(message.turn if _FIXED.search(message.content) else fixed[-1])
    return _Log(
        read, len(read) if followed else max(requests, default=-1), max(nexts, default=-1), tuple(reversed(fixed))
    )


def _beginning_and_end(text: str) -> str:
    """As much of a message as is looked at: what tools print has no end."""
    return text if len(text) <= 2 * _LOOKED_AT else f"{text[:_LOOKED_AT]}\n{text[-_LOOKED_AT:]}"


def _points(messages: tuple[Message, ...], goal: str, followed: bool) -> Iterator[Point]:
    order = 0
    log = _log(messages, followed)
    for number, message in enumerate(log.messages):
        found = _of_summary(message, goal, log) if message.summary else _points_of(log, number)
        for part, text, weight in found:
            order += 1
            yield Point(part, text, weight, order)


def _points_of(log: _Log, number: int) -> _Found:
    message = log.messages[number]
    if message.role == USER:
        yield from _of_user(message, number == log.request)
    elif message.role == ASSISTANT:
        said = sentences(message.content)
        for sentence in said:
            if _DECISION.search(sentence):
                yield Part.STATE, f"Decision, turn {message.turn}: {_line(sentence)} {INFERRED}", 2
        if number == log.next_action and (ahead := [each for each in said if _NEXT.search(each)]):
            yield Part.STATE, f"Next action, turn {message.turn}: {_line(ahead[-1])}", 0
    yield from _of_actions(log, number)
    if message.role != USER:
        yield from _of_errors(log, number)


_WEIGHTS = {Part.FILES: 3, Part.COMMANDS: 4, Part.ERRORS: 2, Part.STATE: 2}


def _of_summary(message: Message, goal: str, log: _Log) -> _Found:
    """The points of an earlier summary. What was latest or next in it is so no longer when somebody spoke after it."""
    content = message.content.replace(goal, "", 1) if goal else message.content
    for part, held in sections(content).items():
        for text in (block.body for block in held if part is not Part.GOAL):
            if not text or text == "none recorded" or (log.next_action >= 0 and text.startswith("Next action")):
                continue
            if log.request >= 0:
                text = re.sub(r"\ALatest request", "Request", text)
            newest = part is Part.STATE and text.startswith(("Latest request", "Next action"))
            corrects = part is Part.STATE and text.startswith(("Correction", "Decision by"))
            yield part, _line(text, 1_000), 0 if newest else 1 if corrects else _WEIGHTS[part]


def _of_user(message: Message, is_last: bool) -> _Found:
    said = sentences(message.content)
    corrections = [each for each in said if _CORRECTION.search(each)]
    for sentence in corrections:
        yield Part.STATE, f"Correction by the user, turn {message.turn}: {_line(sentence, 600)}", 1
    for sentence in said:
        if _DECISION.search(sentence) and sentence not in corrections:
            yield Part.STATE, f"Decision by the user, turn {message.turn}: {_line(sentence, 400)}", 1
    label = "Latest request" if is_last else "Request"
    if is_last or len(corrections) < len(said):
        yield (
            Part.STATE,
            f"{label}, turn {message.turn}: {_line(message.content, 1_000 if is_last else 240)}",
            0 if is_last else 3,
        )


def _of_actions(log: _Log, number: int) -> _Found:
    message = log.messages[number]
    stated = actions(message)
    commands = [(action.command, action.outcome) for action in stated if action.command]
    commands += [(command, "") for command in _COMMAND_LINE.findall(message.content)]
    ended = _outcome_after(log.messages, number) if commands else ""
    for command, outcome in commands:
        yield Part.COMMANDS, f"`{_line(command, 120)}`: {_line(outcome or ended, 120)} (turn {message.turn})", 3
    for path in dict.fromkeys(action.path for action in stated if action.path):
        yield Part.FILES, f"{_line(path, 200)} (turn {message.turn})", 2
    for sentence in sentences(message.content) if message.role == ASSISTANT else []:
        for path in _PATH.findall(sentence):
            if _FILE_ENDING.search(path):
                yield Part.FILES, f"{_line(path, 200)}: {_line(sentence, 140)} (turn {message.turn})", 4


def _outcome_after(messages: tuple[Message, ...], number: int) -> str:
    answers = [messages[number]] if messages[number].role == TOOL else []
    for message in messages[number + 1 : number + 3]:
        if message.role != TOOL:
            break
        answers.append(message)
    if not answers:
        return "outcome not recorded"
    wrong = next((line for each in answers for line in each.content.split("\n") if _ERROR.search(line)), None)
    return f"error: {_line(wrong, 120)}" if wrong is not None else "success"


def _of_errors(log: _Log, number: int) -> _Found:
    message, later = log.messages[number], log.fixed[number]
    end = "still open" if later is None else f"reported fixed in turn {later}"
    lines = [line for line in message.content.split("\n") if _ERROR.search(line) and not _FIXED.search(line)]
    for line in list(dict.fromkeys(lines))[-3:]:
        yield Part.ERRORS, f"{_line(line)} (turn {message.turn}; {end})", 2


def _line(text: str, characters: int = 200) -> str:
    """A text as one line that no heading, fence or list can begin in, cut where it is too long."""
    flat = " ".join(text.replace("`", "'").split()) if "\n" in text or "```" in text else " ".join(text.split())
    flat = flat.lstrip("#>-*+ ") or flat
    return flat if len(flat) <= characters else flat[: characters - 1].rstrip() + "…"
