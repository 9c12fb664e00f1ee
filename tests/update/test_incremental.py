"""An index that was updated step by step holds what a fresh build of the same files holds, bit for bit."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coderag import Index, Settings
from coderag.records import Graph
from coderag.walk import reader

PLAIN = Settings(workers=1)
IDENTITY = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false")

CONTENTS = (
    "def put(key):\n    return key\n",
    "# a comment\n\ndef put(key):\n    return other(key)\n\n\ndef other(key):\n    return 1\n",
    "from a import put\n\n\ndef run():\n    return put(1)\n",
    "from a import put as store\nfrom pkg import Engine\n\n\ndef run():\n    return store(Engine().go())\n",
    "class Engine:\n    def go(self):\n        return self.turn()\n\n    def turn(self):\n        return LIMIT\n\n\nLIMIT = 3\n",
    "from pkg.core import Engine\n\n\nclass Fast(Engine):\n    def turn(self):\n        return 2\n",
    "from .core import Engine\n",
    "from .core import *\n",
    "import a\nimport b\n\n\ndef go():\n    a.put(1)\n    b.put(2)\n",
    "def outer():\n    def inner():\n" + 6 * "        x = 1\n" + "    return inner\n",
    "def outer():\n    def inner():\n" + 9 * "        x = 1\n" + "    return inner\n",
    "on = {'paid': put, 'void': other}\n\n\ndef dispatch(event):\n    return on[event]()\n",
    "def broken( return 2\n\ndef fine():\n    return put(3)\n",
    "",
    "\0\0binary",
    "key: value\nother:\n  put: 1\n",
    "def long():\n" + 300 * "    x = 1\n",
)
PATHS = ("a.py", "b.py", "pkg/__init__.py", "pkg/core.py", "pkg/fast.py", "app/main.py", "c.yaml", "notes.md")

edit = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(PATHS), st.sampled_from(CONTENTS)),
    st.tuples(st.just("delete"), st.sampled_from(PATHS), st.just("")),
    st.tuples(st.just("move"), st.sampled_from(PATHS), st.sampled_from(PATHS)),
    st.just(("commit", "", "")),
)


def perform(root: Path, action: tuple[str, str, str]) -> None:
    sort, path, argument = action
    place = root / path
    if sort == "write":
        place.parent.mkdir(exist_ok=True)
        place.write_text(argument, encoding="utf-8")
    elif sort == "commit":
        commit(root)
    elif place.exists():
        if sort == "delete":
            place.unlink()
        else:
            (root / argument).parent.mkdir(exist_ok=True)
            place.replace(root / argument)


def commit(root: Path) -> None:
    """Everything, in a repository that is made with the first one."""
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-q", "--allow-empty", "-m", "all")):
        subprocess.run(["git", *IDENTITY, *arguments], cwd=root, check=True, capture_output=True)


def exported(index: Index) -> list[str]:
    with index:
        return list(index.export())


def fresh(root: Path, elsewhere: Path) -> list[str]:
    shutil.rmtree(elsewhere, ignore_errors=True)
    shutil.copytree(root, elsewhere, ignore=shutil.ignore_patterns(".coderag"))
    return exported(Index.build(elsewhere, settings=PLAIN))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(edit, min_size=1, max_size=5), min_size=1, max_size=4))
def test_updates_equal_a_fresh_build(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[tuple[str, str, str]]]
) -> None:
    root = tmp_path_factory.mktemp("root")
    index = Index.build(root, settings=PLAIN)
    for actions in steps:
        for action in actions:
            perform(root, action)
        index.update()
    assert exported(index) == fresh(root, tmp_path_factory.mktemp("fresh"))
    assert list(index.check_integrity()) == []
    assert_graph_is_that_of_its_files(index)


def assert_graph_is_that_of_its_files(index: Index) -> None:
    with index:
        snapshot = index.snapshot()
        files = dict(zip(snapshot.manifest.ids.tolist(), map(snapshot.edges_of, snapshot.paths), strict=True))
        count = int.from_bytes(snapshot.block("edge_count") or b"", "little")
        assert count == len(snapshot.edges.sources)
        assert _rows_of(snapshot.edges) == _rows_of(Graph.from_bytes(None).plus(files.items()))


def _rows_of(graph: Graph) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    edges = (graph.sources, graph.targets, graph.kinds, graph.confidences, graph.counts)
    uses = (graph.users, graph.used)
    return tuple(sorted(zip(*(column.tolist() for column in each), strict=True)) for each in (edges, uses))  # type: ignore[return-value]


@pytest.mark.slow
@settings(max_examples=500, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(edit, min_size=1, max_size=8), min_size=1, max_size=8))
def test_many_updates_equal_a_fresh_build(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[tuple[str, str, str]]]
) -> None:
    test_updates_equal_a_fresh_build.hypothesis.inner_test(tmp_path_factory, steps)  # type: ignore[attr-defined]


def repository(root: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def changed(tmp_path: Path) -> Callable[..., tuple[Index, Path]]:
    def make(files: dict[str, str]) -> tuple[Index, Path]:
        root = repository(tmp_path / "root", files)
        return Index.build(root, settings=PLAIN), root

    return make


def test_nothing_to_do_writes_nothing(changed: Callable[..., tuple[Index, Path]]) -> None:
    index, _ = changed({"a.py": CONTENTS[0]})
    first = index.update()
    assert index.update().generation == first.generation


def test_a_commit_is_noticed_although_no_file_changed(changed: Callable[..., tuple[Index, Path]]) -> None:
    index, root = changed({"a.py": CONTENTS[0], "b.py": CONTENTS[2]})
    commit(root)
    (root / "a.py").write_text(CONTENTS[1])
    assert uncommitted(index) == {"a.py"}
    assert exported(index) == fresh(root, root.parent / "fresh")
    commit(root)
    assert uncommitted(index) == set()
    assert exported(index) == fresh(root, root.parent / "fresh")
    first = index.update()
    assert index.update().generation == first.generation


def test_one_edit_reads_one_file(changed: Callable[..., tuple[Index, Path]], monkeypatch: pytest.MonkeyPatch) -> None:
    index, root = changed({"a.py": CONTENTS[0], "b.py": CONTENTS[2], "pkg/core.py": CONTENTS[4]})
    for place in root.rglob("*.py"):
        os.utime(place, ns=(10**18, 10**18))
    commit(root)
    monkeypatch.setattr("coderag.update.plan.RACY_NANOSECONDS", 0)
    index.update()
    seen: list[str] = []
    sound = reader.open_inside
    monkeypatch.setattr(reader, "open_inside", lambda place, path: seen.append(path) or sound(place, path))
    (root / "a.py").write_text(CONTENTS[1])
    assert uncommitted(index) == {"a.py"}
    assert set(seen) <= {"a.py"}


def uncommitted(index: Index) -> frozenset[str]:
    index.update()
    with index:
        return index.snapshot().uncommitted


def test_an_edit_with_the_old_times_is_found(changed: Callable[..., tuple[Index, Path]]) -> None:
    index, root = changed({"a.py": "def first():\n    return 1\n"})
    before = os.stat(root / "a.py")
    (root / "a.py").write_text("def other():\n    return 1\n")
    os.utime(root / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    index.update()
    assert [entry.name for entry in index.symbols()] == ["other"]


def test_a_moved_file_is_not_parsed_again(
    changed: Callable[..., tuple[Index, Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    index, root = changed({"old.py": CONTENTS[1]})
    (root / "old.py").replace(root / "new.py")
    monkeypatch.setattr("coderag.analyse.parse", lambda *_: pytest.fail("parsed again"))
    monkeypatch.setattr("coderag.update.run.analyse_files", lambda _, files, *__: iter(_none(list(files))))
    report = index.update()
    assert (report.moved, report.added, report.removed) == (1, 0, 0)
    assert {entry.path for entry in index.symbols()} == {"new.py"}


def _none(files: list[object]) -> list[object]:
    assert files == []
    return files


def test_a_body_edit_links_one_file(changed: Callable[..., tuple[Index, Path]]) -> None:
    index, root = changed({"a.py": CONTENTS[0], "b.py": CONTENTS[2], "pkg/core.py": CONTENTS[4]})
    (root / "a.py").write_text("def put(key):\n    return key + 1\n")
    assert index.update().relinked == 1


def test_a_changed_name_links_those_who_use_it(changed: Callable[..., tuple[Index, Path]]) -> None:
    index, root = changed({"a.py": CONTENTS[0], "b.py": CONTENTS[2], "pkg/core.py": CONTENTS[4]})
    (root / "a.py").write_text("def get(key):\n    return key\n")
    assert index.update().relinked == 2
    assert index.callers("put") == []


def test_deleted_file_gives_no_hit(changed: Callable[..., tuple[Index, Path]]) -> None:
    index, root = changed({"a.py": CONTENTS[0], "b.py": CONTENTS[2]})
    (root / "a.py").unlink()
    index.update()
    assert {hit.chunk.path for hit in index.search("put").hits} == {"b.py"}


def test_another_chunk_size_analyses_all_again(changed: Callable[..., tuple[Index, Path]]) -> None:
    _, root = changed({"a.py": CONTENTS[1]})
    report = Index.at(root, settings=Settings(workers=1, max_chunk_lines=60)).update()
    assert report.changed == 1
    assert any("again" in note for note in report.notes)


SHELF = (
    "class Shelf:\n    def get(self, key):\n        return key\n\n    def first(self):\n        return self.get(0)\n"
)
SPECIAL = "from shelf import Shelf\n\n\nclass Special(Shelf):\n    pass\n"
MAKER = "from special import Special\n\n\ndef made() -> Special:\n    return Special()\n"
READER = "from maker import made\n\n\ndef read():\n    return made().get(1)\n"
OTHER = "class Other:\n    def get(self, key):\n        return key\n\n\ndef use():\n    return Other().get(2)\n"


def test_a_member_links_only_those_who_can_reach_its_type(
    changed: Callable[..., tuple[Index, Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coderag.update.relink.FEW_USERS", 0)
    files = {"shelf.py": SHELF, "special.py": SPECIAL, "maker.py": MAKER, "reader.py": READER}
    index, root = changed(files | {f"other_{number}.py": OTHER for number in range(20)})
    (root / "new.py").write_text("class New:\n    def get(self, key):\n        return key\n", encoding="utf-8")
    assert index.update().relinked == 1
    (root / "special.py").write_text(SPECIAL.replace("pass", "def get(self, key):\n        return 2"), encoding="utf-8")
    assert index.update().relinked == 2  # the type that changed, and who asks what somebody else has made
    assert exported(index) == fresh(root, root.parent / "fresh")
    (root / "shelf.py").write_text(SHELF.replace("get", "fetch"), encoding="utf-8")
    index.update()
    assert exported(index) == fresh(root, root.parent / "fresh")
