"""`preferans sweep`."""

from __future__ import annotations

import json
import threading
from concurrent.futures import Executor
from pathlib import Path
from typing import Annotated, Any

import typer

from lab.errors import LabError, UsageError


def sweep(
    file: Annotated[Path, typer.Argument(help="A .toml file: the settings of a run, and a table [grid] of lists to vary.")],
    out: Annotated[Path, typer.Option(help="A directory; each point gets one inside it.")],
    workers: Annotated[int | None, typer.Option(help="Threads. [one for each core]")] = None,
    executor: Annotated[str, typer.Option(help="threads, or dask:ADDRESS for a Dask cluster.")] = "threads",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is in --out.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the comparison as JSON.")] = False,
) -> int:
    """Simulate every point of a grid of conventions, options, seats, targets and bots, and compare them in one table.

    Points with the same seed and seats have the same cards, so they are compared pulka by pulka.
    """
    if workers is not None and not 1 <= workers <= 1024:
        raise UsageError(f"workers: {workers} is not allowed; allowed: a whole number from 1 to 1024")
    from lab import session, sweep
    from lab.directory import write_whole
    from lab.loading import load
    from lab.simulate import console, cores, make_executor

    points = sweep.read(file)
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file: choose a directory for the sweep")
    stop = threading.Event()
    failed = False
    pool, window, remote = make_executor(executor, workers or cores())
    try:
        with session.stop_on_signals(stop):
            for point in points:
                kept = _carry_out(point, out, pool, window, remote, resume, stop)
                if stop.is_set():
                    print(f"stopped in point {point.name}; go on with the same command and --resume")
                    return 130
                failed = failed or kept
    finally:
        pool.shutdown(wait=False)  # what waits has been called off
    found = sweep.rows([(point, load(out / point.name)) for point in points])
    try:
        write_whole(out / sweep.TABLE, sweep.to_json(found))
    except OSError as error:
        raise LabError(f"{out / sweep.TABLE}: cannot be written: {error.strerror}") from None
    if json_:
        print(json.dumps(found, ensure_ascii=False))
    else:
        _show(found, console())
    return 1 if failed else 0


def _carry_out(point: Any, out: Path, executor: Executor, window: int, remote: bool, resume: bool, stop: threading.Event) -> bool:
    """Play one point, or what is left of it; whether a bot failed in it."""
    from lab import session
    from lab.directory import RUN, Directory
    from lab.run import Run
    from lab.summary import summarise

    run = Run(point.description)
    path = out / point.name
    directory = Directory(path, run.as_json(), resume and (path / RUN).exists())
    if directory.complete:
        return bool(directory.summary()["failures_in_all"])
    totals = session.carry_out(run, executor, window, directory, stop, session.Elsewhere(run) if remote else run.play)
    stopped = totals.standings.pulkas < run.description.pulkas
    directory.finish(summarise(totals, stopped), not stopped)
    return totals.failed > 0


def _show(found: list[dict[str, Any]], console: Any) -> None:
    from rich.table import Table

    bots = list(dict.fromkeys(bot for row in found for bot in row["bots"]))
    alone = len(bots) == 1
    columns = ["point", "pulkas", "deals a pulka", "raspas", "made of played", "one seat's deviation"]
    table = Table(box=None, pad_edge=False)
    for n, column in enumerate(columns + ([] if alone else bots)):
        table.add_column(column, justify="right" if n else "left")
    for row in found:
        means = [] if alone else [_mean(row["bots"].get(bot)) for bot in bots]
        made = "–" if row["made_of_played"] is None else f"{row['made_of_played']:.1%}"
        spread = "–" if row["seat_deviation"] is None else f"{row['seat_deviation']:,.1f}"
        deals = f"{row['deals_per_pulka']:,.2f}"
        table.add_row(row["point"], f"{row['pulkas']:,}", deals, f"{row['raspas_share']:.1%}", made, spread, *means)
    console.print(table)
    console.print()
    measures = [name for name in (found[1]["against_first"] if len(found) > 1 else {}) if name != "paired" and not (alone and name in bots)]
    against = Table(title=f"A pulka, less {found[0]['point']}", title_justify="left", title_style="bold", box=None, pad_edge=False)
    for n, column in enumerate(["point", *measures, "cards"]):
        against.add_column(column, justify="right" if n else "left")
    for row in found[1:]:
        difference = row["against_first"]
        means = [_mean(difference.get(name)) for name in measures]
        against.add_row(row["point"], *means, "the same" if difference["paired"] else "different")
    if measures:
        console.print(against)


def _mean(found: dict[str, Any] | None) -> str:
    if not found or found["mean"] is None:
        return "–"
    half = f" ± {(found['ci95'][1] - found['ci95'][0]) / 2:,.2f}" if found["ci95"] else ""
    return f"{found['mean']:+,.2f}{half}"
