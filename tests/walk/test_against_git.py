"""The walker against `git ls-files -co --exclude-standard` on random trees with random ignore files."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trees import git, kept, listed_by_git, make

from coderag.config import Settings

NAMES = (
    "a",
    "b",
    "c.py",
    "ab",
    "d.txt",
    "A",
    "x y",
    "é",
    "[b]",
    "#a",
    "!b",
    "sp ",
    "b\\",
    "*",
    "a-b",
    "\udcff.py",
    "-",
    "]",
)
ONLY_GIT = Settings(built_in_rules=False)

names = st.sampled_from(NAMES)
directories = st.lists(names, max_size=3).map("/".join)
pieces = st.sampled_from(
    ("*", "**", "?", "/", "/", "[ab]", "[!a]", "[a-c]", "[^b]", "[]b]", "[[:alpha:]]", "[", "\\", "\\*", "\\[", *NAMES)
)
plain_patterns = st.builds(
    lambda start, parts, end: start + "/".join(parts) + end,
    st.sampled_from(("", "", "/", "**/", "*/")),
    st.lists(st.sampled_from((*NAMES[:12], "*", "**", "*.py", "?", "[ab]*", "a*")), min_size=1, max_size=3),
    st.sampled_from(("", "", "/", "/**", "/*", " ", "\\ ")),
)
patterns = st.one_of(plain_patterns, plain_patterns, st.lists(pieces, max_size=6).map("".join))
lines = st.builds(lambda mark, pattern: mark + pattern, st.sampled_from(("", "", "", "!", "!", "#")), patterns)
rule_files = st.builds(
    lambda rules, end: end.join([*rules, ""]),
    st.lists(lines, min_size=1, max_size=5),
    st.sampled_from(("\n", "\n", "\r\n")),
)
trees = st.builds(
    lambda paths, ignores: (paths, ignores),
    st.lists(st.lists(names, min_size=1, max_size=4).map("/".join), min_size=1, max_size=14, unique=True),
    st.dictionaries(directories, rule_files, min_size=1, max_size=3),
)


@pytest.fixture(scope="module")
def work_tree() -> Iterator[Path]:
    """One repository for all examples: making a new one costs more than the example."""
    directory = Path(tempfile.mkdtemp())
    git(directory, "init", "-q")
    yield directory
    shutil.rmtree(directory)


def rebuild(root: Path, paths: list[str], ignores: dict[str, str]) -> None:
    for entry in list(os.scandir(root)):
        if entry.name == ".git":
            (root / ".git" / "index").unlink(missing_ok=True)
        elif entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)
    for path in sorted(paths, key=len, reverse=True):
        write(root / path, b"x")
    for directory, text in ignores.items():
        write(root / directory / ".gitignore", os.fsencode(text))


def write(path: Path, content: bytes) -> None:
    """Where another path needs a directory of this name, or a file is in the way of one, there is nothing to write."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError:
        pass


def check(
    root: Path, tree: tuple[list[str], dict[str, str]], tracked: list[str], without_git: Callable[[], set[str]]
) -> None:
    rebuild(root, *tree)
    present = [path for path in tracked if (root / path).is_file()]
    if present:
        git(root, "add", "-f", "--", *(f":(literal){path}" for path in present))
    assert set(kept(root, ONLY_GIT)) == listed_by_git(root)
    if present:
        git(root, "rm", "-q", "-r", "--cached", ".")
    assert without_git() == listed_by_git(root)


@pytest.fixture
def unaided(work_tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], set[str]]:
    empty = tmp_path_factory.mktemp("empty")

    def walk_without_git() -> set[str]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PATH", str(empty))
            return set(kept(work_tree, ONLY_GIT))

    return walk_without_git


FIXTURES = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@settings(max_examples=100, derandomize=True, database=None, suppress_health_check=FIXTURES)
@given(tree=trees, tracked=st.lists(st.lists(names, min_size=1, max_size=2).map("/".join), max_size=3))
def test_same_files_as_git(work_tree: Path, unaided: Callable[[], set[str]], tree, tracked) -> None:  # type: ignore[no-untyped-def]
    check(work_tree, tree, tracked, unaided)


@pytest.mark.slow
@settings(max_examples=3000, database=None, suppress_health_check=FIXTURES)
@given(tree=trees, tracked=st.lists(st.lists(names, min_size=1, max_size=2).map("/".join), max_size=3))
def test_same_files_as_git_on_many_trees(work_tree: Path, unaided: Callable[[], set[str]], tree, tracked) -> None:  # type: ignore[no-untyped-def]
    check(work_tree, tree, tracked, unaided)


def test_a_directory_tree_of_odd_names_is_found_by_both(
    work_tree: Path, unaided: Callable[[], set[str]], tmp_path: Path
) -> None:
    make(tmp_path, {"unused": ""})
    rebuild(work_tree, [f"{first}/{second}" for first in NAMES for second in NAMES], {})
    assert set(kept(work_tree, ONLY_GIT)) == listed_by_git(work_tree) == unaided()
    assert len(unaided()) == len(NAMES) ** 2
