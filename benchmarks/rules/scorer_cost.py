"""What the scorer costs in a simulation with `novice`: `python -m benchmarks.rules.scorer_cost`.

The same pulkas are played with the scorer, and with one that writes each deal `TIMES` times more, taking the entries off the sheet
again in between: the sheets are the same to the byte, and the difference in time is `TIMES` calls a deal (and the taking off).
"""

from __future__ import annotations

import sys
import time

from bots.catalogue import load
from conventions.catalogue import get
from conventions.scorer import score
from conventions.terms import terms_of
from engine.batch import Setup, play_block
from engine.jit import rule
from engine.table import S_CHOOSERS, S_ENTRIES
from engine.terms import Terms

TIMES = 20
PULKAS = 512
BLOCK = 128
REPEATS = 7
CASES = (("piter", 3), ("piter", 4), ("sochi", 4), ("vmk", 4), ("rostov", 3), ("skachki", 4))


@rule
def again_and_again(t, r, stage):
    """The scorer, called `TIMES` times more for each deal."""
    if stage == S_ENTRIES:
        for _ in range(TIMES):
            score(t, r, S_CHOOSERS)
            score(t, r, S_ENTRIES)
            for a in range(4):
                t.pool[a] -= t.d_pool[a]
                t.mountain[a] -= t.d_mountain[a]
                for b in range(4):
                    t.whists[a, b] -= t.d_whists[a, b]
    return score(t, r, stage)


def measure(setup: Setup) -> tuple[float, bytes, int]:
    """Processor seconds of this thread (the least of several runs), the final tables, and the deals."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.thread_time()
        blocks = [play_block(setup, first, BLOCK).tables for first in range(0, PULKAS, BLOCK)]
        best = min(best, time.thread_time() - start)
    return best, b"".join(tables.tobytes() for tables in blocks), sum(int(tables["deal_no"].sum()) for tables in blocks)


def share(name: str, seats: int) -> tuple[float, float, float]:
    """The scorer's share of a novice simulation, nanoseconds a deal of it, and of everything."""
    terms = terms_of(get(name, seats), seats)
    more = Terms(terms.rules, again_and_again, name)
    setups = [Setup(t, (load("novice", t.rules),), ((0,) * seats,), seed=1, limit=1000) for t in (terms, more)]
    for setup in setups:
        play_block(setup, 0, 2)
    (once, tables, deals), (many, again, _) = (measure(setup) for setup in setups)
    if tables != again:
        raise RuntimeError(f"{name}, {seats} seats: calling the scorer more often changed the game")
    each = (many - once) / TIMES
    return each / once, 1e9 * each / deals, 1e9 * once / deals


def main() -> int:
    worst = 0.0
    for name, seats in CASES:
        part, scorer, whole = share(name, seats)
        worst = max(worst, part)
        print(f"{name}, {seats} seats: the scorer {scorer:.0f} ns a deal of {whole:.0f} ns, {100 * part:.2f} %")
    print(f"at most {100 * worst:.2f} % (5 % allowed)")
    return 0 if worst < 0.05 else 1


if __name__ == "__main__":
    sys.exit(main())
