"""The sequential test: its bounds, its checks, and by simulation its error rates."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lab.errors import UsageError
from lab.sprt import Sprt, read_sprt
from lab.statistics import Sums

RUNS = 400


def simulated(draw: Callable[[np.random.Generator, int], Any], every: int = 30) -> dict[str | None, float]:
    """How often each hypothesis is accepted: 0 against 10 whists."""
    rng = np.random.default_rng(5)
    found: dict[str | None, float] = {"H0": 0, "H1": 0, None: 0}
    for _ in range(RUNS):
        test, sums = Sprt(0, 10, 0.05, 0.05, every), Sums()
        while test.decided is None and test.checks < 200:
            sums.add(np.round(draw(rng, every) * 72).astype(np.int64), np.ones(every, dtype=np.int64))
            test.check(sums, 72)
        found[test.decided] += 1 / RUNS
    return found


@pytest.mark.parametrize("deviation", [20, 60])
def test_errors_stay_below_the_rates_asked_for(deviation: float) -> None:
    assert simulated(lambda rng, n: rng.normal(0, deviation, n))["H1"] <= 0.05
    assert simulated(lambda rng, n: rng.normal(10, deviation, n))["H0"] <= 0.05


def test_heavy_tails_do_not_break_the_rates() -> None:
    assert simulated(lambda rng, n: 30 * rng.standard_t(3, n))["H1"] <= 0.05
    assert simulated(lambda rng, n: 30 * rng.standard_t(3, n) + 10)["H0"] <= 0.05


def test_it_decides_and_sooner_where_things_are_clearer() -> None:
    close, clear = (simulated(lambda rng, n, m=mean: rng.normal(m, 40, n)) for mean in (10, 40))  # type: ignore[misc]
    assert clear["H1"] == pytest.approx(1)
    assert close[None] == 0


def test_the_ratio_is_that_of_two_normal_laws_each_with_its_best_variance() -> None:
    x = np.array([3, -1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8], dtype=np.int64)
    sums = Sums()
    sums.add(x, np.ones_like(x))
    test = Sprt(0.0, 2.0, 0.05, 0.1, 10)
    test.check(sums, 1)
    likelihood = [-len(x) / 2 * math.log(((x - mean) ** 2).mean()) for mean in (0.0, 2.0)]
    assert test.llr == pytest.approx(likelihood[1] - likelihood[0])
    assert test.bounds == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))


def test_sets_that_are_all_alike_decide_nothing() -> None:
    sums = Sums()
    sums.add(np.full(30, 72), np.ones(30, dtype=np.int64))
    test = Sprt(0.0, 1.0, 0.05, 0.05, 30)
    test.check(sums, 72)
    assert test.decided is None


@pytest.mark.parametrize(
    ("text", "alpha", "every", "sentence"),
    [
        ("5", 0.05, 30, "sprt: '5' is not allowed; allowed: two means"),
        ("5,x", 0.05, 30, "sprt: '5,x' is not allowed"),
        ("5,5", 0.05, 30, "sprt: 5,5 is not allowed"),
        ("0,inf", 0.05, 30, "sprt: 0,inf is not allowed"),
        ("0,5", 0.6, 30, "alpha: 0.6 is not allowed"),
        ("0,5", 0.05, 2, "check-every: 2 is not allowed"),
    ],
)
def test_a_wrong_test_is_told_in_one_sentence(text: str, alpha: float, every: int, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        read_sprt(text, alpha, 0.05, every)
