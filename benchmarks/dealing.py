"""What a deck and a completed deal cost: `python -m benchmarks.dealing`.

Times are the best of some interleaved repeats, so that a neighbour's load falls on both sides of a comparison. The line for two
threads means something only while a second core is free.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from engine import complete, deal
from engine.cards import DECK, parse_hand

TABLES, DEALS = 256, 64
DECKS = TABLES * DEALS
REPEATS = 15
LAYOUTS = 100_000
FEW = 50  # what a bot asks for at one decision


def best(jobs: dict[str, Callable[[], object]], repeats: int = REPEATS) -> dict[str, float]:
    """The shortest time of each job in seconds, the jobs taking turns."""
    times = dict.fromkeys(jobs, float("inf"))
    for _ in range(repeats):
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            times[name] = min(times[name], time.perf_counter() - start)
    return times


def dealing() -> None:
    pulkas = np.arange(TABLES)
    out, memory = np.empty((TABLES, DEALS, 32), dtype=np.uint8), deal.working_memory()
    generator = np.random.default_rng(1)
    shuffled = np.tile(np.arange(32, dtype=np.uint8), (DECKS, 1))
    # half of the tables to each thread, each thread with memory of its own
    halves = [(pulkas[i::2], np.empty((TABLES // 2, DEALS, 32), dtype=np.uint8), deal.working_memory()) for i in range(2)]
    with ThreadPoolExecutor(2) as pool:

        def two_threads() -> None:
            list(pool.map(lambda half: deal.decks(1, half[0], 0, count=DEALS, out=half[1], scratch=half[2]), halves))

        times = best(
            {
                "keyed decks, memory given": lambda: deal.decks(1, pulkas, 0, count=DEALS, out=out, scratch=memory),
                "keyed decks": lambda: deal.decks(1, pulkas, 0, count=DEALS),
                "keyed decks, two threads": two_threads,
                "Generator.permuted": lambda: generator.permuted(shuffled, axis=1, out=shuffled),
                "decks to sets of cards": lambda: deal.masks_of(out),
            }
        )
    print(f"dealing: {DECKS:,} decks at a time, {deal._BLOCK} in the works at once")
    for name, seconds in times.items():
        print(f"  {name:<28}{seconds / DECKS * 1e9:7.0f} ns a deck {DECKS / seconds / 1e6:7.2f} M a second")
    ratio = times["keyed decks, memory given"] / times["Generator.permuted"]
    print(f"  keyed decks take {ratio:.2f} of the time of Generator.permuted")
    one = best({"one": lambda: [deal.deck(1, 2, i) for i in range(100)]})["one"]
    print(f"  one deck from Python: {one * 1e4:.1f} µs")


def completing() -> None:
    unseen = DECK & ~parse_hand("SAKQ CT97 D8 HA97")
    cases: dict[str, tuple[list[int], list[int], list[int], int]] = {
        "22 cards, no voids": ([0, 0, 0], [10, 10, 2], [0, 0, 0], unseen),
        "22 cards, a void": ([0, 0, 0], [10, 10, 2], [1, 0, 0], unseen),
        "22 cards, two voids": ([0, 0, 0], [10, 10, 2], [1, 8, 0], unseen),
        "10 cards, two voids": ([0, 0], [5, 5], [1, 8], parse_hand("SA C8QK DTJ HT8QJ")),
        "32 cards, four voids": ([0, 0, 0, 0], [10, 10, 10, 2], [1, 2, 4, 8], DECK),
    }
    start = time.perf_counter()
    complete.complete(*cases["22 cards, no voids"][:2], 1, 1, cards=unseen)
    print(f"completing: first call after {time.perf_counter() - start:.1f} s (compiled, or read from the cache)")
    for name, (known, sizes, voids, cards) in cases.items():
        run = partial(complete.complete, known, sizes, key=1, voids=voids, cards=cards)
        rate = LAYOUTS / best({"many": partial(run, n=LAYOUTS)})["many"] / 1e6
        call = best({"few": partial(run, n=FEW)}, repeats=500)["few"] * 1e6
        print(f"  {name:<28}{rate:7.1f} M layouts a second; a call for {FEW}: {call:5.0f} µs")


if __name__ == "__main__":
    dealing()
    completing()
