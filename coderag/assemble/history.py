"""The conversation so far: messages in turns, read from JSON and written back as they were.

A turn is a message of the user with everything up to the next one. A message that is marked `constraint` (or `pinned`) holds word for
word for the rest of the conversation. Messages may be written as any of the usual chat interfaces write them, with a text or a list of
parts as content; fields that are unknown are kept. Pure; the log itself is never changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from coderag.types import Problem

USER = "user"
ASSISTANT = "assistant"
TOOL = "tool"
_KNOWN = ("role", "content", "turn", "constraint", "summary")


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `turn` counts from 1; `summary` marks one that stands for older messages; `extra` holds what else was written."""

    role: str
    content: str
    turn: int = 0
    constraint: bool = False
    summary: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)
    parts: tuple[Any, ...] = ()  # the content as it was written, where it was a list

    def to_dict(self) -> dict[str, Any]:
        """The message as a JSON object."""
        marks = {name: True for name in ("constraint", "summary") if getattr(self, name)}
        content: Any = list(self.parts) if self.parts else self.content
        turn = {"turn": self.turn} if self.turn else {}
        return {"role": self.role, "content": content, **turn, **marks, **self.extra}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of `to_dict`. What is missing or of the wrong form is as in a message without it."""
        content, role, turn = document.get("content"), document.get("role"), document.get("turn")
        parts = tuple(content) if isinstance(content, list) else ()
        return cls(
            role=role if isinstance(role, str) else USER,
            content="\n".join(_texts(content)),
            turn=turn if isinstance(turn, int) and not isinstance(turn, bool) and turn > 0 else 0,
            constraint=document.get("constraint") is True or document.get("pinned") is True,
            summary=document.get("summary") is True,
            extra={name: value for name, value in document.items() if name not in _KNOWN},
            parts=parts,
        )


@dataclass(frozen=True, slots=True)
class History:
    """Messages in order, every one with its turn. `problems` are the lines that were no messages."""

    messages: tuple[Message, ...] = ()
    problems: tuple[Problem, ...] = ()

    @classmethod
    def of(cls, messages: Iterable[Message | Mapping[str, Any]]) -> Self:
        """A history of messages; those without a turn get theirs by counting the user's messages."""
        return cls(
            tuple(_numbered(each if isinstance(each, Message) else Message.from_dict(each) for each in messages))
        )

    @classmethod
    def parse(cls, text: str) -> Self:
        """A history from JSON lines or one JSON array; a line that is no message is a problem and costs itself alone."""
        found: list[Mapping[str, Any]] = []
        problems: list[Problem] = []
        for line, document in _documents(text):
            if isinstance(document, Mapping):
                found.append(document)
            else:
                problems.append(Problem(line, "this is no message: a JSON object with role and content is needed"))
        return cls(cls.of(found).messages, tuple(problems))

    def to_json_lines(self) -> str:
        """The inverse of `parse`: one message a line."""
        return "".join(json.dumps(each.to_dict(), ensure_ascii=False) + "\n" for each in self.messages)

    @property
    def turns(self) -> tuple[tuple[Message, ...], ...]:
        """The messages by turn, in order."""
        found: dict[int, list[Message]] = {}
        for message in self.messages:
            found.setdefault(message.turn, []).append(message)
        return tuple(map(tuple, found.values()))

    @property
    def constraints(self) -> tuple[Message, ...]:
        """The messages that hold word for word."""
        return tuple(message for message in self.messages if message.constraint)

    def split(self, keep_turns: int) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
        """What is older than the last `keep_turns` turns, and those turns."""
        recent = [message for turn in self.turns[max(len(self.turns) - keep_turns, 0) :] for message in turn]
        kept = {id(message) for message in recent} if keep_turns > 0 else set()
        older = tuple(message for message in self.messages if id(message) not in kept)
        return older, tuple(message for message in self.messages if id(message) in kept)


def _documents(text: str) -> Iterator[tuple[int, Any]]:
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith("["):
        whole = _parsed(text)
        if isinstance(whole, list):
            yield from ((1, each) for each in whole)
            return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, _parsed(line)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _numbered(messages: Iterable[Message]) -> Iterator[Message]:
    from dataclasses import replace

    turn = 0
    for message in messages:
        if message.turn:
            turn = message.turn
        elif message.role == USER and not message.summary:
            turn += 1
        yield message if message.turn == max(turn, 1) else replace(message, turn=max(turn, 1))


def _texts(content: Any, depth: int = 0) -> Iterator[str]:
    """The texts of a content: of a part of a list, what is said and what a tool answered."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, list) and depth < 4:
        for part in content:
            if isinstance(part, Mapping):
                yield from _texts(part.get("text", part.get("content")), depth + 1)
            else:
                yield from _texts(part, depth + 1)


@dataclass(frozen=True, slots=True)
class Action:
    """A command that was run or a file that was touched, as the fields of a message state it."""

    command: str = ""
    path: str = ""
    outcome: str = ""


def actions(message: Message) -> tuple[Action, ...]:
    """What a message did by its fields: its own `command`, `outcome` and `files`, and the arguments of its calls of tools."""
    found = list(_actions(dict(message.extra), 0))
    found += [action for part in message.parts for action in _actions(part, 0)]
    return tuple(dict.fromkeys(found))


def _actions(value: Any, depth: int) -> Iterator[Action]:
    if depth > 6:
        return
    if (
        isinstance(value, str) and depth and value.lstrip().startswith("{")
    ):  # the arguments of a call, as some write them
        value = _parsed(value)
    if isinstance(value, Mapping):
        outcome = next((str(value[name]) for name in ("outcome", "exit_code", "status") if name in value), "")
        command = value.get("command")
        if isinstance(command, list) and all(isinstance(part, str) for part in command):
            command = " ".join(command)
        if isinstance(command, str) and command.strip():
            yield Action(command=command.strip(), outcome=outcome)
        for name in ("path", "file_path", "filename", "file", "files"):
            listed = value.get(name)
            for path in listed if isinstance(listed, list) else [listed]:
                if isinstance(path, str) and path.strip():
                    yield Action(path=path.strip())
        for each in value.values():
            if isinstance(each, Mapping | list) or (isinstance(each, str) and each.lstrip().startswith("{")):
                yield from _actions(each, depth + 1)
    elif isinstance(value, list):
        for each in value:
            if isinstance(each, Mapping | list):
                yield from _actions(each, depth + 1)
