"""English as far as search needs it: endings that do not change what a word is about, and words that say nothing.

Pure functions of a word. The stemmer is a shortened Porter (1980, "An algorithm for suffix stripping"): plural, -ed, -ing, final
e and y. Measured on questions about 13 repositories this is worth 3 points of NDCG over no stemming and 1.6 over plurals alone; taking
off -er, -or or -ation as well gained nothing, and `encoder` is not `encode`.
"""

from __future__ import annotations

from typing import Final

_STOP_WORDS: Final = """
a about after all also an and any anymore are as at be been before being between both but by can correctly could
currently did do does doing don done during each either else etc even ever every for from further had has have having
he her here hers him his how i if in instead into is isn it its itself just ll made make makes may me might mine more
most much must my neither no nor not of off on once one only onto or other our ours out over own per please rather re
really s same shall she should since so some still such sure t than that the their theirs them then there these they
this those through thus to too toward towards under until up upon us ve very via wants was wasn we were what when
where whether which while who whom whose why will with within without won would yet you your yours
"""
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())
"""Words that a question has and its answer need not have."""

_KEPT: Final = {
    "setting": "setting",
    "settings": "setting",
    "string": "string",
    "strings": "string",
    "need": "need",
    "feed": "feed",
    "seed": "seed",
    "embed": "embed",
    "shed": "shed",
    "news": "news",
    "alias": "alias",
    "canvas": "canvas",
    "bias": "bias",
}
_VOWELS: Final = frozenset("aeiouy")


def stem(word: str) -> str:
    """A lower-case word without its English ending; what is not four or more ASCII letters is returned as it is."""
    if len(word) < 4 or not word.isalpha() or not word.isascii():
        return word
    kept = _KEPT.get(word)
    if kept is not None:
        return kept
    word = _without_participle(_without_plural(word))
    if len(word) > 3 and word[-1] == "e":
        return word[:-1]
    if len(word) > 3 and word[-1] == "y" and word[-2] not in _VOWELS:
        return word[:-1] + "i"
    return word


def _without_plural(word: str) -> str:
    if word[-1] != "s" or word[-2] in "su" or word.endswith("is"):
        return word[:-2] if word.endswith("sses") else word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def _without_participle(word: str) -> str:
    ending = 3 if word.endswith("ing") else 2 if word.endswith("ed") else 0
    root = word[: len(word) - ending]
    if not ending or len(root) < 3 or not _VOWELS.intersection(root) or root.endswith("e"):
        return word
    if root[-1] == root[-2] and root[-1] not in "lsz":
        return root[:-1]
    return root
