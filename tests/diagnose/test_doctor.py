"""`coderag doctor`: each cause of a failed retrieval is found by the check that is named for it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from coderag.cli.table import COMMANDS
from coderag.diagnose.doctor import CHECKS, SIGNS
from tests.cli.conftest import Place

TROUBLES = Path(__file__).parents[2] / "docs" / "troubleshooting.md"


def check(place: Place, name: str) -> Any:
    return next(each for each in place.run("doctor", "--json").json["checks"] if each["name"] == name)


def test_a_sound_index_is_well(shop: Place) -> None:
    outcome = shop.run("doctor", "--json")
    assert outcome.status == 0
    assert {each["name"]: each["state"] for each in outcome.json["checks"]} == dict.fromkeys(CHECKS, "well")


@pytest.mark.parametrize("sign", [sign.name for sign in SIGNS])
def test_one_sign_runs_its_own_checks(shop: Place, sign: str) -> None:
    found = shop.run("doctor", sign, "--json").json
    assert [each["name"] for each in found["signs"]] == [sign]
    assert {each["name"] for each in found["checks"]} == set(found["signs"][0]["checks"])


def test_every_check_belongs_to_a_sign() -> None:
    assert {name for sign in SIGNS for name in sign.checks} == set(CHECKS)


def test_changed_files(shop: Place) -> None:
    shop.write({"shop/store.py": "x = 1\n", "shop/new.py": "y = 1\n"})
    found = check(shop, "freshness")
    assert found["state"] == "look"
    assert found["details"] == ["added: shop/new.py", "changed: shop/store.py"]


def test_an_ignored_folder_with_code(place: Place) -> None:
    place.write({".gitignore": "generated/\n", "generated/api.py": "def f():\n    return 1\n", "a.py": "x = 1\n"})
    place.index()
    found = check(place, "ignored")
    assert found["state"] == "look"
    assert "generated/" in found["details"][0]
    assert "1 files of code" in found["details"][0]


def test_code_that_is_too_large(place: Place) -> None:
    place.write({"coderag.toml": "max_file_bytes = 100\n", "big.py": "x = 1\n" * 50, "a.py": "x = 1\n"})
    place.index()
    assert check(place, "coverage")["state"] == "look"


def test_files_that_were_read_in_part(place: Place) -> None:
    place.write({"a.py": "def f(:\n    ((\n", "b.py": "x = 1\n"})
    place.index()
    found = check(place, "parsing")
    assert found["state"] == "look"
    assert found["details"][0].startswith("a.py:")


def test_vectors_that_are_off_or_of_another_model(shop: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODERAG_EMBEDDING", "none")
    assert check(shop, "vectors")["state"] == "look"
    monkeypatch.setenv("CODERAG_EMBEDDING", "a-model-that-is-not-here")
    assert check(shop, "vectors")["state"] == "wrong"
    assert shop.run("doctor").status == 1


def test_a_setting_that_does_nothing(place: Place) -> None:
    place.write({"coderag.toml": 'include = ["nowhere/**"]\n', "a.py": "x = 1\n"})
    place.index()
    assert check(place, "settings")["details"] == ["include: 'nowhere/**' matches no indexed file"]


def test_damage_is_found_and_repaired(shop: Place) -> None:
    database = shop.root / ".coderag" / "index.sqlite3"
    data = bytearray(database.read_bytes())
    for place in range(len(data) // 2, len(data), 977):
        data[place] ^= 0xFF
    database.write_bytes(bytes(data))
    outcome = shop.run("doctor")
    assert outcome.status == 1
    assert "WRONG" in outcome.out
    assert shop.run("doctor", "--repair").status == 0
    assert shop.run("doctor").status == 0


def test_layers_are_looked_at_too(shop: Place) -> None:
    assert shop.run("doctor", "context").status in (0, 1)
    assert shop.run("doctor", "context", "--repair").status == 2


def test_without_an_index_it_says_so(place: Place) -> None:
    outcome = place.run("doctor")
    assert outcome.status == 2
    assert outcome.err.count("\n") == 1


# docs/troubleshooting.md


def rows() -> list[str]:
    """The rows of the tables that lead from a sign, a check or a symptom to a command; the figures come after them."""
    tables = TROUBLES.read_text(encoding="utf-8").partition("## What `coderag check` says")[0]
    return [line for line in tables.splitlines() if re.match(r"\| (?!-|symptom|sign |check )", line)]


def test_every_row_of_the_table_names_commands_that_exist() -> None:
    known = {command.name: command for command in COMMANDS}
    assert len(rows()) >= 15
    for row in rows():
        commands = re.findall(r"`coderag ([a-z]+)([^`]*)`", row)
        assert commands, row
        for name, rest in commands:
            assert name in known, row
            options = {option for argument in known[name].arguments for option in argument.names}
            assert set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest)) <= options, row


def test_every_check_of_the_doctor_is_explained() -> None:
    text = TROUBLES.read_text(encoding="utf-8")
    assert [name for name in CHECKS if f"`{name}`" not in text] == []
