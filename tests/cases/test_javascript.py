"""Small inputs in JavaScript and TypeScript, and what parsing them must find."""

from __future__ import annotations

import pytest

from coderag.parse import parse
from coderag.types import Import, Kind, Parsed, Symbol

BARREL = b"""export { fmt as formatMoney } from './money';
export { default as Wallet } from './money';
export * from './rates';
export * as units from './units';
"""
BOX = b"""export abstract class Box {
  get(k: string): string;
  get(k: number): number;
  get(k: any) { return k; }
  abstract size(): number;
}
"""


def symbols(parsed: Parsed) -> dict[str, Symbol]:
    assert len({each.qualified_name for each in parsed.symbols}) == len(parsed.symbols)
    return {each.qualified_name: each for each in parsed.symbols}


def kinds(text: str, language: str = "typescript") -> dict[str, Kind]:
    return {name: each.kind for name, each in symbols(parse(text.encode(), language)).items()}


@pytest.mark.parametrize("language", ["javascript", "tsx"])
@pytest.mark.parametrize(
    "value",
    [
        "({ v }) => <b>{v}</b>",
        "async (v) => { return v; }",
        "v => v",
        "function (v) { return v; }",
        "function* named(v) { yield v; }",
        "memo(({ v }) => <b>{v}</b>)",
        "React.forwardRef(function Price(v, ref) { return <b ref={ref}>{v}</b>; })",
    ],
)
def test_a_constant_that_holds_a_function_is_a_function(language: str, value: str) -> None:
    for keyword in ("const", "let", "var", "export const"):
        found = kinds(f"{keyword} Price = {value};\nexport const plain = 42;\n", language)
        assert found == {"Price": Kind.FUNCTION, "plain": Kind.CONSTANT}


def test_a_typed_component_is_a_function() -> None:
    found = kinds("export const Price = ({ v }: Props) => <b>{v}</b>;\nexport const plain = 42;\n", "tsx")
    assert found == {"Price": Kind.FUNCTION, "plain": Kind.CONSTANT}


def test_overloads_are_one_method_that_spans_all_signatures() -> None:
    found = symbols(parse(BOX, "typescript"))
    assert list(found) == ["Box", "Box.get", "Box.size"]
    assert (found["Box.get"].span.start_line, found["Box.get"].span.end_line) == (2, 4)
    assert not found["Box.get"].declaration
    assert found["Box.size"].kind is Kind.METHOD


@pytest.mark.parametrize(
    "text",
    [
        "function a(k: string): void;\nfunction a(k: number): void;\nfunction a(k: any) {}\n",
        "export function a(k: string): void;\n\n/** Or a number. */\nexport function a(k: number): void;\nexport function a(k: any) {}\n",
        "declare function a(k: string): void;\ndeclare function a(k: number): void;\n",
    ],
)
def test_overloads_of_a_function_are_one_function(text: str) -> None:
    (symbol,) = parse(text.encode(), "typescript").symbols
    assert (symbol.qualified_name, symbol.span.start_line, symbol.span.end_line) == ("a", 1, text.count("\n"))


@pytest.mark.parametrize("header", ["interface Box", "abstract class Box", "declare class Box"])
def test_overloads_without_a_body_are_one_method(header: str) -> None:
    mark = "abstract " if header.startswith("abstract") else ""
    text = f"{header} {{\n  {mark}get(k: string): string;\n  {mark}get(k: number): number;\n}}\n"
    found = symbols(parse(text.encode(), "typescript"))
    assert (found["Box.get"].span.start_line, found["Box.get"].span.end_line) == (2, 3)


@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_a_barrel_says_where_each_name_comes_from(language: str) -> None:
    assert parse(BARREL, language).imports == (
        Import("./money", "fmt", "formatMoney", 1, reexport=True),
        Import("./money", "default", "Wallet", 2, reexport=True),
        Import("./rates", "*", "", 3, reexport=True),
        Import("./units", "", "units", 4, reexport=True),
    )


@pytest.mark.parametrize(
    ("text", "name", "local"),
    [
        ("export default class Wallet {}", "default", "Wallet"),
        ("export default function pay() {}", "default", "pay"),
        ("const pay = 1;\nexport default pay;", "default", "pay"),
        ("function pay() {}\nexport { pay as default };", "default", "pay"),
        ("function pay() {}\nexport { pay as charge };", "charge", "pay"),
        ("function pay() {}\nmodule.exports = pay;", "default", "pay"),
        ("module.exports = function pay() {};", "default", "pay"),
        ("module.exports = function () {};", "default", "exports"),
        ("function pay() {}\nmodule.exports = { charge: pay };", "charge", "pay"),
        ("function pay() {}\nexports.charge = pay;", "charge", "pay"),
    ],
)
def test_an_exported_name_leads_to_the_local_one(text: str, name: str, local: str) -> None:
    parsed = parse(text.encode(), "javascript")
    assert dict(parsed.exports)[name] == local
    assert local in {each.name for each in parsed.symbols}


@pytest.mark.parametrize(
    "text",
    ["export default function () {}", "export default () => 1;", "export default class {}", "export default { a: 1 };"],
)
def test_a_default_without_a_name_is_called_default(text: str) -> None:
    assert [each.name for each in parse(text.encode(), "javascript").symbols] == ["default"]


def test_an_import_gives_module_name_and_alias() -> None:
    text = b"""import Wallet, { fmt as format, rate } from './money';
import * as tax from '../tax';
import './setup';
const path = require('path');
const { low, high: top } = require('./bounds');
const first = require('./list').first;
const later = await import('./later');
"""
    found = [(each.module, each.name, each.alias) for each in parse(text, "javascript").imports]
    assert sorted(found) == sorted(
        [
            ("./money", "default", "Wallet"),
            ("./money", "fmt", "format"),
            ("./money", "rate", "rate"),
            ("../tax", "", "tax"),
            ("./setup", "", ""),
            ("path", "", "path"),
            ("./bounds", "low", "low"),
            ("./bounds", "high", "top"),
            ("./list", "first", "first"),
            ("./later", "", "later"),
        ]
    )


def test_what_an_import_binds_is_not_defined_here() -> None:
    text = b"const { low } = require('./bounds');\nconst tax = require('./tax');\nconst Page = lazy(() => import('./Page'));\n"
    assert parse(text, "javascript").symbols == ()


def test_a_long_line_of_data_costs_no_symbol() -> None:
    text = b'const logo = "data:image/png;base64,' + b"QUJD" * 50_000 + b'";\nexport function draw(){ return logo }\n'
    parsed = parse(text, "javascript")
    assert [(each.name, each.kind) for each in parsed.symbols] == [("logo", Kind.CONSTANT), ("draw", Kind.FUNCTION)]
    assert len(parsed.symbols[0].signature) <= 400
    assert [(each.name, each.lines) for each in parsed.references] == [("logo", (2,))]


@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_four_thousand_functions_are_four_thousand_symbols(language: str) -> None:
    text = "".join(
        f"export function step{number}(value) {{\n  return value + {number};\n}}\n\n" for number in range(4_000)
    )
    parsed = parse(text.encode(), language)
    assert [each.name for each in parsed.symbols] == [f"step{number}" for number in range(4_000)]


def test_callbacks_of_tests_are_no_symbols() -> None:
    text = b"describe('cart', () => { const a = 1; it('adds', async () => { use(a); }); });\n"
    parsed = parse(text, "javascript")
    assert parsed.symbols == ()
    assert {each.name for each in parsed.references} == {"describe", "it", "use"}


@pytest.mark.parametrize("language", ["javascript", "typescript", "tsx"])
@pytest.mark.parametrize("broken", ["function broken( { return 2\n", "class {{{\n", "const = => ;\n"])
def test_an_error_costs_neither_what_is_above_nor_what_is_below(language: str, broken: str) -> None:
    text = f"function above() {{ return 1; }}\n{broken}function below() {{ return 3; }}\n"
    parsed = parse(text.encode(), language)
    assert {"above", "below"} <= {each.name for each in parsed.symbols}
    assert [each.line for each in parsed.problems][:1] == [2]


COMPONENT = """<template>
  <div id="app"><button @click="add">{{ n }}</button></div>
</template>

<script setup lang="ts">
import { total } from './cart'
const LIMIT: number = 3
function add(n: number): number {
  return total(n) + LIMIT
}
</script>

<style scoped>
.a { color: red }
</style>
"""


def test_the_scripts_of_a_component_are_code() -> None:
    parsed = parse(COMPONENT.encode(), "html")
    assert [(each.qualified_name, each.kind, each.span.start_line) for each in parsed.symbols] == [
        ("template", Kind.ELEMENT, 1),
        ("template.app", Kind.ELEMENT, 2),
        ("LIMIT", Kind.CONSTANT, 7),
        ("add", Kind.FUNCTION, 8),
        ("style", Kind.ELEMENT, 13),
    ]
    assert [(each.module, each.name) for each in parsed.imports] == [("./cart", "total")]
    assert {(each.name, each.kind) for each in parsed.references} == {("total", "call"), ("LIMIT", "read")}


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("<script>function a() {}</script><script>function b() { a() }</script>", ["a", "b"]),
        ("<div id=x><script>function a() {}</script></div>", ["x", "a"]),
        ('<script type="module">export function a() {}</script>', ["a"]),
        ('<script type="text/template"><p>function a() {}</p></script>', ["script"]),
        ('<script type="application/json">{"a": 1}</script>', ["script"]),
        ("<script>run(1)</script>", ["script"]),
        ("<script>function a() { return '</b>' }</script><p id=z>", ["a", "z"]),
        ("<script>function a() {}", []),
    ],
)
def test_which_scripts_of_a_page_are_code(page: str, names: list[str]) -> None:
    assert [each.name for each in parse(page.encode(), "html").symbols if each.name] == names


def test_a_page_of_scripts_without_an_end_takes_no_time() -> None:
    for hostile in (b"<script>" * 50_000, b"<script " * 50_000, b"<script>a<" * 40_000):
        assert parse(hostile, "html").symbols == ()
