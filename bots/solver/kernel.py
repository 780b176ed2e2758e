"""The search: does the declarer take at least so many of the remaining tricks, all cards known?

A position is the packed word of four suit codes (`codes.py`, 14 bits a suit, the trump suit first), the seat on lead
(0 the declarer, 1 and 2 the defenders clockwise) and the number of tricks that remain. In contracts the declarer wants
tricks and the defenders deny them; on misère, and when a seat of a raspas minimises against two, it is the other way
round. Either way the value is the declarer's tricks and a search answers one yes-no question about it.

`make_kernel` makes one compiled kernel per kind of this one source. Its two functions:

- `probe` answers from the claims about the suits (`bounds.py`) and from the table of solved positions, or not at all;
- `search` tries the leader's cards, the second hand's and the third hand's, and asks `probe` about *all* positions the
  third hand can reach before it searches any of them.

Cards that touch (one hand holds both and no card lies between) are the same move. Moves that have proved good in the
same suit code, slot and seat are tried first; what is learned so holds for other deals too. The table stores, for a
position in its slot, the proven lower and upper bound of the declarer's tricks. The hash is a bijection of the 60-bit
position, so that slot and tag together *are* the position and a match is never false.
"""

from functools import cache, partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from bots.solver.bounds import misere_bounds, no_trump_bounds, suit_bounds
from bots.solver.claims import LINKS, LOW, RUNS, TRUMPS
from bots.solver.codes import CODE_BITS, CODE_MASK, CODES, LONGEST
from bots.solver.workspace import (
    AS_LEAD,
    AS_SECOND,
    AS_THIRD,
    CONTEXTS,
    HISTORIES,
    PLAYS_OFF,
    PLAYS_OVER,
    PLAYS_UNDER,
    SLOTS,
    TABLE_BITS,
    TABLE_SIZE,
)
from engine.jit import lowbit, rule_inline, rule_variant

SUIT, NO_TRUMP, MISERE = range(3)
KINDS = ("suit", "no-trump", "misere")

NO, YES, UNKNOWN = range(3)

# a position as 60 bits: four codes, the leader, the kind
LEADER_AT = 4 * CODE_BITS
CODES_MASK = (1 << LEADER_AT) - 1
KIND_AT = LEADER_AT + 2
POSITION_BITS = KIND_AT + 2
POSITION_MASK = (1 << POSITION_BITS) - 1
HALF = POSITION_BITS // 2
ODD = 0x2545F4914F6CDD1D & POSITION_MASK  # any odd factor is a bijection modulo a power of two

# a table entry: the lower and the upper bound, a mark that the slot is in use, and the rest of the scrambled position
BOUND_BITS = 4
BOUND_MASK = 15
VALID = 1 << 2 * BOUND_BITS
TAG_AT = 2 * BOUND_BITS + 1
assert TAG_AT + POSITION_BITS - TABLE_BITS < 63

# a move as tried: its suit, the number of its file in the history (whose last three bits are the place), its score
SUIT_MASK = 3
FILE_AT = 2
PLACE_MASK = 7
FILE_MASK = (1 << 24) - 1
SCORE_AT = 26
assert HISTORIES * CODES * LONGEST <= FILE_MASK + 1

BEST, WORST = 32000, -32000  # a score lies between them
RATE = 4  # and moves by 1/16 of the way to one of them

no_trump, with_trumps, misere = rule_inline(no_trump_bounds), rule_inline(suit_bounds), rule_inline(misere_bounds)


@rule_inline
def scramble(x):
    """A bijection of 60-bit numbers that spreads like positions over the table."""
    x ^= x >> HALF
    x = x * ODD & POSITION_MASK
    return x ^ x >> HALF


@rule_inline
def store(w, key, rest, target, answer):
    """Narrow what the table says of a position; another position in its slot is forgotten."""
    x = scramble(key)
    slot, tag = x & TABLE_SIZE - 1, x >> TABLE_BITS
    entry = w.table[slot]
    lower, upper = 0, rest
    if entry >> TAG_AT == tag and entry & VALID:
        lower, upper = entry & BOUND_MASK, entry >> BOUND_BITS & BOUND_MASK
    if answer == YES:
        lower = max(lower, target)
    else:
        upper = min(upper, target - 1)
    w.table[slot] = tag << TAG_AT | VALID | upper << BOUND_BITS | lower


@rule_inline
def without(w, position, suit, place):
    """The position without one card."""
    shift = suit * CODE_BITS
    code = position >> shift & CODE_MASK
    return position ^ (code ^ np.int64(w.after[code, place])) << shift


@rule_inline
def best_of(w, row, i, n):
    """Which of the moves i..n-1 has the highest score."""
    best = i
    for j in range(i + 1, n):
        if w.moves[row, j] > w.moves[row, best]:
            best = j
    return best


@rule_inline
def swap(rows, row, i, j):
    kept = rows[row, i]
    rows[row, i] = rows[row, j]
    rows[row, j] = kept


@rule_inline
def best_first(w, row, i, n):
    """Bring the best of the moves i..n-1 to place i and return it."""
    swap(w.moves, row, i, best_of(w, row, i, n))
    return w.moves[row, i]


@rule_inline
def learn(w, row, i):
    """Move i settled the question after others had not: its score rises, theirs fall. Nothing is learned from a first try."""
    if i > 0:
        for j in range(i + 1):
            file = w.moves[row, j] >> FILE_AT & FILE_MASK
            score = np.int64(w.history[file])
            w.history[file] = score + ((BEST if j == i else WORST) - score >> RATE)


def make_kernel(kind: int) -> Any:
    """The functions `probe(w, position, leader, rest, target)` and `search(…)` for one kind."""
    has_trump = kind == SUIT
    is_misere = kind == MISERE
    declarer_wants = NO if is_misere else YES
    history_from = (0, 2 * CONTEXTS, 3 * CONTEXTS)[kind]

    @rule_inline
    def bounds(w, position, leader, rest):
        a, b = position & CODE_MASK, position >> CODE_BITS & CODE_MASK
        c, d = position >> 2 * CODE_BITS & CODE_MASK, position >> 3 * CODE_BITS & CODE_MASK
        if is_misere:
            return misere(w.words[a, LOW] + w.words[b, LOW] + w.words[c, LOW] + w.words[d, LOW], leader, rest)
        runs = w.words[b, RUNS] + w.words[c, RUNS] + w.words[d, RUNS]
        links = w.words[b, LINKS] + w.words[c, LINKS] + w.words[d, LINKS]
        if has_trump:
            return with_trumps(runs, links, w.words[a, TRUMPS], leader, rest)
        return no_trump(runs + w.words[a, RUNS], links + w.words[a, LINKS], leader, rest)

    @rule_inline
    def last_trick(w, position, leader):
        """Whether the declarer takes the only trick left: the highest trump wins, else the highest card of the suit led."""
        code = position & CODE_MASK
        if not has_trump or code == 0:
            for suit in range(4):
                code = position >> suit * CODE_BITS & CODE_MASK
                if w.touching[code, leader]:
                    break
        return YES if w.touching[code, 0] & 1 else NO

    @rule_inline
    def probe(w, position, leader, rest, target):
        """YES or NO to "the declarer takes at least `target` of the `rest` tricks", or UNKNOWN."""
        if target <= 0:
            return YES
        if target > rest:
            return NO
        w.nodes += 1
        if rest == 1:
            return last_trick(w, position, leader)
        lower, upper = bounds(w, position, leader, rest)
        if lower >= target:
            return YES
        if upper < target:
            return NO
        x = scramble(position | leader << LEADER_AT | kind << KIND_AT)
        entry = w.table[x & TABLE_SIZE - 1]
        if entry >> TAG_AT == x >> TABLE_BITS and entry & VALID:
            if entry & BOUND_MASK >= target:
                return YES
            if entry >> BOUND_BITS & BOUND_MASK < target:
                return NO
        return UNKNOWN

    @rule_inline
    def add_moves(w, row, n, suit, code, places, context, beaten_from):
        """Note the moves at `places` of a suit, filed under `context`, or the next one if above place `beaten_from`."""
        context += history_from
        if has_trump and suit == 0:
            context += CONTEXTS
        while places:
            place = lowbit(places)
            places &= places - 1
            over = PLAYS_OVER if place < beaten_from else PLAYS_UNDER
            file = (code * HISTORIES + context + over) * LONGEST + place
            w.moves[row, n] = w.history[file] << SCORE_AT | file << FILE_AT | suit
            n += 1
        return n

    @rule_inline
    def leads(w, row, position, seat):
        n = 0
        for suit in range(4):
            code = position >> suit * CODE_BITS & CODE_MASK
            n = add_moves(w, row, n, suit, code, np.int64(w.touching[code, seat]), AS_LEAD + seat, 0)
        return n

    @rule_inline
    def follows(w, row, position, seat, led, context, win_suit, win_place):
        """The moves of a seat that follows: the suit led, else a trump, else anything."""
        code = position >> led * CODE_BITS & CODE_MASK
        places = np.int64(w.touching[code, seat])
        if places:
            return add_moves(w, row, 0, led, code, places, context, win_place if win_suit == led else 0)
        if has_trump:
            code = position & CODE_MASK
            places = np.int64(w.touching[code, seat])
            if places:
                return add_moves(w, row, 0, 0, code, places, context, win_place if win_suit == 0 else LONGEST)
        n = 0
        for suit in range(4):
            code = position >> suit * CODE_BITS & CODE_MASK
            n = add_moves(w, row, n, suit, code, np.int64(w.touching[code, seat]), context + PLAYS_OFF, 0)
        return n

    @rule_inline
    def beats(suit, place, win_suit, win_place):
        if suit == win_suit:
            return place < win_place
        return has_trump and suit == 0

    @partial(rule_variant, variant=KINDS[kind])
    def search(w, position, leader, rest, target):
        """YES or NO to the question that `probe` could not answer; `rest` is at least 2."""
        w.expanded += 1
        second = leader + 1 if leader < 2 else 0
        third = 3 - leader - second
        leader_wants = declarer_wants if leader == 0 else YES - declarer_wants
        second_wants = declarer_wants if second == 0 else YES - declarer_wants
        third_wants = declarer_wants if third == 0 else YES - declarer_wants
        row = rest * SLOTS

        answer = YES - leader_wants
        leads_left = leads(w, row, position, leader)
        for i in range(leads_left):
            move = best_first(w, row, i, leads_left)
            led, led_place = move & SUIT_MASK, move >> FILE_AT & PLACE_MASK
            after_lead = without(w, position, led, led_place)

            answer_second = YES - second_wants
            n = follows(w, row + 1, position, second, led, AS_SECOND + 3 * second, led, led_place)
            for j in range(n):
                move = best_first(w, row + 1, j, n)
                suit, place = move & SUIT_MASK, move >> FILE_AT & PLACE_MASK
                if beats(suit, place, led, led_place):
                    winning, win_suit, win_place, context = second, suit, place, AS_THIRD + 6 * third
                else:
                    winning, win_suit, win_place, context = leader, led, led_place, AS_THIRD + 6 * third + 3
                gone = 1 if suit == led and place > led_place else 0
                after_second = without(w, after_lead, suit, place - gone)

                # the third hand: ask about every position it can reach, then search those that are left
                answer_third = YES - third_wants
                m = follows(w, row + 2, position, third, led, context, win_suit, win_place)
                open_ = 0
                for k in range(m):
                    last = w.moves[row + 2, k]
                    last_suit, last_place = last & SUIT_MASK, last >> FILE_AT & PLACE_MASK
                    winner = third if beats(last_suit, last_place, win_suit, win_place) else winning
                    gone = 1 if last_suit == led and last_place > led_place else 0
                    gone += 1 if last_suit == suit and last_place > place else 0
                    child = without(w, after_second, last_suit, last_place - gone)
                    known = probe(w, child, winner, rest - 1, target - (winner == 0))
                    if known == third_wants:
                        answer_third = third_wants
                        open_ = 0
                        break
                    if known == UNKNOWN:
                        w.moves[row + 2, open_] = last
                        w.children[rest, open_] = child | winner << LEADER_AT
                        open_ += 1
                for k in range(open_):
                    best = best_of(w, row + 2, k, open_)
                    swap(w.moves, row + 2, k, best)
                    swap(w.children, rest, k, best)
                    child = w.children[rest, k]
                    winner = child >> LEADER_AT
                    if search(w, child & CODES_MASK, winner, rest - 1, target - (winner == 0)) == third_wants:
                        answer_third = third_wants
                        learn(w, row + 2, k)
                        break

                if answer_third == second_wants:
                    answer_second = second_wants
                    learn(w, row + 1, j)
                    break
            if answer_second == leader_wants:
                answer = leader_wants
                learn(w, row, i)
                break
        store(w, position | leader << LEADER_AT | kind << KIND_AT, rest, target, answer)
        return answer

    return SimpleNamespace(probe=probe, search=search, bounds=bounds)


@cache
def kernel(kind: int) -> Any:
    return make_kernel(kind)
