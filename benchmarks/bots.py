"""Decisions a second of every bot of the house, engine, views and scoring included: `python -m benchmarks.bots [BOT …]`.

Each bot plays 3-seat Питер against its own kind on one and on two threads; `of which bot` is the time beyond what the same
decisions cost with `random`, whose own thinking is a multiplication.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import conventions
from bots import catalogue
from conventions.terms import terms_of
from engine.batch import Block, Setup, blocks, play_block

BLOCK = 256
REPEATS = 5
LIMIT = 60  # deals: random bots hardly ever close a pulka


def measure(setup: Setup, pulkas: int, threads: int) -> tuple[float, int]:
    """Seconds (the best of several runs) and decisions."""

    def play(block: tuple[int, int]) -> Block:
        return play_block(setup, *block)

    best, decisions = float("inf"), 0
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(REPEATS):
            start = time.perf_counter()
            done = list(pool.map(play, blocks(0, pulkas, BLOCK)))
            best = min(best, time.perf_counter() - start)
            decisions = sum(int(block.tables["moves"].sum()) for block in done)
    return best, decisions


def main(names: list[str]) -> None:
    terms = terms_of(conventions.get("piter", 3), 3)
    base = 0.0
    print(f"{'bot':<16}{'threads':>8}{'M decisions/s':>15}{'ns/decision':>13}{'pulkas/s':>10}{'of which bot':>14}")
    for name in dict.fromkeys(["random", *names]):
        setup = Setup(terms, (catalogue.load(name, terms.rules),), ((0,) * terms.seats,), seed=1, limit=LIMIT)
        play_block(setup, 0, 1)
        for threads in (1, 2):
            pulkas = 4 * BLOCK * threads
            seconds, decisions = measure(setup, pulkas, threads)
            each = 1e9 * seconds / decisions
            if threads == 1:
                base = base or each
                extra = f"{each - base:>11.1f} ns"
            else:
                extra = ""
            print(f"{name:<16}{threads:>8}{1e3 / each:>15.2f}{each:>13.1f}{pulkas / seconds:>10.0f}{extra:>14}")


if __name__ == "__main__":
    main(sys.argv[1:] or list(catalogue.BOTS))
