"""Which phase is on: the legal actions of a table, and what an action leads to."""

from engine import actions, bidding, order, play, pulka, raspas, seats, talon, whist
from engine.jit import rule, rule_hot
from engine.table import (
    C_MOUNTAIN,
    C_POOL,
    P_BID,
    P_CHOICE,
    P_DISCARD,
    P_OPEN,
    P_ORDER,
    P_PLAY,
    P_TALON,
    P_WHIST,
)

_CHOICES = 1 << actions.POOL - actions.WORDS | 1 << actions.MOUNTAIN - actions.WORDS


@rule_hot
def first_action(t):
    """The action number of bit 0 of the legal mask."""
    if t.phase == P_PLAY:
        return actions.PLAY
    if t.phase == P_DISCARD:
        return actions.DISCARD
    return actions.WORDS


@rule_hot
def legal(t, p):
    """Mask of the legal actions, bit 0 being `first_action`; 0 where nobody is asked."""
    phase = t.phase
    if phase == P_PLAY:
        return play.legal(t, p)
    if phase == P_BID:
        return bidding.legal(t, p)
    if phase == P_DISCARD:
        return talon.legal_discard(t, p)
    if phase == P_WHIST:
        return whist.legal(t, p)
    if phase == P_ORDER:
        return order.legal(t, p)
    if phase == P_TALON:
        return talon.legal(t, p)
    if phase == P_OPEN:
        return whist.legal_open(t, p)
    if phase == P_CHOICE:
        return _CHOICES
    return 0


@rule_hot
def is_legal(t, mask, action):
    """Whether the action is in the legal mask."""
    bit = action - first_action(t)
    return 0 <= bit < 40 and (mask >> bit) & 1 != 0


@rule
def deal(t, p, deck):
    """Give out a deck (32 card numbers: ten for first, second, third hand, then the talon) and open the deal."""
    pulka.next_deal(t, p)
    seat = t.turn  # first hand
    for hand in range(3):
        mask = 0
        for k in range(10):
            mask |= 1 << int(deck[10 * hand + k])
        t.hands[seat] = mask
        t.dealt[seat] = mask
        seat = seats.left_of(t, seat)
    t.talon[0] = deck[30]
    t.talon[1] = deck[31]
    if t.forced != 0:
        raspas.begin(t, p)
    t.actor = t.turn


@rule_hot
def apply(t, p, scorer, rules, action):
    """Carry out an action that `legal` allows, and whatever follows without a word."""
    phase = t.phase
    t.moves += 1
    if phase != P_DISCARD:  # secret: `t.discard` keeps it
        t.log[t.words] = action
        t.words += 1
    if phase == P_PLAY:
        play.apply(t, p, action)
    elif phase == P_BID:
        bidding.apply(t, p, action)
    elif phase == P_DISCARD:
        talon.apply_discard(t, p, action)
    elif phase == P_WHIST:
        whist.apply(t, p, action)
    elif phase == P_ORDER:
        order.apply(t, p, action)
    elif phase == P_TALON:
        talon.apply(t, p, action)
    elif phase == P_OPEN:
        whist.apply_open(t, p, action)
    elif phase == P_CHOICE:
        choose(t, p, scorer, rules, action)
        return
    t.actor = t.turn
    if t.ended != 0:
        pulka.end_deal(t, p, scorer, rules)
        if t.phase == P_CHOICE:
            t.actor = t.turn
    elif t.phase == P_PLAY and t.opened != 0 and t.whister >= 0 and t.turn != t.declarer:
        t.actor = t.whister  # an open defence is played by its lone whister (5.3)


@rule
def choose(t, p, scorer, rules, action):
    """One seat says where its points go; after the last one the deal is written."""
    t.choice[t.turn] = C_POOL if action == actions.POOL else C_MOUNTAIN
    t.choosers &= ~(1 << t.turn)
    if t.choosers != 0:
        pulka.next_chooser(t)
        t.actor = t.turn
    else:
        pulka.finish_deal(t, p, scorer, rules)
