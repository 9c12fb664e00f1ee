"""On which names the links of a file depend, and which names a change of a file touches: what an incremental update needs.

Three sorts of keys share one space: a plain name (`put`), "through:name" (what is reached through the imports of another file) and
"file:stem" (what a module name resolves to). Links are compared by path, qualified name and ordinal of the target: a change above a symbol moves
its index without changing what it is.

A member is found through its type only, so those who use a member `get` are not asked when a type comes that none of them can reach:
`member_changes` parts such names from the others.

`files_to_relink` closes a change over what follows from it: when `Store` changes, so does what is of type `Store` or inherits from it, and
what is imported from there under another name.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator

from coderag.link.modules import IMPORT_STYLES, stem_of
from coderag.link.resolve import WHOLE
from coderag.link.rules import LINK_RULES, LinkRules, Reach
from coderag.link.type_names import identifiers
from coderag.link.view import last_part, plain
from coderag.types import CALLABLE_KINDS, CONTAINER_KINDS, Import, Kind, Parsed, ReferenceKind, Symbol

THROUGH = "through:"
FILE = "file:"
_PLAIN_TYPES = CONTAINER_KINDS - {Kind.MODULE, Kind.EXTENSION}
_MANIFESTS = frozenset({"package.json"})


def names_used(path: str, parsed: Parsed) -> tuple[str, ...]:
    """Every key on which the links of a file may depend, sorted; a superset."""
    rules = LINK_RULES.get(parsed.language)
    if rules is None:
        return ()
    plain_names: set[str] = set()
    for reference in parsed.references:
        plain_names.add(reference.name)
        plain_names.update(identifiers(reference.receiver))
    for binding in parsed.bindings:
        plain_names.update(identifiers(binding.type))
    for symbol in parsed.symbols:
        plain_names.update(_symbol_uses(symbol, parsed, rules))
    for entry in parsed.imports:
        plain_names.update(identifiers(entry.name))
        plain_names.update(identifiers(entry.module))
    return tuple(sorted(plain_names | _reached_through(parsed, plain_names) | _files_used(path, parsed, rules)))


def _symbol_uses(symbol: Symbol, parsed: Parsed, rules: LinkRules) -> Iterator[str]:
    for text in (symbol.type, symbol.owner, *symbol.bases):
        yield from identifiers(text)
    in_type = symbol.owner or symbol.parent >= 0
    if (
        symbol.declaration
        or rules.open_types
        or symbol.kind in CONTAINER_KINDS
        or (in_type and symbol.kind in CALLABLE_KINDS)
    ):
        yield last_part(symbol.name)


def _reached_through(parsed: Parsed, names: set[str]) -> set[str]:
    """Names that may come out of the imports of another file: what is imported, and what follows an imported name."""
    if any(entry.name == "*" for entry in parsed.imports):
        return {THROUGH + name for name in names}
    roots = {entry.alias.partition(".")[0] for entry in parsed.imports}
    found = {THROUGH + entry.name for entry in parsed.imports if entry.name}
    found.update(THROUGH + part for entry in parsed.imports for part in identifiers(entry.module))
    texts = [binding.type for binding in parsed.bindings]
    texts += [text for symbol in parsed.symbols for text in (symbol.type, *symbol.bases)]
    texts += [f"{reference.receiver}.{reference.name}" for reference in parsed.references if reference.receiver]
    for text in texts:
        first, *rest = identifiers(text) or ("",)
        if first in roots or len(rest) > 1 or "(" in text:
            found.update(THROUGH + part for part in rest)
    rules = LINK_RULES[parsed.language]
    return found | ({THROUGH + rules.default_export} if rules.default_export else set())


def _files_used(path: str, parsed: Parsed, rules: LinkRules) -> set[str]:
    found: set[str] = set()
    for entry in parsed.imports:
        found.update(FILE + stem for stem in _module_stems(path, entry, rules))
    return found


def _module_stems(path: str, entry: Import, rules: LinkRules) -> Iterator[str]:
    """The stems of what an import may mean, "" for the root."""
    style = IMPORT_STYLES[rules.style]
    module = plain(entry.module) if style.separator == "." else entry.module
    folder = path.rpartition("/")[0]
    separator = style.separator
    if module.startswith(".") and separator == ".":
        level = len(module) - len(module.lstrip("."))
        module = "/".join([*folder.split("/")[: len(folder.split("/")) + 1 - level], *module.lstrip(".").split(".")])
        separator = "/"
    elif module.startswith("."):
        module = posixpath.normpath(f"{folder}/{module}")
        module = "" if module == "." else module
    parts = module.strip("/").split(separator)
    if parts[0] in style.around:
        parts += ["", *path.split("/")]
    for part in parts:
        yield _stem(part)
    if entry.name not in ("", "*"):
        yield _stem(entry.name)


def _stem(name: str) -> str:
    """The same for a file and for all that imports may call it."""
    return stem_of(name).replace("-", "_")


def names_changed(path: str, old: Parsed | None, new: Parsed | None) -> frozenset[str] | None:
    """The keys that a change of a file touches; `old` None: the file is new, `new` None: it is gone.

    None: everything must be linked again. That is so when a file comes or goes that stands for its directory (`__init__.py`, `index.ts`,
    `mod.rs`), because other files then change their package.
    """
    parsed = new or old
    rules = LINK_RULES.get(parsed.language) if parsed else None
    appears = old is None or new is None
    if appears and path.rpartition("/")[2] in _MANIFESTS:
        return None
    if rules is None:
        return frozenset()
    if appears and stem_of(path.rpartition("/")[2]) in rules.indexes:
        return None
    if old and new and (old.language != new.language or old.module != new.module):
        return _all_names(path, old) | _all_names(path, new)
    before, after = _facts(old), _facts(new)
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    if appears or _wholesale(old, rules) != _wholesale(new, rules) or _lists_exports(old) != _lists_exports(new):
        changed.update(_own_files(path, parsed, rules))
    return _with_derived(path, old, new, frozenset(changed))


def _with_derived(path: str, old: Parsed | None, new: Parsed | None, changed: frozenset[str]) -> frozenset[str]:
    """What the file itself makes of the change (the default export of a changed function), before and after."""
    for parsed in (old, new):
        changed |= names_derived(path, parsed, changed) if parsed else frozenset()
    return changed


def member_changes(
    path: str, old: Parsed | None, new: Parsed | None, changed: frozenset[str]
) -> dict[str, frozenset[str]]:
    """Of the keys that a change of a file touches those that are no more than names of callable members of types, each with the keys
    through which the types are reached. A link by such a name can differ only where one of these keys, or what follows from
    them, is used as well, and where a member is guessed by its name.
    """
    parsed = new or old
    if parsed is None or parsed.language not in LINK_RULES:
        return {}
    before, after = _facts(old), _facts(new)
    found = {name: _types_around(name, before.get(name, []), after.get(name, [])) for name in changed}
    members = {name: types for name, types in found.items() if types}
    rest = changed - members.keys()
    followed = _with_derived(path, old, new, rest) - rest
    result = {}
    for name in sorted(members.keys() - followed):
        keys = frozenset(key for each in members[name] for key in (each, THROUGH + each, FILE + _stem(each)))
        result[name] = _with_derived(path, old, new, keys)
    return result


def _types_around(name: str, before: list[object], after: list[object]) -> frozenset[str]:
    """The names of the types of which callable members differ; empty when anything else does."""
    differing = [fact for fact in (*before, *after) if before.count(fact) != after.count(fact)] or [*before, *after]
    types: set[str] = set()
    for fact in differing:
        match fact:
            case (str(qualified), Kind() as kind, _, Kind() as around, _, _, "", False, _) if (
                kind in CALLABLE_KINDS and around in _PLAIN_TYPES and qualified.endswith(f".{name}")
            ):
                types.add(last_part(qualified[: -len(name) - 1]))
            case _:
                return frozenset()
    return frozenset(types) if all(each.isidentifier() for each in types) else frozenset()


def symbol_keys(parsed: Parsed, index: int) -> tuple[str, ...]:
    """The keys under which links to a symbol are found."""
    return tuple(dict.fromkeys(name for name, _ in _symbol_facts(parsed.symbols[index], parsed)))


def module_keys(path: str, parsed: Parsed) -> tuple[str, ...]:
    """The keys under which links to the file as a whole are found."""
    rules = LINK_RULES.get(parsed.language)
    return tuple(_own_files(path, parsed, rules)) if rules else ()


def _all_names(path: str, parsed: Parsed) -> frozenset[str]:
    rules = LINK_RULES.get(parsed.language)
    return frozenset({*_facts(parsed), *(_own_files(path, parsed, rules) if rules else ())})


def _own_files(path: str, parsed: Parsed | None, rules: LinkRules) -> Iterator[str]:
    """The stems under which other files may name this one."""
    folder, _, name = path.rpartition("/")
    yield FILE + _stem(name)
    if stem_of(name) in rules.indexes or rules.reach is Reach.DIRECTORY:
        yield FILE + _stem(folder.rpartition("/")[2])
        yield FILE + _stem(folder.rpartition("/")[0].rpartition("/")[2])
        if parsed and parsed.module:
            yield FILE + _stem(parsed.module)


def _lists_exports(parsed: Parsed | None) -> bool:
    return bool(parsed and parsed.exports)


def _wholesale(parsed: Parsed | None, rules: LinkRules) -> list[tuple[str, str, bool]]:
    """The imports that bring in names without writing them, in order."""
    if parsed is None:
        return []
    return [
        (entry.module, entry.name, entry.reexport)
        for entry in parsed.imports
        if rules.shows_imports or (entry.name == "*" and entry.scope < 0)
    ] + [("", local, False) for name, local in parsed.exports if name == WHOLE]


def _facts(parsed: Parsed | None) -> dict[str, list[object]]:
    """What other files can see of a file, by key, in order."""
    facts: dict[str, list[object]] = {}
    if parsed is None:
        return facts
    for symbol in parsed.symbols:
        for name, fact in _symbol_facts(symbol, parsed):
            facts.setdefault(name, []).append(fact)
    for entry in parsed.imports:
        if entry.scope < 0 and entry.alias:
            facts.setdefault(THROUGH + entry.alias.partition(".")[0], []).append(
                (entry.module, entry.name, entry.reexport)
            )
    for name, local in parsed.exports:
        facts.setdefault(THROUGH + name, []).append(local)
        facts.setdefault(name, []).append(local)
    for binding in parsed.bindings:
        name = binding.name.rpartition(".")[2] if "." in binding.name else ""
        if name:
            facts.setdefault(name, []).append((_type_around(parsed, binding.scope), binding.type))
    for scope, name in _tables(parsed):
        facts.setdefault(last_part(parsed.symbols[scope].name), []).append(name)
    return facts


def _symbol_facts(symbol: Symbol, parsed: Parsed) -> Iterator[tuple[str, object]]:
    parent = parsed.symbols[symbol.parent] if symbol.parent >= 0 else None
    fact = (
        symbol.qualified_name,
        symbol.kind,
        symbol.visibility,
        parent.kind if parent else None,
        symbol.bases,
        symbol.type,
        symbol.owner,
        symbol.declaration,
        symbol.decorators,
    )
    rules = LINK_RULES.get(parsed.language)
    name = last_part(symbol.name)
    yield name, fact
    if symbol.owner and symbol.kind in CONTAINER_KINDS:
        yield last_part(symbol.owner), fact
    if parent and parent.kind is Kind.EXTENSION and parent.owner:
        yield last_part(parent.owner), fact[:2]
    if rules and name in rules.constructors and (parent or symbol.owner):
        yield last_part(symbol.owner or (parent.name if parent else "")), fact


def _type_around(parsed: Parsed, scope: int) -> str:
    while scope >= 0 and parsed.symbols[scope].kind not in CONTAINER_KINDS:
        scope = parsed.symbols[scope].parent
    return parsed.symbols[scope].qualified_name if scope >= 0 else ""


def _tables(parsed: Parsed) -> Iterator[tuple[int, str]]:
    for reference in parsed.references:
        if reference.kind is ReferenceKind.TABLE and reference.scope >= 0:
            yield reference.scope, f"{reference.receiver}.{reference.name}"


def names_derived(path: str, parsed: Parsed, changed: frozenset[str]) -> frozenset[str]:
    """What else changes for other files, given changed keys, because of what this file makes of them."""
    rules = LINK_RULES.get(parsed.language)
    if rules is None:
        return frozenset()
    pairs = list(_derivations(path, parsed, rules))
    known, grows = set(changed), True
    while grows:
        more = {derived for derived, source in pairs if source in known and derived not in known}
        known |= more
        grows = bool(more)
    aliases = {entry.alias for entry in parsed.imports if entry.alias}
    return frozenset(known - changed - (aliases - {last_part(symbol.name) for symbol in parsed.symbols}))


def _derivations(path: str, parsed: Parsed, rules: LinkRules) -> Iterator[tuple[str, str]]:
    """(derived, source): the meaning of the first may follow from that of the second."""
    for entry in parsed.imports:
        if entry.alias and entry.scope < 0:
            stems = [FILE + stem for stem in _module_stems(path, entry, rules)]
            for source in (*identifiers(entry.name), *(THROUGH + part for part in identifiers(entry.name)), *stems):
                yield THROUGH + entry.alias, source
                yield entry.alias, source
        if rules.shows_imports or entry.name == "*":
            for own in _own_files(path, parsed, rules):
                for stem in _module_stems(path, entry, rules):
                    yield own, FILE + stem
    for symbol in parsed.symbols:
        for text in (symbol.type, *symbol.bases):
            for source in identifiers(text):
                yield from _both(
                    last_part(symbol.owner) if symbol.kind is Kind.EXTENSION else last_part(symbol.name), source
                )
    for binding in parsed.bindings:
        if "." in binding.name:
            for source in identifiers(binding.type):
                yield from _both(binding.name.rpartition(".")[2], source)
    for name, local in parsed.exports:
        yield THROUGH + name, local
        yield THROUGH + name, THROUGH + local
    for scope, name in _tables(parsed):
        for source in identifiers(name):
            yield from _both(last_part(parsed.symbols[scope].name), source)


def _both(derived: str, source: str) -> Iterator[tuple[str, str]]:
    yield derived, source
    yield derived, THROUGH + source


def files_to_relink(
    changed: Iterable[str],
    users: Callable[[frozenset[str]], Iterable[str]],
    parsed: Callable[[str], Parsed],
    most: int | None = None,
) -> frozenset[str]:
    """The files whose links may differ after the changed keys, closed over what follows from them; given up beyond `most` files.

    `users` gives the files whose `names_used` hold one of the keys; `parsed` what a file holds now. The changed files themselves are to be
    linked again in any case.
    """
    waiting = frozenset(changed)
    known: set[str] = set(waiting)
    found: set[str] = set()
    while waiting and (most is None or len(found) <= most):
        files = set(users(waiting))
        found |= files
        derived: set[str] = set()
        for path in sorted(files):
            derived |= names_derived(path, parsed(path), frozenset(known))
        waiting = frozenset(derived - known)
        known |= waiting
    return frozenset(found)
