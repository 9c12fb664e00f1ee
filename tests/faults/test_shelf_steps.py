"""A fault at every step of an update that takes from the shelf and puts on it: the old generation or the new one, and the next works."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from coderag import Index, StorageError
from coderag.store import steps
from tests.faults.indexing import PLAIN, exported, write_root
from tests.update.test_incremental import fresh


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Indexed as number 0 and 1, now as 0 again: nothing has to be parsed."""
    root = tmp_path / "root"
    for number in (0, 1):
        write_root(root, number, files=6)
        Index.build(root, settings=PLAIN).close()
    write_root(root, 0, files=6)
    return root


def updated(root: Path, on_step: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> int:
    with monkeypatch.context() as patch, Index.at(root, settings=PLAIN) as index:
        patch.setattr(steps, "on_step", on_step)
        return index.update().reused


def test_a_fault_at_every_step(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = exported(root), fresh(root, root.parent / "fresh")
    original = root.parent / "original"
    shutil.copytree(root / ".coderag", original)
    seen: list[str] = []
    assert updated(root, seen.append, monkeypatch) == 6
    assert {"put shelf", "delete shelf"} <= set(seen)
    for number in range(len(seen)):
        shutil.rmtree(root / ".coderag")
        shutil.copytree(original, root / ".coderag")
        remaining = iter([False] * number)

        def strike(step: str, remaining: object = remaining) -> None:
            if next(remaining, True):  # type: ignore[call-overload]
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), step)

        with pytest.raises(StorageError):
            updated(root, strike, monkeypatch)
        found = exported(root)
        assert found == (after if number >= seen.index("committed") else before)
        assert updated(root, lambda step: None, monkeypatch) == (6 if found == before else 0)
        assert exported(root) == after
        assert list(Index.at(root, settings=PLAIN).check_integrity()) == []
