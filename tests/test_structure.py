"""The shape of the project: who may import whom, what the public names are, and what no module may use."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import coderag

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "coderag"

LAYERS = (
    {"types", "errors", "visible"},
    {"config", "languages", "records"},
    {"walk", "statements", "parse", "link", "embed", "assemble", "store"},
    {"notebook", "chunk", "recall"},
    {"rerank", "analyse", "snapshot", "providers"},
    {"workers"},
    {"update"},
    {"diagnose", "offer"},
    {"index"},
    {"payload"},
    {"bench"},
    {"inspect", "adapters"},
    {"tune"},
    {"watch"},
    {"mcp"},
    {"cli", "__init__"},
    {"__main__"},
)
"""Modules of `coderag`, lowest first. A module imports from the layers below its own and from its own package."""

FORBIDDEN_MODULES = {"pickle", "cPickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
FORBIDDEN_CALLS = {"eval", "exec", "os.system", "os.popen", "faiss.read_index", "yaml.load"}
PUBLIC = """
    Chunk CoderagError ConfigError ContextAssembler ContextAssembly ContextBudget ContextDepth ContextError ContextItem
    ContextPolicy ContextProvider ContextQuery ContextResult ContextSourcePolicy ContextType Edge EmbeddingError Focus
    Index IndexCorruptError IndexFormatError IndexLockedError Kind NotIndexedError ProviderError Query QueryError Ranked
    Reason RootError SearchResult Settings SignalValue Skipped Span StorageError __version__ load_settings
"""


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (PROJECT / folder).rglob("*.py"))


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def owner(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported(tree: ast.Module) -> Iterator[str]:
    """The dotted names that a module imports, at its top or inside of a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module or ''}.{alias.name}" for alias in node.names)


def modules_imported(path: Path) -> set[str]:
    """The modules of `coderag`, packages as a whole, that another one imports."""
    names = [name.split(".") for name in imported(tree_of(path))]
    return {parts[1] for parts in names if parts[0] == "coderag" and len(parts) > 1} & {*map(owner, sources("coderag"))}


def level(name: str) -> int:
    found = [number for number, layer in enumerate(LAYERS) if name in layer]
    assert found, f"coderag/{name} has no place in LAYERS of {Path(__file__).name}"
    return found[0]


def test_imports_point_downwards() -> None:
    upward = [
        f"{path.relative_to(PROJECT)} imports coderag.{other}"
        for path in sources("coderag")
        for other in sorted(modules_imported(path) - {owner(path)})
        if level(other) >= level(owner(path))
    ]
    assert upward == []


def test_every_module_has_a_layer() -> None:
    assert {owner(path) for path in sources("coderag")} <= set().union(*LAYERS)


def test_recallers_do_not_import_each_other() -> None:
    recallers = {"symbol", "lexical", "vector", "graph"}
    for path in sources("coderag/recall"):
        names = {name.split(".")[2] for name in imported(tree_of(path)) if name.startswith("coderag.recall.")}
        assert path.stem not in recallers or names & (recallers - {path.stem}) == set(), path


def test_parsing_knows_no_disk() -> None:
    for path in sources("coderag/parse", "coderag/link", "coderag/chunk", "coderag/assemble"):
        names = {name.partition(".")[0] for name in imported(tree_of(path))}
        assert names & {"os", "pathlib", "shutil", "sqlite3", "subprocess", "tempfile"} == set(), path


def test_public_names_are_pinned() -> None:
    assert coderag.__all__ == PUBLIC.split()
    assert all(getattr(coderag, name) is not None for name in coderag.__all__)


def test_nothing_that_could_run_data() -> None:
    for path in sources("coderag", "benchmarks", "scripts"):
        tree = tree_of(path)
        assert {name.partition(".")[0] for name in imported(tree)} & FORBIDDEN_MODULES == set(), path
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                where = f"{path}:{node.lineno}"
                name = ast.unparse(node.func)
                assert name not in FORBIDDEN_CALLS, where
                keywords = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
                assert keywords.get("shell", "False") == "False", where
                assert keywords.get("allow_pickle", "False") == "False", where
