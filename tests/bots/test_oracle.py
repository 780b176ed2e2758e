"""`oracle`: sees all cards, where it was asked for, and nobody else does."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest

from bots import catalogue, oracle
from bots.catalogue import BotError
from bots.passing import passing
from engine.batch import Player, Setup, play_block
from engine.table import K_RASPAS, TABLE
from tests.bots.tables import by_player, interval
from tests.helpers import terms


def test_is_refused_unless_asked_for() -> None:
    rules = terms().rules
    with pytest.raises(BotError, match=r"bot 'oracle' sees all cards: .* only where --allow-oracle asks for it"):
        catalogue.load("oracle", rules)
    assert catalogue.load("oracle", rules, allow_oracle=True).sees_all


def test_without_the_tables_it_does_not_guess() -> None:
    with pytest.raises(ValueError, match="without being shown the tables"):
        oracle.policy(terms().rules).act_batch(np.zeros(1, dtype=np.int64))


class Lowest:
    """Notes what it is handed."""

    sees_all = True  # claiming it makes no difference

    def __init__(self, kept: list[tuple[Any, ...]]) -> None:
        self.kept = kept

    def act_batch(self, views: np.ndarray[Any, Any], *more: Any) -> np.ndarray[Any, Any]:
        self.kept.append((views["hand"].copy(), views["actor"].copy(), *more))
        lowest = np.frexp(views["legal"] & -views["legal"])[1] - 1
        return views["first_action"] + lowest


def test_only_a_player_marked_by_the_run_is_handed_the_tables() -> None:
    played = terms("piter", 3)
    fair: list[tuple[Any, ...]] = []
    marked: list[tuple[Any, ...]] = []
    players = (Player("fair", None, lambda: Lowest(fair)), Player("marked", None, lambda: Lowest(marked), sees_all=True))
    block = play_block(Setup(played, players, ((0, 1, 0),), limit=2), 0, 4)
    assert block.failures == []
    assert fair and marked
    assert all(len(call) == 2 for call in fair)
    for hand, actor, tables in marked:
        assert tables.dtype == TABLE
        assert np.take_along_axis(tables["hands"], actor[:, None].astype(np.int64), 1)[:, 0].tolist() == hand.tolist()


def test_changing_the_tables_it_was_shown_changes_nothing() -> None:
    played = terms("piter", 3)
    players = (Player("fair", None, lambda: Lowest([])),)
    table = Setup(played, players, ((0, 0, 0),), limit=2)

    class Vandal(Lowest):
        def act_batch(self, views: np.ndarray[Any, Any], *more: Any) -> np.ndarray[Any, Any]:
            answers = super().act_batch(views)
            more[0]["hands"] = 0
            return answers

    other = attrs.evolve(table, players=(Player("vandal", None, lambda: Vandal([]), sees_all=True),))
    assert play_block(table, 0, 3).tables.tobytes() == play_block(other, 0, 3).tables.tobytes()


@pytest.mark.parametrize(("name", "seats"), [("piter", 3), ("sochi", 4)])
def test_is_far_above_club(name: str, seats: int) -> None:
    played = terms(name, seats)
    players = (catalogue.load("oracle", played.rules, allow_oracle=True), catalogue.load("club", played.rules))
    at = (0,) + (1,) * (seats - 1)
    seatings = tuple(at[k:] + at[:k] for k in range(seats))
    table = Setup(played, players, seatings, seed=3, limit=4, duplicate=True)
    block = play_block(table, 0, 40 * seats)
    assert block.failures == []
    low, _ = interval(by_player(table, block)[:, 0])
    assert low > 0


def test_passes_in_every_auction_where_it_is_told_to() -> None:
    """Raspas alone: the player that only passes hands the tables on."""
    played = terms("piter", 4)
    player = passing(catalogue.load("oracle", played.rules, allow_oracle=True), "1")
    block = play_block(Setup(played, (player,), ((0, 0, 0, 0),), limit=2), 0, 2)
    assert block.failures == []
    assert (block.tables["kind"] == K_RASPAS).all()
