"""Two bots that do what `random` and `novice` seldom do: low contracts, misère and nines over it, half whists, a whisting talon-sitter.

`modest` says such words and plays like `novice`; `careless` says them and plays any card.
"""

from bots import novice
from bots import random as random_bot
from engine import actions, contracts
from engine.jit import rule
from engine.rng import below, mix
from engine.table import P_BID, P_DISCARD, P_ORDER, P_PLAY, P_WHIST

VERSION = "1"

_HALF = actions.HALF - actions.WORDS


@rule
def word(v, r):
    """What is said outside the play of the cards."""
    chance = below(mix(v.random), 8)
    if v.phase == P_BID:
        low = v.legal & ~1
        if v.bid == contracts.MISERE and low != 0 and chance < 4:
            return actions.BID + contracts.NINE_SPADES
        if low >> contracts.MISERE & 1 and chance == 0:
            return actions.MISERE
        if v.bid == 0 and low != 0 and chance < 5:
            bid = 0
            while low >> bid & 1 == 0:
                bid += 1
            return actions.BID + bid
        return actions.PASS
    if v.phase == P_ORDER and chance < 6:
        bid = 0
        while v.legal >> bid & 1 == 0:
            bid += 1
        return actions.BID + bid
    if v.phase == P_WHIST:
        if v.legal >> _HALF & 1 and chance < 5:
            return actions.HALF
        if v.seats == 4 and v.turn == v.dealer and chance < 5:
            return actions.WHIST
    return random_bot.act(v, r)


@rule
def modest(v, r):
    """Modest words, a novice's cards."""
    if v.phase == P_PLAY or v.phase == P_DISCARD:
        return novice.act(v, r)
    return word(v, r)


@rule
def careless(v, r):
    """Modest words, any card."""
    if v.phase == P_PLAY or v.phase == P_DISCARD:
        return random_bot.act(v, r)
    return word(v, r)
