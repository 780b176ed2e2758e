"""Carrying a run out: blocks on an executor, counted, kept in a directory, stopped cleanly."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from types import FrameType
from typing import Any, ClassVar

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from engine import batch
from lab import tally
from lab.directory import Directory, deal_frame, pulka_frame
from lab.run import Played, Run, joined_tables, play_blocks
from lab.summary import Totals

PART_BLOCKS = 64  # a part is written after so many blocks,
PART_SECONDS = 5.0  # or after so many seconds,
PART_DEALS = 200_000  # or once so many rows of deals wait


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.speed or 0:,.0f} pulkas/s", style="progress.data.speed")


@contextmanager
def progress_bar(total: int, done: int) -> Iterator[Callable[[int], None]]:
    """A bar with rate and time left on stderr; nothing at all where that is no terminal. Yields what is told of pulkas done."""
    if not sys.stderr.isatty():
        yield lambda pulkas: None
        return
    columns = (BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn(), TextColumn("left"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda pulkas: bar.advance(task, pulkas)


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar for things done whose number shows only at the first of them; nothing at all where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield lambda some, of: None
        return
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn(what), TimeRemainingColumn(), TextColumn("left"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def done(some: int, of: int) -> None:
            bar.update(task, total=of, advance=some)

        yield done


@contextmanager
def stop_on_signals(stop: threading.Event) -> Iterator[None]:
    """Ctrl-C and SIGTERM set `stop` instead of tearing the run; a second Ctrl-C raises KeyboardInterrupt as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def on_signal(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Waiting:
    """Finished blocks that are not yet counted and written."""

    def __init__(self, run: Run, totals: Totals, directory: Directory | None) -> None:
        self.run, self.totals, self.directory = run, totals, directory
        self.blocks: list[Played] = []
        self.since = time.monotonic()

    def add(self, block: Played) -> None:
        self.blocks.append(block)
        deals = sum(len(b.deals["pulka"]) for b in self.blocks if b.deals)
        if len(self.blocks) >= PART_BLOCKS or deals >= PART_DEALS or time.monotonic() - self.since >= PART_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what waits as one part, then count it."""
        blocks, now = self.blocks, time.monotonic()
        if not blocks:
            return
        columns = self.run.rows(joined_tables([b.tables for b in blocks]))
        counters = tally.new_tally()
        for block in blocks:
            tally.add(counters, block.tally)
        failures = [failure for b in blocks for failure in b.failures]
        decisions, deals, seconds = sum(b.decisions for b in blocks), int(counters["deals"][0]), now - self.since
        if self.directory is not None:
            kept = [b.deals for b in blocks if b.deals]
            self.directory.commit(
                pulka_frame(columns, self.run.description.players),
                deal_frame(joined(kept)) if kept else None,
                [line for b in blocks for line in b.records],
                first=blocks[0].first,
                count=sum(b.count for b in blocks),
                decisions=decisions,
                deals=deals,
                seconds=seconds,
                tally=tally.to_sparse(counters),
                failures=failures,
            )
        self.totals.add(columns, counters, decisions, deals, seconds, failures)
        self.blocks, self.since = [], now


def joined(columns: list[dict[str, np.ndarray[Any, Any]]]) -> dict[str, np.ndarray[Any, Any]]:
    """The same columns of several blocks one after another."""
    return {name: np.concatenate([c[name] for c in columns]) for name in columns[0]}


def taken_up(run: Run, directory: Directory | None) -> Totals:
    """The totals of what a directory holds already."""
    totals = Totals.of(run.description)
    if directory is not None:
        for columns in directory.stored():
            totals.standings.add(columns)
        for part in directory.parts:
            totals.add_counts(tally.from_sparse(part.tally), part.decisions, part.deals, part.seconds, part.failures)
    return totals


def carry_out(
    run: Run,
    executor: Executor,
    window: int,
    directory: Directory | None = None,
    stop: threading.Event | None = None,
    play: Callable[[int, int], Played] | None = None,
) -> Totals:
    """Play what is left of a run, keep it in `directory`, and return the totals; ends early once `stop` is set.

    `window`: blocks under way at once. `play`: what the executor is given, `run.play` unless it must travel to another process.
    """
    description = run.description
    totals = taken_up(run, directory)
    done = directory.done if directory else 0
    blocks = batch.blocks(done, description.pulkas - done, description.block)
    waiting = _Waiting(run, totals, directory)
    with progress_bar(description.pulkas, done) as advance:
        try:
            for block in play_blocks(executor, play or run.play, blocks, window, stop or threading.Event()):
                waiting.add(block)
                advance(block.count)
        finally:
            waiting.flush()
    return totals


class Elsewhere:
    """`Run.play` for another process: it carries the description and loads the rest there, once a process."""

    _runs: ClassVar[dict[str, Run]] = {}

    def __init__(self, run: Run) -> None:
        self.text = json.dumps(run.as_json())

    def __call__(self, first: int, count: int) -> Played:
        from lab.description import describe

        if self.text not in self._runs:
            self._runs.clear()
            self._runs[self.text] = Run(describe(json.loads(self.text)))
        return self._runs[self.text].play(first, count)
