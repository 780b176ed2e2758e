"""Deals a second of the bots that search, at a table of their own kind: `python -m benchmarks.search_bots [BOT …]`.

Each plays blocks of pulkas on one and on two threads in 3-seat Питер, Ростов and Сочи and 4-seat Питер; seconds of work (CPU) tell
more than the clock where other programs run beside.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import conventions
from bots import catalogue
from conventions.terms import terms_of
from engine.batch import Setup, blocks, play_block

TABLES = (("piter", 3), ("rostov", 3), ("sochi", 3), ("piter", 4))
BLOCK = 16
DEALS = 4  # of each pulka


def measure(setup: Setup, threads: int) -> tuple[int, float, float]:
    """Deals, seconds by the clock, seconds of work."""
    with ThreadPoolExecutor(threads) as pool:
        clock, work = time.perf_counter(), time.process_time()
        done = list(pool.map(lambda block: play_block(setup, *block), blocks(0, BLOCK * threads, BLOCK)))
        return sum(int(block.tables["deal_no"].sum()) for block in done), time.perf_counter() - clock, time.process_time() - work


def main(names: list[str]) -> None:
    print(f"{'bot':<12}{'table':<12}{'threads':>8}{'deals/s':>10}{'ms of work/deal':>18}")
    for name in names:
        for convention, seats in TABLES:
            terms = terms_of(conventions.get(convention, seats), seats)
            player = catalogue.load(name, terms.rules, allow_oracle=True)
            setup = Setup(terms, (player,), ((0,) * seats,), seed=1, limit=DEALS)
            play_block(setup, 0, 1)
            for threads in (1, 2):
                deals, clock, work = measure(setup, threads)
                print(f"{name:<12}{convention + ' ' + str(seats):<12}{threads:>8}{deals / clock:>10.1f}{1000 * work / deals:>18.0f}")


if __name__ == "__main__":
    main(sys.argv[1:] or list(catalogue.SEARCHING))
