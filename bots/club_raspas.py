"""How `club` plays raspas (распасы): the card that has come to least in such positions, playing on to the end.

A card costs the chance that it takes the trick, the burden of leading to the next one if it does, and what it leaves behind:
each suit is good for so many tricks as it stands (an exit card below what is out, a bare king under an ace). While the talon leads,
winning burdens nobody: first hand leads next. That much is reckoned (`cost_of`); what it leaves out stands in tables of experience
(`bots.club_raspas_learning`): by who plays how, where the card stands in its suit, and how its player is placed so far, what the card
was worth beyond the reckoning. The tables are two. Where tricks go to the mountain each one costs the same; where raspas is scored
to whists only the fewest tricks gain, and the fourth costs next to nothing.
"""

from __future__ import annotations

from bots.club_raspas_tables import MOUNTAIN, MOUNTAIN_SHARE, PER_PRICE, PER_TRICK, WHISTS, WHISTS_SHARE
from bots.club_tables import RASPAS, RASPAS_LEAD
from bots.hands import holding
from bots.suits import ONE, ORDERS, after_round, order, place, standing, stays_best, still_out
from engine import seats
from engine.cards import DECK, SUIT
from engine.jit import lowbit, rule

# how a seat is placed so far: to the mountain by its own tricks, 0, 1 or more; to whists alone with the fewest, level, behind
PLACES_SO_FAR = 3
# sights of a card, each by place so far: a lead by stage of the deal and how many opponents may hold the suit; a card of the led
# suit by how many of those who may hold it play after, and what it has to beat; a discard by stage
STAGES = 3
LEADS = PLACES_SO_FAR * STAGES * 3
UNDER = 10  # nothing to beat yet, or by how many cards of the suit lie under the best one
FOLLOWS = PLACES_SO_FAR * 3 * UNDER
SIGHTS = LEADS + FOLLOWS + PLACES_SO_FAR * STAGES
RANKS = 8
KINDS = 3 * PLACES_SO_FAR  # lead, follow or discard, by place so far


@rule
def so_far(v, r, left, right):
    """How the seat in turn is placed, 0 (best) to 2."""
    mine = v.tricks[v.turn]
    if r.raspas_whists == 0:
        return min(2, mine)
    fewest = min(v.tricks[left], v.tricks[right])
    return 0 if mine < fewest else 1 if mine == fewest else 2


@rule
def kind_of(v, cards, placed):
    """Lead, follow or discard, by place so far: 0..`KINDS` - 1."""
    if v.led < 0:
        return placed
    return PLACES_SO_FAR + placed if cards & (SUIT << 8 * v.led) != 0 else 2 * PLACES_SO_FAR + placed


@rule
def sight(v, card, mine, theirs, placed, left, right):
    """Where the tables have a card of a suit of which `mine` are held and `theirs` are out."""
    suit = card >> 3
    stage = 0 if v.trick_no < 4 else 1 if v.trick_no < 7 else 2
    may_left = 1 - (v.voids[left] >> suit & 1)
    may_right = 1 - (v.voids[right] >> suit & 1)
    if v.led < 0:
        row = (placed * STAGES + stage) * 3 + may_left + may_right
    elif suit == v.led:
        behind = may_left + may_right if v.in_trick == 0 else may_left if v.in_trick == 1 else 0
        under = UNDER - 1 if v.best_card < 0 else place(mine, theirs, v.best_card & 7)
        row = LEADS + (placed * 3 + behind) * UNDER + under
    else:
        row = LEADS + FOLLOWS + placed * STAGES + stage
    return (row * ORDERS + order(mine, theirs)) * RANKS + place(mine, theirs, card & 7)


@rule
def play(v, r):
    """A legal card."""
    cards = v.legal
    if cards & (cards - 1) == 0:
        return lowbit(cards)
    hand = v.hand & DECK
    out = still_out(v, hand)
    left = seats.after(v, v.turn)
    right = seats.after(v, left)
    placed = so_far(v, r, left, right)
    kind = kind_of(v, cards, placed)
    best = -1
    most = -(1 << 40)
    rest = cards
    while rest != 0:
        card = lowbit(rest)
        rest &= rest - 1
        at = sight(v, card, holding(hand, card >> 3), holding(out, card >> 3), placed, left, right)
        cost = cost_of(v, r, card, hand, out, left, right)
        if r.raspas_whists != 0:
            worth = ONE * ONE // PER_PRICE * WHISTS[at] - WHISTS_SHARE[kind] * cost
        else:
            worth = ONE * ONE // PER_TRICK * MOUNTAIN[at] - MOUNTAIN_SHARE[kind] * cost
        if worth >= most:  # of equals the higher one goes
            most = worth
            best = card
    return best


@rule
def cost_of(v, r, card, hand, out, left, right):
    """The tricks (256ths) that playing this card is reckoned to bring, against keeping all as it stands."""
    suit = card >> 3
    rank = card & 7
    mine = holding(hand, suit)
    theirs = holding(out, suit)
    cost = -RASPAS[standing(mine, theirs)]
    if v.led < 0 or suit == v.led:
        after = 2 - v.in_trick  # how many play after this seat
        holders = 0
        behind = 0
        if v.voids[left] >> suit & 1 == 0:
            holders += 1
            behind += 1 if after >= 1 else 0
        if v.voids[right] >> suit & 1 == 0:
            holders += 1
            behind += 1 if after >= 2 else 0
        top = rank
        if v.led >= 0 and v.best_card > card:
            top = v.best_card & 7
        else:
            burden = RASPAS_LEAD[9 - v.trick_no]
            if r.raspas_talon != 0 and (v.trick_no == 0 or (v.trick_no == 1 and r.first_hand_leads_third != 0)):
                burden = 0
            cost += (ONE + burden) * stays_best(theirs, rank, holders, behind) // ONE
        theirs = after_round(theirs, top, behind)
    return cost + RASPAS[standing(mine & ~(1 << rank), theirs)]
