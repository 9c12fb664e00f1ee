"""The values that cross a module border: frozen, slotted, comparable. Imports only the standard library.

Lines are 1-based and inclusive. Byte offsets count bytes of the ORIGINAL file, end exclusive. Paths are POSIX and
relative to the root; a path that is not UTF-8 carries surrogate escapes, as `os.fsdecode` makes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Reason(StrEnum):
    """Why a path was left out. Closed: every skip has exactly one of these."""

    IGNORED = "ignored"
    BUILT_IN = "built-in rule"
    BINARY = "binary"
    TOO_LARGE = "too large"
    MINIFIED = "minified or generated"
    UNDECODABLE = "undecodable"
    UNREADABLE = "unreadable"
    NOT_REGULAR = "not regular"
    OUTSIDE_ROOT = "symlink out of root"
    CHANGING = "changing"
    SECRET = "secret file"
    CAP = "cap reached"


class Kind(StrEnum):
    """What a symbol or a chunk is."""

    FUNCTION = "function"
    METHOD = "method"
    CLASS = "class"
    STRUCT = "struct"
    INTERFACE = "interface"
    TRAIT = "trait"
    ENUM = "enum"
    ENUM_MEMBER = "enum member"
    TYPE_ALIAS = "type alias"
    CONSTANT = "constant"
    VARIABLE = "variable"
    FIELD = "field"
    MACRO = "macro"
    MODULE = "module"
    EXTENSION = "extension"
    SECTION = "section"
    STATEMENT = "statement"
    KEY = "key"
    TARGET = "target"
    STAGE = "stage"
    RULE = "rule"
    ELEMENT = "element"
    CELL = "cell"
    PARAGRAPH = "paragraph"


CALLABLE_KINDS = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.MACRO})
CONTAINER_KINDS = frozenset(
    {Kind.CLASS, Kind.STRUCT, Kind.INTERFACE, Kind.TRAIT, Kind.ENUM, Kind.MODULE, Kind.EXTENSION}
)
MEMBER_KINDS = frozenset({Kind.FIELD, Kind.ENUM_MEMBER})


class Visibility(StrEnum):
    """From where a symbol can be named."""

    PUBLIC = "public"
    PRIVATE = "private"
    FILE = "file"  # cannot be named from another file (C `static`, an unexported JavaScript binding)


class ReferenceKind(StrEnum):
    """How a name is used where it is used."""

    CALL = "call"
    NEW = "new"
    READ = "read"
    TYPE = "type"
    INHERIT = "inherit"
    IMPLEMENT = "implement"
    PASS = "pass"
    TABLE = "table"


class EdgeKind(StrEnum):
    """How one chunk depends on another."""

    CALLS = "calls"
    REFERS = "refers"
    TYPES = "types"
    IMPORTS = "imports"
    INHERITS = "inherits"
    IMPLEMENTS = "implements"
    OVERRIDES = "overrides"
    RE_EXPORTS = "re-exports"
    PASSES = "passes"
    VIA_TABLE = "via-table"
    TESTS = "tests"
    DECLARES = "declares"  # a declaration to its definition (C++ header to source)
    EXTENDS = "extends"  # an extension or reopened class to the type that it adds to


class Confidence(StrEnum):
    """How an edge was resolved. A guess is never shown as a fact."""

    EXACT = "exact"  # through an import, an explicit path, or a receiver of known type
    SCOPED = "scoped"  # through the language's own scope rules (same file, class, package)
    UNIQUE_NAME = "unique-name"  # the only definition with this name that the language allows here
    AMBIGUOUS = "ambiguous"  # one of n; the weight is 1/n


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a file: bytes [start_byte, end_byte) of the original and lines start_line..end_line, 1-based."""

    start_byte: int
    end_byte: int
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class FileStat:
    """The hint that a file may be unchanged; the content hash is the truth. Times in nanoseconds."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class WalkedFile:
    """A file that the rules keep, found but not yet read."""

    path: str
    stat: FileStat


@dataclass(frozen=True, slots=True)
class Skipped:
    """A path that was left out, why, and the rule that did it (`.gitignore:3: *.log`, a size, a limit)."""

    path: str
    reason: Reason
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Walk:
    """What a root holds: the files to index and everything that was left out, both sorted by path.

    A directory that a rule excludes as a whole is one `Skipped` whose path ends in "/".
    """

    files: tuple[WalkedFile, ...]
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that was read: its original bytes and the UTF-8 that is parsed.

    `text` is `data` in UTF-8 without a byte order mark, secrets masked (length kept); where `encoding` is "utf-8" the offsets of
    both agree, otherwise `walk.decode.original_offsets` maps one to the other. `content_hash` is of `data`.
    """

    path: str
    language: str
    encoding: str  # "utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "latin-1"
    data: bytes
    text: bytes
    content_hash: str
    stat: FileStat
    notes: tuple[str, ...] = ()
    secrets: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that cost a part of a file: where, and what was lost."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition. Offsets are into the UTF-8 text; `parent` is an index into `Parsed.symbols`, -1 at module level.

    `span` holds the decorators, attributes and attached comments; `name_line` is where the name stands; `header_end` is the byte
    where the body begins (the end of the span when there is none). `name` may be compact (`Shop::Cart`); `qualified_name` joins
    the enclosing names with ".". `borders` are lines inside a long symbol where a statement begins, with its depth.
    """

    name: str
    qualified_name: str
    kind: Kind
    span: Span
    name_line: int
    header_end: int
    parent: int = -1
    signature: str = ""
    doc: str = ""
    decorators: tuple[str, ...] = ()
    visibility: Visibility = Visibility.PUBLIC
    bases: tuple[str, ...] = ()
    type: str = ""  # declared or constructed type of a field or variable; return type of a callable; as written
    owner: str = (
        ""  # for members written outside of their type: the type's name (receiver, impl, extension, `Box<T>::`)
    )
    declaration: bool = False  # a signature without a body where the body may stand elsewhere
    borders: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Reference:
    """A use of a name inside `scope` (index into `Parsed.symbols`, -1 for module level), on each of `lines`.

    `receiver` is the chain written before the name, separators as ".": "self", "store", "self.cart", "make()"; "?" for an
    expression that is more than a chain; "" for none.
    """

    name: str
    receiver: str
    kind: ReferenceKind
    scope: int
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Import:
    """A name brought in from elsewhere: `from module import name as alias`.

    `name` is "" when the module itself is bound and "*" for everything; `alias` is the local name ("" when nothing is bound).
    `reexport` marks `export … from`. `scope` as in `Reference`.
    """

    module: str
    name: str
    alias: str
    line: int
    scope: int = -1
    reexport: bool = False


@dataclass(frozen=True, slots=True)
class Binding:
    """A name whose type can be known: a parameter, a variable, or "self.x" (scope: the function where it was written).

    `type` is "" for a local name of unknown type that a receiver begins with: it hides what has that name outside.
    """

    scope: int
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """What one file defines and refers to. Pure function of text and language.

    `symbols` are ordered by position, parents before children. `module` is the name that the file gives itself (package,
    namespace, module), "" where it has none. `exports` maps an exported name to the local one where they differ.
    """

    language: str
    lines: int
    symbols: tuple[Symbol, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    bindings: tuple[Binding, ...] = ()
    exports: tuple[tuple[str, str], ...] = ()
    module: str = ""
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a name is defined, with what a resolver needs to choose: the `index`-th symbol of `path`.

    `parent_kind` is the kind of the enclosing symbol, None at module level; the other fields are those of `Symbol`.
    """

    path: str
    index: int
    name: str
    qualified_name: str
    kind: Kind
    visibility: Visibility = Visibility.PUBLIC
    parent_kind: Kind | None = None
    owner: str = ""
    declaration: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A resolved reference between symbols: from symbol `source` of the linked file (-1: module level) to symbol `target` of `path`.

    `target` is -1 for the module itself (an import of a whole file).
    """

    source: int
    path: str
    target: int
    kind: EdgeKind
    confidence: Confidence
    weight: float
    name: str
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A whole symbol, an outline of a container, or a natural unit of text, as it can be shown.

    `id` is `path#qualified name`, with `~n` for the n-th symbol of the same name and `@i/n` for part i of n: stable across machines
    and unrelated edits. `symbols` are the indices (into `Parsed.symbols`) that this chunk is the home of: its own first,
    then fields, enum members and small nested functions. `text` may elide bodies of members (an outline); `span` is then still
    the whole of the container.
    """

    id: str
    path: str
    language: str
    kind: Kind
    symbol: str  # qualified name, "" for the module outline and paragraphs
    span: Span
    text: str
    signature: str = ""
    doc: str = ""
    enclosing: str = ""
    before: str = ""  # up to two lines of the file above the chunk
    after: str = ""  # up to two lines below
    imports: tuple[str, ...] = ()  # import statements whose names the chunk uses, normalised
    defines: tuple[str, ...] = ()
    refers: tuple[str, ...] = ()
    symbols: tuple[int, ...] = ()
    part: int = 1
    parts: int = 1
    content_hash: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """`source` depends on `target` (chunk ids). `name` is the name as written; `lines` are in the source's file."""

    source: str
    target: str
    kind: EdgeKind
    confidence: Confidence
    weight: float  # 1.0, or 1/n for an ambiguous edge
    name: str
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """What git remembers of files, by path, each from 0 to 1: `recency` is 1 for the newest commit, `churn` 1 for the file that changes
    most, `together[a][b]` 1 where every commit that changed a changed b.
    """

    recency: Mapping[str, float] = field(default_factory=dict)
    churn: Mapping[str, float] = field(default_factory=dict)
    together: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Focus:
    """Where the editor is: a path, and a line or a selection of lines."""

    path: str
    start_line: int = 1
    end_line: int = 0  # 0: the start line alone


@dataclass(frozen=True, slots=True)
class Query:
    """A question. Every field is optional; a focus without text is valid. Globs in `paths`; `k` hits are wanted."""

    text: str = ""
    k: int = 10
    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    focus: Focus | None = None
    open_files: tuple[str, ...] = ()
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Without:
    """What a search does without, so that one sees what it is worth: recallers and signals by name, the reranker as a whole.

    Frames of a trace and the surroundings of a focus are rankings like those of a recaller, by the names that their hits have.
    Without the reranker the rankings are fused by their ranks.
    """

    recallers: frozenset[str] = frozenset()
    signals: frozenset[str] = frozenset()
    reranker: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """One proposal of one recaller: the chunk's row in the snapshot, its rank from 1, the recaller's own score, and why."""

    row: int
    recaller: str
    rank: int
    score: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class SignalValue:
    """What one signal saw in a chunk and what it added to the score."""

    name: str
    value: float
    contribution: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chunk in its place: score in [0, 1], and every reason for it."""

    chunk: Chunk
    score: float
    rank: int
    reasons: tuple[SignalValue, ...] = ()
    callers: tuple[str, ...] = ()
    stale: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A ranking with what it cannot know: the generation it was read from, whether it is fresh, what was left out and why."""

    query: Query
    hits: tuple[Ranked, ...]
    generation: int
    fresh: bool
    left_out: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
