"""How `club` plays misère (мизер), as declarer and against one: leads by what they cost with all cards known, the rest by habit.

Against a misère the defenders see each other's cards, and all other cards but two are the declarer's; he sees both their hands
once they lie open. So a suit is an order of three owners, and the tables tell for each what leading one of its cards lost
against best play. The last tricks are played out in thought (`bots.club_endings`).
"""

from __future__ import annotations

from bots import club_endings, novice_cards
from bots.club_tables import MISERE_ATTACK, MISERE_DARK, MISERE_LEAD
from bots.hands import holding
from bots.suits import order, owners, place, still_out
from engine import seats
from engine.cards import DECK
from engine.jit import lowbit, popcount, rule


@rule
def play(v, r):
    """A legal card."""
    cards = v.legal
    if cards & (cards - 1) == 0:
        return lowbit(cards)
    hand = v.hand & DECK
    if v.turn == v.declarer:
        if v.led >= 0:
            return novice_cards.duck(v)
        left = seats.after(v, v.turn)
        right = seats.after(v, left)
        if v.known[left] == 0:
            return dark_lead(cards, hand, still_out(v, hand))
        return lead(MISERE_LEAD, 0, cards, hand, v.known[left] & DECK, v.known[right] & DECK)
    first = seats.after(v, v.declarer)
    partner = seats.after(v, first) if v.turn == first else first
    theirs = v.known[partner] & DECK
    his = still_out(v, hand) & ~theirs
    if club_endings.can_see_to_the_end(v, hand):
        card = club_endings.catch(v, hand, theirs, his)
        if card >= 0:
            return card
    if v.led >= 0:
        return novice_cards.catch(v)
    return lead(MISERE_ATTACK, 1 if seats.after(v, v.turn) == v.declarer else 0, cards, hand, theirs, his)


@rule
def dark_lead(cards, hand, out):
    """The declarer's lead before the defenders' cards lie open."""
    best = -1
    least = 1 << 40
    rest = cards
    while rest != 0:
        card = lowbit(rest)
        rest &= rest - 1
        mine = holding(hand, card >> 3)
        theirs = holding(out, card >> 3)
        loss = MISERE_DARK[order(mine, theirs), place(mine, theirs, card & 7)]
        if loss < least:
            least = loss
            best = card
    return best


@rule
def lead(table, row, cards, hand, second, third):
    """The lead that loses least, the three hands known."""
    best = -1
    least = 1 << 40
    for suit in range(4):
        mine = holding(cards, suit)
        if mine != 0:
            a = holding(second, suit)
            b = holding(third, suit)
            which = owners(mine, a, b)
            while mine != 0:
                rank = lowbit(mine)
                mine &= mine - 1
                loss = table[row, which, popcount((holding(hand, suit) | a | b) & ((1 << rank) - 1))]
                if loss < least:
                    least = loss
                    best = 8 * suit + rank
    return best
