"""Orders and what can happen to them."""

from __future__ import annotations

import enum
from dataclasses import dataclass as data

from shop.money import Money, fmt as format_money

RETRY_LIMIT = 5  # DEFINES constant RETRY_LIMIT 10-10
LOW, HIGH = 1, 9  # DEFINES constant LOW 11-11  DEFINES constant HIGH 11-11
rates: dict[str, float] = {}  # DEFINES variable rates 12-12


class State(enum.Enum):  # DEFINES enum State 15-19  REFERS inherit enum.Enum
    """What an order can be."""

    PAID = "paid"  # DEFINES enum-member State.PAID 18-18
    VOID = "void"  # DEFINES enum-member State.VOID 19-19


# Refund window in days.
# Do not change.
@cache  # REFERS call cache
def window(days: int = RETRY_LIMIT) -> int:  # DEFINES function window 22-27  REFERS type int  REFERS read RETRY_LIMIT
    return days
    # legal asked for 14


@data  # REFERS call data
class Order(Base, metaclass=Meta):  # DEFINES class Order 30-60  REFERS inherit Base  REFERS pass Meta
    total: Money  # DEFINES field Order.total 32-32  REFERS type Money
    LIMIT = 3  # DEFINES constant Order.LIMIT 33-33

    def __init__(self, store: Store) -> None:  # DEFINES method Order.__init__ 35-37  REFERS type Store
        self.store = store
        self.log = Log()  # REFERS call Log

    @property
    def paid(self) -> bool:  # DEFINES method Order.paid 39-41
        return self.state is State.PAID  # REFERS read State.PAID  REFERS read self.state

    @paid.setter
    def paid(self, value: bool) -> None:  # DEFINES method Order.paid 43-45
        self.store.put(value)  # REFERS call self.store.put

    async def refund(self, amount):  # DEFINES method Order.refund 47-60
        def audit(entry):  # DEFINES function Order.refund.audit 48-49
            return entry

        from shop.audit import Trail  # an import inside

        if (found := audit(amount)) is None:  # REFERS call audit
            return format_money(amount)  # REFERS call format_money
        for line in found:
            await line.send(Trail().name, callback=window)  # REFERS pass window  REFERS pass Trail().name
        local = [window(n) for n in found]  # REFERS call window
        return (
            local
        )


def on_paid(event): ...  # DEFINES function on_paid 63-63


HANDLERS = {"paid": on_paid}  # DEFINES constant HANDLERS 66-66  REFERS table on_paid


if RETRY_LIMIT > 3:  # REFERS read RETRY_LIMIT

    class Late:  # DEFINES class Late 71-72
        pass
else:
    fallback = None  # DEFINES variable fallback 74-74

pay = lambda order: order.total  # DEFINES function pay 76-76
type Pair = tuple[int, int]  # DEFINES type-alias Pair 77-77
