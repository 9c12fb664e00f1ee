"""Names with types: parameters, fields, variables and receivers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from tree_sitter import Node

from coderag.languages import Language
from coderag.parse.text import MAX_RECEIVER, SEPARATORS, Text, extent, one_line
from coderag.types import Binding, Reference, Symbol

_ARGUMENTS_AT_END = re.compile(r"(?<=\w)\([^()]*\)$")


def bindings_of(
    source: Text, row: Language, matches: Iterable[dict[str, list[Node]]], known_in: Callable[[Node], int]
) -> tuple[Binding, ...]:
    """Names with types; `@binding.same` copies the type of a name that the same scope knows."""
    known: dict[tuple[int, str], str] = {}
    for captures in matches:
        names = captures.get("binding.name")
        if names is None:
            continue
        scope = known_in(names[0])
        same = captures.get("binding.same")
        if same:
            written = known.get((scope, source.cut(*extent(same[0]))), "")
        else:
            written = _ARGUMENTS_AT_END.sub("", one_line(source.cut(*extent(captures["binding.type"][0]))))
        for name in names:
            plain = ".".join(SEPARATORS.split("".join(source.cut(*extent(name)).split())))
            if row.member_mark and plain.startswith(row.member_mark):
                plain = f"{row.self_names[0]}.{plain.lstrip(row.member_mark)}"
            if written and len(written) <= MAX_RECEIVER:
                known.setdefault((scope, plain), written)
    return tuple(Binding(scope, name, written) for (scope, name), written in known.items())


def untyped_receivers(
    row: Language,
    symbols: list[Symbol],
    references: Iterable[Reference],
    bindings: Iterable[Binding],
    visible: dict[int, frozenset[bytes]],
) -> Iterator[Binding]:
    """Local names that members are asked of and whose type is not known: they hide what has the same name outside."""
    known = {(binding.scope, binding.name) for binding in bindings}
    for reference in references:
        root = reference.receiver.partition(".")[0].removesuffix("()")
        if not root or root in row.self_names or root.encode() not in visible[reference.scope]:
            continue
        scope = reference.scope
        while scope >= 0 and (scope, root) not in known:
            scope = symbols[scope].parent
        if scope < 0:
            known.add((reference.scope, root))
            yield Binding(reference.scope, root, "")
