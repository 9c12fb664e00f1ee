"""One parsed file as tables: what each scope defines, imports and binds. Built once per file and update; knows this file alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from coderag.link.rules import LinkRules
from coderag.types import CALLABLE_KINDS, CONTAINER_KINDS, Definition, Import, Kind, Parsed

_SEPARATOR = re.compile(r"\.|::|\\|#")
OPEN_KINDS = frozenset({Kind.MODULE, Kind.EXTENSION})
TYPE_KINDS = (CONTAINER_KINDS - {Kind.MODULE}) | {Kind.TYPE_ALIAS}


def last_part(name: str) -> str:
    """The last component of a qualified name, whichever separator it is written with."""
    return name if name.isidentifier() else _SEPARATOR.split(name)[-1]


def definition_of(path: str, parsed: Parsed, index: int) -> Definition:
    """The definition that a symbol is."""
    symbol = parsed.symbols[index]
    parent = parsed.symbols[symbol.parent].kind if symbol.parent >= 0 else None
    return Definition(
        path,
        index,
        last_part(symbol.name),
        symbol.qualified_name,
        symbol.kind,
        symbol.visibility,
        parent,
        symbol.owner,
        symbol.declaration,
    )


class View:
    """The tables of one file. Scopes are indices of symbols, -1 for module level.

    `anchors[scope]` is the innermost scope around a scope, itself included, that can give a bare name its meaning (the last entry is that of
    module level). `bound` are the words whose meaning depends on the very scope: names with a
    binding, `self` and its kin.
    """

    def __init__(self, path: str, parsed: Parsed, rules: LinkRules) -> None:
        self.path = path
        self.parsed = parsed
        self.rules = rules
        self.symbols = parsed.symbols
        self.exports: Mapping[str, str] = dict(parsed.exports)
        self.children: dict[int, dict[str, list[int]]] = {}
        self.owners: set[str] = set()
        self.imports: dict[int, dict[str, list[Import]]] = {}
        self.stars: dict[int, list[Import]] = {}
        self.long_imports: dict[str, list[Import]] = {}
        self.bindings: dict[tuple[int, str], str] = {}
        self.bound: set[str] = {*rules.self_names, *rules.self_types, *(name.strip("()") for name in rules.super_names)}
        self.attributes: dict[tuple[str, str], list[tuple[int, str]]] = {}
        self.anchors: list[int] = []
        self._chains: dict[int, tuple[int, ...]] = {}
        self._fill()

    def _fill(self) -> None:
        for index, symbol in enumerate(self.symbols):
            names = self.children.setdefault(symbol.parent, {})
            elsewhere = symbol.owner and (symbol.parent < 0 or self.symbols[symbol.parent].kind in OPEN_KINDS)
            if symbol.owner:
                self.owners.add(last_part(symbol.owner))
            if symbol.kind is not Kind.EXTENSION and not elsewhere:
                names.setdefault(last_part(symbol.name), []).append(index)
        for entry in self.parsed.imports:
            self._add_import(entry)
        for binding in self.parsed.bindings:
            root, _, attribute = binding.name.partition(".")
            if not attribute:
                self.bindings.setdefault((binding.scope, root), binding.type)
                self.bound.add(root)
            elif root in self.rules.self_names and "." not in attribute:
                owner = self.type_name(binding.scope)
                self.attributes.setdefault((owner, attribute), []).append((binding.scope, binding.type))

        self.anchors.extend(self._anchor(scope) for scope in range(len(self.symbols)))
        self.anchors.append(-1)

    def _anchor(self, scope: int) -> int:
        """The innermost scope around a scope, itself included, that can give a bare name its meaning."""
        return next((each for each in self.chain(scope) if self._gives_names(each)), -1)

    def _add_import(self, entry: Import) -> None:
        if entry.name == "*":
            self.stars.setdefault(entry.scope, []).append(entry)
        if not entry.alias:
            return
        root = entry.alias.partition(".")[0]
        if not entry.name and "." in entry.module and entry.module.partition(".")[0] == root:
            self.long_imports.setdefault(root, []).append(entry)
            return
        self.imports.setdefault(entry.scope, {}).setdefault(entry.alias, []).append(entry)

    def chain(self, scope: int) -> tuple[int, ...]:
        """The scopes that a bare name is looked up in, innermost first, module level (-1) last."""
        chain = self._chains.get(scope)
        if chain is None:
            chain = self._chains[scope] = tuple(self._walk_chain(scope))
        return chain

    def _walk_chain(self, scope: int) -> Iterator[int]:
        current, in_body = scope, True
        while current >= 0:
            symbol = self.symbols[current]
            if in_body or self.rules.members_in_scope or symbol.kind not in TYPE_KINDS:
                yield current
            in_body = in_body and symbol.kind not in CALLABLE_KINDS and symbol.kind not in TYPE_KINDS
            current = symbol.parent
        yield -1

    def _gives_names(self, scope: int) -> bool:
        if scope < 0 or scope in self.children or scope in self.imports or scope in self.stars:
            return True
        return self.rules.members_in_scope or bool(self.symbols[scope].owner)

    def module_of(self, entry: Import) -> str:
        """The module that an import names, seen from the file: inside of `mod tests` of Rust, `super` is the file itself."""
        module = entry.module
        inside = sum(1 for _ in self._modules_around(entry.scope)) if self.rules.inline_modules else 0
        for _ in range(inside):
            if plain(module).partition(".")[0] == "super":
                module = plain(module).partition(".")[2] or "self"
        return module

    def _modules_around(self, scope: int) -> Iterator[int]:
        while scope >= 0:
            if self.symbols[scope].kind is Kind.MODULE:
                yield scope
            scope = self.symbols[scope].parent

    def definition(self, index: int) -> Definition:
        """The definition that a symbol of this file is."""
        return definition_of(self.path, self.parsed, index)

    def type_scope(self, scope: int) -> int:
        """The innermost symbol, `scope` included, that is a type or belongs to one by its owner; -1 for none."""
        while scope >= 0:
            symbol = self.symbols[scope]
            if symbol.kind in CALLABLE_KINDS:
                if symbol.owner:
                    return scope
            elif symbol.kind in CONTAINER_KINDS or scope in self.children:
                return scope
            scope = symbol.parent
        return -1

    def type_name(self, scope: int) -> str:
        """The qualified name of the type around a scope, "" for none."""
        found = self.type_scope(scope)
        if found < 0:
            return ""
        symbol = self.symbols[found]
        return symbol.owner or symbol.qualified_name

    def namespaces(self, scope: int) -> tuple[str, ...]:
        """The namespaces around a scope, innermost first: enclosing modules, then what the file calls itself, then none."""
        found = []
        while scope >= 0:
            symbol = self.symbols[scope]
            if symbol.kind in CONTAINER_KINDS:
                found.append(joined(self.parsed.module, symbol.qualified_name))
            scope = symbol.parent
        return tuple(dict.fromkeys((*found, self.parsed.module)))

    def members(self, index: int) -> Mapping[str, list[int]]:
        """What stands directly inside a symbol, by name."""
        return self.children.get(index, {})


def joined(*names: str) -> str:
    """Qualified names put together with ".", empty ones left out, other separators made to be "."."""
    return ".".join(plain(name) for name in names if name)


def plain(name: str) -> str:
    """A qualified name with "." between its components."""
    return name.replace("::", ".").replace("\\", ".").strip(".") if ":" in name or "\\" in name else name
