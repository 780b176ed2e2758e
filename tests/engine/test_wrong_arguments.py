"""What the engine answers to arguments that cannot be: one sentence, and nothing changes."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from bots.solver import Position
from bots.solver.position import PositionError
from engine.actions import PASS, ActionError
from engine.game import Game
from engine.replay import RecordError, read
from lab.replaying import check
from tests.helpers import random_game, terms


@pytest.mark.parametrize("action", [None, 1.5, b"x", [], True, 10**30, -(10**30)], ids=repr)
def test_what_is_no_action_is_refused_in_a_sentence(action: Any) -> None:
    game = Game(terms(), seed=11)
    game.deal()
    before = game.table.tobytes()
    with pytest.raises(ActionError, match="is no action: ") as caught:
        game.act(action)
    assert "\n" not in str(caught.value)
    assert game.why_not(action) == str(caught.value)
    assert game.table.tobytes() == before


def test_a_whole_number_of_any_kind_is_an_action() -> None:
    game = Game(terms(), seed=11)
    game.deal()
    number: Any = np.uint8(PASS)
    assert game.why_not(number) is None
    assert game.act(number).action == PASS


@pytest.mark.parametrize("name", ["target", "dealer", "seed", "pulka", "limit"])
@pytest.mark.parametrize("value", [1.5, -1, "3", None, 10**30, True], ids=repr)
def test_a_pulka_of_impossible_numbers_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"^{name} .* is not allowed: it is a whole number \d+ \.\. \d+$"):
        Game(terms(), **{name: value})


def test_terms_are_terms_and_a_seat_is_a_seat() -> None:
    wrong: Any = "piter"
    with pytest.raises(ValueError, match="terms 'piter' are not allowed"):
        Game(wrong)
    with pytest.raises(ValueError, match="seat 'x' is not allowed"):
        Game(terms()).view("x")  # type: ignore[arg-type]


@pytest.mark.parametrize("deck", ["abc", ["SA"] * 32, 5, [0.5] * 32, [10**30] * 32, [[0] * 32], range(31), [-1, *range(1, 32)]], ids=repr)
def test_what_is_no_deck_is_refused(deck: Any) -> None:
    with pytest.raises(ActionError, match="a deck is the 32 card numbers"):
        Game(terms()).deal(deck)


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    import random

    game = Game(terms(), seed=5, limit=2)
    for _ in random_game(game, random.Random(3), 500):
        pass
    made = game.record(["a", "b", "c"], [0, 0, 0])
    made["finished"] = False
    return made


@pytest.mark.parametrize("huge", [10**30, 2**70, -(10**30), 10**6 + 1])
def test_a_record_with_numbers_out_of_range_names_the_field(record: dict[str, Any], huge: int) -> None:
    for path in (("target",), ("seats",), ("version",), ("deals", 0, "dealer"), ("deals", 0, "scored", "pool", 1), ("result", 2)):
        damaged: Any = copy.deepcopy(record)
        at = damaged
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = huge
        with pytest.raises(RecordError, match="result" if path[0] == "result" else str(path[-2] if path[-1] == 1 else path[-1])) as caught:
            check(damaged)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("card", [7, 10**30, "X9", None])
def test_a_record_whose_cards_are_none_is_refused(record: dict[str, Any], card: Any) -> None:
    damaged = copy.deepcopy(record)
    damaged["deals"][0]["hands"][1] = card
    with pytest.raises(RecordError, match="deal 1: "):
        read(damaged)


HANDS = ["SA", "SK", "SQ"]


@pytest.mark.parametrize(
    "given",
    [
        {"hands": [1, 2, 3], "contract": "6S"},
        {"hands": 5, "contract": "6S"},
        {"hands": "SA", "contract": "6S"},
        {"hands": HANDS, "contract": None},
        {"hands": HANDS, "contract": "6S", "table": None},
        {"hands": HANDS, "contract": "6S", "talon": 7},
        {"hands": HANDS, "contract": "6S", "leader": 1.0},
    ],
    ids=repr,
)
def test_what_is_no_position_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(PositionError):
        Position.read(**given)
    with pytest.raises(PositionError):
        Position((10**30, 2, 4))
