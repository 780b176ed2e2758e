"""How `club` plays its cards in a trick contract: with the card that has cost least in positions like this one.

A position is seen suit by suit: in which order the cards still about lie between this hand and the others, whether there are
trumps here and elsewhere, who speaks next. For every such sight the tables tell how many tricks each card of the suit lost
on the average against best play with all cards known, in deals from `club`'s own tables. Where there is little to choose
(the last hand of a trick, a ruff) it wins as cheaply as it can.
"""

from __future__ import annotations

from bots import novice_cards
from bots.club_tables import DECLARER_LEAD, DECLARER_SECOND, DEFENCE_DISCARD, DEFENCE_LEAD, DEFENCE_SECOND
from bots.hands import holding
from bots.suits import order, place, still_out
from engine import seats
from engine.cards import DECK, NO_TRUMP, SUIT
from engine.jit import lowbit, rule

OF_TRUMPS = 4  # sights of the trump suit and without trumps; below them: 1 trumps here, 2 trumps elsewhere
NO_TRUMPS = 5


@rule
def sight(hand, out, trump):
    """How the trumps lie for side suits."""
    if trump == NO_TRUMP:
        return NO_TRUMPS
    return (1 if holding(hand, trump) != 0 else 0) + (2 if holding(out, trump) != 0 else 0)


@rule
def cheapest(table, first, cards, hand, out, trump):
    """The card with the smallest mean loss, looked up in the rows of `table` from `first` on."""
    side = sight(hand, out, trump)
    best = -1
    least = 1 << 40
    rest = cards
    while rest != 0:
        card = lowbit(rest)
        rest &= rest - 1
        suit = card >> 3
        mine = holding(hand, suit)
        theirs = holding(out, suit)
        row = first + (OF_TRUMPS if suit == trump else side)
        loss = table[row, order(mine, theirs), place(mine, theirs, card & 7)]
        if loss < least:
            least = loss
            best = card
    return best


@rule
def play_as_declarer(v, r):
    """The lead that loses least; otherwise as beginners do, which costs little."""
    cards = v.legal
    if cards & (cards - 1) == 0:
        return lowbit(cards)
    hand = v.hand & DECK
    out = still_out(v, hand)
    if v.led < 0:
        return cheapest(DECLARER_LEAD, 0, cards, hand, out, v.trump)
    if v.in_trick == 1 and cards & (SUIT << 8 * v.led) != 0:
        return second_hand(DECLARER_SECOND, v, hand, out)
    return novice_cards.play_as_declarer(v)


@rule
def play_in_defence(v, r):
    """The lead, the card in second hand, the discard that lose least; in last hand win cheaply, but not over the partner."""
    cards = v.legal
    if cards & (cards - 1) == 0:
        return lowbit(cards)
    hand = v.known[v.turn] & DECK
    out = still_out(v, hand)
    if v.led < 0:
        first = 6 if seats.after(v, v.turn) == v.declarer else 0
        return cheapest(DEFENCE_LEAD, first, cards, hand, out, v.trump)
    if cards & (SUIT << 8 * v.led) != 0:
        if v.in_trick == 1:
            return second_hand(DEFENCE_SECOND, v, hand, out)
    elif v.trump == NO_TRUMP or holding(cards, v.trump) == 0:
        return cheapest(DEFENCE_DISCARD, 0, cards, hand, out, v.trump)
    return novice_cards.play_in_defence(v)


@rule
def second_hand(table, v, hand, out):
    """The card of the led suit to play between the leader and the last hand."""
    suit = v.led
    mine = holding(hand, suit)
    theirs = holding(out, suit)
    about = 0 if suit == v.trump else 1 if v.trump != NO_TRUMP and holding(out, v.trump) != 0 else 2
    by_declarer = 3 if v.best_seat == v.declarer else 0
    row = (by_declarer + about) * 9 + place(mine, theirs, v.best_card & 7)
    which = order(mine, theirs)
    best = -1
    least = 1 << 40
    rest = v.legal
    while rest != 0:
        card = lowbit(rest)
        rest &= rest - 1
        loss = table[row, which, place(mine, theirs, card & 7)]
        if loss < least:
            least = loss
            best = card
    return best
