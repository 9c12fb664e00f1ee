"""What a name means where it is used: scopes, imports, types of receivers, members along the hierarchy.

Answers with definitions or modules and a confidence; guesses by name alone are made in `coderag.link.guess`. Every answer is a function of the
universe, never of the order of questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from coderag.link.memo import Memo
from coderag.link.modules import IMPORT_STYLES
from coderag.link.rules import LinkRules, Reach
from coderag.link.type_names import identifiers, type_names
from coderag.link.universe import Library
from coderag.link.view import TYPE_KINDS, View, joined, last_part, plain
from coderag.types import CALLABLE_KINDS, CONTAINER_KINDS, Confidence, Definition, Import, Kind, Symbol, Visibility

WHOLE = "*"
"""The exported name under which a file has a value whose members are what it exports (`module.exports = table`, `return M`)."""
OPEN_PARENTS = frozenset({None, Kind.MODULE})


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name stands for: definitions, or the files of a module. Nothing of both: known, but not to be found here.

    `external`: it lies outside of the repository. `above`: only members of the bases are meant. `parts` of the answer are alternatives.
    """

    definitions: tuple[Definition, ...] = ()
    modules: tuple[str, ...] = ()
    confidence: Confidence = Confidence.EXACT
    external: bool = False
    above: bool = False


EXTERNAL = Meaning(external=True)
LOST = Meaning()
_TYPES = CONTAINER_KINDS | {Kind.TYPE_ALIAS}
_OWNERS = _TYPES | {Kind.VARIABLE, Kind.CONSTANT, Kind.FUNCTION}  # a table or a function can have members, too
_VALUES = frozenset({Kind.VARIABLE, Kind.CONSTANT})
_Step = tuple[str, str] | Meaning


class Resolver:
    """Resolves names in files of one universe; remembers what it found."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._memo = Memo()

    # Bare names

    def bare(self, view: View, scope: int, name: str) -> Meaning | None:
        """What a name without a receiver means in a scope; None when nothing in scope has it."""
        anchor = view.anchors[scope]
        return self._memo.get(("bare", view.path, anchor, name), self._bare, view, anchor, name)

    def _bare(self, view: View, scope: int, name: str) -> Meaning | None:
        chain = view.chain(scope)
        for current in chain:
            found = self._in_scope(view, current, name)
            if found is not None:
                return found
        for current in () if view.rules.shows_imports else chain:
            for star in view.stars.get(current, ()):
                found = self._through_star(view, star, name)
                if found is not None:
                    return found
        return self._in_reach(view, scope, name)

    def _in_scope(self, view: View, scope: int, name: str) -> Meaning | None:
        indices = view.members(scope).get(name, ())
        entries: Sequence[Import] = view.imports.get(scope, {}).get(name, ())
        # A name that is imported and assigned to as well has its value from the import: the rest is what to do without it.
        if indices and not (entries and all(view.symbols[index].kind in _VALUES for index in indices)):
            return self._own(view, indices)
        for entry in entries:
            brought = self.imported(view, entry)
            if brought.definitions or brought.modules or (entry is entries[-1] and not indices):
                return brought
        if indices:
            return self._own(view, indices)
        if scope == -1 and name in view.long_imports:
            files = self.library.files(view, name)
            return Meaning(modules=files) if files else EXTERNAL
        if scope >= 0 and view.rules.members_in_scope and self._has_members(view.symbols[scope]):
            found = self.member(Meaning(self.type_around(view, scope)), name)
            if found is not None and found.definitions:
                return replace(found, confidence=Confidence.SCOPED)
        return None

    @staticmethod
    def _has_members(symbol: Symbol) -> bool:
        return symbol.kind in TYPE_KINDS or bool(symbol.owner)

    def _own(self, view: View, indices: Sequence[int]) -> Meaning:
        found = self._first_parts(view.definition(index) for index in indices)
        return Meaning(self.chosen(found), confidence=Confidence.SCOPED)

    def chosen(self, found: tuple[Definition, ...]) -> tuple[Definition, ...]:
        """Of several definitions of one name, those that count; of declarations alone, what they declare."""
        if len(found) < 2 and not (found and found[0].declaration):
            return found
        found = tuple(d for d in found if not d.declaration) or self._declared(found)
        found = tuple(d for d in found if not self._ignored(d)) or found
        rules = self.library.view(found[0].path).rules
        if rules.keeps_last and len({d.path for d in found}) == 1:
            return found[-1:]
        return found

    def _declared(self, found: tuple[Definition, ...]) -> tuple[Definition, ...]:
        rules = self.library.view(found[0].path).rules
        return (self.definitions_of(found[0]) if rules.declares else ()) or found

    def _ignored(self, definition: Definition) -> bool:
        view = self.library.view(definition.path)
        decorators = view.symbols[definition.index].decorators
        return any(_decorator_name(text) in view.rules.ignored_decorators for text in decorators)

    def _in_reach(self, view: View, scope: int, name: str) -> Meaning | None:
        rules = view.rules
        if rules.shows_imports:
            found = self._included(view, name)
            if found is not None:
                return found
        if rules.reach is Reach.FILE:
            return None
        if rules.reach is Reach.DIRECTORY:
            folder = view.path.rpartition("/")[0]
            near = [d for d in self.open_definitions(view, name) if d.path.rpartition("/")[0] == folder]
            return self._scoped(near)
        for space in view.namespaces(scope):
            full = joined(space, name)
            found = self._scoped(d for d in self.library.qualified(rules.family, full) if self._reaches(view, d))
            if found is not None:
                return found
        return None

    def _reaches(self, view: View, definition: Definition) -> bool:
        if definition.parent_kind not in OPEN_PARENTS and definition.kind in CALLABLE_KINDS:
            return False
        if view.rules.reach is Reach.REPOSITORY or view.parsed.module or definition.parent_kind is Kind.MODULE:
            return True
        return definition.path.rpartition("/")[0] == view.path.rpartition("/")[0]

    def _scoped(self, found: Iterable[Definition]) -> Meaning | None:
        chosen = self.chosen(self._first_parts(found))
        return Meaning(chosen, confidence=Confidence.SCOPED) if chosen else None

    def _first_parts(self, found: Iterable[Definition]) -> tuple[Definition, ...]:
        """Only the first of the places where one open type is written."""
        kept: dict[tuple[str, str] | Definition, Definition] = {}
        for d in found:
            open_type = d.kind in CONTAINER_KINDS and self.library.view(d.path).rules.open_types
            kept.setdefault(("", d.qualified_name) if open_type else d, d)
        return tuple(kept.values())

    def open_definitions(self, view: View, name: str) -> Iterator[Definition]:
        """Definitions of a name that are not members of a type and can be named from this file."""
        return (d for d in self._open_named(view, name) if d.visibility is not Visibility.FILE or d.path == view.path)

    def _open_named(self, view: View, name: str) -> Iterator[Definition]:
        named = self.library.named(view.rules.family, name)
        return (d for d in named if d.parent_kind in OPEN_PARENTS and not d.owner)

    # Imports and exports

    def imported(self, view: View, entry: Import) -> Meaning:
        """What an import brings in."""
        key = ("import", view.path, entry.scope, entry.module, entry.name)
        return self._memo.get(key, self._imported, view, entry) or LOST

    def _imported(self, view: View, entry: Import) -> Meaning:
        module = view.module_of(entry)
        files = self.library.files(view, module)
        if not entry.name or entry.name == "*":
            return Meaning(modules=files) if files else self._named_module(view, module)
        found = self.exported(files, entry.name) if files else None
        if found is not None:
            return found
        inside = self.library.files(view, _below(view.rules, module, entry.name))
        if inside:
            return Meaning(modules=inside)
        return LOST if files else self._named_module(view, joined(module, entry.name))

    def _named_module(self, view: View, full: str) -> Meaning:
        """What declares itself to have this name; where places of files name modules, a like-named symbol is a coincidence."""
        found = self.library.qualified(view.rules.family, plain(full))
        if not IMPORT_STYLES[view.rules.style].by_declaration:
            found = tuple(d for d in found if self.library.view(d.path).parsed.module)
        chosen = self.chosen(self._first_parts(found))
        return Meaning(chosen) if chosen else EXTERNAL

    def exported(self, files: Iterable[str], name: str) -> Meaning | None:
        """What a name means to those who import it from a module; cycles of re-exports end."""
        files = tuple(files)
        return self._memo.get(("export", files, name), self._exported, files, name)

    def _exported(self, files: tuple[str, ...], name: str) -> Meaning | None:
        waiting: list[_Step] = [(file, name) for file in reversed(files)]
        seen: set[_Step] = set()
        lost: Meaning | None = None
        while waiting:
            step = waiting.pop()
            if isinstance(step, Meaning):
                if step.definitions or step.modules:
                    return step
                lost = lost or step
            elif step not in seen:
                seen.add(step)
                waiting.extend(reversed(list(self._export_steps(*step))))
        return lost

    def _export_steps(self, path: str, name: str) -> Iterator[_Step]:
        """Where to look for an exported name, best first."""
        if self.library.rules(path) is None:
            return
        view = self.library.view(path)
        local = view.exports.get(name, "")
        own = self._exported_definitions(view, name, local)
        if own:
            yield Meaning(own)
        for entry in view.imports.get(-1, {}).get(local or name, ()):
            if view.rules.passes_imports or entry.reexport or local:
                yield from self._steps_through(view, entry)
        inside = self._submodule(view, name)
        if inside:
            yield Meaning(modules=inside)
        for star in view.stars.get(-1, ()):
            if view.rules.passes_imports or star.reexport:
                yield from self._star_steps(view, star, name)

    def _exported_definitions(self, view: View, name: str, local: str) -> tuple[Definition, ...]:
        whole = view.exports.get(WHOLE, "")
        if not local and whole and name == view.rules.default_export:
            local = whole
        if local:
            return self._top_level(view, local)
        found = self.library.at(view.rules.family, name, view.path)
        own = self.chosen(tuple(d for d in found if d.parent_kind is None and not d.owner and _is_shown(d, view.rules)))
        if own or not whole:
            return own
        members = (self.own_member(table, name) for table in self._top_level(view, whole))
        return next((found for found in members if found), ()) or tuple(d for d in found if d.owner == whole)

    def _top_level(self, view: View, name: str) -> tuple[Definition, ...]:
        return self.chosen(tuple(view.definition(index) for index in view.members(-1).get(name, ())))

    def _steps_through(self, view: View, entry: Import) -> Iterator[_Step]:
        files = self.library.files(view, view.module_of(entry))
        if not entry.name or not files:
            yield self.imported(view, entry)
            return
        for file in files:
            yield file, entry.name
        inside = self.library.files(view, _below(view.rules, entry.module, entry.name))
        if inside:
            yield Meaning(modules=inside)

    def _submodule(self, view: View, name: str) -> tuple[str, ...]:
        if not view.rules.submodules:
            return ()
        return self.library.places.module(self.library.places.children(view.path, view.rules) + name, view.rules)

    def _star_steps(self, view: View, star: Import, name: str) -> Iterator[_Step]:
        for file in self.library.files(view, view.module_of(star)):
            if self._star_shows(file, name):
                yield file, name

    def _star_shows(self, file: str, name: str) -> bool:
        if self.library.rules(file) is None:
            return False
        view = self.library.view(file)
        if not view.rules.passes_imports:
            return name != view.rules.default_export
        return name in view.exports if view.exports else not name.startswith("_")

    def _through_star(self, view: View, star: Import, name: str) -> Meaning | None:
        files = tuple(file for file in self.library.files(view, view.module_of(star)) if self._star_shows(file, name))
        if files:
            found = self.exported(files, name)
            return found if found and (found.definitions or found.modules) else None
        full = joined(plain(star.module), name)
        found_named = self.library.qualified(view.rules.family, full)
        return Meaning(self.chosen(self._first_parts(found_named))) if found_named else None

    def _included(self, view: View, name: str) -> Meaning | None:
        """A name that an included file holds; its definition elsewhere when only declared there."""
        near = self.library.included(view.path)
        shown = self._first_parts(d for d in self._open_named(view, name) if d.path in near)
        if len({d.path for d in shown}) > 1:
            shared = {d.path: _shared_directories(d.path, view.path) for d in shown}
            shown = tuple(d for d in shown if shared[d.path] == max(shared.values()))
        shown = self.chosen(shown)
        return Meaning(shown) if shown else None

    def definitions_of(self, declaration: Definition) -> tuple[Definition, ...]:
        """The bodies of a declaration: in a file of the same stem if there is one, else wherever they are."""
        family = self.library.view(declaration.path).rules.family
        found = [
            d
            for d in self.library.named(family, declaration.name)
            if not d.declaration
            and d.kind in CALLABLE_KINDS
            and d.visibility is not Visibility.FILE
            and _same_member(d, declaration)
        ]
        stem = _stem(declaration.path)
        return tuple(d for d in found if _stem(d.path) == stem) or tuple(found)

    # Types and their members

    def type_around(self, view: View, scope: int) -> tuple[Definition, ...]:
        """The type whose members are written at a scope, with everything that an owner or extension stands for."""
        found = view.type_scope(scope)
        if found < 0:
            return ()
        symbol = view.symbols[found]
        if not symbol.owner and symbol.kind is not Kind.EXTENSION:
            return (view.definition(found),)
        meaning = self.dotted(view, symbol.parent, symbol.owner or symbol.name)
        own = (view.definition(found),) if symbol.kind is Kind.EXTENSION else ()
        return self._as_types(meaning, _OWNERS) or own

    def dotted(self, view: View, scope: int, name: str) -> Meaning | None:
        """What a dotted name means when only modules and members that stand in a type itself are followed."""
        first, *rest = plain(name).split(".")
        if view.long_imports.get(first) and rest:
            return self._along_long_import(view, [first, *rest])
        meaning = self.bare(view, scope, first)
        for part in rest:
            if meaning is None or meaning.external:
                return meaning
            meaning = self._direct_member(meaning, part)
        return meaning

    def _direct_member(self, meaning: Meaning, name: str) -> Meaning | None:
        if meaning.modules:
            return self.exported(meaning.modules, name)
        for definition in meaning.definitions:
            found = self.own_member(definition, name)
            if found:
                return Meaning(found)
        return None

    def _along_long_import(self, view: View, parts: Sequence[str]) -> Meaning | None:
        files, used = self.long_module(view, parts)
        meaning: Meaning | None = Meaning(modules=files) if files else EXTERNAL
        for part in parts[used:]:
            if meaning is None or meaning.external:
                return meaning
            meaning = self._direct_member(meaning, part)
        return meaning

    def long_module(self, view: View, parts: Sequence[str]) -> tuple[tuple[str, ...], int]:
        """The files of the longest beginning of a chain that `import a.b.c` has bound, and how many parts it has."""
        for used in range(len(parts), 0, -1):
            prefix = ".".join(parts[:used])
            for entry in view.long_imports.get(parts[0], ()):
                if entry.module == prefix or entry.module.startswith(prefix + "."):
                    files = self.library.files(view, prefix)
                    if files:
                        return files, used
        return (), 1

    def extension(self, view: View, scope: int, name: str) -> Meaning | None:
        """A function written for a type elsewhere that is in scope under its own name (`fun Cart.total()`)."""
        if not view.rules.extension_functions:
            return None
        found = self.bare(view, scope, name)
        owned = tuple(d for d in found.definitions if d.owner) if found else ()
        return replace(found, definitions=owned) if found and owned else None

    def part(self, meaning: Meaning, name: str) -> Meaning | None:
        """What a module exports, or a member of a type, under a name."""
        return self.exported(meaning.modules, name) if meaning.modules else self.member(meaning, name)

    def member(self, meaning: Meaning, name: str) -> Meaning | None:
        """A member of a type or of its bases; EXTERNAL when a base outside of the repository may have it."""
        external = False
        for definition in meaning.definitions:
            line, open_end = self.hierarchy(definition)
            external = external or open_end
            for place, owner in enumerate(line):
                if place == 0 and meaning.above:
                    continue
                found = self.own_member(owner, name)
                if found:
                    confidence = Confidence.EXACT if place == 0 else Confidence.SCOPED
                    return Meaning(found, confidence=confidence)
        return EXTERNAL if external else None

    def own_member(self, owner: Definition, name: str) -> tuple[Definition, ...]:
        """The members of this name that a type has itself, wherever they are written."""
        key = ("own", owner.path, owner.qualified_name, name)
        return self._memo.get(key, self._own_member, owner, name) or ()

    def _own_member(self, owner: Definition, name: str) -> tuple[Definition, ...]:
        rules = self.library.view(owner.path).rules
        full = f"{owner.qualified_name}.{name}"
        known = self.library.members(rules.family, name)
        here = known.places.get((owner.path, full), ())
        there = [d for d in known.owned if self._is_elsewhere(d, owner, full) and self._owned_by(d, owner)]
        if rules.open_types:
            module = self.library.declared(owner.path)
            parts = (d for d in known.nested.get(full, ()) if d.path != owner.path)
            there += [d for d in parts if self.library.declared(d.path) == module]
        return self.chosen(self._first_parts(sorted((*here, *there), key=_place) if there else here))

    @staticmethod
    def _is_elsewhere(member: Definition, owner: Definition, full: str) -> bool:
        """Whether a definition that names an owner may belong to a type although it is not found by its place."""
        in_place = member.path == owner.path and member.qualified_name == full
        return not in_place and last_part(member.owner) == owner.name

    def _owned_by(self, member: Definition, owner: Definition) -> bool:
        view = self.library.view(member.path)
        meaning = self.dotted(view, view.symbols[member.index].parent, member.owner)
        types = self._as_types(meaning, _OWNERS)
        if types:
            return any(d.path == owner.path and d.qualified_name == owner.qualified_name for d in types)
        return sum(d.kind in _TYPES for d in self.library.named(view.rules.family, owner.name)) == 1

    @staticmethod
    def _as_types(meaning: Meaning | None, kinds: frozenset[Kind] = _TYPES) -> tuple[Definition, ...]:
        return tuple(d for d in meaning.definitions if d.kind in kinds) if meaning else ()

    def hierarchy(self, definition: Definition) -> tuple[tuple[Definition, ...], bool]:
        """A type followed by its bases in the order in which members are looked up, and whether some base is unknown."""
        key = ("line", definition.path, definition.index)
        found = self._memo.get(key, self._hierarchy, definition)
        return found if found is not None else ((definition,), False)

    def _hierarchy(self, definition: Definition) -> tuple[tuple[Definition, ...], bool]:
        """Reverse postorder, right to left: bases come after all that inherit from them (C3 wherever C3 and it both exist)."""
        done: dict[tuple[str, str], Definition] = {}
        begun = {_key(definition)}
        unknown = False
        stack: list[tuple[Definition, list[Definition]]] = []
        bases, missing = self.bases(definition)
        stack.append((definition, list(bases)))
        unknown = missing
        while stack:
            current, waiting = stack[-1]
            if not waiting:
                done[_key(current)] = current
                stack.pop()
                continue
            base = waiting.pop()
            if _key(base) not in begun:
                begun.add(_key(base))
                bases, missing = self.bases(base)
                unknown = unknown or missing
                stack.append((base, list(bases)))
        return tuple(reversed(done.values())), unknown

    def bases(self, definition: Definition) -> tuple[tuple[Definition, ...], bool]:
        """The resolved bases that all parts of a type name, and whether one of them could not be resolved."""
        key = ("bases", definition.path, definition.index)
        found = self._memo.get(key, self._bases, definition)
        return found if found is not None else ((), True)

    def _bases(self, definition: Definition) -> tuple[tuple[Definition, ...], bool]:
        found: dict[tuple[str, str], Definition] = {}
        unknown = False
        for part in self._parts(definition):
            view = self.library.view(part.path)
            symbol = view.symbols[part.index]
            for text in symbol.bases:
                names = type_names(text, frozenset())
                meaning = self.dotted(view, symbol.parent, names[0]) if names else None
                meaning = self.default(meaning) if meaning else None
                types = self._as_types(meaning)
                unknown = unknown or (not types and not _is_root(names))
                found.update((_key(d), d) for d in types if _key(d) != _key(definition))
        return tuple(found.values()), unknown

    def default(self, meaning: Meaning) -> Meaning:
        """What stands for a module where a value is needed."""
        if meaning.modules and not meaning.definitions:
            rules = self.library.rules(meaning.modules[0])
            if rules and rules.default_export:
                return self.exported(meaning.modules, rules.default_export) or meaning
        return meaning

    def first_part(self, definition: Definition) -> Definition:
        """The first of the places where an open type is written, extensions aside."""
        parts = [part for part in self._parts(definition) if part.kind is not Kind.EXTENSION]
        return min(parts, key=lambda part: (part.path, part.index), default=definition)

    def _parts(self, definition: Definition) -> Iterator[Definition]:
        """All places where a type is written, itself first."""
        yield definition
        rules = self.library.view(definition.path).rules
        if not rules.open_types:
            return
        yield from self.library.extensions(rules.family, definition.name)
        for d in self.library.named(rules.family, definition.name):
            if d.kind in CONTAINER_KINDS and (d.path, d.index) != (definition.path, definition.index):
                same = d.qualified_name == definition.qualified_name
                if same and self.library.declared(d.path) == self.library.declared(definition.path):
                    yield d

    # Receivers and types of values

    def receiver(self, view: View, scope: int, chain: str) -> Meaning | None:
        """What has the members that are named after a chain; None when it cannot be known."""
        if "?" in chain:
            return None
        return self._memo.get(("value", view.path, scope, chain), self._value, view, scope, chain, False)

    def typed(self, view: View, scope: int, text: str) -> Meaning | None:
        """What has the members of a value whose type is written so; a function stands for what it returns."""
        if not text:
            return None
        if view.bound.isdisjoint(identifiers(text)):  # what a type names depends on the scope only through these
            scope = view.anchors[scope]
        return self._memo.get(("typed", view.path, scope, text), self._typed, view, scope, text)

    def _typed(self, view: View, scope: int, text: str) -> Meaning | None:
        found: dict[tuple[str, str], Definition] = {}
        other: Meaning | None = None
        for name in type_names(text, view.rules.wrappers):
            meaning = self._value(view, scope, name, True)
            if meaning is None or not meaning.definitions:
                other = other or meaning
            else:
                found.update((_key(d), d) for d in meaning.definitions)
        return Meaning(tuple(found.values())) if found else other

    def _value(self, view: View, scope: int, chain: str, called: bool) -> Meaning | None:
        parts = plain(chain).split(".")
        last = len(parts) - 1
        root, first_called = _uncalled(parts[0], called and not last)
        if view.long_imports.get(root) and not self._is_local(view, scope, root):
            files, used = self.long_module(view, parts)
            meaning: Meaning | None = Meaning(modules=files) if files else EXTERNAL
        else:
            used = 1
            meaning = self._root(view, scope, root, first_called)
            if meaning is None and last and not self._is_local(view, scope, root):
                meaning, used = self._qualified_beginning(view, parts)
        for position in range(used, len(parts)):
            if meaning is None or meaning.external:
                return meaning
            name, part_called = _uncalled(parts[position], called and position == last)
            meaning = self._attribute(meaning, name, part_called)
        return meaning

    def _qualified_beginning(self, view: View, parts: Sequence[str]) -> tuple[Meaning | None, int]:
        """The longest beginning of a chain that is the full name of a definition."""
        for used in range(len(parts), 1, -1):
            found = self.library.qualified(view.rules.family, ".".join(parts[:used]))
            if found:
                return self.instance(Meaning(self.chosen(self._first_parts(found))), False), used
        return None, 1

    def by_full_name(self, view: View, scope: int, full: str) -> Meaning | None:
        """What a dotted name that begins at no name in scope means as the full name of a definition."""
        if "?" in full or "(" in full or self._is_local(view, scope, full.partition(".")[0]):
            return None
        found = self.chosen(self._first_parts(self.library.qualified(view.rules.family, plain(full))))
        return Meaning(found) if found else None

    def _is_local(self, view: View, scope: int, name: str) -> bool:
        return any((current, name) in view.bindings for current in view.chain(scope)[:-1])

    def _root(self, view: View, scope: int, name: str, called: bool) -> Meaning | None:
        rules = view.rules
        written = f"{name}()" if called else name
        if written in rules.super_names or name in rules.super_names:
            return Meaning(self.type_around(view, scope), above=True)
        if name in rules.self_names or name in rules.self_types:
            types = self.type_around(view, scope)
            return Meaning(types) if types else self._path_root(view, name)
        for current in view.chain(scope):
            text = view.bindings.get((current, name)) if current >= 0 else None
            if text is not None and name not in view.imports.get(current, ()):
                return self._held(self.typed(view, current, text), called)
            found = self._in_scope(view, current, name)
            if found is not None:
                return self.instance(found, called)
        meaning = self.bare(view, scope, name.lstrip("@"))
        return self.instance(meaning, called) if meaning else self._path_root(view, name)

    def _path_root(self, view: View, name: str) -> Meaning | None:
        """Where paths are written without an import: the module that a first word names (`crate`, `super`, a child)."""
        files = self.library.files(view, name) if view.rules.inline_modules else ()
        return Meaning(modules=files) if files else None

    def instance(self, meaning: Meaning, called: bool) -> Meaning | None:
        """What has the members of a value that a name stands for (of its result, when it is called)."""
        if meaning.external:
            return EXTERNAL
        if meaning.modules:
            return (
                self.instance(self.default(meaning), called) if called and self.default(meaning) != meaning else meaning
            )
        types = tuple(d for d in meaning.definitions if d.kind in CONTAINER_KINDS)
        if types:
            return Meaning(types, confidence=meaning.confidence)
        for definition in meaning.definitions[:1]:
            return self._of_symbol(definition, called)
        return None

    def _of_symbol(self, definition: Definition, called: bool) -> Meaning | None:
        view = self.library.view(definition.path)
        symbol = view.symbols[definition.index]
        if symbol.kind is Kind.ENUM_MEMBER:
            return Meaning(self.type_around(view, symbol.parent))
        if symbol.kind in CALLABLE_KINDS and not called and not self._is_property(view, symbol):
            return None
        has_members = symbol.kind not in CALLABLE_KINDS and definition.index in view.children
        if has_members or (symbol.parent < 0 and definition.name in view.owners):
            return Meaning((definition,))
        if symbol.kind in CALLABLE_KINDS:
            return self.typed(view, definition.index, symbol.type)
        held = self.typed(view, symbol.parent, symbol.type)
        if symbol.kind is Kind.TYPE_ALIAS:
            return held if held is not None and (held.definitions or held.external) else Meaning((definition,))
        return self._held(held, called)

    def _held(self, meaning: Meaning | None, called: bool) -> Meaning | None:
        """What a variable of this type stands for; when it is called, what its call operator returns."""
        if meaning is None or not called or meaning.external:
            return meaning
        for definition in meaning.definitions:
            for name in self.library.view(definition.path).rules.call_members:
                found = self.member(Meaning((definition,)), name)
                if found is not None:
                    return self.instance(found, True)
        return None

    @staticmethod
    def _is_property(view: View, symbol: Symbol) -> bool:
        return any(_decorator_name(text) in view.rules.properties for text in symbol.decorators)

    def _attribute(self, meaning: Meaning, name: str, called: bool) -> Meaning | None:
        if meaning.modules:
            found = self.exported(meaning.modules, name)
            return self.instance(found, called) if found else None
        external = False
        for definition in meaning.definitions:
            line, open_end = self.hierarchy(definition)
            external = external or open_end
            for owner in line[1:] if meaning.above else line:
                members = self.own_member(owner, name)
                value = self.instance(Meaning(members), called) if members else None
                value = value or self._held(self._bound_attribute(owner, name), called)
                if value is not None or members:
                    return value
            if name in self.library.view(definition.path).rules.makers:
                return Meaning((definition,))
            embedded = tuple(base for base in line[1:] if base.name == name)
            if embedded:
                return Meaning(embedded)
        return EXTERNAL if external else None

    def _bound_attribute(self, owner: Definition, name: str) -> Meaning | None:
        view = self.library.view(owner.path)
        for scope, text in view.attributes.get((owner.qualified_name, name), ()):
            found = self.typed(view, scope, text)
            if found is not None:
                return found
        return None


def _uncalled(part: str, called: bool) -> tuple[str, bool]:
    return (part[:-2], True) if part.endswith("()") else (part, called)


def _below(rules: LinkRules, module: str, name: str) -> str:
    separator = "" if module.endswith(".") and module.strip(".") == "" else IMPORT_STYLES[rules.style].separator
    return f"{module}{separator}{name}" if module else name


def _decorator_name(text: str) -> str:
    return last_part(text.lstrip("@").partition("(")[0].strip())


def _key(definition: Definition) -> tuple[str, str]:
    return definition.path, definition.qualified_name


def _place(definition: Definition) -> tuple[str, int]:
    return definition.path, definition.index


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _shared_directories(one: str, other: str) -> int:
    """How many leading directories two paths have in common."""
    pairs = zip(one.split("/")[:-1], other.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _same_member(definition: Definition, declaration: Definition) -> bool:
    if definition.owner or declaration.parent_kind in TYPE_KINDS:
        names = plain(declaration.qualified_name).split(".")
        owner = plain(definition.owner).split(".")[-1] or plain(definition.qualified_name).split(".")[-2:][0]
        return len(names) > 1 and owner == names[-2]
    return definition.parent_kind not in TYPE_KINDS


def _is_shown(definition: Definition, rules: LinkRules) -> bool:
    """Whether another file may name a definition."""
    hidden = (Visibility.FILE, Visibility.PRIVATE) if rules.hides_private else (Visibility.FILE,)
    return definition.visibility not in hidden


def _is_root(names: Sequence[str]) -> bool:
    return bool(names) and names[0] in ("object", "Object")
