"""Means, intervals and ratios are exact sums over pulkas, or over duplicate sets (`docs/06-runs-and-statistics.md`)."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conventions.settlement import DENOMINATOR
from lab.statistics import Standings, Sums, t_975


@pytest.mark.parametrize(
    ("freedom", "published"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (6, 2.447), (7, 2.365), (10, 2.228), (20, 2.086), (120, 1.980)],
)
def test_student_t_is_that_of_printed_tables(freedom: int, published: float) -> None:
    assert t_975(freedom) == pytest.approx(published, abs=6e-4)


units = st.lists(st.tuples(st.integers(-(10**9), 10**9), st.integers(1, 2000)), min_size=2, max_size=40)


@given(units)
def test_mean_and_interval_are_those_of_a_sample(sample: list[tuple[int, int]]) -> None:
    x, d = (np.array(column, dtype=np.int64) for column in zip(*sample, strict=True))
    sums = Sums()
    sums.add(x, d)
    found = sums.mean(72)
    values = x / 72
    assert found.value == pytest.approx(values.mean(), rel=1e-12, abs=1e-9)
    assert found.error is not None
    assert found.error == pytest.approx(values.std(ddof=1) / math.sqrt(len(x)), rel=1e-9, abs=1e-6)
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low == pytest.approx(2 * t_975(len(x) - 1) * found.error, abs=1e-6)


@given(units)
def test_per_100_deals_is_a_ratio_with_the_pulka_as_unit(sample: list[tuple[int, int]]) -> None:
    x, d = (np.array(column, dtype=np.int64) for column in zip(*sample, strict=True))
    sums = Sums()
    sums.add(x, d)
    found = sums.ratio(72, 100)
    ratio = x.sum() / d.sum()
    residuals = (x - ratio * d) / 72
    assert found.value == pytest.approx(100 * ratio / 72, rel=1e-9, abs=1e-9)
    assert found.error == pytest.approx(100 * residuals.std(ddof=1) / d.mean() / math.sqrt(len(x)), rel=1e-6, abs=1e-3)


def test_sums_of_squares_do_not_overflow() -> None:
    x = np.full(1000, 3 * 10**9, dtype=np.int64)
    sums = Sums()
    sums.add(x, np.ones(1000, dtype=np.int64))
    assert sums.xx == 1000 * (3 * 10**9) ** 2


Seatings = tuple[tuple[int, ...], ...]


def rows(seatings: Seatings, results: list[list[int]], deals: list[int], failed: set[int] | None = None) -> dict[str, Any]:
    """Columns as a run has them, for pulkas 0, 1 … with these results in whists."""
    seats = len(seatings[0])
    bots = [seatings[n % len(seatings)] for n in range(len(results))]
    return {
        "bot": np.array(bots, dtype=np.uint8).reshape(-1),
        "first_dealer": np.zeros(len(results) * seats, dtype=np.uint8),
        "deals": np.repeat(np.array(deals, dtype=np.int32), seats),
        "cut": np.zeros(len(results) * seats, dtype=bool),
        "failed": np.repeat(np.array([n in (failed or ()) for n in range(len(results))], dtype=bool), seats),
        "result_numerator": np.array(results, dtype=np.int64).reshape(-1) * DENOMINATOR,
    }


ROTATIONS = ((0, 1, 1), (1, 0, 1), (1, 1, 0))


def test_a_bot_at_two_seats_has_their_mean_as_its_result() -> None:
    standings = Standings(ROTATIONS, False)
    standings.add(rows(ROTATIONS, [[40, -10, -30], [-20, 10, 10], [0, 0, 0]], [10, 12, 14]))
    assert standings.mean(0).value == pytest.approx((40 + 10 + 0) / 3)
    assert standings.mean(1).value == pytest.approx((-20 - 5 + 0) / 3)
    assert standings.mean(0).n == 3
    # per 100 deals: whists a deal of one seat
    assert standings.per_100_deals(0).value == pytest.approx(100 * 50 / 36)
    assert standings.per_100_deals(1).value == pytest.approx(-100 * 25 / 36)
    assert standings.difference(0, 1).value == pytest.approx(25)
    assert standings.difference(1, 0).ci95 == pytest.approx([-v for v in reversed(standings.difference(0, 1).ci95 or [])])


def test_places_are_counted_from_the_first_dealer() -> None:
    standings = Standings(ROTATIONS, False)
    standings.add(rows(ROTATIONS, [[40, -10, -30], [-20, 10, 10], [1, 2, -3]], [10, 12, 14]))
    assert [sums.x // DENOMINATOR for sums in standings.by_place[0]] == [40, 10, -3]
    assert [sums.x // DENOMINATOR for sums in standings.by_place[1]] == [-20 + 1, -10 + 2, -30 + 10]


def test_the_unit_of_a_duplicate_run_is_the_set() -> None:
    standings = Standings(ROTATIONS, True)
    results = [[30, -10, -20], [-10, 40, -30], [0, 0, 0], [6, -3, -3], [0, 6, -6], [-1, -2, 3], [9, 9, -18]]
    standings.add(rows(ROTATIONS, results, [10] * 7))
    found = standings.mean(0)
    sets = [(30 + 40 + 0) / 3, (6 + 6 + 3) / 3]
    assert found.n == 2
    assert found.value == pytest.approx(sum(sets) / 2)
    assert found.error == pytest.approx(np.std(sets, ddof=1) / math.sqrt(2))
    assert standings.left_over == 1
    assert standings.per_100_deals(0).value == pytest.approx(100 * (70 + 15) / 60)


def test_a_pulka_that_a_failure_ended_counts_in_no_mean() -> None:
    whole, part = Standings(ROTATIONS, False), Standings(ROTATIONS, False)
    results = [[40, -10, -30], [-20, 10, 10], [5000, -5000, 0], [1, 1, -2]]
    whole.add(rows(ROTATIONS, results, [10, 12, 1, 14], failed={2}))
    part.add(rows(ROTATIONS, results[:2], [10, 12]))
    assert whole.failed == 1
    assert whole.pulkas == 4
    assert whole.mean(0).n == 3
    assert max(whole.results[0]) < 5000
    assert part.mean(0).value == pytest.approx(25)


@given(st.lists(st.integers(-300, 300), min_size=6, max_size=30), st.integers(1, 5))
def test_figures_do_not_depend_on_how_pulkas_are_divided(values: list[int], at: int) -> None:
    results = [[v, -v, 0] for v in values]
    once, twice = Standings(ROTATIONS, False), Standings(ROTATIONS, False)
    columns = rows(ROTATIONS, results, list(range(1, len(values) + 1)))
    once.add(columns)
    cut = at * 3
    for piece in (slice(None, cut), slice(cut, None)):
        twice.add({name: column[piece] for name, column in columns.items()})
    assert once.sums == twice.sums
    assert once.pairs == twice.pairs
    assert once.by_place == twice.by_place
    assert once.results == twice.results


def test_quantiles_of_single_seats() -> None:
    standings = Standings(((0, 0, 0),), False)
    standings.add(rows(((0, 0, 0),), [[10, -4, -6], [20, -20, 0]], [5, 5]))
    assert standings.quantile(0, 0.5) == -4
    assert standings.quantile(0, 0.99) == 20
    assert standings.mean(0).value == 0
    assert standings.mean(0).ci95 == [0, 0]
