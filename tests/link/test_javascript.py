"""What a name in JavaScript and TypeScript means: modules, barrels, defaults, receivers."""

from __future__ import annotations

from coderag.types import EdgeKind
from tests.link.sources import links


def test_a_barrel_with_rename_and_default():
    files = {
        "lib/money.ts": "export function fmt(n){return n}\nexport default class Wallet {}\n",
        "lib/index.ts": "export { fmt as formatMoney } from './money';\nexport { default as Wallet } from './money';\n",
        "app.ts": "import { formatMoney, Wallet } from './lib';\nformatMoney(1); new Wallet();\n",
    }
    assert links(files) == [
        "app.ts calls> lib/money.ts:Wallet (exact)",
        "app.ts calls> lib/money.ts:fmt (exact)",
    ]
    assert links(files, EdgeKind.RE_EXPORTS) == [
        "lib/index.ts re-exports> lib/money.ts:Wallet (exact)",
        "lib/index.ts re-exports> lib/money.ts:fmt (exact)",
    ]


def test_barrels_that_export_each_other_end():
    files = {
        "a.ts": "export * from './b';\nexport * from './c';\n",
        "b.ts": "export * from './a';\nexport function own() {}\n",
        "c.ts": "export function deep() {}\n",
        "app.ts": "import { deep, own, none } from './b';\nimport { deep as d } from './a';\n"
        "function f() { deep(); own(); none(); }\nfunction g() { d(); }\n",
    }
    assert links(files) == [
        "app.ts:f calls> b.ts:own (exact)",
        "app.ts:f calls> c.ts:deep (exact)",
        "app.ts:g calls> c.ts:deep (exact)",
    ]


def test_many_barrels_that_all_export_each_other_end_soon():
    names = [f"m{i}" for i in range(30)]
    files = {f"{name}.ts": "".join(f"export * from './{other}';\n" for other in names) for name in names}
    files["app.ts"] = "import { missing } from './m0';\nmissing();\n"
    assert links(files) == []


def test_defaults_of_every_sort():
    assert links(
        {
            "a.js": "export default function run() {}\n",
            "b.js": "function go() {}\nexport default go;\n",
            "c.js": "class Shop { open() {} }\nexport { Shop as default };\n",
            "app.js": "import run from './a';\nimport walk from './b';\nimport C from './c';\n"
            "function f() { run(); walk(); new C().open(); }\n",
        }
    ) == [
        "app.js:f calls> a.js:run (exact)",
        "app.js:f calls> b.js:go (exact)",
        "app.js:f calls> c.js:Shop (exact)",
        "app.js:f calls> c.js:Shop.open (exact)",
    ]


def test_a_namespace_import_and_a_namespace_export():
    assert links(
        {
            "lib/ns.ts": "export function go() {}\n",
            "lib/index.ts": "export * as ns from './ns';\n",
            "app.ts": "import * as n from './lib/ns';\nimport { ns } from './lib';\n"
            "function f() { n.go(); }\nfunction g() { ns.go(); }\n",
        }
    ) == ["app.ts:f calls> lib/ns.ts:go (exact)", "app.ts:g calls> lib/ns.ts:go (exact)"]


def test_required_modules():
    assert links(
        {
            "run.js": "function run() {}\nfunction halt() {}\nmodule.exports = { run, stop: halt };\n",
            "late.js": "exports.late = function () {};\n",
            "shop.js": "class Shop { open() {} }\nmodule.exports = Shop;\n",
            "app.js": "const r = require('./run');\nconst { stop: s } = require('./run');\nconst Shop = require('./shop');\n"
            "function f() { r.run(); r.stop(); s(); }\n"
            "function g() { const l = require('./late'); l.late(); new Shop(); }\n",
        }
    ) == [
        "app.js:f calls> run.js:halt (exact)",
        "app.js:f calls> run.js:run (exact)",
        "app.js:g calls> late.js:late (exact)",
        "app.js:g calls> shop.js:Shop (exact)",
    ]


def test_what_is_not_exported_cannot_be_imported():
    assert (
        links(
            {
                "a.ts": "function hidden() {}\nexport function shown() { }\n",
                "b.ts": "export * from './a';\n",
                "app.ts": "import { hidden } from './b';\nhidden();\n",
            }
        )
        == []
    )


def test_paths_as_they_are_written():
    assert links(
        {
            "src/lib/money.ts": "export const fmt = () => 1;\n",
            "src/ui/index.tsx": "export const Price = () => 2;\n",
            "packages/core/package.json": "{}",
            "packages/core/src/index.ts": "export function core() {}\n",
            "src/app.ts": "import { fmt } from './lib/money.js';\nimport { Price } from '@/ui';\nimport { core } from '@x/core';\n"
            "import { map } from 'lodash';\nfunction f() { fmt(); Price(); core(); map(); }\n",
        }
    ) == [
        "src/app.ts:f calls> packages/core/src/index.ts:core (exact)",
        "src/app.ts:f calls> src/lib/money.ts:fmt (exact)",
        "src/app.ts:f calls> src/ui/index.tsx:Price (exact)",
    ]


def test_receivers_of_known_type():
    files = {
        "s.ts": "export class Base { put(x) {} }\nexport class Store extends Base { child(): Store { return this; } }\n",
        "u.ts": "import { Store } from './s';\n"
        "class Job {\n  private a: Store;\n  constructor(private b: Store) { this.c = new Store(); }\n"
        "  run() { this.a.put(1); this.b.put(2); this.c.child().put(3); this.stop(); }\n  stop() {}\n}\n"
        "function f(s: Store) { s.child().put(1); const t = new Store(); t.put(2); }\n",
    }
    assert [line for line in links(files) if "put" in line or "stop" in line] == [
        "u.ts:Job.run calls> s.ts:Base.put (scoped)",
        "u.ts:Job.run calls> u.ts:Job.stop (exact)",
        "u.ts:f calls> s.ts:Base.put (scoped)",
    ]


def test_super_and_overriding():
    files = {
        "m.ts": "class A { constructor() {} go() {} }\nclass B extends A { constructor() { super(); } go() { super.go(); } }\n"
    }
    assert links(files) == [
        "m.ts:B.constructor calls> m.ts:A.constructor (scoped)",
        "m.ts:B.go calls> m.ts:A.go (scoped)",
    ]
    assert links(files, EdgeKind.OVERRIDES) == [
        "m.ts:B.constructor overrides> m.ts:A.constructor (scoped)",
        "m.ts:B.go overrides> m.ts:A.go (scoped)",
    ]


def test_interfaces_and_types():
    files = {
        "t.ts": "export interface Sell { sell(): void }\nexport type Id = string;\n",
        "u.ts": "import type { Sell, Id } from './t';\nclass Shop implements Sell { sell() {} }\n"
        "function f(s: Sell, id: Id) { s.sell(); }\n",
    }
    assert links(files) == ["u.ts:f calls> t.ts:Sell.sell (exact)"]
    assert links(files, EdgeKind.IMPLEMENTS, EdgeKind.OVERRIDES, EdgeKind.TYPES) == [
        "u.ts:Shop implements> t.ts:Sell (exact)",
        "u.ts:Shop.sell overrides> t.ts:Sell.sell (scoped)",
        "u.ts:f types> t.ts:Id (exact)",
        "u.ts:f types> t.ts:Sell (exact)",
    ]


def test_objects_with_functions():
    assert links(
        {
            "m.js": "export const api = { get() { this.load(); }, load() {} };\n",
            "u.js": "import { api } from './m';\nfunction f() { api.load(); }\n",
        }
    ) == ["m.js:api.get calls> m.js:api.load (exact)", "u.js:f calls> m.js:api.load (exact)"]


def test_callbacks_components_and_tests():
    files = {
        "c.tsx": "export const Price = ({ v }: P) => <b>{v}</b>;\nexport function onClick() {}\n",
        "u.tsx": "import { Price, onClick } from './c';\n"
        "export const Cart = () => <div onClick={onClick}><Price v={1} /></div>;\n[1].map(onClick);\n",
        "c.test.tsx": "import { onClick } from './c';\ntest('x', () => { onClick(); });\n",
    }
    assert links(files, EdgeKind.CALLS, EdgeKind.PASSES, EdgeKind.TESTS) == [
        "c.test.tsx tests> c.tsx:onClick (exact)",
        "u.tsx passes> c.tsx:onClick (exact)",
        "u.tsx:Cart calls> c.tsx:Price (exact)",
        "u.tsx:Cart passes> c.tsx:onClick (exact)",
    ]


def test_a_parameter_hides_an_import():
    assert (
        links(
            {
                "s.js": "export function put() {}\n",
                "u.js": "import * as store from './s';\nimport { put } from './s';\n"
                "function f(store, put) { store.put(); put(); }\n",
            }
        )
        == []
    )


def test_a_component_is_linked_like_the_script_that_it_holds():
    files = {
        "src/cart.ts": "export function total(n: number) { return n }\n",
        "src/Row.vue": '<script lang="ts">\nimport { total } from "./cart"\nfunction show() { return total(1) }\n</script>\n',
        "src/App.vue": '<script setup>\nimport Row from "./Row.vue"\nfunction start() { stop() }\nfunction stop() {}\n</script>\n',
    }
    assert links(files) == [
        "src/App.vue:start calls> src/App.vue:stop (scoped)",
        "src/Row.vue:show calls> src/cart.ts:total (exact)",
    ]
    assert links(files, EdgeKind.IMPORTS) == [
        "src/App.vue imports> src/Row.vue (exact)",
        "src/Row.vue imports> src/cart.ts:total (exact)",
    ]
