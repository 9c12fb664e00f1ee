"""A universe made of small sources, and links written as short lines that can be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coderag.languages import detect_language
from coderag.link import LINK_RULES, Linker
from coderag.link.view import definition_of
from coderag.parse import parse
from coderag.types import Definition, EdgeKind, Link, Parsed


class Sources:
    """Files given as text; parsed when they are made."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._languages = {path: detect_language(path, text.encode()) for path, text in files.items()}
        self._parsed = {path: parse(text.encode(), self._languages[path]) for path, text in files.items()}
        self._named: dict[str, list[Definition]] = {}
        for path in sorted(files):
            for index in range(len(self._parsed[path].symbols)):
                definition = definition_of(path, self._parsed[path], index)
                self._named.setdefault(definition.name, []).append(definition)

    def paths(self) -> Sequence[str]:
        return sorted(self._parsed)

    def language(self, path: str) -> str:
        return self._languages[path]

    def parsed(self, path: str) -> Parsed:
        return self._parsed[path]

    def named(self, name: str) -> Sequence[Definition]:
        return self._named.get(name, ())

    def label(self, path: str, index: int) -> str:
        """`path:qualified name`, with `~n` for the n-th of that name; `path` for the module."""
        if index < 0:
            return path
        symbols = self._parsed[path].symbols
        name = symbols[index].qualified_name
        ordinal = sum(symbol.qualified_name == name for symbol in symbols[: index + 1])
        return f"{path}:{name}" if ordinal == 1 else f"{path}:{name}~{ordinal}"


def all_links(sources: Sources) -> dict[str, tuple[Link, ...]]:
    """The links of every file."""
    linker = Linker(sources, LINK_RULES)
    return {path: linker.link(path) for path in sources.paths()}


def written(sources: Sources, path: str, link: Link) -> str:
    """`source kind> target (confidence)`."""
    source, target = sources.label(path, link.source), sources.label(link.path, link.target)
    share = "" if link.weight == 1.0 else f" 1/{round(1 / link.weight)}"
    return f"{source} {link.kind}> {target} ({link.confidence}{share})"


def links(files: Mapping[str, str], *kinds: EdgeKind) -> list[str]:
    """All links of the given kinds (default: calls and tests), as sorted lines."""
    sources = Sources(files)
    wanted = kinds or (EdgeKind.CALLS, EdgeKind.TESTS)
    return sorted(
        {
            written(sources, path, link)
            for path, found in all_links(sources).items()
            for link in found
            if link.kind in wanted
        }
    )
