"""`preferans report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from lab.errors import UsageError


def report(
    directories: Annotated[list[Path], typer.Argument(help="Directories of simulations; every further one is set against the first.")],
    out: Annotated[Path | None, typer.Option(help="The page's file. [report.html in the first directory]")] = None,
    controls: Annotated[
        int | None,
        typer.Option(metavar="PULKAS", help="Take the luck of the cards out of so many pulkas of the first run."),
    ] = None,
    solve: Annotated[
        bool, typer.Option("--solve/--no-solve", help="For --controls: solve the deals double dummy, or only count hands.")
    ] = True,
    workers: Annotated[int | None, typer.Option(help="Threads that solve. [one for each core]")] = None,
) -> None:
    """Make one HTML page of one or several simulations: standings, contracts, raspas, the pulka's course, with pictures.

    Runs with the same seed and seats are compared pulka by pulka on the same cards.
    """
    from lab import charts
    from lab.loading import load
    from lab.report import write

    if not charts.available():
        raise UsageError("pictures need Matplotlib, which is not installed: install preferans[report]")
    for name, given, most in (("controls", controls, 10**9), ("workers", workers, 1024)):
        if given is not None and not 1 <= given <= most:
            raise UsageError(f"{name}: {given} is not allowed; allowed: a whole number from 1 to {most}")
    runs = [load(directory) for directory in directories]
    found = None if controls is None else _controlled(runs[0], controls, solve, workers)
    path = write(runs, out, found)
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB" if path.is_file() else path)


def _controlled(loaded: Any, pulkas: int, solve: bool, workers: int | None) -> Any:
    """What controls make of a run, told on the terminal as well."""
    from lab.controls import controlled
    from lab.directory import reading
    from lab.report_controls import show
    from lab.session import counting
    from lab.simulate import console

    with counting("deals") as done, reading(loaded.path):
        found = controlled(loaded, pulkas, workers, done, solve)
    show(found, console())
    return found
