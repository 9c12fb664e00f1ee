"""The languages as data: how a file is recognised, which grammar parses it, and what the shared engine must know.

Adding a language is one row here, one `<name>.scm` beside it, and one annotated source in `tests/languages/<name>/`. Nothing else in
coderag asks for a language by name.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Protocol

from coderag.types import Parsed, Span

TEXT = "text"
"""The language of a file that no row recognises: paragraphs, no symbols."""


@dataclass(frozen=True, slots=True)
class Language:
    """One row.

    `grammar` is "module:function" of a tree-sitter wheel, "" for text without a grammar; `reader` is "module:function" of what
    reads such text itself (bytes -> Parsed), `view` of what lays its readable text out where that is not the file's own.
    `query` names the query file where it is not `<name>.scm` (several are joined: "a.scm b.scm"). `test_paths` are globs
    (`fnmatch`, on the whole path). `self_names` are the words for the receiver inside a method. `enum_bases` are base classes
    that make a class an enum. `indented`: a comment that is indented below a definition belongs to it. `clauses`: definitions
    of one name in a row are clauses of one symbol. `overloads`: signatures directly above a body of the same name are one
    symbol with it. `bodiless`: a callable without a body is a declaration. `file_private`: what is private at module level
    cannot be named from another file. `noise` matches what the grammar cannot know (macros): it is blanked on lines with a
    syntax error; `splits` what is blanked in the whole stretch of one, but for its group "kept". `binds_first`: `import a.b`
    binds `a` (otherwise `b`). `colon_calls`: `a:b()` calls `b` of `a`. `private` matches names that the language hides by
    spelling. `name_marks`: what is written around a name and is no part of it; `doc_marks`: the same of documentation.
    `member_mark`: the sign that begins the name of a member of the receiver. `module_methods`: functions of a module are its
    methods. `makers`: (kind, words) of calls that define something. `disguises`: (pattern, end) of what the grammar does not
    know and is to see as a name followed by `end` (blanks if `end` is empty). `exports`: what a module does not export is
    private to it. `braces`: blocks stand in braces and are indented. `claims`: (extension, pattern) of files of another row
    that are of this one when the pattern occurs in them. `code` is False for data and text.
    """

    name: str
    extensions: tuple[str, ...] = ()
    file_names: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    grammar: str = ""
    query: str = ""
    reader: str = ""
    view: str = ""
    test_paths: tuple[str, ...] = ()
    self_names: tuple[str, ...] = ()
    enum_bases: tuple[str, ...] = ()
    indented: bool = False
    clauses: bool = False
    overloads: bool = False
    bodiless: bool = False
    file_private: bool = False
    noise: str = ""
    splits: str = ""
    binds_first: bool = False
    colon_calls: bool = False
    private: str = ""
    name_marks: str = ""
    doc_marks: str = ""
    member_mark: str = ""
    module_methods: bool = False
    makers: tuple[tuple[str, str], ...] = ()
    disguises: tuple[tuple[str, str], ...] = ()
    exports: bool = False
    braces: bool = False
    claims: tuple[tuple[str, str], ...] = ()
    embedded: tuple[tuple[str, str], ...] = ()
    code: bool = True


_C_SPLITS = r"""(?x)
    ^[ \t]*\#[ \t]*if.*\n (?P<kept>(?:(?![ \t]*\#).*\n)*)
    (?:[ \t]*\#[ \t]*el.*\n (?:(?![ \t]*\#).*\n)*)* [ \t]*\#[ \t]*endif.*$
"""
"""Conditions: their first half is kept, so that a definition that they split is whole."""

_C_NOISE = r"""(?x)
    \b(?:__attribute(?:__)?|__declspec|alignas|_Pragma)\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)
    | \b_?_[a-z]\w+(?=\s+[A-Za-z_*])
    | ^[ \t]*[A-Z][A-Z0-9_]+(?:\((?:[^()\n]|\([^()\n]*\))*\))?[ \t]*;?(?=[ \t]*(?://.*|/\*.*\*/)?$(?!\s*\{))
    | ^[ \t]*(?:export[ \t]+)?(?:module|import)\b[^;\n]*;
    | (?<=\busing)[ \t]+typename\b | (?<=\bif)[ \t]+[A-Z][A-Z0-9_]+(?=[ \t]*\()
    | ,\s*[A-Z][A-Z0-9_]+\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)(?=\s*[,>])
    | \b[A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?(?=\s+[A-Za-z_*~])
    | (?<=[)\w])[ \t]+[A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?(?=\s*[;{=]|\s*$)
    | \b(?!(?:static|const|unsigned|signed|long|short|extern|inline|volatile|register|return|else|typedef|case|new
      |constexpr|virtual|explicit|mutable|friend|sizeof|struct|enum|union|class|auto|operator|throw|goto)\b)[a-z]\w+
      (?=[ \t]+(?:int|long|char|unsigned|size_t|u?int\d+_t|void|double|float|bool|struct|static|const)\b)
    | ,(?!\s*\w+\s*\))[^()\n]*(?=\)\s*(?:/\*.*\*/\s*)?\{)
    | ,[ \t]*(?:[\w ]+\*+|(?:unsigned|long|short|signed|struct)\b[\w ]*)(?=[ \t]*\))
    | ^[ \t]+(?!(?:if|for|while|switch|else|do|catch)\b)\w+[ ]?\([^\n;]*\)(?=[ \t]*\{[ \t]*\\?$)
    | ^[ \t]+[A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?(?=[ \t]*\{) | ^[ \t]+[A-Z_]*(?:TRY|CATCH)\b[^\n{]*(?=\s*\{)
    | ^[ \t]*[A-Z][A-Z0-9_]{2,}[ \t]*:(?=[ \t]*$)
    | (?<=\w)(?<!\bconst)(?<!\bstruct)(?<!\bunsigned)(?<!\bbool)(?<!\bint)(?<!\bchar)(?<!\btypename)(?<!\bclass)
      [ \t]+[A-Z][A-Z0-9_]{2,}(?=[ \t]*[,)])
    | =\s*\{\s*\}(?=\s*[,)])
    | (?<=\benum)\s*:[\s\w:]+(?=\{)
    | \b(?:unsigned|signed|long|short)(?=\((?!\s*\*))
    | \btypename\b(?=[ \t]+[\w:]+\()
    | ^[ \t]*(?:extern[ \t]+)?template\b(?!\s*<)[^;{}]*;
    | (?<=\bdecltype\()(?:[^()]|\((?:[^()]|\([^()]*\))*\))*,(?=\s*[\w:]+(?:\(\)|\{\})?\s*\))
    | =\s*delete(?=\s*;) | (?<=\()throw\b
"""
"""Macros around C and C++ definitions, and what the grammars do not know of the languages."""

_C_DISGUISES = (
    (r"(?m)^[ \t]*#[ \t]*if.*__cplusplus.*\n\s*(?:extern[ \t]+\"C\"\s*\{|\})[^\n]*\n\s*#[ \t]*endif.*$", ""),
    (r"/\*[^\n]*?\*/(?=[ \t]*\\\r?\n)", ""),
    (r"[hH](?i:as_include)\w*[ \t]*\([ \t]*[<\"][^>\")\n]*[>\"][ \t]*\)", "_"),
    (
        r"[A-Z](?<=[ ].)(?:(?<=\bclass .)|(?<=\bstruct .))[A-Z0-9_]{2,}(?:\([^()\n]*\))?"
        r"(?=[ \t]+[A-Za-z_]\w*(?:<[^<>\n]*>)?\s*(?:final\s*)?[:{])",
        "",
    ),
    (r"const\s+[A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?(?=\s*[;{])", ""),
)
"""`extern "C" {` for C++ alone has no end for the grammar; a comment inside of a macro ends the macro; the condition
`__has_include(<…>)` looks like a name; `class API name {` looks like a function, and so does the
macro in `int f() const LOCKED(m) {`."""

_VARIANCE = (
    r"(?m)(?:o(?<=\bo)ut|i(?<=\bi)n[ \t]+out|i(?:(?<=<i)|(?<=, i)|(?<=^  i)|(?<=^    i))n)"
    r"(?=[ \t]+[A-Za-z_$][\w$]*[ \t]*(?:extends\b|[=,>]))"
)
"""`in` and `out` before a type parameter, which the grammar of TypeScript does not know. It begins with plain letters, and looks back
from them, for that is how the text is searched quickly.
"""

_SCRIPT_CODE = r"[^<>]{0,500}>(?P<code>(?:[^<]|<(?!/?script\b))*+)</script"
_SCRIPTS = (
    (r"(?i)<script\b(?=[^<>]{0,500}\blang\s*=\s*[\"']?tsx?\b)" + _SCRIPT_CODE, "typescript"),
    (
        r"(?i)<script\b(?![^<>]{0,500}\blang\s*=\s*[\"']?tsx?\b)"
        r"(?![^<>]{0,500}\btype\s*=\s*[\"']?(?!module\b|(?:text|application)/(?:java|ecma)script\b|[\"']))"
        + _SCRIPT_CODE,
        "javascript",
    ),
)
"""Scripts of a page or of a single-file component, data and templates aside."""

LANGUAGES: tuple[Language, ...] = (
    Language(
        "python",
        (".py", ".pyi", ".pyw", ".pyx", ".pxd"),
        ("SConstruct", "SConscript", "wscript"),
        ("python", "python2", "python3", "pypy", "pypy3"),
        grammar="tree_sitter_python:language",
        test_paths=(
            "test_*.py",
            "*/test_*.py",
            "*_test.py",
            "*conftest.py",
            "tests/*",
            "*/tests/*",
            "*/test/*",
            "test/*",
        ),
        self_names=("self", "cls"),
        enum_bases=("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"),
        indented=True,
        binds_first=True,
        private=r"_[^_]|__\w*[^_]_?$",
    ),
    Language(
        "javascript",
        (".js", ".mjs", ".cjs", ".jsx", ".es6"),
        ("Jakefile",),
        ("node", "nodejs", "deno", "bun"),
        grammar="tree_sitter_javascript:language",
        query="ecmascript.scm javascript.scm jsx.scm",
        test_paths=(
            "*.test.*",
            "*.spec.*",
            "*__tests__/*",
            "*__mocks__/*",
            "test/*",
            "*/test/*",
            "tests/*",
            "*/tests/*",
        ),
        self_names=("this",),
        private="#",
        exports=True,
        braces=True,
    ),
    Language(
        "typescript",
        (".ts", ".mts", ".cts"),
        (),
        ("ts-node", "tsx"),
        grammar="tree_sitter_typescript:language_typescript",
        query="ecmascript.scm typescript.scm",
        test_paths=(
            "*.test.*",
            "*.spec.*",
            "*__tests__/*",
            "*__mocks__/*",
            "test/*",
            "*/test/*",
            "tests/*",
            "*/tests/*",
        ),
        self_names=("this",),
        private="#",
        exports=True,
        overloads=True,
        disguises=((_VARIANCE, ""),),
        braces=True,
    ),
    Language(
        "tsx",
        (".tsx",),
        grammar="tree_sitter_typescript:language_tsx",
        query="ecmascript.scm typescript.scm jsx.scm",
        test_paths=(
            "*.test.*",
            "*.spec.*",
            "*__tests__/*",
            "*__mocks__/*",
            "test/*",
            "*/test/*",
            "tests/*",
            "*/tests/*",
        ),
        self_names=("this",),
        private="#",
        exports=True,
        overloads=True,
        disguises=((_VARIANCE, ""),),
        braces=True,
    ),
    Language(
        "go",
        (".go",),
        grammar="tree_sitter_go:language",
        test_paths=("*_test.go", "*/testdata/*", "testdata/*"),
        private=r"[a-z_]",
        braces=True,
    ),
    Language(
        "rust",
        (".rs",),
        grammar="tree_sitter_rust:language",
        test_paths=("tests/*", "*/tests/*", "*/tests.rs", "*/test.rs", "benches/*", "*/benches/*"),
        self_names=("self", "Self"),
        private=".",
        braces=True,
    ),
    Language(
        "java",
        (".java",),
        grammar="tree_sitter_java:language",
        test_paths=("*Test.java", "*Tests.java", "*/src/test/*", "src/test/*"),
        self_names=("this",),
        braces=True,
    ),
    Language(
        "c",
        (".c", ".h"),
        grammar="tree_sitter_c:language",
        test_paths=("test/*", "tests/*", "*/test/*", "*/tests/*", "*_test.c", "test_*.c", "*/test_*.c"),
        disguises=_C_DISGUISES,
        noise=_C_NOISE,
        splits=_C_SPLITS,
    ),
    Language(
        "cpp",
        (".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".cu", ".cuh", ".ino"),
        grammar="tree_sitter_cpp:language",
        test_paths=(
            "test/*",
            "tests/*",
            "*/test/*",
            "*/tests/*",
            "*_test.cc",
            "*_test.cpp",
            "*-test.cc",
            "*test_*.cpp",
        ),
        self_names=("this",),
        disguises=_C_DISGUISES,
        noise=_C_NOISE,
        splits=_C_SPLITS,
        claims=(
            (
                ".h",
                r"(?m)^\s*(?:template\s*<|(?:inline\s+)?namespace(?:\s+[\w:]+)?\s*(?:\{|=|$)|class\s+\w[^;\n]*[:{;\n]"
                r"|(?:public|private|protected)\s*:|using\s+(?:namespace\b|[\w:]+::|\w+\s*=)"
                r"|virtual\s+[~\w]|explicit\s+\w+\s*\(|struct\s+\w+\s*(?:final\s*)?:(?!:)"
                r"|#\s*include\s*<(?!c[a-z]+>)[\w/]+>)|\bstd::\w"
                r"|(?:^|[{;])\s*~\w+\s*\(\s*\)\s*[;{=]|\bconst\s+\w+\s*&\s*\w*\s*[,)]",
            ),
        ),
    ),
    Language(
        "csharp",
        (".cs", ".csx"),
        grammar="tree_sitter_c_sharp:language",
        test_paths=("*Tests.cs", "*Test.cs", "*.Tests/*", "*.Test/*", "tests/*", "*/tests/*", "test/*"),
        self_names=("this", "base"),
    ),
    Language(
        "ruby",
        (".rb", ".rake", ".gemspec", ".ru", ".rbi"),
        ("Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile", "Capfile", "Brewfile", "Dangerfile", "Fastfile"),
        ("ruby", "jruby", "macruby"),
        grammar="tree_sitter_ruby:language",
        test_paths=("*_spec.rb", "*_test.rb", "*test_*.rb", "spec/*", "*/spec/*", "test/*", "*/test/*"),
        self_names=("self",),
        name_marks=r"^:|:$",
        member_mark="@",
        module_methods=True,
        makers=(
            (
                "method",
                "alias_method define_method define_singleton_method scope delegate def_delegators def_instance_delegators",
            ),
            (
                "field",
                "attr_accessor attr_reader attr_writer attr cattr_accessor mattr_accessor class_attribute attribute",
            ),
            ("field", "has_many has_one belongs_to let let! subject"),
            ("section", "describe context feature shared_examples shared_context shared_examples_for"),
            ("function", "it specify example scenario test should"),
            ("target", "task multitask file"),
            ("module", "namespace Module"),
            ("struct", "Struct Data"),
            ("class", "Class"),
        ),
    ),
    Language(
        "php",
        (".php", ".phtml", ".php5", ".php7", ".inc"),
        (),
        ("php",),
        grammar="tree_sitter_php:language_php",
        test_paths=("*Test.php", "tests/*", "*/tests/*", "*/Tests/*", "test/*"),
        self_names=("$this", "self", "static", "this"),
        bodiless=True,
    ),
    Language(
        "kotlin",
        (".kt", ".kts"),
        grammar="tree_sitter_kotlin:language",
        test_paths=("*Test.kt", "*Tests.kt", "*/src/test/*", "*/commonTest/*", "*/jvmTest/*", "*Test/kotlin/*"),
        self_names=("this",),
        bodiless=True,
        file_private=True,
        disguises=(
            (r"(?<=\$\$\")[^\"\n]+(?=\")", "_"),
            (r"\bfun(?=\s+interface\b)|\$+(?=\")", ""),
            (r"\bwhere(?=\?*\.)", "_"),
            # the grammar wants a line or a semicolon to end before the brace that closes a class of one line
            (r"(?<=[\w)}\]>?\"'])(?<!->)[ \t](?=\}[ \t};]*(?://[^\n]*)?\r?(?:\n|\Z))", ";"),
            (r"(?<=[\w>)])[ \t]+if[ \t]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)(?=\s*->)", ""),
        ),
        noise=r"(?<=[\w>)])\s+by\s+[\w.]+(?:\([^()\n]*\))?(?=\s*\{)"
        r"|(?<=\})[ \t]+(?!(?:else|catch|finally|while)\b)[a-z]\w*[ \t]+[\w.()]+(?=[ \t]*$)"
        r"|(?<=[\w>])[ \t]+if[ \t]+.*?(?=[ \t]*->)",
    ),
    Language(
        "swift",
        (".swift",),
        (),
        ("swift",),
        grammar="tree_sitter_swift:language",
        test_paths=("*Tests.swift", "*Test.swift", "Tests/*", "*/Tests/*"),
        self_names=("self", "Self"),
        bodiless=True,
        file_private=True,
        makers=(("struct", "struct"), ("enum", "enum"), ("class", "class actor"), ("extension", "extension")),
    ),
    Language(
        "scala",
        (".scala", ".sc", ".sbt"),
        (),
        ("scala",),
        grammar="tree_sitter_scala:language",
        test_paths=("*Spec.scala", "*Suite.scala", "*Test.scala", "*/src/test/*", "src/test/*"),
        self_names=("this",),
    ),
    Language(
        "bash",
        (".sh", ".bash", ".bats", ".zsh", ".ksh", ".ebuild"),
        (".bashrc", ".bash_profile", ".profile", ".zshrc", "PKGBUILD", "bashrc"),
        ("sh", "bash", "dash", "zsh", "ksh", "bats"),
        grammar="tree_sitter_bash:language",
        test_paths=("*.bats", "test/*", "*/test/*", "tests/*", "*/tests/*"),
        private="_",
        name_marks=r"^@test\s+|=$",
        disguises=((r"(?m)^@test[ \t]+[^\n]*?\{(?=[ \t]*(?:#.*)?$)", "(){"),),
    ),
    Language(
        "lua",
        (".lua", ".rockspec"),
        (),
        ("lua", "luajit", "texlua"),
        grammar="tree_sitter_lua:language",
        test_paths=("*_spec.lua", "spec/*", "*/spec/*", "tests/*", "*/tests/*", "test/*"),
        self_names=("self",),
        colon_calls=True,
    ),
    Language(
        "elixir",
        (".ex", ".exs"),
        ("mix.lock",),
        ("elixir",),
        grammar="tree_sitter_elixir:language",
        test_paths=("*_test.exs", "test/*", "*/test/*"),
        self_names=("__MODULE__",),
        clauses=True,
        name_marks=r"^:|:\s*$",
        doc_marks=r"^\s*@(?:type)?doc\s+(?:~[sS])?[\"']*|[\"']+\s*$",
        makers=(
            ("function", "def defp defdelegate defn defnp callback test property"),
            ("macro", "defmacro defmacrop defguard defguardp macrocallback"),
            ("module", "defmodule"),
            ("interface", "defprotocol"),
            ("type alias", "type typep opaque"),
            ("field", "field has_many has_one belongs_to many_to_many embeds_one embeds_many"),
            ("section", "describe"),
        ),
    ),
    Language(
        "haskell",
        (".hs", ".hsc"),
        (),
        ("runhaskell", "runghc"),
        grammar="tree_sitter_haskell:language",
        test_paths=("test/*", "tests/*", "*/test/*", "*/tests/*", "*Spec.hs"),
        indented=True,
        clauses=True,
        exports=True,
        name_marks=r"^\(|\s.*|\)$",
    ),
    Language(
        "zig",
        (".zig",),
        grammar="tree_sitter_zig:language",
        test_paths=("test/*", "*/test/*", "tests/*", "*_test.zig"),
        self_names=("self", "Self"),
        exports=True,
        file_private=True,
    ),
    Language("sql", (".sql", ".ddl", ".psql", ".pgsql"), reader="coderag.statements:parse_statements", code=False),
    Language(
        "yaml",
        (".yaml", ".yml"),
        (".clang-format",),
        grammar="tree_sitter_yaml:language",
        indented=True,
        disguises=((r"(?m)^[ \t]*(?:\{\{.*\}\}|\{%.*%\})[ \t\r]*$", ""), (r"\{\{.*?\}\}|\{%.*?%\}", "_")),
        code=False,
    ),
    Language("toml", (".toml",), ("Pipfile",), grammar="tree_sitter_toml:language", code=False),
    Language(
        "json",
        (".json", ".jsonc", ".json5", ".webmanifest", ".geojson"),
        (".babelrc", ".eslintrc", ".prettierrc"),
        grammar="tree_sitter_json:language",
        code=False,
    ),
    Language(
        "markdown",
        (".md", ".markdown", ".mdx"),
        grammar="tree_sitter_markdown:language",
        name_marks=r"[*`]|!?\[|\](?:\([^)]*\)|\[[^]]*\])?|\s+#+\s*$|\s*\{#[^}]*\}\s*$",
        code=False,
    ),
    Language(
        "html",
        (".html", ".htm", ".xhtml", ".vue", ".svelte"),
        grammar="tree_sitter_html:language",
        self_names=("this",),
        name_marks=r"<[^>]*>",
        embedded=_SCRIPTS,
        disguises=((r"\{%.*?%\}|\{\{.*?\}\}|<%.*?%>", ""),),
        code=False,
    ),
    Language(
        "css",
        (".css", ".scss", ".less"),
        grammar="tree_sitter_css:language",
        name_marks=r"/\*.*?\*/",
        disguises=(
            (r"#\{[^}\n]*\}", "_"),
            (r"\([^(){};\n]*\$[^(){};\n]*\)(?=\s*\{)", ""),
            (r"\$[A-Za-z_]", "--"),
            (r"(?m)(?<=^)%(?=[A-Za-z])", "."),
            (r"(?m)^[ \t]*@(?:use|forward)\b[^;\n]*;", ""),
        ),
        code=False,
    ),
    Language(
        "dockerfile",
        (".dockerfile",),
        ("Dockerfile", "Containerfile"),
        grammar="tree_sitter_dockerfile:language",
        code=False,
    ),
    Language(
        "makefile",
        (".mk", ".mak"),
        ("Makefile", "makefile", "GNUmakefile", "Makefile.am", "Makefile.in"),
        ("make",),
        grammar="tree_sitter_make:language",
        code=False,
    ),
    Language(
        "notebook",
        (".ipynb",),
        reader="coderag.notebook:parse_notebook",
        view="coderag.notebook:read_notebook",
        code=False,
    ),
    Language(TEXT, (".txt", ".rst", ".adoc", ".org"), code=False),
)

BY_NAME = {row.name: row for row in LANGUAGES}
_BY_EXTENSION = {extension: row.name for row in LANGUAGES for extension in row.extensions}
_BY_FILE_NAME = {name: row.name for row in LANGUAGES for name in row.file_names}
_BY_INTERPRETER = {name: row.name for row in LANGUAGES for name in row.interpreters}
_CLAIMS = {
    extension: (re.compile(pattern.encode()), row.name) for row in LANGUAGES for extension, pattern in row.claims
}
_SHEBANG = re.compile(rb"#!\s*(?:\S*/)?([^/\s]+)(?:[ \t]+(?:-S[ \t]*|-\S+[ \t]+)*(?:\S*=\S*[ \t]+)*(\S+))?")


def detect_language(path: str, head: bytes = b"") -> str:
    """The row that a file belongs to: by file name, then extension, then the `#!` line in `head`; `TEXT` if none.

    `head` may be the whole content; a row that claims files of another one by what they hold looks into it.
    """
    name = PurePosixPath(path).name
    if name in _BY_FILE_NAME:
        return _BY_FILE_NAME[name]
    if name.partition(".")[0] in ("Dockerfile", "Containerfile") and not name.endswith(".dockerignore"):
        return "dockerfile"
    extension = PurePosixPath(name).suffix
    if extension in _CLAIMS and _CLAIMS[extension][0].search(head):
        return _CLAIMS[extension][1]
    found = _BY_EXTENSION.get(extension) or _BY_EXTENSION.get(extension.lower())
    return found or _interpreter_language(head)


def _interpreter_language(head: bytes) -> str:
    match = _SHEBANG.match(head[:200])
    if not match:
        return TEXT
    program = match.group(1).decode("latin-1")
    if program == "env" and match.group(2):
        program = match.group(2).rsplit(b"/", 1)[-1].decode("latin-1")
    return _BY_INTERPRETER.get(program) or _BY_INTERPRETER.get(re.sub(r"[\d.]+$", "", program), TEXT)


@cache
def private_pattern(language: str) -> re.Pattern[str] | None:
    """What a hidden name looks like in a language, None where spelling says nothing."""
    spelling = BY_NAME[language].private
    return re.compile(spelling) if spelling else None


@cache
def noise_patterns(language: str) -> tuple[re.Pattern[bytes] | None, re.Pattern[bytes] | None]:
    """`noise` and `splits` of a row, None where a language has no such thing."""
    row = BY_NAME[language]
    noise, splits = (re.compile(each.encode(), re.MULTILINE) if each else None for each in (row.noise, row.splits))
    return noise, splits


@cache
def name_marks(language: str) -> re.Pattern[str]:
    """What a language writes around names."""
    return re.compile(BY_NAME[language].name_marks or r"(?!)")


@cache
def maker_kinds(language: str) -> dict[str, str]:
    """The kind of what a call defines, by the word that is called."""
    return {word: kind for kind, words in BY_NAME[language].makers for word in words.split()}


@cache
def doc_marks(language: str) -> re.Pattern[str]:
    """What a language writes around documentation, beyond the usual marks of comments."""
    return re.compile(BY_NAME[language].doc_marks or r"(?!)")


class View(Protocol):
    """The readable text of a file whose own text is not meant to be read, and the way back into the file."""

    @property
    def text(self) -> bytes:
        """What can be read, in UTF-8."""

    def parse(self) -> Parsed:
        """The structure of `text`."""

    def original(self, span: Span) -> Span:
        """The stretch of the file in which a stretch of `text` stands."""


@cache
def view_of(language: str) -> Callable[[bytes], View] | None:
    """What lays out the readable text of a file, None where that is the file's own."""
    module, _, function = BY_NAME[language].view.partition(":")
    return getattr(importlib.import_module(module), function) if module else None


@cache
def reader_of(language: str) -> Callable[[bytes], Parsed] | None:
    """What reads a language that has no grammar, None for text without structure."""
    module, _, function = BY_NAME[language].reader.partition(":")
    return getattr(importlib.import_module(module), function) if module else None
