"""Structured memory: what was confirmed, what was rejected and why, what is to do, and the pinned goal.

It is a Markdown file that people edit. A `Memory` holds the text itself, so whatever a hand wrote comes back byte for byte; each edit
touches the lines of one entry. Headings are English or Chinese. A decision that is confirmed never stands beside its alternatives.
The goal changes by `pin_goal` alone: no summary, whatever it claims, is read here. Pure: knows neither the disk nor a model.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from coderag.assemble.markdown import Block, blocks, lines_of
from coderag.errors import QueryError

Count = Callable[[str], int]


class Section(StrEnum):
    """The parts of a memory, in the order in which they are written."""

    GOAL = "goal"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    TODO = "to do"


_ENGLISH = {
    Section.GOAL: "Goal",
    Section.CONFIRMED: "Confirmed",
    Section.REJECTED: "Rejected",
    Section.TODO: "To do",
}
_CHINESE = {Section.GOAL: "目标", Section.CONFIRMED: "已确认", Section.REJECTED: "已排除", Section.TODO: "待办"}
_NAMES = {
    Section.GOAL: ("goal", "pinned goal", "goals", "目标", "目標", "固定目标", "当前目标"),
    Section.CONFIRMED: (
        *("confirmed", "confirmed facts", "confirmed decisions", "decisions", "decided", "facts"),
        *("已确认", "已確認", "确认", "已确认事实", "已确认的事实", "已确认决定", "已确认的决定", "已决定"),
    ),
    Section.REJECTED: (
        *("rejected", "rejected alternatives", "rejected options", "ruled out", "excluded", "discarded"),
        *("已排除", "已否决", "已否決", "已拒绝", "已拒絕", "排除", "已排除方案", "已排除的方案"),
    ),
    Section.TODO: (
        *("to do", "todo", "todos", "to dos", "open", "open items", "pending"),
        *("待办", "待辦", "待办事项", "待辦事項", "未完成", "待处理"),
    ),
}
SECTION_OF = {name: section for section, names in _NAMES.items() for name in names}

NO_LONGER_STANDING = frozenset(
    {"superseded", "replaced", "obsolete", "withdrawn", "revoked", "已替代", "已取代", "已废弃", "已撤销", "作废"}
)
"""Statuses with which a person strikes out a confirmed entry without moving it."""

_TURN = re.compile(r"(?:turn|t)\s*#?(\d+)|第\s*(\d+)\s*[轮輪次回]|[轮輪]次?\s*[:：]?\s*(\d+)", re.IGNORECASE)
_TAG = re.compile(r"(?<!\s)\s*[\[(（【]([^\[\]()（）【】\n]{1,80})[\])）】]\s*\Z")
_FIRST_LINE_TAG = re.compile(r"(?<![\n \t])[ \t]*[\[(（【]([^\[\]()（）【】\n]{1,80})[\])）】][ \t]*(?=\n)")
_LEADING_TAG = re.compile(r"\A[\[(（【]([^\[\]()（）【】\n]{1,80})[\])）】]\s*")
_BOX = re.compile(r"\A\[([ xX✓✔])\]\s*")
_STATUS_LABEL = re.compile(r"\A(?:status|状态|狀態)\s*[:：]\s*", re.IGNORECASE)
_REASON = re.compile(
    r"\s{0,3}(?:—|–|-{1,2}|;|；|,|，)?\s{0,3}[(（]?\b(?:reason|because(?: of)?|why)\b\s{0,3}[:：]?\s{0,3}"
    r"|\s{0,3}(?:—|–|-{1,2}|;|；|,|，)?\s{0,3}[(（]?(?:原因|理由|因为|因為)\s{0,3}(?:是)?\s{0,3}[:：]?\s{0,3}"
    r"|\s{1,3}(?:—|–|-{1,2})\s{1,3}|\s{0,3}——\s{0,3}|[:：]\s{1,3}|：",
    re.IGNORECASE,
)
_WRITTEN_REASON = " — reason: "
_GOAL_MARK = re.compile(r"<!--\s*goal\s+([0-9a-f]{8})\s+version\s+(\d+)(?:\s+text\s+([0-9a-f]{8}))?\s*-->")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ENDS = " \t\n.。;；!！,，"


@dataclass(frozen=True, slots=True)
class Goal:
    """The pinned goal, word for word. `identity` stays while it is amended; `version` counts the amendments from 1."""

    identity: str
    version: int
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One point of a memory. Lines are 0-based in the file, `last_line` exclusive; what is not stated is None or empty."""

    section: Section
    text: str
    turn: int | None = None
    status: str = ""
    reason: str = ""
    done: bool = False
    first_line: int = 0
    last_line: int = 0

    @property
    def stands(self) -> bool:
        """Whether it holds now: not struck out by its status, not ticked off."""
        return not self.done and self.status.casefold() not in NO_LONGER_STANDING


@dataclass(frozen=True, slots=True)
class MemoryText:
    """A memory as a model reads it, and how many standing entries of each section the limit left out."""

    text: str
    left_out: tuple[tuple[Section, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory file. Every change returns a new `Memory`; `text` is what is to be written to the file."""

    text: str = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """The memory in a file's text, which it keeps as it is."""
        return cls(text)

    def render(self) -> str:
        """The whole file, byte for byte what was parsed where nothing was changed."""
        return self.text

    # Read

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry, in the order of the file."""
        found = []
        for block in blocks(self.text, SECTION_OF):
            if block.section is not None and block.section is not Section.GOAL and not block.is_heading:
                found.append(_read_entry(Section(block.section), block))
        return tuple(entry for entry in found if entry.text)

    @property
    def confirmed(self) -> tuple[Entry, ...]:
        """What stands as confirmed; without what its status, or a later rejection of the same thing, struck out."""
        rejected = {key(entry.text): entry.turn for entry in self.rejected}
        return tuple(
            entry
            for entry in self._standing(Section.CONFIRMED)
            if key(entry.text) not in rejected or (rejected[key(entry.text)] or -1) <= (entry.turn or 0)
        )

    @property
    def rejected(self) -> tuple[Entry, ...]:
        """What was ruled out, also what a confirmed entry's own status says no longer holds."""
        return tuple(entry for entry in self.entries if entry.section is Section.REJECTED)

    @property
    def todo(self) -> tuple[Entry, ...]:
        """What is still to do."""
        return self._standing(Section.TODO)

    @property
    def done(self) -> tuple[Entry, ...]:
        """The points of the list that are ticked off."""
        return tuple(entry for entry in self.entries if entry.section is Section.TODO and entry.done)

    @property
    def goal(self) -> Goal | None:
        """The pinned goal. One that was edited by hand after it was pinned counts as the next version."""
        body = [block for block in blocks(self.text, SECTION_OF) if block.section is Section.GOAL]
        lines = [line for block in body if not block.is_heading for line in block.lines]
        mark = next((found for line in lines if (found := _GOAL_MARK.search(line))), None)
        text = _unquoted([line for line in lines if not _GOAL_MARK.search(line)])
        if not text:
            return None
        if mark is None:
            return Goal(_digest(text), 1, text)
        edited = mark[3] is not None and mark[3] != _digest(text)
        return Goal(mark[1], int(mark[2]) + edited, text)

    @property
    def notes(self) -> str:
        """What people wrote outside of the known sections."""
        loose = [block for block in blocks(self.text, SECTION_OF) if block.section is None]
        return "".join(line for block in loose for line in block.lines).strip("\n")

    def _standing(self, section: Section) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.section is section and entry.stands)

    # Change

    def confirm(
        self, text: str, *, turn: int | None = None, status: str = "active", replaces: str | Iterable[str] = ()
    ) -> Memory:
        """Confirm a decision or a fact. What it `replaces` stands no longer, wherever it stood, and neither does its own rejection."""
        others = (replaces,) if isinstance(replaces, str) else tuple(replaces)
        memory = self._without(text, Section.REJECTED)._without(text, Section.TODO)
        for other in others:
            if key(other) != key(text):
                memory = memory.reject(other, reason=f"replaced by: {text}", turn=turn)
        return memory._put(Entry(Section.CONFIRMED, text, turn, status))

    def add(self, text: str, *, turn: int | None = None, status: str = "active") -> Memory:
        """Another name of `confirm` for what replaces nothing."""
        return self.confirm(text, turn=turn, status=status)

    def supersede(self, old: str, new: str, *, turn: int | None = None, status: str = "active") -> Memory:
        """Put `new` in the place of `old`, which is kept as rejected, with the reason."""
        return self.confirm(new, turn=turn, status=status, replaces=old)

    def reject(self, text: str, *, reason: str, turn: int | None = None) -> Memory:
        """Rule something out. If it was confirmed or to do, it stands there no longer."""
        memory = self._without(text, Section.CONFIRMED)._without(text, Section.TODO)
        return memory._put(Entry(Section.REJECTED, text, turn, reason=reason))

    def add_todo(self, text: str, *, turn: int | None = None) -> Memory:
        """Add something to do."""
        return self._put(Entry(Section.TODO, text, turn))

    def resolve(self, text: str, *, turn: int | None = None, outcome: str = "") -> Memory:
        """Tick off something that was to do; an `outcome` is confirmed.

        Raises:
            QueryError: it is not on the list.
        """
        wanted = next((entry for entry in self.todo if key(entry.text) == key(text)), None)
        if wanted is None:
            listed = "; ".join(entry.text for entry in self.todo) or "nothing"
            raise QueryError(f"{text!r} is not to do; on the list is: {listed}")
        ticked = replace(wanted, done=True, turn=wanted.turn if turn is None else turn)
        memory = self._spliced(wanted.first_line, wanted.last_line, _written(ticked))
        return memory.confirm(outcome, turn=turn, status="done") if outcome else memory

    def pin_goal(self, text: str, *, new: bool = False) -> Memory:
        """Pin the goal word for word. An amended goal keeps its identity and gets the next version, a `new` one begins anew."""
        text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
        before = self.goal
        if before is not None and before.text == text and not new:
            return self
        after = replace(before, version=before.version + 1) if before and not new else Goal(_digest(text), 1, text)
        mark = f"<!-- goal {after.identity} version {after.version} text {_digest(text)} -->"
        body = "".join(f"> {line}\n" if line else ">\n" for line in text.split("\n"))
        return self._goal_replaced(f"{mark}\n\n{body}")

    def _goal_replaced(self, body: str) -> Memory:
        every = blocks(self.text, SECTION_OF)
        held = [block for block in every if block.section is Section.GOAL]
        if not held:
            at = next((block.first_line for block in every if block.section), len(lines_of(self.text)))
            gap = "\n" if at and not self.text.endswith("\n\n") and at == len(lines_of(self.text)) else ""
            return self._spliced(at, at, f"{gap}## {self._titles[Section.GOAL]}\n\n{body}\n")
        text = [block for block in held if not block.is_heading and block.has_words]
        quoted = [block for block in text if block.lines[0].startswith(">")] or text
        marks = [block for block in held if _GOAL_MARK.search("".join(block.lines))]
        own = sorted({*quoted, *marks}, key=lambda block: block.first_line)
        if not own:
            return self._spliced(held[0].first_line + 1, held[0].first_line + 1, f"\n{body}")
        memory = self
        for block in reversed(own[1:]):
            memory = memory._spliced(block.first_line, block.last_line, "")
        return memory._spliced(own[0].first_line, own[0].last_line, body)

    @property
    def _titles(self) -> dict[Section, str]:
        """In the language of the headings that there are."""
        titles = [block.title for block in blocks(self.text, SECTION_OF) if block.is_heading and block.section]
        chinese = sum(not title.isascii() for title in titles)
        return _CHINESE if chinese * 2 > len(titles) else _ENGLISH

    def _without(self, text: str, section: Section) -> Memory:
        memory = self
        for entry in reversed(self.entries):
            if entry.section is section and key(entry.text) == key(text) and not entry.done:
                memory = memory._spliced(entry.first_line, entry.last_line, "")
        return memory

    def _put(self, entry: Entry) -> Memory:
        """Write an entry in the place of the one that says the same, or at the end of its section."""
        if not _tidy(entry.text):
            raise QueryError("an entry of a memory needs words")
        same = [each for each in self.entries if each.section is entry.section and key(each.text) == key(entry.text)]
        if same:
            return self._spliced(same[0].first_line, same[0].last_line, _written(entry))
        held = [block for block in blocks(self.text, SECTION_OF) if block.section is entry.section]
        if not held:
            return self._with_section(entry.section)._put(entry)
        at = max((block.last_line for block in held if block.is_heading or block.has_words), default=held[0].last_line)
        gap = "\n" if all(block.is_heading or not block.has_words for block in held) else ""
        return self._spliced(at, at, gap + _written(entry))

    def _with_section(self, section: Section) -> Memory:
        kept = self.text if not self.text or self.text.endswith("\n") else self.text + "\n"
        gap = "\n" if kept and not kept.endswith("\n\n") else ""
        return Memory(f"{kept}{gap}## {self._titles[section]}\n")

    def _spliced(self, first: int, last: int, text: str) -> Memory:
        lines = lines_of(self.text)
        before = "".join(lines[:first])
        if before and text and not before.endswith("\n"):
            before += "\n"
        return Memory(before + text + "".join(lines[last:]))

    # For a model

    def within(self, max_tokens: int, count: Count) -> MemoryText:
        """The goal, and of the entries that stand as many as fit: the newest confirmed first, then to do, then rejected.

        Each entry is whole or absent, and the last line says how many are absent. The goal is there always; when it alone is over the
        limit, so is the result.
        """
        wanted = [*_newest(self.confirmed), *self.todo, *_newest(self.rejected)]
        view = _View(self.goal, tuple(wanted))
        everything = view.shown(frozenset(entry.first_line for entry in wanted))
        if not everything or count(everything) <= max_tokens:
            return MemoryText(everything)
        left = max_tokens - count(view.shown(frozenset()))
        taken: list[int] = []
        for entry in wanted:
            if (cost := count(_written(entry))) <= left:
                taken.append(entry.first_line)
                left -= cost
        while taken and count(view.shown(frozenset(taken))) > max_tokens:
            taken.pop()
        absent = [entry.section for entry in wanted if entry.first_line not in taken]
        left_out = tuple((section, absent.count(section)) for section in Section if section in absent)
        return MemoryText(view.shown(frozenset(taken)), left_out)


@dataclass(frozen=True, slots=True)
class _View:
    """What a model may be shown, of which a limit takes a part."""

    goal: Goal | None
    entries: tuple[Entry, ...]

    def shown(self, taken: frozenset[int]) -> str:
        parts = [f"## Goal (pinned, version {self.goal.version})\n{self.goal.text}"] if self.goal else []
        for section in (Section.CONFIRMED, Section.REJECTED, Section.TODO):
            chosen = [each for each in self.entries if each.section is section and each.first_line in taken]
            if chosen:
                ordered = sorted(chosen, key=lambda entry: entry.first_line)
                parts.append(f"## {_ENGLISH[section]}\n" + "".join(map(_written, ordered)).rstrip("\n"))
        if missing := len(self.entries) - len(taken):
            parts.append(f"({missing} more entries of the memory were left out for their length)")
        return "\n\n".join(parts)


def key(text: str) -> str:
    """What two wordings of the same entry have in common: letters' case, spaces, a box and the final stop do not matter."""
    return " ".join(_BOX.sub("", _tidy(text), count=1).split()).rstrip(_ENDS).casefold()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _tidy(text: str) -> str:
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def _newest(entries: tuple[Entry, ...]) -> list[Entry]:
    return sorted(entries, key=lambda entry: (-(entry.turn if entry.turn is not None else -1), -entry.first_line))


def _unquoted(lines: list[str]) -> str:
    bare = [line.rstrip("\r\n") for line in lines]
    if any(line.startswith(">") for line in bare):
        bare = [re.sub(r"\A> ?", "", line) for line in bare if line.startswith(">")]
    return "\n".join(bare).strip("\n")


def _written(entry: Entry) -> str:
    box = ("[x] " if entry.done else "[ ] ") if entry.section is Section.TODO else ""
    body = "\n  ".join(line.strip() for line in _tidy(entry.text).split("\n") if line.strip())
    if entry.section is Section.REJECTED:
        reason = " ".join(_tidy(entry.reason).replace(_WRITTEN_REASON, " — ").split())
        body += _WRITTEN_REASON + (reason or "not stated")
    stated = [f"turn {entry.turn}"] if entry.turn is not None else []
    stated += [" ".join(_tidy(entry.status).split())] if entry.status else []
    tag = f" ({', '.join(stated)})" if stated else ""
    return f"- {box}{body}{tag}\n"


def _read_entry(section: Section, block: Block) -> Entry:
    text = block.body
    done = False
    if section is Section.TODO and (box := _BOX.match(text)):
        done, text = box[1] != " ", text[box.end() :]
    text, turn, status = _stated(text)
    if text.startswith("~~") and text.endswith("~~") and len(text) > 4:  # struck out by hand
        text, status = text[2:-2], status or "superseded"
    reason = ""
    if section is Section.REJECTED:
        text, reason = _with_reason(text)
    return Entry(section, text, turn, status, reason, done, block.first_line, block.last_line)


def _stated(text: str) -> tuple[str, int | None, str]:
    """The text without its tags, the turn and the status that they state. Brackets that state neither are words."""
    turn: int | None = None
    status = ""
    for pattern in (_TAG, _TAG, _FIRST_LINE_TAG, _LEADING_TAG, _LEADING_TAG):
        tag = pattern.search(text)
        if tag is None or not (read := _read_tag(tag[1])):
            continue
        found_turn, found_status = read
        if (turn is not None and found_turn is not None) or (status and found_status):
            continue
        turn = found_turn if turn is None else turn
        status = status or found_status
        text = (text[: tag.start()] + text[tag.end() :]).strip()
    return text, turn, status


_STATUSES = frozenset(
    {"active", "confirmed", "done", "tentative", "implemented", "verified", "in progress", "open", "pinned", "final"}
    | {"有效", "已确认", "生效", "已实现", "已验证", "进行中", "完成", "已完成", "暂定"}
    | NO_LONGER_STANDING
)


def _read_tag(inside: str) -> tuple[int | None, str] | None:
    parts = [part.strip() for part in re.split(r"[,，;；、|]", inside) if part.strip()]
    turns = [found for part in parts if (found := _TURN.fullmatch(part))]
    words = [_STATUS_LABEL.sub("", part) for part in parts if not _TURN.fullmatch(part)]
    if len(turns) > 1 or len(words) > 1 or (not turns and not _is_status(parts, words)):
        return None
    number = next((int(group) for found in turns for group in found.groups() if group), None)
    return number, words[0] if words else ""


def _is_status(parts: list[str], words: list[str]) -> bool:
    return bool(words) and (words[0].casefold() in _STATUSES or bool(_STATUS_LABEL.match(parts[0])))


def _with_reason(text: str) -> tuple[str, str]:
    at = text.rfind(_WRITTEN_REASON)
    if at > 0:
        return text[:at].strip(), text[at + len(_WRITTEN_REASON) :].strip()
    found = _REASON.search(text, 1)
    if found is None:
        return text, ""
    reason = text[found.end() :].strip()
    if found[0].lstrip().startswith(("(", "（")) or "(" in found[0] or "（" in found[0]:
        reason = reason.removesuffix(")").removesuffix("）")
    return text[: found.start()].strip(), reason.strip()
