"""Whether a summary that a model wrote may take the place of what it summarises.

Each rule is a small function that yields what is wrong, in words that tell a model how to mend it. A rule that must judge meaning judges
words: it may refuse a sound sentence, which costs one more attempt, and is written so as not to let a bad one pass. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from coderag.assemble.history import USER, Message
from coderag.assemble.markdown import blocks, title_key
from coderag.assemble.memory import Entry, Memory
from coderag.assemble.summary import INFERRED, PARTS_BY_TITLE, WORDS, Part, sentences, words

LONGEST_FENCE = 5
"""Lines of a fenced block that may stand in a summary: a snippet, no file and no output."""
COPIED_LINES = 4

_OPEN = re.compile(
    r"\b(?:or|either|whether|versus|vs|undecided|undetermined|tbd|to be decided|consider(?:ing)?|could|might|may|option(?:s|al)?|alternativ"
    r"\w*|choose|choice|choosing|decide|open question|not (?:yet )?decided|still open|evaluat\w+|compare|try)\b"
    r"|待定|还是|或者|或|未定|未决|考虑|可以用|是否|选择|尚未|二选一|备选",
    re.IGNORECASE,
)
_CLOSED = re.compile(
    r"\b(?:rejected|ruled out|discarded|dropped|instead of|rather than|not use|no longer|replaced|superseded|abandoned|decided against"
    r"|must not|never|excluded|withdrawn)\b|已排除|排除了|不用|不再|放弃|否决|已替代|取代|而不是|代替",
    re.IGNORECASE,
)
_CLAIM = re.compile(
    r"\b(?:the )?users?(?:'s)? (?:also |now |then |has |had |have |clearly |probably |explicitly )*"
    r"(?:wants?|wanted|asks?|asked|prefers?|preferred|approve[sd]?|agree[sd]?|confirm(?:s|ed)?|allow(?:s|ed)?|accept(?:s|ed)?|permit(?:s|ted)?"
    r"|authori[sz]e[sd]?|requires?|required|requests?|requested|likes?|expects?|said|says|intends?|needs?|decided|grants?|granted"
    r"|preference|permission|approval|wish|intention)"
    r"|\b(?:permission|approval|authori[sz]ation) (?:was |is |has been )?(?:given|granted|obtained)"
    r"|\b(?:is|are|was|were) (?:allowed|permitted|authori[sz]ed|free) to\b"
    r"|用户(?:也|还|已经|已|显然|明确)*(?:要求|想要|希望|同意|批准|允许|确认|偏好|授权|需要|说|决定|接受|许可)|已(?:获|经)?(?:授权|批准|许可)",
    re.IGNORECASE,
)
_PERMISSION = re.compile(
    r"\b(?:approv|agree|allow|accept|permi|authori[sz]|consent|grant|free to)|同意|批准|允许|授权|许可|接受",
    re.IGNORECASE,
)
_CONSENT = re.compile(
    r"\b(?:yes|yep|ok(?:ay)?|sure|go ahead|fine|good|please|approve[ds]?|agreed?|allow(?:ed)?|accept(?:ed)?|may|can|permitted|do it)\b"
    r"|可以|同意|好的?|行|批准|允许|没问题|请",
    re.IGNORECASE,
)
_REFUSAL = re.compile(r"\b(?:no|not|never|don'?t|cannot|can'?t|stop|without)\b|不|别|禁止|没有", re.IGNORECASE)
_ENDINGS = re.compile(r"(?<=[a-z]{3})(?:ing|ed|es|s|e)\Z")
_MARKED = re.compile(
    r"[(（\[【](?:inferred|inference|assumed|assumption|guess|unverified|unconfirmed|推断|推測|推测|假设|未确认|猜测)[^)）\]】]{0,200}[)）\]】]"
    r"|\b(?:inferred|assumption|assumed):|推断[:：]|假设[:：]",
    re.IGNORECASE,
)
_TERM = re.compile(r"[A-Za-z0-9_]+(?:[.+#-][A-Za-z0-9_]+)*[+#]*|[\u2e80-\u9fff]+")
_COMMON_WORDS = """
    a an the to of for in on at by with and or as is are was were be been it its this that these those we i you he she they them user users
    use used using will would should can could may must not no do does did done have has had from into our your their there then than so
    wants want wanted asks asked ask prefers prefer preferred approved approves agreed agrees confirmed confirms allowed allows accepted
    accepts permitted requires required requested requests likes expects said says intends needs decided also now only all any turn latest
    request requests correction decision granted permission authorized reason because replaced
    """
_COMMON = frozenset(_COMMON_WORDS.split())


@dataclass(frozen=True, slots=True)
class Expected:
    """What a summary must keep and must agree with. `sources` are the messages that it stands for."""

    goal: str = ""
    constraints: tuple[str, ...] = ()
    memory: Memory = field(default_factory=Memory)
    sources: tuple[Message, ...] = ()


def check_summary(
    summary: str,
    *,
    goal: str = "",
    constraints: Iterable[str | Message] = (),
    memory: Memory | str | None = None,
    sources: Iterable[Message] = (),
) -> tuple[str, ...]:
    """What is wrong with a summary, in the order of the rules; empty when it may be used.

    `goal` and each of `constraints` must be in it word for word. `memory` says what is decided, and its goal counts where none is given.
    `sources` are the messages that were summarised: without them neither copied contents nor claims about the user can be found out.
    """
    held = memory if isinstance(memory, Memory) else Memory(memory or "")
    pinned = goal or (held.goal.text if held.goal else "")
    texts = tuple((each.content if isinstance(each, Message) else each).strip() for each in constraints)
    expected = Expected(pinned.strip(), texts, held, tuple(sources))
    return tuple(dict.fromkeys(problem for rule in RULES for problem in rule(summary, expected)))


def _sections_are_there(summary: str, expected: Expected) -> Iterator[str]:
    bare = summary.replace(expected.goal, "", 1) if expected.goal else summary
    titles = [block.title for block in blocks(bare, PARTS_BY_TITLE) if block.is_heading]
    order = [PARTS_BY_TITLE[key] for title in titles if (key := title_key(title)) in PARTS_BY_TITLE]
    missing = [part for part in Part if part not in order]
    if missing:
        yield f"sections are missing: {', '.join(missing)}"
    twice = [part for part in Part if order.count(part) > 1]
    if twice:
        yield f"sections are there more than once, merge them into one cumulative summary: {', '.join(twice)}"
    elif not missing and order != list(Part):
        yield f"the sections must be in this order: {', '.join(Part)}"


def _goal_is_verbatim(summary: str, expected: Expected) -> Iterator[str]:
    goal = expected.goal
    if not goal:
        return
    heading = next((b for b in blocks(summary, PARTS_BY_TITLE) if b.is_heading and b.section is Part.GOAL), None)
    after = "".join(summary.splitlines(keepends=True)) if heading is None else _behind(summary, heading.first_line)
    if goal not in after:
        yield f"the goal is not there word for word: {_shown(goal)}"
    elif heading is not None and after.split(goal, 1)[0].strip("> \t\n\"'`*“”「」"):
        yield f"the section Goal must begin with the goal, word for word: {_shown(goal)}"


def _behind(summary: str, line: int) -> str:
    from coderag.assemble.markdown import lines_of

    return "".join(lines_of(summary)[line + 1 :])


def _is_short(summary: str, expected: Expected) -> Iterator[str]:
    bare = summary
    for text in (expected.goal, *expected.constraints):
        bare = bare.replace(text, "", 1) if text else bare
    if (number := words(bare)) >= WORDS:
        yield f"it has {number} words beside the goal; there must be fewer than {WORDS}"


def _constraints_are_verbatim(summary: str, expected: Expected) -> Iterator[str]:
    for constraint in expected.constraints:
        if constraint not in summary:
            yield f"a constraint is lost, it must be there word for word: {_shown(constraint)}"


def _no_raw_contents(summary: str, expected: Expected) -> Iterator[str]:
    for fence in re.findall(
        r"^[ >]*(?:```|~~~)[^\n]*\n(.*?)(?:^[ >]*(?:```|~~~)|\Z)", summary, re.MULTILINE | re.DOTALL
    ):
        if fence.count("\n") > LONGEST_FENCE:
            yield f"a fenced block of {fence.count(chr(10))} lines is raw content; say in one line what it shows"
    allowed = (expected.goal, *expected.constraints)
    lines = [line.strip() for line in _stripped(summary, allowed).split("\n")]
    for message in expected.sources:
        if not (message.summary or message.constraint) and (copied := _copied(lines, message.content)):
            yield f"lines are copied from turn {message.turn}, beginning with {_shown(copied)}; say in one line what they show"


def _stripped(text: str, allowed: Iterable[str]) -> str:
    for part in allowed:
        text = text.replace(part, "\n", 1) if part else text
    return text


def _copied(lines: list[str], content: str) -> str:
    """The first line of a stretch of a message that stands in the summary as it was, "" where there is none."""
    original = {line.strip() for line in content.split("\n") if len(line.strip()) >= 3}
    run: list[str] = []
    for line in [*lines, ""]:
        if line in original or (not line and run and line is not lines[-1]):
            run += [line] if line else []
        else:
            run = []
        if len(run) >= COPIED_LINES and sum(map(len, run)) >= 60:
            return run[0]
    long = [each for each in lines if len(each) >= 400 and each in content]
    return long[0] if long else ""


def _nothing_decided_is_open(summary: str, expected: Expected) -> Iterator[str]:
    standing = {term for entry in expected.memory.confirmed for term in _terms(entry.text)}
    for entry in expected.memory.rejected:
        for sentence in sentences(summary):
            if _names(sentence, entry, standing) and _OPEN.search(sentence) and not _CLOSED.search(sentence):
                yield f"an alternative is left open that is rejected ({_shown(entry.text)}): {_shown(sentence)}"


def _names(sentence: str, entry: Entry, standing: set[str]) -> bool:
    """Whether a sentence speaks of a rejected entry: of most of its terms that no confirmed one has."""
    if entry.text.casefold() in sentence.casefold():
        return True
    own = [term for term in dict.fromkeys(_terms(entry.text)) if term not in standing]
    there = set(_terms(sentence))
    found = sum(term in there for term in own)
    return bool(own) and found * 2 > len(own) if len(own) > 2 else bool(own) and found == len(own)


def _terms(text: str) -> list[str]:
    """Stems of words without the common ones, also of the words that a compound consists of, and pairs of characters of Chinese."""
    found: list[str] = []
    for match in _TERM.findall(text):
        if match[0] >= "\u2e80":
            found += [match[at : at + 2] for at in range(max(len(match) - 1, 1))]
            continue
        parts = [part for part in re.split(r"[._-]", match) if len(part) > 2]
        found += [_ENDINGS.sub("", each.casefold()) for each in (parts or [match]) if each.casefold() not in _COMMON]
    return found


def _inferences_are_marked(summary: str, expected: Expected) -> Iterator[str]:
    if not expected.sources:
        return
    said = [set(_terms(each.content)) for each in expected.sources if each.role == USER or each.summary]
    said += [set(_terms(text)) for text in (expected.goal, *expected.constraints)]
    said += [set(_terms(entry.text)) for entry in expected.memory.entries]
    consented = list(_consented(expected))
    bare = _stripped(summary, (expected.goal, *expected.constraints))
    spoken = sentences(bare)
    for sentence, following in zip_longest(spoken, spoken[1:], fillvalue=""):
        marked = _MARKED.search(sentence) or _MARKED.match(following)
        grounds = consented if _PERMISSION.search(sentence) else said
        if _CLAIM.search(sentence) and not marked and not _is_grounded(sentence, grounds):
            yield f"nobody said this, so it must be marked {INFERRED} or go: {_shown(sentence)}"


def _consented(expected: Expected) -> Iterator[set[str]]:
    """The terms of what the user agreed to: of a message that agrees and does not refuse, with what it answers."""
    before = ""
    for message in expected.sources:
        agrees = message.summary or (_CONSENT.search(message.content) and not _REFUSAL.search(message.content))
        if agrees and (message.role == USER or message.summary):
            yield {*_terms(message.content), *_terms(before)}
        before = message.content if message.role != USER else ""
    for entry in expected.memory.confirmed:
        yield set(_terms(entry.text))


def _is_grounded(sentence: str, grounds: list[set[str]]) -> bool:
    """Whether one thing that was said has half of the words of a sentence about the user."""
    claimed = set(_terms(_CLAIM.sub(" ", sentence)))
    return any(len(claimed & each) * 2 >= len(claimed) for each in grounds)


def _shown(text: str) -> str:
    flat = " ".join(text.split())
    return repr(flat if len(flat) <= 100 else f"{flat[:99]}…")


RULES: tuple[Callable[[str, Expected], Iterator[str]], ...] = (
    _goal_is_verbatim,
    _sections_are_there,
    _is_short,
    _no_raw_contents,
    _constraints_are_verbatim,
    _nothing_decided_is_open,
    _inferences_are_marked,
)
