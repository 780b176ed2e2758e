"""A sequential test of a mean: whether one bot is better than another, with as few sets as that takes.

Generalised sequential probability ratio test of H0: mean ≤ `low` against H1: mean ≥ `high`. The variance of a set is unknown, so each
hypothesis is given the variance that suits it best, and the logarithm of the likelihood ratio after n sets of mean m and variance v is
n/2 · log((v + (m - low)²) / (v + (m - high)²)). Wald's bounds log(β/(1-α)) and log((1-β)/α) then hold the two errors near α and β; they
hold them the better, the more sets a check takes in, because the normal law of means is not that of single sets.
"""

from __future__ import annotations

import math
from typing import Any

import attrs

from lab.errors import UsageError
from lab.statistics import Sums


@attrs.define
class Sprt:
    """The test, looked at after every `every` sets and at no other moment, so that nothing depends on who plays how fast."""

    low: float
    high: float
    alpha: float  # the chance to accept H1 although the mean is `low`
    beta: float  # the chance to accept H0 although the mean is `high`
    every: int
    llr: float = 0.0
    checks: int = 0
    decided: str | None = None  # "H0" or "H1"

    def __attrs_post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise UsageError(f"sprt: {self.low:g},{self.high:g} is not allowed; allowed: two means in whists LOW,HIGH, LOW smaller")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise UsageError(f"{name}: {value:g} is not allowed; allowed: an error rate above 0 and below 0.5")
        if self.every < 10:
            raise UsageError(f"check-every: {self.every} is not allowed; allowed: 10 sets or more, fewer say too little of their variance")

    @property
    def bounds(self) -> tuple[float, float]:
        """H0 is accepted at or below the first, H1 at or above the second."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def check(self, sums: Sums, scale: int) -> None:
        """Look at the sets so far: sums of x over sets, in numerators of `scale`."""
        self.checks += 1
        if sums.n < self.every or self.decided:  # sets that a bot's failure ended are missing
            return
        mean, deviation = sums.mean(scale).value, sums.deviation(scale)
        if mean is None or not deviation:
            return
        variance = deviation**2 * (sums.n - 1) / sums.n
        self.llr = sums.n / 2 * math.log((variance + (mean - self.low) ** 2) / (variance + (mean - self.high) ** 2))
        lower, upper = self.bounds
        if self.llr >= upper:
            self.decided = "H1"
        elif self.llr <= lower:
            self.decided = "H0"

    def as_json(self) -> dict[str, Any]:
        return {
            "low": self.low,
            "high": self.high,
            "alpha": self.alpha,
            "beta": self.beta,
            "every": self.every,
            "checks": self.checks,
            "llr": self.llr,
            "bounds": list(self.bounds),
            "decided": self.decided,
        }


def read_sprt(text: str, alpha: float, beta: float, every: int) -> Sprt:
    """The test from `LOW,HIGH`."""
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"sprt: {text!r} is not allowed; allowed: two means in whists LOW,HIGH, such as 0,5") from None
    return Sprt(low, high, alpha, beta, every)
