"""The seatings of a duplicate set."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from lab.errors import UsageError
from lab.league import RASPAS_DEALS, describe_league, seatings_of


@pytest.mark.parametrize(
    ("bots", "seats", "count"),
    [(2, 3, 6), (2, 4, 14), (3, 3, 6), (3, 4, 36), (4, 4, 24), (4, 3, 24), (5, 3, 60), (8, 3, 336), (6, 4, 360)],
)
def test_a_set_has_every_way_to_sit(bots: int, seats: int, count: int) -> None:
    seatings = seatings_of(bots, seats)
    assert len(seatings) == len(set(seatings)) == count
    assert all(len(set(s)) == min(bots, seats) for s in seatings)


@pytest.mark.parametrize(
    ("bots", "seats", "most"),
    [(9, 3, 360), (16, 3, 360), (16, 4, 360), (30, 4, 360), (7, 3, 42), (5, 4, 1), (130, 3, 360)],
)
def test_beyond_the_limit_a_balanced_choice_is_made(bots: int, seats: int, most: int) -> None:
    seatings = seatings_of(bots, seats, most)
    assert len(seatings) == len(set(seatings))
    assert bots * seats <= len(seatings) <= max(most, bots * seats)
    assert all(len(set(s)) == seats for s in seatings)


@pytest.mark.parametrize(
    ("bots", "seats", "most"),
    [(2, 3, 360), (2, 4, 360), (3, 4, 360), (5, 3, 360), (16, 3, 360), (16, 4, 360), (7, 3, 42)],
)
def test_every_bot_sits_in_every_seat_equally_often(bots: int, seats: int, most: int) -> None:
    seatings = seatings_of(bots, seats, most)
    for seat in range(seats):
        counts = Counter(s[seat] for s in seatings)
        assert set(counts.values()) == {len(seatings) // bots}


def test_in_a_balanced_choice_any_two_meet_about_equally_often() -> None:
    seatings = seatings_of(13, 3, 360)
    met = Counter(frozenset(pair) for s in seatings for pair in combinations(s, 2))
    assert len(met) == 13 * 12 // 2
    assert max(met.values()) <= 1.5 * min(met.values())


@pytest.mark.parametrize(
    ("given", "bots", "sentence"),
    [
        ({}, "novice", "bots: only novice is named; allowed: two different bots at least"),
        ({}, "novice,random,novice", "bots: novice is named 2 times; allowed: each bot once"),
        ({}, "novice,,random", "bots: no bot is named in one place"),
        ({"seats": 5}, "novice,random", "seats: 5 is not allowed"),
        ({"convention": "skachki", "seats": 3}, "novice,random", "skachki"),
        ({"target": 0}, "novice,random", "target: 0 is not allowed"),
    ],
)
def test_a_wrong_league_is_told_in_one_sentence(given: dict[str, object], bots: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence.replace("(", r"\(")):
        describe_league(given, bots.split(","), None, False, 360, 10, None)


def test_raspas_alone_are_of_three_deals_unless_told() -> None:
    assert describe_league({}, ("novice", "random"), None, True, 360, 10, None).limit == RASPAS_DEALS
    assert describe_league({}, ("novice", "random"), 5, True, 360, 10, None).limit == 5
    assert describe_league({}, ("novice", "random"), None, False, 360, 10, None).limit == 1000
