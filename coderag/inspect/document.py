"""An inspection as the JSON that the page reads. Equal inspections give equal documents; names that repeat are numbers.

Every text is made visible here: what would hide or reorder others in a browser too is written as an escape.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from coderag.assemble.documents import plain
from coderag.assemble.payload import LeftOut, Part, Payload, PayloadBlock
from coderag.inspect.families import FAMILIES, OTHER, family_of
from coderag.inspect.lexicon import lexicon
from coderag.inspect.values import Candidate, Connection, Inspection, Neighbourhood
from coderag.recall.terms import query_terms
from coderag.visible import visible

VERSION: Final = 1


def document(found: Inspection) -> dict[str, Any]:
    """The document of an inspection."""
    names = _signal_names(found.candidates)
    return {
        "version": VERSION,
        "request": _visible(plain(found.request)),
        "focus": visible(found.focus),
        "record": visible(found.record),
        "generation": found.generation,
        "bias": found.bias,
        "total": found.total,
        "notes": [visible(note) for note in found.notes],
        "words": _words(str(found.request.get("task", ""))),
        "recallers": [[name, number] for name, number in found.recallers],
        "families": [[each.name, each.about] for each in (*FAMILIES, OTHER)],
        "signals": [[name, family_of(name)] for name in names],
        "languages": {name: _lexicon(name) for name in sorted({each.language for each in found.candidates} - {""})},
        "candidates": [_candidate(each, names) for each in found.candidates],
        "graph": _graph(found.neighbourhood),
        "payload": _payload(found.payload),
    }


def _visible(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value.replace("\r\n", "\n"))
    if isinstance(value, Mapping):
        return {visible(str(key)): _visible(each) for key, each in value.items()}
    return [_visible(each) for each in value] if isinstance(value, list | tuple) else value


def _signal_names(candidates: Iterable[Candidate]) -> dict[str, int]:
    """The signals that say something, by family and name, each with its number."""
    names = {signal.name for each in candidates for signal in each.signals}
    return {name: number for number, name in enumerate(sorted(names, key=lambda name: (family_of(name), name)))}


def _words(task: str) -> list[str]:
    """What the words of the question begin with, without their endings; the page marks them in code."""
    return sorted(term for term in query_terms(task).terms if len(term) > 2)


def _lexicon(language: str) -> dict[str, Any]:
    found = lexicon(language)
    return {
        "keywords": list(found.keywords),
        "comments": [list(marks) for marks in found.comments],
        "quotes": list(found.quotes),
    }


def _candidate(each: Candidate, names: Mapping[str, int]) -> dict[str, Any]:
    return {
        "id": visible(each.id),
        "rank": each.rank,
        "score": each.score,
        "path": visible(each.path),
        "symbol": visible(each.symbol),
        "kind": each.kind,
        "language": each.language,
        "lines": [each.start_line, each.end_line],
        "text": _visible(each.text),
        "signals": [
            [names[signal.name], signal.value, signal.contribution, visible(signal.why)] for signal in each.signals
        ],
        "proposals": [[proposal.recaller, proposal.rank, visible(proposal.why)] for proposal in each.proposals],
        "stale": each.is_stale,
    }


def _graph(found: Neighbourhood) -> dict[str, Any]:
    numbers = {node.id: number for number, node in enumerate(found.nodes)}
    return {
        "nodes": [
            {
                "id": visible(node.id),
                "path": visible(node.path),
                "line": node.line,
                "symbol": visible(node.symbol),
                "kind": node.kind,
                "hit": node.is_hit,
                "more": list(node.more),
            }
            for node in found.nodes
        ],
        "edges": [_edge(each, numbers) for each in found.connections],
    }


def _edge(each: Connection, numbers: Mapping[str, int]) -> list[Any]:
    ends = [numbers[each.source], numbers[each.target]]
    return [*ends, each.kind.value, each.confidence.value, each.weight, visible(each.name), list(each.lines[:5])]


def _payload(payload: Payload) -> dict[str, Any]:
    return {
        "tokens": payload.tokens,
        "window": payload.window,
        "reserve": payload.reserve,
        "blocks": [_block(block) for block in payload.blocks],
    }


def _block(block: PayloadBlock) -> dict[str, Any]:
    return {
        "layer": visible(block.layer),
        "source": visible(block.source),
        "tokens": block.tokens,
        "limit": block.limit,
        "share": block.share,
        "cacheable": block.cacheable,
        "fixed": block.fixed,
        "parts": [_part(part) for part in block.parts],
        "left_out": [_left_out(each) for each in block.left_out],
        "notes": [visible(note) for note in block.notes],
        "text": pieces(block),
    }


def _part(part: Part) -> dict[str, Any]:
    known = part.detail.get("metadata")
    known = known if isinstance(known, Mapping) else {}
    role, why = (known.get(f"coderag.{name}") for name in ("role", "why"))
    return {
        "id": visible(part.id),
        "tokens": part.tokens,
        "score": plain(part.score),
        "role": visible(role) if isinstance(role, str) else "",
        "why": visible(why) if isinstance(why, str) else "",
    }


def _left_out(each: LeftOut) -> dict[str, Any]:
    return {"id": visible(each.id), "rule": visible(each.rule), "tokens": each.tokens, "score": plain(each.score)}


def pieces(block: PayloadBlock) -> list[list[Any]]:
    """What a block sends, in pieces that are one after the other: each with the number of its part, -1 for what is around parts."""
    text, position = block.text, 0
    found: list[list[Any]] = []
    for number, part in enumerate(block.parts):
        start = text.find(part.text, position) if part.text else -1
        if start >= 0:
            found += [[text[position:start], -1], [part.text, number]]
            position = start + len(part.text)
    found.append([text[position:], -1])
    return [[visible(piece), number] for piece, number in _not_empty(found)]


def _not_empty(found: Sequence[list[Any]]) -> list[list[Any]]:
    return [each for each in found if each[0]]
