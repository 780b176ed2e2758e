"""From a sheet to results (расчёт, роспись; `docs/rules.md` 7.5), exact, and in the two ways people do it by hand.

A sheet here is in points and whists (ints or Fractions); `whists[a][b]` is what a has written on b. Results sum to zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from engine.table import UNIT

Number = int | Fraction
DENOMINATOR = 72  # sixths of a point, split among three or four: every result is a whole number of 1/72


def _check(pool: Sequence[Number], mountain: Sequence[Number], whists: Sequence[Sequence[Number]]) -> int:
    n = len(pool)
    if n not in (3, 4):
        raise ValueError(f"pool has {n} seats; allowed: 3 or 4")
    if len(mountain) != n:
        raise ValueError(f"mountain has {len(mountain)} seats, pool has {n}")
    if len(whists) != n or any(len(row) != n for row in whists):
        raise ValueError(f"whists must be {n} rows of {n} numbers, one row a seat")
    return n


def _values(pool: Sequence[Number], mountain: Sequence[Number], pool_worth: Number, mountain_worth: Number) -> list[Fraction]:
    return [Fraction(pool_worth * p - mountain_worth * m) for p, m in zip(pool, mountain, strict=True)]


def settle(
    pool: Sequence[Number],
    mountain: Sequence[Number],
    whists: Sequence[Sequence[Number]],
    pool_worth: Number,
    mountain_worth: Number = 10,
) -> list[Fraction]:
    """What each seat has won, in whists: its pool and mountain against the average, and the whists both ways."""
    n = _check(pool, mountain, whists)
    values = _values(pool, mountain, pool_worth, mountain_worth)
    average = sum(values, Fraction(0)) / n
    return [values[i] - average + sum(whists[i][j] - whists[j][i] for j in range(n) if j != i) for i in range(n)]


def settle_tables(tables: np.ndarray[Any, Any], pool_worth: int, mountain_worth: int = 10) -> np.ndarray[Any, Any]:
    """Results of many finished tables at once: shape (tables, 4), int64 numerators over `DENOMINATOR`; an absent seat has 0.

    `tables` is an array of `engine.table.TABLE`; semesters that are over (`pool_done`, `mountain_done`) count in.
    """
    seats = tables["seats"].astype(np.int64)
    pool = tables["pool"].astype(np.int64) + tables["pool_done"]
    mountain = tables["mountain"].astype(np.int64) + tables["mountain_done"]
    whists = tables["whists"].astype(np.int64)
    values = pool_worth * pool - mountain_worth * mountain
    scale = DENOMINATOR // UNIT
    net = whists.sum(axis=2) - whists.sum(axis=1)
    average = values.sum(axis=1) * (scale // np.maximum(seats, 1))
    results = scale * (values + net) - average[:, None]
    results[np.arange(4)[None, :] >= seats[:, None]] = 0
    return results


@attrs.frozen
class AverageMountain:
    """The settlement by the average mountain (по средней горе): each step as people write it down."""

    mountains: list[Fraction]  # after the amnesty and with the pool turned into mountain
    average: Fraction
    from_mountain: list[Fraction]  # whists for being below the average
    from_whists: list[Fraction]
    result: list[Fraction]


def by_average_mountain(
    pool: Sequence[Number],
    mountain: Sequence[Number],
    whists: Sequence[Sequence[Number]],
    pool_worth: Number,
    mountain_worth: Number = 10,
) -> AverageMountain:
    """By hand, first way: strike the smallest mountain from all, turn missing pool into mountain, compare with the average."""
    n = _check(pool, mountain, whists)
    fullest = max(pool)
    lowest = min(mountain)
    mountains = [Fraction(m - lowest) + Fraction(fullest - p) * pool_worth / mountain_worth for p, m in zip(pool, mountain, strict=True)]
    average = sum(mountains, Fraction(0)) / n
    from_mountain = [(average - m) * mountain_worth for m in mountains]
    from_whists = [Fraction(sum(whists[i]) - sum(row[i] for row in whists)) for i in range(n)]
    result = [a + b for a, b in zip(from_mountain, from_whists, strict=True)]
    return AverageMountain(mountains, average, from_mountain, from_whists, result)


@attrs.frozen
class Pairwise:
    """The settlement pair by pair: `net[a][b]` is what a wins from b."""

    written: list[list[Fraction]]  # whists after each has written the others' mountains on them
    net: list[list[Fraction]]
    result: list[Fraction]


def by_pairs(
    pool: Sequence[Number],
    mountain: Sequence[Number],
    whists: Sequence[Sequence[Number]],
    pool_worth: Number,
    mountain_worth: Number = 10,
) -> Pairwise:
    """By hand, second way: every other seat writes each mountain point as whists (3⅓ of three, 2½ of four), pairs are netted."""
    n = _check(pool, mountain, whists)
    fullest = max(pool)
    lowest = min(mountain)
    owed = [(Fraction(m - lowest) * mountain_worth + Fraction(fullest - p) * pool_worth) / n for p, m in zip(pool, mountain, strict=True)]
    written = [[Fraction(whists[a][b]) + owed[b] if a != b else Fraction(0) for b in range(n)] for a in range(n)]
    net = [[written[a][b] - written[b][a] for b in range(n)] for a in range(n)]
    return Pairwise(written, net, [sum(row, Fraction(0)) for row in net])


def rounded(results: Sequence[Number]) -> list[int]:
    """Whole whists for display whose sum is that of the results (largest remainder; ties go to the first seat)."""
    floors = [int(r // 1) for r in results]
    missing = int(sum(results, Fraction(0)) - sum(floors))
    order = sorted(range(len(results)), key=lambda i: (-(Fraction(results[i]) - floors[i]), i))
    for i in order[:missing]:
        floors[i] += 1
    return floors
