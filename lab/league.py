"""What a league is: bots, a convention, and the seatings that make a duplicate set.

A *set* is the same cards, whole pulkas or a few deals, played once under each seating. It is the unit of evidence: luck of the cards
falls on every bot alike, and every figure of a league is a mean over sets.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from conventions.convention import Convention
from lab.description import describe
from lab.errors import UsageError

FORMAT = "preferans-league"
VERSION = 1
MOST_SEATINGS = 360  # to a set, where there are more bots than seats
BLOCK_PULKAS = 60
RASPAS_DEALS = 3  # of a pulka of raspas alone: one in each raspas state, where the convention has them


@attrs.frozen
class League:
    """A league in full but for the number of sets. What happens in set *n* is a function of this and *n* alone."""

    convention: Convention  # with its options
    seats: int
    target: int
    bots: tuple[str, ...]
    seed: int
    deal_limit: int  # a pulka is settled as it stands after so many deals
    deals: int | None  # a set is of so many deals instead of whole pulkas
    raspas: bool  # all bots pass in every auction
    seatings: tuple[tuple[int, ...], ...]  # by index into `bots`
    block: int  # sets that a worker plays at once
    base: Mapping[str, Any]  # the rest of league.json

    @property
    def limit(self) -> int:
        return self.deals or self.deal_limit

    def as_json(self, bot_versions: Mapping[str, str]) -> dict[str, Any]:
        """The content of `league.json`."""
        return {
            "format": FORMAT,
            "version": VERSION,
            **{
                key: self.base[key]
                for key in ("convention", "convention_version", "definition", "options", "allow_oracle")
                if key in self.base
            },
            "seats": self.seats,
            "target": self.target,
            "bots": list(self.bots),
            "bot_versions": dict(bot_versions),
            "seatings": [list(s) for s in self.seatings],
            "seed": self.seed,
            "deal_limit": self.deal_limit,
            "deals": self.deals,
            "raspas": self.raspas,
            "block": self.block,
            "versions": self.base["versions"],
        }


def describe_league(
    given: Mapping[str, Any], bots: Iterable[str], deals: int | None, raspas: bool, most: int, sets: int, block: int | None
) -> League:
    """A league from named values; `given`: what `lab.description.describe` reads of convention, seats, target, seed and limit."""
    named = tuple(name.strip() for name in bots)
    if not all(named):
        raise UsageError("bots: no bot is named in one place; allowed: names separated by commas, such as novice,random")
    for name in named:
        if named.count(name) > 1:
            raise UsageError(f"bots: {name} is named {named.count(name)} times; allowed: each bot once, a league seats it everywhere")
    if len(named) < 2:
        raise UsageError(f"bots: only {named[0]} is named; allowed: two different bots at least")
    run = describe({**given, "bots": "random"})
    if raspas and deals is None:
        deals = RASPAS_DEALS
    seatings = seatings_of(len(named), run.seats, most)
    wanted = max(1, min(BLOCK_PULKAS // len(seatings), -(-sets // 16))) if block is None else block
    return League(
        run.convention, run.seats, run.target, named, run.seed, run.deal_limit, deals, raspas, seatings, wanted, run.as_json({})
    )  # fmt: skip


def seatings_of(bots: int, seats: int, most: int = MOST_SEATINGS) -> tuple[tuple[int, ...], ...]:
    """The seatings of a set; every bot sits in every seat equally often.

    No more bots than seats: every way to seat them with all of them at the table (two bots at three seats: six ways). More: every choice
    of bots in every order; where that is more than `most`, a balanced choice of about so many (at least bots × seats).
    """
    if bots <= seats:
        return tuple(s for s in itertools.product(range(bots), repeat=seats) if len(set(s)) == bots)
    orders = 1
    for k in range(seats):
        orders *= bots - k
    return tuple(itertools.permutations(range(bots), seats)) if orders <= most else _balanced(bots, seats, most)


def _balanced(bots: int, seats: int, most: int) -> tuple[tuple[int, ...], ...]:
    """Tables (0, a, b …) moved along the circle of bots and turned through the seats.

    Each next table is the one that evens out best how often two bots meet, and then at which distance they sit.
    """
    chosen: list[tuple[int, ...]] = []
    met: Counter[int] = Counter()
    apart: Counter[tuple[int, int]] = Counter()
    pairs = list(itertools.permutations(range(seats), 2))
    orders = itertools.permutations if bots <= 24 else itertools.combinations
    tables = [table for rest in orders(range(1, bots), seats - 1) if _is_first((table := (0, *rest)), bots)]

    def cost(table: tuple[int, ...]) -> tuple[int, int]:
        mine = [((table[j] - table[i]) % bots, (j - i) % seats) for i, j in pairs]
        new, new_apart = met + Counter(d for d, _ in mine), apart + Counter(mine)
        return sum(n * n for n in new.values()), sum(n * n for n in new_apart.values())

    while len(chosen) < min(len(tables), max(1, most // (bots * seats))):
        best = min((table for table in tables if table not in chosen), key=cost)
        chosen.append(best)
        for i, j in pairs:
            difference = (best[j] - best[i]) % bots
            met[difference] += 1
            apart[difference, (j - i) % seats] += 1
    return tuple(
        tuple((table[(seat + turn) % seats] + moved) % bots for seat in range(seats))
        for table in chosen
        for moved in range(bots)
        for turn in range(seats)
    )


def _is_first(table: tuple[int, ...], bots: int) -> bool:
    """Whether the table is the first of those that turn into each other, and no turn is itself moved along the circle."""
    turns = [tuple((table[(seat + turn) % len(table)] - table[turn]) % bots for seat in range(len(table))) for turn in range(1, len(table))]
    return all(table < turned for turned in turns)
