"""Changes one parameter at a time and sees whether anything that is kept notices: `python -m benchmarks.rules.mutations`.

For every convention and number of seats each parameter is given other values (contradictions are allowed here); where the compiled
record changes, the default case's pulkas, the counts from the positions and the records are held against what is kept. Then the same
with every number of the compiled record raised and lowered by one (flags turned over). It lists what nobody noticed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import attrs
import numpy as np

from benchmarks.rules import counting, positions, store
from benchmarks.rules.cases import DEFAULT, tables
from benchmarks.rules.playing import DEFAULT_BOTS, Played, play, setup
from benchmarks.rules.records import FOLDER
from benchmarks.rules.unread import unread
from conventions.catalogue import PRESETS
from conventions.convention import PARAMETERS, Convention
from conventions.parameters import ConventionError, show
from conventions.rules_record import RULES
from conventions.scorer import score
from engine.replay import PulkaRecord, RecordError, read, replay
from engine.terms import Terms

# other values of parameters that cannot be listed
_VALUES: dict[str, tuple[Any, ...]] = {
    "game_cost": ("4-4-6-8-10", "2-6-6-8-10", "2-4-8-8-10", "2-4-6-10-10", "2-4-6-8-12"),
    "undertrick": ("c", "2c", "3c", "c/2"),
    "whist": ("c", "2c", "3c", "c/2"),
    "consolation": ("c", "2c", "10", "11"),
    "whister_undertrick": ("c", "2c", "c/2"),
    "misere_made": (9, 11),
    "misere_trick": (9, 10, 20, 21),
    "raspas_progression": ("1-2-3", "2-4-6", "2-4-4", "2-4-8", "2-5-6", "3-4-6", "5", "6"),
    "raspas_exit": ("6-6-6", "6-7-7", "6-7-8", "6-6-7", "7-7-7"),
    "semesters": (0, 2, 3),
    "prize_pool": (299, 301),
    "prize_mountain": (199, 201),
    "deal_limit": (7, 10),
    "default_target": (9, 11, 21, 23),
    "pool_worth": (9, 10, 11, 20),
    "mountain_worth": (9, 11),
}

# numbers of the compiled record that are more than a flag; the others are turned over
_COUNTED = frozenset(
    {
        "start_level", "pool_end", "semesters", "deal_limit", "made", "undertrick", "whist", "consolation", "whister_undertrick", "duty",
        "responsible", "remise_multiplier", "misere_made", "misere_trick", "refusal", "throw_whists",
        "quick_trick_whists",
        "raspas_price", "raspas_whists", "zero_pool", "zero_mountain", "zero_sitter", "help_whists", "write_off_from",
        "write_off_multiplier",
        "prize_pool", "prize_mountain", "pool_worth", "mountain_worth",
    }
)  # fmt: skip


@attrs.frozen(eq=False)
class Mutant:
    """A convention that is not what it says."""

    convention: str
    seats: int
    change: str
    terms: Terms
    target: int  # of the novice's pulkas
    refused: bool = False  # the convention's own check refuses it
    equivalent: str = ""  # why nothing can tell it from the convention

    def __str__(self) -> str:
        return f"{self.convention}, {self.seats} seats: {self.change}"


def evolved(convention: Convention, field: str, value: Any) -> Convention | None:
    """The convention with one parameter changed, contradictions or not; None where the value is of the wrong kind."""
    try:
        read_value = PARAMETERS[field].metadata["kind"].read(value)
    except ValueError:
        return None
    changed = Convention.__new__(Convention)
    for attribute in attrs.fields(Convention):
        object.__setattr__(changed, attribute.name, read_value if attribute.name == field else getattr(convention, attribute.name))
    return changed


def by_parameter(name: str, seats: int) -> Iterator[Mutant]:
    """Every parameter at every other value that compiles to another record (the pool played to is none of it, but is held too)."""
    convention = PRESETS[name]
    original = convention.compile(seats)
    for field, attribute in PARAMETERS.items():
        for value in _VALUES.get(field, attribute.metadata["kind"].values):
            changed = evolved(convention, field, value)
            if changed is None or getattr(changed, field) == getattr(convention, field) or seats not in changed.seats_allowed():
                continue
            try:
                rules = changed.compile(seats)
            except (ConventionError, IndexError):
                continue
            if rules.tobytes() != original.tobytes() or field == "default_target":
                change = f"{field} {show(getattr(convention, field))} -> {show(getattr(changed, field))}"
                refused = not _stands(convention, field, getattr(changed, field))
                yield Mutant(
                    name, seats, change, Terms(rules, score, name), changed.default_target, refused, equivalent(convention, change)
                )


def _stands(convention: Convention, field: str, value: Any) -> bool:
    try:
        attrs.evolve(convention, **{field: value})
    except ConventionError:
        return False
    return True


def equivalent(convention: Convention, change: str) -> str:
    """Why a change is no change; empty for all others."""
    if convention.help and change == "pool_end each -> sum":
        return "with help no pool exceeds the target, so the sum is full when each is"
    if not convention.half_whist and change.startswith("talon_sitter_may_whist"):
        return "the talon-sitter is asked after a half whist only"
    return ""


def by_number(name: str, seats: int) -> Iterator[Mutant]:
    """Every number of the compiled record one up and one down; flags turned over."""
    original = PRESETS[name].compile(seats)
    for field in RULES.names or ():
        if field == "seats":
            continue
        for index in np.ndindex(original[field][0].shape):
            value = int(original[field][0][index])
            for other in (value - 1, value + 1) if field in _COUNTED else (1 - value,):
                if other < 0 or (field == "remise_multiplier" and other == 0):
                    continue
                rules = original.copy()
                if index:
                    rules[field][0][index] = other
                else:
                    rules[field][0] = other
                place = f"[{index[0]}]" if index else ""
                change = f"record {field}{place} {value} -> {other}"
                why = unread(original[0], field, index[0] if index else 0, other)
                yield Mutant(name, seats, change, Terms(rules, score, name), PRESETS[name].default_target, equivalent=why)


class Keeper:
    """What is kept of one convention and number of seats, ready to be asked."""

    def __init__(self, name: str, seats: int) -> None:
        self.book = store.read(name, seats)
        self.positions, self.counts = positions.read(name, seats)
        lines = [line for file in FOLDER.glob("*.jsonl") for line in file.read_text(encoding="utf8").splitlines()]
        self.records: list[PulkaRecord] = [
            r for r in map(read, map(json.loads, lines)) if r.convention == name and r.seats == seats and not r.options
        ]

    def notices(self, mutant: Mutant) -> str:
        """What notices a mutant first: a digest, a count or a record; empty: nothing does."""
        for bot in DEFAULT_BOTS:
            if self._plays_otherwise(mutant, bot):
                return f"digest of {bot}"
        if self._counts_otherwise(mutant):
            return "counts"
        if self._records_otherwise(mutant):
            return "records"
        return "the convention's own check" if mutant.refused else ""

    def _plays_otherwise(self, mutant: Mutant, bot: str) -> bool:
        held = self.book.held[DEFAULT][bot]
        played_by = setup(mutant.terms, mutant.convention, bot)
        if bot == "novice":
            played_by = attrs.evolve(played_by, target=mutant.target)
        done = 0

        def unlike(block: Played) -> bool:
            nonlocal done
            shared = slice(done, done + len(block.at))
            done += len(block.at)
            kept = held.entries[shared]
            return bool(
                block.faults
                or kept.shape != block.entries.shape
                or (held.checks[shared] != store.small(block.checks)).any()
                or (kept != block.entries).any()
            )

        played = play(played_by, held.pulkas, stop=unlike)
        return played.pulkas < held.pulkas or played.digest != held.sha256

    def _counts_otherwise(self, mutant: Mutant) -> bool:
        kept = ((p, self.counts[p.name][DEFAULT]) for p in self.positions)
        return any(counting.count(p, mutant.terms, len(counts["lines"])) != counts for p, counts in kept)

    def _records_otherwise(self, mutant: Mutant) -> bool:
        try:
            for record in self.records:
                replay(record, mutant.terms)
        except RecordError:
            return True
        return False


def run(name: str, seats: int, mutants: Iterator[Mutant]) -> list[tuple[Mutant, str]]:
    """Every mutant with what noticed it."""
    keeper = Keeper(name, seats)
    return [(mutant, keeper.notices(mutant)) for mutant in mutants]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", metavar="CONVENTION", help="these conventions only")
    parser.add_argument("--numbers", action="store_true", help="change the numbers of the compiled record instead of the parameters")
    chosen = parser.parse_args(arguments)
    wanted = [(name, seats) for name, seats in tables() if not chosen.only or name in chosen.only]
    make = by_number if chosen.numbers else by_parameter
    survivors = total = 0
    by: dict[str, int] = {}
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        for (name, seats), found in zip(wanted, executor.map(lambda w: run(w[0], w[1], make(w[0], w[1])), wanted), strict=True):
            total += len(found)
            for mutant, noticed in found:
                by[noticed] = by.get(noticed, 0) + 1
                if mutant.equivalent:
                    told = "NOT UNREAD, for it is noticed:" if noticed else "EQUIVALENT"
                    print(f"{told} {mutant}: {mutant.equivalent}", flush=True)
                    survivors += 1 if noticed else 0
                elif not noticed:
                    survivors += 1
                    print(f"SURVIVES {mutant}", flush=True)
            print(f"{name}, {seats} seats: {len(found)} changes, {sum(1 for _, n in found if not n)} unnoticed", flush=True)
    told = ", ".join(f"{count} by {noticed}" for noticed, count in sorted(by.items(), key=lambda x: -x[1]) if noticed)
    print(f"{total} changes, {survivors} unnoticed; first noticed: {told}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
