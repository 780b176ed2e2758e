"""The record that a convention compiles to: what the engine, the scorer and compiled bots read.

It begins with the engine's procedure fields, so that one address serves all three. Prices are whole points (or whists)
by level: index 0 is a six, index 4 a ten; raspas prices by raspas state: index 0 is the first. `docs/rules.md` 8 says what
each convention puts there.
"""

from typing import Any

import numpy as np

from engine.table import PROCEDURE, PROCEDURE_FIELDS

# what a refused talon writes
REFUSAL_NONE = 0
REFUSAL_RETURN = 1  # «вернуть прикуп»: the price of the game into the talon-sitter's mountain (3.4)
REFUSAL_THROW = 2  # «бросить прикуп»: whists on the talon-sitter or on both opponents (3.5)

# who of two whisters answers for a shortage (4.7)
BY_SHARES = 0  # each for his own share of the duty (sixes and sevens)
BY_SECOND = 1  # who said whist second
BY_BOTH = 2  # both, each in full
BY_HALVES = 3  # both in equal shares

# what the talon-sitter gets for zero tricks in raspas (6.5)
SITTER_NOTHING = 0
SITTER_AS_OTHERS = 1
SITTER_ALWAYS = 2

DUTY = (4, 2, 1, 1, 1)  # tricks that the defence owes together, by level (4.1)

SCORING_FIELDS: list[tuple[Any, ...]] = [
    # contracts
    ("made", "i2", (5,)),  # into the pool for a made game
    ("undertrick", "i2", (5,)),  # into the declarer's mountain, per trick short
    ("whist", "i2", (5,)),  # whists per trick of the defence
    ("consolation", "i2", (5,)),  # whists per trick that the declarer is short
    ("whister_undertrick", "i2", (5,)),  # into a whister's mountain, per trick short of the duty
    ("duty", "i1", (5,)),  # tricks that the defence owes together
    ("responsible", "i1", (5,)),  # BY_*: who of two whisters answers for a shortage
    ("personal_shortfall", "i1"),  # a whister's shortage is not eased by his partner's surplus
    ("gentleman", "i1"),  # a lone whister shares the whists on a set declarer with the passer
    ("consolation_to_sitter", "i1"),
    ("sitter_responsible", "i1"),  # a whisting talon-sitter answers for a shortage
    ("remise_multiplier", "i1"),  # of the whists written on a set declarer
    ("misere_made", "i2"),  # into the pool
    ("misere_trick", "i2"),  # into the mountain, per trick taken
    # talon
    ("refusal", "i1"),  # REFUSAL_*
    ("throw_whists", "i2"),  # on the talon-sitter (4 seats), half of it on each opponent (3)
    ("quick_trick_whists", "i2"),  # per quick trick in the talon; half of it by each opponent with 3 seats; 0: none
    # raspas
    ("raspas_price", "i2", (3,)),  # into the mountain per trick; 0 where raspas is scored to whists
    ("raspas_whists", "i2"),  # whists per trick; 0 where raspas is scored to the mountain
    ("amnesty", "i1"),  # the smallest number of tricks is struck from all
    ("zero_pool", "i2", (3,)),  # into the pool for zero tricks
    ("zero_mountain", "i2", (3,)),  # off the mountain for zero tricks (instead of the pool, where both stand)
    ("zero_sitter", "i1"),  # SITTER_*
    # closing
    ("help", "i1"),  # a full pool's points go to an opponent
    ("help_whists", "i2"),  # compensation per point
    ("help_skips_set_whister", "i1"),
    ("write_off_from", "i1"),  # lowest level whose unwhisted game may be written off (and a clean misère); 0: none
    ("write_off_closed", "i1"),  # who is closed may write any game off
    ("write_off_multiplier", "i1"),
    ("mountain_first", "i1"),  # a made game first strikes the declarer's own mountain
    ("prize_pool", "i2"),
    ("prize_mountain", "i2"),
    # settlement, in whists
    ("pool_worth", "i2"),
    ("mountain_worth", "i2"),
]

RULES = np.dtype(PROCEDURE_FIELDS + SCORING_FIELDS, align=True)
assert all(RULES.fields[f[0]] == PROCEDURE.fields[f[0]] for f in PROCEDURE_FIELDS)  # type: ignore[index]
