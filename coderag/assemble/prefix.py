"""How much of two payloads is the same from the first byte on, which is what a provider's cache can serve, and what ended it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from coderag.assemble.payload import GAP, Payload, PayloadBlock
from coderag.assemble.tokens import TokenCounter, estimate_tokens

CACHED_PRICE = 0.1
"""What a token from the cache costs, as a part of what a fresh one costs, unless the caller knows better."""


class LayerState(StrEnum):
    """What a layer of the second payload is, compared with the first."""

    SAME = "same"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class SharedLayer:
    """One layer: how many of its bytes and tokens lie in the shared prefix, of how many that it has in the second payload."""

    layer: str
    state: LayerState
    shared_bytes: int
    bytes: int
    shared_tokens: int
    tokens: int
    cacheable: bool


@dataclass(frozen=True, slots=True)
class SharedPrefix:
    """The prefix that two payloads share. `cost` is that of the second one beside sending it fresh, in [0, 1] at prices up to 1.

    `breaker` is the layer in which the first differing byte lies, "" when there is none; `at` is that byte in the layer's text.
    """

    bytes: int
    tokens: int
    total_bytes: int
    total_tokens: int
    layers: tuple[SharedLayer, ...]
    breaker: str
    at: int
    before: str
    after: str
    cost: float

    @property
    def is_whole(self) -> bool:
        """Whether the payloads are equal to the byte."""
        return not self.breaker


def shared_prefix(
    first: Payload, second: Payload, *, count: TokenCounter = estimate_tokens, cached_price: float = CACHED_PRICE
) -> SharedPrefix:
    """Compare two payloads from the first byte on. `cached_price` is the price of a cached token, that of a fresh one being 1."""
    one, two = first.data, second.data
    shared = _shared(one, two)
    whole = len(one) == len(two) == shared
    breaker, at = ("", 0) if whole else _place(first, second, shared)
    total = _tokens(two, count)
    cached = min(_tokens(two[:shared], count), total)
    layers = tuple(_layer(block, start, shared, first, count) for block, start in _starts(second))
    gone = [block for block in first.blocks if block.body and second.block(block.layer) is None]
    removed = tuple(SharedLayer(block.layer, LayerState.REMOVED, 0, 0, 0, 0, block.cacheable) for block in gone)
    cost = (cached * cached_price + (total - cached)) / total if total else 0.0
    return SharedPrefix(
        shared,
        cached,
        len(two),
        total,
        layers + removed,
        breaker,
        at,
        "" if whole else _around(one, shared),
        "" if whole else _around(two, shared),
        cost,
    )


def _shared(one: bytes, two: bytes) -> int:
    """How many bytes two texts share from the first on; by halving, so that no loop runs over bytes."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == two[low:middle] else (low, middle - 1)
    return low


def _tokens(data: bytes, count: TokenCounter) -> int:
    text = data.decode("utf-8", "ignore")
    return count(text) if text else 0


def _starts(payload: Payload) -> list[tuple[PayloadBlock, int]]:
    """The blocks that are sent, each with the byte at which it begins."""
    found: list[tuple[PayloadBlock, int]] = []
    at = 0
    for block in payload.blocks:
        if block.body:
            found.append((block, at))
            at += len(_data(block)) + len(GAP)
    return found


def _data(block: PayloadBlock) -> bytes:
    return block.text.encode("utf-8", "backslashreplace")


def _place(first: Payload, second: Payload, shared: int) -> tuple[str, int]:
    """The layer, and its byte, at which two payloads part: the first that is not through by then; one that is gone where the second ends."""
    for payload in (second, first):
        for block, start in _starts(payload):
            if shared < start + len(_data(block)):
                return block.layer, max(shared - start, 0)
    return "", 0


def _layer(block: PayloadBlock, start: int, shared: int, first: Payload, count: TokenCounter) -> SharedLayer:
    data = _data(block)
    inside = min(max(shared - start, 0), len(data))
    before = first.block(block.layer)
    if before is None or not before.body:
        state = LayerState.ADDED
    elif before.body != block.body:
        state = LayerState.CHANGED
    else:
        state = LayerState.SAME if inside == len(data) else LayerState.MOVED
    tokens = _tokens(data, count)
    return SharedLayer(
        block.layer, state, inside, len(data), min(_tokens(data[:inside], count), tokens), tokens, block.cacheable
    )


def _around(data: bytes, at: int) -> str:
    """A few words of a text from a byte on."""
    return data[max(at - 20, 0) : at + 40].decode("utf-8", "ignore")
