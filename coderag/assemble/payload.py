"""A payload: the whole input of a model as blocks, one for each layer, and everything that is known about how it came to be.

`Payload.text` is what is sent, to the byte. A block's body stands between a line that names its layer and one that ends it; a body
cannot forge either. Values and their JSON only: `layers` builds them, others compare, measure and shrink them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from coderag.assemble.documents import Fields, parsed_json, plain

GAP: Final = "\n\n"
TOOLS: Final = "tools"
INPUT: Final = "input"
"""Names of the blocks that no configuration lists: the definitions of tools come first, the user's input last."""
VERSION: Final = 1
_TAG: Final = re.compile(r"<(/?)(?=layer[\s>])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """One thing in a block that is there as a whole: an item, an entry, a message. `text` is what it adds to the body.

    `score` and `reasons` are those of the ranking; `detail` is what else is known, as plain JSON.
    """

    id: str
    text: str
    tokens: int = 0
    source: str = ""
    score: float | None = None
    reasons: tuple[Mapping[str, Any], ...] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The part as a JSON object."""
        return {
            "id": self.id,
            "source": self.source,
            "tokens": self.tokens,
            "score": self.score,
            "reasons": [dict(reason) for reason in self.reasons],
            "text": self.text,
            **({"detail": plain(self.detail)} if self.detail else {}),
        }

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """The inverse of `to_dict`.

        Raises:
            ContextError: a field is of the wrong form.
        """
        fields = Fields(document, "a part of a payload")
        score = fields.number("score", 0.0) if document.get("score") is not None else None
        return cls(
            fields.text("id"),
            fields.text("text", ""),
            fields.count("tokens", 0),
            fields.text("source", ""),
            score,
            tuple(Fields(reason, "a reason").rest() for reason in fields.list("reasons")),
            fields.mapping("detail"),
        )


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that could have been in a block and is not, and the rule that kept it out."""

    id: str
    rule: str
    tokens: int = 0
    score: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """As a JSON object."""
        return {"id": self.id, "rule": self.rule, "tokens": self.tokens, "score": self.score}

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """The inverse of `to_dict`.

        Raises:
            ContextError: a field is of the wrong form.
        """
        fields = Fields(document, "what a payload left out")
        score = fields.number("score", 0.0) if document.get("score") is not None else None
        return cls(fields.text("id"), fields.text("rule", ""), fields.count("tokens", 0), score)


@dataclass(frozen=True, slots=True)
class PayloadBlock:
    """One layer in a payload. `limit` is its limit by design, `share` what it could take this time, both in tokens of its body.

    A body is its `parts` one after the other, with `opening` before and `gap` between them, where it has parts.
    """

    layer: str
    source: str
    body: str = ""
    tokens: int = 0
    cacheable: bool = False
    fixed: bool = False
    limit: int = 0
    share: int = 0
    parts: tuple[Part, ...] = ()
    opening: str = ""
    gap: str = GAP
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    is_framed: bool = True

    @property
    def text(self) -> str:
        """The body between its lines, or without them where it stands alone; nothing for an empty body."""
        return framed(self.layer, self.body) if self.body and self.is_framed else self.body

    def of_parts(self, parts: tuple[Part, ...]) -> Self:
        """The block with some of its parts alone."""
        texts = (
            [self.opening, *(part.text for part in parts)] if self.opening and parts else [part.text for part in parts]
        )
        return replace(self, parts=parts, body=self.gap.join(texts))

    def to_dict(self) -> dict[str, Any]:
        """The block as a JSON object; `text` only where the parts do not say it already."""
        return {
            "layer": self.layer,
            "source": self.source,
            "cacheable": self.cacheable,
            "fixed": self.fixed,
            "limit": self.limit,
            "share": self.share,
            "tokens": self.tokens,
            "opening": self.opening,
            "gap": self.gap,
            "parts": [part.to_dict() for part in self.parts],
            "left_out": [each.to_dict() for each in self.left_out],
            "notes": list(self.notes),
            **({} if self.is_framed else {"framed": False}),
            **({"text": self.body} if self.body != self.of_parts(self.parts).body else {}),
        }

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """The inverse of `to_dict`.

        Raises:
            ContextError: a field is of the wrong form.
        """
        fields = Fields(document, "a block of a payload")
        text = fields.text("text", "")
        block = cls(
            fields.text("layer"),
            fields.text("source", ""),
            text,
            fields.count("tokens", 0),
            fields.flag("cacheable", False),
            fields.flag("fixed", False),
            fields.count("limit", 0),
            fields.count("share", 0),
            tuple(map(Part.from_dict, fields.list("parts"))),
            fields.text("opening", ""),
            fields.text("gap", GAP),
            tuple(map(LeftOut.from_dict, fields.list("left_out"))),
            tuple(map(str, fields.list("notes"))),
            fields.flag("framed", True),
        )
        return block if "text" in document else block.of_parts(block.parts)


@dataclass(frozen=True, slots=True)
class Payload:
    """The blocks in order. `window` and `reserve` are tokens; `tokens` is what `text` has."""

    blocks: tuple[PayloadBlock, ...] = ()
    window: int = 0
    reserve: int = 0
    tokens: int = 0

    @property
    def text(self) -> str:
        """What is sent."""
        texts = [block.text for block in self.blocks if block.body]
        return GAP.join(texts) + "\n" if texts else ""

    @property
    def data(self) -> bytes:
        """What is sent, as UTF-8."""
        return self.text.encode("utf-8", "backslashreplace")

    def block(self, layer: str) -> PayloadBlock | None:
        """The block of a layer, None where the payload has none."""
        return next((block for block in self.blocks if block.layer == layer), None)

    def to_dict(self) -> dict[str, Any]:
        """The payload as a JSON object."""
        return {
            "version": VERSION,
            "window": self.window,
            "reserve_output_tokens": self.reserve,
            "tokens": self.tokens,
            "blocks": [block.to_dict() for block in self.blocks],
        }

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """The inverse of `to_dict`.

        Raises:
            ContextError: a field, or a block, is of the wrong form.
        """
        fields = Fields(document, "a payload")
        return cls(
            tuple(map(PayloadBlock.from_dict, fields.list("blocks"))),
            fields.count("window", 0),
            fields.count("reserve_output_tokens", 0),
            fields.count("tokens", 0),
        )

    def to_json(self) -> str:
        """The payload as a JSON text, equal for equal payloads."""
        return json.dumps(plain(self.to_dict()), ensure_ascii=True, allow_nan=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """The inverse of `to_json`.

        Raises:
            ContextError: it is no JSON, or not that of a payload.
        """
        return cls.from_dict(parsed_json(text, "a payload"))


def framed(layer: str, body: str) -> str:
    """A body between the lines of its layer. Inside of it, what looks like such a line is escaped."""
    inside = _TAG.sub(r"&lt;\1", body)
    return f'<layer name="{layer}">\n{inside}\n</layer>'
