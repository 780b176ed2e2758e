"""A bot that passes in every auction and otherwise plays as another one: with such bots at all seats every deal is a raspas."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from conventions.rules_record import RULES
from engine import actions
from engine.batch import Player, Policy
from engine.jit import bot_address, rule, rule_variant
from engine.table import P_BID, VIEW


def passing(player: Player, version: str) -> Player:
    """`player`, but for its bids; `version` tells one text of its code from another (compiled code is kept under it)."""
    if player.compiled is not None:
        variant = hashlib.sha256(f"{player.name}\0{version}".encode()).hexdigest()[:16]  # it becomes part of a file's name
        function = _compiled(player.compiled.python, variant)
        return attrs.evolve(player, compiled=bot_address(function, VIEW, RULES))
    make = player.make_policy
    assert make is not None  # a player is one or the other
    return attrs.evolve(player, make_policy=lambda: _Passing(make))


@functools.cache
def _compiled(function: Callable[..., int], variant: str) -> Any:
    decide = rule(function)

    def passing(v: Any, r: Any) -> int:
        if v.phase == P_BID:
            return actions.PASS
        return int(decide(v, r))

    return rule_variant(passing, variant)


class _Passing:
    """The same for a bot outside the compiled core: it never sees an auction."""

    def __init__(self, make: Callable[[], Policy]) -> None:
        self.policy = make()

    def act_batch(self, views: np.ndarray[Any, Any], *shown: np.ndarray[Any, Any]) -> Any:
        """`shown`: the tables, for a player that sees all."""
        answers = np.full(len(views), actions.PASS, dtype=np.int64)
        asked = np.flatnonzero(views["phase"] != P_BID)
        if len(asked):
            answers[asked] = self.policy.act_batch(views[asked], *(tables[asked] for tables in shown))
        return answers
