"""`preferans score` and `preferans settle`: JSON Lines in, one answer a line out (`docs/interfaces.md`, a protocol)."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from conventions import files, settlement
from conventions.catalogue import get, names
from conventions.convention import Convention
from conventions.parameters import ConventionError
from engine.record import exact, read_exact
from lab.lines import Answer, each_line


@functools.lru_cache(maxsize=256)
def _base(name: str) -> Convention:
    return files.find(name)


@functools.lru_cache(maxsize=4096)
def _with_options(name: str, seats: int, options: tuple[tuple[str, Any, type], ...]) -> Convention:
    return get(_base(name), seats, {option: value for option, value, _ in options})


def find_convention(name: Any, seats: int | None = None, options: Any = None) -> Convention:
    """The convention that a protocol, record or sheet names (a preset or a `.toml` file), with its options."""
    if not isinstance(name, str):
        raise ConventionError(f"convention: {name!r} is not a name; known: {', '.join(names())}")
    if not isinstance(options, (dict, type(None))):
        raise ConventionError(f"options: {options!r} is not allowed; allowed: an object of option names and values")
    if seats is None or any(isinstance(value, (list, dict)) for value in (options or {}).values()):
        return get(_base(name), seats, options)
    # the type tells 1 from true in the cache
    return _with_options(name, seats, tuple((option, value, type(value)) for option, value in (options or {}).items()))


def score_protocols(lines: Iterable[str]) -> Iterator[Answer]:
    """Protocols -> what each deal wrote, the sheet, the raspas level, whether the pulka is over, and the result."""
    from conventions import protocol  # compiles, which `settle` and `--help` need not wait for

    scorer_of = functools.lru_cache(maxsize=1024)(protocol.Scorer.of)

    def answer(content: Any) -> Answer:
        convention, seats, target, deals = protocol.check_protocol(content, find_convention)
        return protocol.score_deals(scorer_of(convention, seats), target, deals)

    return each_line(lines, answer)


def _numbers(value: Any, name: str) -> list[Fraction]:
    if not isinstance(value, list) or len(value) not in (3, 4):
        raise ValueError(f"{name}: {value!r} is not allowed; allowed: a list of 3 or 4 numbers, one a seat")
    numbers = []
    for seat, text in enumerate(value):
        try:
            numbers.append(read_exact(text))
        except ValueError:
            raise ValueError(
                f"{name} of seat {seat}: {text!r} is not an exact number; allowed: an integer or a text such as '5/2'"
            ) from None
    return numbers


_SHEET_KEYS = ("convention", "options", "seats", "players", "pool", "mountain", "whists", "pool_worth")


def read_sheet(sheet: Any) -> tuple[Convention, list[Fraction], list[Fraction], list[list[Fraction]], Fraction]:
    """A finished sheet of `preferans settle`: convention, pool, mountain, whists, and whists per pool point."""
    if not isinstance(sheet, Mapping):
        raise ValueError('a sheet is an object such as {"convention": "sochi", "pool": [], "mountain": [], "whists": []}')
    for key in sheet:
        if key not in _SHEET_KEYS:
            raise ValueError(f"{key}: a sheet has no such field; allowed: {', '.join(_SHEET_KEYS)}")
    for key in ("convention", "pool", "mountain", "whists"):
        if key not in sheet:
            raise ValueError(f"{key} is missing; a sheet has convention, pool, mountain and whists")
    pool = _numbers(sheet["pool"], "pool")
    seats = len(pool)
    convention = find_convention(sheet["convention"], seats, sheet.get("options"))
    if sheet.get("seats", seats) != seats or isinstance(sheet.get("seats"), bool):
        raise ValueError(f"seats: {sheet['seats']!r} is not allowed in a sheet whose pool has {seats} numbers")
    mountain = _numbers(sheet["mountain"], "mountain")
    if len(mountain) != seats:
        raise ValueError(f"mountain has {len(mountain)} seats, pool has {seats}")
    rows = sheet["whists"]
    if not isinstance(rows, list) or len(rows) != seats:
        raise ValueError(f"whists: {rows!r} is not allowed; allowed: {seats} rows of {seats} numbers, row a what seat a has written")
    whists = [_numbers(row, f"whists row {a}") for a, row in enumerate(rows)]
    for a, row in enumerate(whists):
        if len(row) != seats:
            raise ValueError(f"whists row {a} has {len(row)} numbers, pool has {seats}")
        if row[a] != 0:
            raise ValueError(f"whists row {a}: seat {a} has written {exact(row[a])} on itself; allowed: 0")
    worth = Fraction(convention.pool_worth)
    if sheet.get("pool_worth") is not None:
        try:
            worth = read_exact(sheet["pool_worth"])
        except ValueError:
            worth = Fraction(0)
        if worth <= 0:
            raise ValueError(f"pool_worth: {sheet['pool_worth']!r} is not allowed; allowed: a number of whists above 0")
    return convention, pool, mountain, whists, worth


def settle_sheet(sheet: Any) -> Answer:
    """The answer to one sheet of `preferans settle`."""
    convention, pool, mountain, whists, worth = read_sheet(sheet)
    results = settlement.settle(pool, mountain, whists, worth, convention.mountain_worth)
    return {"result": [str(r) for r in results]}


def settle_sheets(lines: Iterable[str]) -> Iterator[Answer]:
    """Finished sheets -> results, exact and in lowest terms."""
    return each_line(lines, settle_sheet)
