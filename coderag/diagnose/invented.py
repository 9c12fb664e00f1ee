"""Which names in a file mean nothing: imports of what a module does not have, members that no type has, names that nothing defines.

Asks the linker's resolver, so that a name is looked for where the language would look for it. What cannot be seen (a base outside of the
repository, a receiver of unknown type, a wholesale import of others) is never said to be missing: a false alarm costs more than a miss.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from coderag.diagnose.installed import Installed, is_standard
from coderag.diagnose.universe import Overlay
from coderag.diagnose.vocabulary import Vocabulary
from coderag.link import LINK_RULES
from coderag.link.resolve import Meaning, Resolver
from coderag.link.universe import Library
from coderag.link.view import View
from coderag.link.words import words
from coderag.types import CONTAINER_KINDS, Import, Reference, ReferenceKind

_WORD: Final = re.compile(r"[A-Za-z_$][\w$]*")
_DYNAMIC: Final = ("__getattr__", "__getattribute__", "method_missing", "__get", "__call", "__callStatic")
"""Members by which a type answers to any name."""

_OF_EVERY_VALUE: Final[Mapping[str, frozenset[str]]] = {
    "script": words(
        """
        apply bind call constructor hasOwnProperty isPrototypeOf length name propertyIsEnumerable prototype
        toLocaleString toString valueOf
        """
    ),
    "python": words("mro name value register cache_clear cache_info"),
}
"""By the symbol space of a language: members that every value, function or type has."""

_MORE_BUILTINS: Final[Mapping[str, frozenset[str]]] = {"python": frozenset(dir(builtins))}


class Flaw(StrEnum):
    """What is wrong with a name."""

    MODULE = "no such module"
    IMPORT = "no such import"
    MEMBER = "no such member"
    NAME = "no such name"
    PATH = "no such file"
    CONTEXT = "no such lines"


@dataclass(frozen=True, slots=True)
class Suspect:
    """A name that means nothing. `near` are paths in which it was expected; `owner` is what does not have it.

    `is_sure` is False where something that cannot be seen may yet define it.
    """

    flaw: Flaw
    name: str
    line: int
    owner: str = ""
    near: tuple[str, ...] = ()
    is_sure: bool = True


class Inspector:
    """Looks through files of one overlay. `defined` and `imported` are names that the answer itself defines or brings in, anywhere."""

    def __init__(
        self, overlay: Overlay, vocabulary: Vocabulary, installed: Installed, exists: Callable[[str], bool],
        defined: Collection[str], imported: Collection[str],
    ) -> None:  # fmt: skip
        self._overlay = overlay
        self._vocabulary = vocabulary
        self._installed = installed
        self._exists = exists
        self._defined = frozenset(defined)
        self._imported = frozenset(imported)
        self._library = Library(overlay, LINK_RULES)
        self._resolver = Resolver(self._library)

    def suspects(self, path: str, text: str, lines: Collection[int]) -> Iterator[Suspect]:
        """What means nothing on some lines of a file, whose text is as in the overlay; nothing for a language without links."""
        if self._library.rules(path) is None:
            return
        view = self._library.view(path)
        bound = _Bound(text, view.parsed.references)
        for entry in view.parsed.imports:
            if entry.line in lines and (found := self._missing_import(view, entry)):
                yield found
        for reference in view.parsed.references:
            here = [line for line in reference.lines if line in lines]
            if here and self._is_checkable(view, reference) and not bound.has(reference):
                found = (
                    self._member(view, reference, here[0])
                    if reference.receiver
                    else self._bare(view, reference, here[0])
                )
                if found:
                    yield found

    def _is_checkable(self, view: View, reference: Reference) -> bool:
        name, rules = reference.name, view.rules
        return bool(
            _WORD.fullmatch(name)
            and len(name) > 1
            and not name.startswith("__")
            and name not in self._defined
            and name not in self._imported
            and name not in rules.builtins
            and name not in rules.self_names
            and name not in _MORE_BUILTINS.get(rules.family, ())
        )

    # Imports

    def _missing_import(self, view: View, entry: Import) -> Suspect | None:
        meaning = self._resolver.imported(view, entry)
        if meaning.definitions or meaning.modules or entry.name in self._defined:
            return None
        style, module = view.rules.style, view.module_of(entry)
        files = self._library.files(view, module)
        if files:
            return self._not_exported(view, entry, files)
        if self._is_relative(module):
            return self._relative(view, entry, module)
        if is_standard(style, module) or module.partition(".")[0] in view.rules.standard_modules:
            return None
        if _WORD.fullmatch(entry.name) and self._installed.lacks_name(style, module, entry.name):
            return Suspect(Flaw.IMPORT, entry.name, entry.line, module)
        if inside := self._package(view, module):
            missing = entry.module
            return None if self._on_disk(inside, module) else Suspect(Flaw.MODULE, missing, entry.line, near=inside)
        first = re.split(r"[./]", module.lstrip("@"))[0]
        if first and self._installed.lacks(style, module) and not self._vocabulary.has(first):
            return Suspect(Flaw.MODULE, entry.module, entry.line)
        return None

    def _not_exported(self, view: View, entry: Import, files: tuple[str, ...]) -> Suspect | None:
        """An import of a name from files of the repository that do not have it."""
        if entry.name in ("", "*", view.rules.default_export) or not _WORD.fullmatch(entry.name):
            return None
        if any(self._is_open(file) for file in files) or self._is_written(view, entry.name, files):
            return None
        if any(self._exists(f"{file.rpartition('/')[0]}/{entry.name}") for file in files):
            return None
        is_sure = not any(self._is_dynamic(file) for file in files)
        if is_sure or not self._vocabulary.has(entry.name):
            return Suspect(Flaw.IMPORT, entry.name, entry.line, entry.module, files, is_sure)
        return None

    def _relative(self, view: View, entry: Import, module: str) -> Suspect | None:
        """A path beside the file (`./a`, `.a`) at which there is nothing, whatever the ending."""
        level = len(module) - len(module.lstrip("."))
        if "/" in module or view.rules.style != "dotted":
            target = _joined(view.path.rpartition("/")[0], module)
        else:
            above = view.path.split("/")[:-1]
            kept = above[: len(above) - level + 1]
            target = "/".join([*kept, *filter(None, module.lstrip(".").split("."))])
        if target is None or self._exists(target) or not module.strip("."):
            return None
        return Suspect(Flaw.MODULE, entry.module, entry.line)

    @staticmethod
    def _is_relative(module: str) -> bool:
        return module.startswith(".")

    def _package(self, view: View, module: str) -> tuple[str, ...]:
        """The files of the longest beginning of a module's name that is in the repository; none for a package that has parts elsewhere."""
        if view.rules.style != "dotted":
            return ()
        parts = module.split(".")
        for used in range(len(parts) - 1, 0, -1):
            files = self._library.files(view, ".".join(parts[:used]))
            if files:
                return () if any(self._is_open(file) or self._is_dynamic(file) for file in files) else files
        return ()

    def _on_disk(self, files: tuple[str, ...], module: str) -> bool:
        """Whether the rest of a module's name is a file below the package that is not indexed (built, generated)."""
        last = module.rpartition(".")[2]
        return any(self._exists(f"{file.rpartition('/')[0]}/{last}") for file in files) or self._vocabulary.has(last)

    def _is_open(self, path: str) -> bool:
        """Whether a module may have names that are not written in it: wholesale imports from elsewhere, parts that were not read."""
        rules = self._library.rules(path)
        if rules is None or self._overlay.parsed(path).problems:
            return True
        view = self._library.view(path)
        stars = [star for stars in view.stars.values() for star in stars]
        return any(not self._library.files(view, view.module_of(star)) for star in stars)

    def _is_dynamic(self, path: str) -> bool:
        """Whether a module answers to names by a function of its own."""
        return any(name in self._library.view(path).members(-1) for name in _DYNAMIC)

    def _is_written(self, view: View, name: str, files: tuple[str, ...]) -> bool:
        """Whether a name is written where it would be defined; anywhere, for languages that hide where that is."""
        return self._vocabulary.has(name, files if view.rules.closed_types else None)

    # References

    def _member(self, view: View, reference: Reference, line: int) -> Suspect | None:
        name, rules = reference.name, view.rules
        root = reference.receiver.partition(".")[0].removesuffix("()")
        if root in rules.builtins or name in _OF_EVERY_VALUE.get(rules.family, ()):
            return None
        meaning = self._resolver.receiver(view, reference.scope, reference.receiver)
        if meaning is None or not (meaning.external or meaning.modules or meaning.definitions):
            return self._of_unknown(view, reference, line, root)
        if meaning.external:
            return self._of_installed(view, reference, line)
        if self._resolver.part(meaning, name) is not None:
            return None
        if self._resolver.extension(view, reference.scope, name) is not None:
            return None
        owners = self._owners(meaning)
        if owners is None or name in rules.common_members or self._is_written(view, name, owners):
            return None
        is_sure = not (meaning.modules and any(map(self._is_dynamic, owners)))
        if not is_sure and self._vocabulary.has(name):
            return None
        return Suspect(Flaw.MEMBER, name, line, reference.receiver, owners, is_sure)

    def _owners(self, meaning: Meaning) -> tuple[str, ...] | None:
        """The files that everything a value has is written in; None where that cannot be known."""
        if meaning.modules:
            return None if any(self._is_open(path) for path in meaning.modules) else meaning.modules
        paths: dict[str, None] = {}
        for definition in meaning.definitions:
            if definition.kind not in CONTAINER_KINDS:
                return None
            line, unknown = self._resolver.hierarchy(definition)
            if unknown or any(self._resolver.own_member(owner, name) for owner in line for name in _DYNAMIC):
                return None
            paths.update((owner.path, None) for owner in line)
        return tuple(paths)

    def _of_installed(self, view: View, reference: Reference, line: int) -> Suspect | None:
        """A member of a module of others that can be seen."""
        receiver, name = reference.receiver, reference.name
        entries = [
            each for scope in view.chain(reference.scope) for each in view.imports.get(scope, {}).get(receiver, ())
        ]
        whole = [each.module for each in entries if not each.name]
        whole += [
            each.module for each in view.long_imports.get(receiver.partition(".")[0], ()) if each.module == receiver
        ]
        if whole and self._installed.lacks_name(view.rules.style, whole[0], name):
            return Suspect(Flaw.MEMBER, name, line, whole[0])
        return None

    def _of_unknown(self, view: View, reference: Reference, line: int, root: str) -> Suspect | None:
        """A member of a value of unknown type: a suspicion where the whole repository does not have the word."""
        is_call = reference.kind in (ReferenceKind.CALL, ReferenceKind.NEW)
        if not is_call or reference.name in view.rules.common_members:
            return None
        if self._vocabulary.has(reference.name):
            return None
        return Suspect(Flaw.MEMBER, reference.name, line, reference.receiver, is_sure=False)

    def _bare(self, view: View, reference: Reference, line: int) -> Suspect | None:
        name, rules = reference.name, view.rules
        if f"{name}()" in rules.super_names or name in rules.super_names:
            return None
        if self._resolver.bare(view, reference.scope, name) is not None or self._vocabulary.has(name):
            return None
        return Suspect(
            Flaw.NAME, name, line, is_sure=rules.closed_scope and not self._has_unseen(view, reference.scope)
        )

    def _has_unseen(self, view: View, scope: int) -> bool:
        """Whether something unseen is imported wholesale into a scope."""
        stars = [star for each in view.chain(scope) for star in view.stars.get(each, ())]
        return any(not self._library.files(view, view.module_of(star)) for star in stars)


class _Bound:
    """Words that a file binds in a way that no symbol shows: assigned, or standing on a line that no reference accounts for."""

    def __init__(self, text: str, references: Iterable[Reference]) -> None:
        self._written = text.split("\n")
        self._lines: dict[str, set[int]] = {}
        for reference in references:
            self._lines.setdefault(reference.name, set()).update(reference.lines)

    def has(self, reference: Reference) -> bool:
        name = re.escape(reference.name)
        word = re.compile(rf"(?<![\w$]){name}(?![\w$])")
        assigned = re.compile(rf"(?<![\w$]){name}\s*(?::[^=\n]*)?(?:[-+*/|&]|<<|>>|:)?=(?!=)")
        known = self._lines.get(reference.name, set())
        for number, line in enumerate(self._written, 1):
            if word.search(line) and (assigned.search(line) or (not reference.receiver and number not in known)):
                return True
        return False


def _joined(folder: str, module: str) -> str | None:
    parts = [part for part in folder.split("/") if part]
    for part in module.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in (".", ""):
            parts.append(part)
    return "/".join(parts)
