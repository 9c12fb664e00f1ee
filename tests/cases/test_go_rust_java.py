"""Small inputs in Go, Rust and Java, and what parsing them must find."""

from __future__ import annotations

import pytest

from coderag.parse import parse
from coderag.types import Kind, Symbol


def symbols(text: str, language: str) -> dict[str, Symbol]:
    found = parse(text.encode(), language).symbols
    assert len({each.qualified_name for each in found}) == len(found)
    return {each.qualified_name: each for each in found}


def cut(text: str, symbol: Symbol) -> str:
    return text.encode()[symbol.span.start_byte : symbol.span.end_byte].decode()


# Go


@pytest.mark.parametrize("receiver", ["c *Cart", "c Cart", "*Cart", "Cart", "c *Cart[T]", "_ Cart[K, V]"])
def test_a_go_method_belongs_to_the_type_of_its_receiver(receiver: str) -> None:
    text = f"package p\n\nfunc ({receiver}) Total() int {{\n\treturn c.n\n}}\nfunc Total() int {{ return 0 }}\n"
    found = symbols(text, "go")
    assert {name: each.kind for name, each in found.items()} == {"Cart.Total": Kind.METHOD, "Total": Kind.FUNCTION}
    assert found["Cart.Total"].owner == "Cart"
    assert (found["Cart.Total"].span.start_line, found["Cart.Total"].span.end_line) == (3, 5)


def test_a_go_receiver_has_the_type_that_it_says() -> None:
    parsed = parse(b"package p\nfunc (c *Cart) Total() int { return c.sum() }\n", "go")
    assert [(each.name, each.type) for each in parsed.bindings] == [("c", "*Cart")]
    assert [(each.receiver, each.name) for each in parsed.references if each.kind == "call"] == [("c", "sum")]


def test_every_constant_of_a_go_group_is_a_symbol_on_its_own_line() -> None:
    text = "package p\n\nconst (\n\tPaid State = iota\n\tVoid\n\t_\n\tLow, High = 1, 2\n)\n"
    found = symbols(text, "go")
    assert {name: (each.kind, each.span.start_line, each.span.end_line) for name, each in found.items()} == {
        "Paid": (Kind.CONSTANT, 4, 4),
        "Void": (Kind.CONSTANT, 5, 5),
        "Low": (Kind.CONSTANT, 7, 7),
        "High": (Kind.CONSTANT, 7, 7),
    }


def test_an_embedded_go_struct_is_a_base() -> None:
    found = symbols("package p\n\ntype Cart struct {\n\tBase\n\t*money.Money\n\tn int\n}\n", "go")
    assert found["Cart"].bases == ("Base", "money.Money")
    assert list(found) == ["Cart", "Cart.n"]


@pytest.mark.parametrize(
    ("path", "alias"),
    [
        ('"fmt"', "fmt"),
        ('"example.com/shop/money"', "money"),
        ('"example.com/shop/money/v2"', "money"),
        ('m "math"', "m"),
        ('_ "embed"', ""),
    ],
)
def test_a_go_import_binds_the_end_of_its_path(path: str, alias: str) -> None:
    (entry,) = parse(f"package p\n\nimport {path}\n".encode(), "go").imports
    assert entry.alias == alias


# Rust

GREET = """pub trait Greet { fn hi(&self) -> String; fn loud(&self) -> String { self.hi() } }
pub struct A;
impl Greet for A { fn hi(&self) -> String { "a".into() } }
macro_rules! twice { ($e:expr) => { $e; $e } }
pub const LIMIT: u32 = 3;
"""


def test_rust_traits_impls_and_macros() -> None:
    found = parse(GREET.encode(), "rust").symbols
    assert [(each.qualified_name, each.kind) for each in found] == [
        ("Greet", Kind.TRAIT),
        ("Greet.hi", Kind.METHOD),
        ("Greet.loud", Kind.METHOD),
        ("A", Kind.STRUCT),
        ("A", Kind.EXTENSION),
        ("A.hi", Kind.METHOD),
        ("twice", Kind.MACRO),
        ("LIMIT", Kind.CONSTANT),
    ]
    implementation = found[4]
    assert (implementation.bases, implementation.owner, found[5].parent) == (("Greet",), "A", 4)


@pytest.mark.parametrize("target", ["A", "A<T>", "A<'_, u8>", "crate::a::A", "&A", "&mut A<T>", "dyn A"])
@pytest.mark.parametrize("trait", ["", "Greet for ", "fmt::Greet<u8> for "])
def test_a_rust_impl_is_named_after_its_type(trait: str, target: str) -> None:
    found = parse(f"impl<T> {trait}{target} {{ fn hi(&self) {{}} }}\n".encode(), "rust").symbols
    assert [(each.qualified_name, each.kind) for each in found] == [("A", Kind.EXTENSION), ("A.hi", Kind.METHOD)]


@pytest.mark.parametrize(
    "item", ["pub fn pay() {}", "pub struct Pay;", "const PAY: u8 = 1;", "macro_rules! pay { () => {} }"]
)
@pytest.mark.parametrize("above", ["/// Pays.\n#[inline]\n", "#[inline]\n/// Pays.\n", "/** Pays. */\n#[a]\n#[b(c)]\n"])
def test_rust_comments_and_attributes_are_one_with_what_is_below(above: str, item: str) -> None:
    text = f"use a::b;\n\n{above}{item}\n"
    (symbol,) = parse(text.encode(), "rust").symbols
    assert cut(text, symbol) == f"{above}{item}"
    assert symbol.doc == "Pays."


def test_a_rust_use_tree_is_flattened() -> None:
    text = b"use std::collections::{self, hash_map::{Entry as Slot, *}, HashMap};\npub use self::inner::Thing as Other;\nuse serde;\n"
    found = [(each.module, each.name, each.alias, each.reexport) for each in parse(text, "rust").imports]
    assert found == [
        ("std::collections", "", "collections", False),
        ("std::collections::hash_map", "Entry", "Slot", False),
        ("std::collections::hash_map", "*", "", False),
        ("std::collections", "HashMap", "HashMap", False),
        ("self::inner", "Thing", "Other", True),
        ("", "serde", "serde", False),
    ]


# Java


@pytest.mark.parametrize(
    "header", ["interface Shop", "enum Shop", "class Shop", "record Shop(int n)", "abstract class Shop"]
)
@pytest.mark.parametrize("modifier", ["public ", "", "static "])
def test_an_annotated_java_method_is_found_once(header: str, modifier: str) -> None:
    start = "ONE; " if header.startswith("enum") else ""
    text = f'{header} {{\n  {start}\n  @GetMapping("/x")\n  {modifier}int x(){{return 1;}}\n}}\n'
    found = symbols(text, "java")
    method = found["Shop.x"]
    assert (method.kind, method.span.start_line, method.span.end_line) == (Kind.METHOD, 3, 4)
    assert method.decorators == ('@GetMapping("/x")',)


def test_an_annotation_on_the_line_of_a_java_method_is_kept() -> None:
    text = 'interface Shop {\n  @GetMapping("/x") public int x(){return 1;}\n}\nenum State { PAID; int code() { return 1; } }\n'
    found = symbols(text, "java")
    assert cut(text, found["Shop.x"]).strip() == '@GetMapping("/x") public int x(){return 1;}'
    assert {name: each.kind for name, each in found.items()} == {
        "Shop": Kind.INTERFACE,
        "Shop.x": Kind.METHOD,
        "State": Kind.ENUM,
        "State.PAID": Kind.ENUM_MEMBER,
        "State.code": Kind.METHOD,
    }


def test_a_java_import_names_what_it_brings_in() -> None:
    text = (
        b"package com.shop;\nimport com.a.B;\nimport com.a.*;\nimport static com.a.B.ZERO;\nimport static com.a.B.*;\n"
    )
    parsed = parse(text, "java")
    assert parsed.module == "com.shop"
    assert [(each.module, each.name, each.alias) for each in parsed.imports] == [
        ("com.a", "B", "B"),
        ("com.a", "*", ""),
        ("com.a.B", "ZERO", "ZERO"),
        ("com.a.B", "*", ""),
    ]


FRAMES = {
    "go": "package p\n\nfunc above() int {{\n\treturn 1\n}}\n\n{}\n\nfunc below() int {{\n\treturn 2\n}}\n",
    "rust": "fn above() -> i32 {{\n    1\n}}\n\n{}\n\nfn below() -> i32 {{\n    2\n}}\n",
    "java": "class A {{\n    int above() {{\n        return 1;\n    }}\n\n{}\n\n    int below() {{\n        return 2;\n    }}\n}}\n",
}


@pytest.mark.parametrize(
    ("language", "broken"),
    [
        ("go", "func broken( { return 2"),
        ("go", "func broken( {{{ "),
        ("go", "func broken() {\n\tx := \n}"),
        ("go", "func broken() {\n\tif x {\n\t\ty()\n}"),
        ("go", "func broken() {\n\tfoo(a, \n}"),
        ("go", "func broken() {\n\tx.\n}"),
        ("go", "type broken struct {\n\ta int"),
        ("rust", "fn broken( { return 2"),
        ("rust", "fn broken() {\n    let x = ;\n}"),
        ("rust", "fn broken() {\n    if x {\n        y();\n}"),
        ("rust", "fn broken() { x. }"),
        ("rust", "struct broken {\n    a: i32"),
        ("java", "    int broken( { return 2"),
        ("java", "    int broken() {\n        int x = ;\n    }"),
        ("java", "    int broken() {\n        if (x) {\n            y();\n    }"),
        ("java", "    int broken()\n        return 1;\n    }"),
    ],
)
def test_an_error_costs_neither_what_is_above_nor_what_is_below(language: str, broken: str) -> None:
    parsed = parse(FRAMES[language].format(broken).encode(), language)
    names = [each.name for each in parsed.symbols]
    assert {"above", "broken", "below"} <= set(names)
    below = next(each for each in parsed.symbols if each.name == "below")
    assert below.span.end_line - below.span.start_line == 2
    assert parsed.problems
