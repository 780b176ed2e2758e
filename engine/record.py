"""Pulka records: JSON Lines, one pulka a line (`docs/interfaces.md`, "A pulka record")."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from engine import actions, cards
from engine.table import UNIT

FORMAT = "preferans-record"
VERSION = 1


def exact(value: Fraction | int) -> int | str:
    """A number as records write it: an integer, or a text in lowest terms such as `"5/2"`."""
    value = Fraction(value)
    return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def read_exact(value: Any) -> Fraction:
    """A number from JSON: an int or a text such as `"5/2"`; ValueError otherwise (floats are refused)."""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise ValueError
    if isinstance(value, str):
        whole, slash, low = value.strip().partition("/")
        digits = whole[1:] if whole[:1] in "+-" else whole
        if not (digits.isascii() and digits.isdigit() and len(digits) < 30):
            raise ValueError
        if slash and not (low.isascii() and low.isdigit() and len(low) < 30 and int(low)):
            raise ValueError
    return Fraction(value)


def from_sixths(value: Any) -> Any:
    """Sheet amounts (sixths, any shape) as nested lists of exact numbers."""
    if isinstance(value, np.ndarray):
        return [from_sixths(v) for v in value]
    return exact(Fraction(int(value), UNIT))


def deal_actions(table: np.void | np.ndarray[Any, Any]) -> list[int]:
    """All actions of a deal in order, the two secret discards in their place (`table`: one `TABLE` element)."""
    log = [int(a) for a in table["log"][: int(table["words"])]]
    discards = [actions.DISCARD + c for c in cards.cards_of(int(table["discard"]))]
    at = int(table["discarded_at"])
    return log[:at] + discards + log[at:]


def deal_record(table: Any) -> dict[str, Any]:
    """The record of the deal that has just been finished at a table (one `TABLE` element)."""
    seats = int(table["seats"])
    return {
        "dealer": int(table["dealer"]),
        "hands": [cards.hand_text(int(h)) or None for h in table["dealt"][:seats]],
        "talon": " ".join(cards.card_text(int(c)) for c in table["talon"]),
        "actions": " ".join(actions.action_text(a) for a in deal_actions(table)),
        "scored": {
            "pool": from_sixths(table["d_pool"][:seats]),
            "mountain": from_sixths(table["d_mountain"][:seats]),
            "whists": from_sixths(table["d_whists"][:seats, :seats]),
        },
    }


def pulka_record(
    convention: str,
    options: dict[str, Any],
    target: int,
    players: Sequence[str],
    deals: Sequence[Any],
    result: Sequence[Fraction],
    finished: bool,
) -> dict[str, Any]:
    """The record of a pulka: `deals` are its finished deals in order, each a `TABLE` element or already a record."""
    record: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "convention": convention,
        "options": options,
        "seats": len(players),
        "target": target,
        "players": list(players),
        "deals": [d if isinstance(d, dict) else deal_record(d) for d in deals],
        "result": [str(exact(r)) for r in result],
    }
    if not finished:
        record["finished"] = False
    return record
