"""What a name means in the other languages: one small program for each rule that a language adds."""

from __future__ import annotations

import pytest

from coderag.types import EdgeKind
from tests.link.sources import links


def test_go_packages_are_directories():
    files = {
        "go.mod": "module example.com/shop\n",
        "store/a.go": "package store\n\ntype Store struct{ n int }\n\nfunc Open() *Store { return &Store{} }\n",
        "store/b.go": "package store\n\nfunc (s *Store) Put(k int) { s.grow() }\n\nfunc (s *Store) grow() { Open() }\n",
        "store/b_test.go": 'package store\n\nimport "testing"\n\nfunc TestPut(t *testing.T) { Open().Put(1) }\n',
        "job/job.go": 'package job\n\nimport (\n\t"errors"\n\tst "example.com/shop/store"\n)\n\n'
        "type Job struct {\n\tdb *st.Store\n}\n\n"
        'func (j *Job) Run() {\n\ts := st.Open()\n\ts.Put(1)\n\tj.db.Put(2)\n\terrors.New("x")\n}\n',
        "errors/errors.go": "package errors\n\nfunc New(s string) {}\n",
    }
    assert links(files) == [
        "job/job.go:Job.Run calls> store/a.go:Open (exact)",
        "job/job.go:Job.Run calls> store/b.go:Store.Put (exact)",
        "store/a.go:Open calls> store/a.go:Store (scoped)",
        "store/b.go:Store.Put calls> store/b.go:Store.grow (exact)",
        "store/b.go:Store.grow calls> store/a.go:Open (scoped)",
        "store/b_test.go:TestPut tests> store/a.go:Open (scoped)",
        "store/b_test.go:TestPut tests> store/b.go:Store.Put (exact)",
    ]
    assert links(files, EdgeKind.EXTENDS) == [
        "job/job.go:Job.Run extends> job/job.go:Job (scoped)",
        "store/b.go:Store.Put extends> store/a.go:Store (scoped)",
        "store/b.go:Store.grow extends> store/a.go:Store (scoped)",
    ]


def test_go_methods_and_functions_of_one_name():
    assert links(
        {
            "c.go": "package c\n\ntype Cart struct{ n int }\n\nfunc (c *Cart) Total() int { return c.n }\n\n"
            "func Total() int { return 0 }\n\nfunc f(c *Cart) { c.Total() }\n\nfunc g() { Total() }\n"
        }
    ) == ["c.go:f calls> c.go:Cart.Total (exact)", "c.go:g calls> c.go:Total (scoped)"]


def test_go_embedded_structs_lend_their_methods():
    assert links(
        {
            "c.go": "package c\n\ntype Base struct{}\n\nfunc (b Base) Init() {}\n\ntype Cart struct {\n\tBase\n}\n\n"
            "func f(c *Cart) {\n\tc.Init()\n\tc.Base.Init()\n}\n"
        }
    ) == ["c.go:f calls> c.go:Base.Init (exact)"]


def test_go_the_package_at_the_root():
    assert links(
        {
            "gin.go": "package gin\n\nfunc New() {}\n",
            "examples/main.go": 'package main\n\nimport "github.com/gin-gonic/gin"\n\nfunc main() { gin.New() }\n',
        }
    ) == ["examples/main.go:main calls> gin.go:New (exact)"]


def test_rust_traits_impls_and_defaults():
    files = {
        "src/lib.rs": "pub mod greet;\nmod user;\n",
        "src/greet.rs": "pub trait Greet {\n    fn hi(&self) -> String;\n    fn loud(&self) -> String { self.hi() }\n}\n",
        "src/user.rs": "use crate::greet::Greet;\npub struct A;\n"
        'impl Greet for A {\n    fn hi(&self) -> String { "a".into() }\n}\n'
        "impl A {\n    pub fn new() -> Self { A }\n    pub fn go(&self) { self.loud(); self.hi(); Self::new(); }\n}\n"
        "pub fn run(a: &A) { a.loud(); let b = A::new(); b.go(); }\n",
    }
    assert links(files) == [
        "src/greet.rs:Greet.loud calls> src/greet.rs:Greet.hi (exact)",
        "src/user.rs:A.go calls> src/greet.rs:Greet.loud (scoped)",
        "src/user.rs:A.go calls> src/user.rs:A.hi (exact)",
        "src/user.rs:A.go calls> src/user.rs:A.new (exact)",
        "src/user.rs:run calls> src/greet.rs:Greet.loud (scoped)",
        "src/user.rs:run calls> src/user.rs:A.go (exact)",
        "src/user.rs:run calls> src/user.rs:A.new (exact)",
    ]
    assert links(files, EdgeKind.OVERRIDES) == ["src/user.rs:A.hi overrides> src/greet.rs:Greet.hi (scoped)"]


def test_rust_paths():
    files = {
        "src/main.rs": "mod a;\nuse a::deep;\nfn main() { a::top(); deep::down(); crate::a::deep::down(); }\n",
        "src/a/mod.rs": "pub mod deep;\npub fn top() {}\n",
        "src/a/deep.rs": "use super::top;\npub fn down() { top(); super::top(); self::side(); }\nfn side() {}\n"
        "#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn t() { down(); }\n}\n",
    }
    assert links(files) == [
        "src/a/deep.rs:down calls> src/a/deep.rs:side (exact)",
        "src/a/deep.rs:down calls> src/a/mod.rs:top (exact)",
        "src/a/deep.rs:tests.t calls> src/a/deep.rs:down (scoped)",
        "src/main.rs:main calls> src/a/deep.rs:down (exact)",
        "src/main.rs:main calls> src/a/mod.rs:top (exact)",
    ]


def test_java_packages_and_static_imports():
    files = {
        "src/main/java/shop/Cart.java": "package shop;\nimport static util.Money.format;\nimport util.Money;\n"
        "public class Cart extends Base {\n  private Item item;\n  void add() { helper(); format(1); Money.parse(2); item.price(); save(); }\n"
        "  void helper() { this.add(); new Item(); }\n}\n",
        "src/main/java/shop/Item.java": "package shop;\nclass Item {\n  Item() {}\n  int price() { return 1; }\n}\n",
        "src/main/java/shop/Base.java": "package shop;\nclass Base { void save() {} }\n",
        "src/main/java/util/Money.java": "package util;\npublic class Money {\n  public static void format(int x) {}\n"
        "  public static void parse(int x) {}\n}\n",
        "src/main/java/other/Item.java": "package other;\npublic class Item { int price() { return 2; } }\n",
    }
    cart, item, money = (f"src/main/java/{name}.java" for name in ("shop/Cart", "shop/Item", "util/Money"))
    assert links(files) == [
        f"{cart}:Cart.add calls> src/main/java/shop/Base.java:Base.save (scoped)",
        f"{cart}:Cart.add calls> {cart}:Cart.helper (scoped)",
        f"{cart}:Cart.add calls> {item}:Item.price (exact)",
        f"{cart}:Cart.add calls> {money}:Money.format (exact)",
        f"{cart}:Cart.add calls> {money}:Money.parse (exact)",
        f"{cart}:Cart.helper calls> {cart}:Cart.add (exact)",
        f"{cart}:Cart.helper calls> {item}:Item (scoped)",
        f"{cart}:Cart.helper calls> {item}:Item.Item (scoped)",
    ]


def test_kotlin_sees_java_of_the_same_package():
    assert links(
        {
            "a/Shop.java": "package shop;\npublic class Shop { public void open() {} }\n",
            "b/Main.kt": "package app\nimport shop.Shop\nfun run(s: Shop) { s.open() }\nfun go() { run(Shop()) }\n",
        }
    ) == [
        "b/Main.kt:go calls> a/Shop.java:Shop (exact)",
        "b/Main.kt:go calls> b/Main.kt:run (scoped)",
        "b/Main.kt:run calls> a/Shop.java:Shop.open (exact)",
    ]


def test_kotlin_extension_functions_are_imported_by_name():
    assert links(
        {
            "a.kt": "package a\nclass Cart\nfun Cart.total(): Int { return 1 }\n",
            "b.kt": "package b\nclass Box\nfun Box.total(): Int { return 2 }\n",
            "u.kt": "package u\nimport a.total\nfun f(x: Any) { x.total() }\n",
        }
    ) == ["u.kt:f calls> a.kt:Cart.total (exact)"]


def test_overriding_picks_the_overload_with_as_many_parameters():
    assert links(
        {
            "A.java": "package p;\nclass A { void f(int x) {} void f(int x, int y) {} }\n"
            "class B extends A { void f(int a, int b) {} }\n"
        },
        EdgeKind.OVERRIDES,
    ) == ["A.java:B.f overrides> A.java:A.f~2 (scoped)"]


def test_scala_objects_and_traits():
    assert links(
        {
            "Money.scala": 'package util\nobject Money { def format(x: Int): String = x.toString }\ntrait Named { def label: String = "" }\n',
            "Cart.scala": "package shop\nimport util.{Money, Named}\n"
            "class Cart extends Named { def show(): String = { label; Money.format(1) } }\n",
        }
    ) == ["Cart.scala:Cart.show calls> Money.scala:Money.format (exact)"]


def test_c_static_functions_stay_in_their_file():
    assert links({"core.c": "void start(void) { init(); }\n", "usb.c": "static void init(void) {}\n"}) == []


def test_c_headers_lead_to_sources():
    files = {
        "inc/store.h": "#ifndef S\n#define S\nint put(int k);\n#define LIMIT 3\ntypedef struct store { int n; } store;\n#endif\n",
        "src/store.c": '#include "store.h"\nint put(int k) { return k; }\nstatic int grow(void) { return put(1); }\n',
        "src/job.c": '#include "../inc/store.h"\nint run(store *s) { return put(LIMIT) + s->n; }\nint lone(void) { return far(1); }\n',
        "src/far.c": "int far(int x) { return x; }\n",
    }
    assert links(files) == [
        "src/job.c:lone calls> src/far.c:far (unique-name)",
        "src/job.c:run calls> src/store.c:put (exact)",
        "src/store.c:grow calls> src/store.c:put (scoped)",
    ]
    assert links(files, EdgeKind.DECLARES) == ["inc/store.h:put declares> src/store.c:put (scoped)"]


def test_cpp_members_defined_outside():
    files = {
        "box.h": "template<class T> struct Box {\n  T get() const;\n  int size() { return get(); }\n};\n",
        "box.cc": '#include "box.h"\ntemplate<class T> T Box<T>::get() const { return T(); }\n',
        "use.cc": '#include "box.h"\nint f(Box<int> b) { return b.get(); }\nint g() { Box<int> b; return b.size(); }\n',
    }
    assert links(files) == [
        "box.h:Box.size calls> box.cc:Box.get (scoped)",
        "use.cc:f calls> box.cc:Box.get (exact)",
        "use.cc:g calls> box.h:Box.size (exact)",
    ]
    assert links(files, EdgeKind.DECLARES, EdgeKind.EXTENDS) == [
        "box.cc:Box.get extends> box.h:Box (scoped)",
        "box.h:Box.get declares> box.cc:Box.get (scoped)",
    ]


def test_cpp_namespaces_and_bases():
    assert links(
        {
            "a.hpp": "namespace shop {\nclass Base { public: void save() {} };\nvoid run();\n}\n",
            "a.cpp": '#include "a.hpp"\nnamespace shop {\nvoid run() {}\nvoid twice() { run(); }\n}\n',
            "b.cpp": '#include "a.hpp"\nclass Cart : public shop::Base {\n  void add() { save(); shop::run(); this->add(); }\n};\n',
        }
    ) == [
        "a.cpp:shop.twice calls> a.cpp:shop.run (scoped)",
        "b.cpp:Cart.add calls> a.cpp:shop.run (exact)",
        "b.cpp:Cart.add calls> a.hpp:shop.Base.save (scoped)",
        "b.cpp:Cart.add calls> b.cpp:Cart.add (exact)",
    ]


def test_csharp_namespaces_and_partial_classes():
    assert links(
        {
            "A.cs": "namespace Shop;\npublic partial class Cart : Base { public void Add() { Drop(); Save(); base.Save(); } }\n",
            "B.cs": "namespace Shop { public partial class Cart { void Drop() { this.Add(); } } "
            "public class Base { protected void Save() {} } }\n",
            "C.cs": "using Shop;\nnamespace App { class Program { void Main(Cart given) { var c = new Cart(); c.Add(); given.Drop(); } } }\n",
        }
    ) == [
        "A.cs:Cart.Add calls> B.cs:Base.Save (scoped)",
        "A.cs:Cart.Add calls> B.cs:Cart.Drop (scoped)",
        "B.cs:Cart.Drop calls> A.cs:Cart.Add (exact)",
        "C.cs:Program.Main calls> A.cs:Cart (exact)",
        "C.cs:Program.Main calls> A.cs:Cart.Add (exact)",
        "C.cs:Program.Main calls> B.cs:Cart.Drop (exact)",
    ]


def test_swift_extensions_in_other_files():
    files = {
        "Cart.swift": "struct Cart { let n = 0 }\nprotocol Priced { func price() -> Int }\n",
        "Total.swift": "extension Cart: Priced { func total() -> Int { return price() }\n  func price() -> Int { 0 } }\n",
        "Main.swift": "func run(c: Cart) -> Int { c.total() }\nfunc go() { _ = run(c: Cart()) }\n",
    }
    assert links(files) == [
        "Main.swift:go calls> Cart.swift:Cart (scoped)",
        "Main.swift:go calls> Main.swift:run (scoped)",
        "Main.swift:run calls> Total.swift:Cart.total (exact)",
        "Total.swift:Cart.total calls> Total.swift:Cart.price (scoped)",
    ]
    assert "Total.swift:Cart extends> Cart.swift:Cart (scoped)" in links(files, EdgeKind.EXTENDS)


def test_ruby_reopened_and_compact_classes():
    files = {
        "a.rb": "class Cart; def add; drop; end; end\n",
        "b.rb": "class Cart; LIMIT = 3; attr_accessor :note; def drop; LIMIT; end; end\n",
        "c.rb": "class Shop::Cart; def tax; end; end\n",
        "d.rb": "require_relative 'a'\ndef run\n  c = Cart.new\n  c.drop\n  c.tax\n  Shop::Cart.new.tax\nend\n",
    }
    assert links(files) == [
        "a.rb:Cart.add calls> b.rb:Cart.drop (scoped)",
        "d.rb:run calls> a.rb:Cart (exact)",
        "d.rb:run calls> b.rb:Cart.drop (exact)",
        "d.rb:run calls> c.rb:Shop::Cart (exact)",
        "d.rb:run calls> c.rb:Shop::Cart.tax (exact)",
    ]
    assert "b.rb:Cart extends> a.rb:Cart (scoped)" in links(files, EdgeKind.EXTENDS)


def test_ruby_mixins_super_and_initialize():
    assert links(
        {
            "m.rb": "module Named\n  def label; end\nend\nclass Base\n  include Named\n  def initialize; end\n  def save; end\nend\n"
            "class Cart < Base\n  def save\n    super\n    label\n  end\n  def self.build\n    new\n  end\nend\n",
            "u.rb": "Base.new\n",
        }
    ) == [
        "m.rb:Cart.save calls> m.rb:Base.save (scoped)",
        "m.rb:Cart.save calls> m.rb:Named.label (scoped)",
        "u.rb calls> m.rb:Base (scoped)",
        "u.rb calls> m.rb:Base.initialize (scoped)",
    ]


def test_lua_modules():
    assert links(
        {
            "shop/store.lua": "local M = {}\nlocal function grow() end\nfunction M.put(k) grow() end\n"
            "function M:drop() self:put() end\nreturn M\n",
            "job.lua": 'local store = require("shop.store")\nlocal function go()\n  store.put(1)\n  store:drop()\nend\n',
        }
    ) == [
        "job.lua:go calls> shop/store.lua:M.drop (exact)",
        "job.lua:go calls> shop/store.lua:M.put (exact)",
        "shop/store.lua:M.drop calls> shop/store.lua:M.put (exact)",
        "shop/store.lua:M.put calls> shop/store.lua:grow (scoped)",
    ]


def test_bash_sourced_files():
    assert links(
        {
            "lib/log.sh": "log() { echo; }\n",
            "run.sh": "source lib/log.sh\nmain() { log; ls; }\nmain\n",
        }
    ) == ["run.sh calls> run.sh:main (scoped)", "run.sh:main calls> lib/log.sh:log (exact)"]


def test_elixir_aliases():
    assert links(
        {
            "lib/store.ex": "defmodule Shop.Store do\n  def put(k), do: grow(k)\n  defp grow(k), do: k\nend\n",
            "lib/job.ex": "defmodule Shop.Job do\n  alias Shop.Store\n  alias Shop.Store, as: S\n  import Shop.Store\n"
            "  def run do\n    Store.put(1)\n    S.put(2)\n    Shop.Store.put(3)\n  end\n  def bare, do: put(4)\nend\n",
        }
    ) == [
        "lib/job.ex:Shop.Job.bare calls> lib/store.ex:Shop.Store.put (exact)",
        "lib/job.ex:Shop.Job.run calls> lib/store.ex:Shop.Store.put (exact)",
        "lib/store.ex:Shop.Store.put calls> lib/store.ex:Shop.Store.grow (scoped)",
    ]


def test_haskell_imports():
    assert links(
        {
            "src/Shop/Store.hs": "module Shop.Store where\n\nput :: Int -> Int\nput k = grow k\n\ngrow :: Int -> Int\ngrow k = k\n",
            "src/Job.hs": "module Job where\n\nimport qualified Shop.Store as S\nimport Shop.Store (grow)\n\nrun = S.put 1\n\nwalk = grow 2\n",
        }
    ) == [
        "src/Job.hs:run calls> src/Shop/Store.hs:put (exact)",
        "src/Job.hs:walk calls> src/Shop/Store.hs:grow (exact)",
        "src/Shop/Store.hs:put calls> src/Shop/Store.hs:grow (scoped)",
    ]


def test_zig_imports():
    assert links(
        {
            "store.zig": "pub fn put(k: u32) void { grow(); }\nfn grow() void {}\n"
            "pub const Box = struct {\n    pub fn size(self: *Box) u32 { return 1; }\n};\n",
            "main.zig": 'const std = @import("std");\nconst store = @import("store.zig");\n'
            "pub fn main() void { store.put(1); std.debug.print(2); }\nfn f(b: *store.Box) void { _ = b.size(); }\n",
        }
    ) == [
        "main.zig:f calls> store.zig:Box.size (exact)",
        "main.zig:main calls> store.zig:put (exact)",
        "store.zig:put calls> store.zig:grow (scoped)",
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a.py": "def f(x):\n    x.settle()\n"}, {"b.rb": "class A; def settle; end; end\n"}),
        ({"a.js": "function f(x) { x.settle(); }\n"}, {"b.py": "class A:\n    def settle(self): ...\n"}),
        ({"a.c": "void f(void) { settle(); }\n"}, {"b.go": "package b\n\nfunc settle() {}\n"}),
    ],
)
def test_languages_do_not_share_names(one, other):
    assert links(one | other) == []


@pytest.mark.parametrize(
    ("path", "text", "constructor"),
    [
        ("m.py", "class B:\n    def __init__(self): pass\nclass X(B): pass\ndef f(): X()\n", "B.__init__"),
        ("m.ts", "class B { constructor() {} }\nclass X extends B {}\nfunction f() { new X(); }\n", "B.constructor"),
        ("m.php", "<?php\nclass B { function __construct() {} }\nclass X extends B {}\nfunction f() { new X(); }\n", "B.__construct"),
        ("m.rb", "class B\n def initialize; end\nend\nclass X < B; end\ndef f; X.new; end\n", "B.initialize"),
        ("m.swift", "class B { init() {} }\nclass X: B {}\nfunc f() { X() }\n", "B.init"),
    ],
)  # fmt: skip
def test_making_an_instance_reaches_the_class_and_the_constructor_that_it_inherits(path, text, constructor):
    assert links({path: text}) == [
        f"{path}:f calls> {path}:{constructor} (scoped)",
        f"{path}:f calls> {path}:X (scoped)",
    ]


def test_a_module_that_several_files_continue_is_linked_where_it_begins():
    files = {
        "a.rb": "module Shop\n  module Cart\n    def self.add; end\n  end\nend\n",
        "b.rb": "module Shop\n  module Cart\n    LIMIT = 3\n  end\nend\n",
        "c.rb": "def run; Shop::Cart.add; end\n",
    }
    assert links(files) == ["c.rb:run calls> a.rb:Shop.Cart.add (exact)"]
    assert links(files, EdgeKind.REFERS) == [
        "c.rb:run refers> a.rb:Shop (scoped)",
        "c.rb:run refers> a.rb:Shop.Cart (exact)",
    ]


def test_a_class_and_its_companion_are_one_type():
    files = {
        "a.scala": "trait Json { def put(): Json }\nobject Json { def of(): Json = ??? }\nclass A { def run(): Json = Json.of() }\n"
    }
    assert links(files, EdgeKind.TYPES) == [
        "a.scala:A.run types> a.scala:Json (scoped)",
        "a.scala:Json.of types> a.scala:Json (scoped)",
        "a.scala:Json.put types> a.scala:Json (scoped)",
    ]


def test_an_extension_function_overrides_nothing():
    files = {
        "a.kt": "package a\nclass Op { fun plus(x: Int): Op = this }\n",
        "b.kt": "package a\nfun Op.plus(x: Int): Op = this\nclass T { fun test() { infix fun Op.plus(y: Op) = y } }\n",
    }
    assert links(files, EdgeKind.OVERRIDES) == []


def test_a_class_with_more_constructors_than_can_be_told_apart_is_linked_alone():
    constructors = " ".join(f"A(int a{'' if n == 0 else ', int b' * n});" for n in range(9))
    assert links({"m.cpp": f"class A {{ {constructors} }};\nvoid f() {{ A(1); }}\n"}) == [
        "m.cpp:f calls> m.cpp:A (scoped)"
    ]


def test_what_an_included_file_keeps_to_itself_is_of_the_file_that_includes_it():
    files = {
        "main.c": '#include "part.c"\nint main(void) { return helper(); }\n',
        "part.c": "static int helper(void) { return 1; }\n",
        "other.c": "int run(void) { return helper(); }\n",
        "inline.h": "static inline int twice(int a) { return a + a; }\n",
        "deep.h": '#include "inline.h"\n',
        "use.c": '#include "deep.h"\nint four(void) { return twice(2); }\n',
    }
    assert links(files) == ["main.c:main calls> part.c:helper (exact)", "use.c:four calls> inline.h:twice (exact)"]


def test_a_child_module_of_rust_sees_what_its_parent_uses():
    files = {
        "src/lib.rs": "mod shop;\npub mod tests;\nuse crate::shop::Cart;\n",
        "src/shop.rs": "pub struct Cart;\nimpl Cart { pub fn new() -> Self { Cart }\n pub fn add(self) -> Self { self } }\n",
        "src/other.rs": "pub struct List;\nimpl List { pub fn add(self) {} }\n",
        "src/tests.rs": "use super::*;\nfn run() { Cart::new().add(); }\n",
    }
    assert links(files) == [
        "src/tests.rs:run tests> src/shop.rs:Cart.add (exact)",
        "src/tests.rs:run tests> src/shop.rs:Cart.new (exact)",
    ]


def test_a_zig_constant_stands_for_the_type_that_it_names():
    files = {
        "main.zig": 'const std = @import("std");\nconst shop = @import("shop.zig");\nconst Ast = std.zig.Ast;\nconst Cart = shop.Cart;\n'
        "fn run(node: Ast.Node, cart: Cart) void {\n    cart.total();\n    Ast.parse(node);\n}\n",
        "shop.zig": "pub const Cart = struct {\n    pub fn total(self: Cart) void {}\n    pub const Node = struct {};\n};\n"
        "pub fn parse() void {}\n",
    }
    assert links(files) == ["main.zig:run calls> shop.zig:Cart.total (exact)"]
    assert links(files, EdgeKind.TYPES) == [
        "main.zig:run types> main.zig:Cart (scoped)",
        "shop.zig:Cart.total types> shop.zig:Cart (scoped)",
    ]
