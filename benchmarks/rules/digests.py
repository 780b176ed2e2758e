"""Playing the pulkas of every case and comparing them with what is kept; the report of a difference."""

from __future__ import annotations

from concurrent.futures import Executor
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from benchmarks.rules import store
from benchmarks.rules.cases import Case, cases, tables
from benchmarks.rules.playing import Played, bots_of, columns, deals_of, play, setup, versions
from conventions.catalogue import PRESETS
from conventions.settlement import DENOMINATOR
from engine.batch import Setup
from engine.record import deal_record, exact, from_sixths

Array = np.ndarray[Any, Any]


def make_book(convention: str, seats: int, executor: Executor) -> store.Book:
    """Play every case anew."""
    found = cases(convention, seats)
    played = executor.map(lambda pair: _play(*pair), [(case, bot) for case in found for bot in bots_of(case)])
    held: dict[str, dict[str, store.Held]] = {}
    for case in found:
        for bot in bots_of(case):
            held.setdefault(case.name, {})[bot] = store.hold(next(played), case.name)
    return store.Book(convention, seats, PRESETS[convention].version, versions(), held)


def _play(case: Case, bot: str, pulkas: int | None = None) -> Played:
    return play(setup(case.terms(), case.convention, bot), pulkas)


@attrs.frozen
class Verdict:
    """What became of one case and bot: `report` is empty where all is as it was."""

    deals: int
    report: str = ""


def check(executor: Executor) -> list[Verdict]:
    """Play all that is kept and compare."""
    wanted: list[tuple[Case, str, store.Held]] = []
    wrong: list[Verdict] = []
    for convention, seats in tables():
        try:
            book = store.read(convention, seats)
        except FileNotFoundError as error:
            wrong.append(Verdict(0, f"{convention}, {seats} seats: nothing is kept ({error.filename} is missing)"))
            continue
        wrong += [Verdict(0, text) for text in strangers(book)]
        found = [case for case in cases(convention, seats) if case.name in book.held]
        wanted += [(case, bot, book.held[case.name][bot]) for case in found for bot in bots_of(case)]
    return wrong + list(executor.map(lambda one: compare(*one), wanted))


def strangers(book: store.Book) -> list[str]:
    """Cases and versions that are not those kept."""
    now, then = {case.name for case in cases(book.convention, book.seats)}, set(book.held)
    where = f"{book.convention}, {book.seats} seats"
    found = [f"{where}: {name} is kept but no longer offered" for name in sorted(then - now)]
    found += [f"{where}: {name} is new, nothing is kept of it" for name in sorted(now - then)]
    if PRESETS[book.convention].version != book.version:
        found.append(f"{where}: the convention is version {PRESETS[book.convention].version}, what is kept is of version {book.version}")
    for bot, version in versions().items():
        if book.bots.get(bot) != version:
            found.append(f"{where}: {bot} is version {version}, what is kept is of version {book.bots.get(bot)}")
    return found


def compare(case: Case, bot: str, held: store.Held) -> Verdict:
    """Play one case with one bot and compare."""
    return compare_played(case, bot, held, setup(case.terms(), case.convention, bot))


def compare_played(case: Case, bot: str, held: store.Held, played_by: Setup) -> Verdict:
    """The same under terms that need not be the case's own."""
    played = play(played_by, held.pulkas)
    if played.faults:
        return Verdict(len(played.at), f"{case}, {bot}: an illegal action or an exception ended {played.faults} pulkas")
    if played.digest == held.sha256:
        return Verdict(len(played.at))
    return Verdict(len(played.at), difference(case, bot, held, played, played_by))


def first_difference(held: store.Held, played: Played) -> tuple[int, int]:
    """The first deal that differs, by its number in the row of all deals, and up to where it may lie (the same where it is known)."""
    kept = len(held.checks)
    common = min(kept, len(played.at))
    other = (store.small(played.checks[:common]) != held.checks[:common]) | (played.entries[:common] != held.entries[:common]).any(axis=1)
    if other.any():
        at = int(np.argmax(other))
        return at, at
    if common < kept or (kept == held.deals and len(played.at) > held.deals):
        return common, common
    now = store.hundreds_of(played.checks)
    shared = min(len(now), len(held.hundreds))
    unlike = np.flatnonzero(now[:shared] != held.hundreds[:shared])
    group = int(unlike[0]) if len(unlike) else shared
    first = max(kept, group * store.HUNDRED)
    last = min((group + 1) * store.HUNDRED, len(played.at)) - 1
    return (first, last) if first <= last else (-1, -1)


def difference(case: Case, bot: str, held: store.Held, played: Played, played_by: Setup) -> str:
    """The first deal that differs, both sheets, and which entry."""
    first, last = first_difference(held, played)
    head = f"{case}, {bot}: {held.deals} deals in {held.pulkas} pulkas were kept, {len(played.at)} are played now, and they differ."
    if not 0 <= first < len(played.at):
        return f"{head} Every deal is as it was; the pulkas end or settle otherwise (the first one to {_results(played)})."
    pulka, number = (int(x) for x in played.at[first])
    deals = deals_of(played_by, pulka)
    told = [head]
    if first == last:
        told.append(
            f"The first deal that differs: pulka {pulka + 1}, deal {number + 1} (seed {played_by.seed}, target {played_by.target})."
        )
    else:
        told.append(
            f"It first differs in deals {first + 1} to {last + 1} of the row; this is the first, pulka {pulka + 1}, deal {number + 1}."
        )
    told += _deal(deals[number])
    if first >= len(held.checks):
        told.append(f"The old sheet is kept of the first {len(held.checks)} deals only.")
    else:
        told += _sheets(case, held.entries, played, first)
    return "\n".join(told)


def _results(played: Played) -> str:
    return ", ".join(str(exact(Fraction(int(n), DENOMINATOR))) for n in played.results[0])


def _deal(table: Any) -> list[str]:
    told = deal_record(table)
    state = f", raspas state {int(table['level'])}" + (", forced raspas" if table["forced"] else "")
    hands = [f"  seat {seat}  {hand or '(sits on the talon)'}" for seat, hand in enumerate(told["hands"])]
    return [f"  dealer {told['dealer']}{state}", *hands, f"  talon   {told['talon']}", f"  actions {told['actions']}"]


def _sheets(case: Case, kept: Array, played: Played, at: int) -> list[str]:
    """The deal's entries and the running sheet, as kept and as now."""
    begins = at - int(played.at[at, 1])
    old, new = kept[at], played.entries[at]
    sums = kept[begins : at + 1].sum(axis=0), played.entries[begins : at + 1].sum(axis=0)
    told = [f"  {'':<20}{'kept entry':>12}{'entry now':>12}{'kept sheet':>12}{'sheet now':>12}"]
    for column, name in enumerate(columns(case.seats)):
        row = (old[column], new[column], sums[0][column], sums[1][column])
        if any(row):
            cells = "".join(f"{from_sixths(x)!s:>12}" for x in row)
            told.append(f"  {name:<20}{cells}" + ("   <-- differs" if row[0] != row[1] else ""))
    if (old == new).all():
        told.append("  Every entry is as it was: the words, the cards or what is carried to the next deal differ.")
    return told
