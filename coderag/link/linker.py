"""One file's references, imports, bases and declarations as links to definitions, each with how sure it is.

Pure: the same universe gives the same links, whichever files were linked before. Languages are rows of `LinkRules`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from coderag.link.guess import MOST_CANDIDATES, TYPE_USES, Cause, Guesses, best_fitting
from coderag.link.resolve import Meaning, Resolver
from coderag.link.rules import LinkRules
from coderag.link.universe import Library, Universe
from coderag.link.view import View, last_part
from coderag.types import (
    CALLABLE_KINDS,
    CONTAINER_KINDS,
    Confidence,
    Definition,
    EdgeKind,
    Import,
    Kind,
    Link,
    Reference,
    ReferenceKind,
    Symbol,
)

EDGE_OF = {
    ReferenceKind.CALL: EdgeKind.CALLS,
    ReferenceKind.NEW: EdgeKind.CALLS,
    ReferenceKind.READ: EdgeKind.REFERS,
    ReferenceKind.TYPE: EdgeKind.TYPES,
    ReferenceKind.INHERIT: EdgeKind.INHERITS,
    ReferenceKind.IMPLEMENT: EdgeKind.IMPLEMENTS,
    ReferenceKind.PASS: EdgeKind.PASSES,
    ReferenceKind.TABLE: EdgeKind.VIA_TABLE,
}
_ORDER = {confidence: place for place, confidence in enumerate(Confidence)}
_INSTANCES = frozenset({ReferenceKind.CALL, ReferenceKind.NEW})
_HANDED_ON = frozenset({EdgeKind.PASSES, EdgeKind.VIA_TABLE})  # what is no function is only mentioned there
_RUNNABLE = CALLABLE_KINDS | CONTAINER_KINDS
_TABLE_KINDS = frozenset({Kind.CONSTANT, Kind.VARIABLE, Kind.FIELD})


@dataclass(frozen=True, slots=True)
class Target:
    """Where a name leads: definitions that share the weight, or a module when `module` is not ""."""

    definitions: tuple[Definition, ...]
    confidence: Confidence
    module: str = ""


_Key = tuple[int, str, int, EdgeKind, str]


class _Links:
    """Links of one file while they are being gathered, one per (source, path, target, kind, name)."""

    def __init__(self) -> None:
        self._found: dict[_Key, tuple[Confidence, float, tuple[int, ...]]] = {}

    def add(self, source: int, target: Target, kind: EdgeKind, name: str, lines: tuple[int, ...]) -> None:
        definitions = target.definitions
        if len(definitions) == 1:
            only = definitions[0]
            self._add((source, only.path, only.index, kind, name), (target.confidence, 1.0, lines))
            return
        for each in definitions:
            value = (Confidence.AMBIGUOUS, 1.0 / len(definitions), lines)
            self._add((source, each.path, each.index, kind, name), value)
        if target.module:
            self._add((source, target.module, -1, kind, name), (target.confidence, 1.0, lines))

    def _add(self, key: _Key, value: tuple[Confidence, float, tuple[int, ...]]) -> None:
        before = self._found.setdefault(key, value)
        if before is not value:
            best = min(before, value, key=lambda each: _ORDER[each[0]])
            self._found[key] = (best[0], best[1], tuple(sorted({*before[2], *value[2]})))

    def sorted(self) -> tuple[Link, ...]:
        return tuple(
            Link(source, path, target, kind, confidence, weight, name, lines)
            for (source, path, target, kind, name), (confidence, weight, lines) in sorted(self._found.items())
        )


class Linker:
    """Links files of one universe; remembers what files have in common. One per update: the universe must not change."""

    def __init__(self, universe: Universe, rules: Mapping[str, LinkRules]) -> None:
        self._library = Library(universe, rules)
        self._resolver = Resolver(self._library)
        self._universe = universe
        self._guesses = Guesses(self._library)
        self._constructed: dict[tuple[str, int], tuple[Definition, ...]] = {}
        self._handlers: dict[str, dict[int, list[Target]]] = {}
        self._causes: dict[str, Counter[Cause]] = {}

    def link(self, path: str) -> tuple[Link, ...]:
        """The links that leave a file, sorted; none for a language without a row."""
        if self._library.rules(path) is None:
            return ()
        view = self._library.view(path)
        links = _Links()
        causes = self._causes[path] = Counter()
        self._link_references(view, links, causes)
        self._link_imports(view, links)
        self._link_structure(view, links)
        return links.sorted()

    def unresolved(self, path: str) -> Mapping[Cause, int]:
        """How many references of a linked file have no link, by cause."""
        return dict(self._causes.get(path, {}))

    def unresolved_total(self) -> Mapping[Cause, int]:
        """How many references of all files linked so far have no link, by cause."""
        total: Counter[Cause] = Counter()
        for counts in self._causes.values():
            total.update(counts)
        return {cause: total[cause] for cause in Cause if total[cause]}

    # References

    def _link_references(self, view: View, links: _Links, causes: Counter[Cause]) -> None:
        bare: dict[tuple[int, str, ReferenceKind], Target | Cause | None] = {}
        for reference in view.parsed.references:
            if reference.receiver:
                target = self._find_member(view, reference)
            else:
                key = (view.anchors[reference.scope], reference.name, reference.kind)
                if key not in bare:
                    bare[key] = self._find_bare(view, reference)
                target = bare[key]
            if isinstance(target, Cause):
                causes[target] += 1
            elif target is not None:
                self._link_target(view, reference, target, links)

    def _link_target(self, view: View, reference: Reference, target: Target, links: _Links) -> None:
        use, definitions = reference.kind, target.definitions
        kind = EDGE_OF[use]
        if kind is EdgeKind.CALLS:
            if self._library.is_test(view.path) and not all(self._library.is_test(d.path) for d in definitions):
                kind = EdgeKind.TESTS
        elif kind in _HANDED_ON and not all(d.kind in _RUNNABLE for d in definitions):
            kind = EdgeKind.REFERS
        if kind is EdgeKind.REFERS:
            target = _without(target, view.path, reference.scope)
        links.add(reference.scope, target, kind, reference.name, reference.lines)
        kinds = {d.kind for d in definitions}
        if use in _INSTANCES and not kinds.isdisjoint(CONTAINER_KINDS):
            for constructor in self._constructors(target):
                links.add(reference.scope, constructor, kind, reference.name, reference.lines)
        if not kinds.isdisjoint(_TABLE_KINDS):
            self._link_handlers(view, reference, target, links)

    def _find_bare(self, view: View, reference: Reference) -> Target | Cause | None:
        """None for words that need no link (`self`, a module that an import links already)."""
        rules, name = view.rules, reference.name
        if name in rules.self_names or f"{name}()" in rules.super_names:
            return None
        if name in rules.super_names:
            return self._find_above(view, reference.scope)
        meaning = self._resolver.bare(view, reference.scope, name)
        if meaning is not None:
            return self._as_target(meaning, reference.kind)
        if name in rules.builtins:
            return Cause.BUILTIN
        return _guessed(self._guesses.bare(view, name, reference.kind))

    def _find_member(self, view: View, reference: Reference) -> Target | Cause | None:
        meaning = self._resolver.receiver(view, reference.scope, reference.receiver)
        if meaning is None or not (meaning.external or meaning.modules or meaning.definitions):
            full = self._resolver.by_full_name(view, reference.scope, f"{reference.receiver}.{reference.name}")
            full = full or self._resolver.extension(view, reference.scope, reference.name)
            if full is not None:
                return self._as_target(full, reference.kind)
            if reference.receiver.partition(".")[0].removesuffix("()") in view.rules.builtins:
                return Cause.BUILTIN
            return _guessed(self._guesses.member(view, reference.name, reference.kind))
        if meaning.external:
            found = self._resolver.extension(view, reference.scope, reference.name)
            return self._as_target(found, reference.kind) if found else Cause.EXTERNAL
        found = self._resolver.part(meaning, reference.name)
        found = found or self._resolver.extension(view, reference.scope, reference.name)
        return Cause.MISSING if found is None else self._as_target(found, reference.kind)

    def _find_above(self, view: View, scope: int) -> Target | Cause | None:
        """The member of a base that `super(…)` runs: the one named like the method around it."""
        while scope >= 0 and view.symbols[scope].kind not in CALLABLE_KINDS:
            scope = view.symbols[scope].parent
        types = self._resolver.type_around(view, scope)
        if not types:
            return None
        found = self._resolver.member(Meaning(types, above=True), last_part(view.symbols[scope].name))
        return self._as_target(found, ReferenceKind.CALL) if found and found.definitions else None

    def _as_target(self, meaning: Meaning, kind: ReferenceKind) -> Target | Cause | None:
        if meaning.external:
            return Cause.EXTERNAL
        if meaning.modules and not meaning.definitions:
            found = self._resolver.default(meaning)
            return Target(found.definitions, found.confidence) if found.definitions else None
        definitions = meaning.definitions
        if len(definitions) > 1 or kind in TYPE_USES:
            definitions = best_fitting(definitions, kind)
        if len(definitions) > MOST_CANDIDATES:
            return Cause.MANY
        return Target(definitions, meaning.confidence) if definitions else Cause.MISSING

    def _constructors(self, target: Target) -> Iterator[Target]:
        for definition in target.definitions:
            key = (definition.path, definition.index)
            if key not in self._constructed:
                self._constructed[key] = self._constructor(definition)
            if self._constructed[key]:
                yield Target(self._constructed[key], target.confidence)

    def _constructor(self, definition: Definition) -> tuple[Definition, ...]:
        """The member that making an instance of a type runs."""
        if definition.kind not in CONTAINER_KINDS:
            return ()
        rules = self._library.view(definition.path).rules
        for name in (definition.name,) if rules.constructor_type else rules.constructors:
            found = self._resolver.member(Meaning((definition,)), name)
            if found is not None and found.definitions:
                return found.definitions if len(found.definitions) <= MOST_CANDIDATES else ()
        return ()

    # Tables of handlers

    def _link_handlers(self, view: View, reference: Reference, target: Target, links: _Links) -> None:
        if reference.scope < 0 or view.symbols[reference.scope].kind not in CALLABLE_KINDS:
            return
        for table in target.definitions:
            if table.kind in _TABLE_KINDS:
                for handler in self._table(table.path).get(table.index, ()):
                    found = Target(
                        handler.definitions, max(Confidence.SCOPED, handler.confidence, key=_ORDER.__getitem__)
                    )
                    links.add(reference.scope, found, EdgeKind.VIA_TABLE, reference.name, reference.lines)

    def _table(self, path: str) -> Mapping[int, list[Target]]:
        """The handlers that each table of a file holds."""
        tables = self._handlers.get(path)
        if tables is None:
            tables = self._handlers[path] = {}
            view = self._library.view(path)
            for reference in view.parsed.references:
                if reference.kind is ReferenceKind.TABLE and reference.scope >= 0:
                    find = self._find_member if reference.receiver else self._find_bare
                    target = find(view, reference)
                    if isinstance(target, Target) and all(d.kind in _RUNNABLE for d in target.definitions):
                        tables.setdefault(reference.scope, []).append(target)
        return tables

    # Imports

    def _link_imports(self, view: View, links: _Links) -> None:
        for entry in view.parsed.imports:
            target = self._import_target(view, entry)
            if target is None:
                continue
            name = entry.name if entry.name not in ("", "*") else entry.module
            links.add(entry.scope, target, EdgeKind.IMPORTS, name, (entry.line,))
            if entry.reexport or (entry.scope < 0 and self._library.is_index(view.path)):
                links.add(entry.scope, target, EdgeKind.RE_EXPORTS, name, (entry.line,))

    def _import_target(self, view: View, entry: Import) -> Target | None:
        meaning = self._resolver.imported(view, entry)
        if meaning.definitions:
            return Target(meaning.definitions[:MOST_CANDIDATES], Confidence.EXACT)
        modules = meaning.modules or self._library.files(view, view.module_of(entry))
        return Target((), Confidence.EXACT, modules[0]) if modules else None

    # What the shape of symbols says

    def _link_structure(self, view: View, links: _Links) -> None:
        for index, symbol in enumerate(view.symbols):
            if symbol.kind in CONTAINER_KINDS:
                self._link_part(view, index, links)
            elif symbol.kind in CALLABLE_KINDS:
                self._link_override(view, index, links)
                if symbol.owner:
                    self._link_owner(view, index, links)
                if symbol.declaration and view.rules.declares:
                    self._link_declaration(view, index, links)

    def _link_part(self, view: View, index: int, links: _Links) -> None:
        """An extension or a reopened type to the type."""
        symbol = view.symbols[index]
        own = view.definition(index)
        if symbol.kind is Kind.EXTENSION or symbol.owner:
            found = tuple(d for d in self._resolver.type_around(view, index) if d != own)
        elif view.rules.open_types:
            first = self._resolver.first_part(own)
            found = (first,) if first != own else ()
        else:
            return
        if found:
            links.add(
                index, Target(found, Confidence.SCOPED), EdgeKind.EXTENDS, last_part(symbol.name), (symbol.name_line,)
            )

    def _link_owner(self, view: View, index: int, links: _Links) -> None:
        symbol = view.symbols[index]
        found = self._resolver.type_around(view, index)
        if found:
            links.add(
                index, Target(found, Confidence.SCOPED), EdgeKind.EXTENDS, last_part(symbol.owner), (symbol.name_line,)
            )

    def _link_override(self, view: View, index: int, links: _Links) -> None:
        symbol = view.symbols[index]
        if (
            symbol.owner and view.rules.extension_functions
        ):  # such a function is called by its name, whatever the type has
            return
        types = self._resolver.type_around(view, index)
        if not types or (view.type_scope(symbol.parent) < 0 and not symbol.owner):
            return
        name = last_part(symbol.name)
        found = self._resolver.member(Meaning(types, above=True), name)
        same = self._with_as_many_parameters(symbol, found.definitions) if found is not None else ()
        if found is not None and 0 < len(same) <= MOST_CANDIDATES:
            links.add(index, Target(same, found.confidence), EdgeKind.OVERRIDES, name, (symbol.name_line,))

    def _with_as_many_parameters(self, symbol: Symbol, found: tuple[Definition, ...]) -> tuple[Definition, ...]:
        """Of several overloads those that take as many parameters as the one that overrides, all if none does."""
        if len(found) < 2:
            return found
        wanted = _parameters(symbol.signature)
        symbols = [(d, self._library.view(d.path).symbols[d.index]) for d in found]
        return tuple(d for d, other in symbols if _parameters(other.signature) == wanted) or found

    def _link_declaration(self, view: View, index: int, links: _Links) -> None:
        symbol = view.symbols[index]
        found = self._resolver.definitions_of(view.definition(index))
        if 0 < len(found) <= MOST_CANDIDATES:
            target = Target(found, Confidence.SCOPED)
            links.add(index, target, EdgeKind.DECLARES, last_part(symbol.name), (symbol.name_line,))


def _guessed(found: Iterable[Definition] | Cause) -> Target | Cause:
    return found if isinstance(found, Cause) else Target(tuple(found), Confidence.UNIQUE_NAME)


def _parameters(signature: str) -> int:
    """How many parameters a signature has: commas outside of brackets within its first parentheses."""
    depth, commas, empty = 0, 0, True
    for character in signature[signature.find("(") :]:
        depth += (character in "([{<") - (character in ")]}>")
        if depth <= 0:
            break
        commas += character == "," and depth == 1
        empty = empty and character in "( "
    return 0 if empty else commas + 1


def _without(target: Target, path: str, index: int) -> Target:
    """A target without one symbol: a definition does not refer to itself."""
    kept = tuple(d for d in target.definitions if d.path != path or d.index != index)
    return target if len(kept) == len(target.definitions) else Target(kept, target.confidence, target.module)
