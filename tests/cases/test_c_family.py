"""Small inputs in C, C++ and their younger relatives, and what parsing them must find."""

from __future__ import annotations

import pytest

from coderag.languages import detect_language
from coderag.parse import parse
from coderag.types import Kind, Symbol, Visibility


def symbols(text: str, language: str) -> dict[str, Symbol]:
    return {each.qualified_name: each for each in parse(text.encode(), language).symbols}


def calls(text: str, language: str) -> set[str]:
    return {each.name for each in parse(text.encode(), language).references if each.kind == "call"}


# C


def test_a_static_function_cannot_be_named_from_another_file() -> None:
    assert symbols("static void init(void){}", "c")["init"].visibility is Visibility.FILE
    assert symbols("void init(void){}", "c")["init"].visibility is Visibility.PUBLIC
    assert calls("int main(void) { init(); }", "c") == {"init"}


@pytest.mark.parametrize(
    "header",
    [
        "static inline __always_inline int run(int a)",
        "int __init run(int a)",
        "static int __must_check\nrun(int a)",
        "__attribute__((noreturn)) int run(int a)",
        "EXPORTED int run(int a)",
        "EXPORTED(int) run(int a)",
        "int run(int a) GUARDED_BY(lock)",
        "char **run(a) int a;",
        "int (*run(int a))(char)",
        "int (run)(int a)",
        "LINKAGE(run)",
        "DEFINE2(run, int, a, char __user *, b)\n",
    ],
)
def test_macros_around_a_definition_do_not_hide_it(header: str) -> None:
    text = f"int before(void) {{ return 0; }}\n{header} {{ work(); return 1; }}\nint after(void) {{ return 2; }}\n"
    found = symbols(text, "c")
    assert {name: each.kind for name, each in found.items()} == dict.fromkeys(("before", "run", "after"), Kind.FUNCTION)
    assert calls(text, "c") >= {"work"}


@pytest.mark.parametrize(
    "header",
    [
        "#ifdef FAST\nint run(int a, int b) {\n#else\nint run(int a) {\n#endif\n",
        "int run(int a\n#ifdef FAST\n, int b\n#endif\n) {\n",
        "int run(int a) {\n#if FAST\n  if (a) {\n#else\n  if (!a) {\n#endif\n  }\n",
    ],
)
def test_a_function_split_by_conditions_is_one_function(header: str) -> None:
    found = symbols(
        f"int before(void) {{ return 0; }}\n{header}  return a;\n}}\nint after(void) {{ return 2; }}\n", "c"
    )
    assert set(found) == {"before", "run", "after"}


def test_a_table_of_handlers_refers_to_each_of_them() -> None:
    text = 'struct command table[] = {{"get", get_command, 2}, {"set", &set_command}};\nops o = {.open = my_open};\n'
    tables = {each.name for each in parse(text.encode(), "c").references if each.kind == "table"}
    assert tables == {"get_command", "set_command", "my_open"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("typedef struct { int x; } point;", {"point": Kind.STRUCT, "point.x": Kind.FIELD}),
        ("typedef struct point { int x; } point;", {"point": Kind.STRUCT, "point.x": Kind.FIELD}),
        (
            "typedef struct point_s { int x; } point;",
            {"point_s": Kind.TYPE_ALIAS, "point": Kind.STRUCT, "point.x": Kind.FIELD},
        ),
        ("struct point { int x; } origin;", {"point": Kind.STRUCT, "point.x": Kind.FIELD, "origin": Kind.VARIABLE}),
        ("typedef enum { A, B } e;", {"e": Kind.ENUM, "e.A": Kind.ENUM_MEMBER, "e.B": Kind.ENUM_MEMBER}),
        ("enum { A };", {"A": Kind.ENUM_MEMBER}),
        ("struct point;", {}),
    ],
)
def test_a_type_has_one_symbol_for_each_of_its_names(text: str, names: dict[str, Kind]) -> None:
    assert {name: each.kind for name, each in symbols(text, "c").items()} == names


# C++


def test_a_member_defined_outside_of_its_class_belongs_to_it() -> None:
    declared = symbols("template<class T> struct Box { T get() const; };", "cpp")
    defined = symbols("template<class T> T Box<T>::get() const { return T(); }", "cpp")
    assert set(declared) == {"Box", "Box.get"}
    assert declared["Box.get"].declaration and not defined["Box.get"].declaration
    assert defined["Box.get"].kind is Kind.METHOD
    assert (defined["Box.get"].owner, defined["Box.get"].name) == ("Box", "get")
    assert defined["Box.get"].span.start_byte == 0


@pytest.mark.parametrize(
    ("written", "owner", "name"),
    [
        ("void Box::close()", "Box", "close"),
        ("Box::Box()", "Box", "Box"),
        ("Box::~Box()", "Box", "~Box"),
        ("bool Box::operator<(const Box& other) const", "Box", "operator<"),
        ("Item* Box<T>::operator->()", "Box", "operator->"),
        ("Box& Box<A, B<C>>::operator()(int index)", "Box", "operator()"),
        ("Box::operator bool() const", "Box", "operator bool"),
        ("int shop::detail::Box<T>::size()", "shop.detail.Box", "size"),
    ],
)
def test_the_owner_of_a_member_is_what_stands_before_its_name(written: str, owner: str, name: str) -> None:
    found = symbols(f"template<class T> {written} {{ }}", "cpp")[f"{owner}.{name}"]
    assert (found.owner, found.name, found.kind) == (owner, name, Kind.METHOD)


def test_nested_namespaces_are_one_path_however_they_are_written() -> None:
    compact = symbols("namespace a::b { void f() {} void Box::g() {} }", "cpp")
    spread = symbols("namespace a { namespace b { void f() {} void Box::g() {} } }", "cpp")
    assert set(compact) == {"a.b", "a.b.f", "a.b.Box.g"}
    assert set(spread) == {"a", *compact}
    assert symbols("namespace { void f() {} }", "cpp")["f"].visibility is Visibility.FILE


def test_overloads_are_separate_symbols() -> None:
    found = parse(b"struct Box {\n  void put(int a);\n  void put(double a);\n};\n", "cpp").symbols
    assert [(each.name, each.span.start_line) for each in found] == [("Box", 1), ("put", 2), ("put", 3)]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("#ifndef A_H\n#define A_H\nstruct a { int x; };\n#endif\n", "c"),
        ('#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n', "c"),
        ("namespace shop { int f(); }\n", "cpp"),
        ("template <class T> T f();\n", "cpp"),
        ("class Box {\npublic:\n  int x;\n};\n", "cpp"),
        ("#include <vector>\nusing Text = std::string;\n", "cpp"),
        ("#include <string>\nstd::string name();\n", "cpp"),
        ("/* the class of this using template */\nint f(void);\n", "c"),
    ],
)
def test_a_header_is_of_the_language_that_it_is_written_in(text: str, language: str) -> None:
    assert detect_language("box.h", text.encode()) == language


# Members written outside of their type, and members of more than a class


def test_a_swift_extension_adds_to_the_type_of_its_name() -> None:
    found = symbols("extension Cart { func total() -> Int { 0 } }", "swift")
    assert found["Cart"].kind is Kind.EXTENSION
    assert found["Cart.total"].kind is Kind.METHOD and found["Cart.total"].parent == 0
    assert symbols("struct Cart {}", "swift")["Cart"].kind is Kind.STRUCT


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("fun Cart.total(): Int = 0", "kotlin"),
        ("fun <T> Cart<T>?.total(): Int = 0", "kotlin"),
        ("extension (cart: Cart)\n  def total: Int = 0", "scala"),
        ("extension [T](cart: Cart[T]) { def total: Int = 0 }", "scala"),
    ],
)
def test_an_extension_function_belongs_to_the_type_that_it_extends(text: str, language: str) -> None:
    found = symbols(text, language)["Cart.total"]
    assert (found.owner, found.kind) == ("Cart", Kind.METHOD)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            'interface A {\n @GetMapping("/x") fun x(): Int = 1\n}\nenum class E {\n ONE;\n @GetMapping("/y") fun y() = 1\n}',
            "kotlin",
        ),
        ('interface A { [GetMapping("/x")] int x() => 1; }\nclass E { [GetMapping("/y")] int y() => 1; }', "csharp"),
        ('trait A { @GetMapping("/x") def x: Int = 1 }\nenum E { case One; @GetMapping("/y") def y = 1 }', "scala"),
        (
            '<?php interface A { #[GetMapping("/x")] function x(); }\nenum E { case One; #[GetMapping("/y")] function y() {} }',
            "php",
        ),
        ("protocol A { @GetMapping func x() }\nenum E { case one; @GetMapping func y() {} }", "swift"),
    ],
)
def test_an_annotated_method_is_one_method_with_its_annotation(text: str, language: str) -> None:
    methods = [each for each in parse(text.encode(), language).symbols if each.kind is Kind.METHOD]
    assert [each.qualified_name for each in methods] == ["A.x", "E.y"]
    assert all("GetMapping" in text.encode()[each.span.start_byte : each.span.end_byte].decode() for each in methods)


# Whatever is broken


SOURCES = {
    "c": "typedef struct { int x; } a;\nint f(int b) {\n  if (b) { return g(a, (b)); }\n}\n#define X(y) (y)\n",
    "cpp": "namespace a {\ntemplate<class T> class B : C<T> {\n  T f() { return [](int x) { return x; }(1); }\n};\n}\n",
    "csharp": "namespace A;\nclass B<T> : C {\n  int D { get; }\n  void E() { F(x => x.G()); }\n}\n",
    "kotlin": 'package a\nclass B(val c: D) : E() {\n  fun f() = g { it.h() }\n  val s = "${c.d}"\n}\n',
    "swift": "struct A: B {\n  let c = 1\n  func d() { e { $0.f() } }\n  enum G { case h(Int) }\n}\n",
    "scala": "package a\nclass B(c: D) extends E {\n  def f = g { x => x.h() }\n  val (i, j) = k\n}\n",
    "php": "<?php\nnamespace A;\nclass B extends C {\n  function d($e) { return $e->f(fn($g) => $g); }\n}\n",
}


@pytest.mark.parametrize("language", SOURCES)
def test_no_broken_input_raises(language: str) -> None:
    whole = SOURCES[language].encode()
    lines = whole.splitlines(keepends=True)
    broken = [whole[:end] for end in range(0, len(whole), 7)]
    broken += [b"".join(lines[:index] + lines[index + 1 :]) for index in range(len(lines))]
    broken += [whole[::-1], whole.replace(b"}", b""), whole.replace(b"(", b""), whole + b"\xff\xfe\x00" + whole]
    for text in broken:
        parsed = parse(text, language)
        assert all(0 <= each.span.start_byte <= each.span.end_byte <= len(text) for each in parsed.symbols)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("struct A { enum : unsigned { ONE = 1 }; int get(); };", {"A", "A.get"}),
        ("struct A { void set(int s) { d = (d & ~m) | (unsigned(s) << f); } int get(); };", {"A.set", "A.get"}),
        ("auto put(Out out, const T& value, const specs& s = {}) -> Out { return out; }", {"put"}),
        ("template <typename T, ENABLE_IF(\n    !is_same<T, typename T::rep>::value)>\nauto cast(T from) -> T { return from; }", {"cast"}),
        ("extern template auto run<char>(locale) -> char;\n\nint after() { return 1; }", {"after"}),
        ("void write(Out, foo) = delete;\nint after() { return 1; }", {"write", "after"}),
        ("struct A {\n  constexpr A(int x UNUSED_MARK) : a(x) {}\n  int get();\n};", {"A.A", "A.get"}),
        ("struct A {\n  API A(int n,\n    const specs& s)\n      : size(n) {\n    if (s) { pad = 1; }\n  }\n  int get();\n};", {"A.A", "A.get"}),
        ("class MY_API file {\n  explicit file(int fd) : fd_(fd) {}\n  friend struct pipe;\n  ~file();\n};", {"file", "file.file"}),
        ("template <class V> auto check(T* p) -> decltype(f<V>().g(*p), true_type());\nint after();", {"check", "after"}),
        ("struct A {\n  void flush() {\n    MY_TRY { run(); }\n    MY_CATCH(...) {}\n  }\n  int get();\n};", {"A.flush", "A.get"}),
        ("struct A {\n  PRIVATE_UNLESS_TESTED:\n  int hidden();\n  int get();\n};", {"A.hidden", "A.get"}),
        ("BEGIN_SPACE\nEXPORT\n\n/** Doc. */\ntemplate <class C> class view {\n  view(const C* s);\n};", {"view", "view.view"}),
    ],
)  # fmt: skip
def test_macros_and_young_syntax_of_cpp_do_not_hide_definitions(text: str, names: set[str]) -> None:
    parsed = parse(text.encode(), "cpp")
    assert names <= {each.qualified_name for each in parsed.symbols}
    assert not parsed.problems
    assert not [each for each in parsed.symbols if each.kind == Kind.VARIABLE]


def test_a_parameter_that_a_macro_marks_as_unused_does_not_spill_the_locals_of_its_function() -> None:
    text = "static int compare(const void *data UNUSED,\n\t\t   const struct entry *one)\n{\n\tint result = 0;\n\treturn result;\n}\n"
    assert set(symbols(text, "c")) == {"compare"}


def test_conditions_keep_their_words_when_a_file_has_errors() -> None:
    text = "#if HAVE_GCC\nALWAYS_INLINE\n#endif\nvoid run(int a) {}\nvoid broken(() {}\n#define SIZE 3\n"
    assert {"run", "SIZE"} <= set(symbols(text, "cpp"))


@pytest.mark.parametrize("mark", ["LOCKED(mutex)", "OVERRIDE", "REQUIRES_LOCK_(mutex_)"])
def test_a_macro_behind_a_constant_member_function_is_not_its_name(mark: str) -> None:
    text = (
        f"class A {{\n  bool get(int x) const\n      {mark} {{ return run(x); }}\n  bool put(int x) const {mark};\n}};"
    )
    assert {"A.get", "A.put"} <= set(symbols(text, "cpp"))
    assert calls(text, "cpp") == {"run"}


@pytest.mark.parametrize(
    ("text", "language", "name", "signature"),
    [
        ("class A { [Fact] [Trait(1)] public void Run() {} }", "csharp", "A.Run", "public void Run()"),
        ("<?php class A { #[Route('/x')] public function run(): int { return 1; } }", "php", "A.run", "public function run(): int"),
        ("class A { @Get(1) public int run() { return 1; } }", "java", "A.run", "public int run()"),
        ("TEST_P(Suite, Runs) { run(); }", "cpp", "Suite.Runs", "TEST_P(Suite, Runs)"),
    ],
)  # fmt: skip
def test_a_signature_begins_behind_its_attributes(text: str, language: str, name: str, signature: str) -> None:
    assert symbols(text, language)[name].signature == signature


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("interface P { fun q() }\n", [("P", Kind.INTERFACE), ("P.q", Kind.METHOD)]),
        ("class A { val x = 1 } // one\n", [("A", Kind.CLASS), ("A.x", Kind.FIELD)]),
        ("class B { companion object { fun of() = B() } }\n", [("B", Kind.CLASS), ("B.of", Kind.METHOD)]),
        ("interface R { suspend fun get(id: String): Item? }\n", [("R", Kind.INTERFACE), ("R.get", Kind.METHOD)]),
        ('/** Gives { it } */\nval s = "${ f(1) }"\n', [("s", Kind.VARIABLE)]),
    ],
)
def test_a_kotlin_type_of_one_line_keeps_its_kind(text: str, symbols: list[tuple[str, Kind]]) -> None:
    parsed = parse(text.encode(), "kotlin")
    assert [(symbol.qualified_name, symbol.kind) for symbol in parsed.symbols] == symbols
    assert parsed.problems == ()


def test_what_the_grammar_sees_of_kotlin_is_not_what_is_shown() -> None:
    (symbol,) = parse(b"/**\n * Gives { it }\n */\nfun f() = run { it }\n", "kotlin").symbols
    assert "{ it }" in symbol.doc
    assert ";" not in symbol.signature + symbol.doc
