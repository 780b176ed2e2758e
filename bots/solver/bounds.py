"""Lower and upper bounds of the declarer's tricks at the start of a trick, from the claims about single suits.

Every bound names its claim; `tests/solver` checks each one against full search. Declarer: seat 0, always on his own
against two; the defence: seats 1 and 2, whose tricks count together.
"""

from bots.solver.claims import (
    FIRST_RUFFS,
    NOBODY,
    SECOND_RUFFS,
    SUITS_MASK,
    TRICKS_BITS,
    TRICKS_MASK,
    VARIANTS,
    claims,
)

_AT = claims()[1]  # where each field begins in its word

RUN_STEP = VARIANTS * TRICKS_BITS  # from one leader's runs to the next one's
OVER_STEP = _AT["over20"] - _AT["over10"]
OVER_VARIANT = _AT["over11"] - _AT["over10"]
OVER1 = _AT["over10"]
TOPPED0, TOPPED1, TOPPED2 = _AT["topped0"], _AT["topped1"], _AT["topped2"]
LACKING1, LACKING_STEP = _AT["lacking1"], _AT["lacking2"] - _AT["lacking1"]
TRUMPS0, TRUMPS_STEP = _AT["trumps0"], TRICKS_BITS
DRAWING0 = _AT["drawing0"]
UNBEATEN0, UNBEATEN12 = _AT["unbeaten0"], _AT["unbeaten12"]
SAFE, SAFE_LEAD, EXITS = _AT["safe"], _AT["safe_lead"], _AT["exits"]
STUCK0, STUCK_STEP = _AT["stuck0"], _AT["stuck1"] - _AT["stuck0"]
CATCHES1, CATCHES_STEP = _AT["catches1"], _AT["catches2"] - _AT["catches1"]


def no_trump_bounds(runs: int, links: int, leader: int, rest: int) -> tuple[int, int]:
    """Bounds without trumps from the summed words.

    - *The leader cashes*: his runs of all suits, one after the other, are his side's. A defender may then still hand over
      one trick to his partner.
    - *Nothing to lead but into a top card*: if the other side holds the highest card of every suit the leader can lead,
      it wins this trick with that card and cashes its runs; the card it won with is the first of a run.
    """
    lower, upper = 0, rest
    if leader == 0:
        lower = runs & TRICKS_MASK
        if links >> TOPPED0 & SUITS_MASK == 0:
            run1 = runs >> RUN_STEP & TRICKS_MASK
            run2 = runs >> 2 * RUN_STEP & TRICKS_MASK
            if links >> TOPPED1 & SUITS_MASK == 0:
                upper = rest - run2
            elif links >> TOPPED2 & SUITS_MASK == 0:
                upper = rest - run1
            else:
                upper = rest - min(run1, run2)
    else:
        upper = rest - (runs >> leader * RUN_STEP & TRICKS_MASK)
        if links >> OVER1 + (leader - 1) * OVER_STEP & SUITS_MASK:
            upper -= 1
        if links >> LACKING1 + (leader - 1) * LACKING_STEP & SUITS_MASK == 0:
            lower = runs & TRICKS_MASK
    return lower, upper


def suit_bounds(runs: int, links: int, trumps: int, leader: int, rest: int) -> tuple[int, int]:
    """Bounds with trumps: `runs` and `links` summed over the three side suits, `trumps` the word of the trump suit.

    - *Unbeaten trumps*: a seat's trumps that cannot all be paired with higher enemy trumps win tricks, whoever leads.
    - *The leader cashes side suits* while everybody who could ruff must follow; all trumps are still there afterwards.
    - *The leader draws trumps*: if his run of trumps outlasts the enemy's, all his trumps are good and no enemy ruffs.
    """
    lower = trumps >> UNBEATEN0 & TRICKS_MASK
    upper = rest - (trumps >> UNBEATEN12 & TRICKS_MASK)
    first = leader + 1 if leader < 2 else 0
    second = 3 - leader - first
    trumps_first = trumps >> TRUMPS0 + first * TRUMPS_STEP & TRICKS_MASK
    trumps_second = trumps >> TRUMPS0 + second * TRUMPS_STEP & TRICKS_MASK
    variant = (FIRST_RUFFS if trumps_first else NOBODY) + (SECOND_RUFFS if trumps_second else NOBODY)
    drawn = trumps >> DRAWING0 + leader * TRUMPS_STEP & TRICKS_MASK
    sides = runs >> leader * RUN_STEP
    if leader == 0:
        lower += sides >> variant * TRICKS_BITS & TRICKS_MASK
        if drawn >= max(trumps_first, trumps_second):
            lower = max(lower, drawn + (sides & TRICKS_MASK))
    else:
        upper -= sides >> variant * TRICKS_BITS & TRICKS_MASK
        if links >> OVER1 + (leader - 1) * OVER_STEP + variant * OVER_VARIANT & SUITS_MASK:
            upper -= 1
        declarers, partners = (trumps_second, trumps_first) if leader == 1 else (trumps_first, trumps_second)
        if drawn >= declarers:
            left = NOBODY
            if partners > drawn:
                left = FIRST_RUFFS if leader == 1 else SECOND_RUFFS
            upper = min(upper, rest - drawn - (sides >> left * TRICKS_BITS & TRICKS_MASK))
    return lower, upper


def misere_bounds(low: int, leader: int, rest: int) -> tuple[int, int]:
    """Bounds where the declarer avoids tricks, from the summed words.

    - *All suits safe*: he takes nothing; on lead himself, one suit must also be safe to lead.
    - *All suits stuck*: both defenders always stay below him, he takes everything from his first trick on. A defender on
      lead puts him there with a suit that stays stuck.
    - *An exit or none*: on lead he can lose this trick if some suit is an exit, else he takes it.
    - *A catch or none*: a defender on lead makes him take this trick if some suit is a catch, else he can lose it.
    """
    lower, upper = 0, rest
    safe = low >> SAFE & SUITS_MASK
    stuck = low >> STUCK0 & SUITS_MASK
    if leader == 0:
        if safe == 4 and low >> SAFE_LEAD & SUITS_MASK:
            upper = 0
        if stuck == 4:
            lower = rest
        elif low >> EXITS & SUITS_MASK == 0:
            lower = 1
        else:
            upper = min(upper, rest - 1)
    else:
        if safe == 4:
            upper = 0
        if stuck == 4 and low >> STUCK0 + leader * STUCK_STEP & SUITS_MASK:
            lower = rest
        elif low >> CATCHES1 + (leader - 1) * CATCHES_STEP & SUITS_MASK:
            lower = 1
        else:
            upper = min(upper, rest - 1)
    return lower, upper
