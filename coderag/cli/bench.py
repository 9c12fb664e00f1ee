"""`coderag bench`: measure retrieval and print the tables."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coderag.cli.screen import print_json, say, screen
from coderag.cli.table import EXIT_FOUND, EXIT_NOTHING
from coderag.errors import BenchError

if TYPE_CHECKING:
    from coderag.bench.tasks import Sources
    from coderag.types import Without


def run_bench(arguments: Namespace) -> int:
    """Run the tasks that are named, else those whose data are given, else `yours`; 1 when nothing could be measured."""
    from coderag.bench import report
    from coderag.bench.run import Coderag, run
    from coderag.bench.tasks import cases
    from coderag.store import prepare_directory

    sources = _sources(arguments)
    names = arguments.task or [name for name in ("questions", "fixes", "issues", "traces") if getattr(arguments, name)]
    subject = Coderag(_variants(arguments))
    own = sources.root.absolute() / ".coderag"
    if not arguments.work:
        prepare_directory(own)
    work = Path(arguments.work).absolute() if arguments.work else own / "bench"
    result = run(subject, cases(names or ["yours"], sources), work, say)
    document = report.as_object(result, {"tasks": names, "only": [*sources.only], "of": [*sources.of]})
    if arguments.out:
        _write(Path(arguments.out), document)
    for name in names if arguments.rankings else ():
        _write(Path(arguments.rankings) / f"{name}.json", report.rankings(result, name))
    if arguments.json:
        print_json(document)
    else:
        _print((*report.lines(result), *(report.misses(result) if arguments.misses else ())), arguments)
    return EXIT_FOUND if result.outcomes else EXIT_NOTHING


def _print(lines: Iterable[str], arguments: Namespace) -> None:
    page = screen(arguments.no_color)
    for line in lines:
        page.line(line)


def _sources(arguments: Namespace) -> Sources:
    from coderag.bench.checkouts import Repositories
    from coderag.bench.tasks import Sources

    paths = {name: Path(value) if (value := getattr(arguments, name)) else None for name in _DATA}
    folders = tuple(Path(folder).absolute() for folder in arguments.repositories)
    return Sources(
        Repositories(folders),
        **paths,
        root=Path(arguments.root or "."),
        of=tuple(arguments.of),
        commits=arguments.commits,
        only=tuple(arguments.only),
    )


_DATA = ("questions", "fixes", "issues", "traces", "packages")


def _variants(arguments: Namespace) -> Mapping[str, Without]:
    from coderag.bench.stages import WHOLE, ablations, stages, without_named
    from coderag.types import Without

    found = {WHOLE: without_named(arguments.without) if arguments.without else Without()}
    return {**found, **({} if arguments.without else stages()), **(ablations() if arguments.ablate else {})}


def _write(path: Path, value: Any) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise BenchError(f"{path}: {error}; name a file that can be written") from error
