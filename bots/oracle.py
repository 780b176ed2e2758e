"""`oracle`: sees all cards. A ceiling to measure others against, not a player: it is refused unless asked for.

How it thinks. As `bots.master`, but the one layout it looks at is the true one: games and misères are played double dummy, words
and discards by what they lead to when the others go on as a bot of the house would, cards of a raspas by search over its own next
cards against the same bot.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bots import club
from bots.search.policy import Question, Search
from bots.search.strength import Effort
from conventions.rules_record import RULES
from conventions.scorer import score
from engine.jit import bot_address
from engine.table import K_RASPAS, P_PLAY, VIEW
from engine.terms import Terms

Array = np.ndarray[Any, Any]


def _effort(view: Any) -> Effort:
    raspas = int(view["phase"]) == P_PLAY and int(view["kind"]) == K_RASPAS
    return Effort(tries=1, layouts=1, playouts=1, solved=0 if raspas else 1, kept=66, deeper=2 if raspas else 0, playout_share=1)


class Oracle(Search):
    """Search in the one true layout."""

    def act_batch(self, views: Array, tables: Array | None = None) -> Array:
        """`tables`: the waiting tables as they are, dtype `TABLE`, in the order of the views."""
        if tables is None:
            raise ValueError("the oracle is asked without being shown the tables")
        self._true = tables
        return super().act_batch(views)

    def _tables(self, views: Array, which: Array, questions: list[Question]) -> Array:
        for k, question in enumerate(questions):
            question.first = k
        return self._true[which]


def policy(rules: np.ndarray[Any, Any], samples: int | None = None) -> Oracle:
    """A policy for tables under `rules` (shape (1,), dtype `RULES`)."""
    return Oracle(Terms(rules, score), bot_address(club.act, VIEW, RULES), _effort)
