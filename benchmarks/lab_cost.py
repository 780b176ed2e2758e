"""What the lab costs beside the engine: `python -m benchmarks.lab_cost [PULKAS [BOTS]]`.

The same pulkas on one thread in seconds of work (CPU): by the bare engine, by a simulation that counts them and makes their rows, and by
one that also keeps them. The least of several rounds is told, for other programs on the machine only ever add.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from engine import batch
from lab import session
from lab.description import describe
from lab.directory import Directory
from lab.run import Run
from lab.summary import summarise

ROUNDS = 7


def bare(run: Run) -> None:
    """The engine alone."""
    for first, count in batch.blocks(0, run.description.pulkas, run.description.block):
        batch.play_block(run.setup, first, count)


def counted(run: Run) -> None:
    """Deals counted, nothing made of it."""
    for first, count in batch.blocks(0, run.description.pulkas, run.description.block):
        run.play(first, count)


def simulated(run: Run) -> None:
    """A simulation without a directory."""
    with ThreadPoolExecutor(1) as pool:
        summarise(session.carry_out(run, pool, 2))


def kept(run: Run) -> None:
    """A simulation with one, parts written, joined and synced."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as pool:
        directory = Directory(Path(folder) / "run", run.as_json(), False)
        totals = session.carry_out(run, pool, 2, directory)
        directory.finish(summarise(totals), True)


STAGES: dict[str, Callable[[Run], None]] = {
    "engine alone": bare,
    "deals counted": counted,
    "simulate": simulated,
    "simulate --out": kept,
}


def main(arguments: list[str]) -> None:
    pulkas = int(arguments[0]) if arguments else 46_080
    bots = arguments[1] if len(arguments) > 1 else "novice"
    run = Run(describe({"bots": bots, "pulkas": pulkas, "seed": 1}))
    run.warm_up()
    least = dict.fromkeys(STAGES, float("inf"))
    for _ in range(ROUNDS):
        for name, stage in STAGES.items():
            start = time.process_time()
            stage(run)
            least[name] = min(least[name], time.process_time() - start)
    for name, seconds in least.items():
        print(f"{name:<16}{1e6 * seconds / pulkas:8.2f} µs a pulka{seconds / least['engine alone'] - 1:+8.1%}")


if __name__ == "__main__":
    main(sys.argv[1:])
