"""What a name in Python means: one small program for each rule of the language."""

from __future__ import annotations

from coderag.types import EdgeKind
from tests.link.sources import links


def test_an_explicit_import_decides_between_two_functions_of_one_name():
    assert links(
        {
            "a/ids.py": "def make_id(x):\n    return 'a' + x\n",
            "b/ids.py": "def make_id(x):\n    return 'b' + x\n",
            "use.py": "from a.ids import make_id\ndef run():\n    return make_id('1')\n",
        }
    ) == ["use.py:run calls> a/ids.py:make_id (exact)"]


def test_a_call_through_an_imported_module():
    assert links({"store.py": "def put(k): ...\n", "job.py": "import store\ndef go():\n    store.put(1)\n"}) == [
        "job.py:go calls> store.py:put (exact)"
    ]


def test_a_package_passes_on_what_it_imports():
    files = {
        "pkg/__init__.py": "from .core import Engine\n",
        "pkg/core.py": "class Engine: ...\n",
        "app.py": "from pkg import Engine\nEngine()\n",
    }
    assert links(files) == ["app.py calls> pkg/core.py:Engine (exact)"]
    assert links(files, EdgeKind.RE_EXPORTS) == ["pkg/__init__.py re-exports> pkg/core.py:Engine (exact)"]
    assert links(files, EdgeKind.IMPORTS) == [
        "app.py imports> pkg/core.py:Engine (exact)",
        "pkg/__init__.py imports> pkg/core.py:Engine (exact)",
    ]


def test_constants_and_members_of_enums_are_referred_to():
    files = {
        "types.py": "from enum import Enum\nLIMIT = 5\nclass State(Enum):\n    PAID = 'paid'\n    VOID = 'void'\n",
        "svc.py": "from types_ import x\nfrom .types import LIMIT, State\n"
        "def f(o):\n    if o.n > LIMIT:\n        o.state = State.PAID\n",
    }
    assert links(files, EdgeKind.REFERS) == [
        "svc.py:f refers> types.py:LIMIT (exact)",
        "svc.py:f refers> types.py:State (exact)",
        "svc.py:f refers> types.py:State.PAID (exact)",
    ]


def test_a_table_of_handlers_leads_to_them():
    files = {
        "h.py": "def on_paid(e): ...\ndef on_void(e): ...\n"
        'HANDLERS = {"paid": on_paid, "void": on_void}\n'
        "def dispatch(e):\n    return HANDLERS[e.kind](e)\n"
    }
    assert links(files, EdgeKind.VIA_TABLE) == [
        "h.py:HANDLERS via-table> h.py:on_paid (scoped)",
        "h.py:HANDLERS via-table> h.py:on_void (scoped)",
        "h.py:dispatch via-table> h.py:on_paid (scoped)",
        "h.py:dispatch via-table> h.py:on_void (scoped)",
    ]
    assert links(files, EdgeKind.REFERS) == ["h.py:dispatch refers> h.py:HANDLERS (scoped)"]


def test_a_table_in_another_file_leads_to_its_handlers():
    files = {
        "h.py": "from jobs import run\nTABLE = [run]\n",
        "jobs.py": "def run(): ...\n",
        "main.py": "from h import TABLE\ndef go():\n    TABLE[0]()\n",
    }
    assert "main.py:go via-table> jobs.py:run (scoped)" in links(files, EdgeKind.VIA_TABLE)


def test_relative_imports_of_every_level():
    assert links(
        {
            "p/__init__.py": "",
            "p/top.py": "def up(): ...\n",
            "p/q/__init__.py": "",
            "p/q/near.py": "def by(): ...\n",
            "p/q/use.py": "from .near import by\nfrom ..top import up\nfrom .. import top\nfrom . import near as n\n"
            "def f():\n    by(); up()\ndef g():\n    top.up(); n.by()\n",
        }
    ) == [
        "p/q/use.py:f calls> p/q/near.py:by (exact)",
        "p/q/use.py:f calls> p/top.py:up (exact)",
        "p/q/use.py:g calls> p/q/near.py:by (exact)",
        "p/q/use.py:g calls> p/top.py:up (exact)",
    ]


def test_aliases_of_names_and_modules():
    assert links(
        {
            "lib/deep.py": "def f(): ...\n",
            "use.py": "import lib.deep\nimport lib.deep as d\nfrom lib.deep import f as g\n"
            "def a():\n    lib.deep.f()\ndef b():\n    d.f()\ndef c():\n    g()\n",
        }
    ) == [
        "use.py:a calls> lib/deep.py:f (exact)",
        "use.py:b calls> lib/deep.py:f (exact)",
        "use.py:c calls> lib/deep.py:f (exact)",
    ]


def test_an_import_inside_a_function_holds_there_alone():
    assert links(
        {
            "m.py": "def f(): ...\n",
            "use.py": "def a():\n    from m import f\n    f()\ndef b():\n    f()\n",
        }
    ) == ["use.py:a calls> m.py:f (exact)"]


def test_a_conditional_import_takes_what_is_there():
    assert links(
        {
            "slow.py": "def f(): ...\n",
            "use.py": "try:\n    from fast import f\nexcept ImportError:\n    from slow import f\ndef a():\n    f()\n",
        }
    ) == ["use.py:a calls> slow.py:f (exact)"]


def test_circular_imports_end():
    files = {
        "a.py": "from b import *\ndef x(): ...\n",
        "b.py": "from a import *\ndef y(): ...\n",
        "use.py": "from a import y, nothing\nfrom b import x\ndef f():\n    x(); y(); nothing()\n",
    }
    assert links(files) == ["use.py:f calls> a.py:x (exact)", "use.py:f calls> b.py:y (exact)"]


def test_star_imports_respect_all_and_the_underscore():
    files = {
        "m.py": "__all__ = ['a', '_c']\ndef a(): ...\ndef b(): ...\ndef _c(): ...\n",
        "n.py": "def d(): ...\ndef _e(): ...\n",
        "use.py": "from m import *\nfrom n import *\ndef f():\n    a(); b(); _c(); d(); _e()\n",
    }
    assert links(files) == [
        "use.py:f calls> m.py:_c (exact)",
        "use.py:f calls> m.py:a (exact)",
        "use.py:f calls> n.py:d (exact)",
    ]


def test_a_parameter_or_local_hides_a_function_or_module():
    assert (
        links(
            {
                "store.py": "def put(k): ...\n",
                "job.py": "import store\ndef send(): ...\n"
                "def f(store, send):\n    store.put(1); send()\n"
                "def g():\n    store = open('x')\n    store.put(1)\n",
            }
        )
        == []
    )


def test_members_of_the_own_class_and_its_bases():
    files = {
        "base.py": "class Base:\n    def save(self): ...\n    def load(self): ...\n",
        "m.py": "import base\nclass A(base.Base):\n    def save(self):\n        super().save(); self.load(); self.own()\n"
        "    def own(self):\n        return self.own()\n    @classmethod\n    def make(cls):\n        cls.make()\n",
    }
    assert links(files) == [
        "m.py:A.make calls> m.py:A.make (exact)",
        "m.py:A.own calls> m.py:A.own (exact)",
        "m.py:A.save calls> base.py:Base.load (scoped)",
        "m.py:A.save calls> base.py:Base.save (scoped)",
        "m.py:A.save calls> m.py:A.own (exact)",
    ]
    assert links(files, EdgeKind.OVERRIDES) == ["m.py:A.save overrides> base.py:Base.save (scoped)"]
    assert links(files, EdgeKind.INHERITS) == ["m.py:A inherits> base.py:Base (exact)"]


def test_a_diamond_is_searched_as_python_does():
    assert links(
        {
            "m.py": "class A:\n    def f(self): ...\nclass B(A): ...\nclass C(A):\n    def f(self): ...\n"
            "class D(B, C):\n    def g(self):\n        self.f()\n"
        }
    ) == ["m.py:D.g calls> m.py:C.f (scoped)"]


def test_classes_that_inherit_from_themselves_or_each_other_end():
    assert links(
        {"m.py": "class A(B): ...\nclass B(A):\n    def f(self):\n        self.f(); self.g()\nclass C(C): ...\n"}
    ) == ["m.py:B.f calls> m.py:B.f (exact)"]


def test_a_base_outside_of_the_repository_may_have_any_member():
    assert (
        links(
            {
                "m.py": "from django.db import Model\nclass A(Model):\n    def f(self):\n        self.refresh()\n"
                "class Other:\n    def refresh(self): ...\n"
            }
        )
        == []
    )


def test_bare_names_do_not_see_the_members_of_the_class():
    assert links(
        {
            "m.py": "def helper(): ...\nclass A:\n    def helper(self): ...\n    def f(self):\n        helper()\n"
            "    x = property(helper)\n"
        },
        EdgeKind.CALLS,
        EdgeKind.PASSES,
    ) == ["m.py:A.f calls> m.py:helper (scoped)", "m.py:A.x passes> m.py:A.helper (scoped)"]


def test_receivers_of_known_type():
    files = {
        "s.py": "class Store:\n    def put(self, k): ...\n    def child(self) -> 'Store': ...\n"
        "    @property\n    def log(self) -> Log: ...\n"
        "class Log:\n    def note(self): ...\ndef make() -> Store: ...\n",
        "u.py": "from s import Store, make\nimport s\n"
        "def annotated(x: Store, y: 'Store | None' = None):\n    x.put(1)\n    y.put(2)\n"
        "def built():\n    x = Store()\n    x.put(1)\n"
        "def returned():\n    x = make()\n    x.put(1)\n    make().put(2)\n    s.make().child().put(3)\n"
        "def property_of(x: s.Store):\n    x.log.note()\n"
        "class Job:\n    shared: Store\n    def __init__(self, given: Store):\n        self.mine = s.Store()\n"
        "        self.given = given\n    def run(self):\n        self.mine.put(1)\n        self.given.put(2)\n"
        "        self.shared.put(3)\n"
        "class Late(Job):\n    def again(self):\n        self.mine.put(4)\n",
    }
    found = [line for line in links(files) if "Store.put" in line or "note" in line]
    assert found == [
        "u.py:Job.run calls> s.py:Store.put (exact)",
        "u.py:Late.again calls> s.py:Store.put (exact)",
        "u.py:annotated calls> s.py:Store.put (exact)",
        "u.py:built calls> s.py:Store.put (exact)",
        "u.py:property_of calls> s.py:Log.note (exact)",
        "u.py:returned calls> s.py:Store.put (exact)",
    ]


def test_types_that_begin_at_the_receiver():
    assert links(
        {
            "m.py": "from typing import Self\nclass A:\n    def make(self) -> 'B': ...\n    def me(self) -> Self: ...\n"
            "    def run(self):\n        x = self.make()\n        x.go()\n        self.me().make().go()\n"
            "class B:\n    def go(self): ...\n"
        }
    ) == [
        "m.py:A.run calls> m.py:A.make (exact)",
        "m.py:A.run calls> m.py:A.me (exact)",
        "m.py:A.run calls> m.py:B.go (exact)",
    ]


def test_static_calls_and_nested_classes():
    assert links(
        {
            "m.py": "class A:\n    class B:\n        @staticmethod\n        def f(): ...\n    @staticmethod\n    def g(): ...\n",
            "u.py": "import m\nfrom m import A\ndef x():\n    A.g(); A.B.f(); m.A.B.f()\n",
        }
    ) == ["u.py:x calls> m.py:A.B.f (exact)", "u.py:x calls> m.py:A.g (exact)"]


def test_calling_a_class_runs_its_constructor():
    assert links(
        {
            "m.py": "class Base:\n    def __init__(self): ...\nclass A(Base): ...\n",
            "u.py": "from m import A\ndef f():\n    return A()\n",
        }
    ) == ["u.py:f calls> m.py:A (exact)", "u.py:f calls> m.py:Base.__init__ (exact)"]


def test_decorators_are_calls():
    assert links(
        {
            "d.py": "def retry(n): ...\n",
            "m.py": "import d\nfrom d import retry\n@retry(3)\n@d.retry\ndef f(): ...\n",
        }
    ) == ["m.py:f calls> d.py:retry (exact)"]


def test_recursion_is_a_call():
    assert links({"m.py": "def f(n):\n    return f(n - 1)\n"}) == ["m.py:f calls> m.py:f (scoped)"]


def test_nested_functions_hide_outer_ones():
    assert links({"m.py": "def g(): ...\ndef f():\n    def g(): ...\n    g()\n"}) == ["m.py:f calls> m.py:f.g (scoped)"]


def test_a_name_alone_is_a_guess_and_says_so():
    assert links({"m.py": "class A:\n    def settle(self): ...\n", "u.py": "def f(x):\n    x.settle()\n"}) == [
        "u.py:f calls> m.py:A.settle (unique-name)"
    ]


def test_several_candidates_share_the_weight():
    assert links(
        {
            "m.py": "class A:\n    def settle(self): ...\nclass B:\n    def settle(self): ...\n",
            "u.py": "def f(x):\n    x.settle()\n",
        }
    ) == ["u.py:f calls> m.py:A.settle (ambiguous 1/2)", "u.py:f calls> m.py:B.settle (ambiguous 1/2)"]


def test_common_member_names_and_functions_are_not_guessed():
    assert (
        links(
            {
                "m.py": "class A:\n    def get(self): ...\n    def items(self): ...\ndef settle(): ...\n",
                "u.py": "import os\ndef f(x):\n    x.get(); x.items(); x.settle(); os.settle()\n",
            }
        )
        == []
    )


def test_the_standard_library_is_not_a_file_of_the_same_name():
    assert (
        links(
            {
                "pkg/__init__.py": "",
                "pkg/types.py": "def f(): ...\n",
                "pkg/u.py": "import types\ndef g():\n    types.f()\n",
                "scripts/json.py": "def dumps(): ...\n",
                "pkg/v.py": "import json\ndef g():\n    json.dumps()\n",
            }
        )
        == []
    )


def test_source_roots_and_namespace_packages():
    assert links(
        {
            "src/app/core.py": "def f(): ...\n",
            "tests/helpers.py": "def h(): ...\n",
            "tests/test_core.py": "from app.core import f\nfrom helpers import h\nfrom app import core\n"
            "def test_f():\n    f(); h(); core.f()\n",
        }
    ) == [
        "tests/test_core.py:test_f calls> tests/helpers.py:h (exact)",
        "tests/test_core.py:test_f tests> src/app/core.py:f (exact)",
    ]


def test_functions_passed_and_types_named():
    assert links(
        {
            "m.py": "class T: ...\ndef work(): ...\n",
            "u.py": "from m import T, work\nfrom threading import Thread\n"
            "def f(x: T) -> 'T':\n    Thread(target=work)\n",
        },
        EdgeKind.PASSES,
        EdgeKind.TYPES,
    ) == ["u.py:f passes> m.py:work (exact)", "u.py:f types> m.py:T (exact)"]


def test_overloads_and_setters_lead_to_what_runs():
    assert links(
        {
            "m.py": "from typing import overload\n@overload\ndef f(x: int): ...\n@overload\ndef f(x: str): ...\n"
            "def f(x): ...\ndef g():\n    f(1)\n"
        }
    ) == ["m.py:g calls> m.py:f~3 (scoped)"]
