"""Compiled: what a finished deal amounts to as one number, following a line of actions, counting continuations."""

from engine import actions as words_of
from engine import machine, pulka, rng
from engine.jit import lowbit, popcount, rule
from engine.table import P_DEAL, P_OVER, P_TALON
from engine.view import copy_table


@rule
def fingerprints(rows, checks, entries, at):
    """For every finished deal in `rows` (dtype `TABLE`): its content as a 64-bit number in `checks`, its entries in a row of `entries`.

    The content: dealer, raspas state, forced, semester, hands, talon, actions, tricks, entries, the running sheet, whether the
    pulka is over; no bytes of the record, so that a new field changes nothing. Results stand from index `at` on. An
    entry row: pool, mountain, then whists [a, b] without the diagonal, in sixths.
    """
    for i in range(len(rows)):
        t = rows[i]
        seats = t.seats
        h = rng.join(seats, t.dealer)
        h = rng.join(h, t.level)
        h = rng.join(h, t.forced)
        h = rng.join(h, t.semester)
        h = rng.join(h, 1 if t.phase == P_OVER else 0)
        for seat in range(seats):
            h = rng.join(h, t.dealt[seat])
            h = rng.join(h, t.tricks[seat])
        h = rng.join(h, t.talon[0])
        h = rng.join(h, t.talon[1])
        h = rng.join(h, t.discard)
        h = rng.join(h, t.words)
        for k in range(t.words):
            h = rng.join(h, t.log[k])
        column = 0
        for seat in range(seats):
            entries[at + i, column] = t.d_pool[seat]
            entries[at + i, column + seats] = t.d_mountain[seat]
            h = rng.join(h, t.pool[seat])
            h = rng.join(h, t.mountain[seat])
            h = rng.join(h, t.pool_done[seat])
            h = rng.join(h, t.mountain_done[seat])
            column += 1
        column += seats
        for a in range(seats):
            for b in range(seats):
                if a != b:
                    entries[at + i, column] = t.d_whists[a, b]
                    h = rng.join(h, t.whists[a, b])
                    column += 1
        for k in range(column):
            h = rng.join(h, entries[at + i, k])
        checks[at + i] = h


@rule
def follow(tables, procedures, scorer, rules, decks, actions, target):
    """Open a pulka at table 0 (seat 0 deals, `target` points) and say `actions`, dealing `decks` in turn.

    Returns how many actions were said: fewer than all where one is illegal. A deck is dealt as soon as a deal is over. `take` is
    said where it is asked for and not told, and passed over where it is told and not asked for.
    """
    t = tables[0]
    p = procedures[0]
    pulka.begin(t, p, 0, target, 0, 0, 0)
    machine.deal(t, p, decks[0])
    for k in range(len(actions)):
        action = actions[k]
        if t.phase == P_TALON:
            if action != words_of.REFUSE and action != words_of.GIVE_UP:
                machine.apply(t, p, scorer, rules, words_of.TAKE)
                if action == words_of.TAKE:
                    continue
        elif action == words_of.TAKE:
            continue
        if not machine.is_legal(t, machine.legal(t, p), action):
            return k
        machine.apply(t, p, scorer, rules, action)
        if t.phase == P_DEAL and t.deal_no < len(decks):
            machine.deal(t, p, decks[t.deal_no])
    return len(actions)


@rule
def perft(tables, procedures, scorer, rules, decks, masks, counts):
    """How many ways there are to go on from table 0: `counts[k]` becomes the number of legal lines of `k + 1` actions.

    `tables` and `masks` have room for `len(counts)` plies. A line goes on into the next deal of `decks`; it ends with the pulka.
    """
    p = procedures[0]
    depth = len(counts)
    for k in range(depth):
        counts[k] = 0
    ply = 0
    masks[0] = machine.legal(tables[0], p)
    while ply >= 0:
        mask = masks[ply]
        if ply == depth - 1 or mask == 0:
            counts[ply] += popcount(mask)
            ply -= 1
            continue
        masks[ply] = mask & (mask - 1)
        counts[ply] += 1
        t = tables[ply + 1]
        copy_table(tables[ply], t)
        machine.apply(t, p, scorer, rules, machine.first_action(t) + lowbit(mask))
        if t.phase == P_DEAL and t.deal_no < len(decks):
            machine.deal(t, p, decks[t.deal_no])
        ply += 1
        masks[ply] = machine.legal(t, p)
