"""Python, from files on disk to answers: what a person asks of small repositories, and the same in other languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from repository import Repository

from coderag.types import EdgeKind, Kind

Indexed = Callable[..., Repository]

# Decorators, annotations and attributes belong to what they stand before.


@pytest.mark.parametrize(
    ("path", "text", "name", "lines"),
    [
        ("web.py", '@route("/pay")\n@retry(times=3)\ndef pay(order):\n    return order.total\n', "pay", (1, 4)),
        ("web.py", '@app.route("/pay")\nasync def pay(order):\n    return order.total\n', "pay", (1, 3)),
        ("web.py", '@route(\n    "/pay",\n)\nclass Pay:\n    total = 1\n', "Pay", (1, 5)),
        (
            "web.py",
            'class Shop:\n    @property\n    @route("/pay")\n    def pay(self):\n        return 1\n',
            "Shop.pay",
            (2, 5),
        ),
        ("web.ts", '@Route("/pay")\nexport class Pay {\n  total = 1;\n}\n', "Pay", (1, 4)),
        ("Web.java", 'class Web {\n  @Route("/pay")\n  int pay() { return 1; }\n}\n', "Web.pay", (2, 3)),
        ("web.rs", '#[route("/pay")]\npub fn pay() -> u32 {\n    1\n}\n', "pay", (1, 4)),
        ("Web.kt", '@Route("/pay")\nfun pay(order: Order): Int {\n    return order.total\n}\n', "pay", (1, 4)),
        ("Web.cs", 'class Web {\n  [Route("/pay")]\n  public int Pay() { return 1; }\n}\n', "Web.Pay", (2, 3)),
        ("web.php", '<?php\n#[Route("/pay")]\nfunction pay($order) {\n    return 1;\n}\n', "pay", (2, 5)),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_a_decorated_definition_is_one_chunk_that_its_decorator_finds(
    indexed: Indexed, path: str, text: str, name: str, lines: tuple[int, int]
) -> None:
    repository = indexed({path: text})
    chunk = repository.chunk(f"{path}#{name}")
    assert repository.lines(chunk.id) == lines
    assert "oute" in chunk.text.split("\n")[0] + chunk.text.split("\n")[1]
    assert list(repository.kinds()).count(name) == 1
    for query in (name.rpartition(".")[2], "route", '"/pay"'):
        assert chunk.id in repository.search(query)[:2], query


def test_a_decorated_function_is_found_first_by_its_name_route_and_path(indexed: Indexed) -> None:
    repository = indexed(
        {
            "web.py": '@route("/pay")\n@retry(times=3)\ndef pay(order):\n    return order.total\n',
            "other.py": '@route("/ship")\ndef ship(order):\n    return order.place\n',
        }
    )
    assert repository.search("pay")[0] == repository.search('"/pay"')[0] == "web.py#pay"
    assert "web.py#pay" in repository.search("route")
    assert repository.chunk("web.py#pay").text.startswith("@route")


# Comments before and behind.


@pytest.mark.parametrize(
    ("path", "text", "name", "lines"),
    [
        (
            "w.py",
            "# Refund window in days. Do not change.\ndef window():\n    return 14\n    # legal asked for 14\nNEXT = 1\n",
            "window",
            (1, 4),
        ),
        (
            "w.py",
            "# One.\n# Two.\n@cache\ndef window():\n    if x:\n        return 14\n        # inner\n    # outer\n\n\nNEXT = 1\n",
            "window",
            (1, 8),
        ),
        (
            "w.py",
            "class Shop:\n    # Days.\n    def window(self):\n        return 14\n        # asked for\n\n    NEXT = 1\n",
            "Shop.window",
            (2, 5),
        ),
        (
            "w.go",
            "package w\n\n// Refund window in days.\nfunc window() int {\n\treturn 14 // asked\n}\n",
            "window",
            (3, 6),
        ),
        (
            "w.js",
            "/* Refund window\n   in days. */\nfunction window() {\n  return 14;\n  // asked\n}\n",
            "window",
            (1, 6),
        ),
        ("w.rb", "# Refund window.\ndef window\n  14\n  # asked\nend\n", "window", (1, 5)),
        ("w.lua", "-- Refund window.\nlocal function window()\n  return 14\n  -- asked\nend\n", "window", (1, 5)),
        ("w.sh", "# Refund window.\nwindow() {\n  echo 14\n  # asked\n}\n", "window", (1, 5)),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_comments_before_and_in_the_end_belong_to_the_function(
    indexed: Indexed, path: str, text: str, name: str, lines: tuple[int, int]
) -> None:
    repository = indexed({path: text})
    assert repository.lines(f"{path}#{name}") == lines
    shown = "\n".join(chunk.text for chunk in repository.chunks(path))
    assert all(line.strip() in shown for line in text.split("\n"))


# One name in two places.

TWICE = {"a/ids.py": 'def make_id(x): return "a"+x\n', "b/ids.py": 'def make_id(x): return "b"+x\n'}


@pytest.mark.parametrize(
    "use",
    [
        'from a.ids import make_id\ndef run(): return make_id("1")\n',
        'from a.ids import make_id as made\ndef run(): return made("1")\n',
        'from a import ids\ndef run(): return ids.make_id("1")\n',
        'import a.ids\ndef run(): return a.ids.make_id("1")\n',
        'import a.ids as names\ndef run(): return names.make_id("1")\n',
        'def run():\n    from a.ids import make_id\n    return make_id("1")\n',
        'from a.ids import *\ndef run(): return make_id("1")\n',
        'try:\n    from a.ids import make_id\nexcept ImportError:\n    make_id = None\ndef run(): return make_id("1")\n',
    ],
)
def test_an_import_decides_which_of_two_functions_is_called(indexed: Indexed, use: str) -> None:
    repository = indexed({**TWICE, "use.py": use})
    assert repository.callers("a/ids.py#make_id") == ["use.py#run"]
    assert repository.callers("b/ids.py#make_id") == []
    assert repository.callers("a.ids.make_id") == ["use.py#run"]
    assert repository.callers("b.ids.make_id") == []


def test_a_name_that_is_defined_twice_is_found_twice_with_its_places(indexed: Indexed) -> None:
    repository = indexed({**TWICE, "use.py": 'from a.ids import make_id\ndef run(): return make_id("1")\n'})
    assert set(repository.search("make_id")[:2]) == {"a/ids.py#make_id", "b/ids.py#make_id"}
    assert {entry.path for entry in repository.index.definitions("make_id")} == {"a/ids.py", "b/ids.py"}
    assert {entry.path for entry in repository.index.definitions("b.ids.make_id")} == {"b/ids.py"}
    assert repository.search("b.ids.make_id")[0] == "b/ids.py#make_id"


@pytest.mark.parametrize(
    "files",
    [
        {
            "a/ids.ts": "export function makeId(x) { return 'a' + x }\n",
            "b/ids.ts": "export function makeId(x) { return 'b' + x }\n",
            "use.ts": "import { makeId } from './a/ids'\nexport function run() { return makeId('1') }\n",
        },
        {
            "a/ids.go": "package a\n\nfunc MakeId(x string) string { return x }\n",
            "b/ids.go": "package b\n\nfunc MakeId(x string) string { return x }\n",
            "go.mod": "module example.org/shop\n",
            "use.go": 'package main\n\nimport "example.org/shop/a"\n\nfunc run() string { return a.MakeId("1") }\n',
        },
        {
            "src/a.rs": "pub fn make_id(x: u32) -> u32 { x }\n",
            "src/b.rs": "pub fn make_id(x: u32) -> u32 { x + 1 }\n",
            "src/main.rs": "mod a;\nmod b;\nuse a::make_id;\nfn run() -> u32 { make_id(1) }\n",
        },
        {
            "a/Ids.java": "package a;\npublic class Ids { public static int makeId(int x) { return x; } }\n",
            "b/Ids.java": "package b;\npublic class Ids { public static int makeId(int x) { return x; } }\n",
            "Use.java": "import a.Ids;\nclass Use { int run() { return Ids.makeId(1); } }\n",
        },
    ],
    ids=["typescript", "go", "rust", "java"],
)
def test_an_import_decides_in_other_languages_too(indexed: Indexed, files: dict[str, str]) -> None:
    repository = indexed(files)
    first, second = (name for name in repository.defined() if name.lower().endswith(("makeid", "make_id")))
    assert [name.rpartition("#")[2].rpartition(".")[2] for name in repository.callers(first)] == ["run"]
    assert repository.callers(second) == []


@pytest.mark.parametrize(
    "job",
    [
        "import store\ndef go(): store.put(1)\n",
        "import store as kept\ndef go(): kept.put(1)\n",
        "def go():\n    import store\n    store.put(1)\n",
        "import store\n\ndef go():\n    put = store.put\n    return put\n",
        "import store\n\ndef go():\n    return map(store.put, [1])\n",
    ],
)
def test_a_call_through_a_module_is_an_edge(indexed: Indexed, job: str) -> None:
    repository = indexed({"store.py": "def put(k): ...\n", "job.py": job, "other.py": "def put(k): ...\n"})
    assert repository.callers("store.py#put") == ["job.py#go"]
    assert repository.callers("other.py#put") == []
    assert "store.py#put" in repository.callees("go")


# Re-exports.


@pytest.mark.parametrize(
    ("package", "app"),
    [
        ("from .core import Engine\n", "from pkg import Engine\nEngine()\n"),
        ("from .core import Engine as Engine\n", "from pkg import Engine as Motor\nMotor()\n"),
        ("from pkg.core import Engine\n__all__ = ['Engine']\n", "import pkg\npkg.Engine()\n"),
        ("from .core import *\n", "from pkg import Engine\nEngine()\n"),
    ],
)
def test_a_name_reexported_by_a_package_leads_to_its_definition(indexed: Indexed, package: str, app: str) -> None:
    repository = indexed({"pkg/__init__.py": package, "pkg/core.py": "class Engine: ...\n", "app.py": app})
    assert repository.search("Engine")[0] == "pkg/core.py#Engine"
    if "Engine" in package:
        assert any(each.startswith("pkg/__init__.py#") for each in repository.search("Engine"))
    assert repository.callers("Engine") == ["app.py#"]
    kinds = {each.kind for each in repository.index.callers("Engine") if each.path == "pkg/__init__.py"}
    assert EdgeKind.RE_EXPORTS in kinds or EdgeKind.IMPORTS in kinds


# Constants and enums.


def test_constants_and_enums_are_found_by_name_and_by_what_they_mean(indexed: Indexed) -> None:
    repository = indexed(
        {
            "types.py": 'from enum import Enum\nRETRY_LIMIT = 5\nclass State(Enum):\n    PAID = "paid"\n    VOID = "void"\n',
            "noise.py": "def have(order):\n    return order\n\n\ndef can(an):\n    return an\n",
        }
    )
    assert repository.kinds("types.py") == {
        "RETRY_LIMIT": Kind.CONSTANT,
        "State": Kind.ENUM,
        "State.PAID": Kind.ENUM_MEMBER,
        "State.VOID": Kind.ENUM_MEMBER,
    }
    assert repository.search("RETRY_LIMIT")[0] == "types.py#RETRY_LIMIT"
    for query in ("State.PAID", "State.VOID", "PAID", "State"):
        assert repository.search(query)[0] == "types.py#State"
    assert "types.py#State" in repository.search("what states can an order have")[:3]


@pytest.mark.parametrize(
    ("path", "text", "members"),
    [
        ("s.py", "import enum\nclass State(enum.IntEnum):\n    PAID = 1\n    VOID = 2\n", ("State.PAID", "State.VOID")),
        ("s.py", "class State(str, Enum):\n    PAID = auto()\n    VOID = auto()\n", ("State.PAID", "State.VOID")),
        ("s.ts", "export enum State {\n  Paid = 'paid',\n  Void,\n}\n", ("State.Paid", "State.Void")),
        ("s.rs", "pub enum State {\n    Paid(u32),\n    Void { at: u64 },\n}\n", ("State.Paid", "State.Void")),
        ("S.java", "enum State { PAID, VOID; }\n", ("State.PAID", "State.VOID")),
        ("s.swift", "enum State: String {\n  case paid\n  case void\n}\n", ("State.paid", "State.void")),
        ("s.kt", "enum class State { PAID, VOID }\n", ("State.PAID", "State.VOID")),
        ("s.c", "enum State { PAID, VOID = 4 };\n", ("State.PAID", "State.VOID")),
        ("s.cs", "enum State { Paid, Void = 4 }\n", ("State.Paid", "State.Void")),
        (
            "s.php",
            "<?php\nenum State: string {\n  case Paid = 'paid';\n  case Void = 'void';\n}\n",
            ("State.Paid", "State.Void"),
        ),
        ("s.scala", "enum State:\n  case Paid, Void\n", ("State.Paid", "State.Void")),
        ("s.zig", "const State = enum { paid, void_ };\n", ("State.paid", "State.void_")),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_members_of_an_enum_are_members_everywhere(
    indexed: Indexed, path: str, text: str, members: tuple[str, ...]
) -> None:
    repository = indexed({path: text})
    kinds = repository.kinds()
    assert kinds["State"] is Kind.ENUM
    assert [name for name, kind in kinds.items() if kind is Kind.ENUM_MEMBER] == list(members)
    for member in members:
        assert repository.search(member)[0] == f"{path}#State"


# Handlers in tables.


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "events.py",
            'def on_paid(e): ...\ndef on_void(e): ...\nHANDLERS = {"paid": on_paid, "void": on_void}\n'
            "def dispatch(e): return HANDLERS[e.kind](e)\n",
        ),
        (
            "events.py",
            'def on_paid(e): ...\ndef on_void(e): ...\nHANDLERS = {"paid": on_paid, "void": on_void}\n'
            "def dispatch(e): return HANDLERS.get(e.kind)(e)\n",
        ),
        (
            "events.py",
            'def on_paid(e): ...\ndef on_void(e): ...\nHANDLERS = [("paid", on_paid), ("void", on_void)]\n'
            "def dispatch(e):\n    for kind, handle in HANDLERS:\n        handle(e)\n",
        ),
        (
            "events.js",
            "function on_paid(e) {}\nfunction on_void(e) {}\nconst HANDLERS = { paid: on_paid, void: on_void };\n"
            "function dispatch(e) { return HANDLERS[e.kind](e); }\n",
        ),
        (
            "events.go",
            "package events\n\nfunc on_paid(e int) {}\nfunc on_void(e int) {}\n"
            'var HANDLERS = map[string]func(int){"paid": on_paid, "void": on_void}\n'
            "func dispatch(e int) { HANDLERS[kind(e)](e) }\n",
        ),
        (
            "events.lua",
            "local function on_paid(e) end\nlocal function on_void(e) end\n"
            "HANDLERS = { paid = on_paid, void = on_void }\nfunction dispatch(e) return HANDLERS[e.kind](e) end\n",
        ),
        (
            "events.c",
            "static void on_paid(int e) {}\nstatic void on_void(int e) {}\n"
            "void (*HANDLERS[])(int) = { on_paid, on_void };\nvoid dispatch(int e) { HANDLERS[e](e); }\n",
        ),
    ],
    ids=lambda value: value if "\n" not in value else "",
)
def test_a_table_of_handlers_reaches_its_handlers(indexed: Indexed, path: str, text: str) -> None:
    repository = indexed({path: text})
    table, dispatch = f"{path}#HANDLERS", f"{path}#dispatch"
    for handler in ("on_paid", "on_void"):
        assert repository.relations(table, handler) == {EdgeKind.VIA_TABLE}
        assert repository.relations(dispatch, handler) == {EdgeKind.VIA_TABLE}
    assert table in repository.callees("dispatch")


def test_the_key_of_a_table_finds_the_table_and_the_handler(indexed: Indexed) -> None:
    repository = indexed(
        {
            "events.py": 'def on_paid(e): ...\ndef on_void(e): ...\nHANDLERS = {"paid": on_paid, "void": on_void}\n'
            "def dispatch(e): return HANDLERS[e.kind](e)\n"
        }
    )
    assert {"events.py#HANDLERS", "events.py#on_void"} <= set(repository.search('"void"')[:3])


# Broken files.


@pytest.mark.parametrize(
    ("path", "text", "kept", "line"),
    [
        ("b.py", "def ok1(): return 1\ndef broken( return 2\ndef ok2(): return 3\n", {"ok1", "ok2"}, 2),
        ("b.py", "def ok1():\n    return 1\n\nx = = 2\n\ndef ok2():\n    return 3\n", {"ok1", "ok2"}, 4),
        ("b.py", "def ok1():\n    return [1,\n\ndef ok2():\n    return 3\n", {"ok1"}, 2),
        ("b.js", "function ok1() { return 1 }\nfunction broken( { return 2\nfunction ok2() { return 3 }\n", {"ok1"}, 2),
        (
            "b.go",
            "package b\n\nfunc ok1() int { return 1 }\nfunc broken( { return }\nfunc ok2() int { return 3 }\n",
            {"ok1", "ok2"},
            4,
        ),
        ("b.rs", "fn ok1() -> u32 { 1 }\nfn broken( { 2 }\nfn ok2() -> u32 { 3 }\n", {"ok1"}, 2),
        (
            "B.java",
            "class B {\n  int ok1() { return 1; }\n  int broken( { return 2; }\n  int ok2() { return 3; }\n}\n",
            {"B.ok1", "B.ok2"},
            3,
        ),
        (
            "b.c",
            "int ok1(void) { return 1; }\nint broken( { return 2; }\nint ok2(void) { return 3; }\n",
            {"ok1", "ok2"},
            2,
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_a_syntax_error_costs_the_broken_part_and_is_told(
    indexed: Indexed, path: str, text: str, kept: set[str], line: int
) -> None:
    repository = indexed({path: text, "sound.py": "def sound(): return 1\n"})
    assert kept <= set(repository.kinds(path))
    assert line in repository.problems()[path]
    assert f"line {line}" in repository.index.why(path).detail
    shown = [each.strip() for chunk in repository.chunks(path) for each in chunk.text.split("\n")]
    for number, each in enumerate(text.split("\n"), 1):
        assert not each.strip() or repository.index.why(f"{path}:{number}").chunks
        assert not each.strip() or any(each.strip() in line for line in shown)
    assert repository.search("sound")[0] == "sound.py#sound"
