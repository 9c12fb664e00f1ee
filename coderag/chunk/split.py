"""Cut what is too long at the best borders. Pure: lines in, ranges of lines out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

EARLIEST = 0.5  # a part ends in the second half of its budget, so that parts are of like size and few


def split_lines(
    sizes: Sequence[int], borders: Mapping[int, int], max_lines: int, max_bytes: int
) -> list[tuple[int, int]]:
    """Ranges [first, end) of positions in `sizes` (bytes by line), each within both limits, cut where depth is least.

    `borders` maps a position before which a cut is good to its depth (0 is best). Without one in reach the cut falls on
    the limit; a line that is longer than `max_bytes` is a part of its own.
    """
    ranges: list[tuple[int, int]] = []
    first = 0
    while first < len(sizes):
        limit = _limit(sizes, first, max_lines, max_bytes)
        end = limit if limit >= len(sizes) else _best_cut(borders, first, limit)
        ranges.append((first, end))
        first = end
    return ranges


def _limit(sizes: Sequence[int], first: int, max_lines: int, max_bytes: int) -> int:
    """The furthest end that the limits allow, at least one line on."""
    total, position = 0, first
    while position < len(sizes) and position - first < max_lines:
        total += sizes[position]
        if total > max_bytes and position > first:
            break
        position += 1
    return position


def _best_cut(borders: Mapping[int, int], first: int, limit: int) -> int:
    earliest = first + max(1, int((limit - first) * EARLIEST))
    best, best_depth = limit, 1 << 30
    for position in range(limit, earliest - 1, -1):
        depth = borders.get(position, 1 << 30)
        if depth < best_depth:
            best, best_depth = position, depth
    return best
