"""`coderag context` by layers, its records, and what `coderag payload` and `coderag doctor context` say of them."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest

from coderag.payload import read_record
from tests.cli.conftest import Place

FILES = {
    "pay/refund.py": '"""Refunds."""\n\nfrom pay.order import Order\n\n\ndef approve_refund(order: Order) -> int:\n'
    '    """Pay the order back."""\n    order.mark_refunded()\n    return order.total\n',
    "pay/order.py": '"""Orders."""\n\n\nclass Order:\n    total = 5\n\n    def mark_refunded(self) -> None:\n'
    '        """Set the state."""\n        self.state = "refunded"\n',
    ".assistant/rules.md": "# Rules\n- Every change needs a test.\n",
    ".assistant/memory.md": "## 已确认\n- 退款最多一次（第 3 轮，有效）\n",
}
TASK = "why is an order refunded twice"


@pytest.fixture
def shop(place: Place) -> Place:
    place.write(FILES)
    place.index()
    return place


def record(shop: Place, *arguments: str) -> Path:
    outcome = shop.run("context", TASK, "--record", "records", *arguments)
    assert outcome.status == 0, outcome.err
    return sorted((shop.root / "records").iterdir())[-1]


def test_init_configures_layers_and_context_then_shows_all_of_them(shop: Place) -> None:
    assert "<layer" not in shop.run("context", TASK).out
    outcome = shop.run("context", "init")
    assert (outcome.status, outcome.out) == (0, ".assistant/context.json\n.assistant/context.schema.coderag.json\n")
    shown = shop.run("context", TASK, "--focus", "pay/order.py:7").out
    places = [
        shown.index(f'<layer name="{name}">')
        for name in ("project_rules", "confirmed_facts", "retrieved_code", "focus", "input")
    ]
    assert places == sorted(places)
    for words in (
        "Every change needs a test",
        "退款最多一次",
        "def approve_refund",
        "the focus is pay/order.py:7",
        TASK,
    ):
        assert words in shown
    assert shop.run("context", "init").status == 2


def test_the_default_layers_are_there_on_request(shop: Place) -> None:
    assert '<layer name="project_rules">' in shop.run("context", TASK, "--layers").out


def test_system_tools_and_history_are_layers(shop: Place) -> None:
    shop.write(
        {
            "system.txt": "You are careful.",
            "tools.json": '[{"name": "write"}, {"name": "read"}]',
            "log.jsonl": '{"role": "user", "content": "Never touch the schema.", "constraint": true}\n',
        }
    )
    options = ("--system", "system.txt", "--tools", "tools.json", "--history", "log.jsonl")
    shown = shop.run("context", TASK, *options, "--no-update").out
    assert shown.startswith(
        '<layer name="tools">\n{"name": "read"}\n{"name": "write"}\n</layer>\n\n<layer name="system">\nYou are careful.'
    )
    assert 'constraint="yes">\nNever touch the schema.' in shown
    shop.write({"tools.json": "3"})
    assert shop.run("context", TASK, *options).status == 2
    assert shop.run("context", TASK, "--history", "missing").err.startswith("coderag: --history missing: ")


def test_every_form_and_the_explanation(shop: Place) -> None:
    shown = shop.run("context", TASK, "--layers", "--format", "json").json
    assert shown["text"].count("<layer ") == len([block for block in shown["blocks"] if block["tokens"]])
    assert "```" in shop.run("context", TASK, "--layers", "--format", "md").out
    explained = shop.run("context", TASK, "--layers", "--explain", "--budget", "60").out
    assert "of a window of 32,000" in explained and "token limit" in explained


def test_a_mistake_in_the_configuration_is_one_line_with_its_place(shop: Place) -> None:
    shop.write({".assistant/context.json": '{\n"layers": [\n{"name": "a", "source": "memroy", "max_tokens": 5}]}'})
    outcome = shop.run("context", TASK)
    assert outcome.status == 2
    assert outcome.err.startswith("coderag: .assistant/context.json:3: ") and outcome.err.count("\n") == 1


def test_what_does_not_fit_is_an_error_that_says_by_how_much(shop: Place) -> None:
    layers = '[{"name": "system", "source": "static", "text": "be careful", "max_tokens": 50}]'
    shop.write({".assistant/context.json": f'{{"layers": {layers}, "window": 100, "reserve_output_tokens": 90}}'})
    outcome = shop.run("context", TASK)
    assert outcome.status == 2 and "too many" in outcome.err


def test_a_record_is_exact_private_and_without_secrets(shop: Place) -> None:
    shop.write({".assistant/rules.md": "token: ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8\n"})
    outcome = shop.run("context", TASK, "--layers", "--record", "records")
    (place,) = (shop.root / "records").iterdir()
    assert outcome.err.endswith(f"coderag: recorded as {Path('records', place.name)}\n")
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert "ghp_a1" not in place.read_text()
    found = read_record(place)
    assert found.payload.text == outcome.out
    code = found.payload.block("retrieved_code")
    assert code and code.parts[0].score and code.parts[0].reasons
    assert found.generation > 0 and found.request["task"] == TASK and found.configuration


@pytest.mark.parametrize("form", ["xml", "md", "json"])
def test_without_layers_a_record_has_what_was_printed(shop: Place, form: str) -> None:
    outcome = shop.run("context", TASK, "--record", "records", "--format", form)
    found = read_record(shop.root / "records" / "payload-0001.coderag.json")
    if form == "json":
        assert json.loads(found.payload.text) == outcome.json
    else:
        assert found.payload.text == outcome.out
    assert found.configuration is None


def test_nothing_is_recorded_unless_it_is_asked_for(shop: Place) -> None:
    def files() -> list[Path]:
        return sorted(path for path in shop.root.rglob("*") if ".coderag" not in path.parts)

    before = files()
    shop.run("context", TASK, "--layers")
    assert files() == before


def test_neither_records_nor_the_files_of_other_layers_are_retrieved(shop: Place) -> None:
    shop.write({".assistant/rules.md": "An order is refunded twice, why?\n"})
    record(shop, "--layers")
    code = read_record(record(shop, "--layers")).payload.block("retrieved_code")
    assert code is not None
    assert {part.id.partition("#")[0] for part in code.parts} == {"pay/order.py", "pay/refund.py"}
    assert {each.id for each in code.left_out} >= {".assistant/rules.md", ".assistant/memory.md"}
    assert shop.run("why", "records/payload-0001.coderag.json").status == 1


def test_show_says_the_share_of_every_layer(shop: Place) -> None:
    place = str(record(shop, "--layers"))
    shown = shop.run("payload", "show", place)
    assert shown.status == 0
    assert TASK in shown.out and "project_rules" in shown.out and "pay/refund.py#approve_refund" in shown.out
    blocks = shop.run("payload", "show", "--json", place).json["blocks"]
    assert 0.97 < sum(block["used_share"] for block in blocks) + 0.15 < 1.2
    assert shop.run("payload", "show", place, "--text").out == read_record(place).payload.text


def test_show_finds_text_that_is_there_twice(shop: Place) -> None:
    shop.write({".assistant/rules.md": f"Beware of this:\n{FILES['pay/refund.py']}"})
    shown = shop.run("payload", "show", str(record(shop, "--layers"))).out
    assert "more than once" in shown and "repeats project_rules" in shown


def test_diff_says_what_came_went_and_changed(shop: Place) -> None:
    first = str(record(shop, "--layers"))
    shop.write({"pay/order.py": FILES["pay/order.py"].replace("def mark_refunded", "def mark_it_refunded")})
    second = str(record(shop, "--layers"))
    shown = shop.run("payload", "diff", first, second)
    assert shown.status == 0 and "the index is of generation" in shown.out
    changed = shop.run("payload", "diff", first, second, "--json").json
    assert "pay/order.py#Order" in {part["id"] for part in changed["parts"]}
    assert shop.run("payload", "diff", first, first).out == "the payloads are equal\n"


@pytest.mark.parametrize("layers", [("--layers",), ()])
def test_a_replay_of_an_unchanged_root_is_equal(shop: Place, layers: tuple[str, ...]) -> None:
    place = str(record(shop, "--focus", "pay/order.py:7", "--open", "pay/refund.py", *layers))
    assert shop.run("payload", "replay", place).out == "the payloads are equal\n"


def test_a_replay_asks_the_index_and_the_configuration_of_today(shop: Place) -> None:
    place = str(record(shop, "--layers"))
    shop.write({"pay/twice.py": "def refunded_twice(order):\n    return order.refunded\n"})
    shop.run("context", "init")
    shop.write({".assistant/rules.md": "# Other rules\n"})
    shown = shop.run("payload", "replay", place, "--output", "again")
    assert "pay/twice.py#refunded_twice" in shown.out and "project_rules" in shown.out
    assert read_record(shop.root / "again" / "payload-0001.coderag.json").request == read_record(place).request


def test_prefix_says_what_is_shared_and_what_broke_it(shop: Place) -> None:
    first = str(record(shop, "--layers"))
    shop.write({".assistant/memory.md": "## 已确认\n- 退款最多两次（第 9 轮，有效）\n"})
    second = str(record(shop, "--layers"))
    shown = shop.run("payload", "prefix", first, second).out
    assert "broken in confirmed_facts" in shown
    found = shop.run("payload", "prefix", first, second, "--json", "--price", "0.5").json
    assert found["breaker"] == "confirmed_facts" and 0.5 < found["cost"] < 1
    assert [layer["state"] for layer in found["layers"]] == ["same", "changed", "moved", "moved"]


def test_minimize_finds_what_shows_the_problem(shop: Place) -> None:
    place = str(record(shop, "--layers"))
    check = "import sys; sys.exit('def mark_refunded' not in sys.stdin.read())"
    outcome = shop.run("payload", "minimize", "--json", place, "--", sys.executable, "-c", check)
    assert outcome.status == 0, outcome.err
    assert [kept["layer"] for kept in outcome.json["kept"]] == ["retrieved_code"]
    assert "mark_refunded" in read_record(outcome.json["record"]).payload.text
    trials = sorted(Path(place.removesuffix(".coderag.json") + ".trials").iterdir())
    assert len(trials) == outcome.json["trials"] + 1
    words = f'{sys.executable} -c "{check}"'
    again = shop.run("payload", "minimize", "--json", place, "--command", words, "--output", "t")
    assert again.json["kept"] == outcome.json["kept"]


@pytest.mark.parametrize(
    "argv",
    [
        ("show",),
        ("show", "missing.json"),
        ("diff", "a.json"),
        ("prefix", "a", "b", "c"),
        ("minimize", "a.json"),
        ("explode", "a.json"),
        ("show", ".assistant/rules.md"),
        ("replay", "pay"),
    ],
)
def test_wrong_operands_are_one_line(shop: Place, argv: tuple[str, ...]) -> None:
    outcome = shop.run("payload", *argv)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)


def test_equal_input_is_stable_in_two_processes(shop: Place) -> None:
    outcome = shop.run("context", TASK, "--focus", "pay/order.py:7", "--check-stable")
    assert outcome.status == 0, outcome.out + outcome.err
    assert outcome.out.startswith("stable: ")


def test_the_check_says_when_it_cannot_run(shop: Place) -> None:
    shop.write({".assistant/context.json": "{}"})
    assert shop.run("context", TASK, "--check-stable").err.startswith("coderag: .assistant/context.json:1: ")


def test_the_doctor_says_what_is_wrong(shop: Place) -> None:
    assert shop.run("doctor", "context").status == 0
    shop.run("context", "init")
    shop.write({".assistant/rules.md": "Generated on 2026-11-30\n"})
    outcome = shop.run("doctor", "context")
    assert outcome.status == 1
    assert outcome.out.startswith(".assistant/rules.md:1: timestamp: ")
    assert shop.run("doctor", "context", "--json").json["findings"][0]["rule"] == "timestamp"


def test_nothing_of_a_record_steers_the_terminal(shop: Place) -> None:
    shop.write({".assistant/rules.md": "\x1b[31mred\u202e\n"})
    place = str(record(shop, "--layers"))
    for argv in (("show", place), ("show", place, "--text"), ("diff", place, place)):
        assert "\x1b" not in shop.run("payload", *argv).out
