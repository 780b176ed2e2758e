"""Playing a run: blocks of pulkas, each a pure function of the description and its number, on any executor, handed on in order."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, wait
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from bots import catalogue
from conventions import settlement
from conventions.terms import terms_of
from engine import batch, jit, record
from engine.actions import ACTION_NAMES
from lab import tally
from lab.deals import deal_columns
from lab.description import Description, recorded_as
from lab.errors import UsageError

CHUNK = 12  # deals dealt at once for a table: what a block writes down stays in the processor's cache until it is counted
GRACE = 2.0  # seconds that a block under way is given when the run is to stop

Columns = dict[str, np.ndarray[Any, Any]]


@attrs.define(eq=False)
class Played:
    """A finished block: what became of pulkas `first` … `first + count - 1`."""

    first: int
    count: int
    tables: np.ndarray[Any, Any]  # as they ended, shape (count,), dtype `TABLE`; `Run.rows` makes rows of many blocks at once
    tally: np.ndarray[Any, Any]
    decisions: int
    deals: Columns | None = None  # a row for each deal (`lab.deals`)
    records: list[str] = attrs.field(factory=list)  # JSON lines
    failures: list[dict[str, Any]] = attrs.field(factory=list)


class Run:
    """A description with its bots loaded and its convention compiled, ready to play any of its blocks."""

    def __init__(self, description: Description) -> None:
        self.description = description
        terms = terms_of(description.convention, description.seats)
        try:
            players = tuple(catalogue.load(spec, terms.rules, allow_oracle=description.allow_oracle) for spec in description.players)
        except catalogue.BotError as error:
            raise UsageError(str(error)) from None
        self.setup = batch.Setup(
            terms,
            players,
            description.seatings,
            seed=description.seed,
            target=description.target,
            limit=description.deal_limit,
            duplicate=description.duplicate,
        )
        self.bot_versions = {spec: catalogue.version_of(spec) for spec in description.players}
        self._seatings = np.asarray(description.seatings, dtype=np.int64)
        self._recorded_as = recorded_as(description.convention, description.seats)

    def as_json(self) -> dict[str, Any]:
        """The content of `run.json`."""
        return self.description.as_json(self.bot_versions)

    @property
    def compiled(self) -> bool:
        """Whether all bots are compiled functions, so that a pulka does not depend on the block in which it is played."""
        return all(player.compiled is not None for player in self.setup.players)

    def warm_up(self) -> None:
        """Compile what the run needs, or load it from the cache: one deal whose outcome is thrown away."""
        if self.compiled:
            setup = attrs.evolve(self.setup, limit=1)
            counters = tally.new_tally()
            batch.play_block(setup, 0, 1, lambda rows: self.count(rows, counters))

    def count(self, rows: np.ndarray[Any, Any], counters: np.ndarray[Any, Any]) -> None:
        """Add finished deals of this run to a tally."""
        tally.count(jit.plain(rows), self.setup.terms.procedure, jit.plain(self._seatings), jit.plain(counters))

    def play(self, first: int, count: int) -> Played:
        """Play pulkas `first` … `first + count - 1`; a pure function of the description and the range."""
        description = self.description
        counters = tally.new_tally()
        kept: list[np.ndarray[Any, Any]] = []
        recorded: dict[int, list[dict[str, Any]]] = {number: [] for number in range(first, min(first + count, description.records))}
        last = first + len(recorded)

        def on_deals(rows: np.ndarray[Any, Any]) -> None:
            self.count(rows, counters)
            if description.deals:
                kept.append(np.frombuffer(rows.tobytes(), dtype=rows.dtype))
            if recorded:
                for row in rows[rows["pulka"] < last]:
                    recorded[int(row["pulka"])].append(record.deal_record(row))

        block = batch.play_block(self.setup, first, count, on_deals, CHUNK)
        return Played(
            first,
            count,
            block.tables,
            counters,
            int(block.tables["moves"].sum()),
            deal_columns(joined_tables(kept), self.setup.terms.rules[0]) if kept else None,
            [self._record(block.tables[i : i + 1], recorded[first + i]) for i in range(len(recorded))],
            [self._failure(failure) for failure in block.failures],
        )

    def rows(self, tables: np.ndarray[Any, Any]) -> Columns:
        """The rows of `pulkas.parquet` of finished tables (`pulka_columns`); many at once cost least."""
        return pulka_columns(tables, self._settled(tables), self.setup.seating_of(tables["pulka"]), self.description)

    def _settled(self, tables: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        rules = self.setup.terms.rules
        return settlement.settle_tables(tables, int(rules["pool_worth"][0]), int(rules["mountain_worth"][0]))

    def _record(self, table: np.ndarray[Any, Any], deals: list[dict[str, Any]]) -> str:
        name, options = self._recorded_as
        players = [self.setup.players[i].name for i in self.setup.seating_of(table["pulka"])[0]]
        result = [Fraction(int(n), settlement.DENOMINATOR) for n in self._settled(table)[0, : self.description.seats]]
        finished = bool(table["finished"][0])
        return json.dumps(record.pulka_record(name, options, self.description.target, players, deals, result, finished), ensure_ascii=False)

    def _failure(self, failure: batch.Failure) -> dict[str, Any]:
        said = ACTION_NAMES[failure.action] if 0 <= failure.action < len(ACTION_NAMES) else None
        return {
            "bot": failure.player,
            "pulka": failure.pulka + 1,  # messages number pulkas and deals from 1 (`docs/interfaces.md`)
            "deal": failure.deal,
            "seat": failure.seat,
            "action": said,
            "reason": failure.reason,
        }


def joined_tables(tables: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    """Arrays of tables one after another, copied as bytes: field by field would take ten times as long."""
    return np.frombuffer(b"".join(some.tobytes() for some in tables), dtype=tables[0].dtype)


def pulka_columns(
    tables: np.ndarray[Any, Any], results: np.ndarray[Any, Any], seating: np.ndarray[Any, Any], description: Description
) -> Columns:
    """The rows of `pulkas.parquet`: one for each pulka and seat, in their order. `docs/06-runs-and-statistics.md` names the columns.

    `tables`: finished, shape (n,); `results`: numerators over `settlement.DENOMINATOR`, shape (n, 4); `seating`: players, shape (n, seats).
    """
    n, seats = seating.shape
    shape = (n, seats)

    def of_pulka(name: str, dtype: Any) -> np.ndarray[Any, Any]:
        return np.broadcast_to(tables[name].astype(dtype)[:, None], shape)

    whists = tables["whists"].astype(np.int64)
    failed = tables["fault"] != 0
    columns = {
        "pulka": of_pulka("pulka", np.int64) + 1,  # from 1, as messages and records count
        "seat": np.broadcast_to(np.arange(seats, dtype=np.uint8), shape),
        "bot": seating.astype(np.uint8),
        "seating": np.broadcast_to((tables["pulka"] % len(description.seatings)).astype(np.uint8)[:, None], shape),
        "first_dealer": np.zeros(shape, dtype=np.uint8),  # seat 0 opens every pulka (`engine.batch.open_tables`)
        "deals": of_pulka("deal_no", np.int32),
        "cut": np.broadcast_to(((tables["finished"] == 0) & ~failed)[:, None], shape),
        "failed": np.broadcast_to(failed[:, None], shape),
        "decisions": of_pulka("moves", np.int64),
        "pool_sixths": (tables["pool"] + tables["pool_done"])[:, :seats],
        "mountain_sixths": (tables["mountain"] + tables["mountain_done"])[:, :seats],
        "whists_written_sixths": whists.sum(axis=2)[:, :seats].astype(np.int32),
        "whists_against_sixths": whists.sum(axis=1)[:, :seats].astype(np.int32),
        "result_numerator": results[:, :seats],
        "result_denominator": np.full(shape, settlement.DENOMINATOR, dtype=np.uint8),
    }
    return {name: column.reshape(-1) for name, column in columns.items()}


def play_blocks(
    executor: Executor, play: Callable[[int, int], Played], blocks: Iterator[tuple[int, int]], window: int, stop: threading.Event
) -> Iterator[Played]:
    """The blocks in their order, at most `window` of them under way.

    Once `stop` is set, no new block is begun; those under way are handed on if they finish within `GRACE` seconds.
    """
    waiting: deque[Future[Played]] = deque()
    leave_at = None
    try:
        while True:
            while len(waiting) < window and not stop.is_set():
                block = next(blocks, None)
                if block is None:
                    break
                waiting.append(executor.submit(play, *block))
            if not waiting:
                return
            # wake up now and then: signal handlers run in this thread
            if wait([waiting[0]], timeout=0.2).done:
                yield waiting.popleft().result()
            elif stop.is_set():
                while len(waiting) > 1 and waiting[-1].cancel():
                    waiting.pop()
                leave_at = leave_at or time.monotonic() + GRACE
                if time.monotonic() > leave_at:
                    return
    finally:
        for future in waiting:
            future.cancel()
