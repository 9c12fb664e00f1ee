"""Help is quick, and one table says what there is."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from coderag import __version__
from coderag.cli.table import COMMANDS, readme_rows
from tests.cli.conftest import Place

HEAVY = {
    "numpy",
    "faiss",
    "networkx",
    "tree_sitter",
    "tokenizers",
    "torch",
    "rich",
    "sqlite3",
    "multiprocessing",
    "asyncio",
}
README = Path(__file__).parents[2] / "README.md"


def loaded_by(statement: str) -> set[str]:
    script = f"{statement}; import json, sys; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    "statement",
    [
        "import coderag",
        "from coderag.cli.main import main; main(['--help'])",
        "from coderag.cli.main import main; main(['search', '--help'])",
    ],
)
def test_neither_the_import_nor_the_help_loads_anything_heavy(statement: str) -> None:
    assert loaded_by(statement).isdisjoint(HEAVY)


def test_plain_output_does_not_load_rich(place: Place) -> None:
    place.write({"a.py": "def pay():\n    return 1\n"})
    place.index()
    loaded = loaded_by("from coderag.cli.main import main; assert main(['search', 'pay']) == 0")
    assert "rich" not in loaded


def test_help_lists_every_listed_command(place: Place) -> None:
    outcome = place.run("--help")
    assert outcome.status == 0
    for command in COMMANDS:
        assert (f"\n  {command.name} " in outcome.out) == command.listed


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_help_and_a_function(place: Place, command: object) -> None:
    name, module = command.name, command.module  # type: ignore[attr-defined]
    assert callable(getattr(import_module(f"coderag.cli.{module}"), f"run_{name}"))
    outcome = place.run(name, "--help")
    assert outcome.status == 0
    assert outcome.out.startswith(f"usage: coderag {name} ")


def test_the_readme_lists_the_commands_of_the_table() -> None:
    listed = [line for line in README.read_text(encoding="utf-8").splitlines() if line.startswith("| `coderag ")]
    assert listed == list(readme_rows())


def test_the_readme_names_only_options_that_exist() -> None:
    known = {name for command in COMMANDS for argument in command.arguments for name in argument.names}
    own = {"--help", "--version", "--slow"}
    written = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README.read_text(encoding="utf-8")))
    assert written <= known | own


def test_the_version_is_that_of_the_package(place: Place) -> None:
    assert place.run("--version").out == f"coderag {__version__}\n"


@pytest.mark.parametrize(
    "argv",
    [
        (),
        ("dance",),
        ("search",),
        ("search", "x", "-k", "0"),
        ("search", "x", "-k", "-3"),
        ("search", "x", "-k", "many"),
        ("search", "x", "--unknown"),
        ("index", "--workers", "0"),
        ("why",),
        ("callers",),
    ],
)
def test_wrong_arguments_are_one_line_and_status_2(place: Place, argv: tuple[str, ...]) -> None:
    outcome = place.run(*argv)
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.startswith("coderag: ")
    assert outcome.err.count("\n") == 1


def test_python_m_coderag_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "coderag", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"coderag {__version__}\n"


def test_a_reader_that_goes_away_is_no_error(place: Place) -> None:
    place.write({"a.py": "".join(f"def function_{n}():\n    return {n}\n\n" for n in range(2_000))})
    place.index()
    script = f"{sys.executable} -m coderag symbols | head -n 1"
    done = subprocess.run(["bash", "-c", script], cwd=place.root, capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_an_interrupt_ends_with_130(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("coderag.cli.status.run_status", interrupted)
    outcome = place.run("status")
    assert (outcome.status, outcome.err) == (130, "coderag: interrupted\n")


def test_the_example_of_the_readme_runs(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    example = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    place.write({"shop.py": "def refund(order):\n    return order\n"})
    exec(compile(example.group(1), "README.md", "exec"), {})
    assert "shop.py#refund" in capsys.readouterr().out
