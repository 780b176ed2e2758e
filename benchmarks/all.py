"""`make bench`: the speed of the engine beside its yardsticks, measured in one run.

Every figure is wall-clock unless it says otherwise; the best of three where a measurement is short.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.memory import resident
from benchmarks.yardsticks import numpy_sorts_per_second, open_spiel_skat
from bots.catalogue import load
from conventions.catalogue import get
from conventions.terms import terms_of
from engine import deal
from engine.batch import Setup, blocks, play_block
from engine.game import Game

BLOCK = 128


def best_of(times: int, measure: Callable[[], float]) -> float:
    """The best of several rates."""
    return max(measure() for _ in range(times))


def setup_for(bot: str, convention: str, seats: int, limit: int) -> Setup:
    """One bot at every seat of a table to 10."""
    terms = terms_of(get(convention, seats), seats)
    return Setup(terms, (load(bot, terms.rules),), ((0,) * seats,), seed=1, limit=limit)


def simulate(setup: Setup, pulkas: int, workers: int) -> tuple[float, int, int]:
    """Seconds, decisions and deals of a run over blocks, as the simulator makes it."""
    play_block(setup, 0, 4)
    decisions = deals = 0
    start = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        for block in pool.map(lambda r: play_block(setup, *r), blocks(0, pulkas, BLOCK)):
            decisions += int(block.tables["moves"].sum())
            deals += int(block.tables["deal_no"].sum())
    return time.perf_counter() - start, decisions, deals


def game_actions_per_second(acts: int = 30_000) -> float:
    """`Game.act` from Python: a random walk of legal actions, recorded, then acted out again against the clock."""
    terms = terms_of(get("piter", 3), 3)
    game = Game(terms, seed=1, limit=10**6)
    rng = random.Random(1)
    script = []
    for _ in range(acts):
        if game.waits_for_deal:
            game.deal()
            script.append(-1)
        action = rng.choice(game.legal())
        game.act(action)
        script.append(action)
    decks = iter([deal.deck(1, 0, d) for d in range(script.count(-1))])
    again = Game(terms, seed=1, limit=10**6)
    start = time.perf_counter()
    for action in script:
        if action < 0:
            again.deal(next(decks))
        else:
            again.act(action)
    return acts / (time.perf_counter() - start)


def command(arguments: list[str], cache: str | None = None) -> tuple[float, float]:
    """Seconds and peak memory (MB) of one run of the command `preferans` in a process of its own."""
    environment = dict(os.environ) | ({"NUMBA_CACHE_DIR": cache} if cache else {})
    start = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-m", "lab", *arguments], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    most = 0.0
    while child.poll() is None:  # what the kernel tells of it afterwards includes the memory of this process, of which it was a copy
        most = max(most, resident(child.pid, "VmHWM") or 0.0)
        time.sleep(0.005)
    if child.returncode:
        raise RuntimeError(f"preferans {' '.join(arguments)} ended with status {child.returncode}")
    return time.perf_counter() - start, most


def main() -> None:
    table = Table("what", "figure", "unit", title="engine")

    def say(what: str, figure: float, unit: str, digits: int = 1) -> None:
        table.add_row(what, f"{figure:,.{digits}f}", unit)

    spiel = open_spiel_skat()
    say("yardstick: NumPy, rows of 32 sorted, one thread", best_of(3, numpy_sorts_per_second) / 1e6, "M/s")
    if spiel:
        say("yardstick: OpenSpiel skat at random from Python", spiel[0], "games/s", 0)
        say("yardstick: the same, its moves", spiel[1] / 1e6, "M/s", 2)
    else:
        table.add_row("yardstick: OpenSpiel skat from Python", "not installed", "")

    for bot, pulkas in (("random", 6_000), ("novice", 12_000)):
        setup = setup_for(bot, "piter", 3, 60 if bot == "random" else 1000)
        for workers in (1, 2):
            took, decisions, deals = min(simulate(setup, pulkas, workers) for _ in range(3))
            say(f"{bot}, 3-seat Питер, {workers} worker{'s' * (workers > 1)}: decisions", decisions / took / 1e6, "M/s")
            say(f"{bot}, {workers} worker{'s' * (workers > 1)}: pulkas ({deals / pulkas:.1f} deals each)", pulkas / took, "pulkas/s", 0)

    numbers = np.arange(200_000)

    def dealt() -> float:
        start = time.perf_counter()
        deal.decks(1, numbers, 0)
        return len(numbers) / (time.perf_counter() - start)

    say("dealing, one thread", best_of(5, dealt) / 1e6, "M decks/s", 2)
    say("Game.act from Python, 3-seat Питер", best_of(3, game_actions_per_second) / 1e3, "k actions/s", 0)

    run = ["simulate", "--convention", "piter", "--seats", "3", "--bots", "novice", "--seed", "1", "--pulkas"]
    with tempfile.TemporaryDirectory() as cache:
        cold, _ = command([*run, "1"], cache)
        warm = min(command([*run, "1"], cache)[0] for _ in range(3))
    say("first `preferans simulate`, empty compile cache", cold, "s")
    say("the same from the cache", warm, "s", 2)
    say("`preferans --help`", min(command(["--help"])[0] for _ in range(3)), "s", 2)
    took, memory = command([*run, "1000000"])
    say("a million 3-seat Питер pulkas to 10, novice, 2 workers", took, "s")
    say("its peak memory", memory, "MB", 0)
    say("peak memory of this benchmark", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB", 0)
    Console(width=110).print(table)
    Console(width=110).print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
