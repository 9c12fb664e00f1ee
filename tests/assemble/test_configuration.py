"""The configuration of layers: it loads as it is documented, and every mistake names its file and line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coderag.assemble.configuration import (
    Configuration,
    Layer,
    Source,
    Strategy,
    configuration_of,
    default_configuration,
    json_schema,
    read_configuration,
)
from coderag.assemble.located import read_json, read_toml
from coderag.errors import ConfigError
from coderag.payload.files import written_configuration

AS_DOCUMENTED = (
    '{"layers": [{"name": "system", "source": "static", "cacheable": true, "max_tokens": 3000}, {"name": "project_rules",'
    ' "source": "file:.assistant/rules.md", "cacheable": true, "max_tokens": 1200}, {"name": "confirmed_facts", "source": "memory",'
    ' "cacheable": false, "max_tokens": 800}, {"name": "retrieved_code", "source": "index", "cacheable": false, "max_tokens": 12000,'
    ' "rerank": true}, {"name": "chat_history", "source": "session", "cacheable": false, "max_tokens": 4000,'
    ' "strategy": "summarize_old"}, {"name": "focus", "source": "editor", "cacheable": false, "max_tokens": 4000}],'
    ' "reserve_output_tokens": 3000}'
)


def mistakes(text: str, **options: Any) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read_configuration(text, "c.json", **options)
    return str(caught.value).split("; c.json")


def one_layer(**fields: Any) -> str:
    return json.dumps({"layers": [{"name": "a", "source": "static", "max_tokens": 5, **fields}]})


def test_the_documented_configuration_loads_as_it_stands() -> None:
    read = read_configuration(AS_DOCUMENTED)
    assert read.reserve_output_tokens == 3000
    assert read.layers == (
        Layer("system", Source.STATIC, 3000, cacheable=True),
        Layer("project_rules", Source.FILE, 1200, ".assistant/rules.md", cacheable=True),
        Layer("confirmed_facts", Source.MEMORY, 800),
        Layer("retrieved_code", Source.INDEX, 12000, rerank=True),
        Layer("chat_history", Source.SESSION, 4000, strategy=Strategy.SUMMARIZE_OLD),
        Layer("focus", Source.EDITOR, 4000),
    )


def test_the_default_keeps_stable_things_first_and_the_most_needed_last() -> None:
    layers = default_configuration().layers
    assert [layer.name for layer in layers] == [
        *("system", "project_rules", "confirmed_facts", "retrieved_code", "chat_history", "focus")
    ]
    assert [layer.cacheable for layer in layers] == [True, True, False, False, False, False]


def test_a_configuration_is_read_as_it_was_written() -> None:
    for configuration in (default_configuration(), read_configuration(AS_DOCUMENTED)):
        assert read_configuration(written_configuration(configuration)) == configuration


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ('{\n"layers": [],\n"windw": 3}', "c.json:3", "unknown key 'windw'"),
        ('{\n"layers": []}', "c.json:2", "at least one layer"),
        ('{\n"window": 3\n}', "c.json:1", "no 'layers'"),
        ('{"layers": [\n{"name": "a", "source": "static"}]}', "c.json:2", "no 'max_tokens'"),
        ('{"layers": [\n{"name": "a", "source": "static",\n"max_tokens": 0}]}', "c.json:3", "at least 1"),
        ('{"layers": [\n{"name": "a", "source": "static",\n"max_tokens": true}]}', "c.json:3", "a whole number"),
        ('{"layers": [\n{"name": "a", "source": "static",\n"max_tokens": "5"}]}', "c.json:3", "a whole number"),
        (
            '{"layers": [\n{"name": "a", "source": "static", "max_tokens": 5,\n"strategy": "drop"}]}',
            "c.json:3",
            "drop_old",
        ),
        ('{"layers": [\n\n7]}', "c.json:3", "must be an object"),
        ('{"layers": {\n}}', "c.json:1", "must be an array"),
        ('{"window": -1,\n"layers": [1]}', "c.json:1", "at least 1"),
        ('{"version": 99,\n"layers": [{"name": "a", "source": "static", "max_tokens": 5}]}', "c.json:1", "newer"),
        ('{"layers": [1],\n}', "c.json:1", 'no ","'),
        ('{"layers": [1]\n', "c.json:2", "must stand here"),
        ("", "c.json:1", "no JSON"),
        ('{"a": 1,\n"a": 2}', "c.json:2", "twice"),
        ("[" * 5_000, "c.json:1", "nested deeper"),
        ('{"layers": [1]} x', "c.json:1", "nothing may follow"),
        ('{"window": ' + "9" * 5_000 + "}", "c.json:1", "no JSON"),
    ],
)
def test_a_mistake_names_its_line(text: str, place: str, words: str) -> None:
    assert any(each.startswith((place, place.removeprefix("c.json"))) and words in each for each in mistakes(text))


def test_every_mistake_is_named_at_once() -> None:
    text = '{"layers": [\n{"name": "a", "source": "memroy x", "max_tokens": 1},\n{"name": "b", "source": "index", "max_tokens": 0}]}'
    assert [each.split(" ")[0] for each in mistakes(text)] == ["c.json:2:", ":3:"]


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "~/x", "a/../../b", "C:/x", "", "..\\x"])
def test_a_file_lies_below_the_root(path: str) -> None:
    assert mistakes(one_layer(source=f"file:{path}"))


def test_names_are_unique_and_so_are_the_sources_that_there_is_one_of() -> None:
    layer = '{"name": "%s", "source": "%s", "max_tokens": 5}'
    assert "already" in mistakes(f'{{"layers": [\n{layer % ("a", "static")},\n{layer % ("a", "index")}]}}')[0]
    assert "already" in mistakes(f'{{"layers": [\n{layer % ("a", "index")},\n{layer % ("b", "index")}]}}')[0]
    both = f'{{"layers": [{layer % ("a", "static")}, {layer % ("b", "static")}]}}'
    assert len(read_configuration(both).layers) == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"rerank": True},
        {"source": "memory", "text": "x"},
        {"source": "memory", "strategy": "summarize_old"},
        {"name": "a b"},
        {"name": ""},
        {"name": 'x"y'},
    ],
)
def test_what_makes_no_sense_is_refused(fields: dict[str, Any]) -> None:
    assert mistakes(one_layer(**fields))


def test_a_callable_is_named_with_or_without_its_prefix() -> None:
    for source in ("callable:tickets", "tickets"):
        (layer,) = read_configuration(one_layer(source=source), callables=("tickets",)).layers
        assert (layer.source, layer.argument, layer.written_source) == (Source.CALLABLE, "tickets", "callable:tickets")
        assert "tickets" in mistakes(one_layer(source=source), callables=())[0]


def test_an_index_is_reranked_unless_it_is_said_otherwise() -> None:
    assert read_configuration(one_layer(source="index")).layers[0].rerank
    assert not read_configuration(one_layer(source="index", rerank=False)).layers[0].rerank


def test_the_table_of_pyproject_is_read_and_names_lines() -> None:
    text = (
        '[project]\nname = "x"\n\n[tool.coderag.context]\nwindow = 9000\n\n[[tool.coderag.context.layers]]\nname = "a"\n'
        'source = "static"\nmax_tokens = 10\n\n[[tool.coderag.context.layers]]\nname = "b"\nsource = "index"\nmax_tokens = {}\n'
    )
    table = ("tool", "coderag", "context")
    found = read_toml(text.format(5), "pyproject.toml", table)
    assert found is not None
    assert configuration_of(found, "pyproject.toml").window == 9000
    wrong = read_toml(text.format('"5"'), "pyproject.toml", table)
    assert wrong is not None
    with pytest.raises(ConfigError, match=r"^pyproject\.toml:15: 'max_tokens' of layer 2"):
        configuration_of(wrong, "pyproject.toml")
    inline = '[tool.coderag.context]\nlayers = [\n  {name = "a", source = "static", max_tokens = 1},\n  {name = "b", source = "index"},\n]\n'
    found = read_toml(inline, "pyproject.toml", table)
    assert found is not None
    with pytest.raises(ConfigError, match=r"^pyproject\.toml:4: layer 2 has no 'max_tokens'"):
        configuration_of(found, "pyproject.toml")


def test_the_schema_says_what_the_reader_accepts() -> None:
    schema = json_schema()
    json.dumps(schema)
    layer = schema["properties"]["layers"]["items"]
    assert set(layer["required"]) == {"name", "source", "max_tokens"}
    for each in json.loads(AS_DOCUMENTED)["layers"]:
        assert set(each) <= set(layer["properties"])
    assert layer["properties"]["strategy"]["enum"] == ["none", "drop_old", "summarize_old", "truncate_tail"]
    written = json.loads(written_configuration(default_configuration()))
    assert set(written) <= set(schema["properties"])


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5_000)
    | st.text(max_size=8)
    | st.sampled_from(["index", "file:a", "static"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["layers", "name", "source", "max_tokens", "window", "cacheable", "strategy", "x"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=15,
)


@given(VALUES)
def test_any_json_is_a_configuration_or_an_error_with_a_line(value: Any) -> None:
    text = json.dumps(value, indent=1)
    assert read_json(text, "c.json").plain == value
    try:
        assert isinstance(read_configuration(text, "c.json"), Configuration)
    except ConfigError as error:
        assert str(error).startswith("c.json:")


@given(st.text(alphabet=st.sampled_from('{}[]":, \n\tlayersa1-.eE\\u0"\ufeff'), max_size=40))
def test_any_text_is_read_as_the_standard_library_reads_it(text: str) -> None:
    try:
        mine: Any = read_json(text, "c.json").plain
    except ConfigError:
        return
    assert mine == json.loads(text.removeprefix("\ufeff"))
