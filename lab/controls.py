"""Control variates: what luck of the cards explains of a run's results is taken out of them, so that fewer pulkas tell as much.

A control of a seat in a deal is anything that the cards say to it, less the mean of what they would say with the three hands moved round
the table: dealing makes the three ways equally likely whatever came before, so its expectation is exactly 0 (`docs/rules.md` 1.4).
A pulka ends by what has happened, not by what will (a stopping time), so the sum over its deals has expectation 0 as well: Wald.

How much of a deal's worth goes with the controls is learned by least squares from all deals of the *other* units (tenths of the run), so
the coefficients know nothing of the unit they correct: no bias at all, however few units there are. What was learned badly makes the
interval wider, not wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from conventions.settlement import DENOMINATOR
from lab import deal_figures
from lab.deal_figures import Array, Deals
from lab.errors import UsageError
from lab.loading import Loaded
from lab.statistics import Estimate, estimate

FOLDS = 10
LEAST = 2 * FOLDS  # units
RIDGE = 3000.0  # holds coefficients of what is seldom seen near 0; features are counted in thirds
AT_ONCE = 20_000  # deals whose features are held at once
STATES = (2, 3)  # raspas states in which coefficients may differ from the rest

PLAIN, CARDS, SOLVED = "as played", "cards counted", "double dummy"
KINDS = (PLAIN, CARDS, SOLVED)  # in this order; the last only where deals were solved


@attrs.frozen
class Line:
    """A bot's whists a pulka, or one bot's less another's: by kind of control the estimate, and its gain.

    A gain of 1.25 says that without the controls 1.25 times as many units would be needed for an interval as narrow.
    """

    name: str
    estimates: dict[str, Estimate]
    gains: dict[str, float | None]


@attrs.frozen
class Controlled:
    """What controls make of the first pulkas of a run."""

    pulkas: int
    units: int
    deals: int
    lines: list[Line]


def controlled(
    loaded: Loaded,
    pulkas: int,
    threads: int | None = None,
    done: Callable[[int, int], None] = lambda deals, of: None,
    solving: bool = True,
) -> Controlled:
    """Estimates over the first `pulkas` pulkas of a run that kept its deals, with and without controls.

    Without `solving` the hands are only counted, which costs next to nothing. Solving takes some milliseconds of one core a deal; it uses
    `threads` cores (all by default), and no figure depends on how many. `done` is told how many deals were solved since it was told
    last, and of how many. `UsageError`: no deals, one bot alone, too few pulkas.
    """
    if len(loaded.players) == 1:
        raise UsageError(f"{loaded.path}: {loaded.players[0]} sat at every seat, so its mean is 0 and there is nothing to control")
    seatings = len(loaded.run["seatings"])
    sets = seatings if loaded.run["duplicate"] else 1
    pulkas = min(pulkas, loaded.summary["pulkas"]) // seatings * seatings
    if pulkas // sets < LEAST:
        what = "pulkas" if sets == 1 else f"pulkas ({LEAST} sets)"
        raise UsageError(f"{loaded.path}: controls need {LEAST * sets} {what} at least")
    deals = deal_figures.read(loaded, pulkas)
    bots, results, good = _results(loaded, pulkas, sets)
    unit = deals.pulka // sets
    kept = np.flatnonzero(good[unit])
    deals = Deals(*(getattr(deals, field.name)[kept] for field in attrs.fields(Deals)))
    unit = unit[kept]
    fold = np.arange(len(good)) // max(1, seatings // sets) % FOLDS
    counts = deal_figures.counted(deals.hands)
    figures = {CARDS: (counts, deal_figures.of_cards)}
    if solving:
        tricks = deal_figures.solve(deals.hands, threads, lambda some: done(some, len(deals)))
        figures[SOLVED] = (np.concatenate([tricks, counts], axis=-1), deal_figures.of_solved)
    luck = {kind: _luck(deals, bots, unit, fold, len(loaded.players), *found) for kind, found in figures.items()}
    held = np.array([(bots[0] == player).sum() for player in range(len(loaded.players))]) * DENOMINATOR * sets
    units = {PLAIN: results / held, **{kind: (results - found) / held for kind, found in luck.items()}}
    names = loaded.players
    pairs = [(names[p], {kind: x[good, p] for kind, x in units.items()}) for p in range(len(names))]
    pairs += [
        (f"{names[a]} less {names[b]}", {kind: x[good, a] - x[good, b] for kind, x in units.items()})
        for a in range(len(names))
        for b in range(a + 1, len(names))
    ]
    return Controlled(pulkas, int(good.sum()), len(deals), [_line(name, found) for name, found in pairs])


def _line(name: str, by_kind: dict[str, Array]) -> Line:
    variances = {kind: float(x.var(ddof=1)) for kind, x in by_kind.items()}
    estimates = {kind: estimate(len(x), float(x.mean()), variances[kind]) for kind, x in by_kind.items()}
    return Line(name, estimates, {kind: variances[PLAIN] / of if of > 0 else None for kind, of in variances.items()})


def _results(loaded: Loaded, pulkas: int, sets: int) -> tuple[Array, Array, Array]:
    """Players by pulka and seat; summed numerators by unit and player; which units no failure spoiled."""
    from lab.directory import pulka_numbers

    seats = loaded.seats
    columns = pulka_numbers(loaded.pulkas.head(pulkas * seats).select("bot", "failed", "result_numerator").collect())
    bots = columns["bot"].reshape(-1, seats).astype(np.int64)
    results = columns["result_numerator"].reshape(-1, seats)
    by_player = np.stack([np.where(bots == player, results, 0).sum(axis=1) for player in range(len(loaded.players))], axis=1)
    good = np.logical_not(columns["failed"][::seats].reshape(-1, sets).max(axis=1))
    return bots, by_player.reshape(-1, sets, by_player.shape[1]).sum(axis=1), good


def _luck(deals: Deals, bots: Array, unit: Array, fold: Array, players: int, figures: Array, features: Callable[[Array], Array]) -> Array:
    """By unit and player: what its cards are held to have earned it, in numerators of results; expectation 0 by unit."""
    found = np.zeros((len(fold), players))
    at_place = np.take_along_axis(bots[deals.pulka], deals.seats, axis=1)
    worth = np.take_along_axis(deals.worth, deals.seats, axis=1)
    for player in range(players):

        def parts(player: int = player) -> Any:
            for at in range(0, len(deals), AT_ONCE):
                part = slice(at, at + AT_ONCE)
                for place, x in enumerate(controls(figures[part], deals.state[part], features)):
                    mine = at_place[part, place] == player
                    yield x[mine], worth[part, place][mine], unit[part][mine]

        fitted = Fit(fold)
        for x, y, of in parts():
            fitted.add(x, y, of)
        coefficients = fitted.coefficients()
        for x, _, of in parts():
            np.add.at(found[:, player], of, (x * coefficients[fold[of]]).sum(axis=1))
    return found


def controls(figures: Array, states: Array, features: Callable[[Array], Array]) -> list[Array]:
    """The controls of each place in n deals, three arrays (n, 3 × features) of whole numbers: thirds, of expectation 0.

    `figures`: (n, 3, …) by place; `features` makes rows of the figures of the own hand, the next and the one before. Each feature stands
    alone, then again for each later raspas state and 0 in the others: a state is known before the cards are dealt.
    """
    turned = [features(np.roll(figures, -place, axis=1)) for place in range(3)]
    mean = turned[0] + turned[1] + turned[2]
    found = []
    for own in turned:
        x = (3 * own - mean).astype(np.float64)
        found.append(np.concatenate([x, *(x * (states == state)[:, None] for state in STATES)], axis=1))
    return found


class Fit:
    """Least squares with a ridge, for each fold of the units from all rows of the other folds.

    Rows are whole numbers, so the sums are exact and in no way depend on the order of rows.
    """

    def __init__(self, fold: Array) -> None:
        """`fold`: of each unit, 0 … `FOLDS` - 1."""
        self.fold = fold
        self.n = np.zeros(FOLDS)
        self.y = np.zeros(FOLDS)
        self.x: Array | None = None

    def add(self, x: Array, y: Array, unit: Array) -> None:
        """Add rows: controls (n, k), worth (n,), the unit of each."""
        if self.x is None:
            k = x.shape[1]
            self.x, self.xx, self.xy = np.zeros((FOLDS, k)), np.zeros((FOLDS, k, k)), np.zeros((FOLDS, k))
        of = self.fold[unit]
        for fold in range(FOLDS):
            some, own = x[of == fold], y[of == fold].astype(np.float64)
            self.n[fold] += len(some)
            self.y[fold] += own.sum()
            self.x[fold] += some.sum(axis=0)
            self.xx[fold] += some.T @ some
            self.xy[fold] += some.T @ own

    def coefficients(self) -> Array:
        """(FOLDS, k): what to correct the units of each fold by."""
        assert self.x is not None
        rest = [total.sum(axis=0) - total for total in (self.n, self.y, self.x, self.xx, self.xy)]
        found = [np.linalg.solve(xx + RIDGE * np.eye(len(x)), xy - x * (y / max(1.0, n))) for n, y, x, xx, xy in zip(*rest, strict=True)]
        return np.stack(found)
