"""The last resort: a definition that is found by its name alone, when the language allows it here and the name tells enough.

A guess is never more than UNIQUE_NAME; several candidates share the weight, and too many are none.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from coderag.link.resolve import OPEN_PARENTS
from coderag.link.rules import LinkRules
from coderag.link.universe import Library
from coderag.link.view import TYPE_KINDS, View
from coderag.types import CALLABLE_KINDS, CONTAINER_KINDS, MEMBER_KINDS, Definition, Kind, ReferenceKind, Visibility

MOST_CANDIDATES = 8
SHORTEST_MEMBER = 4
"""Shorter member names (`get`, `run`, `id`) recur everywhere: being alone in one repository says nothing."""


class Cause(StrEnum):
    """Why a reference has no link."""

    EXTERNAL = "external import"
    BUILTIN = "builtin"
    RECEIVER = "unknown receiver"
    MANY = "too many candidates"
    MISSING = "no definition"


_TYPE_USES = frozenset({ReferenceKind.TYPE, ReferenceKind.INHERIT, ReferenceKind.IMPLEMENT, ReferenceKind.NEW})
_CALLS = frozenset({ReferenceKind.CALL, ReferenceKind.NEW})
_SHARED = _TYPE_USES | _CALLS
"""Uses for which several candidates are worth telling; who reads `x.name` of an unknown `x` would be led everywhere."""
_VALUES = frozenset({Kind.CONSTANT, Kind.VARIABLE, Kind.ENUM_MEMBER})


def member_guess(library: Library, view: View, name: str, kind: ReferenceKind) -> tuple[Definition, ...] | Cause:
    """Members of any type that have this name, for a receiver that is not known."""
    if len(name.strip("_")) < SHORTEST_MEMBER or name in view.rules.common_members or name.startswith("__"):
        return Cause.RECEIVER
    found = (d for d in library.named(view.rules.family, name) if _is_member(d, kind))
    return _few(library, view, found, kind, Cause.RECEIVER)


def bare_guess(library: Library, view: View, name: str, kind: ReferenceKind) -> tuple[Definition, ...] | Cause:
    """Definitions outside of types that have this name, where the language lets a bare name reach another file."""
    if not view.rules.by_name:
        return Cause.MISSING
    found = (d for d in library.named(view.rules.family, name) if _is_free(d, view.rules) and _fits(d, kind))
    return _few(library, view, found, kind, Cause.MISSING)


def best_fitting(found: tuple[Definition, ...], kind: ReferenceKind) -> tuple[Definition, ...]:
    """Of several definitions of one name those that suit the use; a type stands before another name for it."""
    fitting = tuple(d for d in found if _fits(d, kind)) or found
    return tuple(d for d in fitting if d.kind is not Kind.TYPE_ALIAS) or fitting


def _is_member(definition: Definition, kind: ReferenceKind) -> bool:
    inside = bool(definition.owner) or definition.parent_kind in TYPE_KINDS
    if kind in _CALLS or kind is ReferenceKind.PASS:
        return inside and definition.kind in CALLABLE_KINDS
    return inside and (definition.kind in CALLABLE_KINDS or definition.kind in MEMBER_KINDS)


def _is_free(definition: Definition, rules: LinkRules) -> bool:
    return definition.parent_kind in OPEN_PARENTS and (not definition.owner or rules.owner_is_module)


def _fits(definition: Definition, kind: ReferenceKind) -> bool:
    if kind in _TYPE_USES:
        return definition.kind in CONTAINER_KINDS or definition.kind is Kind.TYPE_ALIAS
    if kind is ReferenceKind.CALL:
        return definition.kind in CALLABLE_KINDS or definition.kind in TYPE_KINDS
    return definition.kind in CALLABLE_KINDS or definition.kind in _VALUES or definition.kind in CONTAINER_KINDS


def _few(
    library: Library, view: View, found: Iterable[Definition], kind: ReferenceKind, none: Cause
) -> tuple[Definition, ...] | Cause:
    in_test = library.is_test(view.path)
    seen = [
        d
        for d in found
        if (d.visibility is not Visibility.FILE or d.path == view.path) and (in_test or not library.is_test(d.path))
    ]
    kept = [d for d in seen if not d.declaration] or seen
    if not kept:
        return none
    return tuple(kept) if len(kept) <= (MOST_CANDIDATES if kind in _SHARED else 1) else Cause.MANY
