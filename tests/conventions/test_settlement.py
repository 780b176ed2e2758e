"""The settlement (`docs/rules.md` 7.5, 9.6): exact, equal in the two ways by hand, and equal to published pulkas."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conventions import settlement
from engine.record import exact, read_exact
from engine.table import new_tables

WORTHS = st.sampled_from((10, 20))


def sheet(data: st.DataObject, sixths: bool = False) -> tuple[list[Fraction], list[Fraction], list[list[Fraction]]]:
    seats = data.draw(st.sampled_from((3, 4)))
    number = st.integers(-3000, 30000).map(lambda n: Fraction(n, 6)) if sixths else st.fractions(-500, 5000, max_denominator=60)
    row = st.lists(number, min_size=seats, max_size=seats)
    whists = [data.draw(row) for _ in range(seats)]
    for a in range(seats):
        whists[a][a] = Fraction(0)
    return data.draw(row), data.draw(row), whists


@given(st.data(), WORTHS)
def test_results_sum_to_zero(data: st.DataObject, worth: int) -> None:
    assert sum(settlement.settle(*sheet(data), worth)) == 0


@given(st.data(), WORTHS)
def test_the_two_ways_by_hand_agree_with_the_formula(data: st.DataObject, worth: int) -> None:
    pool, mountain, whists = sheet(data)
    result = settlement.settle(pool, mountain, whists, worth)
    assert settlement.by_average_mountain(pool, mountain, whists, worth).result == result
    pairs = settlement.by_pairs(pool, mountain, whists, worth)
    assert pairs.result == result
    for a, row in enumerate(pairs.net):
        assert all(row[b] == -pairs.net[b][a] for b in range(len(row)))


@given(st.data(), WORTHS, st.integers(-100, 100))
def test_7_7_the_same_number_on_every_mountain_or_pool_changes_nothing(data: st.DataObject, worth: int, more: int) -> None:
    pool, mountain, whists = sheet(data)
    result = settlement.settle(pool, mountain, whists, worth)
    assert settlement.settle(pool, [m + more for m in mountain], whists, worth) == result
    assert settlement.settle([p + more for p in pool], mountain, whists, worth) == result


@given(st.data(), st.integers(1, 10))
def test_7_3_helping_is_worth_the_same_as_ones_own_point(data: st.DataObject, points: int) -> None:
    pool, mountain, whists = sheet(data)
    seats = len(pool)
    helper, helped = data.draw(st.permutations(range(seats)))[:2]
    own = [p + points * (seat == helper) for seat, p in enumerate(pool)]
    given_away = [p + points * (seat == helped) for seat, p in enumerate(pool)]
    compensated = [[w + 10 * points * (a == helper and b == helped) for b, w in enumerate(row)] for a, row in enumerate(whists)]
    assert settlement.settle(given_away, mountain, compensated, 10) == settlement.settle(own, mountain, whists, 10)


def test_H2_a_point_of_ones_own() -> None:
    zero3, zero4 = [[0] * 3] * 3, [[0] * 4] * 4
    assert settlement.settle([1, 0, 0], [0, 0, 0], zero3, 10) == [Fraction(20, 3), Fraction(-10, 3), Fraction(-10, 3)]
    assert settlement.settle([1, 0, 0, 0], [0] * 4, zero4, 10) == [Fraction(15, 2), Fraction(-5, 2), Fraction(-5, 2), Fraction(-5, 2)]


@given(st.lists(st.tuples(st.sampled_from((3, 4)), st.integers(0, 2**32)), min_size=1, max_size=5), WORTHS)
def test_many_tables_at_once_settle_as_one_by_one(cases: list[tuple[int, int]], worth: int) -> None:
    tables = new_tables(len(cases))
    for i, (seats, seed) in enumerate(cases):
        rng = np.random.default_rng(seed)
        tables["seats"][i] = seats
        for name in ("pool", "mountain", "pool_done", "mountain_done"):
            tables[name][i, :seats] = rng.integers(-600, 60000, seats)
        written = rng.integers(0, 600000, (seats, seats))
        np.fill_diagonal(written, 0)
        tables["whists"][i, :seats, :seats] = written
    results = settlement.settle_tables(tables, worth)
    assert results.dtype == np.int64
    for i, (seats, _) in enumerate(cases):
        t = tables[i]
        pool, mountain = ([Fraction(int(x), 6) for x in (t[f] + t[f"{f}_done"])[:seats]] for f in ("pool", "mountain"))
        whists = [[Fraction(int(x), 6) for x in row[:seats]] for row in t["whists"][:seats]]
        got = [Fraction(int(x), settlement.DENOMINATOR) for x in results[i]]
        assert got[:seats] == settlement.settle(pool, mountain, whists, worth)
        assert all(x == 0 for x in got[seats:])


def published() -> list[dict[str, Any]]:
    path = Path(__file__).resolve().parent.parent / "data" / "settlements.json"
    return list(json.loads(path.read_text(encoding="utf-8"))["settlements"])


@pytest.mark.parametrize("case", published(), ids=lambda case: case["id"])
def test_published_settlements_within_their_rounding(case: dict[str, Any]) -> None:
    if "pair_net" in case:  # the mountain stands in the whists already
        seats = len(case["pair_net"])
        whists = [[max(0, x) for x in row] for row in case["pair_net"]]
        result = settlement.settle([0] * seats, [0] * seats, whists, case.get("whists_per_pool_point", 10))
    else:
        assert case["whists_per_mountain_point"] == 10
        result = settlement.settle(case["pool"], case["mountain"], case["whists_row_writes_on_column"], case["whists_per_pool_point"])
    slack = 0 if all(r.denominator == 1 for r in result) else 1
    for mine, theirs in zip(result, case["final_published"], strict=True):
        assert abs(mine - theirs) <= slack
    for mine, recomputed in zip(result, case["final_recomputed"], strict=True):
        assert abs(float(mine) - recomputed) < 1e-4


@given(st.data(), WORTHS)
def test_7_5_rounded_results_sum_to_zero_and_are_next_to_the_exact_ones(data: st.DataObject, worth: int) -> None:
    result = settlement.settle(*sheet(data), worth)
    whole = settlement.rounded(result)
    assert sum(whole) == 0
    assert all(abs(r - w) < 1 for r, w in zip(result, whole, strict=True))


def test_7_5_rounding_goes_to_the_largest_remainder() -> None:
    assert settlement.rounded([Fraction(236, 3), Fraction(-226, 3), Fraction(-10, 3)]) == [79, -75, -4]
    assert settlement.rounded([Fraction(1, 2), Fraction(-1, 2), Fraction(0)]) == [1, -1, 0]


@pytest.mark.parametrize(
    ("pool", "mountain", "whists", "message"),
    [
        ([1, 2], [1, 2], [[0, 0], [0, 0]], "pool has 2 seats; allowed: 3 or 4"),
        ([1, 2, 3], [1, 2], [[0] * 3] * 3, "mountain has 2 seats, pool has 3"),
        ([1, 2, 3], [1, 2, 3], [[0] * 3] * 2, "whists must be 3 rows of 3 numbers"),
        ([1, 2, 3], [1, 2, 3], [[0] * 3, [0] * 2, [0] * 3], "whists must be 3 rows of 3 numbers"),
    ],
)
def test_a_sheet_that_is_none(pool: list[int], mountain: list[int], whists: list[list[int]], message: str) -> None:
    for way in (settlement.settle, settlement.by_average_mountain, settlement.by_pairs):
        with pytest.raises(ValueError, match=message):
            way(pool, mountain, whists, 10)


@given(st.fractions(-(10**20), 10**20, max_denominator=100))
def test_an_exact_number_is_read_back(value: Fraction) -> None:
    assert read_exact(exact(value)) == value
    assert read_exact(str(value)) == value


@pytest.mark.parametrize("value", [1.5, None, True, "1.5", "", "1/0", "1/-2", "1e3", "²", "a", [1], "--1"])
def test_a_number_that_is_not_exact(value: Any) -> None:
    with pytest.raises(ValueError):
        read_exact(value)
