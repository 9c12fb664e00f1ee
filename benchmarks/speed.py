"""How fast coderag builds, updates and answers, beside semble in the same run.

    python benchmarks/speed.py REPOSITORY... [--repositories FOLDER] [--semble-python PYTHON] [--rounds N] [--save]

Every repository is copied and made a git repository, if it is none; nothing else touches it. Each figure of coderag is taken right before
the same figure of semble, so that the noise of the machine hits both. semble gets all kinds of content, one thread where coderag
gets one worker, as many processes as coderag has workers, and a tiny static model, so its embedding costs the least it can. The clock of
a build runs from the first import of a tool to the saved index, for both. Memory is an upper bound (forks share pages).

Notes: what profiling found (redis, 448,000 lines, 1,608 files; CPU seconds of Python 3.11 on a busy machine of two cores)

- Workers: 72 % of their CPU is parsing (the tree and the passes over it), 12 % terms, 7 % chunks, 4 % reading and masking, 5 % encoding.
  C parses at 16,000 lines a second of CPU and worker, Python and Go at 25,000 to 27,000.
- Parent: 5 s, of which writing 1.6 s (checksums 0.4, SQLite 0.4), decoding structures 1.1, compiling grammars' queries 1.4 (before the
  first child starts: a fixed cost that small repositories feel), postings 0.9, names 0.7, linking 0.8 (shared among forks).
- Python's collector of cyclic garbage took 60 % of the decoding (1.1 s with it, 0.45 s without), because all that an update makes lives until
  its end. It is paused during an update. In the workers it took 4 % and found nothing (0 cycles in 3,200 files): it is off there too.
- An update that finds nothing took 0.17 s of CPU for 10,000 files, a third of it to count edges: the count is stored now. What is left, 0.08 s,
  is the walk (three git processes, one lstat for each file) and the comparison of stats; 0.10 s on the clock of a quiet machine.
- An update of one file read the edges of every file (0.06 s), asked each file's names with a call of `np.isin` (0.12 s) and turned
  enumerations by calling them (0.08 s). All edges are one block now, asked at once: 0.20 s of CPU and 0.26 s on the clock of a quiet machine
  instead of 0.45 s of CPU, half of it for the structures of 52 headers that the edited file includes.
- A cold `coderag search` spent 0.1 s importing parsers and the linker, and 0.06 s reading edges; it loads neither now: 0.43 s of CPU instead
  of 0.52, of which numpy takes 0.11 and the freshness of 1,600 files 0.08. Vectors and the reranker came after that and add 0.2 s (28,000
  chunks: reading and composing vectors 0.15, the model 0.1), 0.1 s at 6,000 chunks.
- Forks that share a computation waited for each other: the second one filled its pipe and stood still until the first was done. Every pipe is
  emptied now: linking took 1.3 s on the clock instead of 2.0.
- Vectors of tokens were summed text by text, three calls of numpy for each. All texts of a batch take a step together now, with the same
  numbers: 1.5 s of CPU instead of 2.8. With both, two workers read 42,700 lines a second instead of 34,000, on a quiet machine.
- What was left with one worker, 19.5 s: 10.7 in the worker (C of the parser and its queries 3.3, the passes over them 4, terms 1.8, chunks 1.1),
  vectors 1.9, linking 1.8, decoding structures 1.0, starting and compiling queries 1.0, postings, names and writing the rest.
- A child waited while the parent decoded what it had sent; it has its next batch first now. A large file at the end kept one child busy while
  the others had nothing: large files come first. Queries of a language that few files are in were compiled by the parent while all waited:
  the children that meet it compile it, only what all will meet is compiled before they are forked.
- Chunks were decoded again to be embedded, in forks of their own. The children that parse embed them now; vectors do not depend on what is
  embedded beside them.
- Splitting text at what is no letter or digit: `bytes.translate` and `split` take half the time of an expression, in terms and in vectors.
- An expression that begins with plain letters is searched several times as fast as one that begins with a border of a word, with any
  word or by looking back. Disguises of C and TypeScript took 3 % of their worker. Noise was searched 2,000 bytes behind every statement around a
  break, many times what there was to search: 500 now.
- A dozen words of secrets that differ in one letter are one scan of a translated text: 0.72 s for 20 MB instead of 0.94.
- Frozen dataclasses are dear where there is one for each line: lines of chunks are pairs. Chunks are made once, not made and replaced.
- With all this zod takes 4.1 s of CPU with one worker instead of 5.1, flask 1.4 instead of 1.7, redis 14.2 instead of 18.4, commons-lang 7.6
  instead of 10.7, sympy 31 instead of 39; in the last three, 0.2 to 0.3 s of the gain are modules that were compiled anew in an environment
  without bytecode (the benchmark compiles them first now). The best of a few builds with two workers, between other jobs: redis 8.6 s (52,000
  lines a second), zod 2.6 s, flask 1.1 s.
- HTML was parsed at 0.8 MB a second: four patterns tried every pair of an element and one inside of it to find headings (2.2 s of 3.5), and
  every element with an id was shown again by each element around it. One pattern finds headings; an element that fits a chunk is one:
  a sample of 203 pages (5.3 MB) takes 2.8 s instead of 6.1, what is stored of their chunks is a third.
  exposed (970,000 lines) has 51,000 chunks instead of 111,000, an index of 405 MB instead of 1.1 GB, and took 52 s to build on
  a busy machine; 117 were measured before, under another load.
- A method `get` that comes or goes linked again every file that calls some `get`: 147 files of commons-lang, 1.2 s. Links to a member differ
  only where its type can be reached, unless a guess by name could: one file now, 0.09 s. A name that is short, common, or has more candidates
  than a guess allows is never guessed.
- What is left of redis with one worker, 14.2 s: parsing 6.4, of which C of the parser and its queries 3, terms 1.4, vectors 1.3, linking 1.6,
  reading and masking 0.9, chunks 0.8, encoding 0.6, decoding 0.5, postings 0.5, names, writing and start. With two workers the parent is alone
  for 1.5 s of 8.6: start and compiling 0.35, entering 0.25, names 0.25, postings 0.55.
- Compiled with mypyc (parse, chunk, link, terms, words, records, secrets, elide) nothing but one negative slice of bytes breaks, and the index
  is the same, but the build takes the CPU that it took: redis 14.5 s against 14.6, zod 4.2 against 4.3; parsing 8 % less, terms 19, chunks 13.
  What Python does here is to call C (nodes, expressions, dictionaries) and to make dataclasses that others read. Not worth an option.
- JSON of all structures and chunks of redis: 0.36 s of the 1.1 that encoding and decoding take; the rest is making and reading our values. A
  faster library would save 0.2 s.
- Queries of TypeScript take 0.17 s to compile, of TSX again, spread over 124 patterns of 1 to 10 ms; no rewriting of some of them gains more
  than 10 %. `(_ (_ key: …))` for functions in literals tried every node two levels down: with `object` for it, matching takes 12 % less.
- Until now the clock of a build left out what semble imports and loads (0.29 s) and counted what coderag does (0.25 s).
- One child and its parent took turns: linking began when all was written, and the parent idled while the child parsed. Now forks link while the
  parent writes files, vectors and postings (and links a small share), and a child that is alone leaves terms and vectors to its parent.
  Redis with one worker: the parent is busy for 5 of the 10 s that the child takes. The chunks are decoded for it: 0.3 s of CPU more.
- Beside two other jobs, with priority over them, coderag and semble in turns, from the first import on, two series; ratio of lines a second:
  redis with one worker 0.78 and 0.93 (12.5 s to 8.4, 12.0 to 9.6), with two 0.87 and 0.86 (8.5 to 6.4, 9.6 to 7.1); zod 0.56 and 0.65 (3.7 to
  2.2, 3.7 to 2.6), with two 0.75 and 0.67 (2.5 to 2.0, 2.8 to 2.1); flask 0.69 and 0.85 (1.4 to 1.0, 1.2 to 1.0), with two 1.0 in both.
- With two workers both cores are busy nearly to the end, so that only less CPU helps: 15.3 s for redis, 4.4 for zod, 1.5 for flask, where semble
  takes 9.3, 2.9 and 1.5. The largest parts of redis in percent: the parser and its queries in C 20, terms 9, vectors 9, linking 9, repairs of
  what C's grammar cannot read 8, reading and masking 6, references 6, chunks 5, compiling queries 4.
- 107,115 chunks (git and sympy), one process, CPU of a question at the median: 16.2 ms before, 12.3 to 14.7 after. 3 ms were `searchsorted` in
  columns of 32 bits for numbers of 64, which converts the whole column every time. FAISS takes 6 to 7 ms, all else 5.
- Memory of redis with one worker, as bounded here: 559 MB (431 of the parent, 128 of the child), 425 without vectors. Of the child 61 MB are its
  own, the table of the model is shared. A fork made late counts the parent's pages once more.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import coderag
from coderag import Index, Kind, Query

HERE = Path(__file__).resolve().parent
CHILDREN = HERE / "children"
QUERIES = 30
COLD_RUNS = 5
SEED = 7
RACY_SECONDS = 2.5  # a file younger than this is read again by the next update, whoever looks
ADDITIONS = {
    "python": "def added_NUMBER(value):\n    return value",
    "c": "int added_NUMBER(int value) { return value; }",
    "cpp": "int added_NUMBER(int value) { return value; }",
    "go": "func addedNUMBER(value int) int {\n\treturn value\n}",
    "java": "class Added_NUMBER {\n  int get(int value) { return value; }\n}",
    "kotlin": "fun added_NUMBER(value: Int): Int = value",
    "swift": "func added_NUMBER(value: Int) -> Int { return value }",
    "rust": "fn added_NUMBER(value: i32) -> i32 {\n    value\n}",
    "ruby": "def added_NUMBER(value)\n  value\nend",
    "php": "function added_NUMBER($value) { return $value; }",
    "javascript": "function added_NUMBER(value) { return value; }",
    "typescript": "function added_NUMBER(value: number): number { return value; }",
}
OTHER_ADDITION = "# added NUMBER"


@dataclass(frozen=True, slots=True)
class Subject:
    """A tool under measurement: how to start its child, its environment, and its search on the command line (query and root follow)."""

    name: str
    child: tuple[str, ...]
    environment: dict[str, str]
    search: tuple[str, ...]

    def run(self, task: dict[str, Any], **environment: str) -> dict[str, Any]:
        """What the child prints."""
        done = subprocess.run(
            self.child,
            input=json.dumps(task),
            env=self.environment | environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return answer


def coderag_subject(place: Path) -> Subject:
    """coderag with its modules compiled, as they are where it is installed and as semble's are."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPATH": str(HERE.parent), "PYTHONPYCACHEPREFIX": str(place / "bytecode")}
    compiling = (sys.executable, "-m", "compileall", "-q", str(HERE.parent / "coderag"))
    subprocess.run(compiling, env=environment, check=True)
    child = (sys.executable, str(CHILDREN / "coderag_child.py"))
    return Subject("coderag", child, environment, (sys.executable, "-m", "coderag", "search", "--json"))


def semble_subject(python: str, place: Path) -> Subject:
    model = place / "model"
    environment = {
        **os.environ,
        "SEMBLE_CACHE_LOCATION": str(place / "cache"),
        "SEMBLE_MODEL_NAME": str(model),
        "OMP_NUM_THREADS": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "HF_HUB_OFFLINE": "1",
    }
    subprocess.run([python, str(CHILDREN / "semble_model.py"), str(model)], check=True)
    child = (python, str(CHILDREN / "semble_child.py"))
    search = (python, "-c", "from semble.cli import main; main()", "search", "--content", "all", "-k", "10")
    return Subject("semble", child, environment, search)


# One repository


def measure(repository: Path, place: Path, subjects: Sequence[Subject], rounds: int) -> dict[str, Any]:
    """Every figure of one repository, by subject."""
    root = scratch_copy(repository, place / repository.name)
    figures: dict[str, Any] = {subject.name: {} for subject in subjects}
    for workers in (1, 2):
        builds: dict[str, list[dict[str, Any]]] = {subject.name: [] for subject in subjects}
        for _ in range(rounds):
            for subject in subjects:
                builds[subject.name].append(built(subject, root, place, workers))
        for name, found in builds.items():
            figures[name][f"build_{workers}"] = min(found, key=lambda each: float(each["seconds"]))
    queries = questions(root)
    edited, addition = file_to_edit(root)
    for subject in subjects:
        task = {"do": "use", "root": str(root), "edited": edited, "addition": addition, "queries": queries}
        figures[subject.name] |= summary(subject.run(task))
    figures["coderag"]["one_file_command_seconds"] = command_updates(root, root / edited, addition)
    for subject in subjects:
        subject.run({"do": "use", "root": str(root), "edited": edited, "addition": addition, "queries": queries[:1]})
    time.sleep(RACY_SECONDS)
    for name, runs in cold_searches(root, subjects, queries).items():
        figures[name] |= runs
    return {"name": repository.name, "edited": edited, "queries": queries, **figures}


def scratch_copy(repository: Path, root: Path) -> Path:
    shutil.copytree(repository, root, symlinks=True, ignore=shutil.ignore_patterns(".coderag"))
    if not (root / ".git").exists():
        git = ("git", "-C", str(root), "-c", "user.name=Speed", "-c", "user.email=speed@example.org")
        for command in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "Copy")):
            subprocess.run([*git, *command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(RACY_SECONDS)
    return root


def built(subject: Subject, root: Path, place: Path, workers: int) -> dict[str, Any]:
    shutil.rmtree(place / "cache", ignore_errors=True)
    alone = "0" if workers == 1 else str(workers)
    return subject.run({"do": "build", "root": str(root), "workers": workers}, SEMBLE_INDEX_WORKERS=alone)


def questions(root: Path) -> list[str]:
    """Half symbols, half phrases of three words from docs (from names where there are too few docs), the same in every run."""
    chance = random.Random(SEED)
    with Index.open(root) as index:
        entries = [
            entry for entry in index.symbols() if entry.kind in (Kind.FUNCTION, Kind.METHOD, Kind.CLASS, Kind.STRUCT)
        ]
        names = sorted({re.split(r"[.:#\\]+", entry.name)[-1] for entry in entries})
        names = [name for name in names if len(name) >= 4]
        chosen = chance.sample(names, min(len(names), 4 * QUERIES))
        docs = {hit.chunk.doc for name in chosen for hit in index.search(name, k=5).hits}
    phrases = [words for doc in sorted(docs) if len(words := re.findall(r"[A-Za-z]{4,}", doc)) >= 3]
    phrases += [re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name) for name in names]
    half = QUERIES // 2
    return chosen[:half] + [" ".join(phrase(words, chance)) for words in phrases[: QUERIES - half]]


def phrase(words: Sequence[str], chance: random.Random) -> Sequence[str]:
    first = chance.randrange(max(1, len(words) - 2))
    return words[first : first + 3]


def file_to_edit(root: Path) -> tuple[str, str]:
    """The file of median size in the main language, and a small function in that language."""
    with Index.open(root) as index:
        languages = [each for each in index.status().languages if each.language in ADDITIONS]
        main = languages[0].language if languages else index.status().languages[0].language
        paths = sorted({entry.path for entry in index.symbols(query=Query(languages=(main,)))})
    ordered = sorted(paths, key=lambda path: ((root / path).stat().st_size, path))
    return ordered[len(ordered) // 2], ADDITIONS.get(main, OTHER_ADDITION)


def summary(figures: dict[str, Any]) -> dict[str, float]:
    asked = sorted(figures["query_seconds"])
    return {
        "query_p50_ms": 1000 * statistics.median(asked),
        "query_p95_ms": 1000 * asked[round(0.95 * (len(asked) - 1))],
        "no_change_seconds": statistics.median(figures["no_change_seconds"]),
        "one_file_seconds": statistics.median(figures["one_file_seconds"]),
    }


def command_updates(root: Path, edited: Path, addition: str) -> float:
    """Seconds of `coderag index` after an edit, in a process of its own each time."""
    seconds = []
    for _ in range(3):
        with edited.open("a", encoding="utf-8") as file:
            file.write("\n" + addition.replace("NUMBER", str(time.time_ns())) + "\n")
        _, wall = measured_run((sys.executable, "-m", "coderag", "index", str(root)), dict(os.environ), HERE.parent)
        seconds.append(wall)
    return statistics.median(seconds)


def cold_searches(root: Path, subjects: Sequence[Subject], queries: Sequence[str]) -> dict[str, dict[str, float]]:
    """CPU and clock of searches that each start a process, the subjects taking turns."""
    found: dict[str, list[tuple[float, float]]] = {subject.name: [] for subject in subjects}
    for query in queries[:: len(queries) // COLD_RUNS][:COLD_RUNS]:
        for subject in subjects:
            place = ("--root", str(root)) if subject.name == "coderag" else (str(root),)
            found[subject.name].append(measured_run((*subject.search, query, *place), subject.environment, HERE.parent))
    return {
        name: {
            "cold_cpu_seconds": statistics.median(cpu for cpu, _ in runs),
            "cold_seconds": statistics.median(wall for _, wall in runs),
        }
        for name, runs in found.items()
    }


def measured_run(command: Iterable[str], environment: dict[str, str], cwd: Path) -> tuple[float, float]:
    """CPU seconds and seconds on the clock."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [*command], env=environment, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, seconds


# What is shown

ROWS: tuple[tuple[str, str, str], ...] = (
    ("files", "build_2.files", ",.0f"),
    ("lines", "build_2.lines", ",.0f"),
    ("chunks", "build_2.chunks", ",.0f"),
    ("edges", "build_2.edges", ",.0f"),
    ("build, 1 worker, s", "build_1.seconds", ".2f"),
    ("build, 2 workers, s", "build_2.seconds", ".2f"),
    ("build, 1 worker, CPU s", "build_1.cpu_seconds", ".2f"),
    ("lines/s, 1 worker", "build_1.rate", ",.0f"),
    ("lines/s, 2 workers", "build_2.rate", ",.0f"),
    ("peak memory, 1 worker, MB", "build_1.peak_mb", ",.0f"),
    ("peak memory, 2 workers, MB", "build_2.peak_mb", ",.0f"),
    ("update, nothing to do, s", "no_change_seconds", ".3f"),
    ("update, one file, s", "one_file_seconds", ".3f"),
    ("update, one file, command, s", "one_file_command_seconds", ".3f"),
    ("query p50, ms", "query_p50_ms", ".2f"),
    ("query p95, ms", "query_p95_ms", ".2f"),
    ("cold search, CPU s", "cold_cpu_seconds", ".2f"),
    ("cold search, s", "cold_seconds", ".2f"),
)


def value(figures: dict[str, Any], path: str) -> float | None:
    """A figure by its dotted path; rates and megabytes are computed."""
    *above, name = path.split(".")
    for part in above:
        figures = figures.get(part, {})
    if name == "rate":
        return figures["lines"] / figures["seconds"] if figures else None
    if name == "peak_mb":
        return figures["peak_bytes"] / 1e6 if figures else None
    return figures.get(name)


def print_repository(result: dict[str, Any], names: Sequence[str]) -> None:
    print(f"\n{result['name']} (edited: {result['edited']})")
    print_columns(
        [["", *names, "coderag/semble" if len(names) > 1 else ""], *(row(result, names, *each) for each in ROWS)]
    )


def row(result: dict[str, Any], names: Sequence[str], title: str, path: str, form: str) -> list[str]:
    found = [value(result[name], path) for name in names]
    cells = [format(each, form) if each is not None else "-" for each in found]
    ours, theirs = found[0], found[-1] if len(found) > 1 else None
    return [title, *cells, f"{ours / theirs:.2f}" if ours is not None and theirs else ""]


def print_table(results: Sequence[dict[str, Any]], names: Sequence[str]) -> None:
    """The figures of coderag, and its ratios to semble: above 1 is better for lines/s, below 1 for query time."""
    titles = [
        "repository",
        "lines",
        "lines/s 1",
        "lines/s 2",
        "MB",
        "no change s",
        "one file s",
        "p50 ms",
        "p95 ms",
        "cold CPU s",
    ]
    paths = [
        "build_2.lines",
        "build_1.rate",
        "build_2.rate",
        "build_2.peak_mb",
        "no_change_seconds",
        "one_file_seconds",
    ]
    paths += ["query_p50_ms", "query_p95_ms", "cold_cpu_seconds"]
    forms = [",.0f", ",.0f", ",.0f", ",.0f", ".3f", ".3f", ".2f", ".2f", ".2f"]
    rows = [[*titles, *(["lines/s ratio 1", "ratio 2", "p50 ratio"] if len(names) > 1 else [])]]
    for result in results:
        own = [value(result["coderag"], path) for path in paths]
        cells = [format(each, form) if each is not None else "-" for each, form in zip(own, forms, strict=True)]
        rows.append([result["name"], *cells, *ratios(result, names)])
    print()
    print_columns(rows)


def ratios(result: dict[str, Any], names: Sequence[str]) -> list[str]:
    if len(names) == 1:
        return []
    pairs = [
        [value(result[name], path) or 0.0 for name in names]
        for path in ("build_1.rate", "build_2.rate", "query_p50_ms")
    ]
    return [f"{ours / theirs:.2f}" if theirs else "-" for ours, theirs in pairs]


def print_columns(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        print("  ".join([first.ljust(widths[0]), *cells]).rstrip())


def machine() -> dict[str, Any]:
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if "model name" in line
    ]
    commit = subprocess.run(["git", "-C", str(HERE.parent), "rev-parse", "HEAD"], capture_output=True, text=True)
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "processors": dict(Counter(models)),
        "usable": len(os.sched_getaffinity(0)),
        "load_average": os.getloadavg(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "coderag": coderag.__version__,
        "commit": commit.stdout.strip(),
    }


def save(document: dict[str, Any]) -> Path:
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    path = folder / f"speed-{document['machine']['date'][:10]}.json"
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repository", nargs="*", type=Path)
    parser.add_argument("--repositories", type=Path, help="a folder whose folders are measured when none is named")
    parser.add_argument("--semble-python", help="a Python that has semble")
    parser.add_argument("--rounds", type=int, default=1, help="builds of each sort; the fastest counts")
    parser.add_argument("--save", action="store_true", help="write a dated file to benchmarks/results")
    arguments = parser.parse_args()
    folder = sorted(arguments.repositories.iterdir()) if arguments.repositories else []
    repositories = arguments.repository or [path for path in folder if path.is_dir()]
    document: dict[str, Any] = {"machine": machine(), "repositories": []}
    with tempfile.TemporaryDirectory() as place:
        subjects = [coderag_subject(Path(place))]
        if arguments.semble_python:
            subjects.append(semble_subject(arguments.semble_python, Path(place)))
        names = [subject.name for subject in subjects]
        for repository in repositories:
            result = measure(repository.resolve(), Path(place), subjects, arguments.rounds)
            document["repositories"].append(result)
            print_repository(result, names)
            shutil.rmtree(Path(place) / repository.resolve().name)
    print_table(document["repositories"], names)
    if arguments.save:
        print(f"\nsaved: {save(document)}")


if __name__ == "__main__":
    main()
