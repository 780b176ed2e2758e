"""`club` looks ahead against a misère: its last tricks are worth what the solver says they are."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from bots import club, club_endings
from bots.solver import MISERE, Position, positions, solve_many, values_of_moves
from engine.batch import Player, Setup, play_block
from engine.cards import DECK, cards_of, mask_of
from engine.jit import JIT, plain, rule
from engine.table import K_MISERE, P_PLAY
from tests.helpers import terms


@rule
def taken(hands, leader):
    d, a, b = np.int64(hands[0]), np.int64(hands[1]), np.int64(hands[2])
    return club_endings.taken(d, a, b, leader, np.int64(-1), np.int64(-1), leader, np.int64(3))


@rule
def chosen(views, rules):
    return club.act(views[0], rules[0])


@pytest.mark.parametrize("cards", range(1, club_endings.LAST + 1))
def test_the_last_tricks_of_a_misere_are_worth_what_the_solver_says(cards: int) -> None:
    rng = np.random.default_rng(cards)
    n = 400 if JIT else 5
    decks = np.argsort(rng.random((n, 32)), axis=1)[:, : 3 * cards].reshape(n, 3, cards)
    hands = np.bitwise_or.reduce(np.int64(1) << decks, axis=2)
    leaders = rng.integers(0, 3, n)
    expected = solve_many(positions(hands, MISERE, 0, leaders))
    number = np.int64 if JIT else int
    assert [taken(plain(hands[i]), number(leaders[i])) for i in range(n)] == expected.tolist()


class Watched:
    """`club` at a seat, and what it was asked towards the end of a defence against misère."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.seen: list[tuple[np.ndarray[Any, Any], int]] = []

    def act_batch(self, views: np.ndarray[Any, Any]) -> list[int]:
        actions = []
        for k in range(len(views)):
            view = views[k : k + 1].copy()
            actions.append(int(chosen(plain(view), self.rules)))
            v = view[0]
            defends = v["phase"] == P_PLAY and v["kind"] == K_MISERE and v["turn"] != v["declarer"]
            if defends and int(v["hand"]).bit_count() <= club_endings.LAST and int(v["legal"]).bit_count() > 1:
                self.seen.append((v, actions[-1]))
        return actions


def worth_of_cards(v: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The declarer's tricks after each card of the seat in turn, summed over all he can have laid away (0: not legal)."""
    declarer, me = int(v["declarer"]), int(v["turn"])
    partner = 3 - declarer - me
    hand, theirs = int(v["hand"]), int(v["known"][partner])
    unknown = list(cards_of(DECK & ~(hand | theirs | int(np.bitwise_or.reduce(v["played"])))))
    table = [int(v["trick"][(int(v["leader"]) + k) % 3]) for k in range(int(v["in_trick"]))]
    layouts = []
    for away in combinations(unknown, 2):
        his = mask_of(unknown) & ~mask_of(away)
        if not any(v["voids"][declarer] >> suit & 1 and his >> 8 * suit & 0xFF for suit in range(4)):
            hands = [0, 0, 0]
            hands[declarer], hands[me], hands[partner] = his, hand, theirs
            layouts.append(Position((hands[0], hands[1], hands[2]), "misere", declarer, int(v["leader"]), tuple(table)).record())
    values = values_of_moves(np.concatenate(layouts)).astype(np.int64)
    return np.asarray(np.where(values >= 0, values + 1, 0).sum(axis=0))


def test_a_card_that_makes_the_declarer_take_most_is_played() -> None:
    played = terms("piter", 3)
    watched = Watched(plain(played.rules))
    player = Player("watched", make_policy=lambda: watched)
    play_block(Setup(played, (player,), ((0, 0, 0),), seed=4, limit=40), 0, 48 if JIT else 1)
    assert len(watched.seen) > 30 or not JIT
    for v, action in watched.seen:
        worth = worth_of_cards(v)
        assert worth[action] == worth.max(), v
