"""What a league has shown after any number of sets: exact sums, and figures with intervals whose unit is the set."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from conventions.settlement import DENOMINATOR
from lab.league import League
from lab.league_play import Array, Sets
from lab.ratings import Ratings
from lab.sprt import Sprt
from lab.statistics import Estimate, Sums

FAILURES_SHOWN = 100
SHARES = 12  # a won pulka is divided among up to four


@attrs.define(eq=False)
class Pair:
    """Two bots at the tables where both sit."""

    a: int
    b: int
    weights: Array  # (seatings × seats): 1 for a, -1 for b, 0 elsewhere
    tables: Array  # (seatings,): 1 where both sit
    held: int  # seats that each of the two has in a set, there
    sums: Sums = attrs.field(factory=Sums)


class Standings:
    """Sums over sets; a set in which a bot failed counts in no mean."""

    def __init__(self, league: League, sprt: Sprt | None = None) -> None:
        """`sprt` tests the first bot less the second."""
        self.league, self.sprt = league, sprt
        bots, seatings = len(league.bots), np.asarray(league.seatings, dtype=np.int64)
        self.sits = np.stack([seatings == bot for bot in range(bots)]).astype(np.int64)  # (bots, seatings, seats)
        self.held = int(self.sits[0].sum())  # seats of each bot in a set
        assert (self.sits.sum(axis=(1, 2)) == self.held).all()
        self.results = [Sums() for _ in range(bots)]
        self.shares = [Sums() for _ in range(bots)]
        self.tricks = [Sums() for _ in range(bots)]
        self.pairs = [pair for a in range(bots) for b in range(a + 1, bots) if (pair := self._pair(a, b)).held]
        self.ratings = Ratings(bots, league.seatings)
        self.sets = self.failed_sets = self.cut = self.deals = 0
        self.failures: list[dict[str, Any]] = []
        self.failed = [0] * bots

    def _pair(self, a: int, b: int) -> Pair:
        together = self.sits[a].any(axis=1) & self.sits[b].any(axis=1)
        weights = (self.sits[a] - self.sits[b]) * together[:, None]
        return Pair(a, b, weights.ravel(), together.astype(np.int64), int((weights > 0).sum()))

    def take(self, sets: Sets) -> int:
        """Add the sets that follow, up to a check at which the test decides; returns how many were taken."""
        if self.sprt is None:
            self._add(sets)
            return len(sets)
        start = 0
        while start < len(sets) and not self.sprt.decided:
            stop = min(len(sets), start + self.sprt.every - self.sets % self.sprt.every)
            self._add(sets.part(start, stop))
            if self.sets % self.sprt.every == 0:
                self.sprt.check(self.pairs[0].sums, self._pair_scale(self.pairs[0]))
            start = stop
        return start

    @property
    def decided(self) -> bool:
        return self.sprt is not None and self.sprt.decided is not None

    def _add(self, sets: Sets) -> None:
        count = len(sets)
        bad = sets.failed.any(axis=1)
        good = ~bad
        self.sets += count
        self.failed_sets += int(bad.sum())
        self.cut += int(sets.cut.sum())
        self.deals += int(sets.deals.sum())
        for failure in (failure for failures in sets.failures for failure in failures):
            self.failed[self.league.bots.index(failure["bot"])] += 1
            if len(self.failures) < FAILURES_SHOWN:
                self.failures.append(failure)
        results, deals = sets.results[good], sets.deals[good]
        seats = self.sits[0].size  # of a set
        flat, length = results.reshape(-1, seats), deals.sum(axis=1)
        best = results == results.max(axis=2, keepdims=True)
        shares = np.where(best, SHARES // best.sum(axis=2, keepdims=True), 0).reshape(-1, seats)
        for bot, sits in enumerate(self.sits.reshape(-1, seats)):
            self.results[bot].add(flat @ sits, length)
            self.shares[bot].add(shares @ sits, length)
            if sets.tricks is not None and sets.held is not None:
                self.tricks[bot].add(*(array[good].reshape(-1, seats) @ sits for array in (sets.tricks, sets.held)))
        for pair in self.pairs:
            pair.sums.add(flat @ pair.weights, deals @ pair.tables)
        self.ratings.add(results)

    def mean(self, bot: int) -> Estimate:
        """Whists of one seat in a pulka."""
        return self.results[bot].mean(DENOMINATOR * self.held)

    def per_deal(self, bot: int) -> Estimate:
        """Whists of one seat in a deal, a ratio of sums."""
        return self.results[bot].ratio(DENOMINATOR * self.held, len(self.league.seatings))

    def share(self, bot: int) -> Estimate:
        """The part of pulkas that a seat wins; a win that is shared counts in parts. A bot among equals has 1 / seats."""
        return self.shares[bot].mean(SHARES * self.held)

    @staticmethod
    def _pair_scale(pair: Pair) -> int:
        return DENOMINATOR * pair.held

    def difference(self, pair: Pair) -> Estimate:
        """Whists of one seat in a pulka that the first wins more than the second at the same table."""
        return pair.sums.mean(self._pair_scale(pair))

    def difference_per_deal(self, pair: Pair) -> Estimate:
        return pair.sums.ratio(self._pair_scale(pair), int(pair.tables.sum()))

    def summary(self, seconds: float, wanted: int, interrupted: bool) -> dict[str, Any]:
        """The object that `--json` prints; everything but `seconds` is a function of the league and the number of sets."""
        league = self.league
        return {
            "league": {
                "convention": league.convention.name,
                "seats": league.seats,
                "target": league.target,
                "seed": league.seed,
                "deals": league.deals,
                "deal_limit": league.deal_limit,
                "raspas": league.raspas,
                "seatings": len(league.seatings),
            },
            "unit": "set",
            "sets": self.sets,
            "wanted": wanted,
            "pulkas": self.sets * len(league.seatings),
            "deals": self.deals,
            "cut": self.cut,
            "failed_sets": self.failed_sets,
            "interrupted": interrupted,
            "seconds": round(seconds, 3),
            "bots": {bot: self._bot(i) for i, bot in enumerate(league.bots)},
            "pairs": [self._pair_json(pair) for pair in self.pairs],
            "rated_pulkas": self.ratings.rated,
            "sprt": None
            if self.sprt is None
            else {"first": league.bots[0], "second": league.bots[1], **self.sprt.as_json(), "sets": self.sets},
            "failures": self.failures,
            "failures_in_all": sum(self.failed),
        }

    def _bot(self, bot: int) -> dict[str, Any]:
        found: dict[str, Any] = {"seats": self.held * (self.sets - self.failed_sets), "failures": self.failed[bot]}
        figures = {"mean": self.mean(bot), "per_deal": self.per_deal(bot), "win_share": self.share(bot)}
        if self.league.raspas:
            figures["tricks_per_deal"] = self.tricks[bot].ratio(1, 1)
        for name, estimate in figures.items():
            found |= _json(name, estimate)
        return {**found, "deviation": self.results[bot].deviation(DENOMINATOR * self.held), "rating": self.ratings.of(bot)}

    def _pair_json(self, pair: Pair) -> dict[str, Any]:
        bots = self.league.bots
        names = {"first": bots[pair.a], "second": bots[pair.b]}
        return names | _json("mean", self.difference(pair)) | _json("per_deal", self.difference_per_deal(pair))


def _json(name: str, estimate: Estimate) -> dict[str, Any]:
    return {name: estimate.value, f"{name}_ci95": estimate.ci95}
