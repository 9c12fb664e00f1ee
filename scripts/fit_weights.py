"""Fits the bundled weights of the reranker's signals. Two steps, so that fitting can be repeated in a minute:

    fit_weights.py gather OUT.npz --questions FOLDER --fixes FOLDER --traces FILE --issues FILE --packages FOLDER --repositories FOLDER \\
        --work DIR
    fit_weights.py fit OUT.npz [MORE.npz …] [--out coderag/rerank/weights.json]

`gather` takes data and repositories as `coderag bench` does. `fit` adds the date, the data, cross-validated figures, and beside each
weight what is lost without its signal; weights that are marked as held stay as they are. The model is that of `coderag.tune.fit`.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import date
from pathlib import Path

from coderag.bench.checkouts import Repositories
from coderag.bench.tasks import Sources, cases
from coderag.config import Settings
from coderag.rerank.weights import BUNDLED, read_weights
from coderag.tune.bundled import fitted
from coderag.tune.examples import Examples, gather, joined

DATA = ("questions", "fixes", "issues", "traces", "packages")


def run_gather(arguments: argparse.Namespace) -> None:
    given = {name: getattr(arguments, name) for name in DATA}
    folders = tuple(folder.absolute() for folder in arguments.repositories)
    sources = Sources(Repositories(folders), **given, only=tuple(arguments.only))
    tasks = ["docs" if name == "packages" else name for name, place in given.items() if place]
    found = gather(
        cases(tasks, sources), arguments.work.absolute(), Settings(), lambda line: print(line, file=sys.stderr)
    )
    joined(found.parts).save(arguments.examples)


def run_fit(arguments: argparse.Namespace) -> None:
    examples = joined([Examples.load(path) for path in arguments.examples])
    document = json.loads(arguments.out.read_text(encoding="utf-8"))
    found = fitted(document, read_weights(arguments.out), examples, str(date.today()))
    arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found["cross_validated"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    gathering = commands.add_parser("gather")
    gathering.add_argument("examples", type=Path)
    for name in DATA:
        gathering.add_argument(f"--{name}", type=Path)
    gathering.add_argument("--repositories", type=Path, action="append", default=[])
    gathering.add_argument("--only", action="append", default=[])
    gathering.add_argument("--work", type=Path, required=True)
    gathering.set_defaults(run=run_gather)
    fitting = commands.add_parser("fit")
    fitting.add_argument("examples", type=Path, nargs="+")
    fitting.add_argument("--out", type=Path, default=BUNDLED)
    fitting.set_defaults(run=run_fit)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
