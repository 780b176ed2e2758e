"""Looks for the records: short pulkas that between them have every kind of entry (`python -m benchmarks.rules.find_records`).

Bots play short pulkas under many conventions and options; then, again and again, the pulka that adds the most kinds for its
length is taken, until nothing is missing. Pulkas are cut after a few deals: such a record says that it is not finished.
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rules.entries import KINDS, kinds
from benchmarks.rules.records import FOLDER
from bots.catalogue import load
from conventions.catalogue import get
from conventions.settlement import DENOMINATOR, settle_tables
from conventions.terms import terms_of
from engine.batch import Setup, play_block
from engine.record import deal_record, pulka_record

SEED = 11
PULKAS = 800
MANY = 12_000  # where something rare is looked for
LIMIT = 6  # deals, where a pulka is not about its end

_MODEST = f"{Path(__file__).parent / 'modest.py'}"
_BOTS = {"novice": "novice", "random": "random", "modest": f"{_MODEST}:modest", "careless": f"{_MODEST}:careless"}

# (convention, seats, options, target, deals at most, pulkas)
SOURCES: tuple[tuple[str, int, dict[str, Any], int, int, int], ...] = (
    ("piter", 3, {}, 4, LIMIT, MANY),
    ("piter", 4, {}, 4, LIMIT, PULKAS),
    ("piter", 4, {"talon_return": True, "ten_whisted": True}, 10, LIMIT, PULKAS),
    ("piter", 3, {"ten_whisted": True, "responsible_on_10": "second"}, 10, LIMIT, PULKAS),
    ("piter", 4, {"talon_whister_responsible": False, "consolation_to_talon_sitter": False}, 10, LIMIT, MANY),
    ("piter", 3, {"shortfall": "personal", "pool_end": "first"}, 2, LIMIT, PULKAS),
    ("piter", 3, {"quick_tricks": True}, 10, LIMIT, PULKAS),
    ("piter", 3, {"deal_limit": 3}, 10, LIMIT, PULKAS),
    ("rostov", 3, {}, 4, LIMIT, PULKAS),
    ("rostov", 4, {}, 4, LIMIT, PULKAS),
    ("rostov", 4, {"semesters": 1, "prize_mountain": 60, "prize_pool": 120, "zero_bonus": "none"}, 1, 8, PULKAS),
    ("vmk", 3, {}, 2, 9, PULKAS),
    ("vmk", 4, {}, 2, 9, PULKAS),
    ("moscow", 4, {}, 4, 12, PULKAS),
    ("sochi", 3, {}, 2, 12, PULKAS),
    ("sochi", 4, {}, 2, 12, PULKAS),
    ("sochi", 4, {"ten_whisted": True, "zero_bonus": "mountain"}, 4, LIMIT, PULKAS),
    ("leningrad", 3, {}, 2, 8, PULKAS),
    ("leningrad", 4, {}, 2, 8, PULKAS),
    ("classic", 3, {}, 4, LIMIT, PULKAS),
    ("classic", 4, {}, 4, LIMIT, PULKAS),
    ("skachki", 4, {}, 22, LIMIT, PULKAS),
    ("skachki", 4, {"semesters": 1}, 2, 12, PULKAS),
    ("skachki", 4, {"semesters": 1}, 1, 8, PULKAS),
    ("skachki", 4, {"semesters": 2}, 2, 16, PULKAS),
)


def candidates() -> list[tuple[dict[str, Any], frozenset[str]]]:
    """Records with their kinds of entries."""
    found = []
    for convention, seats, options, target, limit, pulkas in SOURCES:
        rules = get(convention, seats, options)
        terms = terms_of(rules, seats, options)
        bots = tuple(load(bot, terms.rules) for bot in _BOTS.values())
        seatings = ((0,) * seats, (1,) * seats, (2,) * seats, (3,) * seats, tuple(k % 2 for k in range(seats)))
        deals: dict[int, list[np.ndarray[Any, Any]]] = {}

        def on_deals(rows: np.ndarray[Any, Any], deals: dict[int, list[np.ndarray[Any, Any]]] = deals) -> None:
            for row in rows.copy():
                deals.setdefault(int(row["pulka"]), []).append(row)

        setup = Setup(terms, bots, seatings, seed=SEED, target=target, limit=limit)
        block = play_block(setup, 0, pulkas, on_deals)
        results = settle_tables(block.tables, rules.pool_worth, rules.mountain_worth)
        for number, table in enumerate(block.tables):
            has = frozenset(kind for row in deals[number] for kind in kinds(row, terms.rules[0]))
            players = [list(_BOTS)[k] for k in seatings[number % len(seatings)]]
            result = [Fraction(int(n), DENOMINATOR) for n in results[number][:seats]]
            record = pulka_record(
                convention, options, target, players, [deal_record(row) for row in deals[number]], result, bool(table["finished"])
            )
            found.append((record, has))
    return found


def choose(found: list[tuple[dict[str, Any], frozenset[str]]]) -> tuple[list[dict[str, Any]], set[str]]:
    """Records that have all kinds between them, and the kinds that no candidate has."""
    missing = set(KINDS) & {kind for _, has in found for kind in has}
    nowhere = set(KINDS) - missing
    chosen = []
    while missing:
        record, has = max(found, key=lambda pair: (len(pair[1] & missing) / (3 + len(pair[0]["deals"])), -len(pair[0]["deals"])))
        chosen.append(record)
        missing -= has
    return chosen, nowhere


def write(chosen: list[dict[str, Any]], folder: Path = FOLDER) -> None:
    """One file a convention, a record a line."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.jsonl"):
        old.unlink()
    for convention in sorted({record["convention"] for record in chosen}):
        lines = [json.dumps(record, ensure_ascii=False) for record in chosen if record["convention"] == convention]
        (folder / f"{convention}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf8")


def main() -> int:
    chosen, nowhere = choose(candidates())
    write(chosen)
    deals = sum(len(record["deals"]) for record in chosen)
    print(f"{len(chosen)} records, {deals} deals, {len(KINDS) - len(nowhere)} of {len(KINDS)} kinds of entries")
    for kind in sorted(nowhere):
        print(f"  not found: {kind}")
    return 1 if nowhere else 0


if __name__ == "__main__":
    sys.exit(main())
