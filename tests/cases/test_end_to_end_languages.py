"""Go, Rust, Java, C, C++, Swift, Ruby and their kin, from files on disk to answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from repository import Repository

from coderag.types import EdgeKind, Kind

Indexed = Callable[..., Repository]

# Members and functions of one name.


@pytest.mark.parametrize(
    ("path", "text", "member", "free"),
    [
        (
            "cart.go",
            "package shop\n\nfunc (c *Cart) Total() int {\n\treturn c.n\n}\nfunc Total() int { return 0 }\n",
            "Cart.Total",
            "Total",
        ),
        (
            "cart.go",
            "package shop\n\nfunc (Cart) Total() int {\n\treturn 1\n}\n\nfunc Total() int { return 0 }\n",
            "Cart.Total",
            "Total",
        ),
        (
            "cart.go",
            "package shop\n\nfunc (c *Cart[T, U]) Total() int {\n\treturn c.n\n}\n\nfunc Total() int { return 0 }\n",
            "Cart.Total",
            "Total",
        ),
        (
            "cart.rs",
            "impl Cart {\n    fn total(&self) -> u32 { 1 }\n}\nfn total() -> u32 { 0 }\n",
            "Cart.total",
            "total",
        ),
        ("cart.kt", "class Cart {\n    fun total() = 1\n}\nfun total() = 0\n", "Cart.total", "total"),
        (
            "cart.py",
            "class Cart:\n    def total(self):\n        return 1\n\n\ndef total():\n    return 0\n",
            "Cart.total",
            "total",
        ),
        ("cart.lua", "function Cart:total() return self.n end\nfunction total() return 0 end\n", "Cart.total", "total"),
        ("cart.cc", "int Cart::total() { return n; }\nint total() { return 0; }\n", "Cart.total", "total"),
    ],
    ids=lambda value: value if "\n" not in value else "",
)
def test_a_method_is_not_the_function_of_that_name(
    indexed: Indexed, path: str, text: str, member: str, free: str
) -> None:
    repository = indexed({path: text})
    kinds = repository.kinds()
    assert kinds[member] is Kind.METHOD and kinds[free] is Kind.FUNCTION
    assert repository.search(member)[0] == f"{path}#{member}"
    assert [entry.name for entry in repository.index.definitions(member)] == [member]
    assert (
        repository.bytes_of(repository.chunk(f"{path}#{member}")).decode() == repository.chunk(f"{path}#{member}").text
    )


# Rust.

GREET = """pub trait Greet { fn hi(&self) -> String; fn loud(&self) -> String { self.hi() } }
pub struct A;
impl Greet for A { fn hi(&self) -> String { "a".into() } }
macro_rules! twice { ($e:expr) => { $e; $e } }
pub const LIMIT: u32 = 3;
"""


def test_traits_implementations_macros_and_constants_of_rust(indexed: Indexed) -> None:
    repository = indexed({"greet.rs": GREET})
    found = {(entry.name, entry.kind) for entry in repository.index.symbols()}
    assert found == {
        ("Greet", Kind.TRAIT),
        ("Greet.hi", Kind.METHOD),
        ("Greet.loud", Kind.METHOD),
        ("A", Kind.STRUCT),
        ("A", Kind.EXTENSION),
        ("A.hi", Kind.METHOD),
        ("twice", Kind.MACRO),
        ("LIMIT", Kind.CONSTANT),
    }
    assert EdgeKind.IMPLEMENTS in {each.kind for each in repository.index.callers("Greet")}
    assert repository.relations("greet.rs#A.hi", "Greet.hi") == {EdgeKind.OVERRIDES}
    assert repository.relations("greet.rs#Greet.loud", "Greet.hi") == {EdgeKind.CALLS}
    for name in ("Greet.hi", "Greet.loud", "A.hi", "twice", "LIMIT"):
        assert repository.search(name)[0] == f"greet.rs#{name}"


def test_generic_implementations_belong_to_their_type(indexed: Indexed) -> None:
    repository = indexed(
        {
            "a.rs": "pub struct Wrap<T>(T);\nimpl<T: Clone> Wrap<T> {\n    pub const SIZE: usize = 1;\n"
            "    pub fn get(&self) -> T {\n        self.0.clone()\n    }\n}\n"
            "impl<T> std::fmt::Display for Wrap<T> {\n    fn fmt(&self) {}\n}\n"
        }
    )
    names = {entry.name for entry in repository.index.symbols()}
    assert {"Wrap", "Wrap.SIZE", "Wrap.get", "Wrap.fmt"} <= names
    assert repository.search("Wrap.get")[0] == "a.rs#Wrap.get"


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("pay.rs", "/// Pays.\n#[inline]\npub fn pay() {}\n", "pay"),
        ("pay.rs", "/// Pays.\n///\n/// At once.\n#[inline]\n#[must_use]\npub(crate) async fn pay() {}\n", "pay"),
        ("pay.rs", "#[derive(Debug)]\n/// What is paid.\n#[non_exhaustive]\npub struct pay {}\n", "pay"),
        ("pay.rs", "/** Pays. */\n#[cfg(test)]\nmacro_rules! pay { () => {} }\n", "pay"),
        ("Pay.java", "/** Pays. */\n@Deprecated\npublic class pay {}\n", "pay"),
        ("pay.cs", "/// <summary>Pays.</summary>\n[Obsolete]\npublic class pay {}\n", "pay"),
        ("pay.swift", "/// Pays.\n@available(iOS 13, *)\npublic func pay() {}\n", "pay"),
        ("pay.kt", '/** Pays. */\n@Deprecated("no")\nfun pay() {}\n', "pay"),
        ("pay.scala", "/** Pays. */\n@deprecated\nclass pay {}\n", "pay"),
        ("pay.php", "<?php\n/** Pays. */\n#[Pure]\nfunction pay() {}\n", "pay"),
        ("pay.ex", 'defmodule A do\n  @doc "Pays."\n  @spec pay() :: :ok\n  def pay(), do: :ok\nend\n', "A.pay"),
    ],
    ids=lambda value: value if "\n" not in value else "",
)
def test_documentation_above_attributes_belongs_to_the_definition(
    indexed: Indexed, path: str, text: str, name: str
) -> None:
    repository = indexed({path: text})
    chunk = repository.chunk(f"{path}#{name}")
    assert "aid" in chunk.text or "Pays" in chunk.text
    wanted = [
        line.strip() for line in text.strip().split("\n") if line not in ("<?php", "end") and "defmodule" not in line
    ]
    assert [line.strip() for line in chunk.text.split("\n")] == wanted
    assert "Pays" in chunk.doc or "paid" in chunk.doc


# C and C++.


@pytest.mark.parametrize(
    ("header", "source"),
    [
        (
            "template<class T> struct Box { T get() const; };\n",
            '#include "box.h"\ntemplate<class T> T Box<T>::get() const { return T(); }\n',
        ),
        (
            "template<class T> struct Box { T get() const; };\n",
            "template<class T> T Box<T>::get() const { return T(); }\n",
        ),
        (
            "class Box {\n public:\n  int get() const;\n};\n",
            '#include "box.h"\nint Box::get() const {\n  return 1;\n}\n',
        ),
        ("struct Box { ~Box(); int &get(); };\n", "Box::~Box() {}\nint &Box::get() { static int n; return n; }\n"),
    ],
)
def test_a_member_defined_in_the_source_is_linked_to_its_declaration(
    indexed: Indexed, header: str, source: str
) -> None:
    repository = indexed({"box.h": header, "box.cc": source})
    assert {entry.path for entry in repository.index.definitions("Box.get")} == {"box.h", "box.cc"}
    assert repository.relations("box.h#Box.get", "box.cc#Box.get") == {EdgeKind.DECLARES}
    assert repository.search("Box.get")[0] == "box.cc#Box.get"
    assert {"box.h", "box.cc"} <= set(repository.index.snapshot().paths)


def test_a_static_function_is_not_called_from_another_file(indexed: Indexed) -> None:
    repository = indexed(
        {
            "core.c": "void start(void) { init(); }\n",
            "usb.c": "static void init(void) {}\nvoid plug(void) { init(); }\n",
        }
    )
    assert repository.callers("init") == ["usb.c#plug"]
    assert repository.callees("start") == []


@pytest.mark.parametrize(
    ("files", "hidden", "stranger"),
    [
        (
            {"core.cc": "void start() { init(); }\n", "usb.cc": "namespace {\nvoid init() {}\n}\n"},
            "usb.cc#init",
            "core.cc#start",
        ),
        (
            {"core.js": "function start() { init() }\n", "usb.mjs": "function init() {}\nexport {}\n"},
            "usb.mjs#init",
            "core.js#start",
        ),
        (
            {"a/core.go": "package a\n\nfunc start() { other() }\n", "b/usb.go": "package b\n\nfunc other() {}\n"},
            "b/usb.go#other",
            "a/core.go#start",
        ),
        (
            {"core.py": "def start():\n    return init()\n", "usb.py": "def init():\n    return 1\n"},
            "usb.py#init",
            "core.py#start",
        ),
    ],
    ids=["anonymous namespace", "module", "package", "not imported"],
)
def test_what_a_file_cannot_see_it_does_not_call(
    indexed: Indexed, files: dict[str, str], hidden: str, stranger: str
) -> None:
    repository = indexed(files)
    assert stranger not in repository.callers(hidden)


def test_an_extern_function_is_called_across_files(indexed: Indexed) -> None:
    repository = indexed(
        {"core.c": "void init(void);\nvoid start(void) { init(); }\n", "usb.c": "void init(void) {}\n"}
    )
    assert "core.c#start" in repository.callers("usb.c#init")


# Java.


def test_methods_of_interfaces_and_enums_are_there_once_with_their_annotations(indexed: Indexed) -> None:
    repository = indexed(
        {
            "Web.java": 'interface Web { @GetMapping("/x") public int x(){return 1;} }\n',
            "State.java": "enum State {\n  PAID { int tax() { return 1; } }, VOID;\n"
            "  @Override\n  public String toString() { return name(); }\n}\n",
        }
    )
    assert repository.kinds("Web.java") == {"Web": Kind.INTERFACE, "Web.x": Kind.METHOD}
    assert repository.chunk("Web.java#Web.x").text == '@GetMapping("/x") public int x(){return 1;}'
    assert repository.kinds("State.java")["State.toString"] is Kind.METHOD
    assert repository.lines("State.java#State.toString") == (3, 4)
    assert repository.search('"/x"')[0].startswith("Web.java#Web")


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("Web.java", 'record Web(int n) {\n  @GetMapping("/x")\n  public int x() { return 1; }\n}\n', "Web.x"),
        (
            "Web.java",
            'class Web {\n  class Inner {\n    @GetMapping("/x")\n    int x() { return 1; }\n  }\n}\n',
            "Web.Inner.x",
        ),
        ("Web.java", '@interface Web {\n  @Route("/x")\n  int x() default 1;\n}\n', "Web.x"),
        ("Web.kt", 'interface Web {\n  @GetMapping("/x")\n  fun x(): Int = 1\n}\n', "Web.x"),
        ("Web.cs", 'interface Web {\n  [Route("/x")]\n  int x() { return 1; }\n}\n', "Web.x"),
        ("web.php", "<?php\ninterface Web {\n  #[Route('/x')]\n  public function x(): int;\n}\n", "Web.x"),
    ],
    ids=lambda value: value if "\n" not in value else "",
)
def test_an_annotated_method_is_there_once(indexed: Indexed, path: str, text: str, name: str) -> None:
    repository = indexed({path: text})
    assert repository.kinds()[name] is Kind.METHOD
    assert "/x" in repository.chunk(f"{path}#{name}").text


# Types in several files.


@pytest.mark.parametrize(
    ("first", "second", "member", "owner"),
    [
        (
            ("a.swift", "struct Cart {}\n"),
            ("b.swift", "extension Cart { func total() -> Int { 0 } }\n"),
            "Cart.total",
            "Cart",
        ),
        (
            ("a.swift", "class Cart {}\n"),
            ("b.swift", "extension Cart: Payable where T: Int {\n  static func total() -> Int { 0 }\n}\n"),
            "Cart.total",
            "Cart",
        ),
        (
            ("a.cs", "partial class Cart { }\n"),
            ("b.cs", "partial class Cart { int Total() { return 0; } }\n"),
            "Cart.Total",
            "Cart",
        ),
        (
            ("a.rb", "class Cart; def add; end; end\n"),
            ("b.rb", "class Cart; def total; end; end\n"),
            "Cart.total",
            "Cart",
        ),
        (
            ("a.rs", "pub struct Cart;\n"),
            ("b.rs", "use crate::a::Cart;\nimpl Cart { pub fn total(&self) {} }\n"),
            "Cart.total",
            "Cart",
        ),
    ],
    ids=["extension", "conforming extension", "partial class", "reopened class", "impl"],
)
def test_a_type_and_what_extends_it_elsewhere_are_linked(
    indexed: Indexed, first: tuple[str, str], second: tuple[str, str], member: str, owner: str
) -> None:
    repository = indexed(dict((first, second)))
    assert member in repository.kinds(second[0])
    assert repository.chunk(f"{second[0]}#{member}").enclosing == owner
    assert repository.relations(f"{second[0]}#{owner}", f"{first[0]}#{owner}") == {EdgeKind.EXTENDS}
    assert repository.search(member)[0] == f"{second[0]}#{member}"


def test_an_extension_function_of_kotlin_belongs_to_its_receiver(indexed: Indexed) -> None:
    repository = indexed({"a.kt": "class Cart\n", "b.kt": "fun Cart.total(): Int = 0\n"})
    assert "Cart.total" in repository.kinds("b.kt")


def test_reopened_and_compact_classes_of_ruby(indexed: Indexed) -> None:
    repository = indexed(
        {
            "a.rb": "class Cart; def add; end; end\n",
            "b.rb": "class Cart; LIMIT = 3; attr_accessor :note; def drop; end; end\n",
            "c.rb": "class Shop::Cart; def tax; end; end\n",
            "d.rb": "module Shop\n  class Cart\n    def toll; end\n  end\nend\n",
        }
    )
    assert repository.kinds("a.rb") == {"Cart": Kind.CLASS, "Cart.add": Kind.METHOD}
    assert set(repository.kinds("b.rb")) == {"Cart", "Cart.LIMIT", "Cart.note", "Cart.drop"}
    assert set(repository.kinds("c.rb")) == {"Shop::Cart", "Shop::Cart.tax"}
    assert {entry.path for entry in repository.index.definitions("Shop::Cart.tax")} == {"c.rb"}
    assert {entry.path for entry in repository.index.definitions("Shop.Cart.toll")} == {"d.rb"}
    assert {entry.path for entry in repository.index.definitions("Cart")} >= {"a.rb", "b.rb"}
    assert repository.relations("b.rb#Cart", "a.rb#Cart") == {EdgeKind.EXTENDS}
    assert repository.search("Shop::Cart.tax")[0] == "c.rb#Shop::Cart.tax"
    assert {"a.rb#Cart", "b.rb#Cart"} <= set(repository.search("Cart")[:4])
