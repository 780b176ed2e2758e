"""Counting finished deals in one compiled pass: contracts, whist words, raspas, and the sheets they wrote.

Everything is a sum of integers, so tallies of blocks add up in any order. A sheet is summed over deals with the seats renamed
by role; because settlement is linear, settling such a sum gives the exact value of a whole class of deals to each role.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from conventions import settlement
from engine import contracts, seats
from engine.jit import rule, rule_inline
from engine.table import E_GAVE_UP, E_HALF, E_PLAYED, K_GAME, K_MISERE, K_RASPAS, UNIT

# what became of a contract
MADE = 0  # played, and made
FAILED = 1  # played, and not made
UNWHISTED = 2  # nobody whisted: made without play
HALF = 3  # settled at half a whist: made without play
GAVE_UP = 4  # «без трёх»
OUTCOMES = ("made", "failed", "unwhisted", "half", "gave_up")

# classes of deals whose sheets are summed: contracts by rung (16: misère), then raspas by state, then give-ups
RASPAS_CLASS = 27  # + state, 1..3
GIVE_UP_CLASS = 31
CLASSES = 32

# roles of seats in a summed sheet: declarer, first and second defender (raspas: first, second, third hand), talon-sitter
ROLES = 4

# what a defender finally was (D_* less one); SITTER stands for the other one where the talon-sitter whisted
WORDS = ("pass", "whist", "half")
SITTER = 3

# how a raspas state above the first was left
EXITS = ("played", "half", "unwhisted")

COURSE = 256  # deals of a pulka whose course is followed

TALLY = np.dtype(
    [
        ("deals", "i8"),
        ("bids", "i8", (4, 27)),  # player, rung: auctions won
        ("contracts", "i8", (4, 27, 5)),  # player, rung ordered, outcome
        ("checked", "i8", (27,)),  # tens that nobody might whist, among those played
        ("refused", "i8"),  # talons refused
        ("stalingrads", "i8"),  # six spades that both had to whist: no words are counted for them
        ("tricks", "i8", (27, 11)),  # rung, the declarer's tricks where the cards were played
        ("sheets", "i8", (CLASSES, ROLES, 3)),  # class, role; pool, mountain, whists written less whists against (sixths)
        ("class_deals", "i8", (CLASSES,)),
        ("defence", "i8", (4, 5, 3)),  # player, level, word: what each defender finally was
        ("opened", "i8", (5, 2)),  # level; closed, open: lone whists
        ("words", "i8", (5, 3, 4)),  # level, a defender's final word, the other's
        ("word_sheets", "i8", (5, 3, 4, ROLES, 3)),  # the same; roles: he himself, declarer, the other defender, talon-sitter
        ("raspas", "i8", (4,)),  # by state, 1..3
        ("forced", "i8"),
        ("raspas_tricks", "i8", (4, 4, 11)),  # player, state, tricks: seats that held cards
        ("sitter_tricks", "i8", (4, 11)),  # state, tricks of the talon-sitter
        ("states", "i8", (4,)),  # deals by raspas state
        ("exits", "i8", (4, 3)),  # state, way out
        ("course", "i8", (COURSE, 3)),  # deal of the pulka: deals, sum of pools, sum of mountains (sixths)
    ]
)
_COUNTERS = TALLY.itemsize // 8


def new_tally() -> np.ndarray[Any, Any]:
    """An empty tally: shape (1,), dtype `TALLY`."""
    return np.zeros(1, dtype=TALLY)


def add(into: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> None:
    """Add one tally to another in place."""
    into.view(np.int64)[:] += other.view(np.int64)


def to_sparse(tally: np.ndarray[Any, Any]) -> list[int]:
    """The counters that are not 0 as a flat list: place, value, place, value … (for a manifest)."""
    flat = tally.view(np.int64)
    places = np.flatnonzero(flat)
    return np.stack([places, flat[places]], axis=1).ravel().tolist()


def from_sparse(pairs: Iterable[int]) -> np.ndarray[Any, Any]:
    """A tally from `to_sparse`; ValueError if that is not what it is."""
    numbers = np.asarray(list(pairs), dtype=np.int64).reshape(-1, 2)
    if len(numbers) and not 0 <= numbers[:, 0].min() <= numbers[:, 0].max() < _COUNTERS:
        raise ValueError("a counter that this version does not have")
    tally = new_tally()
    tally.view(np.int64)[numbers[:, 0]] = numbers[:, 1]
    return tally


def worth(sheet: np.ndarray[Any, Any], seats: int, pool_worth: int, mountain_worth: int) -> list[Fraction]:
    """What a summed sheet (shape (roles, 3)) is worth to each role, in whists: exact, because settlement is linear.

    Which role wrote whists on which does not matter to a settlement, only what each wrote less what was written on it.
    """
    pool, mountain, net = ([Fraction(int(v), UNIT) for v in column[:seats]] for column in sheet.T)
    whists = [[net[a] if a and not b else Fraction(0) for b in range(seats)] for a in range(seats)]
    return settlement.settle(pool, mountain, whists, pool_worth, mountain_worth)


@rule_inline
def _add(sheet, role, t, seat, nets):
    """Add what the deal wrote for one seat: pool, mountain, whists written less whists against."""
    sheet[role, 0] += t.d_pool[seat]
    sheet[role, 1] += t.d_mountain[seat]
    sheet[role, 2] += nets[seat]


@rule_inline
def _contract(y, t, p, player, players, first, second, nets):
    """A trick contract or a misère. Returns the class of the deal."""
    rung = t.contract
    y.bids[player, t.bid] += 1
    y.refused += t.refused
    if t.ended == E_GAVE_UP:
        y.contracts[player, rung, GAVE_UP] += 1
        return GIVE_UP_CLASS
    if t.ended == E_PLAYED:
        taken = t.tricks[t.declarer]
        y.tricks[rung, taken] += 1
        made = taken == 0 if t.kind == K_MISERE else taken >= contracts.LEVEL[rung]
        y.contracts[player, rung, MADE if made else FAILED] += 1
        y.checked[rung] += t.checked
    elif t.ended == E_HALF:
        y.contracts[player, rung, HALF] += 1
    else:
        y.contracts[player, rung, UNWHISTED] += 1
    if t.kind == K_GAME and t.checked == 0:
        if rung == contracts.SIX_SPADES and p.stalingrad != 0:
            y.stalingrads += 1
        else:
            _words(y, t, players, first, second, nets)
    return rung


@rule_inline
def _words(y, t, players, first, second, nets):
    """The defenders' final words and what each of them earned."""
    level = contracts.LEVEL[t.contract] - 6
    sat = t.seats == 4 and t.whister >= 0 and t.whister == t.dealer
    for k in range(2):
        me = second if k else first
        other = first if k else second
        mine = t.defence[me] - 1
        theirs = SITTER if sat else t.defence[other] - 1
        y.defence[players[me], level, mine] += 1
        y.words[level, mine, theirs] += 1
        sheet = y.word_sheets[level, mine, theirs]
        _add(sheet, 0, t, me, nets)
        _add(sheet, 1, t, t.declarer, nets)
        _add(sheet, 2, t, other, nets)
        if t.seats == 4:
            _add(sheet, 3, t, t.dealer, nets)
    if t.whister >= 0 and not sat:
        y.opened[level, t.opened] += 1


@rule_inline
def _raspas(y, t, players):
    state = t.level
    y.raspas[state] += 1
    y.forced += t.forced
    for seat in range(t.seats):
        if t.seats == 4 and seat == t.dealer:
            y.sitter_tricks[state, t.tricks[seat]] += 1
        else:
            y.raspas_tricks[players[seat], state, t.tricks[seat]] += 1


@rule
def count(rows, procedures, seatings, tally):
    """Count finished deals (`rows`: shape (n,), dtype `TABLE`; `seatings`: players by seating and seat) into `tally[0]`."""
    y = tally[0]
    p = procedures[0]
    nets = np.zeros(4, dtype=np.int64)
    for i in range(len(rows)):
        t = rows[i]
        players = seatings[t.pulka % seatings.shape[0]]
        y.deals += 1
        y.states[t.level] += 1
        for seat in range(t.seats):
            net = 0
            for other in range(t.seats):
                net += t.d_whists[seat, other] - t.d_whists[other, seat]
            nets[seat] = net
        first = (t.dealer + 1) % t.seats if t.declarer < 0 else t.declarer
        second = seats.after(t, first)
        third = seats.after(t, second)
        if t.kind == K_RASPAS:
            _raspas(y, t, players)
            kind = RASPAS_CLASS + t.level
        else:
            kind = _contract(y, t, p, players[t.declarer], players, second, third, nets)
        y.class_deals[kind] += 1
        sheet = y.sheets[kind]
        _add(sheet, 0, t, first, nets)
        _add(sheet, 1, t, second, nets)
        _add(sheet, 2, t, third, nets)
        if t.seats == 4:
            _add(sheet, 3, t, t.dealer, nets)
        if t.level > 1 and t.next_level == 1 and t.kind != K_RASPAS:
            y.exits[t.level, 0 if t.ended == E_PLAYED else 1 if t.ended == E_HALF else 2] += 1
        at = t.deal_no - 1
        if at < COURSE:
            y.course[at, 0] += 1
            for seat in range(t.seats):
                y.course[at, 1] += t.pool[seat] + t.pool_done[seat]
                y.course[at, 2] += t.mountain[seat] + t.mountain_done[seat]
