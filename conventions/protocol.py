"""Protocols (`docs/interfaces.md`): outcomes without cards, run through the scorer and the engine's way from deal to deal."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from conventions import outcome, settlement
from conventions.convention import Convention
from conventions.outcome import DealRules, ProtocolError
from conventions.terms import terms_of
from engine import contracts, pulka
from engine.jit import call_scorer, plain, rule
from engine.record import exact
from engine.table import C_MOUNTAIN, C_NONE, C_POOL, K_RASPAS, P_OVER, S_CHOOSERS, UNIT, new_tables
from engine.terms import Terms

# what may contradict the table
_OVER, _DEALER, _FORCED, _LEVEL, _NO_CHOICE = range(1, 6)
_FAULTS = 8  # a fault is its deal's index times this plus its code; -1: none
_WRITTEN = 24  # columns of what a deal wrote: pool 4, mountain 4, whists 16, sixths

_KEYS = ("convention", "options", "seats", "target", "players", "deals")

# the columns as plain numbers, which compiled code reads
_KIND, _ENDED, _BID, _CONTRACT, _DECLARER = outcome.KIND, outcome.ENDED, outcome.BID, outcome.CONTRACT, outcome.DECLARER
_SECOND, _CHECKED, _REFUSED, _MISERE_SAID = outcome.SECOND, outcome.CHECKED, outcome.REFUSED, outcome.MISERE_SAID
_SEAT, _DEFENCE, _TRICKS, _CHOICE, _TALON = outcome.DEALER, outcome.DEFENCE, outcome.TRICKS, outcome.CHOICE, outcome.TALON


@rule
def run_deals(tables, procedure, scorer, pointer, rows, written, count, target):
    """Play the outcomes `rows` (count, COLUMNS) at `tables[0]`; what each wrote goes to `written` (count, 24), sixths.

    Returns -1, or the index of the first deal that contradicts the table times 8 plus what it contradicts.
    """
    t = tables[0]
    p = procedure[0]
    pulka.begin(t, p, rows[0, _SEAT], target, 0, 0, 0)
    for i in range(count):
        if t.phase == P_OVER:
            return i * _FAULTS + _OVER
        pulka.next_deal(t, p)
        if rows[i, _SEAT] != t.dealer:
            return i * _FAULTS + _DEALER
        if t.forced != 0 and rows[i, _KIND] != K_RASPAS:
            return i * _FAULTS + _FORCED
        rung = rows[i, _BID]
        if rung != 0 and rung != contracts.MISERE and contracts.LEVEL[rung] < p.start_level[t.level - 1]:
            return i * _FAULTS + _LEVEL
        t.kind = rows[i, _KIND]
        t.ended = rows[i, _ENDED]
        t.bid = rung
        t.bidder = rows[i, _DECLARER]
        t.declarer = rows[i, _DECLARER]
        t.contract = rows[i, _CONTRACT]
        t.second = rows[i, _SECOND]
        t.checked = rows[i, _CHECKED]
        t.refused = rows[i, _REFUSED]
        t.misere_said = rows[i, _MISERE_SAID]
        t.talon[0] = rows[i, _TALON]
        t.talon[1] = rows[i, _TALON + 1]
        for seat in range(4):
            t.defence[seat] = rows[i, _DEFENCE + seat]
            t.tricks[seat] = rows[i, _TRICKS + seat]
        choosers = call_scorer(scorer, t, pointer, S_CHOOSERS)
        for seat in range(4):
            word = rows[i, _CHOICE + seat]
            if choosers >> seat & 1:
                t.choice[seat] = C_MOUNTAIN if word == C_MOUNTAIN else C_POOL
            elif word != C_NONE:
                return i * _FAULTS + _NO_CHOICE
        pulka.finish_deal(t, p, scorer, pointer)
        for a in range(4):
            written[i, a] = t.d_pool[a]
            written[i, 4 + a] = t.d_mountain[a]
            for b in range(4):
                written[i, 8 + 4 * a + b] = t.d_whists[a, b]
    return -1


@attrs.frozen(eq=False)
class Scorer:
    """A convention at a number of seats, ready to score protocols."""

    convention: Convention
    terms: Terms
    deal_rules: DealRules

    @classmethod
    def of(cls, convention: Convention, seats: int) -> Scorer:
        """Compile the convention."""
        terms = terms_of(convention, seats)
        return cls(convention, terms, DealRules.of(terms.rules))


def check_protocol(protocol: Any, find: Callable[[Any, Any, Any], Convention]) -> tuple[Convention, int, int, list[Any]]:
    """The convention, seats, target and deals of a protocol; `find(name, seats, options)` looks the convention up."""
    if not isinstance(protocol, Mapping):
        raise ProtocolError('a protocol is an object such as {"convention": "piter", "seats": 3, "deals": []}')
    for key in protocol:
        if key not in _KEYS:
            raise ProtocolError(f"{key}: a protocol has no such field; allowed: {', '.join(_KEYS)}")
    for key in ("convention", "seats", "deals"):
        if key not in protocol:
            raise ProtocolError(f"{key} is missing; a protocol has convention, seats and deals")
    seats = protocol["seats"]
    if type(seats) is not int:
        raise ProtocolError(f"seats: {seats!r} is not allowed; allowed: 3 or 4")
    convention = find(protocol["convention"], seats, protocol.get("options"))
    target = protocol.get("target")
    if target is None:
        target = convention.default_target
    if type(target) is not int or not 1 <= target <= 1_000_000:
        raise ProtocolError(f"target: {target!r} is not allowed; allowed: a whole number from 1 to 1000000")
    players = protocol.get("players")
    if players is not None and (not isinstance(players, list) or len(players) != seats or any(not isinstance(p, str) for p in players)):
        raise ProtocolError(f"players: {players!r} is not allowed; allowed: {seats} names")
    deals = protocol["deals"]
    if not isinstance(deals, list):
        raise ProtocolError(f"deals: {deals!r} is not allowed; allowed: a list of deals")
    return convention, seats, target, deals


def score_deals(scorer: Scorer, target: int, deals: list[Any]) -> dict[str, Any]:
    """Score deals in order: the answer of `docs/interfaces.md`, with exact numbers; `ProtocolError` names the deal."""
    rows = []
    for number, deal in enumerate(deals, 1):
        try:
            rows.append(outcome.read_deal(deal, scorer.deal_rules))
        except ProtocolError as error:
            raise ProtocolError(f"deal {number}: {error}") from None
    tables = new_tables(1)
    count = len(rows)
    outcomes = np.array(rows, dtype=np.int64).reshape(max(count, 0), outcome.COLUMNS) if rows else np.zeros((1, outcome.COLUMNS), np.int64)
    written = np.zeros((count, _WRITTEN), dtype=np.int64)
    fault = run_deals(
        plain(tables),
        scorer.terms.procedure,
        scorer.terms.scorer_number,
        scorer.terms.pointer,
        plain(outcomes),
        plain(written),
        count,
        target,
    )
    if fault >= 0:
        raise _fault(scorer, tables, rows, fault)
    return _answer(scorer, tables, written)


def _fault(scorer: Scorer, tables: Any, rows: list[list[int]], fault: int) -> ProtocolError:
    """The sentence for a deal that contradicts the table."""
    index, code = divmod(fault, _FAULTS)
    row, t = rows[index], tables[0]
    dealer, level = int(t["dealer"]), int(t["level"])
    if code == _OVER:
        why = f"the pulka had ended with deal {index}"
    elif code == _DEALER:
        why = f"dealer: seat {row[outcome.DEALER]} deals out of turn; it is seat {dealer}'s deal"
    elif code == _FORCED:
        why = 'this deal is a forced raspas; it is written as "raspas": true'
    elif code == _LEVEL:
        start = int(scorer.terms.rules["start_level"][0, level - 1])
        bid = contracts.contract_text(row[outcome.BID])
        why = f"{bid} is too low: at raspas level {level} bids begin with {start}S (misere is always allowed)"
    else:
        why = "write: there is no choice between pool and mountain here; leave it out"
    return ProtocolError(f"deal {index + 1}: {why}")


@functools.lru_cache(maxsize=1 << 16)
def in_points(sixths: int) -> int | str:
    """An amount of the sheet in points: an int, or a text such as `5/2`."""
    return sixths // UNIT if sixths % UNIT == 0 else exact(Fraction(sixths, UNIT))


def sheet_of(tables: np.ndarray[Any, Any], index: int = 0) -> tuple[list[Any], list[Any], list[list[Any]]]:
    """Pool, mountain and whists of a table in points and whists, all semesters together."""
    t = tables[index]
    n = int(t["seats"])
    pool = [in_points(a + b) for a, b in zip(t["pool"].tolist()[:n], t["pool_done"].tolist(), strict=False)]
    mountain = [in_points(a + b) for a, b in zip(t["mountain"].tolist()[:n], t["mountain_done"].tolist(), strict=False)]
    return pool, mountain, [[in_points(w) for w in row[:n]] for row in t["whists"].tolist()[:n]]


def result_texts(tables: np.ndarray[Any, Any], convention: Convention) -> list[list[str]]:
    """The settled results of tables, as texts in lowest terms."""
    numerators = settlement.settle_tables(tables, convention.pool_worth, convention.mountain_worth).tolist()
    seats = tables["seats"].tolist()
    return [[str(Fraction(x, settlement.DENOMINATOR)) for x in row[:n]] for row, n in zip(numerators, seats, strict=True)]


def _answer(scorer: Scorer, tables: Any, written: Any) -> dict[str, Any]:
    n = scorer.terms.seats
    seats = range(n)
    deals = []
    for row in written.tolist():
        points = [in_points(x) for x in row]
        deals.append({"pool": points[:n], "mountain": points[4 : 4 + n], "whists": [points[8 + 4 * a : 8 + 4 * a + n] for a in seats]})
    pool, mountain, whists = sheet_of(tables)
    return {
        "deals": deals,
        "pool": pool,
        "mountain": mountain,
        "whists": whists,
        "raspas_level": int(tables["next_level"][0]),
        "finished": int(tables["phase"][0]) == P_OVER,
        "result": result_texts(tables, scorer.convention)[0],
    }
