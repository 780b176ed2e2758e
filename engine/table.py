"""The state of one table as a NumPy record, and the procedure a convention asks for.

A batch is an array of `TABLE` records; a column of it is an ordinary NumPy array. A `VIEW` is what one seat may know:
it begins with the same public fields at the same offsets, so that one memcpy fills it, and nothing hidden may stand in
`PUBLIC`. Seats are 0..3 clockwise; masks are sets of cards (`engine.cards`); -1 is "nobody" or "no card".

Amounts on the sheet (pool, mountain, whists) are whole numbers of sixths, `UNIT` to a point, because halves
(gentleman's shares) and thirds (shared prizes) are the only fractions of the game: exact, without floats.
"""

from typing import Any

import numpy as np

UNIT = 6  # the sheet's numbers are sixths

# phases: who is asked for what
P_DEAL = 0  # waits for a deck
P_BID = 1
P_TALON = 2  # take, refuse, give-up
P_DISCARD = 3
P_ORDER = 4
P_WHIST = 5
P_OPEN = 6  # the lone whister: open or closed
P_PLAY = 7
P_CHOICE = 8  # pool or mountain
P_OVER = 9  # the pulka has ended
PHASE_NAMES = ("deal", "bidding", "talon", "discard", "order", "whist", "open", "play", "choice", "over")

# what is being played
K_NONE = 0  # the auction is not over, or a forced raspas has not begun
K_GAME = 1
K_MISERE = 2
K_RASPAS = 3

# how a deal ended
E_NONE = 0  # still on
E_PLAYED = 1
E_UNPLAYED = 2  # nobody whisted
E_HALF = 3  # settled at half a whist
E_GAVE_UP = 4  # «без трёх»

# what each seat finally was in defence
D_NONE = 0
D_PASS = 1
D_WHIST = 2
D_HALF = 3

# which word the whist negotiation waits for (`docs/rules.md` 4.2)
W_FIRST = 0
W_SECOND = 1
W_RAISE = 2  # the first defender may raise a half whist
W_SITTER = 3  # the talon-sitter may whist
W_AGAIN = 4  # the first defender's second thoughts (pass-pass-whist)

# scoring choices
C_NONE = 0
C_POOL = 1
C_MOUNTAIN = 2

# when a pool is closed
END_SUM = 0
END_EACH = 1
END_FIRST = 2

# the stages a scorer is called for
S_CHOOSERS = 0  # -> a mask of the seats that have a choice between pool and mountain
S_ENTRIES = 1  # write what the deal is worth
S_PRIZES = 2  # the deal just written ended a semester: write its prizes (and the final ones after the last)

LOG = 104  # more words and cards than the longest deal has (auction 55, talon, order, whist 5, open, cards 30, choices 4)

PUBLIC: list[tuple[Any, ...]] = [
    # where the pulka stands
    ("seats", "i1"),
    ("dealer", "i1"),
    ("level", "i1"),  # the raspas state s, 1..3, of this deal (6.7)
    ("forced", "i1"),  # this deal is a raspas without an auction (1), else 0
    ("semester", "i1"),  # 0..3 (Скачки), else 0
    ("opener", "i1"),  # who dealt first in this semester
    ("reached", "i1"),  # who first reached the semester's target
    ("next_dealer", "i1"),  # what the finished deal leaves for the next one
    ("next_level", "i1"),
    ("next_forced", "i1"),
    ("next_semester", "i1"),
    # this deal
    ("phase", "i1"),
    ("turn", "i1"),  # the seat whose word or card comes next
    ("actor", "i1"),  # the seat that decides it: `turn`, but for an open defence
    ("kind", "i1"),
    ("ended", "i1"),
    # the auction
    ("bid", "i1"),  # the standing rung
    ("bidder", "i1"),
    ("passed", "i1"),  # mask of seats
    ("misere_said", "i1"),
    ("said", "i1", (4,)),  # each seat's last bid (rung)
    # the contract
    ("declarer", "i1"),
    ("contract", "i1"),  # rung; 16 misère; 0 raspas
    ("trump", "i1"),  # 0..3, 4 none
    ("refused", "i1"),  # the talon was refused
    # the defence
    ("stage", "i1"),  # W_*
    ("second", "i1"),  # who said whist second, where two did
    ("whister", "i1"),  # the lone whister, who directs an open defence
    ("opened", "i1"),  # the defence plays open
    ("checked", "i1"),  # a ten that nobody may whist
    ("looked", "i1"),  # whose hand the talon-sitter looked at
    ("defence", "i1", (4,)),  # D_*
    # the play
    ("trick_no", "i1"),  # tricks finished
    ("in_trick", "i1"),  # cards that players have put to this one
    ("leader", "i1"),
    ("led", "i1"),  # suit
    ("best_seat", "i1"),
    ("best_card", "i1"),
    ("trick", "i1", (4,)),  # the card of each seat in this trick
    ("tricks", "i1", (4,)),
    ("voids", "i1", (4,)),  # mask of the suits that a seat has shown to lack
    ("talon_up", "i1", (2,)),  # the talon's cards, as far as they lie open
    ("played", "u4", (4,)),  # cards each seat has played (the dealer's talon cards too)
    ("shown", "u4", (4,)),  # what is left of hands that lie open
    # scoring choices
    ("choosers", "i1"),  # mask of seats that have still to choose
    ("choice", "i1", (4,)),  # C_*
    # every word and card of this deal but the discards, as action numbers
    ("words", "u1"),  # how many there are
    ("first_card", "u1"),  # where in the log the play begins
    ("discarded_at", "u1"),  # where in the log the two discards would stand
    ("log", "u1", (LOG,)),
    # the sheet, in sixths; in Скачки pool and mountain of this semester
    ("deal_no", "i4"),  # deals finished
    ("target", "i4"),  # points
    ("pool", "i4", (4,)),
    ("mountain", "i4", (4,)),
    ("whists", "i4", (4, 4)),  # [a, b]: a has written on b
    ("pool_done", "i4", (4,)),  # earlier semesters
    ("mountain_done", "i4", (4,)),
    ("moves", "i8"),  # decisions since the pulka began
]

HIDDEN: list[tuple[Any, ...]] = [
    ("hands", "u4", (4,)),  # cards in hand now
    ("dealt", "u4", (4,)),  # cards as dealt
    ("talon", "i1", (2,)),  # in the order in which it is turned up
    ("discard", "u4"),
    ("key", "u8"),  # of the bots' random numbers
    ("pulka", "i8"),
    ("limit", "i4"),  # deals after which the pulka is cut; 0 none
    ("finished", "i1"),  # it ended by its own rule
    ("fault", "i1"),  # 1 + the seat whose action was illegal
    ("bad", "i4"),  # that action
    ("stopped", "i1"),  # and the phase it was said in
    # what the last finished deal wrote, in sixths
    ("d_pool", "i4", (4,)),
    ("d_mountain", "i4", (4,)),
    ("d_whists", "i4", (4, 4)),
]

OWN: list[tuple[Any, ...]] = [
    ("seat", "i1"),
    ("first_action", "u1"),  # the number of the mask's bit 0
    ("hand", "u4"),  # the cards this seat holds
    ("discard", "u4"),  # what it has discarded
    ("known", "u4", (4,)),  # what it knows each seat to hold now
    ("legal", "i8"),  # mask of the actions legal now, `first_action` being bit 0
    ("random", "u8"),  # a number of its own for this decision; take more with `engine.rng`
]


def _without_holes(fields: list[tuple[Any, ...]], name: str) -> list[tuple[Any, ...]]:
    """The fields, aligned, with the holes between them made fields: NumPy leaves holes as they were when it copies records."""
    full: list[tuple[Any, ...]] = []
    at = 0
    for field in [*fields, ("", "i8")]:
        kind = np.dtype(field[1:]) if len(field) > 2 else np.dtype(field[1])
        hole = -at % kind.alignment if kind.subdtype is None else -at % kind.base.alignment
        if hole:
            full.append((f"{name}{at}", "i1", (hole,)))
        full.append(field)
        at += hole + kind.itemsize
    return full[:-1]


_PUBLIC = _without_holes(PUBLIC, "hole")
TABLE = np.dtype(_PUBLIC + _without_holes(HIDDEN, "hidden_hole"), align=True)
VIEW = np.dtype(_PUBLIC + _without_holes(OWN, "own_hole"), align=True)
PUBLIC_BYTES = np.dtype(_PUBLIC, align=True).itemsize
PUBLIC_FIELDS = tuple(f[0] for f in _PUBLIC)
assert TABLE.itemsize == sum(TABLE[n].itemsize for n in TABLE.names or ()), "holes"
assert all(TABLE.fields[n] == VIEW.fields[n] for n in PUBLIC_FIELDS)  # type: ignore[index]

# What the engine asks of a convention. The convention's own record begins with these fields, so that one address
# serves the engine, the scorer and the bots.
PROCEDURE_FIELDS: list[tuple[Any, ...]] = [
    ("seats", "i1"),
    ("hold", "i1"),  # «здесь» (2.3)
    ("start_level", "i1", (3,)),  # lowest level of a bid by raspas state (6.7)
    ("give_up", "i1"),  # «без трёх» (3.3)
    ("refuse", "i1"),  # the talon may be refused: returned or thrown (3.4, 3.5)
    ("stalingrad", "i1"),  # (3.7)
    ("ten_whisted", "i1"),  # (4.8)
    ("half_whist", "i1"),  # (4.3)
    ("first_may_raise", "i1"),
    ("talon_sitter_may_whist", "i1"),  # (4.6)
    ("pass_pass_whist", "i1"),
    ("light_game", "i1"),  # an open defence is laid down before the declarer's first lead (5.3)
    ("light_misere", "i1"),
    ("raspas_talon", "i1"),  # the talon leads to tricks 1 and 2 (6.2), else it is never opened (6.3)
    ("first_hand_leads_third", "i1"),
    ("sliding", "i1"),  # (6.8)
    ("progresses", "i1"),  # a raspas raises the state
    ("failed_keeps", "i1"),  # a failed game keeps the state, else it resets it
    ("unwhisted_exits", "i1"),
    ("half_exits", "i1"),
    ("forces", "i1"),  # a failed contract over misère forces a raspas (6.9)
    ("wait_exit", "i1"),  # a closed pool plays on until the exit (7.2)
    ("pool_end", "i1"),  # END_*
    ("semesters", "i1"),  # 0: an ordinary pulka
    ("deal_limit", "i4"),  # 0: none
]
PROCEDURE = np.dtype(PROCEDURE_FIELDS, align=True)


def new_tables(count: int) -> np.ndarray[Any, Any]:
    """`count` zeroed tables (shape `(count,)`, dtype `TABLE`); `engine.pulka.begin` opens a pulka on each."""
    return np.zeros(count, dtype=TABLE)
