"""What a run amounts to: the object of `simulate --json` and `summary.json` (`docs/interfaces.md`), and the same for a reader."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from conventions.settlement import DENOMINATOR
from engine import contracts
from lab import tally
from lab.description import Description
from lab.statistics import Estimate, Standings

LEVELS = ("6", "7", "8", "9", "10")
TAILS = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
FAILURES_SHOWN = 100


@attrs.define(eq=False)
class Totals:
    """Everything that is counted while a run goes on; blocks may be added in any order but sets of a duplicate run stay whole."""

    description: Description
    standings: Standings
    counters: np.ndarray[Any, Any] = attrs.field(factory=tally.new_tally)
    decisions: int = 0
    deals: int = 0
    seconds: float = 0.0
    failures: list[dict[str, Any]] = attrs.field(factory=list)  # the first of them
    failed: int = 0

    @classmethod
    def of(cls, description: Description) -> Totals:
        """Nothing played yet."""
        return cls(description, Standings(description.seatings, description.duplicate))

    def add(
        self,
        columns: dict[str, np.ndarray[Any, Any]],
        counters: np.ndarray[Any, Any],
        decisions: int,
        deals: int,
        seconds: float,
        failures: list[dict[str, Any]],
    ) -> None:
        """Add finished pulkas."""
        self.standings.add(columns)
        self.add_counts(counters, decisions, deals, seconds, failures)

    def add_counts(
        self, counters: np.ndarray[Any, Any], decisions: int, deals: int, seconds: float, failures: list[dict[str, Any]]
    ) -> None:
        """Add everything but the rows of pulkas."""
        tally.add(self.counters, counters)
        self.decisions += decisions
        self.deals += deals
        self.seconds += seconds
        self.failed += len(failures)
        self.failures += failures[: FAILURES_SHOWN - len(self.failures)]


def summarise(totals: Totals, interrupted: bool = False) -> dict[str, Any]:
    """The object that `--json` prints. Everything but `seconds` and the rates is a function of the run's description."""
    description, standings, y = totals.description, totals.standings, totals.counters[0]
    seconds = totals.seconds
    lengths = standings.deals
    return {
        "pulkas": standings.pulkas,
        "deals": totals.deals,
        "decisions": totals.decisions,
        "seconds": round(seconds, 3),
        "pulkas_per_second": round(standings.pulkas / seconds, 1) if seconds else None,
        "decisions_per_second": round(totals.decisions / seconds) if seconds else None,
        "wanted": description.pulkas,
        "interrupted": interrupted,
        "cut": standings.cut,
        "failed": standings.failed,
        "unit": "set" if description.duplicate else "pulka",
        "bots": {bot: _bot(standings, player) for player, bot in enumerate(description.players)},
        "differences": _differences(standings, description.players),
        "deals_per_pulka": {
            "mean": sum(k * n for k, n in lengths.items()) / max(1, lengths.total()),
            "min": min(lengths, default=0),
            "max": max(lengths, default=0),
        },
        "contracts": _contracts(y["contracts"].sum(axis=0), y["bids"].sum(axis=0), y),
        "contracts_by_bot": {
            bot: _contracts(y["contracts"][player], y["bids"][player], None) for player, bot in enumerate(description.players)
        },
        "raspas_share": int(y["raspas"].sum()) / max(1, totals.deals),
        "raspas": {str(s): _raspas(y, s, totals.deals) for s in (1, 2, 3)},
        "failures": totals.failures,
        "failures_in_all": totals.failed,
        "run": {
            "convention": description.convention.name,
            "seats": description.seats,
            "target": description.target,
            "bots": list(description.bots),
            "seatings": len(description.seatings),
            "seed": description.seed,
            "deal_limit": description.deal_limit,
        },
    }


def _bot(standings: Standings, player: int) -> dict[str, Any]:
    mean, rate = standings.mean(player), standings.per_100_deals(player)
    scale = standings.scale(player)
    seats = standings.seat_sums[player]
    return {
        "pulkas": mean.n * standings.sets,
        "seats": standings.held[player],
        "mean": mean.value,
        "ci95": mean.ci95,
        "per_100_deals": rate.value,
        "per_100_deals_ci95": rate.ci95,
        "deviation": standings.sums[player].deviation(scale),
        "seat_deviation": seats.deviation(scale // standings.held[player] // standings.sets),
        "quantiles": {str(part): standings.quantile(player, part) for part in TAILS},
        "min": min(standings.results[player], default=None),
        "max": max(standings.results[player], default=None),
        "by_place": [_place(standings, player, place) for place in range(standings.seats)],
    }


def _place(standings: Standings, player: int, place: int) -> dict[str, Any]:
    found = standings.by_place[player][place].mean(DENOMINATOR)
    return {"seats": found.n, "mean": found.value, "ci95": found.ci95}


def _differences(standings: Standings, players: tuple[str, ...]) -> list[dict[str, Any]]:
    found = []
    for a, b in standings.pairs:
        difference: Estimate = standings.difference(a, b)
        found.append({"first": players[a], "second": players[b], "mean": difference.value, "ci95": difference.ci95})
    return found


def _contracts(ordered: np.ndarray[Any, Any], bids: np.ndarray[Any, Any], y: Any) -> dict[str, Any]:
    """By level, and misère. `ordered`: by rung and outcome; `bids`: auctions won, by rung."""
    found: dict[str, Any] = {}
    for level, name in enumerate(LEVELS, 6):
        rungs = [rung for rung in range(1, contracts.RUNGS + 1) if contracts.LEVEL[rung] == level]
        outcomes = ordered[rungs].sum(axis=0)
        found[name] = _outcomes(outcomes, int(bids[rungs].sum()))
        if y is not None:
            found[name]["checked"] = int(y["checked"][rungs].sum())
    misere = _outcomes(ordered[contracts.MISERE], int(bids[contracts.MISERE]))
    found["misere"] = {key: misere[key] for key in ("bid", "played", "made", "failed")}
    if y is not None:
        found["misere"]["tricks"] = y["tricks"][contracts.MISERE].tolist()
    return found


def _outcomes(outcomes: np.ndarray[Any, Any], bid: int) -> dict[str, int]:
    made, failed = int(outcomes[tally.MADE]), int(outcomes[tally.FAILED])
    return {
        "bid": bid,
        "ordered": int(outcomes.sum()) - int(outcomes[tally.GAVE_UP]),
        "played": made + failed,
        "made": made,
        "failed": failed,
        "unwhisted": int(outcomes[tally.UNWHISTED]),
        "half": int(outcomes[tally.HALF]),
        "gave_up": int(outcomes[tally.GAVE_UP]),
    }


def _raspas(y: Any, state: int, deals: int) -> dict[str, Any]:
    played, there = int(y["raspas"][state]), int(y["states"][state])
    tricks = y["raspas_tricks"][:, state].sum(axis=0)
    return {
        "deals": there,  # deals begun in this state
        "raspas": played,
        "share": played / max(1, deals),
        "of_its_deals": played / max(1, there),
        "zeros": int(tricks[0]) / max(1, int(tricks.sum())),
        "exits": {way: int(n) for way, n in zip(tally.EXITS, y["exits"][state], strict=True)},
    }
