"""From a configuration and what its sources hold to a payload: budget arithmetic, then each layer's text within its share.

What is fixed comes off the window first: the output's reserve, the definitions of tools, the user's input, the lines that name the
layers, and every layer that is stable or must be there. If that alone is more than the window, nothing is built and the error says by how
much. The rest is shared by the other layers in proportion to their limits; what one does not need goes to the others.

Pure and deterministic: equal input gives equal bytes. What a layer leaves out is in its block, with the rule.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from coderag.assemble.assembler import ContextAssembly
from coderag.assemble.cleaning import cleaned
from coderag.assemble.compaction import Summarize, compact
from coderag.assemble.configuration import Configuration, Layer, Source, Strategy
from coderag.assemble.history import History, Message
from coderag.assemble.items import ContextItem
from coderag.assemble.memory import Memory
from coderag.assemble.payload import GAP, INPUT, TOOLS, LeftOut, Part, Payload, PayloadBlock, framed
from coderag.assemble.rendering import LABEL, WRITERS, escaped_attribute, escaped_text, form_named
from coderag.assemble.summary import extracted
from coderag.assemble.tokens import TokenCounter, estimate_tokens
from coderag.errors import BudgetError

Retrieve = Callable[[int, bool], ContextAssembly]
"""Asks the index for the task's context: from the tokens there are, those of the label before the items included, and whether to rerank."""

CUT = "[… about {tokens:,} more tokens were left out here]"


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the sources of a configuration hold for one request.

    `texts` are by name of the layer: those of files and callables, and of static layers whose text the configuration does not have.
    `missing` says of a layer why it has no text. `focus` is what the editor shows, the most needed first.
    """

    task: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    tools: Sequence[Mapping[str, Any]] = ()
    memory: Memory = field(default_factory=Memory)
    history: History = field(default_factory=History)
    focus: tuple[ContextItem, ...] = ()
    retrieve: Retrieve | None = None
    callables: Mapping[str, Callable[[str, int], str]] = field(default_factory=dict)
    summarize: Summarize | None = None


def build(
    configuration: Configuration, inputs: Inputs, *, count: TokenCounter = estimate_tokens, form: str = "xml"
) -> Payload:
    """The payload of a request. `form` is how items are written.

    Raises:
        BudgetError: what is fixed does not fit, or a required layer has nothing to show.
        ContextError: there is no such form.
    """
    return _Building(configuration, inputs, count, form_named(form)).payload()


def shares(available: int, limits: Sequence[int], wants: Sequence[int]) -> list[int]:
    """Tokens for each of several layers: no more than its limit and no more than it wants; in proportion to the limits where that is
    more than there is, and what one does not want is shared by the others.
    """
    granted = [0] * len(limits)
    open_ones = [number for number, limit in enumerate(limits) if limit > 0]
    left = max(available, 0)
    while open_ones:
        total = sum(limits[number] for number in open_ones)
        offered = {number: min(limits[number], left * limits[number] // total) for number in open_ones}
        content = [number for number in open_ones if wants[number] <= offered[number]]
        if not content:
            for number in open_ones:
                granted[number] = offered[number]
            break
        for number in content:
            granted[number] = wants[number]
            left -= wants[number]
        open_ones = [number for number in open_ones if number not in content]
    return granted


def tools_text(tools: Sequence[Mapping[str, Any]]) -> str:
    """Definitions of tools as JSON: sorted by name, keys sorted, so that equal tools give equal bytes."""
    ordered = sorted(tools, key=lambda tool: (tool_name(tool), json.dumps(tool, sort_keys=True, default=str)))
    lines = [json.dumps(tool, sort_keys=True, ensure_ascii=False, default=str) for tool in ordered]
    return "\n".join(lines)


def tool_name(tool: Mapping[str, Any]) -> str:
    """The name in the definition of a tool, however deep its interface puts it."""
    function = tool.get("function")
    inner = function.get("name") if isinstance(function, Mapping) else None
    return str(tool.get("name") or inner or "")


@dataclass(frozen=True, slots=True)
class _Content:
    """What a layer can show before it has a share: a text, or parts of which some may go."""

    text: str = ""
    parts: tuple[Part, ...] = ()
    opening: str = ""
    note: str = ""

    @property
    def whole(self) -> str:
        if not self.parts:
            return self.text
        return GAP.join([*([self.opening] if self.opening else []), *(part.text for part in self.parts)])


class _Building:
    def __init__(self, configuration: Configuration, inputs: Inputs, count: TokenCounter, form: str) -> None:
        self.configuration = configuration
        self.inputs = inputs
        self.form = form
        self._count = count

    def count(self, text: str) -> int:
        return self._count(text) if text else 0

    def payload(self) -> Payload:
        layers = self.configuration.layers
        first = self._implicit(TOOLS, tools_text(self.inputs.tools), cacheable=True)
        last = self._implicit(INPUT, cleaned(self.inputs.task))
        fixed = {layer.name: self._block(layer, layer.max_tokens) for layer in layers if layer.is_fixed}
        left = self._left([first, *fixed.values(), last])
        shared = self._shared([layer for layer in layers if not layer.is_fixed], left)
        blocks = [first, *((fixed | shared)[layer.name] for layer in layers), last]
        payload = Payload(
            tuple(block for block in blocks if block.body or block.layer not in (TOOLS, INPUT)),
            self.configuration.window,
            self.configuration.reserve_output_tokens,
        )
        return replace(payload, tokens=self.count(payload.text))

    def _implicit(self, name: str, text: str, cacheable: bool = False) -> PayloadBlock:
        tokens = self.count(text)
        return PayloadBlock(name, name, text, tokens, cacheable, True, tokens, tokens)

    def _left(self, fixed: list[PayloadBlock]) -> int:
        """What is left of the window for the layers that share it."""
        window, reserve = self.configuration.window, self.configuration.reserve_output_tokens
        frames = sum(self._frame(name) for name in [*(layer.name for layer in self.configuration.layers), TOOLS, INPUT])
        costs = [(block.layer, block.tokens) for block in fixed if block.tokens]
        costs += [("the lines that name the layers", frames), ("the reserve for the output", reserve)]
        total = sum(tokens for _, tokens in costs)
        if total > window:
            listed = ", ".join(f"{name} {tokens:,}" for name, tokens in costs)
            raise BudgetError(
                f"{self._place()}the fixed parts need {total:,} tokens and the window has {window:,}: {total - window:,} too many "
                f"({listed}); shorten one of them or set a larger window",
                total - window,
            )
        return window - total

    def _frame(self, name: str) -> int:
        return self.count(framed(name, "") + GAP)

    def _place(self, layer: Layer | None = None) -> str:
        path = self.configuration.path
        return f"{path}:{layer.line}: " if path and layer and layer.line else f"{path}: " if path else ""

    def _shared(self, layers: list[Layer], left: int) -> dict[str, PayloadBlock]:
        """The layers that share what is left. The index, which can always use more, is asked last, for what the others did not take."""
        ready = {layer.name: self._content(layer) for layer in layers if layer.source is not Source.INDEX}
        limits = [layer.max_tokens for layer in layers]
        wants = [self.count(ready[each.name].whole) if each.name in ready else each.max_tokens for each in layers]
        granted = dict(zip((layer.name for layer in layers), shares(left, limits, wants), strict=True))
        blocks: dict[str, PayloadBlock] = {}
        for layer in sorted(layers, key=lambda layer: layer.source is Source.INDEX):
            share = granted[layer.name]
            if layer.source is Source.INDEX:
                share = min(layer.max_tokens, max(share, left - sum(block.tokens for block in blocks.values())))
            blocks[layer.name] = self._block(layer, share, ready.get(layer.name))
        return blocks

    def _block(self, layer: Layer, share: int, content: _Content | None = None) -> PayloadBlock:
        block = PayloadBlock(
            layer.name,
            layer.written_source,
            cacheable=layer.cacheable,
            fixed=layer.is_fixed,
            limit=layer.max_tokens,
            share=share,
        )
        of_index = layer.source is Source.INDEX
        filled = (
            self._of_index(layer, block) if of_index else self._filled(layer, block, content or self._content(layer))
        )
        filled = replace(filled, tokens=self.count(filled.body))
        if layer.required and not filled.body:
            reason = "; ".join(filled.notes) or "there is nothing to show"
            raise BudgetError(f"{self._place(layer)}the layer {layer.name!r} is required, but {reason}")
        return filled

    # What a source holds

    def _content(self, layer: Layer) -> _Content:
        if layer.source is Source.SESSION:
            return _Content(parts=tuple(map(self._message, self.inputs.history.messages)), note="there is no history")
        if layer.source is Source.EDITOR:
            return self._items(self.inputs.focus)
        if layer.source is Source.MEMORY:
            everything = self.inputs.memory.within(layer.max_tokens, self.count)
            return _Content(cleaned(everything.text), note="the memory is empty")
        if layer.source is Source.CALLABLE and layer.name not in self.inputs.texts:
            given = self.inputs.callables.get(layer.argument)
            if given is None:
                raise BudgetError(
                    f"{self._place(layer)}nothing called {layer.argument!r} was given for the layer {layer.name!r}"
                )
            return _Content(cleaned(given(self.inputs.task, layer.max_tokens)), note=f"{layer.argument} gave nothing")
        text = layer.text or self.inputs.texts.get(layer.name, "")
        return _Content(cleaned(text).strip("\n"), note=self.inputs.missing.get(layer.name, "it has no text"))

    def _message(self, message: Message) -> Part:
        marks = ' constraint="yes"' if message.constraint else ""
        role = "summary" if message.summary else escaped_attribute(cleaned(message.role))
        head = f'<message turn="{message.turn}" role="{role}"{marks}>'
        text = f"{head}\n{escaped_text(cleaned(message.content))}\n</message>"
        return Part(f"turn {message.turn}, {role}", text, self.count(text), "session", detail={"turn": message.turn})

    def _items(self, items: tuple[ContextItem, ...]) -> _Content:
        written = ((item, WRITERS[self.form](item)) for item in items)
        parts = tuple(
            Part(item.id, text, self.count(text), item.source or "", detail=_known(item)) for item, text in written
        )
        return _Content(parts=parts, opening=LABEL, note="the editor shows nothing")

    # Within a share

    def _filled(self, layer: Layer, block: PayloadBlock, content: _Content) -> PayloadBlock:
        whole = content.whole
        if not whole:
            return replace(block, notes=(content.note,))
        if layer.source is Source.MEMORY:
            return self._of_memory(layer, block)
        if self.count(whole) <= block.share:
            return replace(block, body=whole, parts=content.parts, opening=content.opening)
        if layer.source is Source.SESSION and layer.strategy in (Strategy.SUMMARIZE_OLD, Strategy.DROP_OLD):
            return self._of_history(layer, block)
        if layer.source is Source.EDITOR:
            return self._some(layer, block, content)
        if layer.strategy is Strategy.TRUNCATE_TAIL:
            return self._cut(block, whole, from_end=False)
        if layer.strategy is Strategy.DROP_OLD:
            return self._cut(block, whole, from_end=True)
        return self._too_long(layer, block, self.count(whole))

    def _too_long(self, layer: Layer, block: PayloadBlock, tokens: int) -> PayloadBlock:
        """A layer that may not be cut: absent if it may be, an error otherwise."""
        excess = tokens - block.share
        if layer.is_fixed:
            raise BudgetError(
                f"{self._place(layer)}the layer {layer.name!r} has {tokens:,} tokens, {excess:,} more than its limit of {block.share:,}; "
                "shorten it, raise max_tokens, or give it the strategy truncate_tail",
                excess,
            )
        note = (
            f"its {tokens:,} tokens are {excess:,} more than its share and it has no strategy, so it is left out whole"
        )
        return replace(block, left_out=(LeftOut(layer.name, "longer than its share", tokens),), notes=(note,))

    def _cut(self, block: PayloadBlock, text: str, *, from_end: bool) -> PayloadBlock:
        """As many whole lines as fit, from the beginning or from the end, and a line that says that there was more."""
        kept = _lines_within(text, block.share, self.count, from_end=from_end)
        missing = self.count(text) - self.count(kept)
        left_out = LeftOut(block.layer, "cut at its share", missing)
        return replace(block, body=kept, left_out=(left_out,), notes=(f"cut: {missing:,} tokens are left out",))

    def _some(self, layer: Layer, block: PayloadBlock, content: _Content) -> PayloadBlock:
        """Whole parts, in their order, while they fit; the first one may be cut where the strategy says so."""
        opened = replace(block, opening=content.opening)
        taken: list[Part] = []
        absent: list[LeftOut] = []
        for part in content.parts:
            if self.count(opened.of_parts((*taken, part)).body) <= block.share:
                taken.append(part)
            else:
                absent.append(LeftOut(part.id, "longer than what is left of its share", part.tokens))
        if not taken and layer.strategy is Strategy.TRUNCATE_TAIL:
            return self._cut(block, content.whole, from_end=False)
        if not taken:
            return self._too_long(layer, block, self.count(content.whole))
        return replace(opened.of_parts(tuple(taken)), left_out=tuple(absent))

    def _of_memory(self, layer: Layer, block: PayloadBlock) -> PayloadBlock:
        shown = self.inputs.memory.within(block.share, self.count)
        tokens = self.count(shown.text)
        if tokens > block.share:
            if not self.inputs.memory.goal:
                return replace(block, notes=("its share is too small for any entry",))
            raise BudgetError(
                f"{self._place(layer)}the pinned goal alone has {tokens:,} tokens, {tokens - block.share:,} more than the layer "
                f"{layer.name!r} may take; raise max_tokens or the window",
                tokens - block.share,
            )
        left_out = tuple(
            LeftOut(f"{number} × {section}", "longer than what is left of its share")
            for section, number in shown.left_out
        )
        parts = tuple(
            Part(text.split("\n", 1)[0].strip("# "), text, self.count(text), "memory")
            for text in _split(cleaned(shown.text))
        )
        return replace(block, body=cleaned(shown.text), left_out=left_out, parts=parts)

    def _of_history(self, layer: Layer, block: PayloadBlock) -> PayloadBlock:
        """The newest turns word for word, as many as fit beside the constraints and, by the strategy, a summary of the others."""
        notes: list[str] = []
        keep = min(self.configuration.keep_turns, len(self.inputs.history.turns))
        summarize = self.inputs.summarize if layer.strategy is Strategy.SUMMARIZE_OLD else None
        if layer.strategy is Strategy.DROP_OLD:
            keep = len(self.inputs.history.turns)
        for turns in range(keep, -1, -1):
            older, recent = self.inputs.history.split(turns)
            chosen = tuple(message for message in older if message.constraint)
            replaced = tuple(message for message in older if not message.constraint)
            room = block.share - self.count(GAP.join(self._message(each).text for each in (*chosen, *recent)))
            if room < 0:
                continue
            summary = None
            if layer.strategy is Strategy.SUMMARIZE_OLD and replaced:
                summary = self._summary(turns, room, summarize, notes)
            messages = [*chosen, *([summary] if summary else []), *recent]
            filled = self._of_messages(block, tuple(messages), replaced, summary is not None)
            if self.count(filled.body) <= block.share:
                return replace(filled, notes=tuple(dict.fromkeys(notes)))
        return self._only_constraints(layer, block)

    def _summary(self, turns: int, room: int, summarize: Summarize | None, notes: list[str]) -> Message | None:
        """A summary of what is older than so many turns, in so many tokens. What a model wrote must pass its check and fit."""
        memory = self.inputs.memory
        goal = memory.goal.text if memory.goal else ""
        if summarize is not None:
            done = compact(self.inputs.history, keep_turns=turns, memory=memory, summarize=summarize)
            notes += [f"the summary was refused: {problem}" for problem in done.problems]
            if done.applied and self._fits(done.summary, turns, room):
                return Message("user", done.summary, turns, summary=True)
            if done.applied:
                notes.append("the summary was longer than its share, so one of the messages' own words stands here")
        older, _ = self.inputs.history.split(turns)
        plain_ones = tuple(message for message in older if not message.constraint)
        frame = self._message(Message("user", "", 999, summary=True)).tokens + self.count(GAP)
        left = max(room - frame - 2, 0)
        made = extracted(plain_ones, goal=goal, followed=turns > 0, max_tokens=left, count=self._escaped_count)
        turn = max((message.turn for message in plain_ones), default=1)
        return Message("user", made, turn, summary=True) if self._fits(made, turn, room) else None

    def _escaped_count(self, text: str) -> int:
        return self.count(escaped_text(cleaned(text)))

    def _fits(self, summary: str, turn: int, room: int) -> bool:
        return self.count(self._message(Message("user", summary, turn, summary=True)).text + GAP) <= room

    def _of_messages(
        self, block: PayloadBlock, messages: tuple[Message, ...], replaced: tuple[Message, ...], summarised: bool
    ) -> PayloadBlock:
        rule = "summarised" if summarised else "older than what fits"
        absent = tuple(LeftOut(part.id, rule, part.tokens) for part in map(self._message, replaced))
        return replace(block.of_parts(tuple(map(self._message, messages))), left_out=absent)

    def _only_constraints(self, layer: Layer, block: PayloadBlock) -> PayloadBlock:
        """When not even the last turn fits: the constraints, which are never dropped, and nothing is an answer if they do not fit."""
        constraints = self.inputs.history.constraints
        others = tuple(message for message in self.inputs.history.messages if not message.constraint)
        filled = self._of_messages(block, constraints, others, False)
        tokens = self.count(filled.body)
        if tokens > block.share:
            raise BudgetError(
                f"{self._place(layer)}the constraints of the history have {tokens:,} tokens, {tokens - block.share:,} more than the layer "
                f"{layer.name!r} may take; raise max_tokens or the window",
                tokens - block.share,
            )
        return replace(filled, notes=("no turn fits into its share",))

    def _of_index(self, layer: Layer, block: PayloadBlock) -> PayloadBlock:
        if self.inputs.retrieve is None:
            return replace(block, notes=("no index was given",))
        if block.share <= self.count(LABEL):
            return replace(block, notes=("its share is too small for any item",))
        assembly = self.inputs.retrieve(block.share, layer.rerank)
        absent = list(left_out_of(assembly))
        parts = list(parts_of(assembly, self.form, self.count))
        filled = replace(block, opening=LABEL).of_parts(tuple(parts))
        while parts and self.count(filled.body) > block.share:
            last = parts.pop()
            absent.append(LeftOut(last.id, "longer than what is left of its share", last.tokens, last.score))
            filled = replace(block, opening=LABEL).of_parts(tuple(parts))
        notes = () if parts else ("nothing was found that fits",)
        return replace(filled, left_out=tuple(absent), notes=notes)


def parts_of(assembly: ContextAssembly, form: str, count: TokenCounter) -> tuple[Part, ...]:
    """The items of an assembly as they are written in a form, each with its score."""
    written = ((item, WRITERS[form](item)) for item in assembly.items)
    return tuple(
        Part(item.id, text, count(text), item.source or "", item.relevance, detail=_known(item))
        for item, text in written
    )


def left_out_of(assembly: ContextAssembly) -> tuple[LeftOut, ...]:
    """What an assembly dropped, by which rule, and what its providers could not give."""
    dropped = [LeftOut(each.item.id, each.why, each.tokens, each.item.relevance) for each in assembly.dropped]
    return (*dropped, *(LeftOut(each.source, each.why) for each in assembly.left_out))


def _known(item: ContextItem) -> Mapping[str, Any]:
    return {name: value for name, value in item.to_dict().items() if name != "content"}


def _split(text: str) -> list[str]:
    """The sections of a memory as it is shown."""
    return [part for part in text.split(GAP) if part] if text else []


def _lines_within(text: str, max_tokens: int, count: TokenCounter, *, from_end: bool) -> str:
    """The most whole lines from one end of a text that fit, with the line that says that there were more."""
    lines = text.split("\n")

    def kept(number: int) -> str:
        taken = lines[len(lines) - number :] if from_end else lines[:number]
        mark = CUT.format(tokens=max(count(text) - count("\n".join(taken) or " "), 0))
        return "\n".join([mark, *taken] if from_end else [*taken, mark])

    low, high = 0, len(lines) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(kept(middle)) <= max_tokens else (low, middle - 1)
    return kept(low) if low and count(kept(low)) <= max_tokens else ""
