"""What the game of some bots looks like: `python -m benchmarks.character DIR …` reads runs and prints tables, a run to a line.

Each DIR is left by `preferans simulate … --out DIR`; `docs/13-the-players.md` shows such tables and says what they mean. Counts are over
the finished deals of all pulkas of a run; results are those of single seats, whichever bot sits there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import polars as pl

import lab
from engine.contracts import LEVEL, MISERE
from lab.loading import Loaded
from lab.tally import FAILED, GAVE_UP, HALF, MADE, UNWHISTED, WORDS

Row = dict[str, str]
TAILS = (100, 300, 500)  # whists
WHIST = WORDS.index("whist")


def percent(part: float, whole: float, digits: int = 1) -> str:
    """`part` of `whole` as text; a dash where there is nothing to be a part of."""
    return f"{100 * part / whole:.{digits}f} %" if whole else "–"


def by_level(run: Loaded, level: int) -> Any:
    """How many contracts of a level ended in each way (`lab.tally.OUTCOMES`), int64 (5,)."""
    rungs = [rung for rung in range(1, 27) if rung != MISERE and LEVEL[rung] == level]
    return run.counters["contracts"][:, rungs].sum(axis=(0, 1))


def results(run: Loaded) -> Row:
    """Length of a pulka, how much of it is raspas (also: how many deals begin in raspas, state 2 or 3), and how wide results are."""
    y = run.counters
    deals = int(y["deals"])
    whists = (pl.col("result_numerator") / pl.col("result_denominator")).abs()
    kept = run.pulkas.filter(~pl.col("failed"))
    asked = [(whists > tail).mean().alias(str(tail)) for tail in TAILS] + [(whists**2).mean().sqrt().alias("deviation")]
    asked += [pl.col("deals").mean(), pl.col("cut").mean()]
    found = kept.select(*asked).collect().row(0, named=True)
    return {
        "pulkas": f"{run.run['pulkas']:,}",
        "deals a pulka": f"{found['deals']:.1f}",
        "raspas": percent(y["raspas"].sum(), deals),
        "in raspas": percent(y["states"][2:].sum(), deals),
        "deviation": f"{found['deviation']:.0f}",
        **{f"beyond ±{tail}": percent(found[str(tail)], 1) for tail in TAILS},
        "cut": percent(found["cut"], 1),
    }


def contracts(run: Loaded) -> Row:
    """Trick contracts by level: their share of all, and of those played with cards how many were made."""
    levels = {level: by_level(run, level) for level in range(6, 11)}
    every = sum(int(ways.sum()) for ways in levels.values())
    row = {"of deals": percent(every, int(run.counters["deals"]))}
    for level, ways in levels.items():
        row[str(level)] = f"{percent(ways.sum(), every)}, {percent(ways[MADE], ways[MADE] + ways[FAILED], 0)}"
    return row | {"given up": percent(sum(int(ways[GAVE_UP]) for ways in levels.values()), every)}


def defence(run: Loaded) -> Row:
    """Misères: of all deals, and how many were caught. Contracts that might be whisted: how many were, and what became of the others."""
    y = run.counters
    misere = y["contracts"][:, MISERE].sum(axis=0)
    ways = sum(by_level(run, level) for level in range(6, 11))
    forced = int(y["stalingrads"]) + int(y["checked"].sum())
    asked = int(ways.sum()) - int(ways[GAVE_UP]) - forced
    opened = y["opened"].sum(axis=0)
    return {
        "misère": percent(misere.sum(), int(y["deals"]), 2),
        "caught": percent(misere[FAILED], misere.sum(), 0),
        "whisted": percent(asked - int(ways[UNWHISTED]) - int(ways[HALF]), asked),
        "half": percent(ways[HALF], asked),
        "passed out": percent(ways[UNWHISTED], asked),
        "by both": percent(int(y["words"][:, WHIST, WHIST].sum()) / 2, asked),
        "lone whists open": percent(opened[1], opened.sum(), 0),
    }


def table(runs: list[Loaded], of: Callable[[Loaded], Row]) -> str:
    """A Markdown table, a run to a line."""
    rows = [{"game": f"{run.run['convention']} {run.seats}"} | of(run) for run in runs]
    lines = [list(rows[0]), ["---"] * len(rows[0]), *(list(row.values()) for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main(directories: list[str]) -> None:
    """Three tables."""
    runs = [lab.load(directory) for directory in directories]
    print("\n\n".join(table(runs, of) for of in (results, contracts, defence)))


if __name__ == "__main__":
    main(sys.argv[1:])
