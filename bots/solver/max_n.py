"""A raspas in which every seat looks after itself: exact max^n, for endings (`docs/rules.md` 6.1, 6.2).

Each seat minimises its own tricks. A seat that does not care (equal own tricks) chooses what gives the next seat clockwise
the most, and where that is equal too (only a talon card that takes a trick leaves a difference) the seat after it. The rule
speaks of outcomes, not of cards, so that the vector of tricks is unique. Nothing can be pruned: every line is played out,
with a table of the positions met at the start of a trick.
"""

from typing import Any

import numpy as np

from bots.solver.root import NO_CARD, NOBODY, legal_cards, number, position_of, takes_over, twin, under_way
from engine.jit import highbit, popcount, rule, rule_inline

TABLE_BITS = 20
TABLE_SIZE = 1 << TABLE_BITS
LEADER_AT = 56
POSITION_MASK = (1 << 58) - 1
HALF = 29
ODD = 0x2545F4914F6CDD1D & POSITION_MASK
VECTOR_BITS = 12  # three counts of four bits
VECTOR_MASK = (1 << VECTOR_BITS) - 1
NO_TRUMP = 4


@rule_inline
def worth(vector, seat):
    """What a seat makes of an outcome, the more the better."""
    own = vector >> 4 * seat & 15
    following = vector >> 4 * ((seat + 1) % 3) & 15
    last = vector >> 4 * ((seat + 2) % 3) & 15
    return (15 - own) << 8 | following << 4 | last


@rule
def outcome(table, h0, h1, h2, live, first, played, led, winner, best, next_talon, on_talon, takes):
    """The tricks of seats 0, 1, 2 from here on, packed four bits each; arguments as in `root.play`, seats not rotated.

    table: int64 (TABLE_SIZE,), the scrambled position and its vector by slot, 0: empty.
    """
    won = number(0)
    if played == 3:
        if winner != NOBODY:
            won = number(1 << 4 * winner)
        led, played, best = number(-1), number(0), number(NO_CARD)
        live = h0 | h1 | h2
        if on_talon and next_talon >= 0:
            led, winner = next_talon >> 3, number(NOBODY)
            if takes:
                best = next_talon
                live |= 1 << next_talon
            next_talon = number(NO_CARD)
        else:
            first = first if on_talon else winner
            winner, on_talon = first, number(0)
        if live == 0:
            return won
    slot, tag = number(0), number(0)
    stored = played == 0 and not on_talon
    if stored:
        x = position_of(h0, h1, h2, NO_TRUMP) | first << LEADER_AT
        x ^= x >> HALF
        x = x * ODD & POSITION_MASK
        x ^= x >> HALF
        slot, tag = x & TABLE_SIZE - 1, x >> TABLE_BITS
        if table[slot] >> VECTOR_BITS == tag and table[slot]:
            return won + (table[slot] & VECTOR_MASK)
    seat = (first + played) % 3
    hand = h0 if seat == 0 else h1 if seat == 1 else h2
    cards = legal_cards(hand, led, NO_TRUMP)
    found = number(-1)
    while cards:
        card = highbit(cards)
        bit = 1 << card
        cards &= ~bit
        if twin(card, hand, live) >= 0:
            continue
        suit = card >> 3 if led < 0 else led
        over = takes_over(card, suit, NO_TRUMP, best)
        g0 = h0 & ~bit if seat == 0 else h0
        g1 = h1 & ~bit if seat == 1 else h1
        g2 = h2 & ~bit if seat == 2 else h2
        who, top = (seat, card) if over else (winner, best)
        vector = outcome(table, g0, g1, g2, live, first, played + 1, suit, who, top, next_talon, on_talon, takes)
        if found < 0 or worth(vector, seat) > worth(found, seat):
            found = vector
    if stored:
        table[slot] = tag << VECTOR_BITS | found
    return won + found


@rule
def outcome_of(positions, table):
    """The packed vector of `positions[0]`, a `root.POSITION` record."""
    p = positions[0]
    h0, h1, h2 = number(p.hands[0]), number(p.hands[1]), number(p.hands[2])
    first, takes = number(p.leader), number(p.talon_takes)
    next_talon = number(p.talon[1])
    on_table, led, winner, best, played, on_talon = under_way(p, first, NO_TRUMP)
    live = h0 | h1 | h2 | on_table
    return outcome(table, h0, h1, h2, live, first, played, led, winner, best, next_talon, on_talon, takes)


def new_table() -> Any:
    return np.zeros(TABLE_SIZE, dtype=np.int64)


assert popcount(VECTOR_MASK) == VECTOR_BITS
