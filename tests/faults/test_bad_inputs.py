"""Bad inputs, each indexed beside good ones: nothing ends the build, and every line is shown or the file is told to be left out."""

from __future__ import annotations

import faulthandler
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from coderag import Index, Settings
from tests.faults.bad_inputs import BAD
from tests.faults.invariants import check_chunks


def place(number: int, name: str) -> str:
    return f"{number:03}/{BAD[name][0]}"


@contextmanager
def quiet_deaths() -> Iterator[None]:
    """The scanner of YAML crashes on a deep document; pytest would print the stack of the child that it costs."""
    enabled = faulthandler.is_enabled()
    faulthandler.disable()
    yield
    if enabled:
        faulthandler.enable(file=sys.__stderr__)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    root = tmp_path_factory.mktemp("bad")
    for number, name in enumerate(BAD):
        path = root / place(number, name)
        path.parent.mkdir()
        path.write_bytes(BAD[name][1])
    (root / "good.py").write_text("def good():\n    return 1\n")
    with quiet_deaths():
        built = Index.build(root, settings=Settings(workers=2))
    with built:
        yield built


def test_there_are_more_than_120() -> None:
    assert len(BAD) > 120


def test_the_build_ends_and_good_files_are_whole(index: Index) -> None:
    assert [hit.chunk.id for hit in index.search("good", k=1).hits] == ["good.py#good"]
    assert not list(index.check_integrity())
    status = index.status()
    assert status.files + len(status.skipped) == len(BAD) + 1


@pytest.mark.parametrize(("number", "name"), list(enumerate(BAD)), ids=list(BAD))
def test_bad_input(index: Index, number: int, name: str) -> None:
    path = place(number, name)
    snapshot = index.snapshot()
    if snapshot.index_of(path) < 0:
        why = index.why(path)
        assert why.verdict == "left out" and why.detail
        return
    record = snapshot.file(path)
    chunks = [snapshot.chunk(row) for row in snapshot.rows_of(path).tolist()]
    check_chunks(
        chunks,
        (index.root / path).read_bytes(),
        record.encoding,
        snapshot.languages[snapshot.index_of(path)],
        record.problems,
    )
