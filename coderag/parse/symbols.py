"""Symbols of what was found: names, kinds, parents, spans with what is attached, clauses and overloads as one."""

from __future__ import annotations

import re
from dataclasses import replace

from coderag.languages import Language, name_marks, private_pattern
from coderag.parse.comments import Comment, attach_above, attach_below, comment_doc, plain_doc
from coderag.parse.found import VARIABLES, Found
from coderag.parse.text import SEPARATORS, Text, one_line
from coderag.types import CALLABLE_KINDS, CONTAINER_KINDS, Kind, Problem, Span, Symbol, Visibility

MAX_UNITS = 2_000  # names of one data file
MAX_SIGNATURE = 400
MAX_DOC = 4_000
_TYPES = CONTAINER_KINDS - {Kind.MODULE} | {Kind.ENUM_MEMBER}  # what makes a function inside of it a method
_CONSTANT_NAME = re.compile(r"_*[A-Z][A-Z0-9_]*$")
_BRACKET = re.compile(r"[<>\[\]]")
_OPERATOR = re.compile(r"(?:^|(?<=::))operator\b\s*(?:\(\s*\)|[^(]*[^(\s])")


def symbols_of(source: Text, row: Language, found: list[Found], comments: dict[int, Comment]) -> list[Symbol]:
    """Symbols in order of position, with parents, spans that hold what is attached, and final kinds."""
    starts = {line.first: line for line in comments.values()}
    ordered = sorted(found, key=lambda each: (each.start, -each.end, each.name.start_byte))
    drafts: list[Symbol] = []
    stack: list[tuple[int, int, tuple[int, int]]] = []
    for each in ordered:
        while stack and stack[-1][1] <= each.name.start_byte:
            stack.pop()
        twin = bool(stack) and stack[-1][2] == (each.start, each.end)
        holder = stack.pop() if twin else None
        parent = stack[-1][0] if stack else -1
        symbol = _symbol(source, row, each, parent, drafts, comments, starts)
        if holder and drafts[holder[0]].name == symbol.name:  # one definition, its name twice: `struct a {…} a`
            drafts[holder[0]] = symbol
            stack.append(holder)
            continue
        merged = _merge_target(row, drafts, symbol, source)
        if merged >= 0:
            drafts[merged] = _merge(row, drafts[merged], symbol)
            index = merged
        else:
            index = len(drafts)
            drafts.append(symbol)
        if holder and drafts[holder[0]].kind in CONTAINER_KINDS and drafts[index].kind not in CONTAINER_KINDS:
            stack.append(holder)
        else:
            stack.append((index, each.end, (each.start, each.end)))
    return drafts


def bounded(drafts: list[Symbol], problems: tuple[Problem, ...]) -> tuple[list[Symbol], tuple[Problem, ...]]:
    """At most `MAX_UNITS` names of one data file, the deepest left out first: a generated table is text, not thousands of names."""
    if len(drafts) <= MAX_UNITS:
        return drafts, problems
    depths: list[int] = []
    for symbol in drafts:
        depths.append(depths[symbol.parent] + 1 if symbol.parent >= 0 else 0)
    chosen = sorted(sorted(range(len(drafts)), key=lambda index: (depths[index], index))[:MAX_UNITS])
    numbers = {old: new for new, old in enumerate(chosen)}
    kept = [replace(drafts[old], parent=numbers.get(drafts[old].parent, -1)) for old in chosen]
    left = f"{len(drafts) - MAX_UNITS} of {len(drafts)} names left out of a long list"
    return kept, (*problems, Problem(drafts[chosen[-1]].span.start_line, left))


def _symbol(
    source: Text,
    row: Language,
    found: Found,
    parent: int,
    drafts: list[Symbol],
    comments: dict[int, Comment],
    starts: dict[int, Comment],
) -> Symbol:
    assert found.kind is not None
    outer = drafts[parent] if parent >= 0 else None
    written = one_line(source.cut(found.name.start_byte, _name_end(found)))
    owner, name = _owner_and_name(row, found.kind, written, found.owner)
    qualified_name = _qualified(name, owner, outer) if found.kind is not Kind.EXTENSION else name
    kind = _final_kind(row, found, name, outer, owner)
    start, leading = attach_above(source, found.start, comments)
    end = attach_below(source, row, found.start, found.end, found.header_start, starts)
    header_end = found.body if found.body >= 0 else end
    return Symbol(
        name=name,
        qualified_name=qualified_name,
        kind=kind,
        span=Span(start, end, source.line(start), source.line(max(start, end - 1))),
        name_line=source.line(found.name.start_byte),
        header_end=header_end,
        parent=parent,
        signature=_signature(source, found),
        doc=(plain_doc(found.doc) or comment_doc(source, row, leading))[:MAX_DOC],
        decorators=tuple(found.decorators),
        visibility=_visibility(row, name, found.visibility, parent),
        bases=tuple(dict.fromkeys(found.bases)),
        type=found.type,
        owner=owner,
        declaration=found.declaration or (row.bodiless and found.body < 0 and kind in CALLABLE_KINDS),
    )


def _signature(source: Text, found: Found) -> str:
    """The definition up to its body, on one line, without the decorators that it begins with."""
    end = min(found.body if found.body >= 0 else found.end, found.header_start + 4 * MAX_SIGNATURE)
    signature = one_line(source.cut(found.header_start, end))
    for decorator in found.decorators:
        rest = signature.removeprefix(decorator)
        if rest[:1].isspace():  # what has arguments right behind it is a macro that defines something
            signature = rest.lstrip()
    return signature[:MAX_SIGNATURE].rstrip(" {:=")


def _qualified(name: str, owner: str, outer: Symbol | None) -> str:
    """The name after what encloses it: the owner replaces a type around it, not a namespace."""
    around = outer.qualified_name if outer and (not owner or outer.kind is Kind.MODULE) else ""
    return ".".join(part for part in (around, owner, name) if part)


def _name_end(found: Found) -> int:
    """Where the name ends; what has no name but its own header is called by it (`@media (max-width: 10px)`)."""
    return min(found.name.end_byte, found.body) if found.body > found.name.start_byte else found.name.end_byte


def _owner_and_name(row: Language, kind: Kind, written: str, owner: str) -> tuple[str, str]:
    """Split `Box<T>::get` or `M.parse` into the type that the member belongs to and the member; quoted names stay whole."""
    if row.name_marks:
        written = one_line(name_marks(row.name).sub("", written)) or written
    if written.isidentifier() and not owner:
        return "", written
    name = written.strip("\"'") if written[:1] in ('"', "'") else written
    if name != written:
        return owner, one_line(name)
    if kind is Kind.MODULE:
        return owner, ".".join(part.strip() for part in SEPARATORS.split(name) if part.strip())
    if kind in CALLABLE_KINDS and (operator := _OPERATOR.search(written)):
        owner, name = owner or written[: operator.start()].rstrip(":"), one_line(operator.group())
    elif kind in CALLABLE_KINDS or kind in VARIABLES or kind is Kind.FIELD:
        parts = SEPARATORS.split(_without_arguments(written))
        if len(parts) > 1 and all(part.strip() for part in parts):
            owner, name = owner or ".".join(part.strip() for part in parts[:-1]), parts[-1].strip()
    if kind is Kind.EXTENSION:
        name = _without_arguments(name)
    plain = _without_arguments(owner).strip("&*()? \t")
    return ".".join(part.strip() for part in SEPARATORS.split(plain) if part.strip()), name


def _without_arguments(name: str) -> str:
    """A type name without its generic arguments: `Box<T>::get` -> `Box::get`."""
    if not _BRACKET.search(name):
        return name
    depth, kept = 0, []
    for character in name:
        if character in "<[":
            depth += 1
        elif character in ">]":
            depth -= 1
        elif depth <= 0:
            kept.append(character)
    return "".join(kept)


def _final_kind(row: Language, found: Found, name: str, outer: Symbol | None, owner: str) -> Kind:
    kind = found.kind
    assert kind is not None
    inside = outer is not None and (outer.kind in _TYPES or (row.module_methods and outer.kind is Kind.MODULE))
    if kind is Kind.FUNCTION and (inside or owner):
        return Kind.METHOD
    if kind is Kind.CLASS and any(base.rsplit(".", 1)[-1] in row.enum_bases for base in found.bases):
        return Kind.ENUM
    if row.enum_bases and kind in VARIABLES and outer is not None and outer.kind is Kind.ENUM:
        return Kind.ENUM_MEMBER
    if kind is Kind.VARIABLE and _CONSTANT_NAME.match(name):
        return Kind.CONSTANT
    if kind is Kind.VARIABLE and inside:
        return Kind.FIELD
    return kind


def _visibility(row: Language, name: str, written: Visibility | None, parent: int) -> Visibility:
    pattern = private_pattern(row.name)
    spelled = Visibility.PRIVATE if pattern and pattern.match(name) else Visibility.PUBLIC
    visibility = written or spelled
    return Visibility.FILE if row.file_private and parent < 0 and visibility is Visibility.PRIVATE else visibility


def _merge_target(row: Language, drafts: list[Symbol], symbol: Symbol, source: Text) -> int:
    """The sibling that this symbol continues (overload signatures before a body, clauses of one function), -1 for none."""
    index = len(drafts) - 1
    while index > symbol.parent and drafts[index].parent != symbol.parent:
        index -= 1
    if index <= symbol.parent:
        return -1
    previous = drafts[index]
    alike = previous.kind is symbol.kind and symbol.kind in CALLABLE_KINDS
    declared = row.clauses and previous.declaration and not symbol.declaration  # the signature says what it is
    bodiless = previous.declaration or previous.header_end >= previous.span.end_byte
    continued = row.clauses or (row.overloads and bodiless)
    if previous.qualified_name != symbol.qualified_name or not (alike or declared) or not continued:
        return -1
    between = source.data[previous.span.end_byte : symbol.span.start_byte]
    return index if not between.strip(b" \t\r\n;,") else -1


def _merge(row: Language, first: Symbol, second: Symbol) -> Symbol:
    span = Span(first.span.start_byte, second.span.end_byte, first.span.start_line, second.span.end_line)
    signature = second.signature if first.declaration and not row.clauses else first.signature
    return replace(
        first,
        span=span,
        signature=signature,
        header_end=second.header_end if first.declaration else first.header_end,
        doc=first.doc or second.doc,
        declaration=first.declaration and second.declaration,
        type=first.type or second.type,
        decorators=first.decorators + second.decorators,
    )


def without_locals(drafts: list[Symbol]) -> tuple[list[Symbol], list[int]]:
    """Drop variables and mere declarations that live inside a callable; renumber. Returns the rest, and old index -> innermost kept index.

    A field with an owner is no local: a constructor's parameter declares it, and it goes to the type around the constructor.
    The second list has one more entry at its end, so that index -1 (module level) maps to -1.
    """
    kept: list[Symbol] = []
    numbers: list[int] = []
    for symbol in drafts:
        parent = numbers[symbol.parent] if symbol.parent >= 0 else -1
        inside = parent >= 0 and kept[parent].kind in CALLABLE_KINDS
        if inside and symbol.kind is Kind.FIELD and symbol.owner:
            numbers.append(len(kept))
            kept.append(replace(symbol, parent=kept[parent].parent))
        elif inside and (symbol.kind in VARIABLES or symbol.kind is Kind.FIELD or symbol.declaration):
            numbers.append(parent)
        else:
            numbers.append(len(kept))
            kept.append(replace(symbol, parent=parent) if parent != symbol.parent else symbol)
    return kept, [*numbers, -1]
