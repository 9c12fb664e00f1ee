"""From a root, its index and a request to a payload: every source of the configuration is asked for what it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coderag.assemble.assembler import ContextAssembly
from coderag.assemble.cleaning import cleaned_line
from coderag.assemble.compaction import Summarize
from coderag.assemble.configuration import Configuration, Layer, Source, default_configuration
from coderag.assemble.history import History
from coderag.assemble.items import ContextItem
from coderag.assemble.layers import Inputs, build, left_out_of, parts_of
from coderag.assemble.memory import Memory
from coderag.assemble.payload import Part, Payload, PayloadBlock
from coderag.assemble.policy import ContextPolicy
from coderag.assemble.rendering import LABEL, form_named
from coderag.assemble.results import ContextQuery, Omission
from coderag.assemble.tokens import TokenCounter, estimate_tokens
from coderag.errors import ContextError
from coderag.payload.files import load_configuration, read_text
from coderag.payload.recording import Record
from coderag.payload.request import Request
from coderag.types import Focus, Query, SearchResult, Without
from coderag.walk.secrets import masked

if TYPE_CHECKING:
    from coderag.index import Index
    from coderag.offer import IndexProvider, Offering

LINES_AROUND = 40
"""Lines above and below the focus that the editor's layer shows."""
_EXPLAINED = 60  # hits whose signals a record keeps


def build_payload(
    index: Index,
    request: Request,
    configuration: Configuration | None = None,
    *,
    count: TokenCounter = estimate_tokens,
    callables: Mapping[str, Callable[[str, int], str]] | None = None,
    summarize: Summarize | None = None,
) -> Payload:
    """The whole input of a model for a request, by the configuration of the index's root, or by the default one where it has none.

    `callables` give the layers whose source is `callable:NAME`, from the task and a limit in tokens; `summarize` the summaries of a long
    history, from a prompt.

    Raises:
        ConfigError: the configuration has mistakes.
        BudgetError: what must be in the payload does not fit, or is not there.
        ContextError: the form or the policy is unknown.
        NotIndexedError, IndexFormatError, IndexCorruptError: there is no index that can be read.
    """
    given = callables or {}
    chosen = configuration or load_configuration(index.root, tuple(sorted(given))) or default_configuration()
    if request.budget:
        chosen = _with_budget(chosen, request.budget)
    texts = {layer.name: _text(index.root, layer, request) for layer in chosen.layers}
    history = History.parse(request.history)
    inputs = Inputs(
        task=request.task,
        texts={name: text for name, (text, _) in texts.items() if text},
        missing={name: reason for name, (_, reason) in texts.items() if reason},
        tools=request.tools,
        memory=Memory.parse(read_text(index.root, chosen.memory_file).text),
        history=history,
        focus=focus_items(index.root, request),
        retrieve=lambda tokens, rerank: _retrieved(index, request, tokens, rerank, count, _shown_elsewhere(chosen)),
        callables=given,
        summarize=summarize,
    )
    return build(chosen, inputs, count=count, form=request.form)


def _with_budget(configuration: Configuration, budget: int) -> Configuration:
    layers = tuple(
        replace(layer, max_tokens=budget) if layer.source is Source.INDEX else layer for layer in configuration.layers
    )
    return replace(configuration, layers=layers)


def _text(root: Path, layer: Layer, request: Request) -> tuple[str, str]:
    """The text of a static layer or a file, and why there is none."""
    if layer.name in request.texts:
        return request.texts[layer.name], ""
    if layer.source is Source.STATIC:
        return layer.text, "" if layer.text else "no text was given"
    if layer.source is Source.FILE:
        found = read_text(root, layer.argument)
        return found.text, found.reason
    return "", ""


def _shown_elsewhere(configuration: Configuration) -> Mapping[str, str]:
    """Files that other layers show, which an index need not find again, each with its layer."""
    return {
        layer.argument if layer.source is Source.FILE else configuration.memory_file: layer.name
        for layer in configuration.layers
        if layer.source in (Source.FILE, Source.MEMORY)
    }


def _retrieved(
    index: Index, request: Request, tokens: int, rerank: bool, count: TokenCounter, elsewhere: Mapping[str, str]
) -> ContextAssembly:
    if request.is_empty:
        return ContextAssembly()
    policy = ContextPolicy.named(request.policy).scaled(tokens)
    others = [f"!/{path}" for path in sorted(elsewhere)]
    given = request.params.get("paths") or []
    asked = {**request.params, "paths": [*([given] if isinstance(given, str) else given), *others]}
    found = _asked(index, request, asked, policy, rerank, count)
    shown = (
        Omission(path, f"the layer {elsewhere[path]} shows it")
        for path in sorted(elsewhere)
        if (index.root / path).exists()
    )
    return replace(found, left_out=(*found.left_out, *shown))


def _asked(
    index: Index, request: Request, params: Mapping[str, Any], policy: ContextPolicy, rerank: bool, count: TokenCounter
) -> ContextAssembly:
    from coderag.offer.assembling import assembled

    if rerank:
        return index.context(request.task, policy=policy, form=request.form, count=count, **params)

    def unranked(offering: Offering) -> IndexProvider:
        def search(query: Query) -> SearchResult:
            return index.search(query, without=Without(reranker=True))

        return replace(index.as_provider(offering), search=search)

    return assembled(unranked, request.task, params, policy, (), request.form, count)


def focus_items(root: Path, request: Request) -> tuple[ContextItem, ...]:
    """What the editor shows: the lines around the focus, the stack trace, the names of open files."""
    from coderag.offer.asking import asked

    query = asked(ContextQuery(request.task, params=request.params), 1)
    items: list[ContextItem] = []
    if query.focus is not None:
        items.append(_around(root, query.focus))
    if query.trace.strip():
        trace = masked(query.trace.strip().encode("utf-8", "replace"))[0].decode()
        items.append(ContextItem("stack trace", content=trace, source="editor:trace"))
    if query.open_files:
        names = "\n".join(map(cleaned_line, query.open_files))
        items.append(ContextItem("open files", content=names, source="editor:open"))
    return tuple(items)


def _around(root: Path, focus: Focus) -> ContextItem:
    found = read_text(root, focus.path)
    last = max(focus.end_line, focus.start_line)
    name = f"{focus.path}:{focus.start_line}" + (f"-{last}" if last > focus.start_line else "")
    if found.reason:
        return ContextItem(
            "focus", content=f"the focus is {cleaned_line(name)}; {found.reason}", source=f"editor:{name}"
        )
    lines = found.text.split("\n")
    first = min(max(focus.start_line - LINES_AROUND, 1), max(len(lines), 1))
    shown = lines[first - 1 : last + LINES_AROUND]
    while shown and not shown[-1].strip():
        shown.pop()
    head = f"the focus is {cleaned_line(name)}; lines {first} to {first + len(shown) - 1} of the file:"
    return ContextItem("focus", content="\n".join([head, *shown]), source=f"editor:{name}")


# Records


def record_of(index: Index, request: Request, payload: Payload, configuration: Configuration | None = None) -> Record:
    """A payload with how it came to be, for `write_record`: with the signals of everything that was found."""
    return Record(
        _explained(payload, _reasons(index, request)),
        request.to_dict(),
        None if configuration is None else configuration.to_dict(),
        index.snapshot().generation,
    )


def replayed(index: Index, record: Record) -> Record:
    """The request of a record asked again, of the index and by the configuration of today.

    Raises:
        ContextError: the record has no request; and as `build_payload`.
    """
    if not record.request:
        raise ContextError(f"{record.path}: the record does not say what was asked, so it cannot be replayed")
    request = Request.from_dict(record.request)
    if record.configuration is None:
        assembly = _retrieved(index, request, _tokens(request), True, estimate_tokens, {})
        return record_of(index, request, code_payload(request, assembly))
    configuration = load_configuration(index.root) or default_configuration()
    return record_of(index, request, build_payload(index, request, configuration), configuration)


def _tokens(request: Request) -> int:
    return request.budget or ContextPolicy.named(request.policy).budget.max_tokens


def code_payload(request: Request, assembly: ContextAssembly, *, count: TokenCounter = estimate_tokens) -> Payload:
    """What the index alone gave for a request, as a payload of one layer that has no window; its text is that of the assembly."""
    form = form_named(request.form)
    body = assembly.render(form)
    tokens = count(body) if body else 0
    block = PayloadBlock(
        "retrieved_code",
        Source.INDEX.value,
        body,
        tokens,
        limit=_tokens(request),
        share=_tokens(request),
        parts=parts_of(assembly, form, count),
        opening=LABEL,
        left_out=left_out_of(assembly),
        notes=assembly.notes,
        is_framed=False,
    )
    return Payload((block,), tokens=tokens)


def _reasons(index: Index, request: Request) -> dict[str, tuple[Mapping[str, Any], ...]]:
    """Every signal of every hit, by the id of its chunk."""
    from coderag.offer.asking import asked

    if request.is_empty:
        return {}
    query = asked(ContextQuery(request.task, params=request.params), _EXPLAINED)
    return {
        hit.chunk.id: tuple(
            {"name": each.name, "value": each.value, "contribution": each.contribution, "why": each.why}
            for each in hit.reasons
        )
        for hit in index.search(query).hits
    }


def _explained(payload: Payload, reasons: Mapping[str, tuple[Mapping[str, Any], ...]]) -> Payload:
    def explained(block: PayloadBlock) -> PayloadBlock:
        return replace(block, parts=tuple(_with_reasons(part, reasons) for part in block.parts))

    return replace(
        payload,
        blocks=tuple(explained(each) if each.source == Source.INDEX else each for each in payload.blocks),
    )


def _with_reasons(part: Part, reasons: Mapping[str, tuple[Mapping[str, Any], ...]]) -> Part:
    return part if part.reasons else replace(part, reasons=reasons.get(part.id, ()))
