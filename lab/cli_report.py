"""`preferans report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lab.errors import UsageError


def report(
    directories: Annotated[list[Path], typer.Argument(help="Directories of simulations; every further one is set against the first.")],
    out: Annotated[Path | None, typer.Option(help="The page's file. [report.html in the first directory]")] = None,
) -> None:
    """Make one HTML page of one or several simulations: standings, contracts, raspas, the pulka's course, with pictures.

    Runs with the same seed and seats are compared pulka by pulka on the same cards.
    """
    from lab import charts
    from lab.loading import load
    from lab.report import write

    if not charts.available():
        raise UsageError("pictures need Matplotlib, which is not installed: install preferans[report]")
    path = write([load(directory) for directory in directories], out)
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")
