"""The last resort: a definition that is found by its name alone, when the language allows it here and the name tells enough.

A guess is never more than UNIQUE_NAME; several candidates share the weight, and too many are none.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from coderag.link.modules import is_test
from coderag.link.resolve import OPEN_PARENTS
from coderag.link.rules import LINK_RULES, LinkRules
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


TYPE_USES = frozenset({ReferenceKind.TYPE, ReferenceKind.INHERIT, ReferenceKind.IMPLEMENT, ReferenceKind.NEW})
_NO_TYPES = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.FIELD, Kind.ENUM_MEMBER})
_CALLS = frozenset({ReferenceKind.CALL, ReferenceKind.NEW})
_SHARED = TYPE_USES | _CALLS
"""Uses for which several candidates are worth telling; who reads `x.name` of an unknown `x` would be led everywhere."""
_VALUES = frozenset({Kind.CONSTANT, Kind.VARIABLE, Kind.ENUM_MEMBER})


_Answer = tuple[Definition, ...] | Cause


class Guesses:
    """Candidates by name, remembered: most of them do not depend on the file that asks."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._known: dict[tuple[str, str, ReferenceKind, bool, bool, str], _Answer] = {}

    def member(self, view: View, name: str, kind: ReferenceKind) -> _Answer:
        """Members of any type that have this name, for a receiver that is not known."""
        if _says_nothing(name, view.rules):
            return Cause.RECEIVER
        return self._remembered(view, name, kind, True)

    def bare(self, view: View, name: str, kind: ReferenceKind) -> _Answer:
        """Definitions outside of types that have this name, where the language lets a bare name reach another file."""
        return self._remembered(view, name, kind, False) if view.rules.by_name else Cause.MISSING

    def _remembered(self, view: View, name: str, kind: ReferenceKind, member: bool) -> _Answer:
        named = self._library.named(view.rules.family, name)
        hidden = any(d.visibility is Visibility.FILE for d in named)
        key = (view.rules.family, name, kind, member, self._library.is_test(view.path), view.path if hidden else "")
        answer = self._known.get(key)
        if answer is None:
            suits = _is_member if member else _is_free
            found = [d for d in named if suits(d, kind, view.rules)]
            answer = self._known[key] = self._few(view, found, kind, Cause.RECEIVER if member else Cause.MISSING)
        return answer

    def _few(self, view: View, found: Iterable[Definition], kind: ReferenceKind, none: Cause) -> _Answer:
        library, in_test = self._library, self._library.is_test(view.path)
        seen = [
            d
            for d in found
            if (d.visibility is not Visibility.FILE or d.path == view.path) and (in_test or not library.is_test(d.path))
        ]
        kept = [d for d in seen if not d.declaration] or seen
        if not kept:
            return none
        return tuple(kept) if len(kept) <= (MOST_CANDIDATES if kind in _SHARED else 1) else Cause.MANY


def _says_nothing(name: str, rules: LinkRules) -> bool:
    return len(name.strip("_")) < SHORTEST_MEMBER or name in rules.common_members or name.startswith("__")


def is_guessed(name: str, rules: LinkRules, others: Iterable[Definition]) -> bool:
    """Whether one callable member of this name more or less, in a language of these rules, could change what is guessed by the name
    anywhere: not where the name says nothing, nor where the `others` alone are too many.
    """
    relatives = [row for row in LINK_RULES.values() if row.family == rules.family]
    if all(_says_nothing(name, row) for row in relatives):
        return False
    suitable = [d for d in others if _is_plain_member(d) and not is_test(d.path, rules)]
    return len(suitable) <= MOST_CANDIDATES


def _is_plain_member(definition: Definition) -> bool:
    return (
        definition.kind in CALLABLE_KINDS
        and (bool(definition.owner) or definition.parent_kind in TYPE_KINDS)
        and definition.visibility is not Visibility.FILE
        and not definition.declaration
    )


def best_fitting(found: tuple[Definition, ...], kind: ReferenceKind) -> tuple[Definition, ...]:
    """Of several definitions of one name those that suit the use; a type stands before another name for it."""
    fitting = tuple(d for d in found if _fits(d, kind)) or tuple(
        d for d in found if kind not in TYPE_USES or kind is ReferenceKind.NEW or d.kind not in _NO_TYPES
    )
    return tuple(d for d in fitting if d.kind is not Kind.TYPE_ALIAS) or fitting


def _is_member(definition: Definition, kind: ReferenceKind, rules: LinkRules) -> bool:
    if not definition.owner and definition.parent_kind not in TYPE_KINDS:
        return False
    if kind in TYPE_USES:
        return _fits(definition, kind)
    only_calls = kind in _CALLS or kind is ReferenceKind.PASS
    return definition.kind in CALLABLE_KINDS or (definition.kind in MEMBER_KINDS and not only_calls)


def _is_free(definition: Definition, kind: ReferenceKind, rules: LinkRules) -> bool:
    open_place = definition.parent_kind in OPEN_PARENTS and (not definition.owner or rules.owner_is_module)
    return open_place and _fits(definition, kind)


def _fits(definition: Definition, kind: ReferenceKind) -> bool:
    if kind in TYPE_USES:
        return definition.kind in CONTAINER_KINDS or definition.kind is Kind.TYPE_ALIAS
    if kind is ReferenceKind.CALL:
        return definition.kind in CALLABLE_KINDS or definition.kind in TYPE_KINDS
    return definition.kind in CALLABLE_KINDS or definition.kind in _VALUES or definition.kind in CONTAINER_KINDS
