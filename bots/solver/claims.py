"""What a position gives away without search: claims about single suits, summed over suits by the kernel.

Each field below is one claim about one suit; the kernel adds the words of the suits and `bounds.py` draws conclusions
from the sums. Seats are the declarer 0 and the defenders 1 and 2; the *enemies* of the declarer are both defenders,
the enemy of a defender is the declarer; `x[k]` is the place of the leader's k-th highest card (0: the highest card).

A suit's claims about cashing assume nothing about how other suits are played: a hand that discards can always discard
its highest card of a suit, which only shortens it, and shortening never spoils the claim.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bots.solver.codes import LONGEST, NOWHERE, pack, suits

Words = NDArray[np.int64]

# the words of a code
RUNS, LINKS, TRUMPS, LOW = range(4)
WORDS = 4

# field widths: tricks of one hand (at most 10 over all suits) and numbers of suits (at most 4)
TRICKS_BITS, TRICKS_MASK = 4, 15
SUITS_BITS, SUITS_MASK = 3, 7

# Four variants of a side suit, by who else may ruff it: bit 0 the next seat after the leader, bit 1 the seat after that.
NOBODY, FIRST_RUFFS, SECOND_RUFFS, BOTH_RUFF = range(4)
VARIANTS = 4

Bools = NDArray[np.bool_]


def is_enemy(seat: int, other: int) -> bool:
    return seat == 0 or other == 0


def cashing(leader: int, variant: int) -> NDArray[np.int64]:
    """How many tricks in a row the leader takes by leading this suit from the top, keeping the lead.

    The k-th lead wins if every enemy is out of the suit or has only lower cards (his highest card is the worst that can
    happen, whatever he kept), and the partner is not forced to overtake: he is out of the suit, or his k-th lowest card
    is lower (he follows with his lowest). A hand that may ruff must still follow: more than k cards of the suit.
    """
    s = suits()
    going = np.ones(len(s.count), dtype=bool)
    tricks = np.zeros(len(s.count), dtype=np.int64)
    for k in range(LONGEST):
        going &= s.count[:, leader] > k
        for bit, step in enumerate((1, 2)):
            other = (leader + step) % 3
            cards = s.count[:, other]
            threat = s.high[:, other, 0] if is_enemy(leader, other) else s.low[:, other, k]
            going &= (cards <= k) | (threat > s.high[:, leader, k])
            if variant >> bit & 1:
                going &= cards > k
        tricks += going
    return tricks


def handing_over(leader: int, variant: int) -> Bools:
    """After the defender's own run in this suit the next round is still the defence's: his partner wins it.

    The leader has a card left to lead; the partner still follows and his highest card beats the declarer's highest, or
    the declarer is out of the suit (and no trumps are out with him, or he must still follow).
    """
    s = suits()
    partner = 3 - leader
    k = cashing(leader, variant)
    own, follows = s.count[:, 0] > k, s.count[:, partner] > k
    wins = (s.high[:, partner, 0] < s.high[:, 0, 0]) | ~own
    result: Bools = (s.count[:, leader] > k) & follows & wins
    for bit, step in enumerate((1, 2)):
        if variant >> bit & 1:
            result &= s.count[:, (leader + step) % 3] > k
    return result


def unbeaten(seat: int) -> NDArray[np.int64]:
    """Trumps of a seat that win a trick whatever happens: its trumps less those that can each be paired with a higher enemy trump.

    A seat plays its trumps to different tricks, and each trick it loses takes a higher enemy trump out of play.
    """
    s = suits()
    free = np.zeros(len(s.count), dtype=np.int64)
    paired = np.zeros(len(s.count), dtype=np.int64)
    for place in range(LONGEST):
        owner = s.owner[:, place]
        enemy = (owner < 3) & ((owner != 0) if seat == 0 else (owner == 0))
        pairs = (owner == seat) & (free > 0)
        paired += pairs
        free += enemy.astype(np.int64) - pairs
    return s.count[:, seat] - paired


def _below(under: NDArray[np.int64], over: NDArray[np.int64], shift: int, length: NDArray[np.int64]) -> Bools:
    """The ladder `under` stays below `over`: for k < length, under[k + shift] is a lower card than over[k]."""
    good = np.ones(len(under), dtype=bool)
    for k in range(LONGEST - shift):
        good &= (k >= length) | (under[:, k + shift] > over[:, k])
    return good


def safe(lead: bool) -> Bools:
    """On misère: the declarer never takes a trick of this suit (with `lead`: even if he leads it once, now).

    Cards from the lowest up, d of the declarer, o of both defenders together. If d[k] < o[k] for all k that both have,
    the declarer answers any lead o[k] with his highest card below it; taking out any cards of the o, the highest d, or
    a pair o[k] with the highest d below it keeps the property. For his own lead of d[0] somebody must be able to beat it
    only with higher cards (d[0] < o[0]), and the answer may be the highest o, so d[k+1] < o[k] must hold for the rest.
    """
    s = suits()
    d, (_, o, others) = s.low[:, 0], s.union(1, 2)
    own = s.count[:, 0]
    if not lead:
        return _below(d, o, 0, np.minimum(own, others))
    first = (own > 0) & (others > 0) & (d[:, 0] > o[:, 0])
    return first & _below(d, o, 1, np.minimum(own, others) - 1)


def stuck(leader: int) -> Bools:
    """On misère: both defenders can always stay below the declarer in this suit.

    With the declarer on lead (`leader` 0) this is the mirror of `safe`: each defender's k-th lowest card is lower than
    the declarer's k-th lowest, as far as both have cards, or he is out. With a defender on lead in this very suit: both
    put their lowest card under the declarer's lowest, and the property holds for what is left, whichever card he took with.
    """
    s = suits()
    d, own = s.low[:, 0], s.count[:, 0]
    result: Bools = np.ones(len(own), dtype=bool)
    for seat in (1, 2):
        cards = s.count[:, seat]
        ladder = s.low[:, seat]
        if leader == 0:
            result &= _below(ladder, d, 0, np.minimum(cards, own))
        else:
            result &= (cards == 0) | (ladder[:, 0] > d[:, 0])
            result &= _below(ladder, d, 1, np.minimum(cards, own) - 1)
    if leader:
        result &= (own > 0) & (s.count[:, leader] > 0)
    return result


def exits() -> Bools:
    """On misère: the declarer loses this trick by leading his lowest card here, as a defender has only higher cards; else he takes it."""
    s = suits()
    forced = np.zeros(len(s.count), dtype=bool)
    for seat in (1, 2):
        forced |= (s.count[:, seat] > 0) & (s.low[:, seat, 0] < s.low[:, 0, 0])
    return (s.count[:, 0] > 0) & forced


def catches(leader: int) -> Bools:
    """On misère: the defender on lead makes the declarer take a trick here, his lowest and his partner's (if he has any) being below all
    the declarer has. Where this is not so, the declarer's lowest card loses the trick whatever the defender leads here."""
    s = suits()
    partner = 3 - leader
    lowest = s.low[:, 0, 0]
    below = (s.count[:, leader] > 0) & (s.low[:, leader, 0] > lowest) & (s.count[:, 0] > 0)
    return below & ((s.count[:, partner] == 0) | (s.low[:, partner, 0] > lowest))


def topped(by: int) -> Bools:
    """The declarer has cards here and `by` holds the highest card."""
    s = suits()
    return (s.count[:, 0] > 0) & (s.owner[:, 0] == by)


def lacking(leader: int) -> Bools:
    """The defender `leader` has cards here and the declarer does not hold the highest card."""
    s = suits()
    return (s.count[:, leader] > 0) & (s.owner[:, 0] != 0)


@cache
def claims() -> tuple[Words, dict[str, int]]:
    """The words `[code, word]` and where each field begins in its word."""
    shifts: dict[str, int] = {}
    tricks, number = TRICKS_BITS, SUITS_BITS
    runs = {f"run{p}{v}": (tricks, cashing(p, v)) for p in range(3) for v in range(VARIANTS)}
    links: dict[str, tuple[int, Any]] = {f"over{p}{v}": (number, handing_over(p, v)) for p in (1, 2) for v in range(VARIANTS)}
    links |= {f"topped{p}": (number, topped(p)) for p in range(3)}
    links |= {f"lacking{p}": (number, lacking(p)) for p in (1, 2)}
    s = suits()
    trumps: dict[str, tuple[int, Any]] = {f"trumps{p}": (tricks, s.count[:, p]) for p in range(3)}
    trumps |= {f"drawing{p}": (tricks, cashing(p, NOBODY)) for p in range(3)}
    trumps |= {"unbeaten0": (tricks, unbeaten(0)), "unbeaten12": (tricks, np.maximum(unbeaten(1), unbeaten(2)))}
    low: dict[str, tuple[int, Any]] = {"safe": (number, safe(False)), "safe_lead": (number, safe(True)), "exits": (number, exits())}
    low |= {f"stuck{p}": (number, stuck(p)) for p in range(3)} | {f"catches{p}": (number, catches(p)) for p in (1, 2)}
    words = np.stack([pack(fields, shifts) for fields in (runs, links, trumps, low)], axis=1)
    return words, shifts


assert NOWHERE > LONGEST
