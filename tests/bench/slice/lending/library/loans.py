"""Loans: who has which copy, until when."""

from dataclasses import dataclass
from datetime import date, timedelta

from library.fees import fee_for
from library.holds import HoldQueue
from library.members import Member
from library.storage import Store

LOAN_DAYS = 21
MOST_RENEWALS = 2


@dataclass
class Loan:
    copy_id: str
    member_id: str
    due: date
    renewals: int = 0

    def is_overdue(self, today: date) -> bool:
        return today > self.due


class LoanDesk:
    """Hands out copies and takes them back."""

    def __init__(self, store: Store, holds: HoldQueue) -> None:
        self.store = store
        self.holds = holds

    def lend(self, copy_id: str, member: Member, today: date) -> Loan:
        """Hand a copy to a member, unless the member is suspended or somebody else waits for it."""
        if member.suspended:
            raise PermissionError("a suspended member cannot borrow")
        if self.holds.next_for(copy_id) not in (None, member.id):
            raise ValueError("the copy is kept for another reader")
        loan = Loan(copy_id, member.id, today + timedelta(days=LOAN_DAYS))
        self.store.put("loans", copy_id, loan)
        return loan

    def renew(self, copy_id: str, today: date) -> Loan:
        """Give more time, at most MOST_RENEWALS times and not while anybody waits."""
        loan = self.store.get("loans", copy_id)
        if loan.renewals >= MOST_RENEWALS or self.holds.next_for(copy_id):
            raise ValueError("this loan cannot be extended")
        loan.renewals += 1
        loan.due = today + timedelta(days=LOAN_DAYS)
        return loan

    def take_back(self, copy_id: str, today: date) -> int:
        """Close the loan and say what is owed, in cents."""
        loan = self.store.get("loans", copy_id)
        self.store.delete("loans", copy_id)
        return fee_for((today - loan.due).days)
