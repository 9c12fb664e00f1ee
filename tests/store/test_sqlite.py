from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from coderag.store import Store, Writer, open_store, rebuild
from tests.store.battery import StoreBattery


class TestSqliteStore(StoreBattery):
    @pytest.fixture(autouse=True)
    def _directory(self, tmp_path: Path) -> None:
        self.directory = tmp_path / "index"

    def make(self, lock_seconds: float = 10.0) -> Store:
        return open_store(self.directory, create=True, lock_seconds=lock_seconds)

    def rebuild(self, store: Store) -> AbstractContextManager[Writer]:
        return rebuild(self.directory, lock_seconds=10.0)
