"""Runs side by side: differences with intervals, on the same deals where the cards are the same."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from lab import charts
from lab.html import escape, estimate_text, figure, number, section, table
from lab.loading import Loaded
from lab.statistics import Estimate, estimate

PULKA_MEASURES = ("deals", "largest result", "mountain of all seats")


@attrs.define
class Moments:
    """Sums of two measures of the same units, by floats: these are differences of means, not of sheets."""

    n: int = 0
    a: float = 0.0
    b: float = 0.0
    aa: float = 0.0
    bb: float = 0.0
    ab: float = 0.0

    def add(self, a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> None:
        """Add units."""
        self.n += len(a)
        for name, value in (("a", a), ("b", b), ("aa", a * a), ("bb", b * b), ("ab", a * b)):
            setattr(self, name, getattr(self, name) + float(value.sum()))

    def _variances(self) -> tuple[float, float, float]:
        def co(x: float, y: float, xy: float) -> float:
            return (xy - x * y / self.n) / (self.n - 1)

        return co(self.a, self.a, self.aa), co(self.b, self.b, self.bb), co(self.a, self.b, self.ab)

    def difference(self, paired: bool) -> Estimate:
        """Mean of b less mean of a, with its interval."""
        if self.n < 2:
            return Estimate(self.n, (self.b - self.a) / self.n if self.n else None, None, None, None)
        of_a, of_b, both = self._variances()
        return estimate(self.n, (self.b - self.a) / self.n, of_a + of_b - (2 * both if paired else 0.0))

    def gain(self) -> float | None:
        """How many times as many pulkas would be needed without pairing for the same interval."""
        if self.n < 2:
            return None
        of_a, of_b, both = self._variances()
        paired = of_a + of_b - 2 * both
        return (of_a + of_b) / paired if paired > 0 else None


@attrs.define
class Comparison:
    """Two runs: what is compared, how, and by how much."""

    first: Loaded
    second: Loaded
    paired: bool
    units: int
    lines: list[tuple[str, Moments]]


def same_cards(first: Loaded, second: Loaded) -> bool:
    """Whether pulka n of both has the same cards in the same seats."""
    keys = ("seed", "seats", "duplicate")
    return all(first.run[key] == second.run[key] for key in keys) and len(first.run["seatings"]) == len(second.run["seatings"])


def compare(first: Loaded, second: Loaded) -> Comparison:
    """Compare bots (by name, else the first with the first and so on) and what pulkas were like, over the pulkas that both have."""
    names = [(bot, bot) for bot in first.players if bot in second.players]
    others = ([bot for bot in one.players if bot not in other.players] for one, other in ((first, second), (second, first)))
    names += list(zip(*others, strict=False))
    lines = [(a if a == b else f"{a} → {b}", Moments()) for a, b in names] + [(name, Moments()) for name in PULKA_MEASURES]
    places = [(first.players.index(a), second.players.index(b)) for a, b in names]
    sets = len(first.run["seatings"]) if first.run["duplicate"] and second.run["duplicate"] else 1
    for one, other in zip(_measured(first, sets), _measured(second, sets), strict=False):
        n = min(one.shape[1], other.shape[1])
        picked = [(one[a], other[b]) for a, b in places] + [(one[-k], other[-k]) for k in (3, 2, 1)]
        for (_, moments), (a, b) in zip(lines, picked, strict=True):
            good = ~(np.isnan(a[:n]) | np.isnan(b[:n]))
            moments.add(a[:n][good], b[:n][good])
    paired = same_cards(first, second)
    return Comparison(first, second, paired, lines[-1][1].n, lines)


def _measured(loaded: Loaded, sets: int) -> Iterator[np.ndarray[Any, Any]]:
    """By unit: each bot's mean result, then deals, the largest result, all mountains; NaN where a failure ended a pulka."""
    seats = loaded.seats
    for columns in loaded.blocks():
        bots = columns["bot"].reshape(-1, seats)
        results = columns["result_numerator"].reshape(-1, seats) / columns["result_denominator"][0]
        rows = [np.where(bots == p, results, 0.0).sum(axis=1) / (bots[0] == p).sum() for p in range(len(loaded.players))]
        rows.append(columns["deals"][::seats].astype(float))
        rows.append(np.abs(results).max(axis=1))
        rows.append(columns["mountain_sixths"].reshape(-1, seats).sum(axis=1) / 6)
        table = np.stack(rows)
        table[:, columns["failed"][::seats]] = np.nan
        whole = table.shape[1] // sets * sets
        yield table[:, :whole].reshape(len(rows), -1, sets).mean(axis=2)


def title_of(loaded: Loaded) -> str:
    """What a run is called beside others: its directory's name."""
    return Path(loaded.path).resolve().name


def comparison_section(first: Loaded, second: Loaded) -> str:
    """Differences with intervals, and what pairing gained."""
    found = compare(first, second)
    bots = len(found.lines) - len(PULKA_MEASURES)
    rows, values, labels = [], [], []
    for place, (label, moments) in enumerate(found.lines):
        difference, gain = moments.difference(found.paired), moments.gain()
        means = [number(total / moments.n) if moments.n else "–" for total in (moments.a, moments.b)]
        told = f"{gain:,.1f} ×" if found.paired and gain is not None else "–"
        rows.append((label if place >= bots else f"whists of {label}", *means, estimate_text(difference), told))
        if place < bots and difference.value is not None and difference.low is not None and difference.high is not None:
            labels.append(label)
            values.append((difference.value, difference.low, difference.high))
    a, b = title_of(first), title_of(second)
    how = (
        f"Both runs have the same cards in the same places, so pulka n of one is set against pulka n of the other: {found.units:,} pairs. "
        "The last column tells how many times as many pulkas runs with different cards would need for an interval as narrow."
        if found.paired
        else f"The runs have different cards, so {found.units:,} pulkas of each are compared as independent ones; one seed would pair them."
    )
    changed = _changed(first.run, second.run)
    picture = ""
    if charts.available() and any(abs(v) > 1e-12 for v, _, _ in values):
        picture = charts.intervals(f"differences-{b}", labels, values, f"whists a pulka in {b} less in {a}, with 95 % interval")
    return section(
        f"against-{escape(b)}",
        f"{b} against {a}",
        f"<p>What differs: {escape(changed)}.</p><p class='note'>{how}</p>",
        table(("a pulka", a, b, "difference", "gain of pairing"), rows),
        figure(picture, ""),
    )


def _changed(first: dict[str, Any], second: dict[str, Any]) -> str:
    keys = ("convention", "seats", "target", "bots", "pulkas", "seed", "deal_limit", "duplicate")
    told = [f"{key} {_short(first[key])} → {_short(second[key])}" for key in keys if first[key] != second[key]]
    names = [name for name in first["options"] if name in second["options"] and first["options"][name] != second["options"][name]]
    told += [f"{name} {_short(first['options'][name])} → {_short(second['options'][name])}" for name in names]
    return "; ".join(told) or "nothing but the directory"


def _short(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value).lower()


def duplicate_gain(loaded: Loaded) -> str:
    """What playing the same cards under every seating gained in one run."""
    if not loaded.run["duplicate"]:
        return ""
    sets = len(loaded.run["seatings"])
    rows = []
    for player, bot in enumerate(loaded.players):
        singles, whole = [], []
        for table_ in _measured(loaded, 1):
            singles.append(table_[player])
        for table_ in _measured(loaded, sets):
            whole.append(table_[player])
        one, many = np.concatenate(singles), np.concatenate(whole)
        if len(many) > 1 and np.nanvar(many) > 0:
            of_one, of_many = float(np.nanvar(one, ddof=1)), float(np.nanvar(many, ddof=1))
            rows.append((bot, number(math.sqrt(of_one)), number(math.sqrt(of_many)), f"{of_one / sets / of_many:,.1f} ×"))
    head = ("bot", "deviation of a pulka", "of a set's mean", "gain")
    told = f"The same cards under {sets} seatings: how many times as many pulkas independent cards would need for an interval as narrow."
    return section("duplicate", "What duplicate cards gained", f"<p class='note'>{told}</p>", table(head, rows)) if rows else ""
