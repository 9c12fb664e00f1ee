"""Everything that is kept, in SQLite."""

import json
import sqlite3
import time
from contextlib import contextmanager

ATTEMPTS = 5


class Store:
    """Records by table and key."""

    def __init__(self, path: str) -> None:
        self._connection = sqlite3.connect(path)
        self._connection.execute("CREATE TABLE IF NOT EXISTS records (kind TEXT, key TEXT, body TEXT)")

    def get(self, kind: str, key: str):
        row = self._connection.execute("SELECT body FROM records WHERE kind = ? AND key = ?", (kind, key)).fetchone()
        return json.loads(row[0]) if row else None

    def put(self, kind: str, key: str, value: object) -> None:
        with self.transaction():
            self.delete(kind, key)
            self._connection.execute("INSERT INTO records VALUES (?, ?, ?)", (kind, key, json.dumps(value)))

    def delete(self, kind: str, key: str) -> None:
        self._connection.execute("DELETE FROM records WHERE kind = ? AND key = ?", (kind, key))

    @contextmanager
    def transaction(self):
        """Commit at the end, roll back on an error; while the database is locked try again with growing pauses."""
        for attempt in range(ATTEMPTS):
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                break
            except sqlite3.OperationalError:
                time.sleep(0.05 * 2**attempt)
        try:
            yield
            self._connection.commit()
        except BaseException:
            self._connection.rollback()
            raise
