"""The sheet (пулька): entries of one deal, written to the deal and to the running sheet at once, in sixths of a point.

Pool points go through `conventions.closing`, because a full pool may have to help.
"""

from engine.jit import rule_inline


@rule_inline
def clear(t):
    """Nothing is written yet for this deal."""
    for a in range(4):
        t.d_pool[a] = 0
        t.d_mountain[a] = 0
        for b in range(4):
            t.d_whists[a, b] = 0


@rule_inline
def add_pool(t, seat, sixths):
    """Write into the seat's own pool (пуля)."""
    t.d_pool[seat] += sixths
    t.pool[seat] += sixths


@rule_inline
def add_mountain(t, seat, sixths):
    """Write into (or, negative, off) the seat's mountain (гора)."""
    t.d_mountain[seat] += sixths
    t.mountain[seat] += sixths


@rule_inline
def add_whists(t, seat, on, sixths):
    """`seat` writes whists (висты) on another seat."""
    t.d_whists[seat, on] += sixths
    t.whists[seat, on] += sixths
