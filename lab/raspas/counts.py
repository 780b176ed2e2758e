"""Counts of a hand that a player can do at the table: whole numbers from aces, kings, small cards and the longest suit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

Array = np.ndarray[Any, Any]


def of_rank(hands: Array, *ranks: int) -> Array:
    """How many cards of these ranks (0: seven … 7: ace) each hand (n,) holds."""
    mask = sum(0x01010101 << rank for rank in ranks)
    return np.bitwise_count(hands & np.uint32(mask)).astype(np.int64)


def lengths(hands: Array) -> Array:
    """The lengths of the four suits, longest first: (n, 4)."""
    suits = np.stack([np.bitwise_count(hands >> np.uint32(8 * suit) & np.uint32(0xFF)) for suit in range(4)], axis=1)
    return -np.sort(-suits.astype(np.int64), axis=1)


@attrs.frozen
class Count:
    """A count: how it is said, and done for many hands (masks, (n,)) at once."""

    words: str
    of: Callable[[Array], Array]


def points(hands: Array) -> Array:
    """Four for an ace, three for a king, two for a queen, one for a jack."""
    return sum((weight * of_rank(hands, rank) for weight, rank in ((4, 7), (3, 6), (2, 5), (1, 4))), np.zeros(len(hands), dtype=np.int64))


def _tops(hands: Array) -> Array:
    return 2 * of_rank(hands, 7) + of_rank(hands, 6)


def _both_ends(hands: Array) -> Array:
    high = sum((weight * of_rank(hands, rank) for weight, rank in ((3, 7), (2, 6), (1, 5))), np.zeros(len(hands), dtype=np.int64))
    return high - of_rank(hands, 2) - 2 * of_rank(hands, 0, 1)


MAIN = "points"  # the one that pages go into
COUNTS: dict[str, Count] = {
    MAIN: Count("4-3-2-1 for ace, king, queen, jack", points),
    "tops": Count("2-1 for ace, king", _tops),
    "tops and length": Count("2-1 for ace, king, and the length of the longest suit", lambda h: _tops(h) + lengths(h)[:, 0]),
    "tops less small": Count("2-1 for ace, king, less 1 for every seven and eight", lambda h: _tops(h) - of_rank(h, 0, 1)),
    "both ends": Count("3-2-1 for ace, king, queen, less 1 for a nine, less 2 for a seven or eight", _both_ends),
}
