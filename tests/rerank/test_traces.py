"""Stack traces as people paste them, one for each way of writing, and what the frames mean in a repository."""

from __future__ import annotations

import pytest

from coderag.rerank.traces import Frame, locate, read_trace, symbol_parts
from coderag.types import Chunk, Kind, Query
from tests.recall.memory_snapshot import make_chunk, snapshot_of
from tests.rerank.test_ranking import ranked

TRACES = {
    "python": (
        """Traceback (most recent call last):
  File "/srv/app/main.py", line 9, in <module>
    run()
  File "/srv/app/pay/refund.py", line 12, in approve
    total = order.total / order.count
            ~~~~~~~~~~~~^~~~~~~~~~~~~
ZeroDivisionError: division by zero""",
        [("/srv/app/pay/refund.py", "approve", 12), ("/srv/app/main.py", "<module>", 9)],
    ),
    "node": (
        """TypeError: Cannot read properties of undefined
    at Cart.total (/srv/app/src/cart.js:14:22)
    at async checkout (file:///srv/app/src/checkout.mjs:3:9)
    at /srv/app/src/server.ts:88:5""",
        [
            ("/srv/app/src/cart.js", "Cart.total", 14),
            ("/srv/app/src/checkout.mjs", "checkout", 3),
            ("/srv/app/src/server.ts", "", 88),
        ],
    ),
    "java": (
        """Exception in thread "main" java.lang.IllegalStateException: closed
\tat com.shop.Cart.total(Cart.java:41)
\tat com.shop.Main.lambda$run$0(Main.java:7)
Caused by: java.lang.NullPointerException
\tat com.shop.Order.sum(Order.java:12)
\t... 2 more""",
        [
            ("com/shop/Order.java", "com.shop.Order.sum", 12),
            ("com/shop/Cart.java", "com.shop.Cart.total", 41),
            ("com/shop/Main.java", "com.shop.Main.lambda$run$0", 7),
        ],
    ),
    "php with a cause": (
        """PHP Fatal error:  Uncaught DomainException: empty in /srv/app/Order.php:12
Stack trace:
#0 /srv/app/Cart.php(30): Order->sum()
#1 {main}

Next RuntimeException: failed in /srv/app/Shop.php:8
Stack trace:
#0 /srv/app/index.php(3): Shop->run()
#1 {main}
  thrown in /srv/app/Shop.php on line 8""",
        [
            ("/srv/app/Order.php", "", 12),
            ("/srv/app/Cart.php", "Order->sum", 30),
            ("/srv/app/Shop.php", "", 8),
            ("/srv/app/index.php", "Shop->run", 3),
        ],
    ),
    "elixir with arguments": (
        """** (FunctionClauseError) no function clause matching in Shop.Cart.sum/1
    (shop 0.1.0) lib/shop/cart.ex:12: Shop.Cart.sum(nil)
    (shop 0.1.0) lib/shop/order.ex:4: Shop.Order.total/1""",
        [("lib/shop/cart.ex", "Shop.Cart.sum", 12), ("lib/shop/order.ex", "Shop.Order.total", 4)],
    ),
    "lldb": (
        """* thread #1, stop reason = EXC_BAD_ACCESS
  * frame #0: 0x0000000100003f4c shop`Cart.total(self=0x0) at cart.swift:12:5
    frame #1: 0x0000000100003e10 shop`main at main.c:3""",
        [("cart.swift", "Cart.total", 12), ("main.c", "main", 3)],
    ),
    "undefined behaviour": (
        """src/cart.c:41:17: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented
    #0 0x55d0 in cart_total src/cart.c:41:17
    #1 0x55d1 in main src/main.c:3:5""",
        [("src/cart.c", "", 41), ("src/cart.c", "cart_total", 41), ("src/main.c", "main", 3)],
    ),
    "rich": (
        """╭──────────── Traceback (most recent call last) ────────────╮
│ /srv/app/main.py:12 in main                               │
│                                                           │
│ ❱ 12     run()                                            │
│                                                           │
│ /srv/app/pay/run.py:3 in run                              │
│                                                           │
│ ❱  3     raise ValueError                                 │
╰───────────────────────────────────────────────────────────╯
ValueError""",
        [("/srv/app/pay/run.py", "run", 3), ("/srv/app/main.py", "main", 12)],
    ),
    "pytest": (
        """tests/test_pay.py:5:\x20
_ _ _ _ _
pay/refund.py:9: in approve
    check(order)
pay/check.py:3: ValueError""",
        [("pay/check.py", "", 3), ("pay/refund.py", "approve", 9), ("tests/test_pay.py", "", 5)],
    ),
    "table": (
        """|     Traceback (most recent call last):                   |
|       File "/srv/                                        |
| app/main.py", line 9, in <module>                        |
|         run()                                            |
|       File "/srv/app/pay/refund.py", line 12, in approve |
|         total = order.total                              |
|     ZeroDivisionError                                    |
+----------------------------------------------------------+""",
        [("/srv/app/pay/refund.py", "approve", 12), ("/srv/app/main.py", "<module>", 9)],
    ),
    "valgrind": (
        """==123==    at 0x4C2FB0F: list_append (list.c:12)
==123==    by 0x10866A: Shop::total(int, char const*) (shop.cpp:3)""",
        [("list.c", "list_append", 12), ("shop.cpp", "Shop::total", 3)],
    ),
    "lua": (
        """lua: shop/cart.lua:3: boom
stack traceback:
\t[C]: in function 'error'
\tshop/cart.lua:3: in method 'total'
\tshop/main.lua:9: in main chunk""",
        [("shop/cart.lua", "total", 3), ("shop/main.lua", "", 9)],
    ),
    "haskell": (
        "CallStack (from HasCallStack):\n  total, called at src/Shop.hs:12:5 in shop-1.0:Shop",
        [("src/Shop.hs", "total", 12)],
    ),
    "zig": (
        "/srv/shop/cart.zig:12:9: 0x10a3b in total (shop)\n        return error.Empty;\n        ^",
        [("/srv/shop/cart.zig", "total", 12)],
    ),
    "kotlin": (
        "\tat com.shop.CartKt.total(Cart.kt:5)",
        [("com/shop/Cart.kt", "com.shop.CartKt.total", 5)],
    ),
    "scala": (
        "\tat com.shop.Cart$.total(Cart.scala:5)",
        [("com/shop/Cart.scala", "com.shop.Cart$.total", 5)],
    ),
    "go": (
        """panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
shop/cart.(*Cart).Total(0xc000012345, 0x3)
\t/srv/app/cart/cart.go:31 +0x1d
main.main()
\t/srv/app/main.go:9 +0x20""",
        [("/srv/app/cart/cart.go", "shop/cart.(*Cart).Total", 31), ("/srv/app/main.go", "main.main", 9)],
    ),
    "rust": (
        """thread 'main' panicked at src/cart.rs:17:9:
no such item
stack backtrace:
   3: shop::cart::Cart::total
             at ./src/cart.rs:17:9
   4: shop::main::{{closure}}
             at ./src/main.rs:4:5""",
        [
            ("src/cart.rs", "", 17),
            ("./src/cart.rs", "shop::cart::Cart::total", 17),
            ("./src/main.rs", "shop::main::{{closure}}", 4),
        ],
    ),
    "sanitizer": (
        """==7==ERROR: AddressSanitizer: heap-use-after-free
    #0 0x55d1 in cart_total /srv/app/src/cart.c:22:7
    #1 0x55d2 in shop::Cart::add(int) ../src/cart.cpp:40""",
        [("/srv/app/src/cart.c", "cart_total", 22), ("../src/cart.cpp", "shop::Cart::add", 40)],
    ),
    "gdb": (
        """#0  cart_total (cart=0x0) at src/cart.c:22
#1  0x0000555555555161 in main (argc=1, argv=0x7ffe) at src/main.c:8""",
        [("src/cart.c", "cart_total", 22), ("src/main.c", "main", 8)],
    ),
    "assertion": (
        "shop: src/cart.c:22: cart_total: Assertion `cart != NULL' failed.",
        [("src/cart.c", "cart_total", 22)],
    ),
    "assertion of macos": (
        "Assertion failed: (cart != NULL), function cart_total, file cart.c, line 22.",
        [("cart.c", "cart_total", 22)],
    ),
    "c#": (
        """System.NullReferenceException: Object reference not set
   at Shop.Cart.Total(Int32 count) in C:\\src\\Shop\\Cart.cs:line 30
   at Shop.Program.Main(String[] args) in C:\\src\\Shop\\Program.cs:line 5""",
        [
            ("C:\\src\\Shop\\Cart.cs", "Shop.Cart.Total", 30),
            ("C:\\src\\Shop\\Program.cs", "Shop.Program.Main", 5),
        ],
    ),
    "ruby": (
        """lib/shop/cart.rb:12:in `total': undefined method `+' for nil (NoMethodError)
\tfrom lib/shop/cart.rb:30:in `block in each_item'
\tfrom bin/shop.rb:3:in '<main>'""",
        [
            ("lib/shop/cart.rb", "total", 12),
            ("lib/shop/cart.rb", "each_item", 30),
            ("bin/shop.rb", "<main>", 3),
        ],
    ),
    "php": (
        """PHP Fatal error:  Uncaught Error: Call to a member function sum() on null in /srv/app/src/Cart.php:18
Stack trace:
#0 /srv/app/src/Shop.php(9): Shop\\Cart->total(3)
#1 {main}
  thrown in /srv/app/src/Cart.php on line 18""",
        [("/srv/app/src/Cart.php", "", 18), ("/srv/app/src/Shop.php", "Shop\\Cart->total", 9)],
    ),
    "elixir": (
        """** (ArithmeticError) bad argument in arithmetic expression
    (shop 0.1.0) lib/shop/cart.ex:8: Shop.Cart.total/1
    (elixir 1.15.0) lib/enum.ex:1700: Enum.map/2""",
        [("lib/shop/cart.ex", "Shop.Cart.total", 8), ("lib/enum.ex", "Enum.map", 1700)],
    ),
    "swift": (
        """Shop/Cart.swift:14: Fatal error: Index out of range
4 Cart.total() + 84 in shop at /srv/app/Sources/Shop/Cart.swift:14:9""",
        [("Shop/Cart.swift", "", 14), ("/srv/app/Sources/Shop/Cart.swift", "Cart.total", 14)],
    ),
}


@pytest.mark.parametrize("name", TRACES)
def test_frames_of_each_format(name: str) -> None:
    text, expected = TRACES[name]
    assert [(frame.path, frame.symbol, frame.line) for frame in read_trace(text).frames] == expected


def test_the_first_cause_comes_first_and_its_innermost_frame_before_all() -> None:
    text = """Traceback (most recent call last):
  File "a.py", line 1, in outer
  File "a.py", line 2, in inner
KeyError: 'x'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "b.py", line 3, in handler
ValueError: y
note: while reading the settings"""
    trace = read_trace(text)
    assert [frame.symbol for frame in trace.frames] == ["inner", "outer", "handler"]
    assert "while reading the settings" in trace.message
    assert "KeyError: 'x'" in trace.message


def test_exception_groups_are_read_through_their_margin() -> None:
    text = """  | Traceback (most recent call last):
  |   File "a.py", line 2, in child
  |     work()
  | ValueError: 1"""
    assert [(frame.symbol, frame.code) for frame in read_trace(text).frames] == [("child", "work()")]


def test_the_source_line_belongs_to_its_frame() -> None:
    frame, _ = read_trace(TRACES["python"][0]).frames
    assert frame.code == "total = order.total / order.count"


def test_allocators_and_what_ends_a_program_come_last() -> None:
    text = "    #0 0x1 in xmalloc wrapper.c:5\n    #1 0x2 in list_append list.c:9\n"
    assert [frame.symbol for frame in read_trace(text).frames] == ["list_append", "xmalloc"]


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("com.shop.Main.lambda$run$0", ("com", "shop", "Main", "run")),
        ("shop/cart.(*Cart).Total", ("shop", "cart", "Cart", "Total")),
        ("_serverLog.constprop.2", ("_serverLog",)),
        ("<shop::Cart as core::ops::Drop>::drop::h0123456789abcdef", ("drop",)),
        ("Shop\\Cart->total", ("Shop", "Cart", "total")),
        ("<module>", ()),
        ("", ()),
    ],
)
def test_names_are_read_without_what_compilers_add(written: str, parts: tuple[str, ...]) -> None:
    assert symbol_parts(written) == parts


REFUND = [
    make_chunk("pay/refund.py", "approve", "def approve(order):\n    pass\n" * 3, line=5),
    make_chunk("pay/refund.py", "reject", "def reject(order):\n    pass", line=20),
    make_chunk("shop/cart.py", "approve", "def approve(cart):\n    pass"),
]


def located(chunks: list[Chunk], *frames: Frame) -> list[str]:
    return [f"{chunks[hit.row].path}#{chunks[hit.row].symbol}" for hit in locate(snapshot_of(chunks), frames).hits]


def test_a_frame_is_found_by_the_end_of_its_path() -> None:
    assert located(REFUND, Frame("/srv/app/pay/refund.py", "approve", 12)) == ["pay/refund.py#approve"]
    assert located(REFUND, Frame("C:\\app\\pay\\refund.py", "approve", 12)) == ["pay/refund.py#approve"]


def test_the_symbol_counts_more_than_a_line_that_has_drifted() -> None:
    assert located(REFUND, Frame("pay/refund.py", "approve", 21)) == ["pay/refund.py#approve"]


def test_without_a_symbol_the_line_decides() -> None:
    assert located(REFUND, Frame("pay/refund.py", "", 20)) == ["pay/refund.py#reject"]


def test_a_line_chooses_among_equal_symbols() -> None:
    chunks = [
        make_chunk("a.py", "One.run", "def run(self):\n    pass", kind=Kind.METHOD, line=1),
        make_chunk("a.py", "Two.run", "def run(self):\n    pass", kind=Kind.METHOD, line=40),
    ]
    assert located(chunks, Frame("a.py", "run", 41)) == ["a.py#Two.run"]


def test_frames_of_libraries_are_ignored() -> None:
    assert located(REFUND, Frame("/venv/lib/python3.11/site-packages/django/db/refund.py", "save", 3)) == []
    assert located(REFUND, Frame("/usr/lib/python3.11/runpy.py", "run", 3)) == []


def test_an_ambiguous_frame_is_listed() -> None:
    chunks = [make_chunk(f"{place}/cart.c", "total", "int total() {}", language="c") for place in ("a", "b")]
    found = locate(snapshot_of(chunks), [Frame("cart.c", "total", 1)])
    assert [hit.score for hit in found.hits] == [0.5, 0.5]
    assert found.notes == ("the frame total (cart.c:1) may be in a/cart.c, b/cart.c",)


def test_a_trace_from_elsewhere_boosts_its_own_function() -> None:
    text, _ = TRACES["python"]
    first = ranked(snapshot_of(REFUND), Query("why does this fail", trace=text))[0]
    assert REFUND[first.row].symbol == "approve"
    assert "in trace" in [reason.name for reason in first.reasons]


def test_a_text_without_frames_is_its_own_message() -> None:
    assert read_trace("how do orders look at the cart: 12 items").frames == ()
    assert read_trace("how do orders").message == "how do orders"


def test_hostile_texts_are_read_in_linear_time() -> None:
    for piece in ("a.", "at ", "((((", "#1 0x1 in a ", "x:1:", 'File "', "a/b.rb"):
        read_trace(piece * 20_000)


def test_a_frame_of_a_file_that_has_another_name_now_is_found_beside_it() -> None:
    chunks = [
        make_chunk("shop/_oldcore.py", "Hue.lookup", "def lookup(key):\n    pass", line=10),
        make_chunk("shop/_oldcore.py", "Size.lookup", "def lookup(key):\n    pass", line=50),
        make_chunk("other/names.py", "lookup", "def lookup(key):\n    pass"),
    ]
    for folder in ("/x/site-packages", "/x/lib/python3.11/site-packages"):
        located = locate(snapshot_of(chunks), [Frame(f"{folder}/shop/_core.py", "lookup", 12)])
        assert [chunks[hit.row].symbol for hit in located.hits] == ["Hue.lookup"]


def test_a_call_that_python_refused_is_a_frame_that_its_message_names() -> None:
    trace = read_trace(
        """Traceback (most recent call last):
  File "/srv/shop/writing.py", line 12, in write
    writer = Writer(**options)
TypeError: Table.__init__() got an unexpected keyword argument 'rows'"""
    )
    assert [(frame.path, frame.symbol) for frame in trace.frames] == [
        ("", "Table.__init__"),
        ("/srv/shop/writing.py", "write"),
    ]
    assert "Table.__init__() got an unexpected keyword argument 'rows'" in trace.message
    chunks = [
        make_chunk("shop/tables.py", "Table.__init__", "def __init__(self):\n    pass", line=3),
        make_chunk("shop/lists.py", "List.__init__", "def __init__(self):\n    pass", line=3),
        make_chunk("shop/writing.py", "write", "def write(self):\n    pass", line=10),
    ]
    located = locate(snapshot_of(chunks), trace.frames)
    assert [chunks[hit.row].symbol for hit in located.hits] == ["Table.__init__", "write"]
    assert "the message" in located.hits[0].why


def test_what_only_carries_the_news_counts_where_there_is_nothing_else() -> None:
    chunks = [
        make_chunk("wrapper.c", "xmalloc", "void *xmalloc(void) {}\n", line=5),
        make_chunk("list.c", "list_append", "void list_append(void) {}\n", line=9),
    ]
    snapshot = snapshot_of(chunks)
    allocator, caller = Frame("wrapper.c", "xmalloc", 5), Frame("list.c", "list_append", 9)
    assert [chunks[hit.row].symbol for hit in locate(snapshot, [allocator, caller]).hits] == ["list_append"]
    assert [chunks[hit.row].symbol for hit in locate(snapshot, [allocator]).hits] == ["xmalloc"]


def located_symbols(chunks: list[Chunk], *frames: Frame) -> list[str]:
    return [chunks[hit.row].symbol for hit in locate(snapshot_of(chunks), frames).hits]


@pytest.mark.parametrize(
    ("frame", "found"),
    [
        (Frame("/x/site-packages/celery/app.py", "run", 3), []),
        (Frame("/x/site-packages/shop/app.py", "run", 3), ["App.run"]),
        (Frame("/x/lib/python3.12/site-packages/shop/app.py", "run", 3), ["App.run"]),
        (
            Frame(
                "/go/pkg/mod/github.com/other/echo/v4@v4.1.0/context.go", "github.com/other/echo/v4.(*context).JSON", 2
            ),
            [],
        ),
        (
            Frame("/go/pkg/mod/github.com/shop/web@v1.0.0/context.go", "github.com/shop/web.(*Context).JSON", 2),
            ["Context.JSON"],
        ),
        (Frame("/x/site-packages/single.py", "alone", 2), ["alone"]),
    ],
)
def test_a_frame_of_a_library_is_none_of_a_file_of_the_same_name(frame: Frame, found: list[str]) -> None:
    chunks = [
        make_chunk("src/shop/app.py", "App.run", "def run(self):\n    pass", line=2),
        make_chunk("context.go", "Context.JSON", "func (c *Context) JSON() {}", line=2),
        make_chunk("single.py", "alone", "def alone():\n    pass", line=2),
    ]
    assert located_symbols(chunks, frame) == found


def test_the_file_whose_whole_path_agrees_comes_before_one_of_which_an_end_does() -> None:
    chunks = [
        make_chunk("other/pay/refund.py", "approve", "def approve():\n    pass", line=2),
        make_chunk("pay/refund.py", "approve", "def approve():\n    pass", line=2),
    ]
    located = locate(snapshot_of(chunks), [Frame("/srv/app/pay/refund.py", "approve", 2)])
    assert [chunks[hit.row].path for hit in located.hits] == ["pay/refund.py"]
    assert located.notes == ()


def test_a_text_of_nothing_but_frames_is_a_question() -> None:
    chunks = [
        make_chunk("pay/refund.py", "approve", "def approve():\n    pass", line=2),
        make_chunk("pay/other.py", "other", "def other():\n    pass", line=2),
    ]
    for text in ('File "/srv/pay/refund.py", line 2, in approve', "#0  approve (x=1) at pay/refund.py:2"):
        assert chunks[ranked(snapshot_of(chunks), Query(text))[0].row].symbol == "approve"
    assert ranked(snapshot_of(chunks), Query('File "/srv/elsewhere.py", line 2, in nobody')) is not None
