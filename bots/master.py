"""`master`: samples layouts, solves them, chooses by whists.

How it thinks. It imagines layouts of the unseen cards that agree with all it has seen, and lets those count more in which the others,
taken for players of the house, would have said and played what they did. In each layout it tries what it could do: words, discards
and orders by playing the deal on with `club` at every seat up to the first card and having the cards solved; cards
of games and misères by solving them, with playouts to tell equal cards apart; cards of a raspas, where three players look
after themselves, by playouts to the end. What counts is the mean of whists under the convention, as scorer and settlement give them.
`bots.search` has the parts, `docs/10-the-search-bots.md` the figures.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bots import club
from bots.search.policy import Search
from bots.search.strength import DEFAULT_SAMPLES, effort
from conventions.rules_record import RULES
from conventions.scorer import score
from engine.jit import bot_address
from engine.table import VIEW
from engine.terms import Terms


def policy(rules: np.ndarray[Any, Any], samples: int | None = None) -> Search:
    """A policy for tables under `rules` (shape (1,), dtype `RULES`); `samples`: layouts looked at where the whole deal lies ahead."""
    number = DEFAULT_SAMPLES if samples is None else samples
    return Search(Terms(rules, score), bot_address(club.act, VIEW, RULES), lambda view: effort(view, number))
