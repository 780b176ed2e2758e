"""What the cards alone say of a dealt hand: counts, and double-dummy tricks, for the three hands of every deal of a run.

All figures are whole numbers and treat the three hands alike: the figures of hands that change places change places with them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import polars as pl

from conventions.settlement import DENOMINATOR
from engine.table import UNIT
from lab.errors import UsageError
from lab.loading import Loaded

Array = np.ndarray[Any, Any]

AT_ONCE = 512  # deals solved between two reports of progress
TOPS = range(4, 11)  # double-dummy tricks that are told apart
LOWS = range(7)  # the same, where as few as can be are wanted


@attrs.frozen(eq=False)
class Deals:
    """Deals of a run in their order. Places: 0 the first hand, 1 and 2 clockwise from it; a talon-sitter has none."""

    pulka: Array  # (n,) from 0
    state: Array  # (n,) the raspas state, 1 … 3
    hands: Array  # (n, 3) uint32 masks of ten cards, by place
    seats: Array  # (n, 3) the seat at each place
    worth: Array  # (n, seats) int64 numerators over `DENOMINATOR`: what the deal wrote, settled

    def __len__(self) -> int:
        return len(self.pulka)


def read(loaded: Loaded, pulkas: int) -> Deals:
    """The deals of the first pulkas of a run; `UsageError` if it kept none."""
    if loaded.deals is None:
        raise UsageError(f"{loaded.path} kept no deals: simulate with --deals")
    seats = loaded.seats
    rows = loaded.deals.filter(pl.col("pulka") <= pulkas).collect()
    others = [(a, b) for a in range(seats) for b in range(seats) if a != b]

    def by_seat(*names: str) -> Array:
        return np.stack([rows[name].to_numpy().astype(np.int64) for name in names], axis=1).reshape(len(rows), -1)

    pool, mountain = (by_seat(*(f"{name}_{seat}_sixths" for seat in range(seats))) for name in ("pool", "mountain"))
    values = loaded.worths[0] * pool - loaded.worths[1] * mountain
    scale = DENOMINATOR // UNIT
    worth = scale * values - (scale // seats) * values.sum(axis=1, keepdims=True)
    for (a, b), written in zip(others, by_seat(*(f"whists_{a}_{b}_sixths" for a, b in others)).T, strict=True):
        worth[:, a] += scale * written
        worth[:, b] -= scale * written
    places = (rows["dealer"].to_numpy().astype(np.int64)[:, None] + 1 + np.arange(3)) % seats
    hands = np.take_along_axis(by_seat(*(f"hand_{seat}" for seat in range(seats))), places, axis=1).astype(np.uint32)
    return Deals(rows["pulka"].to_numpy() - 1, rows["raspas_state"].to_numpy().astype(np.int64), hands, places, worth)


def solve(hands: Array, threads: int | None = None, done: Callable[[int], None] = lambda deals: None) -> Array:
    """Double-dummy tricks of each hand on its own lead against the other two: int8 (n, 3, 2).

    Last axis: the most in a game, the better of no trump and the longest suit as trump (of equals the lowest); the fewest in a
    misère. `done` is told how many deals were solved since it was told last. Cards of the talon are in no hand.
    """
    from bots.solver import MISERE, NO_TRUMP, positions, solve_many

    found = np.empty((len(hands), 3, 2), dtype=np.int8)
    lengths = _lengths(hands)
    for at in range(0, len(hands), AT_ONCE):
        part = slice(at, at + AT_ONCE)
        for place in range(3):
            turned = np.roll(hands[part], -place, axis=1)
            suit = lengths[part, place].argmax(axis=1)
            tricks = [solve_many(positions(turned, game), threads) for game in (suit, NO_TRUMP, MISERE)]
            found[part, place, 0] = np.maximum(tricks[0], tricks[1])
            found[part, place, 1] = tricks[2]
        done(len(hands[part]))
    return found


def _lengths(hands: Array) -> Array:
    return np.stack([np.bitwise_count(hands >> 8 * suit & 0xFF) for suit in range(4)], axis=-1).astype(np.int64)


def counted(hands: Array) -> Array:
    """Plain counts of each hand: int64 (n, 3, 6): aces, kings, queens, sevens and eights, the longest suit, squares of suit lengths."""
    lengths = _lengths(hands)
    ranks = [np.bitwise_count(hands & sum(1 << 8 * suit + rank for suit in range(4))) for rank in range(8)]
    counts = [ranks[7], ranks[6], ranks[5], ranks[0] + ranks[1], lengths.max(axis=-1), (lengths**2).sum(axis=-1)]
    return np.stack([count.astype(np.int64) for count in counts], axis=-1)


def of_cards(figures: Array) -> Array:
    """What `counted` says to one seat, (n, 18). `figures`: its own hand, the next one clockwise, the one before, (n, 3, 6)."""
    return figures.reshape(len(figures), -1)


def of_solved(figures: Array) -> Array:
    """What `solve` and `counted` say to one seat, (n, features). `figures`: own, next, before, (n, 3, 2 + 6).

    Tricks are told apart one by one, because their worth is no straight line: who would win the auction, with how many; how few
    each would take if nobody did.
    """
    top, low = figures[:, :, 0].astype(np.int64), figures[:, :, 1].astype(np.int64)
    against = top[:, 1:].max(axis=1)
    ahead = top[:, 0] >= against
    told = [top == tricks for tricks in TOPS] + [low == tricks for tricks in LOWS]
    told += [np.stack([ahead & (top[:, 0] == tricks), ~ahead & (against == tricks)], axis=1) for tricks in TOPS]
    told += [low * (top.max(axis=1) <= tricks)[:, None] for tricks in (5, 6)]
    return np.concatenate([*told, of_cards(figures[:, :, 2:])], axis=1).astype(np.int64)
