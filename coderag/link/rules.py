"""What the linker must know of each language, as data: one row per language, no code.

A row says how imports are written, which names are in scope without one, and which names are too common to tell anything. It refuses
to know grammars: the words it holds appear in `Parsed` values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from coderag.languages import BY_NAME
from coderag.link import words as known
from coderag.link.words import words


class Reach(Enum):
    """What is in scope without an import, beyond the file itself."""

    FILE = "file"
    DIRECTORY = "directory"  # the files of one directory are one package (Go)
    NAMESPACE = "namespace"  # files that declare the same package or namespace; without one, the same directory
    REPOSITORY = "repository"  # every file that the build holds (Swift, Ruby constants)


@dataclass(frozen=True, slots=True)
class LinkRules:
    """One row.

    `family`: languages with one symbol space share it. `style` names an entry of `IMPORT_STYLES`. `extensions` and
    `indexes` are what an import may leave out of a path (`.ts`; the stem `index`). `self_types` mean the enclosing
    type. `super_names` stand for the members of the bases. `constructors` are the members that making an instance
    runs; `constructor_type`: they carry the name of their type. `makers` are members of every type that make an
    instance. `call_members` run when a value is called. `members_in_scope`: a bare name may be a member of the
    enclosing type. `by_name`: a bare name may reach another file because nothing else has it. `open_types`: a type
    may be continued elsewhere. `extension_functions`: a function may be written for a type elsewhere and is
    imported by its own name. `overloads`: one scope may hold several functions of one name, all of them callable.
    `declares`: declarations have their definitions elsewhere. `passes_imports`: what a file imports can be imported
    from it without a word. `shows_imports`: who imports a file sees what that file imports wholesale (`#include`).
    `submodules`: files below a module are members of it. `inline_modules`: a module may stand inside of a file and
    counts in relative imports. `owner_is_module`: members of tables can be imported from their file.
    `closed_types`: a type has the members that are written in it and in its bases, and no others; `closed_scope`: a bare
    name that nothing in scope has does not exist (there are no globals of a host, nothing included unseen).
    `default_export` is what stands for the module when it is called. `wrappers` are generic types that behave like
    their last argument. `properties` are decorators that make a method read like a field. `keeps_last`: of several
    definitions of a name in one scope the last one counts. `ignored_decorators` mark definitions that are no
    targets. `builtins` are bare names of the language itself; `common_members` are members of its built-in types:
    such a name says nothing about who defines it; `standard_modules` are what the language's own library occupies.
    `self_names`, `test_paths` and `hides_private` (a private name cannot be imported) are filled in from the table
    of languages.
    """

    family: str
    style: str
    reach: Reach = Reach.FILE
    extensions: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()
    self_names: tuple[str, ...] = ()
    self_types: tuple[str, ...] = ()
    super_names: tuple[str, ...] = ()
    constructors: tuple[str, ...] = ()
    constructor_type: bool = False
    makers: tuple[str, ...] = ()
    call_members: tuple[str, ...] = ()
    members_in_scope: bool = False
    by_name: bool = False
    open_types: bool = False
    extension_functions: bool = False
    overloads: bool = False
    declares: bool = False
    passes_imports: bool = False
    shows_imports: bool = False
    keeps_last: bool = False
    submodules: bool = False
    inline_modules: bool = False
    owner_is_module: bool = False
    hides_private: bool = False
    closed_types: bool = False
    closed_scope: bool = False
    default_export: str = ""
    wrappers: frozenset[str] = frozenset()
    properties: tuple[str, ...] = ()
    ignored_decorators: tuple[str, ...] = ()
    builtins: frozenset[str] = frozenset()
    common_members: frozenset[str] = frozenset()
    standard_modules: frozenset[str] = frozenset()
    test_paths: tuple[str, ...] = ()


_SCRIPT_EXTENSIONS = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte", ".json")
_SCRIPT = LinkRules(
    family="script",
    style="script",
    extensions=_SCRIPT_EXTENSIONS,
    indexes=("index",),
    super_names=("super",),
    constructors=("constructor",),
    closed_types=True,
    default_export="default",
    keeps_last=True,
    wrappers=words("Promise Readonly Partial Required NonNullable Awaited"),
    builtins=known.SCRIPT_BUILTINS,
    common_members=known.SCRIPT_MEMBERS,
)
_JVM = LinkRules(
    family="jvm",
    style="namespace",
    reach=Reach.NAMESPACE,
    super_names=("super",),
    constructor_type=True,
    members_in_scope=True,
    overloads=True,
    builtins=known.JVM_BUILTINS,
    common_members=known.JVM_MEMBERS,
)
_C = LinkRules(
    family="c",
    style="include",
    by_name=True,
    declares=True,
    shows_imports=True,
    builtins=known.C_BUILTINS,
    common_members=known.C_MEMBERS,
    wrappers=words("unique_ptr shared_ptr weak_ptr"),
)


_ROWS = {
    "python": LinkRules(
        family="python",
        style="dotted",
        extensions=(".py", ".pyi", ".pyx", ".pyw"),
        indexes=("__init__",),
        self_types=("Self",),
        super_names=("super()",),
        call_members=("__call__",),
        constructors=("__init__", "__new__"),
        passes_imports=True,
        submodules=True,
        keeps_last=True,
        closed_types=True,
        closed_scope=True,
        wrappers=words("Optional Annotated Final ClassVar Type type Awaitable Coroutine Required NotRequired"),
        properties=("property", "cached_property"),
        ignored_decorators=("overload", "setter", "deleter"),
        standard_modules=known.PYTHON_STANDARD_MODULES,
        builtins=known.PYTHON_BUILTINS,
        common_members=known.PYTHON_MEMBERS,
    ),
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "html": _SCRIPT,
    "go": LinkRules(
        family="go",
        style="directory",
        reach=Reach.DIRECTORY,
        extensions=(".go",),
        closed_types=True,
        closed_scope=True,
        standard_modules=known.GO_STANDARD_MODULES,
        builtins=known.GO_BUILTINS,
        common_members=known.GO_MEMBERS,
    ),
    "rust": LinkRules(
        family="rust",
        style="crate",
        extensions=(".rs",),
        indexes=("mod", "lib", "main"),
        passes_imports=True,
        submodules=True,
        inline_modules=True,
        constructors=(),
        open_types=True,
        wrappers=words("Box Rc Arc RefCell Cell Mutex RwLock Cow Ref RefMut Pin"),
        builtins=known.RUST_BUILTINS,
        common_members=known.RUST_MEMBERS,
    ),
    "java": _JVM,
    "kotlin": replace(_JVM, extension_functions=True),
    "scala": replace(_JVM, open_types=True),  # a companion object is a part of its class
    "c": _C,
    "cpp": LinkRules(
        family="c",
        style="include",
        constructor_type=True,
        members_in_scope=True,
        by_name=True,
        open_types=True,
        overloads=True,
        declares=True,
        shows_imports=True,
        builtins=known.C_BUILTINS,
        common_members=known.C_MEMBERS,
        wrappers=words("unique_ptr shared_ptr weak_ptr"),
    ),
    "csharp": LinkRules(
        family="csharp",
        style="namespace",
        reach=Reach.NAMESPACE,
        super_names=("base",),
        constructor_type=True,
        members_in_scope=True,
        open_types=True,
        overloads=True,
        wrappers=words("Task Nullable ValueTask Lazy"),
        builtins=known.CSHARP_BUILTINS,
        common_members=known.CSHARP_MEMBERS,
    ),
    "ruby": LinkRules(
        family="ruby",
        style="file",
        reach=Reach.REPOSITORY,
        extensions=(".rb", ".rake"),
        super_names=("super",),
        constructors=("initialize",),
        makers=("new",),
        members_in_scope=True,
        open_types=True,
        keeps_last=True,
        shows_imports=True,
        builtins=known.RUBY_BUILTINS,
        common_members=known.RUBY_MEMBERS,
    ),
    "php": LinkRules(
        family="php",
        style="namespace",
        reach=Reach.NAMESPACE,
        extensions=(".php",),
        super_names=("parent",),
        constructors=("__construct",),
        by_name=True,
        builtins=known.PHP_BUILTINS,
        common_members=known.PHP_MEMBERS,
    ),
    "swift": LinkRules(
        family="swift",
        style="namespace",
        reach=Reach.REPOSITORY,
        super_names=("super",),
        constructors=("init",),
        members_in_scope=True,
        open_types=True,
        overloads=True,
        builtins=known.SWIFT_BUILTINS,
        common_members=known.SWIFT_MEMBERS,
    ),
    "bash": LinkRules(
        family="shell",
        style="file",
        extensions=(".sh", ".bash"),
        by_name=True,
        shows_imports=True,
        keeps_last=True,
        builtins=known.BASH_BUILTINS,
    ),
    "lua": LinkRules(
        family="lua",
        style="dotted",
        extensions=(".lua",),
        indexes=("init",),
        owner_is_module=True,
        by_name=True,
        keeps_last=True,
        builtins=known.LUA_BUILTINS,
        common_members=known.LUA_MEMBERS,
    ),
    "elixir": LinkRules(
        family="elixir",
        style="namespace",
        members_in_scope=True,
        overloads=True,
        builtins=known.ELIXIR_BUILTINS,
    ),
    "haskell": LinkRules(
        family="haskell",
        style="dotted",
        extensions=(".hs",),
        builtins=known.HASKELL_BUILTINS,
    ),
    "zig": LinkRules(
        family="zig",
        style="file",
        extensions=(".zig",),
        builtins=known.ZIG_BUILTINS,
        common_members=known.ZIG_MEMBERS,
    ),
}


def _completed(language: str, row: LinkRules) -> LinkRules:
    known_as = BY_NAME[language]
    return replace(row, self_names=known_as.self_names, test_paths=known_as.test_paths, hides_private=known_as.exports)


LINK_RULES: Mapping[str, LinkRules] = {language: _completed(language, row) for language, row in _ROWS.items()}
"""The row of every language whose names are linked; what is missing here has no links."""
