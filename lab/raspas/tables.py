"""Deals from a given state: cards, raspas state and auction are set, bots play on by the engine's own kernel.

A table is opened (or taken from a pulka under way), a deck of the caller's is dealt, the auction is said for all seats:
everybody passes, or one seat bids the lowest contract and is left alone. From there `engine.batch.advance` goes on: to
the end of the deal, or to the end of the pulka with keyed decks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from conventions.settlement import DENOMINATOR, settle_tables
from engine import actions, batch, contracts, deal, jit, machine, pulka, rng
from engine.batch import NO_ACTION, Player, policy_of
from engine.jit import lowbit, rule
from engine.table import P_BID, P_DEAL, VIEW, new_tables
from engine.telling import in_a_line, is_interrupt
from engine.terms import Terms
from lab.errors import LabError

Array = np.ndarray[Any, Any]

BLOCK = 2048  # tables played together by one thread
LATER = 16  # decks dealt at once to a pulka that goes on
TARGET = 1000  # points no single deal reaches: the sheet does not touch what a raspas is worth
NOBODY = -1

# the bits of trick contracts in a mask of words, whose bit 0 is the pass
_TRICK_BIDS = (1 << contracts.RUNGS + 1) - 2 & ~(1 << contracts.MISERE)


@rule
def begin(tables, procedures, dealers, levels, numbers, target, seed, limit):
    """Open a pulka on zeroed tables: `dealers[i]` deals, the raspas state is `levels[i]`, `numbers[i]` keys the bots' chances."""
    for i in range(len(numbers)):
        t = tables[i]
        pulka.begin(t, procedures[0], dealers[i], target, numbers[i], rng.bot_key(seed, numbers[i]), limit)
        t.next_level = levels[i]
        t.next_forced = 0


@rule
def say_auction(tables, procedures, scorer, rules, decks, bidders):
    """Deal `decks[i]` at table `i`; seat `bidders[i]` bids the lowest contract it may, all others pass (-1: all do)."""
    p = procedures[0]
    for i in range(len(bidders)):
        t = tables[i]
        machine.deal(t, p, decks[i])
        while t.phase == P_BID:
            action = actions.PASS
            bids = machine.legal(t, p) & _TRICK_BIDS
            if t.turn == bidders[i] and bids != 0:
                action = actions.WORDS + lowbit(bids)
            machine.apply(t, p, scorer, rules, action)


@rule
def give_out(tables, procedures, decks):
    """Deal `decks[i]` at table `i`; the auction is still to come."""
    for i in range(len(tables)):
        machine.deal(tables[i], procedures[0], decks[i])


def opened(terms: Terms, dealers: Array, levels: Array, numbers: Array, seed: int, target: int = TARGET, limit: int = 1) -> Array:
    """Tables, shape (n,), dtype `TABLE`, on which a pulka begins in a given raspas state (1..3); cut after `limit` deals."""
    tables = new_tables(len(numbers))
    columns = [jit.plain(np.ascontiguousarray(a, dtype=np.int64)) for a in (dealers, levels, numbers)]
    begin(jit.plain(tables), terms.procedure, *columns, target, seed, limit)
    return tables


def bid_or_pass(terms: Terms, tables: Array, decks: Array, bidders: Array | int = NOBODY) -> None:
    """Deal and say the auction in place (`say_auction`): `decks` (n, 32) in the order of hands, `bidders` (n,) seats, or -1."""
    seats = np.ascontiguousarray(np.broadcast_to(np.asarray(bidders, dtype=np.int64), (len(tables),)))
    scorer, rules = terms.scorer_number, terms.pointer
    say_auction(jit.plain(tables), terms.procedure, scorer, rules, jit.plain(np.ascontiguousarray(decks)), jit.plain(seats))


def dealt(terms: Terms, tables: Array, decks: Array) -> None:
    """Deal in place and leave the auction to whoever plays on."""
    give_out(jit.plain(tables), terms.procedure, jit.plain(np.ascontiguousarray(decks)))


def play_on(terms: Terms, players: Sequence[Player], seating: Array, tables: Array, seed: int, cards: Array | None = None) -> None:
    """Play tables on, in place, until each is over. `seating` (n, seats): indexes into `players`.

    Deals after the one under way are those of the card streams `cards` (n,); without it every table must be over with this deal.
    A bot that fails ends the study with a `LabError`.
    """
    n = len(tables)
    bots = jit.address_array((n, 4))
    policies = [policy_of(player) for player in players]
    for at, player in enumerate(players):
        if player.compiled is not None:
            bots[:, : terms.seats][seating == at] = player.compiled.number
    chunk = LATER if cards is not None else 1
    start = tables["deal_no"].astype(np.int64) + (tables["phase"] != P_DEAL)
    decks = np.zeros((n, chunk, 32), dtype=np.uint8)
    views, rows, out = np.zeros(n, dtype=VIEW), new_tables(n * (chunk + 1)), np.zeros(1, dtype=np.int64)
    if cards is not None:
        decks[:] = deal.decks(seed, cards, start[:, None] + np.arange(chunk))
    waiting, answers, asked = np.arange(n, dtype=np.int64), np.full(n, NO_ACTION, dtype=np.int64), n
    plain = jit.plain
    while True:
        asked = batch.advance(
            plain(tables), terms.procedure, terms.scorer_number, terms.pointer, bots, plain(start), plain(decks), plain(views),
            plain(waiting), plain(answers), asked, plain(rows), plain(out),
        )  # fmt: skip
        if asked:
            _ask(players, policies, seating, waiting[:asked], views[:asked], answers)
        dry = np.flatnonzero(tables["phase"] == P_DEAL)
        if len(dry):
            assert cards is not None, "a deal that was to be the last was not"
            start[dry] = tables["deal_no"][dry]
            decks[dry] = deal.decks(seed, cards[dry], start[dry][:, None] + np.arange(chunk))
            waiting[asked : asked + len(dry)] = dry
            answers[asked : asked + len(dry)] = NO_ACTION
            asked += len(dry)
        elif not asked:
            break
    for i in np.flatnonzero(tables["fault"])[:1]:
        seat = int(tables["fault"][i]) - 1
        bad = int(tables["bad"][i])
        said = actions.action_text(bad) if 0 <= bad < actions.ACTIONS else "no action"
        raise LabError(f"the bot {players[seating[i, seat]].name} answered {said} where that is not legal (deal {i + 1}, seat {seat})")


def _ask(players: Sequence[Player], policies: list[Any], seating: Array, waiting: Array, views: Array, answers: Array) -> None:
    """Have the bots outside the compiled core answer for the tables that wait."""
    wanted = seating[waiting, views["actor"]]
    for at in np.unique(wanted):
        rows = np.flatnonzero(wanted == at)
        asked = views.view(f"V{VIEW.itemsize}")[rows].view(VIEW)
        try:
            said = np.asarray(policies[at].act_batch(asked), dtype=np.int64)
            answers[rows] = said
        except BaseException as error:
            if is_interrupt(error):
                raise
            raise LabError(f"the bot {players[at].name} failed: {in_a_line(error)}") from None


def raspas(
    terms: Terms, players: Sequence[Player], seating: Array, decks: Array, levels: Array | int, numbers: Array, seed: int, dealer: int = 0
) -> Array:
    """Play each deck out as a raspas: finished tables, shape (n,). `seating` (n, seats), `levels` (n,) or one, `numbers` key chances."""
    n = len(decks)
    tables = opened(terms, np.full(n, dealer), np.broadcast_to(levels, (n,)), numbers, seed)
    bid_or_pass(terms, tables, decks)
    play_on(terms, players, seating, tables, seed)
    return tables


def in_blocks(
    count: int, task: Callable[[int, int], Any], workers: int, progress: Callable[[int], None] | None = None, size: int = BLOCK
) -> Iterator[Any]:
    """`task(first, number)` over ranges that cover `count`, on threads; answers in order, whatever the number of workers."""
    ranges = list(batch.blocks(0, count, size))
    with ThreadPoolExecutor(workers) as pool:
        for (_, number), answer in zip(ranges, pool.map(lambda r: task(*r), ranges), strict=True):
            if progress:
                progress(number)
            yield answer


def places_of(terms: Terms, dealer: int = 0) -> list[int]:
    """The seats of first, second and third hand, and with four seats the dealer's on the talon."""
    seats = terms.seats
    order = [(dealer + 1 + k) % seats for k in range(3)]
    return order if seats == 3 else [*order, dealer]


def deal_whists(terms: Terms, tables: Array) -> np.ndarray[Any, np.dtype[np.float64]]:
    """What the last deal alone is worth to each seat once it is settled, in whists: float (n, seats)."""
    sheets = new_tables(len(tables))
    sheets["seats"] = tables["seats"]
    for name in ("pool", "mountain", "whists"):
        sheets[name] = tables[f"d_{name}"]
    return settled(terms, sheets)


def settled(terms: Terms, tables: Array) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The sheets settled, in whists: float (n, seats)."""
    rules = terms.rules
    numerators = settle_tables(tables, int(rules["pool_worth"][0]), int(rules["mountain_worth"][0]))
    return numerators[:, : terms.seats] / DENOMINATOR


def chosen(records: Array, rows: Array) -> Array:
    """Rows of an array of tables, copied (as bytes: NumPy is slow at copying records field by field)."""
    return np.ascontiguousarray(records).view(f"V{records.dtype.itemsize}")[rows].view(records.dtype)


def with_talon(terms: Terms, leads: bool) -> Terms:
    """The same terms but for the talon in raspas: it leads to two tricks (`docs/rules.md` 6.2) or is never opened (6.3)."""
    rules = terms.rules.copy()
    rules["raspas_talon"] = rules["first_hand_leads_third"] = int(leads)
    return Terms(rules, terms.scorer, terms.name, terms.options)


def talon_leads(terms: Terms) -> bool:
    """Whether the talon leads to the first two tricks."""
    return bool(terms.rules["raspas_talon"][0])


def paranoid_values(terms: Terms, decks: Array, threads: int) -> np.ndarray[Any, np.dtype[np.int8]]:
    """For each deck what first, second and third hand take when each in turn is played against by the two others: int8 (n, 3)."""
    from bots.solver import MISERE, positions, solve_many

    hands = np.repeat(deal.masks_of(decks)[:, :3], 3, axis=0)
    declarer = np.tile(np.arange(3), len(decks))
    leads = talon_leads(terms)
    talon = tuple(np.repeat(decks[:, 30 + k], 3) for k in range(2)) if leads else ()
    given = positions(hands, MISERE, declarer, 0, talon=talon, talon_takes=leads and terms.seats == 4)
    return solve_many(given, threads).reshape(-1, 3)
