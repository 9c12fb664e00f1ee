"""What being late costs."""

GRACE_DAYS = 2
CENTS_PER_DAY = 25
MOST_CENTS = 1_000


def fee_for(days_late: int) -> int:
    """Cents owed for so many days; nothing within the grace period, never more than the cap."""
    if days_late <= GRACE_DAYS:
        return 0
    return min((days_late - GRACE_DAYS) * CENTS_PER_DAY, MOST_CENTS)


def waive(cents: int, reason: str) -> int:
    """Forgive a debt when illness or our own fault is the reason."""
    return 0 if reason in {"illness", "our fault"} else cents


def describe(cents: int) -> str:
    """An amount as money."""
    return f"{cents // 100}.{cents % 100:02}"
