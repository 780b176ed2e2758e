"""What our figures are measured beside, in the same run: other people's work on the same machine at the same moment."""

from __future__ import annotations

import random
import time

import numpy as np


def numpy_sorts_per_second(seconds: float = 1.0) -> float:
    """A fixed NumPy workload: rows of 32 64-bit numbers sorted per second on one thread."""
    rows = np.random.default_rng(1).integers(0, 1 << 63, (20_000, 32), dtype=np.uint64)
    done = 0
    start = time.perf_counter()
    while (took := time.perf_counter() - start) < seconds:
        np.sort(rows, axis=-1)
        done += len(rows)
    return done / took


def open_spiel_skat(seconds: float = 3.0) -> tuple[float, float] | None:
    """OpenSpiel's skat played at random from Python: (games a second, moves a second); None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("skat")
    rng = random.Random(1)
    games = moves = 0
    start = time.perf_counter()
    while (took := time.perf_counter() - start) < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
        games += 1
    return games / took, moves / took
