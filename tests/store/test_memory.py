from __future__ import annotations

from contextlib import AbstractContextManager

import pytest

from coderag.store import MemoryStore, Store, Writer
from tests.store.battery import StoreBattery


class TestMemoryStore(StoreBattery):
    @pytest.fixture(autouse=True)
    def _one_store(self) -> None:
        self.only = MemoryStore()

    def make(self, lock_seconds: float = 10.0) -> Store:
        self.only.lock_seconds = lock_seconds
        return self.only

    def rebuild(self, store: Store) -> AbstractContextManager[Writer]:
        return self.only.rebuild()
