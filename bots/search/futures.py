"""What comes of an action in a layout: the deal goes on under the engine's rules with a bot of the house at every seat.

A *job* is a table, up to three actions to begin with, and a seat to whom the outcome matters. Either the deal is played to its
end (a playout), or it goes on to the first moment of trick play and the cards are left to the double-dummy solver: then the job
comes back as a solver's position with the worth of every number of tricks the declarer can end with.

In a playout the seat may choose some of its later cards by search too: `deeper` of them are the best of all it could play, the
others answering as the bot does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bots.search import worth
from bots.solver.root import twin
from engine import machine, seats, view
from engine.cards import DECK
from engine.jit import call_bot, lowbit, rule, rule_variant
from engine.table import K_GAME, K_RASPAS, P_DEAL, P_OVER, P_PLAY

STEPS = 3  # two discards and an order
NONE = 255
SHARES = 16  # what playouts count is a number of sixteenths
WORST = -(1 << 30)  # the value of what cannot be

# how a job came out
PLAYED = 0
TO_SOLVE = 1
IMPOSSIBLE = 2  # one of its actions is not legal

JOB = np.dtype([("table", "i8"), ("steps", "u1", (STEPS,)), ("seat", "i1"), ("solve", "i1"), ("deeper", "i1")], align=True)
MOST_DEEPER = 2
SCRATCH = 1 + MOST_DEEPER  # tables to work with
TRICKS = 11  # the declarer ends with 0..10


@rule
def position_of(t, out):
    """The position on table `t`, a trick game or misère, for the solver: seats in the order of play from first hand."""
    for place in range(3):
        seat = (t.dealer + 1 + place) % t.seats
        out.hands[place] = t.hands[seat]
    for k in range(2):
        out.table[k] = -1
        out.talon[k] = -1
    seat = t.leader
    for k in range(t.in_trick):
        out.table[k] = t.trick[seat]
        seat = seats.after(t, seat)
    out.game = t.trump if t.kind == K_GAME else 5
    out.declarer = seats.hand_order(t, t.declarer)
    out.leader = seats.hand_order(t, t.leader)
    out.talon_takes = 0
    out.guess = -1


@rule
def over(t):
    """Whether the deal has been written."""
    return t.phase == P_DEAL or t.phase == P_OVER


@rule
def said_by(t, v, p, rules, bot, legal):
    """What `bot` does at table `t`; the lowest legal action if it does not know."""
    action = machine.first_action(t) + lowbit(legal)
    if legal & (legal - 1):
        view.fill(t, v, t.actor, legal)
        said = call_bot(bot, v, rules)
        if machine.is_legal(t, legal, said):
            action = said
    return action


@rule
def play_out(scratch, at, v, p, scorer, rules, bot, weights, seat):
    """What the deal on `scratch[at]` comes to for `seat`, in 1/144 whist, with `bot` at every seat."""
    t = scratch[at]
    while not over(t):
        machine.apply(t, p, scorer, rules, said_by(t, v, p, rules, bot, machine.legal(t, p)))
    return worth.HALVES * worth.worth_of(t, weights, seat)


def _searching(below: Any, deeper: int) -> Any:
    """`play_out` with `deeper` cards of the seat chosen by search; `below`: the same with one card less."""

    def play_out_searching(scratch, at, v, p, scorer, rules, bot, weights, seat):
        t = scratch[at]
        s = scratch[at + 1]
        while not over(t):
            legal = machine.legal(t, p)
            if t.phase == P_PLAY and t.actor == seat and legal & (legal - 1):
                live = (t.hands[0] | t.hands[1] | t.hands[2] | t.hands[3]) & DECK
                for k in range(4):
                    if t.trick[k] >= 0:
                        live |= 1 << t.trick[k]
                best = WORST
                cards = legal
                while cards != 0:
                    card = lowbit(cards)
                    cards &= cards - 1
                    if twin(card, legal, live) < 0:
                        view.copy_table(t, s)
                        machine.apply(s, p, scorer, rules, card)
                        best = max(best, below(scratch, at + 1, v, p, scorer, rules, bot, weights, seat))
                return best
            machine.apply(t, p, scorer, rules, said_by(t, v, p, rules, bot, legal))
        return worth.HALVES * worth.worth_of(t, weights, seat)

    return rule_variant(play_out_searching, str(deeper))


play_out_1 = _searching(play_out, 1)
play_out_2 = _searching(play_out_1, 2)


@rule
def play_on(t, v, p, scorer, rules, bot):
    """The deal goes on with `bot` at every seat to the first card of trick play other than raspas, else to its end."""
    while not over(t) and (t.phase != P_PLAY or t.kind == K_RASPAS):
        machine.apply(t, p, scorer, rules, said_by(t, v, p, rules, bot, machine.legal(t, p)))


@rule
def explore(tables, jobs, p_array, scorer, rules, bot, weights, scratch, work, states, positions, values):
    """Carry out every job: `states[j]` says how it came out.

    `PLAYED`: `values[j, 0]` is what the deal was worth to the job's seat, in 1/144 whist. `TO_SOLVE`: `positions[j]` is what to solve and
    `values[j, k]` the worth if the declarer ends with k tricks in all. `weights`: `worth.coefficients`; `scratch`: `SCRATCH` tables,
    `work`: one view to work with.
    """
    p = p_array[0]
    t = scratch[0]
    s = scratch[1]
    v = work[0]
    for j in range(len(jobs)):
        job = jobs[j]
        view.copy_table(tables[job.table], t)
        possible = True
        for k in range(STEPS):
            action = int(job.steps[k])
            if action == NONE:
                break
            if not machine.is_legal(t, machine.legal(t, p), action):
                possible = False
                break
            machine.apply(t, p, scorer, rules, action)
        if not possible:
            states[j] = IMPOSSIBLE
            continue
        if job.solve == 0:
            if job.deeper == 0:
                values[j, 0] = play_out(scratch, 0, v, p, scorer, rules, bot, weights, job.seat)
            elif job.deeper == 1:
                values[j, 0] = play_out_1(scratch, 0, v, p, scorer, rules, bot, weights, job.seat)
            else:
                values[j, 0] = play_out_2(scratch, 0, v, p, scorer, rules, bot, weights, job.seat)
            states[j] = PLAYED
            continue
        play_on(t, v, p, scorer, rules, bot)
        if over(t):
            values[j, 0] = worth.HALVES * worth.worth_of(t, weights, job.seat)
            states[j] = PLAYED
        else:
            position_of(t, positions[j])
            worth.values(t, s, v, p, scorer, rules, bot, weights, job.seat, values[j])
            states[j] = TO_SOLVE


def empty(count: int) -> tuple[Any, Any]:
    """States and values of so many jobs."""
    return np.zeros(count, dtype=np.int64), np.zeros((count, TRICKS), dtype=np.int64)
