"""SourceFile -> Parsed: the symbols, references, imports and bindings of one file, for every language alike.

Pure: knows no disk, no index and no language by name. A language speaks through its row in `coderag.languages` and its query file,
whose captures are:

`@definition.<kind>` with `@name` (leaf), and on the same or on other patterns with the same `@name` node: `@body` (where the header
ends), `@doc`, `@base`, `@type`, `@owner`, `@decorator`, `@span` (widens the symbol), `@declaration`, and `@public`, `@private`, `@file`
(visibility). `@made` with `@maker`: the kind of definition is the one that `Language.makers` has for the word. `@reach.<level>`:
the symbol reaches to the next one of this level or a smaller one, inside of `@until`. `@splice` marks a region whose symbols
belong to the enclosing symbol.
`@import` (whole statement) with `@import.module` or `@import.path` (module and name in one), `@import.name`, `@import.alias`,
`@import.all`, `@import.tree` (paths that share their beginnings, in braces), `@import.bare`, `@import.default` (the name is
"default"), `@import.reexport`, `@import.relative` (the module is a path beside this file). `@binding.name` with `@binding.type`, or
`@binding.same` (the type of another name). `@export.name` (or `@export.default`) with `@export.local`, or `@export.all` alone: the
members of this name are what the file exports ("*"). `@module`: the name that the file gives itself.
Leaves: `@call`, `@new`, `@inherit`, `@implement`, `@type`, `@pass`, `@table`, `@read`, `@local` (binds a name in the enclosing
callable), `@generic` (binds a name in the enclosing symbol), `@global` (undoes `@local`), `@ignore`, `@silent` (nothing inside is a
reference), `@comment`, `@attached` (an attribute that stands above what it belongs to), `@wrapper` (what its last child defines
begins where the wrapper does).

Everything is iterative: depth of nesting costs memory, never a recursion.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter

from tree_sitter import Node, QueryCursor, Tree

from coderag.braces import close_braces
from coderag.languages import (
    BY_NAME,
    Language,
    doc_marks,
    maker_kinds,
    name_marks,
    noise_patterns,
    private_pattern,
    reader_of,
)
from coderag.languages.grammar import Compiled, compiled
from coderag.types import (
    CALLABLE_KINDS,
    CONTAINER_KINDS,
    Binding,
    Import,
    Kind,
    Parsed,
    Problem,
    Reference,
    ReferenceKind,
    Span,
    Symbol,
    Visibility,
)

MAX_DEPTH = (
    400  # patterns are not tried deeper: real code stays below 100, and a query on a tree 30,000 deep takes minutes
)
LONG_SYMBOL_LINES = 60  # only symbols longer than this carry statement borders
MAX_STRAY = (
    10_000  # tokens side by side in an error: a query looks from each of them to the last, so their square counts
)
MAX_UNITS = 2_000  # names of one data file
MAX_SIGNATURE = 400
MAX_DOC = 4_000
_MAX_RECEIVER = 160
_CLEANINGS, _REPAIRS = 4, 2  # how often a text with errors is parsed again: without noise, without lines
_MAX_PROBLEMS = 20
_MAX_NOISE = 2_000  # bytes that one match of `Language.noise` may span

_LEAF_ORDER = (
    "ignore", "call", "new", "inherit", "implement", "type", "pass", "table", "read",
)  # fmt: skip
_LEAF_KIND = {name: ReferenceKind(name) for name in _LEAF_ORDER[1:]}
_VARIABLES = frozenset({Kind.VARIABLE, Kind.CONSTANT})
_LAST = 1 << 20  # added to the number of a pattern that finds a variable: what is also a function or a type is that
_TYPES = CONTAINER_KINDS - {Kind.MODULE} | {Kind.ENUM_MEMBER}  # what makes a function inside of it a method
_CONSTANT_NAME = re.compile(r"_*[A-Z][A-Z0-9_]*$")
_SEPARATORS = re.compile(r"[?&]?\.|->|::|:|\\|(?<=\w)#")
_MAY_END_CHAIN = frozenset(b".:>\\ \t\n")
_REVERSED_SEPARATORS = (b".", b"?.", b"&.", b"::", b"\\")
_REVERSED_CHAINING = (b".", b"?.", b">-", b"::")  # what stands before a chain whose beginning is no name
_REVERSED_TIGHT = (b">-", b":")  # separators that have no white space behind them; the second where a language says so
_REVERSED_ROOT = re.compile(
    rb"\s*(?:::|\\)(?![\w)\]>}\"'?!\x80-\xff])"
)  # `::name` and `\name` begin at the outermost scope
_REVERSED_CHAIN, _REVERSED_COLON_CHAIN = (
    re.compile(
        rb"(?:(?:\s*\.[?&]?(?:[ \t]*\r?\n\s*)?|\s*::|\s*\\|"
        + tight
        + rb")(?:\)[^()\n]{0,80}\()?(?:>[\w\s,:.*&]{0,80}<(?:::)?)?!?[\w@$\x80-\xff]+#?)+"
    )
    for tight in (rb">-\??\s*", rb"(?:>-\??\s*|:(?=[\w\x80-\xff]))")
)  # a chain of names read backwards from the name that ends it
_CHAIN_ARGUMENTS = re.compile(r"<[\w\s,:.*&]*>")
_OPERATOR = re.compile(r"(?:^|(?<=::))operator\b\s*(?:\(\s*\)|[^(]*[^(\s])")
_CHAIN_CALL = re.compile(r"\([^()]*\)")
_COMMENT_MARKS = re.compile(
    r"^\s*(?:/\*\*?!?|\*/|\*(?!/)|///?!?|//!|#+!?|--+(?: ?[|^])?|;+|%+|\{-(?: ?[|^])?|-\}|\(\*|\*\))? ?|\s*\*/\s*$"
)
_TREE_WORDS = re.compile(r"^(?:import|export|use(?: (?:function|const)\b)?)\b ?|(?<=[{,]) ?(?:function|const) ")
_ARGUMENTS_AT_END = re.compile(r"(?<=\w)\([^()]*\)$")
_QUOTES = re.compile(r"^[rRbBuUfF@]*(?:\"\"\"|'''|\"|')|(?:\"\"\"|'''|\"|')$")
_VERSION = re.compile(r"v\d+$")  # a version at the end of a module path is no name: `money/v2` binds `money`
_NOT_BREAK = re.compile(rb"[^\r\n]")
_SHARED = frozenset({"binding.name", "export.default", "export.name"})  # captures that may share a pattern with `@name`
_COMMENT_SIGNS = (b"//", b"/*", b"#", b"--")
_BLANK = b" \t"
_NOT_BREAK = re.compile(rb"[^\r\n]")


@dataclass(slots=True)
class _Found:
    """A symbol while its captures are being gathered."""

    name: Node
    kind: Kind | None = None
    rank: int = 1 << 30
    start: int = -1
    end: int = -1
    header_start: int = -1
    body: int = -1
    doc: str = ""
    owner: str = ""
    type: str = ""
    declaration: bool = False
    reach: int = 0
    until: int = -1
    visibility: Visibility | None = None
    bases: list[str] = field(default_factory=list)
    decorators: list[str] = field(default_factory=list)


class _Text:
    """The bytes of a file with its line starts. `parsed` is `data` without what was blanked to parse it."""

    __slots__ = ("data", "parsed", "starts")

    def __init__(self, data: bytes) -> None:
        self.data = self.parsed = data
        self.starts = [0, *(match.end() for match in re.finditer(b"\n", data))]
        if len(self.starts) > 1 and self.starts[-1] == len(data):
            self.starts.pop()

    def line(self, offset: int) -> int:
        """The 1-based line of a byte."""
        return bisect_right(self.starts, offset)

    def line_end(self, offset: int) -> int:
        """Where the line of a byte ends, before its line break."""
        end = self.data.find(b"\n", offset)
        end = len(self.data) if end < 0 else end
        return end - 1 if end > offset and self.data[end - 1] == 13 else end

    def indent_start(self, offset: int) -> int:
        """The start of the line when only white space stands before the byte, otherwise the byte itself."""
        start = self.starts[self.line(offset) - 1]
        return start if not self.parsed[start:offset].strip(_BLANK) else offset

    def cut(self, start: int, end: int) -> str:
        return self.data[start:end].decode("utf-8", "replace")


def parse(text: bytes, language: str) -> Parsed:
    """The structure of one file. `text` is UTF-8 (`SourceFile.text`); a language without a grammar has no symbols."""
    source = _Text(text)
    lines = len(source.starts) if text else 0
    rules = compiled(language)
    row = BY_NAME[language]
    if rules is None:
        reader = reader_of(language)
        return reader(text) if reader else Parsed(language, lines)
    source.parsed = _disguised(text, row)
    tree = rules.parser.parse(source.parsed)
    if not tree.root_node.has_error:
        return _extract(source, tree, rules, row, lines, ())
    if any(
        node.type == "ERROR" and node.child_count > MAX_STRAY for node in (tree.root_node, *tree.root_node.children)
    ):
        return Parsed(language, lines, problems=(Problem(1, "no structure could be found"),))
    return _repaired(source, rules, row, tree, lines)


def _disguised(text: bytes, row: Language) -> bytes:
    """The text that the grammar sees: what it does not know looks like something that it does, byte for byte as long."""
    for pattern, end in row.disguises:
        text = re.sub(pattern.encode(), partial(_disguise, end.encode()), text)
    return text


def _disguise(end: bytes, match: re.Match[bytes]) -> bytes:
    if not end:
        return _NOT_BREAK.sub(b" ", match.group())
    return end.rjust(len(match.group()), b"_")


@dataclass(frozen=True, slots=True, order=True)
class _Break:
    """Lines that the grammar could not read, the first and the last."""

    line: int
    last: int


def _breaks(source: _Text, tree: Tree, rules: Compiled) -> tuple[_Break, ...]:
    if not tree.root_node.has_error:
        return ()
    nodes = _cursor(rules.errors).captures(tree.root_node).get("error", [])
    end = len(source.starts)
    found = {_Break(min(node.start_point.row + 1, end), min(node.end_point.row + 1, end)) for node in nodes}
    return tuple(sorted(found))


def _problems(source: _Text, tree: Tree, rules: Compiled) -> tuple[Problem, ...]:
    lines = dict.fromkeys(each.line for each in _breaks(source, tree, rules))
    return tuple(Problem(line, "syntax error") for line in lines)


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read a file: the text as the grammar saw it, its tree, what was lost, and how much it defines."""

    text: bytes
    tree: Tree
    problems: tuple[Problem, ...]
    definitions: int


def _repaired(source: _Text, rules: Compiled, row: Language, tree: Tree, lines: int) -> Parsed:
    """Look again in several ways: one break must not hide the symbols around it. The most definitions win."""
    tree, errors = _without_noise(source, rules, row, tree)
    text, guessed = close_braces(source.parsed) if row.braces else (source.parsed, ())
    readings = [*_readings(source, rules, row, source.parsed, tree, ())]
    if guessed:
        known = errors + tuple(Problem(line, "a block above is not closed") for line in guessed)
        readings += _readings(source, rules, row, text, rules.parser.parse(text), known)
    best = max(readings, key=lambda each: each.definitions)
    source.parsed = best.text
    return _extract(source, best.tree, rules, row, lines, _in_order(best.problems))


def _in_order(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    return tuple(sorted(set(problems), key=lambda problem: (problem.line, problem.message)))[:_MAX_PROBLEMS]


def _readings(
    source: _Text, rules: Compiled, row: Language, text: bytes, tree: Tree, lost: tuple[Problem, ...]
) -> Iterator[_Reading]:
    """A text as it is, then without the lines where an error begins, again and again for as long as errors remain."""
    for _ in range(_REPAIRS + 1):
        errors = _problems(source, tree, rules)
        yield _Reading(text, tree, lost + errors, len(_structure(source, tree, rules, row)[0]))
        if not errors:
            break
        lost += errors
        data = bytearray(text)
        _blank_lines(source, data, errors)
        text = bytes(data)
        tree = rules.parser.parse(text)


def _without_noise(source: _Text, rules: Compiled, row: Language, tree: Tree) -> tuple[Tree, tuple[Problem, ...]]:
    """The tree with the fewest errors that can be had by blanking noise, and what remains wrong with it."""
    best, fewest = tree, _breaks(source, tree, rules)
    breaks, data = fewest, bytearray(source.parsed)
    for _ in range(_CLEANINGS):
        if not breaks or not _blank_noise(source, row, data, breaks):
            break
        text = bytes(data)
        tree = rules.parser.parse(text)
        breaks = _breaks(source, tree, rules)
        if len(breaks) < len(fewest):
            best, fewest, source.parsed = tree, breaks, text
    return best, _problems(source, best, rules)


def _blank_noise(source: _Text, row: Language, data: bytearray, breaks: tuple[_Break, ...]) -> bool:
    """Blank what `Language.noise` matches on or above the lines where breaks begin, and `Language.splits` anywhere in a
    break but for its group "kept". False if there is nothing to blank.
    """
    noise, splits = noise_patterns(row.name)
    found = False
    for start, end in _stretches(source, breaks):
        for match in splits.finditer(data, start, end) if splits else ():
            found = True
            _blank(data, match.start(), match.start("kept"))
            _blank(data, match.end("kept"), match.end())
    for line in dict.fromkeys(each.line for each in breaks):
        start, end = source.starts[max(0, line - 2)], source.line_end(source.starts[line - 1])
        for match in noise.finditer(data, start, end + _MAX_NOISE) if noise else ():
            if match.start() > end:
                break
            found = True
            _blank(data, match.start(), match.end())
    return found


def _stretches(source: _Text, breaks: tuple[_Break, ...]) -> Iterator[tuple[int, int]]:
    """The bytes of the breaks with a line above and what is left of a condition below, none twice."""
    reached = 0
    for each in breaks:
        start = max(reached, source.starts[max(0, each.line - 2)])
        reached = max(reached, source.line_end(source.starts[each.last - 1]) + _MAX_NOISE)
        if start < reached:
            yield start, reached


def _blank(data: bytearray, start: int, end: int) -> None:
    data[start:end] = _NOT_BREAK.sub(b" ", data[start:end])


def _blank_lines(source: _Text, data: bytearray, errors: tuple[Problem, ...]) -> None:
    for problem in errors:
        start = source.starts[problem.line - 1]
        end = source.line_end(start)
        data[start:end] = b" " * (end - start)


def _cursor(query: object) -> QueryCursor:
    cursor = QueryCursor(query)  # type: ignore[arg-type]
    cursor.set_max_start_depth(MAX_DEPTH)
    return cursor


def _extract(
    source: _Text, tree: Tree, rules: Compiled, row: Language, lines: int, problems: tuple[Problem, ...]
) -> Parsed:
    leaves = _cursor(rules.references).captures(tree.root_node)
    found, matches = _structure(source, tree, rules, row)
    imported = _import_names(matches)
    found = [each for each in found if each.name.start_byte not in imported]
    _wrap(found, leaves.get("wrapper", ()))
    exports = tuple(_exports(source, matches))
    if row.exports:
        _hide(source, found, {local for _, local in exports})
    comments = _attachable(source, leaves)
    _reach(source, found, comments)
    drafts = _symbols(source, row, found, comments)
    if not row.code:
        drafts, problems = _bounded(drafts, problems)
    scopes = _Scopes(drafts)
    kept, numbers = _without_locals(drafts)
    names = {each.name.start_byte for each in found} | imported.keys()
    visible = _locals(source, leaves, imported, scopes, drafts)
    references = _references(source, row, leaves, names, scopes, visible, numbers)
    bindings = _bindings(source, row, matches, partial(_known_in, scopes, drafts, numbers, names))
    bindings += tuple(_untyped_receivers(row, kept, references, bindings, dict(zip(numbers, visible, strict=True))))
    return Parsed(
        language=row.name,
        lines=lines,
        symbols=tuple(_with_borders(source, tree, kept)),
        references=references,
        imports=_imports(source, row, matches, scopes, numbers),
        bindings=bindings,
        exports=exports,
        module=next((source.cut(*_range(captures["module"][0])) for captures in matches if "module" in captures), ""),
        problems=problems,
    )


def _range(node: Node) -> tuple[int, int]:
    return node.start_byte, node.end_byte


# Symbols


def _structure(
    source: _Text, tree: Tree, rules: Compiled, row: Language
) -> tuple[list[_Found], list[dict[str, list[Node]]]]:
    """Gather symbol captures by the position of their `@name`, what an earlier pattern says first; all other matches as they are."""
    by_name: dict[int, _Found] = {}
    makers = maker_kinds(row.name)
    others: list[dict[str, list[Node]]] = []
    named: list[tuple[int, dict[str, list[Node]]]] = []
    for pattern, captures in _cursor(rules.structure).matches(tree.root_node):
        names = captures.get("name")
        if "made" in captures:
            maker = source.cut(*_range(captures["maker"][0]))
            captures[f"definition.{makers[maker]}"] = captures.pop("made")
        if names is None or not _SHARED.isdisjoint(captures):
            others.append(captures)
        if names is not None:
            named.append((pattern, captures))
    for pattern, captures in sorted(named, key=itemgetter(0)):
        for name in captures["name"]:
            found = by_name.setdefault(name.start_byte, _Found(name))
            _gather(source, found, pattern, captures)
    return [found for found in by_name.values() if found.kind is not None and found.name.end_byte > found.name.start_byte], others


def _gather(source: _Text, found: _Found, pattern: int, captures: dict[str, list[Node]]) -> None:
    for capture, nodes in captures.items():
        node = nodes[0]
        if capture.startswith("definition."):
            found.start, found.end = _widened(found, node)
            kind = Kind(capture[11:].replace("_", " "))
            rank = pattern + _LAST * (kind in _VARIABLES or kind is Kind.FIELD)
            if rank < found.rank:
                found.rank, found.kind = rank, kind
                found.header_start = node.start_byte
        elif capture == "span":
            found.start, found.end = _widened(found, node)
        elif capture == "body":
            found.body = node.start_byte if found.body < 0 else min(found.body, node.start_byte)
        elif capture == "doc":
            found.doc = found.doc or "\n".join(source.cut(*_range(part)) for part in nodes)
        elif capture == "base":
            found.bases.extend(source.cut(*_range(part)) for part in nodes)
        elif capture == "decorator":
            found.decorators.extend(_one_line(source.cut(*_range(part))) for part in nodes)
        elif capture == "owner":
            found.owner = found.owner or source.cut(*_range(node))
        elif capture == "type":
            found.type = found.type or _one_line(source.cut(*_range(node)))
        elif capture == "declaration":
            found.declaration = True
        elif capture.startswith("reach."):
            found.reach, found.body = int(capture[6:]), source.line_end(found.name.end_byte)
        elif capture == "until":
            found.until = node.end_byte
        elif capture in ("public", "private", "file") and found.visibility is not Visibility.FILE:
            found.visibility = Visibility(capture)


def _wrap(found: list[_Found], wrappers: Iterable[Node]) -> None:
    """Let what a wrapper (`template <…>`) ends with begin where the wrapper begins."""
    around = {
        last.start_byte: node
        for node in wrappers
        if (last := node.named_child(node.named_child_count - 1)) and last.start_byte > node.start_byte
    }
    for each in found if around else ():
        while (node := around.get(each.header_start)) is not None:
            each.start, each.end = _widened(each, node)
            each.header_start = node.start_byte


def _hide(source: _Text, found: list[_Found], exported: set[str]) -> None:
    """Make private what a module does not export; a file that exports nothing is no module and hides nothing."""
    if not exported and not any(each.visibility is Visibility.PUBLIC for each in found):
        return
    end = -1
    for each in sorted(found, key=lambda each: (each.start, -each.end)):
        outermost, end = each.start >= end, max(end, each.end)
        if (
            outermost
            and each.visibility is None
            and each.kind is not Kind.EXTENSION
            and not each.owner
            and source.cut(*_range(each.name)) not in exported
        ):
            each.visibility = Visibility.PRIVATE


def _reach(source: _Text, found: list[_Found], comments: dict[int, _Comment]) -> None:
    """Let a heading, table or stage reach to the next one of its level or a higher one, or to the end of the file."""
    reaching: list[_Found] = []
    for each in sorted((each for each in found if each.reach), key=lambda each: each.start):
        start, _ = _attach_above(source, each.start, comments)
        while reaching and (reaching[-1].reach >= each.reach or 0 <= reaching[-1].until <= start):
            last = reaching.pop()
            last.end = min(start, last.until) if last.until >= 0 else start
        reaching.append(each)
    for each in reaching:
        each.end = each.until if each.until >= 0 else len(source.data)


def _widened(found: _Found, node: Node) -> tuple[int, int]:
    if found.start < 0:
        return node.start_byte, node.end_byte
    return min(found.start, node.start_byte), max(found.end, node.end_byte)


@dataclass(frozen=True, slots=True)
class _Comment:
    """A comment or attribute that has its lines to itself."""

    start: int
    end: int
    first: int
    last: int
    column: int
    comment: bool


def _attachable(source: _Text, leaves: dict[str, list[Node]]) -> dict[int, _Comment]:
    """Comments and attributes that begin their line, by the line on which they end."""
    result: dict[int, _Comment] = {}
    for capture in ("comment", "attached"):
        for node in leaves.get(capture, ()):
            start, end = _range(node)
            line_start = source.indent_start(start)
            if line_start == start and start and source.data[start - 1] != 10:
                continue
            if source.data[end - 1 : end] == b"\n":
                end -= 1
            first, last = source.line(start), source.line(max(start, end - 1))
            rest = source.data[end : source.line_end(end)].strip(_BLANK)
            if rest and (capture == "comment" or not rest.startswith(_COMMENT_SIGNS)):
                continue
            if first == 1 and source.data.startswith(b"#!"):
                continue
            result[last] = _Comment(line_start, end, first, last, start - line_start, capture == "comment")
    return result


def _symbols(source: _Text, row: Language, found: list[_Found], comments: dict[int, _Comment]) -> list[Symbol]:
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


def _bounded(drafts: list[Symbol], problems: tuple[Problem, ...]) -> tuple[list[Symbol], tuple[Problem, ...]]:
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
    source: _Text,
    row: Language,
    found: _Found,
    parent: int,
    drafts: list[Symbol],
    comments: dict[int, _Comment],
    starts: dict[int, _Comment],
) -> Symbol:
    assert found.kind is not None
    outer = drafts[parent] if parent >= 0 else None
    written = _one_line(source.cut(found.name.start_byte, _name_end(found)))
    owner, name = _owner_and_name(row, found.kind, written, found.owner)
    qualified_name = _qualified(name, owner, outer) if found.kind is not Kind.EXTENSION else name
    kind = _final_kind(row, found, name, outer, owner)
    start, leading = _attach_above(source, found.start, comments)
    end = _attach_below(source, row, found, starts)
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
        doc=(_plain_doc(found.doc) or _comment_doc(source, row, leading))[:MAX_DOC],
        decorators=tuple(found.decorators),
        visibility=_visibility(row, name, found.visibility, parent),
        bases=tuple(dict.fromkeys(found.bases)),
        type=found.type,
        owner=owner,
        declaration=found.declaration or (row.bodiless and found.body < 0 and kind in CALLABLE_KINDS),
    )


def _signature(source: _Text, found: _Found) -> str:
    """The definition up to its body, on one line, without the decorators that it begins with."""
    end = min(found.body if found.body >= 0 else found.end, found.header_start + 4 * MAX_SIGNATURE)
    signature = _one_line(source.cut(found.header_start, end))
    for decorator in found.decorators:
        signature = signature.removeprefix(decorator).lstrip()
    return signature[:MAX_SIGNATURE].rstrip(" {:=")


def _qualified(name: str, owner: str, outer: Symbol | None) -> str:
    """The name after what encloses it: the owner replaces a type around it, not a namespace."""
    around = outer.qualified_name if outer and (not owner or outer.kind is Kind.MODULE) else ""
    return ".".join(part for part in (around, owner, name) if part)


def _name_end(found: _Found) -> int:
    """Where the name ends; what has no name but its own header is called by it (`@media (max-width: 10px)`)."""
    return min(found.name.end_byte, found.body) if found.body > found.name.start_byte else found.name.end_byte


def _owner_and_name(row: Language, kind: Kind, written: str, owner: str) -> tuple[str, str]:
    """Split `Box<T>::get` or `M.parse` into the type that the member belongs to and the member; quoted names stay whole."""
    written = _one_line(name_marks(row.name).sub("", written)) or written
    name = written.strip("\"'") if written[:1] in ('"', "'") else written
    if name != written:
        return owner, _one_line(name)
    if kind is Kind.MODULE:
        return owner, ".".join(part.strip() for part in _SEPARATORS.split(name) if part.strip())
    if kind in CALLABLE_KINDS and (operator := _OPERATOR.search(written)):
        owner, name = owner or written[: operator.start()].rstrip(":"), _one_line(operator.group())
    elif kind in CALLABLE_KINDS or kind in _VARIABLES or kind is Kind.FIELD:
        parts = _SEPARATORS.split(_without_arguments(written))
        if len(parts) > 1 and all(part.strip() for part in parts):
            owner, name = owner or ".".join(part.strip() for part in parts[:-1]), parts[-1].strip()
    if kind is Kind.EXTENSION:
        name = _without_arguments(name)
    plain = _without_arguments(owner).strip("&*()? \t")
    return ".".join(part.strip() for part in _SEPARATORS.split(plain) if part.strip()), name


def _without_arguments(name: str) -> str:
    """A type name without its generic arguments: `Box<T>::get` -> `Box::get`."""
    depth, kept = 0, []
    for character in name:
        if character in "<[":
            depth += 1
        elif character in ">]":
            depth -= 1
        elif depth <= 0:
            kept.append(character)
    return "".join(kept)


def _final_kind(row: Language, found: _Found, name: str, outer: Symbol | None, owner: str) -> Kind:
    kind = found.kind
    assert kind is not None
    inside = outer is not None and (outer.kind in _TYPES or (row.module_methods and outer.kind is Kind.MODULE))
    if kind is Kind.FUNCTION and (inside or owner):
        return Kind.METHOD
    if kind is Kind.CLASS and any(base.rsplit(".", 1)[-1] in row.enum_bases for base in found.bases):
        return Kind.ENUM
    if row.enum_bases and kind in _VARIABLES and outer is not None and outer.kind is Kind.ENUM:
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


def _attach_above(source: _Text, start: int, comments: dict[int, _Comment]) -> tuple[int, list[_Comment]]:
    """Widen a start over the comments and attributes directly above it, at the same indentation."""
    column, start = start, source.indent_start(start)
    column -= start
    line = source.line(start)
    leading: list[_Comment] = []
    while start == source.starts[line - 1] and line - 1 in comments and comments[line - 1].column == column:
        above = comments[line - 1]
        leading.append(above)
        start, line = above.start, above.first
    return start, leading[::-1]


def _attach_below(source: _Text, row: Language, found: _Found, starts: dict[int, _Comment]) -> int:
    """Widen an end over what is left of its line (a sign, a comment) and, where indentation says so, comments below."""
    end = found.end
    while end > found.start and source.data[end - 1] in b"\n\r \t":
        end -= 1
    rest = source.data[end : source.line_end(end)]
    if re.match(rb"[ \t]*[;,]?[ \t]*(?:(?:#|//|--|/\*).*)?$", rest):
        end += len(rest.rstrip())
    if not row.indented:
        return end
    column = found.header_start - source.indent_start(found.header_start)
    line = source.line(max(0, end - 1)) + 1
    while line in starts and starts[line].comment and starts[line].column > column:
        end, line = starts[line].end, starts[line].last + 1
    return end


def _merge_target(row: Language, drafts: list[Symbol], symbol: Symbol, source: _Text) -> int:
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


def _without_locals(drafts: list[Symbol]) -> tuple[list[Symbol], list[int]]:
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
        elif inside and (symbol.kind in _VARIABLES or symbol.kind is Kind.FIELD or symbol.declaration):
            numbers.append(parent)
        else:
            numbers.append(len(kept))
            kept.append(replace(symbol, parent=parent) if parent != symbol.parent else symbol)
    return kept, [*numbers, -1]


def _with_borders(source: _Text, tree: Tree, symbols: list[Symbol]) -> Iterator[Symbol]:
    for symbol in symbols:
        if symbol.kind in CONTAINER_KINDS or symbol.span.end_line - symbol.span.start_line < LONG_SYMBOL_LINES:
            yield symbol
        else:
            yield replace(symbol, borders=tuple(_borders(tree, symbol)))


def _borders(tree: Tree, symbol: Symbol) -> list[tuple[int, int]]:
    """Lines after the header on which a node begins that has the line to itself, with the depth of the outermost such node."""
    depths: dict[int, int] = {}
    node = tree.root_node.descendant_for_byte_range(symbol.header_end, max(symbol.header_end, symbol.span.end_byte - 1))
    stack = [(node, 0)] if node else []
    while stack:
        current, depth = stack.pop()
        last = -1
        for child in current.children:
            first, end = child.start_point.row + 1, child.end_point.row + 1
            if first > last and first > symbol.span.start_line and child.is_named:
                depths[first] = min(depth, depths.get(first, depth))
            last = end
            if end - first >= 8 and depth < 12:
                stack.append((child, depth + 1))
    return sorted((line, depth) for line, depth in depths.items() if line <= symbol.span.end_line)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _plain_doc(doc: str) -> str:
    return "\n".join(line.strip() for line in _QUOTES.sub("", doc.strip()).strip().splitlines()).strip()


def _comment_doc(source: _Text, row: Language, comments: list[_Comment]) -> str:
    marks = doc_marks(row.name)
    lines = [
        marks.sub("", _COMMENT_MARKS.sub("", line))
        for comment in comments
        if comment.comment
        for line in source.cut(comment.start, comment.end).splitlines()
    ]
    return "\n".join(line.strip() for line in lines).strip()


# Scopes and leaves


class _Scopes:
    """Innermost symbol at a byte, for bytes asked in ascending order or not."""

    def __init__(self, symbols: list[Symbol]) -> None:
        events: list[tuple[int, int]] = []
        stack: list[tuple[int, int]] = []
        for index, symbol in enumerate(symbols):
            while stack and stack[-1][1] <= symbol.span.start_byte:
                end = stack.pop()[1]
                events.append((end, stack[-1][0] if stack else -1))
            events.append((symbol.span.start_byte, index))
            end = min(symbol.span.end_byte, stack[-1][1]) if stack else symbol.span.end_byte
            stack.append((index, end))
        while stack:
            end = stack.pop()[1]
            events.append((end, stack[-1][0] if stack else -1))
        self._starts = [event[0] for event in events]
        self._scopes = [event[1] for event in events]

    def at(self, offset: int) -> int:
        """The index of the innermost symbol that holds the byte, -1 for none."""
        position = bisect_right(self._starts, offset) - 1
        return self._scopes[position] if position >= 0 else -1


def _locals(
    source: _Text, leaves: dict[str, list[Node]], imported: dict[int, Node], scopes: _Scopes, symbols: list[Symbol]
) -> list[frozenset[bytes]]:
    """Names bound in each symbol or around it, by the symbol's index; the last entry is for module level.

    At module level those of anonymous functions and loops are meant: what is a symbol or imported is no local there.
    """
    own: dict[int, set[bytes]] = {}
    for node in leaves.get("local", ()):
        start, end = _range(node)
        own.setdefault(_binder_at(scopes.at(start), symbols), set()).add(source.data[start:end])
    for node in leaves.get("generic", ()):
        start, end = _range(node)
        own.setdefault(scopes.at(start), set()).add(source.data[start:end])
    for symbol in symbols:
        if symbol.parent >= 0 and symbol.kind in CALLABLE_KINDS:
            own.get(_binder_at(symbol.parent, symbols), set()).discard(symbol.name.encode())
    for node in (*leaves.get("global", ()), *imported.values()):
        start, end = _range(node)
        own.get(_binder_at(scopes.at(start), symbols), set()).discard(source.data[start:end])
    names = {symbol.name.encode() for symbol in symbols if symbol.parent < 0}
    outermost = frozenset(own.get(-1, ())) - names
    visible: list[frozenset[bytes]] = []
    for index, symbol in enumerate(symbols):
        around = visible[symbol.parent] if symbol.parent >= 0 else outermost
        visible.append(around | own[index] if index in own else around)
    return [*visible, outermost]


def _binder_at(scope: int, symbols: list[Symbol]) -> int:
    """The symbol whose locals are bound here: the callable around, else the symbol itself, -1 for module level."""
    outer = scope
    while outer >= 0 and symbols[outer].kind not in CALLABLE_KINDS:
        outer = symbols[outer].parent
    return outer if outer >= 0 else scope


def _references(
    source: _Text,
    row: Language,
    leaves: dict[str, list[Node]],
    names: set[int],
    scopes: _Scopes,
    visible: list[frozenset[bytes]],
    numbers: list[int],
) -> tuple[Reference, ...]:
    """Leaf captures merged by (scope, receiver, name, kind), reads of locals left out."""
    data = _without_comments(source.data, leaves)
    merged: dict[tuple[int, bytes, str, str], list[int]] = {}
    last = -1
    for start, order, end in _ordered_leaves(leaves):
        if start <= last:
            continue
        last = start if order >= 0 else end - 1
        if order <= 0 or start in names:
            continue
        name = data[start:end]
        receiver = _receiver(data, start, row.colon_calls)
        if b"." in name and not receiver:
            path, _, name = name.rpartition(b".")
            receiver = path.decode("utf-8", "replace")
        if row.member_mark:
            name, receiver = _unmarked(row, name, receiver)
        scope = scopes.at(start)
        if not receiver and name in visible[scope]:
            continue
        key = (numbers[scope], name, receiver, _LEAF_ORDER[order])
        lines = merged.get(key)
        line = bisect_right(source.starts, start)
        if lines is None:
            merged[key] = [line]
        elif lines[-1] != line:
            lines.append(line)
    return tuple(
        Reference(name.decode("utf-8", "replace"), receiver, _LEAF_KIND[kind], scope, tuple(lines))
        for (scope, name, receiver, kind), lines in merged.items()
    )


def _without_comments(data: bytes, leaves: dict[str, list[Node]]) -> bytes:
    """The same bytes with blanks for comments: a chain may go on around them, never into them."""
    blanked = bytearray(data)
    for node in leaves.get("comment", ()):
        start, end = _range(node)
        blanked[start:end] = _NOT_BREAK.sub(b" ", data[start:end])
    return bytes(blanked)


def _unmarked(row: Language, name: bytes, receiver: str) -> tuple[bytes, str]:
    """`:paid` is `paid`, and where `@` marks members `@store` is `store` of `self`."""
    mark, itself = row.member_mark, row.self_names[0]
    if receiver.startswith(mark):
        receiver = f"{itself}.{receiver.lstrip(mark)}"
    if name.startswith(mark.encode()):
        return name.lstrip(mark.encode()), itself
    return (name.strip(b":") or name) if name.startswith(b":") else name, receiver


def _ordered_leaves(leaves: dict[str, list[Node]]) -> list[tuple[int, int, int]]:
    """(start, kind order, end) of every reference leaf, most specific kind first at one place."""
    found = [
        (node.start_byte, order, node.end_byte)
        for order, capture in enumerate(("silent", *_LEAF_ORDER), -1)
        for node in leaves.get(capture, ())
    ]
    found.sort()
    return found


def _receiver(data: bytes, start: int, colon_calls: bool) -> str:
    """The chain written before a name; see `Reference.receiver`."""
    if data[start - 1] not in _MAY_END_CHAIN or not start:
        return ""
    backwards = data[max(0, start - _MAX_RECEIVER) : start][::-1]
    tight = _REVERSED_TIGHT if colon_calls else _REVERSED_TIGHT[:1]
    stripped = backwards.lstrip()
    if not (stripped.startswith(_REVERSED_SEPARATORS) or backwards.startswith(tight)):
        return ""
    if stripped.startswith(b".."):
        return ""
    match = (_REVERSED_COLON_CHAIN if colon_calls else _REVERSED_CHAIN).match(backwards)
    if match is None:
        return "" if _REVERSED_ROOT.match(backwards) else "?"
    chain = match.group()[::-1].decode("utf-8", "replace")
    chain = _CHAIN_ARGUMENTS.sub("", _CHAIN_CALL.sub("()", "".join(chain.split())))
    parts = [part.rstrip("!?") for part in _SEPARATORS.split(chain) if part]
    rest = backwards[match.end() :]
    goes_on = (rest.startswith(_REVERSED_CHAINING) and not rest.startswith(b"..")) or (
        not rest and start > _MAX_RECEIVER
    )
    return ".".join(["?", *parts] if goes_on else parts)


# Imports, bindings, exports


def _import_names(matches: Iterable[dict[str, list[Node]]]) -> dict[int, Node]:
    """The nodes of the names that imports bind, by position."""
    bound = (
        captures.get("import.alias") or captures.get("import.name") or []
        for captures in matches
        if "import" in captures
    )
    return {node.start_byte: node for nodes in bound for node in nodes}


def _imports(
    source: _Text, row: Language, matches: Iterable[dict[str, list[Node]]], scopes: _Scopes, numbers: list[int]
) -> tuple[Import, ...]:
    found: dict[tuple[str, str, str], Import] = {}
    for captures in matches:
        statement = captures.get("import")
        if statement is None:
            continue
        start = statement[0].start_byte
        line, scope = source.line(start), numbers[scopes.at(start)]
        for module, name, alias in _imported(source, row, captures):
            if "import.relative" in captures and not module.startswith((".", "/")):
                module = f"./{module}"
            entry = Import(module, name, alias, line, scope, "import.reexport" in captures)
            found.setdefault((module, name, alias), entry)
    bound = {(module, alias) for module, name, alias in found if name}
    binding = {(entry.module, entry.line) for entry in found.values() if entry.alias or entry.name == "*"}
    return tuple(
        entry
        for (module, name, alias), entry in found.items()
        if name or ((module, alias) not in bound and (alias or (module, entry.line) not in binding))
    )


def _imported(source: _Text, row: Language, captures: dict[str, list[Node]]) -> list[tuple[str, str, str]]:
    """(module, name, alias) of everything that one import match brings in."""

    def text(capture: str) -> str:
        nodes = captures.get(capture)
        return "".join(source.cut(*_range(nodes[0])).split()).strip("\"'`<>;") if nodes else ""

    if "import.tree" in captures:
        return [_whole(row, path, alias) for path, alias in _branches(source.cut(*_range(captures["import.tree"][0])))]
    module, name, alias = text("import.module"), text("import.name"), text("import.alias")
    name = name_marks(row.name).sub("", name)
    if "import.default" in captures:
        return [(module, "default", alias)]
    if "import.path" in captures:
        module, name = _cut_path(text("import.path"))
        if name in ("*", "_"):
            return [(module, "*", "")]
    if "import.all" in captures:
        return [(module, "*", alias)]
    if not alias and "import.bare" not in captures:
        alias = name or _module_alias(row, module)
    return [(module, name, alias)]


def _cut_path(path: str) -> tuple[str, str]:
    """`a.b.C` as module and name."""
    cut = max((match.start() for match in _SEPARATORS.finditer(path)), default=-1)
    return (path[:cut], _SEPARATORS.sub("", path[cut:], count=1)) if cut >= 0 else ("", path)


def _branches(tree: str) -> Iterator[tuple[str, str]]:
    """The paths of `a::{b, c::{self, d as e}}`, each whole and with its alias. The word for import may stand before them."""
    prefixes, path = [""], ""
    plain = _TREE_WORDS.sub("", " ".join(tree.split())).replace("=>", " as ").rstrip("; ")
    for token in re.findall(r"[{},]|[^{},]+", plain + ","):
        if token == "{":
            prefixes.append(prefixes[-1] + path)
        elif token not in ("}", ","):
            path = token.strip()
            continue
        elif path:
            written, _, alias = path.partition(" as ")
            yield prefixes[-1] + written.strip(), alias.strip()
        if token == "}" and len(prefixes) > 1:
            prefixes.pop()
        path = ""


def _whole(row: Language, path: str, alias: str) -> tuple[str, str, str]:
    """One path of a tree as (module, name, alias); `self` at its end is the module before it."""
    module, name = _cut_path(path)
    if name in ("*", "_", "given"):
        return module, "*", ""
    if name in row.self_names and module:
        return module, "", alias or _module_alias(row, module)
    return module, name, alias or name


def _module_alias(row: Language, module: str) -> str:
    parts = [part for part in re.split(r"[./:\\]+", module) if part]
    if len(parts) > 1 and _VERSION.match(parts[-1]):
        parts.pop()
    if not parts:
        return ""
    return parts[0] if row.binds_first else parts[-1]


def _known_in(scopes: _Scopes, drafts: list[Symbol], numbers: list[int], names: Set[int], name: Node) -> int:
    """The scope that knows a name: a symbol's own name is known around it."""
    scope = scopes.at(name.start_byte)
    return numbers[drafts[scope].parent if scope >= 0 and name.start_byte in names else scope]


def _bindings(
    source: _Text, row: Language, matches: Iterable[dict[str, list[Node]]], known_in: Callable[[Node], int]
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
            written = known.get((scope, source.cut(*_range(same[0]))), "")
        else:
            written = _ARGUMENTS_AT_END.sub("", _one_line(source.cut(*_range(captures["binding.type"][0]))))
        for name in names:
            plain = ".".join(_SEPARATORS.split("".join(source.cut(*_range(name)).split())))
            if row.member_mark and plain.startswith(row.member_mark):
                plain = f"{row.self_names[0]}.{plain.lstrip(row.member_mark)}"
            if written and len(written) <= _MAX_RECEIVER:
                known.setdefault((scope, plain), written)
    return tuple(Binding(scope, name, written) for (scope, name), written in known.items())


def _untyped_receivers(
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


def _exports(source: _Text, matches: Iterable[dict[str, list[Node]]]) -> Iterator[tuple[str, str]]:
    for captures in matches:
        if "export.all" in captures:
            yield "*", source.cut(*_range(captures["export.all"][0]))
        elif "export.default" in captures:
            yield "default", source.cut(*_range(captures["export.local"][0]))
        elif "export.name" in captures:
            name = source.cut(*_range(captures["export.name"][0])).strip("\"'")
            local = source.cut(*_range(captures["export.local"][0])) if "export.local" in captures else name
            yield name, local
