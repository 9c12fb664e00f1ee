"""What reaches the terminal. Text of a repository is data: nothing in it may move the cursor, colour, hide or reorder anything.

Plain text needs only the standard library; rich is imported when there is a terminal to colour.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from coderag.visible import visible, visible_line

if TYPE_CHECKING:
    from rich.console import Console


def say(message: str) -> None:
    """One line for the person at the terminal, apart from the answer."""
    print(f"coderag: {visible_line(message)}", file=sys.stderr, flush=True)


def print_json(value: Any) -> None:
    """One object; ASCII, so that every path and every text survives every terminal and pipe."""
    print(json.dumps(value, ensure_ascii=True, indent=2 if sys.stdout.isatty() else None))


class Screen(Protocol):
    """Where an answer is written."""

    def line(self, *pieces: str | tuple[str, str]) -> None:
        """Write a line of pieces, each a text or (text, style)."""

    def code(self, text: str, language: str, first_line: int | None) -> None:
        """Write source, with line numbers from `first_line` on where they are known."""


def screen(no_color: bool) -> Screen:
    """A coloured screen on a terminal that may be coloured, a plain one otherwise."""
    plain = no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty()
    return _Plain() if plain else _Coloured()


class _Plain:
    def line(self, *pieces: str | tuple[str, str]) -> None:
        print(visible_line("".join(piece if isinstance(piece, str) else piece[0] for piece in pieces)))

    def code(self, text: str, language: str, first_line: int | None) -> None:
        for offset, line in enumerate(visible(text).split("\n")):
            number = "" if first_line is None else first_line + offset
            print(f"{number:>6} | {line}".rstrip() if line else f"{number:>6} |")


_STYLES: Mapping[str, str] = {"place": "bold cyan", "name": "bold", "quiet": "dim", "warning": "yellow"}


class _Coloured:
    def __init__(self) -> None:
        from rich.console import Console

        self._console: Console = Console(markup=False, highlight=False, emoji=False, soft_wrap=True)

    def line(self, *pieces: str | tuple[str, str]) -> None:
        from rich.text import Text

        text = Text()
        for piece in pieces:
            words, style = (piece, "") if isinstance(piece, str) else piece
            text.append(visible_line(words), _STYLES.get(style, style))
        self._console.print(text)

    def code(self, text: str, language: str, first_line: int | None) -> None:
        from rich.padding import Padding
        from rich.syntax import Syntax

        shown = Syntax(
            visible(text),
            language,
            theme="ansi_dark",
            background_color="default",
            line_numbers=first_line is not None,
            start_line=first_line or 1,
            word_wrap=True,
        )
        self._console.print(Padding(shown, (0, 0, 0, 2)), soft_wrap=False)


def plural(number: int, singular: str, many: str = "") -> str:
    """`1 file`, `1,234 files`."""
    return f"{number:,} {singular if number == 1 else many or singular + 's'}"


def shortened(text: str, characters: int = 100) -> str:
    """The beginning of a long text."""
    return text if len(text) <= characters else text[: characters - 1] + "…"


def size(number: int) -> str:
    """Bytes for reading: `512 B`, `1.2 MB`."""
    value = float(number)
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" or value >= 100 else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"
