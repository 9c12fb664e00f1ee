"""All files of a repository as the linker sees them: views, definitions by name and path, and what a qualified name means.

Asks the `Universe` for as little as it can: a file is only loaded when something inside it matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from coderag.link.modules import IMPORT_STYLES, Places, is_test, stem_of
from coderag.link.rules import LinkRules
from coderag.link.view import View, plain
from coderag.types import CONTAINER_KINDS, Definition, Kind, Parsed, Visibility


class Universe(Protocol):
    """What the linker needs of an index: the files, and where names are defined."""

    def paths(self) -> Sequence[str]:
        """All paths, sorted."""

    def language(self, path: str) -> str:
        """The language of a path."""

    def parsed(self, path: str) -> Parsed:
        """What a file holds; may be loaded on demand."""

    def named(self, name: str) -> Sequence[Definition]:
        """The definitions whose name is exactly this, without enclosing names, by (path, index)."""


@dataclass(frozen=True, slots=True)
class Members:
    """Definitions of one name: by path and qualified name; those inside of types by qualified name; those that name an owner."""

    places: Mapping[tuple[str, str], Sequence[Definition]]
    nested: Mapping[str, Sequence[Definition]]
    owned: Sequence[Definition]


class Library:
    """Views of files and definitions by name, remembered."""

    def __init__(self, universe: Universe, rules: Mapping[str, LinkRules]) -> None:
        self._universe = universe
        self._rules = rules
        self._views: dict[str, View] = {}
        self._named: dict[tuple[str, str], tuple[Definition, ...]] = {}
        self._by_path: dict[tuple[str, str], dict[str, tuple[Definition, ...]]] = {}
        self._members: dict[tuple[str, str], Members] = {}
        self._tests: dict[str, bool] = {}
        self._files: dict[tuple[str, str], tuple[str, ...]] = {}
        self._included: dict[str, frozenset[str]] = {}
        self.places = Places(universe.paths(), self.declared)

    def rules(self, path: str) -> LinkRules | None:
        """The row of the language of a path, None where its names are not linked."""
        return self._rules.get(self._universe.language(path))

    def view(self, path: str) -> View:
        """The tables of a file whose language has a row."""
        view = self._views.get(path)
        if view is None:
            rules = self.rules(path)
            assert rules is not None
            view = self._views[path] = View(path, self._universe.parsed(path), rules)
        return view

    def declared(self, path: str) -> str:
        """What a file calls itself."""
        return self._universe.parsed(path).module

    def is_test(self, path: str) -> bool:
        """Whether a path is one of tests."""
        if path not in self._tests:
            rules = self.rules(path)
            self._tests[path] = rules is not None and is_test(path, rules)
        return self._tests[path]

    def is_index(self, path: str) -> bool:
        """Whether a file stands for its directory."""
        rules = self.rules(path)
        return rules is not None and stem_of(path.rpartition("/")[2]) in rules.indexes

    def named(self, family: str, name: str) -> tuple[Definition, ...]:
        """The definitions of a name in the languages of one symbol space, extensions of types aside."""
        key = (family, name)
        found = self._named.get(key)
        if found is None:
            found = self._named[key] = tuple(
                d for d in self._universe.named(name) if d.kind is not Kind.EXTENSION and self._family(d.path) == family
            )
        return found

    def members(self, family: str, name: str) -> Members:
        """The definitions of a name, parted by where they say that they belong."""
        key = (family, name)
        found = self._members.get(key)
        if found is None:
            places: dict[tuple[str, str], list[Definition]] = {}
            nested: dict[str, list[Definition]] = {}
            for d in self.named(family, name):
                places.setdefault((d.path, d.qualified_name), []).append(d)
                if d.parent_kind in CONTAINER_KINDS and not d.owner:
                    nested.setdefault(d.qualified_name, []).append(d)
            owned = [d for d in self.named(family, name) if d.owner]
            found = self._members[key] = Members(places, nested, owned)
        return found

    def extensions(self, family: str, name: str) -> Iterator[Definition]:
        """The places that add to a type of this name."""
        for d in self._universe.named(name):
            if d.kind is Kind.EXTENSION and self._family(d.path) == family:
                yield d

    def _family(self, path: str) -> str:
        rules = self.rules(path)
        return rules.family if rules else ""

    def at(self, family: str, name: str, path: str) -> tuple[Definition, ...]:
        """The definitions of a name in one file."""
        found = self.named(family, name)
        if len(found) < 8:
            return tuple(d for d in found if d.path == path)
        key = (family, name)
        if key not in self._by_path:
            grouped: dict[str, list[Definition]] = {}
            for definition in found:
                grouped.setdefault(definition.path, []).append(definition)
            self._by_path[key] = {place: tuple(group) for place, group in grouped.items()}
        return self._by_path[key].get(path, ())

    def qualified(self, family: str, full: str) -> tuple[Definition, ...]:
        """The definitions whose namespace and qualified name together are `full`, those of another file hidden ones aside."""
        name = full.rpartition(".")[2]
        return tuple(
            d for d in self.named(family, name) if d.visibility is not Visibility.FILE and self._is_called(d, full)
        )

    def _is_called(self, definition: Definition, full: str) -> bool:
        own = plain(definition.qualified_name)
        rules = self.rules(definition.path)
        if definition.owner and definition.parent_kind is None and rules and rules.extension_functions:
            own = definition.name
        if full == own:
            return not self.declared(definition.path)
        return full.endswith("." + own) and plain(self.declared(definition.path)) == full[: -len(own) - 1]

    def full_name(self, definition: Definition) -> str:
        """Namespace and qualified name of a definition."""
        module = plain(self.declared(definition.path))
        return f"{module}.{plain(definition.qualified_name)}" if module else plain(definition.qualified_name)

    def files(self, view: View, module: str) -> tuple[str, ...]:
        """The files that a module name means in a file, empty for what lies outside of the repository."""
        key = (view.path, module)
        found = self._files.get(key)
        if found is None:
            style = IMPORT_STYLES[view.rules.style]
            found = self._files[key] = style.files(self.places, view.path, module, view.rules)
        return found

    def included(self, path: str) -> frozenset[str]:
        """The files that a file imports wholesale, and those that they import so."""
        found = self._included.get(path)
        if found is None:
            seen: dict[str, None] = {}
            waiting = list(self._direct(path))
            while waiting:
                current = waiting.pop()
                if current not in seen:
                    seen[current] = None
                    waiting.extend(self._direct(current))
            found = self._included[path] = frozenset(seen)
        return found

    def _direct(self, path: str) -> Iterable[str]:
        if self.rules(path) is None:
            return ()
        view = self.view(path)
        return [file for entry in view.parsed.imports for file in self.files(view, entry.module)]
