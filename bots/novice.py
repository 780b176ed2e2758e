"""`novice`: a beginner, not a fool. Compiled, without memory, without chance.

How it thinks. It counts its own cards and hardly anybody else's: an ace is a trick, a guarded king most of one, a long suit
gives one for every card that its high cards bring home. With the talon good for one more it bids as long as the
count carries the next bid, discards what costs it fewest counted tricks, and orders what it counts. As a defender it
whists on its own tricks, takes half a whist when it is free, raises with two tricks, and lays an open defence down because
it likes to see cards. It bids misère when no more cards are bad than it may lay away. How it plays the cards stands in `bots.novice_cards`.
The convention's numbers it does not read but for what is legal.
"""

from __future__ import annotations

from bots import hands, novice_cards
from bots.hands import QUARTERS, RUNG, holding, suit_table
from engine import actions
from engine.cards import DECK, NO_TRUMP
from engine.contracts import LEVEL, MISERE, TRUMP
from engine.jit import highbit, lowbit, rule
from engine.table import (
    K_MISERE,
    P_BID,
    P_CHOICE,
    P_DISCARD,
    P_OPEN,
    P_ORDER,
    P_PLAY,
    P_TALON,
    P_WHIST,
    UNIT,
    W_AGAIN,
    W_FIRST,
    W_RAISE,
    W_SITTER,
)

TALON_WORTH = 4  # quarters of a trick: the talon is good for one, as everybody says


def _driven(ranks: list[int]) -> int:
    """Tricks a suit takes when its owner leads it from the top and the two opponents hold the rest evenly."""
    mine, theirs, taken = list(ranks), [r for r in range(7, -1, -1) if r not in ranks], 0
    while mine and theirs:
        top = mine.pop(0)
        beaten = [r for r in theirs if r > top]
        if beaten:
            theirs.remove(beaten[-1])  # as cheaply as it can be done
        else:
            taken += 1
            theirs.pop()
        if theirs:
            theirs.pop()
    return taken + len(mine)


def _as_trumps(ranks: list[int]) -> int:
    quarters = QUARTERS * _driven(ranks)
    return quarters - 2 if len(ranks) == 4 and 7 not in ranks else quarters


def _top_cards(ranks: list[int]) -> int:
    """Ace, king, queen and what they promise while the suit goes round two or three times."""
    ace, king, queen, jack = (rank in ranks for rank in (7, 6, 5, 4))
    count = len(ranks)
    quarters = 4 if ace else 0
    if king:
        quarters += 4 if ace else 2 if count >= 2 else 0
    if queen and count >= 3:
        quarters += 4 if ace and king else 2 if ace or king or jack else 1
    if queen and king and not ace and count >= 2:
        quarters += 1
    return quarters


def _as_side_suit(ranks: list[int]) -> int:
    quarters = _top_cards(ranks)
    high = sum(rank in ranks for rank in (7, 6, 5))
    if high:  # small cards of a long suit come home once trumps are gone
        quarters += max(0, len(ranks) - 3) * (3 if high >= 2 else 2)
    return min(quarters, QUARTERS * len(ranks))


def _without_trumps(ranks: list[int]) -> int:
    return min(_as_side_suit(ranks), QUARTERS * _driven(ranks)) if 7 in ranks or len(ranks) >= 3 else 0


def _against(ranks: list[int]) -> int:
    """Tricks of a suit in defence, where the declarer is likely to ruff the third round."""
    ace, king, queen = (rank in ranks for rank in (7, 6, 5))
    count = len(ranks)
    quarters = 4 if ace else 0
    if king and count >= 2:
        quarters += 3
    if queen and count >= 3 and not (ace and king):
        quarters += 1
    return quarters if count < 5 else min(quarters, 4)


def _trumps_against(ranks: list[int]) -> int:
    """Tricks of trumps held against the declarer: stoppers with enough small cards before them."""
    count = len(ranks)
    quarters = 0
    for behind, rank in enumerate(ranks):
        higher_out = 7 - rank - behind
        quarters += 4 if higher_out == 0 else 3 if count - behind > higher_out else 0
    return min(quarters, QUARTERS * count)


def _bad_on_misere(ranks: list[int]) -> int:
    """Cards to be got rid of before nobody can make this suit take a trick: card *i* from below may be no higher than rank 2*i*."""
    safe = 0
    for rank in reversed(ranks):
        if rank <= 2 * safe:
            safe += 1
    return len(ranks) - safe


AS_TRUMPS = suit_table(_as_trumps)
AS_SIDE = suit_table(_as_side_suit)
WITHOUT_TRUMPS = suit_table(_without_trumps)
AGAINST = suit_table(_against)
TRUMPS_AGAINST = suit_table(_trumps_against)
BAD = suit_table(_bad_on_misere)


@rule
def count_tricks(hand, trump):
    """Quarters of tricks that the hand counts as declarer with this trump (4: none)."""
    total = 0
    for suit in range(4):
        mine = holding(hand, suit)
        if trump == NO_TRUMP:
            total += WITHOUT_TRUMPS[mine]
        elif suit == trump:
            total += AS_TRUMPS[mine]
        else:
            total += AS_SIDE[mine]
    return total


@rule
def highest_contract(hand, extra, low):
    """The highest rung whose level the hand counts, with `extra` quarters on top; 0 if none at or above rung `low`."""
    best = 0
    sides = 0
    for suit in range(4):
        sides += AS_SIDE[holding(hand, suit)]
    for trump in range(5):
        if trump == NO_TRUMP:
            count = extra + count_tricks(hand, NO_TRUMP)
        else:
            mine = holding(hand, trump)
            count = extra + sides - AS_SIDE[mine] + AS_TRUMPS[mine]
        level = min(10, count // QUARTERS)
        if level >= 6:
            rung = RUNG[level - 6, trump]
            if rung >= low:
                best = max(best, rung)
    return best


@rule
def bid(v, r):
    """The cheapest bid or hold that the count still carries; misère when two discards can cure it; else pass."""
    words = v.legal
    hand = v.hand & DECK
    if words >> MISERE & 1:
        bad = BAD[holding(hand, 0)] + BAD[holding(hand, 1)] + BAD[holding(hand, 2)] + BAD[holding(hand, 3)]
        if bad <= 2:
            return actions.MISERE
    limit = highest_contract(hand, TALON_WORTH, 1)
    bids = words & ~(1 | 1 << MISERE) & ((2 << limit) - 1)
    if bids != 0:
        return actions.BID + lowbit(bids)
    return actions.PASS


@rule
def best_trump(hand, bid):
    """The trump in which a contract at or above the bid looks safest."""
    best = 0
    most = -100
    for trump in range(5):
        level = LEVEL[bid] if trump >= TRUMP[bid] else LEVEL[bid] + 1
        if level <= 10:
            spare = count_tricks(hand, trump) - QUARTERS * level
            if spare > most:
                most = spare
                best = trump
    return best


@rule
def order(v, r):
    """The safest trump, as high as it counts."""
    hand = v.hand & DECK
    trump = best_trump(hand, v.bid)
    level = LEVEL[v.bid] if trump >= TRUMP[v.bid] else LEVEL[v.bid] + 1
    level = max(level, min(10, count_tricks(hand, trump) // QUARTERS))
    return actions.BID + RUNG[level - 6, trump]


@rule
def talon(v, r):
    """The talon is never refused; without three (без трёх) is said where the hand counts three tricks less than it must."""
    if v.legal >> (actions.GIVE_UP - actions.WORDS) & 1:
        hand = v.hand | 1 << v.talon_up[0] | 1 << v.talon_up[1]
        trump = best_trump(hand & DECK, v.bid)
        level = LEVEL[v.bid] if trump >= TRUMP[v.bid] else LEVEL[v.bid] + 1
        if count_tricks(hand & DECK, trump) <= QUARTERS * (level - 3):
            return actions.GIVE_UP
    return actions.TAKE


@rule
def worth_in_game(hand, suit, rank):
    """What a side card is worth to the declarer: counted tricks first, then rather a short suit's small cards away."""
    mine = holding(hand, suit)
    lost = AS_SIDE[mine] - AS_SIDE[mine & ~(1 << rank)]
    return 64 * lost + 8 * hands.LENGTH[mine] + rank


@rule
def worth_on_misere(hand, suit, rank):
    """What a card is worth on misère: those go first that make a suit bad, the high ones of short suits before others."""
    mine = holding(hand, suit)
    cured = BAD[mine] - BAD[mine & ~(1 << rank)]
    return -64 * cured - 8 * rank + hands.LENGTH[mine]


@rule
def cheapest(hand, trump):
    """The card that the hand can best do without; `trump` -1: on misère."""
    best = -1
    least = 1 << 30
    left = hand
    while left != 0:
        card = lowbit(left)
        left &= left - 1
        suit = card >> 3
        if trump < 0:
            worth = worth_on_misere(hand, suit, card & 7)
        elif suit == trump:
            worth = 4096 + card
        else:
            worth = worth_in_game(hand, suit, card & 7)
        if worth < least:
            least = worth
            best = card
    return best


@rule
def discard(v, r):
    """The two cards that cost least, one after the other; the lower one is laid away first."""
    hand = (v.hand | v.discard) & DECK
    if v.discard != 0:  # the first card is gone: the pair is the same as before
        return actions.DISCARD + highbit(pair(hand, v.kind, v.bid) & v.hand)
    return actions.DISCARD + lowbit(pair(hand, v.kind, v.bid))


@rule
def pair(hand, kind, bid):
    """The two of twelve cards to lay away."""
    trump = -1 if kind == K_MISERE else best_trump(hand, bid)
    first = 1 << cheapest(hand, trump)
    return first | 1 << cheapest(hand & ~first, trump)


@rule
def defence_tricks(v):
    """Quarters of tricks that this hand counts against the ordered contract."""
    total = 0
    for suit in range(4):
        mine = holding(v.hand & DECK, suit)
        total += TRUMPS_AGAINST[mine] if suit == v.trump else AGAINST[mine]
    return total


@rule
def whist(v, r):
    """Whist on one's own share of the duty, nearly; alone on more; half a whist whenever it may be had."""
    level = LEVEL[v.contract]
    if v.stage == W_SITTER:
        return actions.PASS
    count = defence_tricks(v)
    share = 7 if level == 6 else 4  # alone on a six it takes four tricks, most of which the partner must bring
    if v.stage == W_FIRST or v.stage == W_RAISE or v.stage == W_AGAIN:
        return actions.WHIST if count >= share else actions.PASS
    if v.legal >> (actions.HALF - actions.WORDS) & 1:
        return actions.WHIST if count >= share + 2 else actions.HALF
    return actions.WHIST if count >= share else actions.PASS


@rule
def choice(v, r):
    """Into the pool until it is full."""
    return actions.POOL if v.pool[v.turn] < v.target * UNIT else actions.MOUNTAIN


@rule
def act(v, r):
    """A legal action (`v`: a view, `r`: the convention's rules)."""
    phase = v.phase
    if phase == P_PLAY:
        return novice_cards.play(v)
    if phase == P_BID:
        return bid(v, r)
    if phase == P_WHIST:
        return whist(v, r)
    if phase == P_DISCARD:
        return discard(v, r)
    if phase == P_ORDER:
        return order(v, r)
    if phase == P_TALON:
        return talon(v, r)
    if phase == P_OPEN:
        return actions.OPEN
    if phase == P_CHOICE:
        return choice(v, r)
    return -1
