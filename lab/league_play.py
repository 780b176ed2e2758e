"""Playing sets: a block of them is a pure function of the league and its number."""

from __future__ import annotations

import json
from typing import Any

import attrs
import numpy as np

from bots import catalogue, passing
from conventions import settlement
from conventions.terms import terms_of
from engine import batch, text
from engine.actions import ACTION_NAMES
from engine.table import K_RASPAS
from lab.errors import UsageError
from lab.league import League

Array = np.ndarray[Any, Any]


@attrs.define(eq=False)
class Sets:
    """Finished sets `first` … : arrays over (set, seating) or (set, seating, seat)."""

    first: int
    results: Array  # int64 numerators over `settlement.DENOMINATOR`
    deals: Array
    cut: Array  # bool: settled before the pulka's own end
    failed: Array  # bool: ended by a bot's failure
    tricks: Array | None = None  # in raspas, where the league plays nothing else
    held: Array | None = None  # deals in which the seat had cards
    failures: list[list[dict[str, Any]]] = attrs.field(factory=list)  # by set

    def __len__(self) -> int:
        return len(self.results)

    def part(self, start: int, stop: int) -> Sets:
        """Sets `first + start` … `first + stop - 1`."""
        cut = slice(start, stop)
        tricks, held = (None if a is None else a[cut] for a in (self.tricks, self.held))
        return Sets(
            self.first + start, self.results[cut], self.deals[cut], self.cut[cut], self.failed[cut], tricks, held, self.failures[cut]
        )  # fmt: skip

    def lines(self) -> list[str]:
        """A JSON line for each set, exact: results are numerators over 72."""
        return [json.dumps(self._row(i), ensure_ascii=False, separators=(",", ":")) for i in range(len(self))]

    def _row(self, i: int) -> dict[str, Any]:
        row: dict[str, Any] = {"set": self.first + i + 1, "results": self.results[i].tolist(), "deals": self.deals[i].tolist()}
        if self.cut[i].any():
            row["cut"] = np.flatnonzero(self.cut[i]).tolist()
        if self.tricks is not None and self.held is not None:
            row |= {"tricks": self.tricks[i].tolist(), "held": self.held[i].tolist()}
        if self.failed[i].any():
            row |= {"failed": np.flatnonzero(self.failed[i]).tolist(), "failures": self.failures[i]}
        return row


def sets_of(rows: list[dict[str, Any]], league: League) -> Sets:
    """`Sets.lines`, parsed, turned back; ValueError, KeyError or TypeError if they are nothing of the kind."""
    shape = (len(rows), len(league.seatings), league.seats)

    def of(name: str, wanted: tuple[int, ...]) -> Array:
        array = np.array([row[name] for row in rows], dtype=np.int64)
        if array.shape != wanted:
            raise ValueError(name)
        return array

    def marks(name: str) -> Array:
        found = np.zeros(shape[:2], dtype=np.bool_)
        for i, row in enumerate(rows):
            found[i, row.get(name, [])] = True
        return found

    raspas = league.raspas
    return Sets(
        rows[0]["set"] - 1,
        of("results", shape),
        of("deals", shape[:2]),
        marks("cut"),
        marks("failed"),
        of("tricks", shape) if raspas else None,
        of("held", shape) if raspas else None,
        [row.get("failures", []) for row in rows],
    )


class Players:
    """A league with its bots loaded and its convention compiled, ready to play any of its sets."""

    def __init__(self, league: League, seconds: float | None = None) -> None:
        """`seconds`: the time limit for one decision of a bot that is not compiled. Raises `UsageError` where a bot cannot be loaded."""
        self.league = league
        terms = terms_of(league.convention, league.seats)
        try:
            players = [catalogue.load(spec, terms.rules, seconds, league.base["allow_oracle"]) for spec in league.bots]
        except catalogue.BotError as error:
            raise UsageError(str(error)) from None
        self.bot_versions = {spec: catalogue.version_of(spec) for spec in league.bots}
        if league.raspas:
            players = [passing.passing(player, self.bot_versions[player.name]) for player in players]
        self.setup = batch.Setup(terms, tuple(players), league.seatings, league.seed, league.target, league.limit, duplicate=True)

    def as_json(self) -> dict[str, Any]:
        """The content of `league.json`."""
        return self.league.as_json(self.bot_versions)

    def warm_up(self) -> None:
        """Compile what the league needs, or load it from the cache."""
        compiled = [i for i, player in enumerate(self.setup.players) if player.compiled is not None]
        if compiled:
            seat_all = tuple((i,) * self.league.seats for i in compiled)
            batch.play_block(attrs.evolve(self.setup, seatings=seat_all, limit=1), 0, len(compiled))

    def play(self, first: int, count: int) -> Sets:
        """Play sets `first` … `first + count - 1`, numbered from 0."""
        league = self.league
        ways, seats = len(league.seatings), league.seats
        tricks = np.zeros((count * ways, seats), dtype=np.int64)
        held = np.zeros_like(tricks)

        def count_tricks(rows: Array) -> None:
            rows = rows[rows["kind"] == K_RASPAS]
            at = rows["pulka"] - first * ways
            has_cards = np.ones((len(rows), seats), dtype=np.int64)
            if seats == 4:
                has_cards[np.arange(len(rows)), rows["dealer"]] = 0
            np.add.at(tricks, at, rows["tricks"][:, :seats] * has_cards)
            np.add.at(held, at, has_cards)

        block = batch.play_block(self.setup, first * ways, count * ways, count_tricks if league.raspas else None)
        tables, rules = block.tables, self.setup.terms.rules
        results = settlement.settle_tables(tables, int(rules["pool_worth"][0]), int(rules["mountain_worth"][0]))
        failures: list[list[dict[str, Any]]] = [[] for _ in range(count)]
        for failure in sorted(block.failures, key=lambda f: f.pulka):
            failures[failure.pulka // ways - first].append(self._failure(failure))
        failed = tables["fault"] != 0
        shape = (count, ways)
        return Sets(
            first,
            results[:, :seats].reshape(*shape, seats),
            tables["deal_no"].astype(np.int64).reshape(shape),
            ((tables["finished"] == 0) & ~failed).reshape(shape),
            failed.reshape(shape),
            tricks.reshape(*shape, seats) if league.raspas else None,
            held.reshape(*shape, seats) if league.raspas else None,
            failures,
        )

    def _failure(self, failure: batch.Failure) -> dict[str, Any]:
        ways = len(self.league.seatings)
        return {
            "bot": failure.player,
            "set": failure.pulka // ways + 1,  # messages number sets, pulkas and deals from 1 (`docs/interfaces.md`)
            "pulka": failure.pulka + 1,
            "deal": failure.deal,
            "seat": failure.seat,
            "action": ACTION_NAMES[failure.action] if 0 <= failure.action < len(ACTION_NAMES) else None,
            "reason": failure.reason,
            "view": text.from_seat(failure.view[0]),
        }
