"""Exact sums over pulkas, and what may be said of them: means with intervals whose unit is the pulka, or the duplicate set.

A bot's result in a unit is the mean over the seats it held there; all sums are of integers, so the order of blocks and the
number of workers cannot show in any figure.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import attrs
import numpy as np

from conventions.settlement import DENOMINATOR

Columns = dict[str, np.ndarray[Any, Any]]

_T = (12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836, 2.446911849)  # 97.5 % points, 1 … 6 degrees of freedom


def t_975(freedom: int) -> float:
    """The 97.5 % point of Student's t: what a 95 % interval is wide, in standard errors each way."""
    if freedom < 1:
        raise ValueError("an interval needs two units at least")
    if freedom <= len(_T):
        return _T[freedom - 1]
    # Cornish and Fisher's expansion about the normal point: to four digits from seven degrees on
    z = NormalDist().inv_cdf(0.975)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom**k for k, term in enumerate(terms, 1))


@attrs.frozen
class Estimate:
    """A mean or a ratio of `n` units with its standard error and its 95 % interval (None from a single unit)."""

    n: int
    value: float | None
    error: float | None
    low: float | None
    high: float | None

    @property
    def ci95(self) -> list[float] | None:
        """The interval as JSON has it."""
        return None if self.low is None or self.high is None else [self.low, self.high]

    def turned(self) -> Estimate:
        """The same with the other sign."""
        if self.value is None or self.low is None or self.high is None:
            return Estimate(self.n, None if self.value is None else -self.value, self.error, None, None)
        return Estimate(self.n, -self.value, self.error, -self.high, -self.low)


def estimate(n: int, value: float, variance: float) -> Estimate:
    """From a value and the variance of one unit."""
    if n < 2:
        return Estimate(n, value, None, None, None)
    error = math.sqrt(max(0.0, variance) / n)
    half = t_975(n - 1) * error
    return Estimate(n, value, error, value - half, value + half)


@attrs.define
class Sums:
    """Sums of x, x², d, d², x·d over units; x in numerators of `scale`, d in deals."""

    n: int = 0
    x: int = 0
    xx: int = 0
    d: int = 0
    dd: int = 0
    xd: int = 0

    def add(self, x: np.ndarray[Any, Any], d: np.ndarray[Any, Any]) -> None:
        """Add units: int64 arrays of the same length."""
        self.n += len(x)
        self.x += int(x.sum())
        self.d += int(d.sum())
        self.xx += _dot(x, x)
        self.dd += _dot(d, d)
        self.xd += _dot(x, d)

    def mean(self, scale: int) -> Estimate:
        """The mean of x / scale by unit."""
        if self.n == 0:
            return Estimate(0, None, None, None, None)
        value = float(Fraction(self.x, self.n * scale))
        if self.n < 2:
            return estimate(self.n, value, 0.0)
        variance = Fraction(self.n * self.xx - self.x * self.x, self.n * (self.n - 1) * scale * scale)
        return estimate(self.n, value, float(variance))

    def ratio(self, scale: int, per: int) -> Estimate:
        """`per` × Σx / Σd, with the linearised variance of a ratio: the unit stays the unit."""
        if self.d == 0:
            return Estimate(self.n, None, None, None, None)
        r = Fraction(self.x, self.d)
        value = float(r * per / scale)
        if self.n < 2:
            return estimate(self.n, value, 0.0)
        squares = self.xx - 2 * r * self.xd + r * r * self.dd  # Σ (x - r d)²
        variance = squares / (self.n - 1) * Fraction(self.n * per, self.d * scale) ** 2
        return estimate(self.n, value, float(variance))

    def deviation(self, scale: int) -> float | None:
        """The standard deviation of one unit."""
        if self.n < 2:
            return None
        return math.sqrt(float(Fraction(self.n * self.xx - self.x * self.x, self.n * (self.n - 1) * scale * scale)))


def _dot(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> int:
    largest = max(int(np.abs(a).max(initial=0)), int(np.abs(b).max(initial=0)))
    if largest * largest * len(a) < 1 << 62:
        return int(np.dot(a, b))
    return sum(x * y for x, y in zip(a.tolist(), b.tolist(), strict=True))


class Standings:
    """Everything that is known of results after any number of blocks.

    `players`: how many different bots; `seatings`: players by seating and seat; `duplicate`: a set of pulkas with the same
    cards, one under each seating, is one unit. Pulkas that a bot's failure ended count nowhere but in `failed`.
    """

    def __init__(self, seatings: tuple[tuple[int, ...], ...], duplicate: bool) -> None:
        self.seats = len(seatings[0])
        self.players = 1 + max(max(s) for s in seatings)
        self.sets = len(seatings) if duplicate else 1
        self.held = [seatings[0].count(player) for player in range(self.players)]  # seats a pulka
        self.sums = [Sums() for _ in range(self.players)]
        self.pairs = {(a, b): Sums() for a in range(self.players) for b in range(a + 1, self.players)}
        self.by_place = [[Sums() for _ in range(self.seats)] for _ in range(self.players)]  # place from the first dealer
        self.seat_sums = [Sums() for _ in range(self.players)]  # one seat's result: how a single evening goes
        self.results: list[Counter[int]] = [Counter() for _ in range(self.players)]  # by whole whists, rounded down
        self.deals: Counter[int] = Counter()  # pulkas by number of deals
        self.pulkas = self.cut = self.failed = self.left_over = 0

    def scale(self, player: int) -> int:
        """What a unit's x is a numerator of."""
        return DENOMINATOR * self.held[player] * self.sets

    def add(self, columns: Columns) -> None:
        """Add the rows of whole pulkas (`lab.run.pulka_columns`), in their order; sets of a duplicate run may not be divided."""
        seats = self.seats
        failed = columns["failed"][::seats]
        self.pulkas += len(failed)
        self.failed += int(failed.sum())
        self.cut += int(columns["cut"][::seats].sum())
        deals = columns["deals"][::seats].astype(np.int64)
        bots = columns["bot"].reshape(-1, seats).astype(np.int64)
        results = columns["result_numerator"].reshape(-1, seats)
        ok = ~failed
        self.deals.update(dict(zip(*(a.tolist() for a in np.unique(deals[ok], return_counts=True)), strict=True)))
        by_player = np.stack([np.where(bots == player, results, 0).sum(axis=1) for player in range(self.players)])
        if self.sets > 1:
            whole = len(ok) // self.sets * self.sets
            self.left_over += len(ok) - whole
            good = ok[:whole].reshape(-1, self.sets).all(axis=1)
            self._add_units(
                by_player[:, :whole].reshape(self.players, -1, self.sets).sum(axis=2)[:, good],
                deals[:whole].reshape(-1, self.sets).sum(axis=1)[good],
            )
        else:
            self._add_units(by_player[:, ok], deals[ok])
        places = (np.arange(seats)[None, :] - columns["first_dealer"].reshape(-1, seats)) % seats
        for player in range(self.players):
            mine = (bots == player) & ok[:, None]
            own = results[mine]
            lengths = np.broadcast_to(deals[:, None], bots.shape)[mine]
            self.seat_sums[player].add(own, lengths)
            values, counts = np.unique(own // DENOMINATOR, return_counts=True)
            self.results[player].update(dict(zip(values.tolist(), counts.tolist(), strict=True)))
            at = places[mine]
            for place in range(seats):
                self.by_place[player][place].add(own[at == place], lengths[at == place])

    def _add_units(self, by_player: np.ndarray[Any, Any], deals: np.ndarray[Any, Any]) -> None:
        for player, sums in enumerate(self.sums):
            sums.add(by_player[player], deals)
        for (a, b), sums in self.pairs.items():
            # over the common scale of the two
            sums.add(by_player[a] * self.held[b] - by_player[b] * self.held[a], deals)

    def mean(self, player: int) -> Estimate:
        """Whists a pulka."""
        return self.sums[player].mean(self.scale(player))

    def per_100_deals(self, player: int) -> Estimate:
        """Whists per 100 deals: a ratio of sums. A unit of `sets` pulkas has the deals of all of them."""
        return self.sums[player].ratio(DENOMINATOR * self.held[player], 100)

    def difference(self, a: int, b: int) -> Estimate:
        """Whists a pulka that one bot wins more than another at the same table."""
        if a > b:
            return self.difference(b, a).turned()
        return self.pairs[a, b].mean(DENOMINATOR * self.held[a] * self.held[b] * self.sets)

    def quantile(self, player: int, part: float) -> int | None:
        """The whole whists below which this part of the bot's results (one seat, one pulka) lies."""
        total = sum(self.results[player].values())
        seen = 0
        for value in sorted(self.results[player]):
            seen += self.results[player][value]
            if seen >= part * total:
                return value
        return None
