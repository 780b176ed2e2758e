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


def _honours(hands: Array) -> Array:
    return 2 * of_rank(hands, 7) + of_rank(hands, 6)


COUNTS: dict[str, Count] = {
    "honours": Count("two for an ace, one for a king", _honours),
    "length": Count("two for an ace, one for a king, and the length of the longest suit", lambda h: _honours(h) + lengths(h)[:, 0]),
    "length less sevens": Count(
        "two for an ace, one for a king, the length of the longest suit, less one for every seven",
        lambda h: _honours(h) + lengths(h)[:, 0] - of_rank(h, 0),
    ),
    "shape": Count(
        "two for an ace, one for a king, twice the length of the longest suit, less one for every seven and eight",
        lambda h: _honours(h) + 2 * lengths(h)[:, 0] - of_rank(h, 0, 1),
    ),
}
