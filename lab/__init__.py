"""Runs by the million, their statistics and reports, and the command line.

`lab.load(DIR)` opens a simulation's directory as polars frames.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from lab.loading import Loaded as Loaded


def load(path: str | Path) -> Loaded:
    """Open the directory of a simulation (`lab.loading.Loaded`): what was run, its summary, its rows as lazy polars frames."""
    from lab.loading import load as opened  # the command line must not pay for polars

    return opened(path)
