"""Call edges of Python repositories beside what jedi, an independent resolver, says about the same call sites.

    python benchmarks/link_precision.py REPOSITORY... [--sample 300] [--seed 1] [--json FILE]

Call sites are drawn from Python's own `ast`, so neither side chooses them. A site counts where jedi names a function or class; our edge is right
when one of its targets begins on the line that jedi names, or is another definition of that very name in that file: where a branch for
type checkers declares what the other branch does, jedi names the one and we name the other. How many agree to the line is printed, too.
Where jedi finds nothing, the site is listed as not judged. Needs the dev extra.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import random
import subprocess
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import jedi  # type: ignore[import-untyped]

from coderag.languages import detect_language
from coderag.link import LINK_RULES, Linker
from coderag.link.view import definition_of
from coderag.parse import parse
from coderag.types import Confidence, Definition, EdgeKind, Parsed

SURE = frozenset({Confidence.EXACT, Confidence.SCOPED})
CALLS = frozenset({EdgeKind.CALLS, EdgeKind.TESTS})


@dataclass(frozen=True, slots=True)
class Site:
    """Where a name is called: 1-based line, 0-based column of the name."""

    path: str
    line: int
    column: int
    name: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What both sides say about a site, places as "path:line"."""

    site: Site
    ours: tuple[str, ...]
    confidence: Confidence | None
    theirs: tuple[str, ...]
    outside: bool
    alike: tuple[str, ...] = ()  # other definitions of what they name, in the same file

    @property
    def judged(self) -> bool:
        return bool(self.theirs) or self.outside

    @property
    def right(self) -> bool:
        return self.to_the_line or bool(set(self.ours) & set(self.alike))

    @property
    def to_the_line(self) -> bool:
        return bool(set(self.ours) & set(self.theirs))


@dataclass(slots=True)
class Repository:
    """The Python files of a root, parsed; a universe for the linker."""

    root: Path
    files: dict[str, Parsed] = field(default_factory=dict)
    definitions: dict[str, list[Definition]] = field(default_factory=dict)

    def paths(self) -> Sequence[str]:
        return sorted(self.files)

    def language(self, path: str) -> str:
        return self.files[path].language

    def parsed(self, path: str) -> Parsed:
        return self.files[path]

    def named(self, name: str) -> Sequence[Definition]:
        return self.definitions.get(name, ())


def read(root: Path) -> Repository:
    repository = Repository(root)
    for path in sorted(_python_files(root)):
        text = (root / path).read_bytes()
        repository.files[path] = parse(text, detect_language(path, text))
    for path in repository.paths():
        for index in range(len(repository.files[path].symbols)):
            definition = definition_of(path, repository.files[path], index)
            repository.definitions.setdefault(definition.name, []).append(definition)
    return repository


def _python_files(root: Path) -> Iterator[str]:
    if (root / ".git").exists():
        listed = subprocess.run(
            ["git", "-c", "core.fsmonitor=false", "-C", str(root), "ls-files", "-z", "*.py"],
            capture_output=True,
            check=True,
        )
        yield from (name for name in listed.stdout.decode().split("\0") if name and (root / name).is_file())
    else:
        yield from (path.relative_to(root).as_posix() for path in root.rglob("*.py"))


def call_sites(repository: Repository) -> list[Site]:
    sites: list[Site] = []
    for path in repository.paths():
        text = (repository.root / path).read_bytes()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        lines = text.decode("utf-8", "replace").splitlines()
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                sites.extend(_site(path, lines, node.func))
    return sorted(sites, key=lambda site: (site.path, site.line, site.column))


def _site(path: str, lines: Sequence[str], called: ast.expr) -> Iterator[Site]:
    if isinstance(called, ast.Name):
        column = len(lines[called.lineno - 1].encode()[: called.col_offset].decode("utf-8", "replace"))
        yield Site(path, called.lineno, column, called.id)
    elif isinstance(called, ast.Attribute) and called.end_lineno and called.end_col_offset:
        line = lines[called.end_lineno - 1].encode()[: called.end_col_offset].decode("utf-8", "replace")
        yield Site(path, called.end_lineno, len(line) - len(called.attr), called.attr)


def our_answers(repository: Repository) -> dict[tuple[str, int, str], tuple[tuple[str, ...], Confidence]]:
    """Targets and confidence by (path, line, name)."""
    linker = Linker(repository, LINK_RULES)
    found: dict[tuple[str, int, str], dict[str, Confidence]] = {}
    for path in repository.paths():
        for link in linker.link(path):
            if link.kind in CALLS and link.target >= 0:
                place = f"{link.path}:{repository.files[link.path].symbols[link.target].name_line}"
                for line in link.lines:
                    found.setdefault((path, line, link.name), {})[place] = link.confidence
    return {key: (tuple(sorted(places)), _weakest(places.values())) for key, places in found.items()}


def _weakest(confidences: Iterable[Confidence]) -> Confidence:
    order = list(Confidence)
    return max(confidences, key=order.index)


def their_answer(repository: Repository, project: jedi.Project, site: Site) -> tuple[tuple[str, ...], bool]:
    """Places inside the repository that jedi names, and whether it names one outside."""
    script = jedi.Script(path=repository.root / site.path, project=project)
    try:
        names = script.goto(site.line, site.column, follow_imports=True)
    except Exception as error:  # jedi raises whatever its inference stumbles over
        print(f"jedi failed at {site.path}:{site.line}: {type(error).__name__}")
        return (), False
    inside, outside = set(), False
    for name in names:
        if name.type not in ("function", "class", "property"):
            continue
        place = name.module_path
        if place is not None and place.is_relative_to(repository.root) and name.line:
            relative = place.relative_to(repository.root).as_posix()
            inside.add(f"{relative}:{name.line}") if relative in repository.files else None
            outside = outside or relative not in repository.files
        else:
            outside = True
    return tuple(sorted(inside)), outside


def alike(repository: Repository, places: Iterable[str]) -> tuple[str, ...]:
    """The other definitions that have the qualified names of those at `places`, in the same files."""
    found: set[str] = set()
    for place in places:
        path, _, line = place.rpartition(":")
        symbols = repository.files[path].symbols
        names = {symbol.qualified_name for symbol in symbols if symbol.name_line == int(line)}
        found.update(f"{path}:{symbol.name_line}" for symbol in symbols if symbol.qualified_name in names)
    return tuple(sorted(found.difference(places)))


def compare(root: Path, size: int, seed: int) -> list[Answer]:
    repository = read(root.resolve())
    ours = our_answers(repository)
    sites = call_sites(repository)
    chosen = random.Random(seed).sample(sites, min(size, len(sites)))
    project = jedi.Project(repository.root, sys_path=_search_path(repository.root), smart_sys_path=False)
    answers = []
    for site in chosen:
        places, confidence = ours.get((site.path, site.line, site.name), ((), None))
        theirs, outside = their_answer(repository, project, site)
        answers.append(Answer(site, places, confidence, theirs, outside, alike(repository, theirs)))
    return answers


def _search_path(root: Path) -> list[str]:
    """The roots of the repository and the standard library: an installed copy of the repository must not answer."""
    roots = [root / name for name in ("src", "lib", "")]
    library = [path for path in sys.path if path and "site-packages" not in path and not root.is_relative_to(path)]
    return [str(path) for path in roots if path.is_dir()] + library


def wilson(right: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson, 1927)."""
    if not total:
        return 0.0, 1.0
    z, share = 1.96, right / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    reach = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return middle - reach, middle + reach


def share(label: str, right: int, total: int) -> str:
    low, high = wilson(right, total)
    value = right / total if total else float("nan")
    return f"  {label:34} {value:.3f}  [{low:.3f}, {high:.3f}]  {right}/{total}"


def report(name: str, answers: Sequence[Answer]) -> dict[str, tuple[int, int]]:
    judged = [answer for answer in answers if answer.judged]
    sure = [answer for answer in judged if answer.confidence in SURE]
    unique = [answer for answer in judged if answer.confidence is Confidence.UNIQUE_NAME]
    inside = [answer for answer in judged if answer.theirs]
    figures = {
        "precision, exact and scoped": (sum(a.right for a in sure), len(sure)),
        "the same, to the line": (sum(a.to_the_line for a in sure), len(sure)),
        "precision, unique name": (sum(a.right for a in unique), len(unique)),
        "recall, any confidence": (sum(a.right for a in inside), len(inside)),
        "recall, exact and scoped": (sum(a.right and a.confidence in SURE for a in inside), len(inside)),
    }
    print(f"{name}: {len(answers)} call sites, {len(judged)} judged, {len(inside)} with a definition inside")
    for label, (right, total) in figures.items():
        print(share(label, right, total))
    return figures


def disagreements(answers: Sequence[Answer]) -> Iterator[str]:
    for answer in answers:
        site = answer.site
        differs = answer.ours and not answer.right if answer.judged else bool(answer.ours)
        missed = bool(answer.theirs) and not answer.right
        if differs or missed:
            verdict = "differs" if answer.judged and answer.ours else "missed" if missed else "not judged"
            theirs = ", ".join(answer.theirs) or ("outside" if answer.outside else "-")
            ours = f"{', '.join(answer.ours) or '-'} ({answer.confidence})"
            yield f"  {verdict:10} {site.path}:{site.line} {site.name}  ours: {ours}  jedi: {theirs}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--sample", type=int, default=300, help="call sites per repository")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write all answers to this file")
    options = parser.parse_args()
    everything: list[Answer] = []
    for root in options.repositories:
        answers = compare(root, options.sample, options.seed)
        everything.extend(answers)
        report(root.name, answers)
        print(*disagreements(answers), sep="\n")
    if len(options.repositories) > 1:
        report("all", everything)
    if options.json:
        options.json.write_text(json.dumps([asdict(answer) for answer in everything], indent=1))


if __name__ == "__main__":
    main()
