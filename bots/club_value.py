"""What a contract is worth to its players, in 12ths of a whist against the average, under the convention's numbers.

Tricks are counted by experience (`bots.club_tables`) and taken to be normally spread around that. A point in the pool or the
mountain moves its owner's result by (n - 1)/n of its price, everybody else's by -1/n of it (`docs/rules.md` 7.5).
"""

from __future__ import annotations

from math import erf

import numpy as np

from bots.club_tables import (
    DEALT,
    DEALT_BASE,
    FINAL,
    FINAL_BASE,
    MISERE_BASE,
    MISERE_CLEAN,
    MISERE_DEALT,
    MISERE_TRICKS,
    OWN,
    OWN_BASE,
    RASPAS,
    TOTAL,
    TOTAL_BASE,
)
from bots.hands import holding
from bots.suits import standing
from conventions.rules_record import BY_BOTH, BY_SECOND
from engine.cards import NO_TRUMP, SUIT
from engine.jit import plain, rule

WHIST = 12
# the normal distribution in 4096ths, by sixteenths of a standard deviation from -4 to 4
NORMAL = plain(np.array([round(2048 * (1 + erf(x / 16 / 2**0.5))) for x in range(-64, 65)], dtype=np.int64))
SPREAD_FINAL = 230  # standard deviations of tricks, in 256ths: after the discard,
SPREAD_DEALT = 300  # before the talon,
SPREAD_DEFENCE = 300  # from one defender's hand


@rule
def counted(table, hand, trump):
    """What `table` counts for the hand with this trump (256ths of a trick, without the base)."""
    total = 0
    for suit in range(4):
        role = 2 if trump == NO_TRUMP else 0 if suit == trump else 1
        total += table[role, holding(hand, suit)]
    return total


@rule
def tricks_after_discard(hand, trump):
    """The declarer's expected tricks with these ten cards."""
    return counted(FINAL, hand, trump) + FINAL_BASE[1 if trump == NO_TRUMP else 0]


@rule
def tricks_before_talon(hand, trump):
    """The declarer's expected tricks once he has the talon and has discarded."""
    return counted(DEALT, hand, trump) + DEALT_BASE[1 if trump == NO_TRUMP else 0]


@rule
def at_least(tricks, mean, spread):
    """The chance (4096ths) of `tricks` or more."""
    if tricks <= 0:
        return 4096
    if tricks > 10:
        return 0
    x = 16 * (mean - 256 * tricks + 128) // spread
    return NORMAL[min(128, max(0, x + 64))]


@rule
def own_point(r):
    """What a whist of one's own pool or mountain is worth (12ths)."""
    return WHIST * (r.seats - 1) // r.seats


@rule
def made_worth(r, level):
    """The pool points of a made game to the declarer."""
    return r.made[level - 6] * r.pool_worth * own_point(r)


@rule
def outcome(r, level, tricks):
    """A whisted game with so many tricks, to the declarer."""
    at = level - 6
    whists = WHIST * r.whist[at] * (10 - tricks)
    if level == 10 and r.ten_whisted == 0 and tricks >= level:
        whists = 0
    if tricks >= level:
        return made_worth(r, level) - whists
    short = level - tricks
    price = r.undertrick[at] * r.mountain_worth * own_point(r)
    others = r.seats - 1
    return -short * (price + WHIST * others * r.consolation[at] * r.remise_multiplier) - whists * r.remise_multiplier


@rule
def game_worth(r, level, mean, spread):
    """A game at this level, to the declarer who expects `mean` tricks."""
    total = 0
    above = 0
    low = max(0, level - 4)
    for tricks in range(10, low - 1, -1):
        upto = at_least(tricks, mean, spread) if tricks > low else 4096
        total += (upto - above) * outcome(r, level, tricks)
        above = upto
    return total // 4096


@rule
def raspas_tricks(hand):
    """Expected tricks in raspas (256ths), against a third of ten on the average."""
    total = 0
    for suit in range(4):
        mine = holding(hand, suit)
        total += RASPAS[standing(mine, SUIT & ~mine)]
    return total


@rule
def raspas_worth(v, r, hand):
    """A raspas now, with this hand."""
    excess = raspas_tricks(hand)
    if r.raspas_whists != 0:
        # a trick more is paid for, and the others' tricks are less often won: twice its price, by duplicate matches
        return -excess * r.raspas_whists * 2 * WHIST // 256
    return -excess * r.raspas_price[v.level - 1] * r.mountain_worth * WHIST // 256


@rule
def set_worth(r, level, short):
    """The declarer short by so many, to one defender, apart from trick whists and against a made game."""
    at = level - 6
    points = short * r.undertrick[at] * r.mountain_worth + r.made[at] * r.pool_worth
    return points * WHIST // r.seats + WHIST * short * r.consolation[at] * r.remise_multiplier


ALONE = 0  # I whist, the other passes
BOTH = 1
PARTNER = 2  # the other whists, I pass
SITTER = 3  # the talon-sitter whists


@rule
def defence_worth(r, level, mean, own, how, second):
    """A whisted game to one defender, against its being made unwhisted; `mean`, `own`: both defenders' tricks, his own."""
    at = level - 6
    total = 0
    above = 0
    price = r.whister_undertrick[at] * r.mountain_worth
    high = 14 - level
    for defence in range(high, -1, -1):
        upto = at_least(defence, mean, SPREAD_DEFENCE) if defence > 0 else 4096
        chance = upto - above
        above = upto
        if chance == 0:
            continue
        short = defence - (10 - level)
        whists = WHIST * r.whist[at] * defence
        worth = 0
        if short > 0:
            whists *= r.remise_multiplier
            worth = set_worth(r, level, short)
            if how < BOTH or how == PARTNER:
                worth += whists // 2 if r.gentleman != 0 else whists if how == ALONE else 0
            elif how == SITTER:
                worth += whists
        elif how in (ALONE, SITTER):
            worth = whists
        missing = r.duty[at] - defence
        if missing > 0:
            penalty = missing * price
            if how == BOTH:
                by = r.responsible[at]
                if by == BY_SECOND:
                    penalty = penalty if second else 0
                elif by != BY_BOTH:
                    penalty //= 2
                worth -= penalty * own_point(r)
            elif how == ALONE or (how == SITTER and r.sitter_responsible != 0):
                worth -= penalty * own_point(r)
            elif how == PARTNER:
                worth += penalty * WHIST // r.seats
        if how == BOTH:
            worth += whists * own // max(1, mean)
        total += chance * worth
    return total // 4096


@rule
def defence_means(hand, trump, level):
    """Both defenders' tricks and one's own, expected from one's own hand (256ths)."""
    total = counted(TOTAL, hand, trump) + TOTAL_BASE[level - 6]
    own = counted(OWN, hand, trump) + OWN_BASE[level - 6]
    total = max(64, total)
    return total, min(total, max(16, own))


@rule
def threats(table, hand):
    """What a hand is threatened with on misère (256ths of a trick)."""
    total = 0
    for suit in range(4):
        total += table[holding(hand, suit)]
    return total


@rule
def misere_worth(r, hand, leader):
    """A misère to its declarer, from the ten cards he was dealt; `leader`: how many seats after him first hand sits."""
    at = (threats(MISERE_DEALT, hand) + MISERE_BASE[leader]) // 64 + 4
    at = min(13, max(0, at))
    clean = MISERE_CLEAN[at] * r.misere_made * r.pool_worth // 4096
    taken = MISERE_TRICKS[at] * r.misere_trick * r.mountain_worth // 256
    return (clean - taken) * own_point(r)
