"""The index as a provider of context: from a question to items that an assembler can place.

`asking` reads a context query, `selecting` decides what is offered beside the matches, `presenting` writes a chunk as an item, `provider`
is what hosts are given. Knows a snapshot and search results; asks through functions, and knows no `Index`.

What it promises: one source for each chunk, the same on every machine (`coderag:` and the chunk's id); relevances in [0, 1] that fall
strictly with the ranking; no item is ever required; every item is counted as it will be written; and the types, enumerations and constants
that the offered chunks use are offered too or named as left out.
"""

from coderag.offer.asking import asked
from coderag.offer.presenting import Style
from coderag.offer.provider import IndexProvider, Offering

__all__ = ["IndexProvider", "Offering", "Style", "asked"]
