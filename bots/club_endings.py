"""How `club` looks ahead against a misère (мизер): the last tricks are played out, for every pair of cards the declarer may have laid away.

The defenders' cards lie open, so that all but the discard is known. Each way he can have discarded counts alike, but for what he
has shown to be void in.
"""

from __future__ import annotations

from functools import partial

from bots.solver.root import NO_CARD, legal_cards, number, takes_over, twin
from engine import seats
from engine.cards import NO_TRUMP
from engine.jit import lowbit, popcount, rule, rule_inline, rule_variant

LAST = 4  # tricks: with five the search would cost more than all else that `club` does


@rule_inline
def declarer_has_played(turn, to_play):
    """Whether he has, with `turn` on play and so many still to play."""
    return turn == 1 if to_play == 2 else turn != 0


@partial(rule_variant, variant="misere")
def taken(declarer, left, right, turn, led, best, winner, to_play):
    """The declarer's tricks with best play by all, all cards known.

    `declarer`, `left`, `right`: the hands clockwise; `turn`, `winner`: 0 the declarer, 1, 2; `led` (-1: none yet), `best`: the trick
    under way; `to_play`: how many are still to play to it.
    """
    hand = declarer if turn == 0 else left if turn == 1 else right
    if hand == 0:
        return number(0)
    live = declarer | left | right
    if best >= 0:
        live |= number(1) << best
    found = number(-1)
    most = popcount(declarer) + (1 if to_play < 3 and declarer_has_played(turn, to_play) else 0)
    cards = legal_cards(hand, led, NO_TRUMP)
    while cards != 0:
        card = number(lowbit(cards))
        cards &= cards - 1
        if twin(card, hand, live) >= 0:
            continue
        kept = ~(number(1) << card)
        first = card >> 3 if led < 0 else led
        over = takes_over(card, first, NO_TRUMP, best)
        who, top = (turn, card) if over else (winner, best)
        d = declarer & kept if turn == 0 else declarer
        a = left & kept if turn == 1 else left
        b = right & kept if turn == 2 else right
        if to_play > 1:
            tricks = taken(d, a, b, number((turn + 1) % 3), first, top, who, to_play - 1)
        else:
            tricks = taken(d, a, b, who, number(-1), number(NO_CARD), who, number(3)) + (1 if who == 0 else 0)
        if found < 0 or (tricks < found if turn == 0 else tricks > found):
            found = tricks
            if found == (0 if turn == 0 else most):
                break
    return found


@rule
def can_see_to_the_end(v, hand):
    """Whether few enough cards are left; `hand`: the seat's own."""
    return popcount(hand) <= LAST


@rule
def catch(v, hand, theirs, unknown):
    """The card that makes the declarer take most, on the average over his discards; -1 if what is known leaves no discard possible.

    `theirs`: the partner's cards; `unknown`: the declarer's and the two that he laid away.
    """
    me = 1 if seats.after(v, v.declarer) == v.turn else 2
    played = v.in_trick
    held = popcount(hand) - (1 if played > 0 and v.trick[v.declarer] >= 0 else 0)
    if popcount(unknown) != held + 2:
        return -1
    shown = 0  # what he cannot hold
    for suit in range(4):
        if v.voids[v.declarer] >> suit & 1:
            shown |= 0xFF << 8 * suit
    winner = number(0)
    if played > 0 and v.best_seat != v.declarer:
        winner = number(1 if seats.after(v, v.declarer) == v.best_seat else 2)
    led = number(v.led)
    best = number(v.best_card)
    chosen, most = -1, -1
    cards = v.legal
    while cards != 0:
        card = number(lowbit(cards))
        cards &= cards - 1
        mine = number(hand & ~(1 << card))
        first = card >> 3 if led < 0 else led
        over = takes_over(card, first, NO_TRUMP, best)
        who, top = (number(me), card) if over else (winner, best)
        sum_ = 0
        one = unknown
        while one != 0:
            away = one & -one
            one ^= away
            other = one
            while other != 0:
                second = other & -other
                other ^= second
                his = unknown & ~(away | second)
                if his & shown:
                    continue
                d, a, b = number(his), mine if me == 1 else number(theirs), number(theirs) if me == 1 else mine
                if played < 2:
                    sum_ += 1 + taken(d, a, b, number((me + 1) % 3), first, top, who, number(2 - played))
                else:
                    sum_ += 1 + taken(d, a, b, who, number(-1), number(NO_CARD), who, number(3)) + (1 if who == 0 else 0)
        if sum_ > most and sum_ > 0:
            chosen, most = card, sum_
    return chosen
