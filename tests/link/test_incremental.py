"""Linking again only what a change may touch gives what linking everything gives: random small programs, random edits."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coderag.link import LINK_RULES, Linker, files_to_relink, module_keys, names_changed, names_used
from coderag.parse import parse
from tests.link.sources import Sources, written


@dataclass(frozen=True)
class Grammar:
    """Programs of one language: paths in a ring, each with the words by which the others import it, and pieces of text with holes.

    `own`, `Own` are a function and a type of the file, `its`, `Its` those of the next file in the ring (sometimes of any), `m` a word for
    the next file, `n` a member. So a file mentions its neighbour and depends on what lies further away.
    """

    files: tuple[tuple[str, tuple[str, ...]], ...]
    pieces: tuple[str, ...]
    head: str = ""
    upper: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(path for path, _ in self.files)


PYTHON = Grammar(
    (
        ("a.py", ("a",)),
        ("pkg/__init__.py", ("pkg", ".")),
        ("pkg/c.py", ("pkg.c", ".c")),
        ("d.py", ("d",)),
        ("pkg/e.py", ("pkg.e", ".e")),
    ),
    (
        "from <m> import <its>, <Its>",
        "from <m> import <Its> as <Own>",
        "from <m> import <its> as <own>",
        "from <m> import *",
        "import <m>",
        "import <m> as mod",
        "from pkg import c, e",
        "__all__ = ['<own>', '<Its>', '<its>']",
        "def <own>(x: <Its>) -> <Its>:\n    x.<n>().<n>()\n    <its>()\n    <m>.<its>().<n>()",
        "def <own>():\n    from <m> import <its>\n    y = <its>()\n    y.<n>()\n    return mod.<its>()",
        "class <Own>(<Its>):\n    def <n>(self):\n        self.v = <its>()\n        super().<n>()\n        self.v.<n>()",
        "class <Own>:\n    w: <Its>\n    def <n>(self) -> '<Its>':\n        self.w.<n>(); self.v.<n>(); <Its>().<n>()",
        "class <Own>(<Its>, <Its>):\n    def __init__(self):\n        self.<n>()",
        "class <Own>:\n    def <n>(self): ...\n    def go(self) -> <Its>: ...",
        "<TABLE> = {'k': <own>, 'l': <its>}",
        "def <own>():\n    return <TABLE>['k'](), mod.<TABLE>",
        "<own> = <Its>()\n<own>.<n>()",
        "def <own>() -> <Own>: ...",
    ),
)
TYPESCRIPT = Grammar(
    (
        ("a.ts", ("./a", "../a")),
        ("lib/index.ts", ("./lib", ".", "../lib")),
        ("lib/c.ts", ("./c", "./lib/c")),
        ("d.ts", ("./d", "../d")),
    ),
    (
        "import { <its>, <Its> } from '<m>';",
        "import { <Its> as <Own> } from '<m>';",
        "import <Its> from '<m>';",
        "import * as ns from '<m>';",
        "export * from '<m>';",
        "export * as <own> from '<m>';",
        "export { <its> as <own> } from '<m>';",
        "export { default as <Own> } from '<m>';",
        "export { default } from '<m>';",
        "export default class <Own> { <n>(): <Its> { return this.<n>(); } }",
        "export class <Own> extends <Its> { v: <Its>; <n>() { super.<n>(); this.v.<n>(); } constructor() { super(); } }",
        "export class <Own> { <n>() {} }",
        "export function <own>(x: <Its>): <Its> { x.<n>().<n>(); return new <Its>(); }",
        "export function <own>() { <its>(); ns.<its>(); <its>().<n>(); ns.<Its>.<n>(); }",
        "function <own>() { const x = <its>(); x.<n>(); ns.<own>.<its>(); }",
        "export { <own> };",
        "export const <TABLE> = { k: <own>, l: <its> };",
        "export const <own> = new <Its>();",
    ),
)
GO = Grammar(
    (
        ("p/a.go", ("example.com/x/p",)),
        ("q/b.go", ("example.com/x/q",)),
        ("q/c.go", ("example.com/x/q",)),
        ("r/d.go", ("example.com/x/r",)),
    ),
    (
        'import "<m>"',
        "type <Own> struct {\n\t<Its>\n\tv *q.<Its>\n\tw <Its>\n}",
        "func (r *<Own>) <n>() *<Its> {\n\tr.<n>()\n\tr.v.<n>()\n\tr.w.<n>()\n\treturn nil\n}",
        "func (r *<Its>) <n>() q.<Its> {\n\tr.<n>()\n}",
        "func <own>(x *<Its>) *<Its> {\n\tx.<n>().<n>()\n\t<its>()\n\tp.<its>().<n>()\n\tq.<its>().<n>()\n\tr.<its>().<n>()\n}",
        "var <own> = <its>()",
        "type <Own> <Its>",
    ),
    head="package <d>\n",
    upper=True,
)
RUBY = Grammar(
    (("a.rb", ("a",)), ("b.rb", ("b",)), ("c.rb", ("c",)), ("d.rb", ("d",))),
    (
        "require_relative '<m>'",
        "class <Own>\n  def <n>\n    <n>\n    <its>\n  end\nend",
        "class <Own> < <Its>\n  def <n>\n    super\n    @v = <Its>.new\n    @v.<n>\n  end\nend",
        "class <Own>\n  include <Its>\n  def initialize\n    @v.<n>\n  end\nend",
        "class <Its>\n  def <n>\n    <n>\n  end\nend",
        "module <Own>\n  def <n>; end\nend",
        "def <own>\n  x = <Its>.new\n  x.<n>\n  <its>\nend",
    ),
)
C = Grammar(
    (("a.c", ("x.h",)), ("x.h", ("y.h",)), ("y.h", ("z.h",)), ("z.h", ("x.h",)), ("b.c", ("x.h", "z.h"))),
    (
        '#include "<m>"',
        "int <its>(int k);",
        "int <own>(int k);",
        "int <own>(int k) { return <its>(k); }",
        "int <its>(int k) { return <own>(k) + LIMIT; }",
        "static int <own>(int k) { return <its>(k); }",
        "#define LIMIT 3",
        "struct <Own> { struct <Its> *v; };\nint <own>(struct <Its> *s) { return <its>(s->v); }",
    ),
)
JAVA = Grammar(
    (("p/A.java", ("p",)), ("p/B.java", ("p",)), ("q/C.java", ("q",)), ("q/D.java", ("q",))),
    (
        "import <m>.<Its>;",
        "import <m>.*;",
        "import static <m>.<Its>.<n>;",
        "class <Own> extends <Its> { <Its> v; <Its> <n>() { v.<n>(); <n>(); v.go().<n>(); return new <Its>(); } }",
        "class <Own> { static void <n>(<Its> x) { x.<n>().<n>(); <Its>.<n>(); } <Own>() { <n>(); } }",
        "interface <Own> extends <Its> { <Its> go(); }",
        "class <Own> implements <Its> { public <Its> <n>() { go().go().<n>(); } }",
    ),
    head="package <d>;\n",
)
RUST = Grammar(
    (
        ("src/lib.rs", ("crate",)),
        ("src/a.rs", ("crate::a", "super::a")),
        ("src/b.rs", ("crate::b", "super::b")),
        ("src/c.rs", ("crate::c",)),
    ),
    (
        "mod a;\nmod b;",
        "use <m>::<its>;",
        "use <m>::<Its>;",
        "pub use <m>::<Its> as <Own>;",
        "pub use <m>::*;",
        "pub struct <Own> { v: <Its> }",
        "pub trait <Own> { fn <n>(&self) -> <Its>; fn go(&self) { self.<n>().<n>(); } }",
        "impl <Its> for <Own> { fn <n>(&self) { self.<n>(); self.v.<n>(); self.go(); } }",
        "impl <Own> { pub fn <n>() -> Self { <its>(); <m>::<its>().<n>(); <Its>::<n>().<n>() } }",
        "pub fn <own>(x: &<Its>) -> <Its> { x.<n>().<n>(); <its>(); let y = <its>(); y.<n>() }",
    ),
)
GRAMMARS = {"python": PYTHON, "typescript": TYPESCRIPT, "go": GO, "ruby": RUBY, "c": C, "java": JAVA, "rust": RUST}
_HOLE = re.compile(r"<(\w+)>")
Program = dict[str, tuple[str, ...]]


def pieces(grammar: Grammar, place: int) -> st.SearchStrategy[str]:
    """A piece for the file at this place of the ring."""
    size = len(grammar.files)

    def filled(hole: str, draw: st.DrawFn) -> str:
        other = draw(st.sampled_from([(place + 1) % size] * 4 + list(range(size))))
        variant = draw(st.sampled_from("xy"))
        member = draw(st.sampled_from(["go", "run"]))
        words = {
            "own": f"f{place}{variant}",
            "its": f"f{other}{variant}",
            "Own": f"T{place}{variant}",
            "Its": f"T{other}{variant}",
            "TABLE": f"TABLE{draw(st.sampled_from([place, other]))}",
            "n": member.capitalize() if grammar.upper else member,
            "m": draw(st.sampled_from(grammar.files[other][1])),
        }
        return words[hole].capitalize() if grammar.upper and hole in ("own", "its") else words[hole]

    @st.composite
    def piece(draw: st.DrawFn) -> str:
        form = draw(st.sampled_from(grammar.pieces))
        return _HOLE.sub(lambda hole: filled(hole[1], draw), form)

    return piece()


def programs(grammar: Grammar) -> st.SearchStrategy[Program]:
    files = {
        path: st.lists(pieces(grammar, place), min_size=1, max_size=5).map(tuple)
        for place, path in enumerate(grammar.paths)
    }
    return st.fixed_dictionaries(files)


def edits(grammar: Grammar) -> st.SearchStrategy[list[tuple[str, int, str | None]]]:
    """(path, place, piece): put a piece into a file, or take out (None) the piece at the place; place -1 with None removes the file."""

    def of_file(place: int) -> st.SearchStrategy[tuple[str, int, str | None]]:
        piece = st.one_of(st.none(), pieces(grammar, place))
        return st.tuples(st.just(grammar.paths[place]), st.integers(-1, 4), piece)

    return st.lists(st.integers(0, len(grammar.files) - 1).flatmap(of_file), min_size=1, max_size=4)


def edited(program: Program, path: str, place: int, piece: str | None) -> Program:
    body = program.get(path, ())
    if piece is None and place < 0:
        return {other: text for other, text in program.items() if other != path}
    kept = body[: max(place, 0)] + body[max(place, 0) + (piece is None) :]
    return program | {path: (*kept[: max(place, 0)], piece, *kept[max(place, 0) :]) if piece is not None else kept}


def text_of(grammar: Grammar, program: Program) -> dict[str, str]:
    return {
        path: grammar.head.replace("<d>", path.partition("/")[0]) + "\n".join(body) + "\n"
        for path, body in program.items()
    }


def linked(sources: Sources, paths: list[str]) -> dict[str, list[str]]:
    linker = Linker(sources, LINK_RULES)
    return {
        path: sorted(f"{written(sources, path, link)} {link.lines}" for link in linker.link(path)) for path in paths
    }


def relinked(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """The files that an update links again."""
    old, new = Sources(before), Sources(after)
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    keys: set[str] = set()
    for path in changed:
        differing = names_changed(
            path, old.parsed(path) if path in before else None, new.parsed(path) if path in after else None
        )
        if differing is None:
            return sorted(after)
        keys |= differing
    used = {path: set(names_used(path, new.parsed(path))) for path in after}
    touched = files_to_relink(keys, lambda wanted: [path for path in used if used[path] & wanted], new.parsed)
    return sorted({*touched, *(path for path in changed if path in after)})


def check(before: dict[str, str], after: dict[str, str]) -> None:
    stored = linked(Sources(before), sorted(before))
    sources = Sources(after)
    paths = relinked(before, after)
    updated = {path: found for path, found in stored.items() if path in after} | linked(sources, paths)
    assert updated == linked(sources, sorted(after)), f"linked again: {paths}"


def explore(name: str, examples: int) -> None:
    grammar = GRAMMARS[name]

    @settings(max_examples=examples, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(programs(grammar), edits(grammar))
    def run(program: Program, changes: list[tuple[str, int, str | None]]) -> None:
        for change in changes:
            after = edited(program, *change)
            check(text_of(grammar, program), text_of(grammar, after))
            program = after

    run()


@pytest.mark.parametrize("name", GRAMMARS)
def test_an_update_equals_a_fresh_build(name):
    explore(name, 40)


@pytest.mark.slow
@pytest.mark.parametrize("name", GRAMMARS)
def test_an_update_equals_a_fresh_build_for_long(name):
    explore(name, 2000)


@pytest.mark.parametrize(
    ("importer", "module", "path"),
    [
        ("src/app.ts", "./.config", "src/.config/index.ts"),
        ("app.ts", "./.config", ".config/index.ts"),
        (".config/app.ts", ".", ".config/index.ts"),
        ("src/app.ts", "..", "index.ts"),
        ("src/app.ts", "../my-crate", "my-crate/index.ts"),
    ],
)
def test_who_imports_a_folder_uses_a_key_of_its_file(importer: str, module: str, path: str) -> None:
    used = names_used(importer, parse(f"import * as all from '{module}'\n".encode(), "typescript"))
    assert set(used) & set(module_keys(path, parse(b"export const one = 1\n", "typescript")))
