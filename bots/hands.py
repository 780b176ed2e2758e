"""What bots count in a hand: suits as indexes of small tables, cards still out, cards that win the trick.

A suit of a hand is a number 0..255 (bit *i*: the card of rank *i*), so that whatever a rule of thumb says of a holding
stands in a table of 256 numbers. Estimates of tricks are whole numbers of *quarters* (4 is one trick).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import contracts
from engine.cards import DECK, NO_TRUMP, SUIT
from engine.jit import highbit, lowbit, plain, rule

QUARTERS = 4


def suit_table(value: Callable[[list[int]], int]) -> Any:
    """A table over all holdings of a suit: `value` is given the ranks held, from the ace (7) down."""
    rows = [value([rank for rank in range(7, -1, -1) if holding >> rank & 1]) for holding in range(256)]
    return plain(np.array(rows, dtype=np.int64))


LENGTH = suit_table(len)
RUNG = plain(np.array([[contracts.rung_of(level, trump) for trump in range(5)] for level in range(6, 11)], dtype=np.int64))


@rule
def holding(mask, suit):
    """The cards of one suit in a set of cards, as an index into suit tables."""
    return (mask >> 8 * suit) & SUIT


@rule
def out_of_sight(v):
    """The cards that are neither played nor in this seat's hand nor in its own discard."""
    return DECK & ~(v.played[0] | v.played[1] | v.played[2] | v.played[3] | v.hand | v.discard)


@rule
def above(card):
    """The set of higher cards of the card's suit."""
    return (SUIT << (card & 24)) & (-2 << card)


@rule
def masters(hand, out):
    """The cards of `hand` that no card of `out` in their own suit can beat."""
    found = 0
    for suit in range(4):
        mine = holding(hand, suit)
        if mine != 0:
            theirs = holding(out, suit)
            top = 0 if theirs == 0 else 1 + highbit(theirs)
            found |= ((mine >> top) << top) << 8 * suit
    return found


@rule
def winners(v):
    """The legal cards that would take the trick as it lies; all of them when there is no trick yet."""
    mask = v.legal
    if v.led < 0:
        return mask
    if v.best_card < 0:  # a talon card that only names the suit
        return mask & (SUIT << 8 * v.led)
    best = v.best_card
    found = mask & above(best)
    if v.trump != NO_TRUMP and best >> 3 != v.trump:
        found |= mask & (SUIT << 8 * v.trump)
    return found


@rule
def lowest(mask):
    """The card of lowest rank in a set (not empty); of equals the one in the lowest suit."""
    ranks = (mask | mask >> 8 | mask >> 16 | mask >> 24) & SUIT
    return lowbit(mask & (0x01010101 << lowbit(ranks)))


@rule
def highest(mask):
    """The card of highest rank in a set (not empty); of equals the one in the lowest suit."""
    ranks = (mask | mask >> 8 | mask >> 16 | mask >> 24) & SUIT
    return lowbit(mask & (0x01010101 << highbit(ranks)))
