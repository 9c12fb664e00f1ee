"""JavaScript and TypeScript, from files on disk to answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from repository import Repository

from coderag.types import EdgeKind, Kind

Indexed = Callable[..., Repository]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("price.tsx", "export const Price = ({ v }: Props) => <b>{v}</b>;"),
        ("price.jsx", "export const Price = ({ v }) => <b>{v}</b>;"),
        ("price.tsx", "export const Price: React.FC<Props> = ({ v }) => { return <b>{v}</b>; };"),
        ("price.tsx", "const Price = memo(({ v }: Props) => <b>{v}</b>);"),
        ("price.js", "const Price = async function (v) { return v; };"),
        ("price.ts", "export let Price = <T,>(v: T): T => v;"),
    ],
)
def test_a_component_is_a_function_and_a_number_a_constant(indexed: Indexed, path: str, line: str) -> None:
    repository = indexed({path: f"{line}\nexport const plain = 42;\n"})
    assert repository.kinds() == {"Price": Kind.FUNCTION, "plain": Kind.CONSTANT}
    assert repository.search("Price")[0] == f"{path}#Price"
    assert repository.search("plain")[0] == f"{path}#plain"


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        (
            "box.ts",
            "export abstract class Box {\n  get(k: string): string;\n  get(k: number): number;\n"
            "  get(k: any) { return k; }\n  abstract size(): number;\n}\n",
            (2, 4),
        ),
        (
            "box.ts",
            "export class Box {\n  /** By name. */\n  get(k: string): string;\n\n  /** By number. */\n"
            "  get(k: number): number;\n  get(k: any): any {\n    return k;\n  }\n  size() { return 1; }\n}\n",
            (2, 9),
        ),
        (
            "box.d.ts",
            "export declare class Box {\n  get(k: string): string;\n  get(k: number): number;\n  size(): number;\n}\n",
            (2, 3),
        ),
        (
            "box.ts",
            "export interface Box {\n  get(k: string): string;\n  get(k: number): number;\n  size(): number;\n}\n",
            (2, 3),
        ),
    ],
)
def test_overloads_are_one_chunk(indexed: Indexed, path: str, text: str, lines: tuple[int, int]) -> None:
    repository = indexed({path: text})
    assert list(repository.kinds()) == ["Box", "Box.get", "Box.size"]
    assert repository.kinds()["Box.get"] is Kind.METHOD
    assert repository.lines(f"{path}#Box.get") == lines
    assert repository.search("Box.get")[0] == f"{path}#Box.get"


BARRELS = {
    "renamed": "export { fmt as formatMoney } from './money'; export { default as Wallet } from './money'\n",
    "imported first": "import Wallet, { fmt } from './money'\nexport { fmt as formatMoney, Wallet }\n",
    "two steps": "export { formatMoney, Wallet } from './inner'\n",
}


@pytest.mark.parametrize("barrel", BARRELS)
@pytest.mark.parametrize("suffix", ["ts", "js"])
def test_a_barrel_leads_to_what_it_passes_on(indexed: Indexed, barrel: str, suffix: str) -> None:
    repository = indexed(
        {
            f"lib/money.{suffix}": "export function fmt(n){return n}\nexport default class Wallet {}\n",
            f"lib/inner.{suffix}": "export { fmt as formatMoney, default as Wallet } from './money'\n",
            f"lib/index.{suffix}": BARRELS[barrel],
            f"app.{suffix}": "import { formatMoney, Wallet } from './lib'\nexport function start() { formatMoney(1); return new Wallet() }\n",
        }
    )
    barrel_chunk, start = f"lib/index.{suffix}#", f"app.{suffix}#start"
    assert [each for each in repository.callers(f"lib/money.{suffix}#fmt") if each != barrel_chunk] == [start]
    assert [each for each in repository.callers("Wallet") if each != barrel_chunk] == [start]
    names = {each.name for each in repository.index.callers("fmt") if each.chunk_id == start}
    assert names == {"formatMoney"}
    assert f"lib/money.{suffix}#fmt" in repository.search("formatMoney")[:3]


@pytest.mark.parametrize(
    ("imported", "used"),
    [
        ("import * as lib from './lib'", "lib.formatMoney(1)"),
        ("const { formatMoney } = require('./lib')", "formatMoney(1)"),
        ("const lib = require('./lib')", "lib.formatMoney(1)"),
        ("import { formatMoney as shown } from './lib'", "shown(1)"),
    ],
)
def test_a_barrel_reached_in_other_ways(indexed: Indexed, imported: str, used: str) -> None:
    repository = indexed(
        {
            "lib/money.js": "export function fmt(n){return n}\n",
            "lib/index.js": "export { fmt as formatMoney } from './money'\n",
            "app.js": f"{imported}\nfunction start() {{ return {used} }}\n",
        }
    )
    assert repository.callers("fmt") == ["app.js#start"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("export * from './b'\n", "export * from './a'\n"),
        ("export { x } from './b'\n", "export { x } from './a'\n"),
        ("export { x as y } from './b'\n", "export { y as x } from './a'\n"),
        ("export * from './a'\n", "export * from './b'\n"),
        ("export * as a from './b'\n", "export * as b from './a'\n"),
    ],
)
def test_barrels_that_pass_on_each_other_end(indexed: Indexed, first: str, second: str) -> None:
    repository = indexed({"a.ts": first, "b.ts": second, "app.ts": "import { x } from './a'\nx()\n"})
    assert repository.index.status().files == 3
    assert not [each for each in repository.index.symbols() if each.name == "x"]


def test_a_cycle_of_barrels_still_leads_to_what_one_of_them_defines(indexed: Indexed) -> None:
    repository = indexed(
        {
            "a.ts": "export * from './b'\n",
            "b.ts": "export * from './a'\nexport function x() {}\n",
            "app.ts": "import { x } from './a'\nexport function start() { x() }\n",
        }
    )
    assert repository.callers("x") == ["app.ts#start"]


# Long lines and large files.


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("vendor.min.js", "function a(b){return b}" * 13_000),
        ("vendor.js", "function a(b){return b}" * 13_000),
        ("vendor.min.css", ".a{color:red}" * 20_000),
        (
            "bundle.js",
            "/* a header */\n" + "var a=function(b){return b};" * 11_000 + "\n//# sourceMappingURL=bundle.js.map\n",
        ),
    ],
)
def test_a_minified_file_is_left_out_and_told(indexed: Indexed, path: str, text: str) -> None:
    repository = indexed({path: text, "app.js": "function real() { return 1 }\n"})
    assert repository.defined() == ["app.js#real"]
    assert repository.skipped() == {path: "minified or generated"}
    assert repository.index.why(path).verdict == "left out"
    assert "minified" in repository.index.why(path).detail


DATA = "iVBORw0K" * 25_000


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("logo.js", f'const logo = "data:image/png;base64,{DATA}";\nexport function draw(){{ return logo }}\n', "draw"),
        ("logo.py", f'LOGO = "data:image/png;base64,{DATA}"\n\ndef draw():\n    return LOGO\n', "draw"),
        ("logo.py", f'def draw():\n    logo = b"{DATA}"\n    return logo\n', "draw"),
        ("logo.go", f'package a\n\nvar logo = "{DATA}"\n\nfunc draw() string {{ return logo }}\n', "draw"),
        ("logo.rs", f'const LOGO: &str = "{DATA}";\nfn draw() -> &str {{ LOGO }}\n', "draw"),
        ("logo.css", f".logo {{ background: url(data:image/png;base64,{DATA}) }}\n.draw {{ color: red }}\n", ".draw"),
    ],
)
def test_a_long_literal_costs_only_itself(indexed: Indexed, path: str, text: str, name: str) -> None:
    repository = indexed({path: text})
    assert name in repository.kinds()
    assert repository.search(name.strip("."))[0] == f"{path}#{name}"
    assert all(len(chunk.text) < 2_000 for chunk in repository.chunks(path))
    assert "left out]" in "".join(chunk.text for chunk in repository.chunks(path))
    assert not repository.skipped()


@pytest.mark.parametrize(
    ("path", "function"),
    [
        ("many.js", "function f{n}() {{\n  return {n} + {n} * 2 * {n};\n}}\n\n"),
        ("many.py", "def f{n}():\n    return {n} + {n} * 2 * {n} + {n} * {n}\n\n\n"),
        ("many.go", "func f{n}() int {{\n\treturn {n} + {n} * 2 * {n} + {n}\n}}\n\n"),
    ],
)
def test_a_large_file_has_all_of_its_functions(indexed: Indexed, path: str, function: str) -> None:
    head = "package many\n\n" if path.endswith(".go") else ""
    repository = indexed({path: head + "".join(function.format(n=n) for n in range(4_000))})
    assert len(repository.defined()) == 4_000
    assert repository.search("f3999", k=1) == [f"{path}#f3999"]


def test_a_file_over_the_limit_is_told(indexed: Indexed) -> None:
    repository = indexed(
        {"many.js": "".join(f"function f{n}() {{ return {n} }}\n" for n in range(400))}, max_file_bytes=10_000
    )
    assert repository.skipped() == {"many.js": "too large"}
    assert "10000" in repository.index.why("many.js").detail


def test_a_handler_passed_by_name_is_used(indexed: Indexed) -> None:
    repository = indexed(
        {"app.js": "function onClick() {}\nfunction start(button) { button.addEventListener('click', onClick) }\n"}
    )
    assert repository.relations("app.js#start", "onClick") == {EdgeKind.PASSES}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("bench.ts", "import * as zod from 'zod'\nexport function start() { return zod.parse(1) }\n"),
        ("bench.ts", "import zod from 'zod'\nexport function start() { return zod(1) }\n"),
        ("bench.js", "const zod = require('zod')\nexport function start() { return zod.parse(1) }\n"),
        ("bench.ts", "import { parse } from 'zod'\nexport function start() { return parse(1) }\n"),
        ("bench.py", "import zod\n\ndef start():\n    return zod.parse(1)\n"),
        ("bench.py", "from zod import parse\n\ndef start():\n    return parse(1)\n"),
        ("bench.rb", "require 'zod'\ndef start\n  Zod.parse(1)\nend\n"),
        ("bench.go", 'package bench\n\nimport "example.org/zod"\n\nfunc start() { zod.Parse(1) }\n'),
        ("bench.lua", "local zod = require('zod')\nfunction start() return zod.parse(1) end\n"),
    ],
)
def test_a_module_from_elsewhere_is_not_a_variable_of_its_name(indexed: Indexed, path: str, text: str) -> None:
    suffix = path.rpartition(".")[2]
    others = {
        "ts": "export const zod = 1\nfunction parse() {}\n",
        "js": "export const zod = 1\nfunction parse() {}\n",
        "py": "zod = 1\n\n\nclass Parser:\n    def parse(self):\n        return zod\n",
        "rb": "def zod; end\n",
        "go": "package other\n\nvar zod = 1\n",
        "lua": "zod = 1\n",
    }
    repository = indexed({path: text, **{f"other/{n}.{suffix}": others[suffix] for n in "abc"}})
    assert all(each.path == path for each in repository.index.callees("start"))
    assert all(each.path != path for n in "abc" for each in repository.index.callers(f"other/{n}.{suffix}#zod"))
