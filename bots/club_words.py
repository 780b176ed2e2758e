"""What `club` says: every word by its expected worth under the convention (`bots.club_value`)."""

from __future__ import annotations

from bots.club_tables import MISERE_FINAL
from bots.club_value import (
    ALONE,
    BOTH,
    PARTNER,
    SITTER,
    SPREAD_DEALT,
    SPREAD_FINAL,
    WHIST,
    defence_means,
    defence_worth,
    game_worth,
    misere_worth,
    own_point,
    raspas_worth,
    threats,
    tricks_after_discard,
    tricks_before_talon,
)
from bots.hands import RUNG
from conventions.rules_record import REFUSAL_RETURN
from engine import actions, seats
from engine.cards import DECK
from engine.contracts import LEVEL, MISERE, TRUMP
from engine.jit import highbit, lowbit, popcount, rule
from engine.pulka import GIVE_UP_SHORT
from engine.table import D_WHIST, K_MISERE, K_RASPAS, UNIT, W_AGAIN, W_FIRST, W_RAISE, W_SITTER

NEVER = -(1 << 40)
CHOOSING = 5 * WHIST  # what it adds to a game that trump and level are chosen once the talon is in


@rule
def level_for(bid, trump):
    """The lowest level at which a contract with this trump may be ordered over the bid; 11 if none."""
    return LEVEL[bid] if trump >= TRUMP[bid] else LEVEL[bid] + 1


@rule
def best_level(r, low, mean, spread):
    """(worth, level) of the most valuable game from level `low` on."""
    best = NEVER
    at = 0
    level = max(low, min(10, mean // 256 - 1))
    while level <= 10:
        worth = game_worth(r, level, mean, spread)
        if worth > best:
            best = worth
            at = level
        elif worth < best:
            break
        level += 1
    return best, at


@rule
def best_bid_worth(r, hand, low):
    """The worth of becoming declarer at rung `low` or above."""
    best = NEVER
    for trump in range(5):
        level = level_for(low, trump)
        if level <= 10:
            worth, _ = best_level(r, level, tricks_before_talon(hand, trump), SPREAD_DEALT)
            best = max(best, worth)
    return best


@rule
def pass_worth(v, r, hand):
    """What comes of a pass: raspas, or defending against somebody's game."""
    if v.bid != 0:
        level = LEVEL[v.bid] if v.bid != MISERE else 0
        if level == 0:
            return 0
        return -game_worth(r, level, 256 * level + 100, SPREAD_FINAL) // (r.seats - 1)
    raspas = raspas_worth(v, r, hand)
    still = 2 - popcount(v.passed)  # who may yet bid
    return raspas * (4 - still) // 4 - still * 2 * WHIST


@rule
def bid(v, r):
    """What is worth most: a pass, the lowest legal bid or hold, misère."""
    words = v.legal
    hand = v.hand & DECK
    best = pass_worth(v, r, hand)
    action = actions.PASS
    bids = words & ~(1 | 1 << MISERE)
    if bids != 0:
        low = lowbit(bids)
        worth = best_bid_worth(r, hand, low) + CHOOSING
        if worth > best:
            best = worth
            action = actions.BID + low
    if words >> MISERE & 1:
        leader = (3 - seats.hand_order(v, v.turn)) % 3
        if misere_worth(r, hand, leader) > best:
            action = actions.MISERE
    return action


@rule
def best_order(r, hand, bid):
    """(worth, rung) of the best contract at or above the bid with these ten cards."""
    best = NEVER
    rung = 0
    for trump in range(5):
        level = level_for(bid, trump)
        if level <= 10:
            worth, at = best_level(r, level, tricks_after_discard(hand, trump), SPREAD_FINAL)
            if worth > best:
                best = worth
                rung = RUNG[at - 6, trump]
    return best, rung


@rule
def order(v, r):
    """The contract worth most."""
    _, rung = best_order(r, v.hand & DECK, v.bid)
    return actions.BID + rung


@rule
def best_pair(hand, bid):
    """The two of twelve cards whose discard leaves most tricks over the level that the trump must have."""
    best = 0
    most = NEVER
    for trump in range(5):
        level = level_for(bid, trump)
        if level > 10:
            continue
        first = hand
        while first != 0:
            a = first & -first
            first &= first - 1
            second = first
            while second != 0:
                b = second & -second
                second &= second - 1
                worth = tricks_after_discard(hand & ~(a | b), trump) - 256 * level
                if worth > most:
                    most = worth
                    best = a | b
    return best


@rule
def safest_pair(hand):
    """The two of twelve cards without which a misère is threatened least."""
    best = 0
    least = 1 << 40
    first = hand
    while first != 0:
        a = first & -first
        first &= first - 1
        second = first
        while second != 0:
            b = second & -second
            second &= second - 1
            danger = threats(MISERE_FINAL, hand & ~(a | b))
            if danger < least:
                least = danger
                best = a | b
    return best


@rule
def discard(v, r):
    """The lower card of the best pair first; the second time the same pair is found again."""
    hand = (v.hand | v.discard) & DECK
    pair = (safest_pair(hand) if v.kind == K_MISERE else best_pair(hand, v.bid)) & v.hand
    return actions.DISCARD + (highbit(pair) if v.discard != 0 else lowbit(pair))


@rule
def talon(v, r):
    """Take, refuse or give up, by worth."""
    words = v.legal
    hand = v.hand & DECK
    full = hand | 1 << v.talon_up[0] | 1 << v.talon_up[1]
    taken, _ = best_order(r, full & ~best_pair(full, v.bid), v.bid)
    best = taken
    action = actions.TAKE
    if words >> (actions.GIVE_UP - actions.WORDS) & 1:
        given = -GIVE_UP_SHORT * r.undertrick[LEVEL[v.bid] - 6] * r.mountain_worth * own_point(r)
        if given > best:
            best = given
            action = actions.GIVE_UP
    if words >> (actions.REFUSE - actions.WORDS) & 1:
        refused, rung = best_order(r, hand, v.bid)
        if r.refusal == REFUSAL_RETURN:
            refused += r.made[LEVEL[rung] - 6] * r.mountain_worth * WHIST // r.seats
        else:
            refused += r.throw_whists * WHIST
        if refused > best:
            action = actions.REFUSE
    return action


@rule
def whist(v, r):
    """Whist, half or pass, by worth."""
    level = LEVEL[v.contract]
    hand = v.hand & DECK
    if v.stage == W_SITTER:
        if v.looked < 0:  # the half whister's hand tells most: it costs nothing to look
            return actions.LOOK + seats.after(v, seats.after(v, v.declarer))
        hand = v.known[v.looked] & DECK
        mean, own = defence_means(hand, v.trump, level)
        return actions.WHIST if defence_worth(r, level, mean, own, SITTER, 0) > 0 else actions.PASS
    mean, own = defence_means(hand, v.trump, level)
    alone = defence_worth(r, level, mean, own, ALONE, 0)
    if v.stage == W_RAISE:
        return actions.WHIST if alone > 0 else actions.PASS
    if v.stage == W_AGAIN:
        return actions.WHIST if alone > 0 else actions.PASS
    if v.stage == W_FIRST:
        both = defence_worth(r, level, mean, own, BOTH, 0)
        partner = defence_worth(r, level, mean, own, PARTNER, 0)
        return actions.WHIST if alone + both > max(0, partner) else actions.PASS
    if v.defence[seats.after(v, v.declarer)] == D_WHIST:
        both = defence_worth(r, level, mean, own, BOTH, 1)
        partner = defence_worth(r, level, mean, own, PARTNER, 0)
        return actions.WHIST if both > partner else actions.PASS
    if v.legal >> (actions.HALF - actions.WORDS) & 1:
        half = WHIST * (r.duty[level - 6] // 2) * r.whist[level - 6]
        return actions.WHIST if alone > half else actions.HALF
    return actions.WHIST if alone > 0 else actions.PASS


@rule
def choice(v, r):
    """Pool or mountain by what the points are worth there; where that is the same, the pool until it is full."""
    if v.kind == K_RASPAS:
        pool = r.zero_pool[v.level - 1] * r.pool_worth
        mountain = r.zero_mountain[v.level - 1] * r.mountain_worth
    else:
        pool = r.pool_worth
        mountain = r.write_off_multiplier * r.mountain_worth
    if pool == mountain:
        return actions.POOL if v.pool[v.turn] < v.target * UNIT else actions.MOUNTAIN
    return actions.POOL if pool > mountain else actions.MOUNTAIN


@rule
def openness(v, r):
    """Open: one head for two hands is worth more to the defence than what the declarer sees."""
    return actions.OPEN
