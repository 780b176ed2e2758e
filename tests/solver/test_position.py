"""`Position` and `solve`: published deals, moves and lines, and what a position may not be."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.solver import Position, PositionError, max_n, paranoid, solve, takes_at_least, tricks
from engine.cards import cards_of, mask_of, parse_card

HANDS = ("SAQ CJT9 DJ7 HKQ7", "SKJ CA8 DT98 HJ98", "ST987 CKQ DAKQ HA")


def published(root: Path) -> list[dict[str, Any]]:
    deals: list[dict[str, Any]] = json.loads((root / "tests/data/solved_deals.json").read_text())["deals"]
    return deals


def test_published_deals_have_their_values(root: Path) -> None:
    deals = published(root)
    assert len(deals) == 17
    for deal in deals:
        position = Position.read(deal["hands"], deal["contract"], deal["declarer"], deal["leader"])
        value = deal["double_dummy_tricks"]
        assert tricks(position) == value, deal["id"]
        assert takes_at_least(position, value) and not takes_at_least(position, value + 1)


def test_a_solution_has_moves_best_cards_and_a_line_that_keeps_the_value() -> None:
    position = Position.read(HANDS, "6S", declarer=2, leader=1)
    solution = solve(position)
    assert solution.tricks == 6 and solution.best == (parse_card("CA"),)
    assert set(solution.moves) == set(cards_of(position.hands[1]))
    assert sorted(solution.line) == sorted(card for hand in position.hands for card in cards_of(hand))
    # play the line: the value of the position plus the tricks already taken stays what it was
    taken, at = 0, position
    for card in solution.line:
        after = at.played(card)
        if after is None:
            winner = max((*at.table, card), key=lambda c: (c // 8 == 0, c // 8 == at.table[0] // 8, c))
            taken += ((*at.table, card).index(winner) + at.leader) % 3 == 2
            break
        if not after.table:
            taken += after.leader == 2
        assert taken + tricks(after) == 6
        at = after
    assert taken == 6


def test_every_best_card_keeps_the_value_and_no_other_does() -> None:
    for declarer in range(3):
        position = Position.read(["SAQ C7 HK", "SKJ CA H9", "ST9 C8 HA"], "6S", declarer, leader=0, table="")
        solution = solve(position)
        for card, value in solution.moves.items():
            after = position.played(card)
            assert after is not None and tricks(after) == value
            assert (value == solution.tricks) == (card in solution.best)


def test_the_legal_cards_follow_suit_or_trump() -> None:
    position = Position.read(["HA", "S8 C7", "SA D8"], "6S", declarer=2, leader=0, table="DA")
    assert [position.turn, list(cards_of(position.legal))] == [1, [parse_card("S8")]]


def test_a_paranoid_seat_takes_no_less_than_it_would_among_selfish_seats() -> None:
    rng = np.random.default_rng(8)
    differ = 0
    for _ in range(30):
        deck = rng.permutation(32).tolist()
        a, b, c = (mask_of(deck[6 * s : 6 * s + 6]) for s in range(3))
        position = Position((a, b, c), "raspas", leader=int(rng.integers(3)))
        worst, selfish = paranoid(position), max_n(position)
        assert sum(selfish) == 6 and all(w >= s for w, s in zip(worst, selfish, strict=True))
        differ += worst != selfish
    assert differ > 5


def test_the_talon_card_takes_its_trick_only_with_four_seats() -> None:
    # the talon's ace of spades is led: with three seats the highest spade of the hands takes the trick
    hands = ["S7 H8", "S9 H9", "S8 HT"]
    three = Position.read(hands, "raspas", leader=0, talon="SA")
    four = Position.read(hands, "raspas", leader=0, talon="SA", talon_takes=True)
    assert max_n(three) == (0, 1, 1) and max_n(four) == (0, 0, 1)
    assert paranoid(three) == (0, 1, 1) and paranoid(four) == (0, 0, 1)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"hands": ("SAQ", "SKJ", "ST98")}, "the hands have 2, 2, 3 cards"),
        ({"hands": ("", "", "")}, "the hands have 0, 0, 0 cards"),
        ({"hands": ("SAQ", "SKJ")}, "there are 2 hands"),
        ({"hands": ("SAQ", "SKJ", "SA9")}, "the card SA stands in two places"),
        ({"hands": ("SAA", "SKJ", "ST9")}, "the hand of seat 0: the card SA stands twice"),
        ({"hands": ("SA1", "SKJ", "ST9")}, "the hand of seat 0"),
        ({"leader": 3}, "leader 3 is not a seat"),
        ({"declarer": -1}, "declarer -1 is not a seat"),
        ({"contract": "5S"}, "'5S' is not a contract"),
        ({"talon": "HA"}, "a talon card leads a trick only in raspas"),
        ({"contract": "raspas", "talon": "HA HK HQ"}, "3 talon cards"),
        ({"contract": "raspas", "talon": "SA"}, "the card SA stands in two places"),
        ({"table": "HA"}, "the hands have 3, 2, 2 cards"),
        ({"hands": ("CA", "SKJ", "ST9"), "table": "C7 H7"}, "the hands have 2, 3, 2 cards"),
        ({"hands": ("CA", "SK", "ST9"), "table": "S7 H7"}, "seat 1 cannot have played H7"),
        ({"table": "H7 H8 H9"}, "3 cards lie on the table"),
    ],
)
def test_a_position_that_cannot_be_is_refused_in_one_sentence(change: dict[str, Any], told: str) -> None:
    given: dict[str, Any] = {"hands": ("SAQ", "SKJ", "ST9"), "contract": "6S", "declarer": 0, "leader": 0} | change
    with pytest.raises((PositionError, ValueError)) as fault:
        Position.read(**given)
    assert told in str(fault.value)
