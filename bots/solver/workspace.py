"""The memory one thread searches with: the tables of the suit codes, what it has learned, and the positions it has solved."""

from typing import Any

import numpy as np

from bots.solver.claims import WORDS, claims
from bots.solver.codes import CODES, LONGEST, suits

TABLE_BITS = 16  # 65,536 positions in 512 KB: a larger table costs more in cache misses than it saves
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

WORKSPACE = np.dtype(
    [
        ("after", "u2", (CODES, LONGEST)),  # the code without the card at a place
        ("touching", "u1", (CODES, 4)),  # the places worth trying, by seat
        ("words", "i8", (CODES, WORDS)),  # claims about the suit
        ("history", "i2", (HISTORIES * CODES * LONGEST,)),  # how good a play has proved, by code, context and place
        ("table", "i8", (TABLE_SIZE,)),  # solved positions: tag, lower and upper bound of the declarer's tricks
        ("moves", "i8", (SLOTS * (CARDS + 1), MOVES)),  # the moves being tried, by remaining tricks and slot
        ("children", "i8", (CARDS + 1, MOVES)),  # the positions the third hand can reach
        ("nodes", "i8"),  # positions looked at
        ("expanded", "i8"),  # positions whose moves were searched
    ],
    align=True,
)


def new_workspace() -> Any:
    """A one-element array of `WORKSPACE`; about 20 MB, of which a deal touches a few hundred KB."""
    workspace = np.zeros(1, dtype=WORKSPACE)
    record = workspace[0]
    record["after"] = suits().after()
    record["touching"][:, :3] = suits().touching()
    record["words"] = claims()[0]
    return workspace
