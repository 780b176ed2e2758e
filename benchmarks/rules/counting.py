"""Counts of continuations from the positions, under every case: the kept ones, and those of now.

A position keeps, for the default case, the number of legal lines of 1, 2 … actions; for another case the same where it is not the
default's, or at which word the position cannot come about under it.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

import numpy as np

from benchmarks.rules import positions
from benchmarks.rules.cases import DEFAULT, cases, tables
from benchmarks.rules.kernels import follow, perft
from benchmarks.rules.positions import TARGET, Position
from engine import actions, jit
from engine.table import new_tables
from engine.terms import Terms

LEAVES = 10_000  # a depth that has more lines than this is not counted
DEPTH = 8

Count = dict[str, Any] | str  # lines: their numbers; open: cards that lie open in the position


def count(position: Position, terms: Terms, depth: int) -> Count:
    """Legal lines of 1 … `depth` actions and cards that lie open, or the word of the position that is illegal under these terms."""
    words = position.actions()
    tables_ = new_tables(depth)
    given = (jit.plain(tables_), terms.procedure, terms.scorer_number, terms.pointer, jit.plain(position.decks()))
    said = follow(*given, jit.plain(np.array(words, dtype=np.int64)), TARGET)
    if said < len(words):
        return f"illegal at word {said + 1}: {actions.action_text(words[said])}"
    shown = sum(int(cards).bit_count() for cards in tables_["shown"][0])
    counts, masks = np.zeros(depth, dtype=np.int64), np.zeros(depth, dtype=np.int64)
    perft(*given, jit.plain(masks), jit.plain(counts))
    return {"lines": [int(n) for n in counts], "open": shown}


def deepest(position: Position, terms: Terms) -> Count:
    """The counts as deep as they are kept: to `DEPTH`, or until there are more than `LEAVES` lines."""
    found: Count = count(position, terms, 1)
    for depth in range(2, DEPTH + 1):
        deeper = count(position, terms, depth)
        if isinstance(deeper, str) or deeper["lines"][-1] > LEAVES:
            break
        found = deeper
    return found


def counts_of(position: Position, terms: dict[str, Terms], depth: int = 0) -> dict[str, Count]:
    """The counts under every case: the default's, and those that are not the same; `depth` 0: as deep as they are kept."""
    default = count(position, terms[DEFAULT], depth) if depth else deepest(position, terms[DEFAULT])
    found: dict[str, Count] = {DEFAULT: default}
    for case, played in terms.items():
        now = count(position, played, depth or (1 if isinstance(default, str) else len(default["lines"])))
        if now != default:
            found[case] = now
    return found


def terms_by_case(convention: str, seats: int) -> dict[str, Terms]:
    """What every case is played by."""
    return {case.name: case.terms() for case in cases(convention, seats)}


def regenerate(convention: str, seats: int) -> None:
    """Count anew from the positions kept."""
    found, _ = positions.read(convention, seats)
    terms = terms_by_case(convention, seats)
    counts = {p.name: counts_of(p, terms) for p in found}
    for name, by_case in counts.items():
        if isinstance(by_case[DEFAULT], str):
            raise SystemExit(f"{convention}, {seats} seats: the position {name!r} cannot come about any more ({by_case[DEFAULT]})")
    positions.write(convention, seats, found, counts)


def check(executor: Executor) -> tuple[int, list[str]]:
    """How many counts were compared, and what differs."""
    wanted: list[tuple[str, int, Position, dict[str, Any], dict[str, Terms]]] = []
    wrong: list[str] = []
    for convention, seats in tables():
        if not positions.path(convention, seats).exists():
            wrong.append(f"{convention}, {seats} seats: no positions are kept")
            continue
        found, kept = positions.read(convention, seats)
        terms = terms_by_case(convention, seats)
        wanted += [(convention, seats, position, kept[position.name], terms) for position in found]
    answers = list(executor.map(lambda one: differences(*one), wanted))
    return sum(len(one[4]) for one in wanted), wrong + [text for texts in answers for text in texts]


def differences(convention: str, seats: int, position: Position, kept: dict[str, Count], terms: dict[str, Terms]) -> list[str]:
    """What differs at one position, in one line: the first case that does, and how many more."""
    if not kept:
        return [f"{convention}, {seats} seats, position {position.name!r}: no counts are kept"]
    default = kept[DEFAULT]
    assert not isinstance(default, str), default
    now = counts_of(position, terms, len(default["lines"]))
    told = []
    for case in terms:
        before, after = kept.get(case, kept[DEFAULT]), now.get(case, now[DEFAULT])
        if before != after:
            told.append(f"{convention}, {seats} seats, {case}: continuations of position {position.name!r}: kept {before}, now {after}")
    others = f" (and {len(told) - 1} other cases)" if len(told) > 1 else ""
    return [told[0] + others] if told else []
