"""No fair bot's decision changes when the cards it cannot see are dealt afresh: all of them but `oracle`, in thousands of positions."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots import catalogue
from engine.actions import MISERE
from engine.batch import Policy
from engine.game import Game
from engine.jit import plain
from engine.table import K_GAME, K_MISERE, K_RASPAS, P_DISCARD
from engine.terms import Terms
from tests.bots.tables import both_views
from tests.helpers import terms

Decide = Callable[[np.ndarray[Any, Any]], int]  # one view (shape (1,), dtype `VIEW`) to an action number

GAMES = (("piter", 3), ("rostov", 3), ("sochi", 4), ("vmk", 4), ("skachki", 4))

PYTHON = """
class MyBot:
    def act(self, view):
        legal = view.legal_actions()
        return legal[(view.hand + sum(view.known) + view.random) % len(legal)]
class Batch:
    def act_batch(self, views):
        return [f + (int(m) & -int(m)).bit_length() - 1 for f, m in zip(views["first_action"].tolist(), views["legal"])]
"""

PROGRAM = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if "question" in told:
        legal = told["legal"]
        print(legal[sum(map(ord, json.dumps(told["hand"]))) % len(legal)], flush=True)
"""


def kinds_of_positions(decide: Decide, played: Terms, positions: int, seed: int, wild: float = 0.15) -> set[int]:
    """Compare so many decisions with those for other hidden cards; what was being played in them.

    Now and then the game goes on with a random word or card, often a misère, into positions that the bot's own play seldom reaches (but
    not with a random discard: two discards are one thought).
    """
    rng = random.Random(seed)
    game = Game(played, seed=seed)
    seen: set[int] = set()
    for _ in range(positions):
        if game.over:
            game = Game(played, seed=rng.randrange(1 << 30))
        if game.waits_for_deal:
            game.deal()
        views = both_views(game, rng)
        said = [int(decide(views[i : i + 1])) for i in range(2)]
        assert said[0] == said[1]
        assert said[0] in game.legal()
        seen.add(int(views["kind"][0]))
        action = said[0]
        if game.phase != P_DISCARD and rng.random() < wild:
            legal = game.legal()
            action = MISERE if MISERE in legal and rng.random() < 0.5 else rng.choice(legal)
        game.act(action)
    return seen


def compiled(act: Any, rules: Any) -> Decide:
    """A compiled bot, asked for one view."""
    return lambda views: int(act(plain(views)[0], rules))


def asked(policy: Policy) -> Decide:
    """A batch policy, asked for one view."""
    return lambda views: int(np.asarray(policy.act_batch(views))[0])


@pytest.mark.parametrize("name", [*catalogue.BOTS, *catalogue.VARIANTS])
def test_compiled_bots_see_no_hidden_card(name: str) -> None:
    act = (catalogue.BOTS | catalogue.VARIANTS)[name].compiled()
    kinds: set[int] = set()
    for game, (convention, seats) in enumerate(GAMES):
        played = terms(convention, seats)
        kinds |= kinds_of_positions(compiled(act, plain(played.rules)[0]), played, 1000, seed=game)
    assert kinds >= ({K_GAME} if name == "random" else {K_GAME, K_MISERE, K_RASPAS})  # random bids too gladly for the others


@pytest.mark.parametrize(("convention", "seats"), GAMES)
def test_master_sees_no_hidden_card(convention: str, seats: int) -> None:
    played = terms(convention, seats)
    make_policy = catalogue.load("master:2", played.rules).make_policy
    assert make_policy is not None
    assert K_GAME in kinds_of_positions(asked(make_policy()), played, 300, seed=5)


@pytest.mark.parametrize("spec", ["mine.py:MyBot", "mine.py:Batch", f"exec:{sys.executable} program.py"])
def test_bots_of_ones_own_are_told_no_hidden_card(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(PYTHON, encoding="utf8")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf8")
    monkeypatch.chdir(tmp_path)
    played = terms("piter", 4)
    make_policy = catalogue.load(spec, played.rules).make_policy
    assert make_policy is not None
    assert K_GAME in kinds_of_positions(asked(make_policy()), played, 400, seed=6)


def test_every_fair_bot_is_looked_at() -> None:
    """A bot that is added to the house is either compiled, or `master`, or marked as seeing all."""
    assert [name for name, bot in catalogue.SEARCHING.items() if not bot.sees_all] == ["master"]
