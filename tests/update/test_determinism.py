"""The same files give the same bytes: for any number of workers, any hash seed, any order of the walk."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from coderag import Index, Settings
from coderag.types import Walk
from tests.faults.indexing import write_root

PROGRAM = """
import hashlib, sys
from pathlib import Path
from coderag import Index, Settings
index = Index.build(sys.argv[1], settings=Settings(workers=int(sys.argv[2]), index_directory=sys.argv[3]))
digest = hashlib.sha256("\\n".join(index.export()).encode())
for question in ("work3", "holder get", "version limit"):
    digest.update(repr(index.search(question, k=50).hits).encode())
print(digest.hexdigest())
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("root")
    write_root(root, 0)
    (root / "notes.md").write_text("# Title\n\ntext\n\n## Part\n\nmore\n")
    (root / "web.ts").write_text("export const limit = 3;\nexport function get() { return limit; }\n")
    return root


def built(root: Path, directory: Path, workers: int, seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(root), str(workers), str(directory)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_workers_and_hash_seeds(root: Path, tmp_path: Path) -> None:
    runs = [(1, "0"), (2, "1"), (4, "2"), (1, "3"), (2, "4")]
    digests = {built(root, tmp_path / f"{workers}-{seed}", workers, seed) for workers, seed in runs}
    assert len(digests) == 1


@pytest.mark.slow
def test_ten_hash_seeds(root: Path, tmp_path: Path) -> None:
    assert len({built(root, tmp_path / str(seed), 1 + seed % 4, str(seed)) for seed in range(10)}) == 1


def test_order_of_the_walk(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from coderag import walk as package

    sound = package.walk

    def shuffled(place: Path, settings: Settings) -> Walk:
        found = sound(place, settings)
        files = list(found.files)
        random.Random(str(settings.index_directory)).shuffle(files)
        return replace(found, files=tuple(files))

    digests = set()
    for number in range(3):
        if number:
            monkeypatch.setattr(package, "walk", shuffled)
        settings = Settings(workers=1, index_directory=str(tmp_path / str(number)))
        with Index.build(root, settings=settings) as index:
            digests.add(hashlib.sha256("\n".join(index.export()).encode()).hexdigest())
    assert len(digests) == 1
