"""Suit codes: one suit of a position as a small number, and what is known of each number in advance.

A suit's *code* lists, from the highest remaining card down, who holds it: 0 the declarer, 1 and 2 the next two seats
clockwise. Ranks do not appear, so a suit in which the king has gone is the same suit as one that never had it, and equal
positions meet whatever their cards are. A list of n owners is read as a number in base 3 (the highest card is the lowest
digit) and the lists of different lengths are put one after the other: `FIRST[n] + number`, 9,841 codes for up to 8 cards.
A card is named by its suit and its *place*, 0 for the highest card of the suit.

`SUMS` are packed words, one per code, whose fields are so wide that the words of four suits can be added without a
carry: the kernel adds four words and reads a field of the sum. What the fields claim stands in `bounds.py`.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

LONGEST = 8  # cards in a suit
FIRST = tuple((3**n - 1) // 2 for n in range(LONGEST + 2))  # the first code of n cards
CODES = FIRST[LONGEST + 1]
CODE_BITS = 14  # a code's place in a packed position
CODE_MASK = (1 << CODE_BITS) - 1
NOWHERE = 15  # the place of a card that does not exist: below every card

Places = NDArray[np.int64]


class Suits:
    """Every code at once, as arrays over codes.

    `owner[c, place]` (3: no card), `count[c, seat]`, `high[c, seat, k]` the place of the seat's k-th highest card and
    `low[c, seat, k]` of its k-th lowest, `NOWHERE` where it has no k-th card.
    """

    def __init__(self) -> None:
        self.owner = np.full((CODES, LONGEST), 3, dtype=np.int64)
        for n in range(1, LONGEST + 1):
            number = np.arange(3**n)
            for place in range(n):
                self.owner[FIRST[n] : FIRST[n + 1], place] = number // 3**place % 3
        self.length = (self.owner < 3).sum(axis=1)
        held = self.owner[:, None, :] == np.arange(3)[None, :, None]
        self.count = held.sum(axis=2)
        self.cards = (held << np.arange(LONGEST)).sum(axis=2)
        self.high, self.low = self.ladders(held)

    @staticmethod
    def ladders(held: NDArray[np.bool_]) -> tuple[Places, Places]:
        """The places of the cards in `held[..., place]`, from the highest down and from the lowest up."""
        places = np.where(held, np.arange(LONGEST), NOWHERE)
        high = np.sort(places, axis=-1)
        low = -np.sort(-np.where(held, np.arange(LONGEST), -1), axis=-1)
        return high, np.where(low < 0, NOWHERE, low)

    def union(self, *seats: int) -> tuple[Places, Places, NDArray[np.int64]]:
        """The ladders and the count of several seats' cards taken together."""
        held = np.isin(self.owner, seats)
        return *self.ladders(held), held.sum(axis=1)

    def touching(self) -> NDArray[np.int64]:
        """`[c, seat]`: the seat's cards as a mask of places, only the highest of each run of neighbours."""
        return self.cards & ~(self.cards << 1)

    def after(self) -> NDArray[np.int64]:
        """`[c, place]`: the code without the card at that place (0 where there is no card)."""
        result = np.zeros((CODES, LONGEST), dtype=np.int64)
        for n in range(1, LONGEST + 1):
            number = np.arange(3**n)
            for place in range(n):
                rest = number % 3**place + number // 3 ** (place + 1) * 3**place
                result[FIRST[n] : FIRST[n + 1], place] = FIRST[n - 1] + rest
        return result


def code_of(owners: list[int]) -> int:
    """The code of a suit whose remaining cards, highest first, are held by `owners`."""
    return FIRST[len(owners)] + sum(owner * 3**place for place, owner in enumerate(owners))


@cache
def suits() -> Suits:
    return Suits()


def pack(fields: dict[str, tuple[int, Any]], shifts: dict[str, int]) -> NDArray[np.int64]:
    """One word per code from fields given as name: (width in bits, values); notes where each field begins."""
    word = np.zeros(CODES, dtype=np.int64)
    at = 0
    for name, (width, values) in fields.items():
        shifts[name] = at
        word |= np.asarray(values).astype(np.int64) << at
        at += width
    assert at < 63
    return word
