"""Figures of a league: what synthetic sets with known means come to."""

from __future__ import annotations

import json

import numpy as np
import pytest

from conventions.settlement import DENOMINATOR
from lab.league import League, describe_league
from lab.league_play import Sets, sets_of
from lab.league_standings import Standings
from lab.sprt import Sprt


def league(bots: int, seats: int = 3) -> League:
    return describe_league({"seats": seats}, [f"bot{i}.py:B" for i in range(bots)], None, False, 360, 1000, None)


def synthetic(of: League, skills: list[float], count: int, seed: int, first: int = 0) -> Sets:
    """Sets whose results are skill less the table's mean, luck of the cards that all seatings of a set share, and luck besides."""
    rng = np.random.default_rng([seed, first])
    seatings = np.asarray(of.seatings)
    skill = np.asarray(skills)[seatings]
    cards = rng.normal(0, 80, (count, 1, of.seats))
    raw = skill[None] + cards + rng.normal(0, 30, (count, *seatings.shape))
    whole = np.round(raw * DENOMINATOR).astype(np.int64) * of.seats
    results = (whole - whole.sum(axis=2, keepdims=True) // of.seats) // of.seats
    shape = (count, len(seatings))
    nothing = np.zeros(shape, dtype=np.bool_)
    return Sets(first, results, rng.integers(10, 30, shape), nothing, nothing.copy(), failures=[[] for _ in range(count)])


def test_intervals_cover_the_truth_about_95_times_in_100() -> None:
    of = league(2)
    covered = 0
    for seed in range(300):
        standings = Standings(of)
        standings.take(synthetic(of, [10, 0], 12, seed))
        low, high = standings.difference(standings.pairs[0]).ci95 or [0, 0]
        covered += low <= 10 <= high
    assert 0.91 <= covered / 300 <= 0.985


@pytest.mark.parametrize(("bots", "seats"), [(2, 3), (2, 4), (3, 3), (3, 4), (5, 3), (5, 4)])
def test_means_and_pairs_find_the_skills(bots: int, seats: int) -> None:
    of = league(bots, seats)
    skills = [20.0 * i for i in range(bots)]
    standings = Standings(of)
    standings.take(synthetic(of, skills, 200, 3))
    for pair in standings.pairs:
        assert standings.difference(pair).value == pytest.approx(skills[pair.a] - skills[pair.b], abs=6)
    assert sum(standings.mean(bot).value or 0 for bot in range(bots)) == pytest.approx(0, abs=0.1)  # the synthetic sets are rounded
    assert sum(standings.share(bot).value or 0 for bot in range(bots)) == pytest.approx(bots / seats)
    order = [standings.ratings.of(bot)["mu"] for bot in range(bots)]
    assert order == sorted(order)


def test_cards_that_all_share_do_not_widen_an_interval() -> None:
    of = league(2)
    standings = Standings(of)
    standings.take(synthetic(of, [0, 0], 400, 1))
    deviation = standings.pairs[0].sums.deviation(DENOMINATOR * standings.pairs[0].held)
    assert deviation is not None
    assert deviation < 25  # the cards alone would give 80


def test_it_does_not_matter_in_what_pieces_sets_come() -> None:
    of = league(4)
    sets = synthetic(of, [3, 2, 1, 0], 60, 1)
    whole, pieces = Standings(of), Standings(of)
    whole.take(sets)
    for start, stop in ((0, 1), (1, 40), (40, 60)):
        pieces.take(sets.part(start, stop))
    assert whole.summary(0, 60, False) == pieces.summary(0, 60, False)


def test_lines_and_back() -> None:
    of = league(3)
    sets = synthetic(of, [3, 2, 1], 5, 1, first=7)
    sets.cut[2, 1] = True
    rows = [json.loads(line) for line in sets.lines()]
    again = sets_of(rows, of)
    assert again.first == 7
    assert again.lines() == sets.lines()


def test_a_set_with_a_failure_counts_in_no_mean() -> None:
    of = league(2)
    sets = synthetic(of, [10, 0], 30, 1)
    sets.failed[4, 2] = True
    sets.results[4] = 10**6
    sets.failures[4] = [{"bot": of.bots[1]}]
    with_failure, without = Standings(of), Standings(of)
    with_failure.take(sets)
    for start, stop in ((0, 4), (5, 30)):
        without.take(sets.part(start, stop))
    found, other = with_failure.summary(0, 30, False), without.summary(0, 29, False)
    assert found["failed_sets"] == 1
    assert found["pairs"] == other["pairs"]
    assert found["bots"][of.bots[0]] == other["bots"][of.bots[0]]
    assert (found["bots"][of.bots[1]]["failures"], found["failures_in_all"]) == (1, 1)


def test_only_failed_sets_have_no_means() -> None:
    of = league(2)
    sets = synthetic(of, [0, 0], 2, 1)
    sets.failed[:, 0] = True
    standings = Standings(of)
    standings.take(sets)
    assert standings.summary(0, 2, False)["bots"][of.bots[0]]["mean"] is None


def test_a_shared_win_counts_in_parts() -> None:
    of = league(3)
    results = np.tile(np.array([72, 72, -144], dtype=np.int64), (1, 6, 1))
    zero = np.zeros((1, 6), dtype=np.bool_)
    standings = Standings(of)
    standings.take(Sets(0, results, np.ones((1, 6), dtype=np.int64), zero, zero, failures=[[]]))
    assert [standings.share(bot).value for bot in range(3)] == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("piece", [1, 7, 45, 1000])
def test_the_test_stops_at_the_same_set_whatever_the_pieces(piece: int) -> None:
    of = league(2)
    sets = synthetic(of, [12, 0], 600, 1)
    standings = Standings(of, Sprt(0, 10, 0.05, 0.05, 20))
    taken = 0
    for start in range(0, 600, piece):
        taken += standings.take(sets.part(start, min(600, start + piece)))
        if standings.decided:
            break
    whole = Standings(of, Sprt(0, 10, 0.05, 0.05, 20))
    whole.take(sets)
    assert taken == standings.sets == whole.sets
    assert standings.sets % 20 == 0
    assert standings.decided
    assert standings.summary(0, 600, False) == whole.summary(0, 600, False)
