"""Pulkas under random options, to their end: they end, they settle to zero, they are recorded and replay.

`python -m benchmarks.rules.long_runs` takes, for every convention and number of seats, 200 random combinations of options and plays a
thousand pulkas of each: `novice` at every seat, to the pulka's own end, but for a share where `random` sits too and a pulka is
cut after 60 deals (it can need thousands). One pulka of each combination is recorded and replayed.

Where made games strike the mountain first (`mountain_first`), a table whose mountains grow faster than its games strike them never
fills a pool: such a pulka ends by the limit of deals only, if at all. Nowhere else may that happen.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from random import Random
from typing import Any

import attrs
import numpy as np

from benchmarks.rules.cases import away, tables
from bots.catalogue import load
from conventions.catalogue import PRESETS, get
from conventions.convention import PARAMETERS
from conventions.parameters import ConventionError
from conventions.settlement import DENOMINATOR, settle_tables
from conventions.terms import terms_of
from engine.batch import Setup, play_block
from engine.record import deal_record, pulka_record
from lab.replaying import check

COMBINATIONS = 200
PULKAS = 1_000
RANDOM_SHARE = 10  # one pulka in so many is played with `random`
CUT = 60  # deals, of those
BLOCK = 125
LIMIT = 1_000  # deals after which a pulka is cut, as the simulator cuts it
MOUNTAIN_LIMIT = 300  # the same where made games strike the mountain first


@attrs.define
class Tally:
    """What was seen under one combination, or under many."""

    pulkas: int = 0
    deals: int = 0
    ended: int = 0  # by their own rule
    cut: int = 0  # of those with `random`
    endless: int = 0  # cut after `LIMIT` deals
    endless_of: str = ""
    replayed: int = 0
    longest: int = 0
    longest_of: str = ""
    wrong: list[str] = attrs.field(factory=list)

    def add(self, other: Tally) -> None:
        """Put another tally to this one."""
        for name in ("pulkas", "deals", "ended", "cut", "endless", "replayed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        if other.longest > self.longest:
            self.longest, self.longest_of = other.longest, other.longest_of
        self.endless_of = self.endless_of or other.endless_of
        self.wrong += other.wrong


def random_options(rng: Random, name: str, seats: int) -> dict[str, Any]:
    """A few options away from their defaults that may stand beside each other."""
    options: dict[str, Any] = {}
    names = list(PARAMETERS)
    rng.shuffle(names)
    for option in names:
        values = away(name, option)
        if not values or rng.random() > 0.3:
            continue
        tried = options | {option: rng.choice(values)}
        try:
            get(name, seats, tried)
        except ConventionError:
            continue
        options = tried
    return options


def run(name: str, seats: int, number: int, pulkas: int) -> Tally:
    """One combination; the same arguments give the same pulkas."""
    rng = Random(f"{name} {seats} {number}")
    options = random_options(rng, name, seats)
    convention = get(name, seats, options)
    terms = terms_of(convention, seats, options)
    target = rng.choice((2, 5, PRESETS[name].default_target))
    novice, any_card = load("novice", terms.rules), load("random", terms.rules)
    whole = Setup(
        terms, (novice,), ((0,) * seats,), seed=number, target=target, limit=MOUNTAIN_LIMIT if convention.mountain_first else LIMIT
    )
    mixed = Setup(terms, (novice, any_card), ((1,) * seats, tuple(k % 2 for k in range(seats))), seed=number, target=target, limit=CUT)
    where = f"{name}, {seats} seats, {options}, target {target}, seed {number}"
    tally = Tally()
    share = pulkas // RANDOM_SHARE
    for setup, count in ((whole, pulkas - share), (mixed, share)):
        for first in range(0, count, BLOCK):
            _block(tally, setup, first, min(BLOCK, count - first), convention, where)
    _replay(tally, whole, rng.randrange(pulkas - share), convention, where)
    return tally


def _block(tally: Tally, setup: Setup, first: int, count: int, convention: Any, where: str) -> None:
    block = play_block(setup, first, count)
    tables_ = block.tables
    deals = tables_["deal_no"]
    results = settle_tables(tables_, convention.pool_worth, convention.mountain_worth)
    tally.pulkas += count
    tally.deals += int(deals.sum())
    tally.ended += int((tables_["finished"] == 1).sum())
    tally.wrong += [f"{where}: pulka {f.pulka + 1}, deal {f.deal}: {f.player} {f.reason}" for f in block.failures]
    for number in first + np.flatnonzero(results.sum(axis=1) != 0):
        tally.wrong.append(f"{where}: pulka {number + 1} does not settle to zero: {results[number - first].tolist()}")
    if setup.limit != CUT:
        open_ = np.flatnonzero(tables_["finished"] == 0)
        if len(open_):
            tally.endless += len(open_)
            tally.endless_of = tally.endless_of or f"{where}, pulka {first + int(open_[0]) + 1}"
            if not convention.mountain_first:
                tally.wrong.append(f"{where}: pulka {first + int(open_[0]) + 1} has not ended after {LIMIT} deals")
        deals = np.where(tables_["finished"] == 1, deals, 0)
        at = int(np.argmax(deals))
        if deals[at] > tally.longest:
            tally.longest, tally.longest_of = int(deals[at]), f"{where}, pulka {first + at + 1}; {_end(tables_[at], setup, convention)}"
    else:
        tally.cut += int((tables_["finished"] == 0).sum())


def _end(table: Any, setup: Setup, convention: Any) -> str:
    """What ended a pulka, in words."""
    pools = [int(x) // 6 for x in (table["pool"] + table["pool_done"])[: setup.terms.seats]]
    if convention.deal_limit and int(table["deal_no"]) >= convention.deal_limit:
        return f"ended by its limit of {convention.deal_limit} deals"
    if convention.semesters:
        return f"ended with its semester {convention.semesters}, pools {pools}"
    return f"ended with pools {pools} ({convention.pool_end}{', out of raspas' if setup.terms.rules['wait_exit'][0] else ''})"


def _replay(tally: Tally, setup: Setup, pulka: int, convention: Any, where: str) -> None:
    """Record one pulka, write it as JSON, read it back and replay it."""
    deals: list[dict[str, Any]] = []
    block = play_block(setup, pulka, 1, lambda rows: deals.extend(deal_record(row) for row in rows))
    result = settle_tables(block.tables, convention.pool_worth, convention.mountain_worth)[0][: setup.terms.seats]
    numbers = [Fraction(int(n), DENOMINATOR) for n in result]
    players = ["novice"] * setup.terms.seats
    finished = bool(block.tables["finished"][0])
    record = pulka_record(setup.terms.name, setup.terms.options, setup.target, players, deals, numbers, finished)
    try:
        check(json.loads(json.dumps(record)))
        tally.replayed += 1
    except ValueError as error:
        tally.wrong.append(f"{where}: pulka {pulka + 1} does not replay: {error}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--combinations", type=int, default=COMBINATIONS, help="of options, for each convention and number of seats")
    parser.add_argument("--pulkas", type=int, default=PULKAS, help="of each combination")
    parser.add_argument("--only", nargs="*", metavar="CONVENTION", help="these conventions only")
    chosen = parser.parse_args(arguments)
    began = time.perf_counter()
    total = Tally()
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        for name, seats in tables():
            if chosen.only and name not in chosen.only:
                continue
            here = Tally()
            for tally in executor.map(lambda number, n=name, s=seats: run(n, s, number, chosen.pulkas), range(chosen.combinations)):
                here.add(tally)
            total.add(here)
            print(
                f"{name}, {seats} seats: {here.pulkas:,} pulkas, {here.deals:,} deals; {here.ended:,} ended by their own rule, "
                f"{here.cut:,} with random bots were cut; {here.replayed} replayed; {len(here.wrong)} wrong\n"
                f"  longest: {here.longest} deals: {here.longest_of}"
                + (
                    f"\n  {here.endless:,} reached {MOUNTAIN_LIMIT} deals (mountain_first), such as {here.endless_of}"
                    if here.endless
                    else ""
                ),
                flush=True,
            )
            print("".join(f"  WRONG {text}\n" for text in here.wrong[:5]), end="")
    print(
        f"{total.pulkas:,} pulkas, {total.deals:,} deals, {total.ended:,} ended, {total.cut:,} with random bots cut, "
        f"{total.endless:,} that strike the mountain first cut after {MOUNTAIN_LIMIT} deals, {total.replayed} replayed, "
        f"{len(total.wrong)} wrong, {time.perf_counter() - began:.0f} s\nlongest: {total.longest} deals: {total.longest_of}"
    )
    return 1 if total.wrong or not total.pulkas else 0


if __name__ == "__main__":
    sys.exit(main())
