"""The memory one thread searches with: the tables of the suit codes, what it has learned, and the positions it has solved."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bots.solver.claims import WORDS, claims
from bots.solver.codes import CODE_BITS, CODES, LONGEST, suits

TABLE_BITS = 15  # 32,768 positions in 256 KB: a deal stores few thousands, and a larger table costs more in cache misses than it saves
TABLE_SIZE = 1 << TABLE_BITS

CARDS = 10  # in a hand
SLOTS = 3  # plays of a trick
MOVES = 12  # room for the moves of one play

# what a move's past success is filed under, beside the suit's code and the card's place
AS_LEAD = 0  # + seat
AS_SECOND = 3  # + 3 × seat + how it plays
AS_THIRD = 12  # + 6 × seat + 3 × (the first player is winning) + how it plays
PLAYS_UNDER, PLAYS_OVER, PLAYS_OFF = range(3)  # follows without winning, wins so far, throws off
CONTEXTS = 30
HISTORIES = 4 * CONTEXTS  # side suits and trumps of a suit contract, no trump, misère

# the columns of a code's row, one cache line: the codes without the card at places 0..3 and 4..7 (14 bits each), the places
# worth trying by seat (8 bits each), the words of `claims.py`
AFTER, TOUCHING, FIRST_WORD = 0, 2, 3
RUNS, LINKS, TRUMPS, LOW = (FIRST_WORD + word for word in range(WORDS))
COLUMNS = 8

WORKSPACE = np.dtype(
    [
        ("suits", "i8", (CODES, COLUMNS)),  # what is known of each suit code
        ("history", "i2", (HISTORIES * CODES * LONGEST,)),  # how good a play has proved, by context, code and place
        ("table", "i8", (TABLE_SIZE,)),  # solved positions: tag, lower and upper bound of the declarer's tricks
        ("moves", "i8", (SLOTS * (CARDS + 1), MOVES)),  # the moves being tried, by remaining tricks and slot
        ("children", "i8", (CARDS + 1, MOVES)),  # the positions the third hand can reach
        ("nodes", "i8"),  # positions looked at
        ("expanded", "i8"),  # positions whose moves were searched
    ],
    align=True,
)


ALIGNMENT = 64  # bytes of a cache line


def suit_rows() -> NDArray[np.int64]:
    """The columns of all codes, int64 (CODES, COLUMNS)."""
    s, words = suits(), claims()[0]
    rows = np.zeros((CODES, COLUMNS), dtype=np.int64)
    after, touching = s.after(), s.touching()
    for place in range(LONGEST):
        rows[:, AFTER + place // 4] |= after[:, place] << place % 4 * CODE_BITS
    for seat in range(3):
        rows[:, TOUCHING] |= touching[:, seat] << LONGEST * seat
    rows[:, FIRST_WORD : FIRST_WORD + WORDS] = words
    return rows


def new_workspace() -> Any:
    """A one-element array of `WORKSPACE`, at a cache line's start; about 20 MB, of which a deal touches a few hundred KB."""
    memory = np.zeros(WORKSPACE.itemsize + ALIGNMENT, dtype=np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    workspace = memory[start : start + WORKSPACE.itemsize].view(WORKSPACE)
    workspace["suits"][0] = suit_rows()
    return workspace
