"""The talon (прикуп) and the discard (снос): taken, refused or given up on (`docs/rules.md` 3.1, 3.3–3.5, 11)."""

from engine import actions, contracts, play
from engine.jit import highbit, lowbit, rule
from engine.table import E_GAVE_UP, K_GAME, K_MISERE, P_DISCARD, P_ORDER, P_TALON

_TAKE = 1 << actions.TAKE - actions.WORDS
_REFUSE = 1 << actions.REFUSE - actions.WORDS
_GIVE_UP = 1 << actions.GIVE_UP - actions.WORDS


@rule
def begin(t, p):
    """The auction is won: the talon is turned face up; it is taken at once where nothing else is legal."""
    t.declarer = t.bidder
    t.turn = t.bidder
    t.talon_up[0] = t.talon[0]
    t.talon_up[1] = t.talon[1]
    if t.bid == contracts.MISERE:
        t.kind = K_MISERE
        t.contract = contracts.MISERE
        take(t)
    else:
        t.kind = K_GAME
        if p.refuse != 0 or p.give_up != 0:
            t.phase = P_TALON
        else:
            take(t)


@rule
def take(t):
    """The talon goes to the declarer's hand."""
    t.discarded_at = t.words
    t.hands[t.declarer] |= (1 << t.talon[0]) | (1 << t.talon[1])
    t.phase = P_DISCARD


@rule
def legal(t, p):
    """Mask of `take`, `refuse`, `give-up` (over the words)."""
    mask = _TAKE
    if p.refuse != 0:
        mask |= _REFUSE
    if p.give_up != 0:
        mask |= _GIVE_UP
    return mask


@rule
def apply(t, p, action):
    """Take the talon, play without it, or end the deal as if three tricks short of the winning bid."""
    if action == actions.TAKE:
        take(t)
    elif action == actions.REFUSE:
        t.refused = 1
        t.phase = P_ORDER
    else:
        t.contract = t.bid
        t.ended = E_GAVE_UP


@rule
def legal_discard(t, p):
    """Mask of cards to discard: lower card first, so that one discard has one spelling."""
    hand = t.hands[t.declarer]
    if t.discard == 0:
        return hand & ~(1 << highbit(hand))
    return hand & (-1 << lowbit(t.discard))


@rule
def apply_discard(t, p, action):
    """Lay one card away; after the second comes the order, on misère the play."""
    card = 1 << (action - actions.DISCARD)
    t.hands[t.declarer] &= ~card
    second = t.discard != 0
    t.discard |= card
    if second:
        if t.kind == K_MISERE:
            play.begin(t, p)
        else:
            t.phase = P_ORDER
