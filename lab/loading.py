"""Reading a run's directory: what reports, studies and people's own scripts start from. Nothing here plays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from lab import tally
from lab.description import KEYS
from lab.directory import (
    COMPLETE,
    MANIFEST,
    RUN,
    SUMMARY,
    SUMMARY_KEYS,
    WHOLE,
    Part,
    check_table,
    pulka_numbers,
    read_object,
    read_part,
    reading,
    with_keys,
)
from lab.errors import LabError, UsageError
from lab.statistics import Standings

AT_ONCE = 40_000  # pulkas


class Loaded:
    """A run's directory (`docs/06-runs-and-statistics.md` has the columns).

    `run`: the content of run.json; `summary`: of summary.json; `pulkas`: a row for each pulka and seat; `deals`: a row for each
    deal, None if the run kept none. Frames are lazy: a run of millions need not fit into memory.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.run = read_object(path / RUN, ("format",))
        if self.run.get("format") != "preferans-run":
            raise UsageError(f"{path / RUN} is not the description of a simulation")
        with_keys(path / RUN, self.run, (*KEYS, "seatings", "versions", "bot_versions"))
        if not (path / WHOLE["pulkas"]).is_file():
            raise UsageError(f"{path} holds a run that was never ended: go on with it by preferans simulate … --out {path} --resume")
        self.summary = read_object(path / SUMMARY, SUMMARY_KEYS)
        self._check()

    def _check(self) -> None:
        """See that the tables and the manifest are those of the summary, so that whoever reads on need not."""
        pulkas, deals = self.summary["pulkas"], self.summary["deals"]
        if not isinstance(pulkas, int) or not isinstance(deals, int):
            raise UsageError(f"{self.path / SUMMARY} is damaged: pulkas and deals are whole numbers")
        check_table(self.path / WHOLE["pulkas"], pulkas * self.seats, self.players)
        if (self.path / WHOLE["deals"]).is_file():
            check_table(self.path / WHOLE["deals"], deals)
        told = sum(part.count for part in self._parts())
        if told < pulkas:
            raise UsageError(f"{self.path / MANIFEST} is damaged: it tells of {told:,} of {pulkas:,} pulkas")

    def _parts(self) -> Iterator[Part]:
        """The lines of the manifest, but for one that a sudden end cut short."""
        path = self.path / MANIFEST
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            raise UsageError(f"{path} is missing") from None
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}") from None
        for number, line in enumerate(content.splitlines(keepends=True), 1):
            if line != COMPLETE and line.endswith(b"\n"):
                try:
                    yield read_part(line)
                except ValueError:
                    raise UsageError(f"{path} is damaged: line {number} tells of no part of the run") from None

    @property
    def pulkas(self) -> pl.LazyFrame:
        """`pulkas.parquet`."""
        return pl.scan_parquet(self.path / WHOLE["pulkas"], glob=False)

    @property
    def deals(self) -> pl.LazyFrame | None:
        """`deals.parquet`, or None."""
        path = self.path / WHOLE["deals"]
        return pl.scan_parquet(path, glob=False) if path.is_file() else None

    def records(self) -> Iterator[dict[str, Any]]:
        """The records that were kept, one pulka after another."""
        path = self.path / WHOLE["records"]
        if path.is_file():
            with path.open("rb") as lines:
                for number, line in enumerate(lines, 1):
                    try:
                        yield json.loads(line)
                    except (ValueError, RecursionError):
                        raise LabError(f"{path} is damaged: line {number} is no record") from None

    @property
    def players(self) -> tuple[str, ...]:
        """The bots, each once."""
        return tuple(dict.fromkeys(self.run["bots"]))

    @property
    def seats(self) -> int:
        """3 or 4."""
        return int(self.run["seats"])

    @property
    def worths(self) -> tuple[int, int]:
        """Whists per point of the pool and of the mountain."""
        options = self.run["options"]
        return int(options["pool_worth"]), int(options["mountain_worth"])

    @cached_property
    def counters(self) -> Any:
        """All that was counted of deals (one record of `lab.tally.TALLY`)."""
        counters = tally.new_tally()
        for part in self._parts():
            tally.add(counters, tally.from_sparse(part.tally))
        return counters[0]

    @cached_property
    def standings(self) -> Standings:
        """Sums over pulkas (`lab.statistics`), read a part at a time."""
        standings = Standings(tuple(tuple(s) for s in self.run["seatings"]), self.run["duplicate"])
        for columns in self.blocks():
            standings.add(columns)
        return standings

    def blocks(self, *names: str) -> Iterator[dict[str, np.ndarray[Any, Any]]]:
        """The rows of whole sets of pulkas as arrays, some at a time, all columns or those named; bots are numbers of `players`."""
        rows = AT_ONCE // len(self.run["seatings"]) * len(self.run["seatings"]) * self.seats
        height = self.pulkas.select(pl.len()).collect().item()
        for at in range(0, height, rows):
            part = self.pulkas.slice(at, rows)
            with reading(self.path / WHOLE["pulkas"]):
                frame = (part.select(names) if names else part).collect()
            yield pulka_numbers(frame)

    def worth(self, sheet: np.ndarray[Any, Any]) -> list[Fraction]:
        """What a summed sheet of `counters` is worth to each role, in whists."""
        return tally.worth(sheet, self.seats, *self.worths)


def load(path: str | Path) -> Loaded:
    """Open the directory of a simulation; `UsageError` says what is missing."""
    return Loaded(Path(path))
