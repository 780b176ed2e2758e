"""How `club` plays raspas (распасы): the card with the smallest expected cost, this trick and the rest of the deal together.

A card costs the chance that it takes the trick, the burden of leading to the next one if it does, and what it leaves behind:
by experience, each suit is good for so many tricks as it stands (an exit card below what is out, a bare king under an ace).
While the talon leads, winning burdens nobody: first hand leads next. Where raspas is scored to whists only the fewest tricks gain, and a
high count costs little more than a middling one: there a low mean is not the aim, and `novice`'s ducking at every chance does better.
"""

from __future__ import annotations

from bots import novice_cards
from bots.club_tables import RASPAS, RASPAS_LEAD
from bots.hands import holding
from bots.suits import ONE, after_round, standing, stays_best, still_out
from engine import seats
from engine.cards import DECK
from engine.jit import lowbit, rule


@rule
def play(v, r):
    """A legal card."""
    cards = v.legal
    if cards & (cards - 1) == 0:
        return lowbit(cards)
    if r.raspas_whists != 0:
        return novice_cards.duck(v)
    hand = v.hand & DECK
    out = still_out(v, hand)
    burden = RASPAS_LEAD[9 - v.trick_no]
    if r.raspas_talon != 0 and (v.trick_no == 0 or (v.trick_no == 1 and r.first_hand_leads_third != 0)):
        burden = 0
    best = -1
    least = 1 << 40
    rest = cards
    while rest != 0:
        card = lowbit(rest)
        rest &= rest - 1
        cost = cost_of(v, card, hand, out, burden)
        if cost <= least:  # of equals the higher one goes
            least = cost
            best = card
    return best


@rule
def cost_of(v, card, hand, out, burden):
    """The tricks (256ths) that playing this card brings, against keeping all as it stands."""
    suit = card >> 3
    rank = card & 7
    mine = holding(hand, suit)
    theirs = holding(out, suit)
    cost = -RASPAS[standing(mine, theirs)]
    if v.led < 0 or suit == v.led:
        left = seats.after(v, v.turn)
        right = seats.after(v, left)
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
            cost += (ONE + burden) * stays_best(theirs, rank, holders, behind) // ONE
        theirs = after_round(theirs, top, behind)
    return cost + RASPAS[standing(mine & ~(1 << rank), theirs)]
