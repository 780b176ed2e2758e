"""Random positions for the solver's tests and benchmark."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bots.solver.batch import MISERE, positions

LEGAL_TRIES = 100


def _legal(hand: list[int], card: int, led: int, trump: int) -> bool:
    follow = [c for c in hand if c // 8 == led] or [c for c in hand if c // 8 == trump]
    return led < 0 or not follow or card in follow


def random_positions(
    rng: np.random.Generator,
    n: int,
    cards: int,
    game: int | None = None,
    table: int = 0,
    talon: int = 0,
    takes: bool = False,
    suits: int = 4,
) -> NDArray[Any]:
    """n positions of `cards` cards a hand before the trick under way, to which `table` cards have been played legally.

    game: 0..3 a suit, 4 no trump, 5 misère, None: any; talon: how many talon cards are still to lead, this trick's first;
    suits: deal from that many suits only, for longer suits in short hands.
    """
    hands = np.zeros((n, 3), dtype=np.int64)
    games = rng.integers(0, 6, n) if game is None else np.full(n, game)
    leaders, declarers = rng.integers(0, 3, n), rng.integers(0, 3, n)
    tables, talons = np.full((n, 2), -1), np.full((n, 2), -1)
    for i in range(n):
        deck = rng.permutation(8 * suits).tolist()
        talons[i, :talon] = deck[30 : 30 + talon]
        held = [deck[s * cards : (s + 1) * cards] for s in range(3)]
        led = talons[i, 0] // 8 if talon else -1
        for k in range(table):
            hand = held[(leaders[i] + k) % 3]
            card = next(c for c in hand if _legal(hand, c, led, int(games[i])))
            hand.remove(card)
            tables[i, k] = card
            led = card // 8 if led < 0 else led
        for s in range(3):
            hands[i, s] = sum(1 << c for c in held[s])
    return positions(hands, games, declarers, leaders, table=list(tables.T), talon=list(talons.T), talon_takes=takes)


__all__ = ["MISERE", "random_positions"]
