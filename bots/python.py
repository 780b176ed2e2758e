"""Bots written in plain Python: an object with `act(view)`, asked one view at a time."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from engine import actions
from engine.plain import Plain


class View(Plain):
    """What a seat may know, for Python bots: every field of `engine.table.VIEW` as an int or a list-like of ints.

    `view.hand` is a mask of cards, `view.known[s]` what this seat knows of hand *s*, `view.rules` the convention's
    numbers (fields of `conventions.rules_record.RULES`), `view.legal_actions()` the action numbers to choose from.
    """

    __slots__ = ("_rules",)

    def __init__(self, views: np.ndarray[Any, Any], index: int, rules: Any) -> None:
        super().__init__(views, index)
        object.__setattr__(self, "_rules", rules)

    @property
    def rules(self) -> Any:
        """The convention's numbers."""
        return self._rules

    def legal_actions(self) -> list[int]:
        """The legal actions, lowest number first (`docs/interfaces.md`, actions)."""
        return actions.actions_of(self.legal, self.first_action)

    def legal_texts(self) -> list[str]:
        """The legal actions as texts."""
        return [actions.action_text(a) for a in self.legal_actions()]


class PythonBot(Protocol):
    """What a Python bot is: `act` gives a legal action as a number or a text."""

    def act(self, view: View) -> int | str: ...


class OneByOne:
    """A batch policy that asks a Python bot for one view after another."""

    def __init__(self, bot: PythonBot, rules: np.ndarray[Any, Any]) -> None:
        self.bot = bot
        self.rules = Plain(rules, 0)

    def act_batch(self, views: np.ndarray[Any, Any]) -> list[int]:
        answers = []
        for i in range(len(views)):
            action = self.bot.act(View(views, i, self.rules))
            answers.append(actions.parse_action(action) if isinstance(action, str) else operator.index(action))
        return answers


def one_by_one(make_bot: Callable[[], PythonBot], rules: np.ndarray[Any, Any]) -> Callable[[], OneByOne]:
    """A maker of policies, a fresh bot for each block."""
    return lambda: OneByOne(make_bot(), rules)
