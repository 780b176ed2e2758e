"""Whole records checked: through the engine (`engine.replay`), under the convention they name, and their result."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from typing import Any

import attrs

from conventions.catalogue import get
from conventions.convention import Convention
from conventions.files import from_mapping
from conventions.settlement import DENOMINATOR, settle_tables
from conventions.terms import terms_of
from engine.game import Game
from engine.record import exact
from engine.replay import PulkaRecord, RecordError, read, replay
from engine.terms import Terms


@attrs.frozen
class Checked:
    """A record that replayed without a fault."""

    record: PulkaRecord
    game: Game
    convention: Convention


def results(game: Game, convention: Convention) -> list[Fraction]:
    """What each seat has won as the sheet stands, in whists."""
    row = settle_tables(game.table, convention.pool_worth, convention.mountain_worth)[0]
    return [Fraction(int(x), DENOMINATOR) for x in row[: game.terms.seats]]


@cache
def _terms(convention: str, seats: int, options: str) -> tuple[Convention, Terms]:
    given = json.loads(options)
    chosen = get(convention, seats, given)
    return chosen, terms_of(chosen, seats, given)


def check(value: Any) -> Checked:
    """Replay one record (its JSON object); `RecordError` or `ConventionError` names the first fault."""
    record = read(value)
    if isinstance(value.get("rules"), dict):  # a person's own convention travels in its record
        convention = get(from_mapping(value["rules"], record.convention), record.seats, record.options)
        terms = terms_of(convention, record.seats, record.options)
    else:
        convention, terms = _terms(record.convention, record.seats, json.dumps(record.options, sort_keys=True))
    game = replay(record, terms)
    right = results(game, convention)
    for seat, (said, is_) in enumerate(zip(record.result, right, strict=True)):
        if said != is_:
            raise RecordError(f"deal {len(record.deals)}: the result of seat {seat} is {exact(said)}; the sheet settles to {exact(is_)}")
    return Checked(record, game, convention)
