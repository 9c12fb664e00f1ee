"""Text that is shown to a model: nothing in it may steer a terminal, hide, or reorder what stands around it.

Terminal escapes and control characters are removed; characters that cannot be seen, or that change the order of others, are written as
`<U+202E>`, so that who reads the text knows of them. Line feeds and tabs stay; every other line end becomes a line feed.
"""

from __future__ import annotations

import re
from typing import Final

_ESCAPES: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # titles, links, device strings
    r"|\x1b[ -/]*[0-~]?"
    r"|\x9b[0-?]*[ -/]*[@-~]"
)
_LINE_ENDS: Final = re.compile(r"\r\n?")
_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
_UNSEEN: Final = re.compile(
    "[\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
_SUSPECT: Final = re.compile(f"{_CONTROLS.pattern[:-1]}{_UNSEEN.pattern[1:]}")


def cleaned(text: str) -> str:
    """The text without what could act on who reads it. Plain text comes back as it is."""
    if not _SUSPECT.search(text):
        return text
    text = _CONTROLS.sub("", _ESCAPES.sub("", _LINE_ENDS.sub("\n", text)))
    return _UNSEEN.sub(lambda match: f"<U+{ord(match.group()):04X}>", text)


def cleaned_line(text: str) -> str:
    """As `cleaned`, and in one line."""
    return " ".join(cleaned(text).split())
