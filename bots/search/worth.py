"""What a finished deal is worth to one seat: the scorer writes it, the settlement says what an entry comes to.

No scoring rule stands here. A settlement is linear in what the sheet holds, so `coefficients` asks `conventions.settlement` what one
sixth of a point in each place is worth to each seat, and a compiled sum over a deal's entries does the rest. A deal that is not
played to its end is finished by giving the engine the tricks it would have come to.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from conventions import settlement
from engine import machine, pulka, seats, view
from engine.jit import call_bot, plain, rule
from engine.table import D_WHIST, E_PLAYED, K_GAME, P_CHOICE, new_tables

ENTRIES = 24  # four pools, four mountains, sixteen whists
HALVES = 2  # values are doubled: where the defence's tricks can be shared in two ways both count


def coefficients(rules: np.ndarray[Any, Any]) -> Any:
    """What one sixth in each of the `ENTRIES` places of a sheet is worth to each seat, in 1/72 whist: int64 (4, ENTRIES)."""
    units = new_tables(ENTRIES)
    units["seats"] = rules["seats"][0]
    for k in range(4):
        units["pool"][k, k] = 1
        units["mountain"][4 + k, k] = 1
    for k in range(16):
        units["whists"][8 + k, k // 4, k % 4] = 1
    worth = settlement.settle_tables(units, int(rules["pool_worth"][0]), int(rules["mountain_worth"][0]))
    return plain(np.ascontiguousarray(worth.T))


@rule
def worth_of(t, worth, seat):
    """What the deal just written is worth to `seat`, in 1/72 whist."""
    total = 0
    for a in range(t.seats):
        total += worth[seat, a] * t.d_pool[a] + worth[seat, 4 + a] * t.d_mountain[a]
        for b in range(t.seats):
            total += worth[seat, 8 + 4 * a + b] * t.d_whists[a, b]
    return total


@rule
def choose(t, v, p, scorer, rules, bot):
    """Have the scoring choices that a finished deal leaves made by `bot`; `v` is a view to work with."""
    while t.phase == P_CHOICE:
        legal = machine.legal(t, p)
        view.fill(t, v, t.actor, legal)
        machine.apply(t, p, scorer, rules, call_bot(bot, v, rules))


@rule
def finish(t, s, v, p, scorer, rules, bot, took, more):
    """Into `s`: table `t` as if its play had ended with `took` tricks for the declarer.

    Of the tricks the defenders have still to take, the one after the declarer gets half, rounded up with `more` 1, else down.
    """
    view.copy_table(t, s)
    first = seats.after(s, s.declarer)
    second = seats.after(s, first)
    left = 10 - took - s.tricks[first] - s.tricks[second]
    s.tricks[first] += (left + more) // 2
    s.tricks[second] += left - (left + more) // 2
    s.tricks[s.declarer] = took
    s.trick_no = 10
    s.ended = E_PLAYED
    pulka.end_deal(s, p, scorer, rules)
    choose(s, v, p, scorer, rules, bot)


@rule
def values(t, s, v, p, scorer, rules, bot, worth, seat, out):
    """Into `out[k]`: what the deal on table `t` is worth to `seat` if the declarer ends with k tricks, in 1/144 whist.

    Tricks the declarer cannot end with any more are left as they are.
    """
    first = seats.after(t, t.declarer)
    second = seats.after(t, first)
    most = 10 - t.tricks[first] - t.tricks[second]
    shared = t.kind == K_GAME and t.defence[first] == D_WHIST and t.defence[second] == D_WHIST
    for took in range(t.tricks[t.declarer], most + 1):
        finish(t, s, v, p, scorer, rules, bot, took, 0)
        value = worth_of(s, worth, seat)
        if shared:
            finish(t, s, v, p, scorer, rules, bot, took, 1)
            out[took] = value + worth_of(s, worth, seat)
        else:
            out[took] = HALVES * value
