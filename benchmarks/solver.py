"""Speed and correctness of the double-dummy solver: `python -m benchmarks.solver`.

Prints the mean, median and maximum of milliseconds and positions per deal over random full deals on one thread (declarer's
longest suit as trump, no trump, misère, the paranoid triple of a raspas), the compile time cold and cached, and how many
values were compared with plain minimax, published deals and published odds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
DEALS = 3000
ENDINGS = 50_000
TARGETS = {"suit": 0.25, "no trump": 0.22, "misere": 1.2}


def full_deals(n: int, seed: int, game: int | None) -> NDArray[Any]:
    """n random deals with declarer 0 and a random leader; game None: the declarer's longest suit is trump."""
    from bots.solver.batch import positions

    rng = np.random.default_rng(seed)
    decks = np.argsort(rng.random((n, 32)), axis=1)
    hands = np.bitwise_or.reduce((1 << decks[:, :30].astype(np.int64)).reshape(n, 3, 10), axis=2)
    lengths = np.stack([np.bitwise_count(hands[:, 0] >> 8 * suit & 0xFF) for suit in range(4)], axis=1)
    games = lengths.argmax(axis=1) if game is None else np.full(n, game)
    return positions(hands, games, 0, rng.integers(0, 3, n))


def timed(given: NDArray[Any], workspace: Any, seats: int = 1) -> dict[str, float]:
    """Deals solved one by one on this thread; `seats` 3: for each seat as declarer."""
    from bots.solver.root import VALUE, answer

    none = np.zeros(0, dtype=np.int64)
    out = np.zeros((len(given), 1), dtype=np.int8)
    spent = np.zeros(len(given))
    nodes = np.zeros(len(given))
    expanded = np.zeros(len(given))
    for i in range(len(given)):
        nodes_before, expanded_before = int(workspace["nodes"][0]), int(workspace["expanded"][0])
        begin = time.process_time_ns()
        for seat in range(seats):
            if seats > 1:
                given["declarer"][i] = seat
            answer(workspace, given, VALUE, none, i, i + 1, out)
        spent[i] = time.process_time_ns() - begin
        nodes[i] = int(workspace["nodes"][0]) - nodes_before
        expanded[i] = int(workspace["expanded"][0]) - expanded_before
    ms = spent / 1e6
    return {
        "mean": float(ms.mean()),
        "median": float(np.median(ms)),
        "p90": float(np.quantile(ms, 0.9)),
        "max": float(ms.max()),
        "nodes": float(nodes.mean()),
        "nodes_median": float(np.median(nodes)),
        "nodes_max": float(nodes.max()),
        "expanded": float(expanded.mean()),
    }


def speed(deals: int) -> None:
    from bots.solver.batch import MISERE, NO_TRUMP, solve_many
    from bots.solver.workspace import new_workspace

    print(f"speed: {deals} random full deals, one thread, CPU time; the history is learned on 500 other deals first")
    print(f"{'':<10}{'mean ms':>9}{'target':>8}{'median':>8}{'p90':>8}{'max':>8}{'nodes':>9}{'median':>8}{'max':>9}{'expanded':>9}")
    for name, game, seats in (("suit", None, 1), ("no trump", NO_TRUMP, 1), ("misere", MISERE, 1), ("raspas ×3", MISERE, 3)):
        workspace = new_workspace()
        timed(full_deals(500 if seats == 1 else 170, 1, game), workspace, seats)
        t = timed(full_deals(deals if seats == 1 else deals // 3, 2, game), workspace, seats)
        target = f"{TARGETS[name]:.2f}" if name in TARGETS else ""
        print(
            f"{name:<10}{t['mean']:>9.3f}{target:>8}{t['median']:>8.3f}{t['p90']:>8.3f}{t['max']:>8.2f}"
            f"{t['nodes']:>9.0f}{t['nodes_median']:>8.0f}{t['nodes_max']:>9.0f}{t['expanded']:>9.0f}"
        )
    given = full_deals(deals, 3, MISERE)
    for threads in (1, 2):
        begin = time.perf_counter()
        solve_many(given, threads=threads)
        spent = (time.perf_counter() - begin) / deals * 1e3
        print(f"batch of {deals} misère deals, threads: {threads}: {spent:.3f} ms a deal (wall)")


def moves_speed() -> None:
    """What a searching bot asks: the values of all its cards over 50 layouts of what it does not see."""
    from bots.solver.batch import MISERE, NO_TRUMP, positions, values_of_moves

    rng = np.random.default_rng(4)
    print("values of all legal cards of the leader over 50 layouts, all threads, wall ms (mean of 20 hands)")
    for name, game in (("suit", 0), ("no trump", NO_TRUMP), ("misere", MISERE)):
        told = []
        for cards in (10, 8, 6, 4):
            total = 0.0
            for _ in range(20):
                deck = rng.permutation(32)
                own = int(np.bitwise_or.reduce(1 << deck[:cards]))
                others = np.stack([rng.permutation(deck[cards : 3 * cards]) for _ in range(50)])
                masks = np.bitwise_or.reduce((1 << others).reshape(50, 2, cards), axis=2)
                given = positions(np.concatenate([np.full((50, 1), own), masks], axis=1), game, 0, 0)
                begin = time.perf_counter()
                values_of_moves(given)
                total += time.perf_counter() - begin
            told.append(f"{cards} cards {total / 20 * 1e3:.1f}")
        print(f"  {name:<9} {', '.join(told)}")


def correctness(endings: int) -> int:
    """Compare with plain minimax in every mode; the number of wrong values."""
    from bots.solver.batch import MISERE, solve_many, values_of_moves
    from bots.solver.max_n import new_table, outcome_of
    from tests.solver import minimax
    from tests.solver.generate import random_positions

    modes = [(game, table, 0, False) for game in range(6) for table in range(3)]
    modes += [(MISERE, table, talon, takes) for table in range(3) for talon in (1, 2) for takes in (False, True)]
    sizes = {3: 0.6, 4: 0.3, 5: 0.1}
    wrong = compared = 0
    for k, (game, table, talon, takes) in enumerate(modes):
        for cards, share in sizes.items():
            n = max(1, round(endings * share / len(modes)))
            given = random_positions(np.random.default_rng([7, k, cards]), n, cards, game, table, talon, takes)
            vectors = np.zeros(len(given), dtype=np.int64)
            minimax.solve_range(given, given["declarer"].astype(np.int64), 0, vectors)
            expected = vectors >> 4 * given["declarer"].astype(np.int64) & 15
            after = values_of_moves(given).astype(np.int64)
            turn = (given["leader"] + table) % 3
            many = (turn == given["declarer"]) != (game == MISERE)
            best = np.where(many, after.max(axis=1), np.where(after < 0, 99, after).min(axis=1))
            wrong += int(((solve_many(given) != expected) | (best != expected)).sum())
            compared += len(given)
    print(f"plain minimax: {compared} endings of 3 to 5 cards in {len(modes)} modes, values and values after each card: {wrong} wrong")
    selfish_wrong = selfish = 0
    memory = new_table()
    for k, (game, table, talon, takes) in enumerate(modes):
        if game == MISERE:
            given = random_positions(np.random.default_rng([8, k]), max(1, endings // 500), 3 + k % 2, game, table, talon, takes)
            vectors = np.zeros(len(given), dtype=np.int64)
            minimax.solve_range(given, given["declarer"].astype(np.int64), 1, vectors)
            selfish_wrong += sum(outcome_of(given[i : i + 1], memory) != vectors[i] for i in range(len(given)))
            selfish += len(given)
    print(f"max^n against the plain search of three selfish seats: {selfish} endings: {selfish_wrong} wrong")
    return wrong + selfish_wrong


def published() -> int:
    """The published deals; the number of wrong values."""
    from bots.solver import Position, tricks

    deals = json.loads((ROOT / "tests/data/solved_deals.json").read_text())["deals"]
    wrong = sum(tricks(Position.read(d["hands"], d["contract"], d["declarer"], d["leader"])) != d["double_dummy_tricks"] for d in deals)
    print(f"published deals: {len(deals)}, {wrong} wrong")
    return wrong


def max_n_speed() -> None:
    from bots.solver.max_n import TABLE_SIZE, outcome_of
    from tests.solver.generate import random_positions

    outcome_of(random_positions(np.random.default_rng(0), 1, 2, 5), np.zeros(TABLE_SIZE, dtype=np.int64))  # compiles
    told = []
    for cards in (6, 8, 9, 10):
        given = random_positions(np.random.default_rng(cards), 5, cards, 5)
        spent = []
        for i in range(5):
            begin = time.perf_counter()
            outcome_of(given[i : i + 1], np.zeros(TABLE_SIZE, dtype=np.int64))
            spent.append(time.perf_counter() - begin)
        told.append(f"{cards} cards {np.mean(spent) * 1e3:.0f} (max {max(spent) * 1e3:.0f})")
    print(f"max^n, ms: {', '.join(told)}")


def compile_time() -> None:
    """A new process solves one position, first with an empty cache, then with the one it left."""
    code = (
        "import time; t = time.perf_counter(); c = time.process_time();"
        "from bots.solver import Position, tricks; tricks(Position.read(['SA', 'SK', 'SQ'], 'raspas'));"
        "print(f'{time.perf_counter() - t:.2f} s wall, {time.process_time() - c:.2f} s CPU')"
    )
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        for name in ("cold", "cached"):
            told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
            print(f"all kinds, {name}: {told.stdout.strip()} (imports included)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--endings", type=int, default=ENDINGS)
    given = parser.parse_args()
    compile_time()
    speed(given.deals)
    moves_speed()
    max_n_speed()
    return 1 if published() + correctness(given.endings) else 0


if __name__ == "__main__":
    sys.exit(main())
