"""Reservations: readers wait in line for a copy."""

from collections import deque


class HoldQueue:
    """First come, first served; whoever does not fetch a copy in time loses the place."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[str]] = {}

    def join(self, copy_id: str, member_id: str) -> int:
        """Put a reader at the end of the line; the position, from 1."""
        line = self._waiting.setdefault(copy_id, deque())
        if member_id not in line:
            line.append(member_id)
        return line.index(member_id) + 1

    def next_for(self, copy_id: str) -> str | None:
        line = self._waiting.get(copy_id)
        return line[0] if line else None

    def expire(self, copy_id: str) -> None:
        """The first reader did not come: the next one has a turn."""
        line = self._waiting.get(copy_id)
        if line:
            line.popleft()
