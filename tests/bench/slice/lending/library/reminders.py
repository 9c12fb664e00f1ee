"""Letters to readers: what is due soon, what is late, what has arrived."""

from datetime import date, timedelta

from library.loans import Loan

DAYS_BEFORE = 3


class Outbox:
    """Collects letters; at most one a day for each reader."""

    def __init__(self, send) -> None:
        self._send = send
        self._last: dict[str, date] = {}

    def deliver(self, member_id: str, text: str, today: date) -> bool:
        if self._last.get(member_id) == today:
            return False
        self._last[member_id] = today
        self._send(member_id, text)
        return True


def remind(loans: list[Loan], outbox: Outbox, today: date) -> int:
    """Write to everybody whose loan ends soon; how many letters went out."""
    soon = today + timedelta(days=DAYS_BEFORE)
    return sum(outbox.deliver(loan.member_id, f"{loan.copy_id} is due", today) for loan in loans if loan.due == soon)
