"""Suits as they stand in the middle of a deal: what I hold of one, and what of it is still out against me.

Such a pair of holdings (no card in both) is one of 3**8 *standings*; a table of 6561 numbers holds a judgement on each. Who has
the top card, the next one and so on is its *order*: cards that are gone leave no gap there. What is said of chances takes every card
that is out to lie with each opponent who may hold the suit alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.cards import DECK
from engine.jit import highbit, plain, popcount, rule
from engine.table import K_RASPAS

STANDINGS = 3**8
ORDERS = 2**9
OWNERS = 2 * 3**8
ONE = 256  # chances and tricks in tables are in 256ths


def standing_of(mine: int, out: int) -> int:
    """The index of a standing, 0..6560: a ternary digit for each rank, 1 mine, 2 out."""
    return sum(3**rank * ((mine >> rank & 1) + 2 * (out >> rank & 1)) for rank in range(8))


def order_of(mine: int, out: int) -> int:
    """The number of an order, 1..511: 1, then from the top down a binary digit for each card held or out, 1 for mine."""
    number = 1
    for rank in range(7, -1, -1):
        if (mine | out) >> rank & 1:
            number = 2 * number + (mine >> rank & 1)
    return number


def _orders() -> np.ndarray[Any, np.dtype[np.int64]]:
    """`order_of` by standing."""
    orders = np.zeros(STANDINGS, dtype=np.int64)
    for index in range(STANDINGS):
        digits = [index // 3**rank % 3 for rank in range(8)]
        orders[index] = order_of(sum((d == 1) << r for r, d in enumerate(digits)), sum((d == 2) << r for r, d in enumerate(digits)))
    return orders


_MINE = plain(np.array([standing_of(ranks, 0) for ranks in range(256)], dtype=np.int64))
_ORDER = plain(_orders())


@rule
def still_out(v, hand):
    """The cards that, for all the seat knows, others hold: all but those played, turned up in raspas, laid away by itself, in `hand`."""
    seen = DECK & (v.played[0] | v.played[1] | v.played[2] | v.played[3] | v.discard | hand)
    if v.kind == K_RASPAS:
        for k in range(2):
            if v.talon_up[k] >= 0:
                seen |= 1 << v.talon_up[k]
    return DECK & ~seen


@rule
def standing(mine, out):
    """`standing_of` two holdings 0..255 of one suit."""
    return _MINE[mine] + 2 * _MINE[out]


@rule
def order(mine, out):
    """`order_of` two holdings."""
    return _ORDER[standing(mine, out)]


@rule
def owners(mine, second, third):
    """The order of three owners: 1, then from the top down a ternary digit for each card that one of them holds."""
    number = 1
    for k in range(8):
        bit = 128 >> k
        if mine & bit:
            number *= 3
        elif second & bit:
            number = 3 * number + 1
        elif third & bit:
            number = 3 * number + 2
    return number


@rule
def place(mine, out, rank):
    """How many cards of the standing are lower than this rank."""
    return popcount((mine | out) & ((1 << rank) - 1))


@rule
def after_round(out, rank, players):
    """What is left out of a suit after `players` others have played to a card of this rank: just under it if they can, else above."""
    for _ in range(players):
        lower = out & ((1 << rank) - 1)
        if lower != 0:
            out &= ~(1 << highbit(lower))
        elif out != 0:
            out &= out - 1
    return out


@rule
def stays_best(out, rank, holders, players):
    """The chance (in 256ths) that `players` others, who beat only when they must, leave a card of this rank the best of its suit.

    `out`: what is out of the suit; `holders`: how many opponents may hold it. Each of `players` is one of them.
    """
    if players == 0:
        return ONE
    lower = popcount(out & ((1 << rank) - 1))
    higher = popcount(out) - lower
    if higher == 0:
        return ONE
    if holders == 1:
        return ONE if lower > 0 else 0
    if players == 1:
        return ONE - (ONE >> lower) + (ONE >> (lower + higher))
    # both must have something lower or nothing at all: with nothing lower out, whoever has a higher card must beat
    return 0 if lower == 0 else ONE - 2 * ((ONE >> lower) - (ONE >> (lower + higher)))
