"""Text of a repository made harmless to read: no character in it can steer a terminal, hide or reorder what stands beside it.

Knows text alone. Refuses nothing: what cannot be shown is written as an escape.
"""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
"""Controls, terminal escapes, marks that reorder or hide text, and bytes that are not text."""


def visible(text: str) -> str:
    """The text with every character that a terminal would obey written as an escape; line feeds and tabs stay."""
    return _UNSAFE.sub(_escaped, text)


def visible_line(text: str) -> str:
    """As `visible`, and in one line."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    if 0xDC80 <= code <= 0xDCFF:  # a byte that was not UTF-8, as os.fsdecode keeps it
        code -= 0xDC00
    return {0x0D: "\\r"}.get(code, f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
