"""Layouts that agree with everything a seat has seen, and how well the others' words and cards go with them.

A layout is drawn uniformly among those that the view allows (`engine.complete`); where there are few, all are taken. Then the deal
is lived through again on it, from the first word on and by the engine's own rules, and at every word and card of the others a bot of
the house is asked what it would have done with that hand. The more often it answers differently, the less the layout counts: so
passes, bids, whists, orders and discards say something about hands, though nobody is taken at his word. Living through it also leaves
the table as it stands now in that layout, with nothing put together by hand.
"""

from __future__ import annotations

import numpy as np

from engine import actions, complete, machine, rng, view
from engine.cards import DECK, SUIT
from engine.contracts import TRUMP
from engine.jit import JIT, call_bot, lowbit, popcount, rule, rule_inline
from engine.table import P_BID, P_DISCARD, P_ORDER, P_PLAY, P_TALON, P_WHIST

if JIT:

    @rule_inline
    def key_of(random, n):
        """The n-th key that a decision's random number makes."""
        return np.uint64(rng.join(random, n))
else:

    def key_of(random: int, n: int) -> int:
        return int(rng.join(random, n))


HANDS, TALON, DISCARD = 0, 3, 4  # the places: three hands in the order of play, the hidden talon, the hidden discard
PLACES = 5

# what it costs a layout, in halvings of its weight, that the asked bot would have said something else
MISSED_BID = 3
MISSED_WHIST = 2
MISSED_ORDER = 2
MISSED_CARD = 1
MISSED_DISCARD = 3  # where discards are not chosen after the bot's own
WEIGHT_BITS = 20


@rule
def seat_of(v, place):
    """Who is first, second, third hand (0, 1, 2)."""
    return (v.dealer + 1 + place) % v.seats


@rule
def talon_mask(v):
    """The talon's cards that lie open or lay open."""
    mask = 0
    for k in range(2):
        if v.talon_up[k] >= 0:
            mask |= 1 << v.talon_up[k]
    return mask


@rule
def talon_taken(v):
    """Whether the talon has gone to the declarer's hand."""
    return v.declarer >= 0 and v.refused == 0 and v.phase != P_TALON


@rule
def knowledge(v, known, sizes, forbidden):
    """What `complete.fill` is told; returns the set of cards in play. `known`, `sizes`, `forbidden`: int64 (PLACES,).

    The places of hands hold what those seats hold *now*.
    """
    talon = talon_mask(v)
    taken = talon_taken(v)
    for place in range(3):
        seat = seat_of(v, place)
        known[place] = v.known[seat] & DECK
        sizes[place] = popcount(known[place]) if seat == v.seat else 10 - popcount(v.played[seat])
        barred = 0
        for suit in range(4):
            if v.voids[seat] >> suit & 1:
                barred |= SUIT << 8 * suit
        if taken and seat != v.declarer:
            barred |= talon
        forbidden[place] = barred & ~known[place]
    known[TALON] = 0
    sizes[TALON] = 2 - popcount(talon)
    forbidden[TALON] = 0
    known[DISCARD] = 0
    sizes[DISCARD] = 2 if taken and v.seat != v.declarer else 0
    forbidden[DISCARD] = 0
    gone = (v.played[0] | v.played[1] | v.played[2] | v.played[3] | v.discard) & DECK
    if not taken:
        gone |= talon  # turned up, and in nobody's hand
    return DECK & ~gone


@rule
def all_layouts(known, sizes, forbidden, cards, out, lists):
    """Every layout into the rows of `out`, which has room for them; returns how many. `lists` int64 (2, 32): working memory.

    The other arguments are those of `complete.fill`; `known` is used as the layout under way and is the same again afterwards.
    """
    order = lists[0]  # the cards to be placed, those with the least choice first
    tried = lists[1]  # the place that each of them is in
    left = 0
    for choice in range(PLACES + 1):
        rest = cards
        for p in range(PLACES):
            rest &= ~known[p]
        while rest != 0:
            card = lowbit(rest)
            rest &= rest - 1
            places = 0
            for p in range(PLACES):
                if sizes[p] > 0 and forbidden[p] >> card & 1 == 0:
                    places += 1
            if places == choice:
                order[left] = card
                left += 1
    number = 0
    k = 0
    tried[0] = -1
    while k >= 0:
        if k == left:
            for p in range(PLACES):
                out[number, p] = known[p]
            number += 1
            k -= 1
            continue
        card = order[k]
        p = tried[k]
        if p >= 0:
            known[p] &= ~(1 << card)
        p += 1
        while p < PLACES and (popcount(known[p]) == sizes[p] or forbidden[p] >> card & 1):
            p += 1
        if p == PLACES:
            k -= 1
            continue
        known[p] |= 1 << card
        tried[k] = p
        k += 1
        if k < left:
            tried[k] = -1
    return number


@rule
def deck_of(v, held, deck, random):
    """Into `deck`: the deal as it was given out, from what each place holds now (`held[PLACES]`); returns the discard."""
    talon = talon_mask(v)
    taken = talon_taken(v)
    discard = v.discard & DECK if v.seat == v.declarer else held[DISCARD]
    for place in range(3):
        seat = seat_of(v, place)
        cards = held[place] | (v.played[seat] & DECK)
        if taken and seat == v.declarer:
            cards = (cards | discard) & ~talon
        for k in range(10):
            deck[10 * place + k] = lowbit(cards)
            cards &= cards - 1
    rest = held[TALON]
    turned = rng.below(random, 2)
    for k in range(2):
        if v.talon_up[k] >= 0:
            deck[30 + k] = v.talon_up[k]
        else:
            card = lowbit(rest)
            if rest & (rest - 1) and turned:
                card = lowbit(rest & (rest - 1))
            deck[30 + k] = card
            rest &= ~(1 << card)
    return discard


@rule
def other_discard(v, t, s, p, rules, bot, discard):
    """The two cards that `bot` would lay away at table `t`, where what followed allows it; else `discard`. `s`: a view to work with."""
    hand = t.hands[t.declarer] & DECK
    found = 0
    for _ in range(2):
        legal = machine.legal(t, p)
        view.fill(t, s, t.actor, legal)
        card = call_bot(bot, s, rules) - actions.DISCARD
        if card < 0 or card > 31 or legal >> card & 1 == 0:
            break
        found |= 1 << card
        t.hands[t.declarer] &= ~(1 << card)
        t.discard = found
    t.hands[t.declarer] = hand
    t.discard = 0
    if popcount(found) < 2 or found & ((v.played[t.declarer] | v.shown[t.declarer]) & DECK) != 0:
        return discard
    left = hand & ~(found | (v.played[t.declarer] & DECK))
    for suit in range(4):
        if v.voids[t.declarer] >> suit & 1 and left >> 8 * suit & SUIT:
            return discard
    return found


@rule
def missed(phase, said, done):
    """What it costs that the bot would have `said` what was not `done`."""
    if said == done:
        return 0
    if phase == P_BID:
        return MISSED_BID
    if phase == P_WHIST:
        return MISSED_WHIST
    if phase == P_ORDER:
        return 1 if TRUMP[(said - actions.BID) % 27] == TRUMP[(done - actions.BID) % 27] else MISSED_ORDER
    if phase == P_PLAY:
        return MISSED_CARD
    return 0


@rule
def live_through(v, deck, discard, t, s, p, scorer, rules, bot, as_bot):
    """The deal of view `v` once more on table `t` with the cards of `deck`; returns the missed words and cards of the others.

    `as_bot`: a hidden discard becomes what `bot` would have laid away, where that is possible (1), stays (0), or counts as missed where
    it is not the bot's (2). `s` is a view to work with.
    """
    view.copy_public(v, t)
    machine.deal(t, p, deck)
    cost = 0
    at = 0
    while True:
        if t.phase == P_DISCARD:
            if t.actor == v.seat:
                discard = v.discard & DECK
            elif t.discard == 0 and as_bot != 0:
                usual = other_discard(v, t, s, p, rules, bot, discard)
                if as_bot == 1:
                    discard = usual
                elif usual != discard:
                    cost += MISSED_DISCARD
            rest = discard & ~(t.discard & DECK)
            if rest == 0:
                break  # it is for the seat itself to discard now
            machine.apply(t, p, scorer, rules, actions.DISCARD + lowbit(rest))
            continue
        if at >= v.words:
            break
        action = int(v.log[at])
        at += 1
        if t.actor != v.seat:
            legal = machine.legal(t, p)
            if legal & (legal - 1):
                view.fill(t, s, t.actor, legal)
                cost += missed(t.phase, call_bot(bot, s, rules), action)
        machine.apply(t, p, scorer, rules, action)
    return cost


@rule
def imagine(views, which, first, wanted, tries, p_array, scorer, rules, bot, drawn, lists, scratch, work, costs, columns, out):
    """For each view `which[j]`: `wanted[j]` tables in layouts of their own into `out`, from row `first[j]` on.

    `tries[j]` layouts are drawn, or all there are if they are no more, weighed, and drawn from again by their weights (evenly spaced,
    so that a layout of weight w among W comes up w / W × `wanted` times, rounded either way). Working memory for the largest number of
    tries: `drawn` int64 (tries, PLACES), `lists` int64 (2, 32), `scratch` tables, `work` one view, `costs` int64 (tries,), `columns` int64
    (3, PLACES). Returns the number of views without any layout.
    """
    p = p_array[0]
    s = work[0]
    deck = lists[0]
    failed = 0
    for j in range(len(which)):
        v = views[which[j]]
        n = tries[j]
        cards = knowledge(v, columns[0], columns[1], columns[2])
        number = complete.fill(columns[0], columns[1], columns[2], cards, key_of(v.random, 0), drawn[:n])
        if number == 0:
            failed += 1
            continue
        few = number <= n
        if few:
            n = all_layouts(columns[0], columns[1], columns[2], cards, drawn[:number], lists)
        least = 1 << 30
        for i in range(n):
            random = key_of(v.random, 1 + i)
            discard = deck_of(v, drawn[i], deck, random)
            t = scratch[i]
            cost = live_through(v, deck, discard, t, s, p, scorer, rules, bot, 2 if few else min(i & 3, 1))
            t.key = random
            costs[i] = cost
            least = min(least, cost)
        total = 0
        for i in range(n):
            costs[i] = (1 << WEIGHT_BITS) >> min(costs[i] - least, WEIGHT_BITS)
            total += costs[i]
        # evenly spaced points of the sum of weights, from a random start
        at = int(rng.below(key_of(v.random, 1 + n), total))
        i = 0
        upto = costs[0]
        for k in range(wanted[j]):
            point = (at + k * total) // wanted[j]
            while upto <= point:
                i += 1
                upto += costs[i]
            view.copy_table(scratch[i], out[first[j] + k])
    return failed
