"""How `novice` plays its cards: habits that every beginner is taught, by what is played (`bots.novice` says its words)."""

from __future__ import annotations

from bots.hands import above, highest, holding, lowest, masters, out_of_sight, winners
from engine import seats
from engine.cards import DECK, NO_TRUMP, SUIT
from engine.jit import highbit, lowbit, popcount, rule
from engine.table import K_MISERE, K_RASPAS


@rule
def play(v):
    """A legal card."""
    cards = v.legal
    if cards & (cards - 1) == 0:
        return lowbit(cards)
    if v.kind == K_RASPAS:
        return duck(v)
    if v.kind == K_MISERE:
        if v.turn == v.declarer:
            return duck(v)
        return catch(v)
    if v.turn == v.declarer:
        return play_as_declarer(v)
    return play_in_defence(v)


@rule
def own_hand(v):
    """The hand to play from: at an open defence the whister plays his partner's too."""
    return v.known[v.turn] & DECK


@rule
def least(v):
    """The card to part with when the trick is not to be won: low, and from a short suit before a long one."""
    cards = v.legal
    if v.led >= 0 and cards & (SUIT << 8 * v.led):
        return lowbit(cards)
    kept = cards & ~masters(own_hand(v), out_of_sight(v))
    return lowest(kept if kept != 0 else cards)


@rule
def play_as_declarer(v):
    """Trumps first while there are any out, then high cards, then the longest suit; otherwise win cheaply in last place."""
    cards = v.legal
    if v.led >= 0:
        winning = winners(v)
        if winning == 0:
            return least(v)
        if v.in_trick == 2:
            return lowbit(winning)
        if winning >> 8 * v.led & SUIT == 0 and v.trump != NO_TRUMP:
            return lowbit(winning)  # a ruff
        sure = winning & masters(v.hand & DECK, out_of_sight(v))
        return lowbit(sure) if sure != 0 else lowbit(cards)  # second hand low
    out = out_of_sight(v)
    sure = masters(v.hand & DECK, out)
    if v.trump != NO_TRUMP:
        trumps = holding(cards, v.trump)
        theirs = holding(out, v.trump)
        if trumps != 0 and theirs != 0 and popcount(trumps) >= 2:
            return 8 * v.trump + highbit(trumps)
        side = sure & ~(SUIT << 8 * v.trump)
        if side != 0:
            return highest(side)
    elif sure != 0:
        return highest(sure)
    return from_longest(cards, v.trump)


@rule
def from_longest(cards, trump):
    """A lead from the longest suit that is not trumps: its top card from a sequence, else its lowest."""
    best = -1
    longest = 0
    for suit in range(4):
        mine = holding(cards, suit)
        length = popcount(mine) if suit != trump else 0
        if length > longest:
            longest = length
            best = suit
    if best < 0:
        return highbit(cards)
    mine = holding(cards, best)
    top = highbit(mine)
    if top >= 4 and mine >> (top - 1) & 1:
        return 8 * best + top
    return 8 * best + lowbit(mine)


@rule
def play_in_defence(v):
    """Cash high cards, lead the longest suit; second hand low, third hand wins as cheaply as it can, never over the partner."""
    cards = v.legal
    hand = own_hand(v)
    out = out_of_sight(v)
    if v.led < 0:
        sure = masters(hand, out) & cards
        if v.trump != NO_TRUMP:
            sure &= ~(SUIT << 8 * v.trump)
        return highest(sure) if sure != 0 else from_longest(cards, v.trump)
    winning = winners(v)
    if winning == 0 or (v.in_trick == 2 and v.best_seat != v.declarer):
        return least(v)
    if v.in_trick == 2:
        return lowbit(winning)
    sure = winning & masters(hand, out)
    if sure != 0 and v.best_seat == v.declarer:
        return lowbit(sure)
    return lowbit(cards)


@rule
def duck(v):
    """Take no tricks: the highest card that stays under, the worst card when void; in last place a forced trick by the highest."""
    cards = v.legal
    out = out_of_sight(v)
    if v.led < 0:
        return safest_lead(cards, out)
    if cards & (SUIT << 8 * v.led) == 0:
        return worst(cards, out)
    under = cards & ~winners(v)
    if under != 0:
        return highbit(under)
    if v.in_trick == 2:
        return highbit(cards)
    return lowbit(cards)


@rule
def safest_lead(cards, out):
    """The low card with most cards still out above it, less those below."""
    best = lowbit(cards)
    most = -100
    for suit in range(4):
        mine = holding(cards, suit)
        if mine != 0:
            card = 8 * suit + lowbit(mine)
            higher = popcount(out & above(card))
            spare = 2 * higher - popcount(holding(out, suit)) if higher > 0 else -50
            if spare > most:
                most = spare
                best = card
    return best


@rule
def worst(cards, out):
    """The card most likely to take an unwanted trick: high, with low cards out and few of one's own below it."""
    best = -1
    most = -1000
    for suit in range(4):
        mine = holding(cards, suit)
        if mine != 0:
            theirs = holding(out, suit)
            top = highbit(mine)
            lower = popcount(theirs & ((1 << top) - 1))
            higher = popcount(theirs) - lower
            risk = 4 * lower - 2 * higher - 3 * popcount(mine) + top
            if theirs == 0:
                risk = -500  # nobody can be made to take it, and nobody can make this hand take it but itself
            elif mine & ((1 << lowbit(theirs)) - 1):
                risk -= 8  # there is a card below all of theirs to escape with
            if risk > most:
                most = risk
                best = 8 * suit + top
    return best


@rule
def catch(v):
    """Against misère: leave the declarer the trick where he must take it, lead low where he has high cards, keep low cards for later."""
    cards = v.legal
    first = seats.after(v, v.declarer)
    partner = seats.after(v, first) if v.turn == first else first
    # all that is not in sight is the declarer's, but for the two cards he laid away
    his = out_of_sight(v) & ~(v.known[partner] | v.known[v.turn])
    if v.led < 0:
        return lead_against_misere(cards, his, v.known[partner] & DECK)
    if v.best_seat == v.declarer:
        under = cards & (SUIT << 8 * v.led) & ~winners(v)
        if under != 0:
            return highbit(under)
        if cards & (SUIT << 8 * v.led) == 0:
            return unwanted(cards, his)
        return highbit(cards)
    if cards & (SUIT << 8 * v.led) == 0:
        return unwanted(cards, his)
    if v.trick[v.declarer] >= 0:
        return highbit(cards)  # he has ducked already
    under = cards & ~winners(v)
    return lowbit(under if under != 0 else cards)


@rule
def lead_against_misere(cards, his, partner):
    """The suit in which the declarer's lowest card is higher than what the defenders can lead and follow with; else a low card."""
    best = lowest(cards)
    most = -1000
    for suit in range(4):
        mine = holding(cards, suit)
        theirs = holding(his, suit)
        if mine != 0 and theirs != 0:
            low = lowbit(mine)
            other = holding(partner, suit)
            gap = lowbit(theirs) - low
            if other != 0:
                gap = min(gap, lowbit(theirs) - lowbit(other))
            if gap > most:
                most = gap
                best = 8 * suit + low
    return best


@rule
def unwanted(cards, his):
    """A discard against misère: the highest card of the suit in which the declarer is safest."""
    best = highest(cards)
    most = -1000
    for suit in range(4):
        mine = holding(cards, suit)
        theirs = holding(his, suit)
        if mine != 0:
            top = highbit(mine)
            value = 2 * top - popcount(mine)
            if theirs != 0 and lowbit(theirs) < lowbit(mine):
                value += 8
            if value > most:
                most = value
                best = 8 * suit + top
    return best
