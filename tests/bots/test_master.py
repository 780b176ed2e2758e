"""`master`: legal, the same for the same seed, blind to what it cannot see, stronger than `novice`."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import attrs
import numpy as np
import pytest

from bots import catalogue, master
from bots.catalogue import BotError
from bots.passing import passing
from engine.batch import play_block
from engine.game import Game
from tests.bots.tables import both_views, by_player, deals_of, interval, setup, words_of
from tests.helpers import CASES, terms


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_plays_whole_deals_of_every_convention_without_a_fault(name: str, seats: int) -> None:
    block, deals = deals_of(setup(terms(name, seats), "master:2", limit=4), 6)
    assert block.failures == []
    assert len(deals) >= 12


def test_says_every_kind_of_word() -> None:
    seen: set[str] = set()
    for name, seats in (("piter", 4), ("rostov", 3), ("vmk", 3), ("sochi", 3)):
        _, deals = deals_of(setup(terms(name, seats), "master:2", limit=6), 12)
        for row in range(len(deals)):
            seen |= words_of(deals[row : row + 1])
    assert {"misere", "pass", "whist", "half", "open", "take", "card"} <= seen


def test_same_seed_same_deals_in_any_company() -> None:
    """Which other tables are asked at the same time makes no difference."""
    played = terms("piter", 3)
    table = setup(played, "master:3", seed=5, limit=2)
    together = play_block(table, 0, 6).tables
    assert together.tobytes() == play_block(table, 0, 6).tables.tobytes()
    alone = np.concatenate([play_block(table, number, 1).tables for number in range(6)])
    assert together.tobytes() == alone.tobytes()
    assert together.tobytes() != play_block(setup(played, "master:3", seed=6, limit=2), 0, 6).tables.tobytes()


@pytest.mark.parametrize(("name", "seats"), [("piter", 3), ("piter", 4), ("sochi", 3), ("rostov", 4)])
def test_hidden_cards_change_no_decision(name: str, seats: int) -> None:
    """Positions of real play: whatever the seat cannot see is dealt afresh, the view stays the same to the byte, and so the action."""
    played = terms(name, seats)
    rng = random.Random(11)
    policy = master.policy(played.rules, 3)
    game = Game(played, seed=7)
    for _ in range(150):
        if game.waits_for_deal:
            game.deal()
        views = both_views(game, rng)
        actions = [int(policy.act_batch(views[i : i + 1])[0]) for i in range(2)]
        assert actions[0] == actions[1]
        game.act(actions[0])


_PLAIN = """
import hashlib
from engine.batch import play_block
from tests.bots.tables import setup
from tests.helpers import terms
block = play_block(setup(terms("piter", 3), "master:1", "novice", "novice", limit=1), 0, 1)
assert block.failures == []
print(hashlib.sha256(block.tables.tobytes()).hexdigest())
"""


def test_compiled_and_plain_python_agree() -> None:
    answers = [
        subprocess.run(
            [sys.executable, "-c", _PLAIN], env={**os.environ, "NUMBA_DISABLE_JIT": disabled}, capture_output=True, text=True, check=True
        ).stdout
        for disabled in ("0", "1")
    ]
    assert answers[0] == answers[1]


def test_beats_novice_on_duplicate_sets() -> None:
    table = setup(terms("piter", 3), "master:4", "novice", limit=4, duplicate=True, seatings=((0, 1, 1), (1, 0, 0), (1, 0, 1), (0, 1, 0)))
    won = by_player(table, play_block(table, 0, 4 * 80))
    low, _ = interval(won[:, 0] - won[:, 1])
    assert low > 0


def test_beats_novice_in_raspas_by_far() -> None:
    table = setup(terms("piter", 3), "master:4", "novice", limit=3, duplicate=True, seatings=((0, 1, 1), (1, 0, 0)))
    table = attrs.evolve(table, players=tuple(passing(player, "1") for player in table.players))
    won = by_player(table, play_block(table, 0, 2 * 200))
    low, _ = interval(won[:, 0] - won[:, 1])
    assert low > 50


@pytest.mark.parametrize("spec", ["master:0", "master:", "master:many", "master:-3", "master:1000000"])
def test_a_strength_that_is_none_is_one_sentence(spec: str) -> None:
    with pytest.raises(BotError, match=r"is no number of samples; allowed: master, or master:1 to master:"):
        catalogue.load(spec, terms().rules)
