"""Pass or play: what passing out is worth against the lowest contract a hand may bid, to the end of the pulka.

Positions are taken from pulkas that the bot plays with itself, so that sheets and raspas states are such as occur. In each a new deal
is given in which the bot would pass at every other hand. From there the pulka is played to its end twice, with the same cards in
all later deals: once everybody has passed, once this hand has bid the lowest contract and been left to play it. What the
settlement differs by is the hand's *edge* for playing. It holds the deal itself, the next raspas state and the shorter pulka.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import attrs
import numpy as np

from bots import catalogue
from bots.passing import passing
from engine import batch, deal
from engine.batch import Player, Setup
from engine.contracts import LEVEL
from engine.table import E_HALF, E_PLAYED, E_UNPLAYED, K_RASPAS, P_DEAL
from engine.terms import Terms
from engine.text import pretty
from lab.errors import LabError
from lab.raspas import plots, tables
from lab.raspas.common import PLACES, Findings, Question, columns_of, mean, share, sure, table, told
from lab.raspas.counts import COUNTS, MAIN
from lab.statistics import Estimate

Array = np.ndarray[Any, Any]
BLOCK = 256
LATER_STREAMS = 1 << 40  # number of the first card stream of later deals
LIMIT = 400  # deals after which a pulka is settled as it stands
SOURCE = (100, 3000)  # pulkas that positions are taken from: one for 60 hands, at least and at most so many
KEPT = 20_000  # positions kept of each state, so that each is hardly used again
FEWEST = 20  # hands of a count, below which it is not spoken of
TRIES = 8  # deals looked at for one that the others pass


@attrs.frozen(eq=False)
class Tries:
    """Deals that were passed and played, (n,) each."""

    hands: Array  # masks of ten cards
    state: Array
    place: Array  # 0..2
    edge: Array  # whists by which playing beats passing, to the end of the pulka
    at_once: Array  # the part of it that this deal writes
    made: Array  # the contract was made
    tricks_passed: Array  # tricks of the hand in the raspas
    tricks_played: Array  # as declarer; -1 where the deal was given up


def study(question: Question) -> Findings:
    """About `question.deals` hands, the same number in each raspas state (`--hand`: that hand alone)."""
    terms = question.terms()
    players = question.players(terms)
    kept = positions(question, terms, players)
    states = sorted(kept)
    parts = []
    for state in states:
        count = max(4, question.deals // len(states))
        task = partial(_block, question, terms, players, kept[state], state)
        parts += question.blocks(f"raspas state {state}", count, task, BLOCK)
    tries = Tries(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in attrs.fields(Tries)))
    return _findings(question, terms, tries)


def positions(question: Question, terms: Terms, players: tuple[Player, ...]) -> dict[int, Array]:
    """Tables between two deals of pulkas that the bot plays with itself, by raspas state: dtype `TABLE`."""
    kept: dict[int, list[Array]] = {}
    source = min(SOURCE[1], max(SOURCE[0], question.deals // 60))

    def block(first: int, number: int) -> list[Array]:
        found: list[Array] = []
        setup = Setup(terms, players[:1], ((0,) * terms.seats,), seed=question.seed, target=question.convention.default_target, limit=LIMIT)

        def on_deals(rows: Array) -> None:
            found.append(tables.chosen(rows, (rows["phase"] == P_DEAL) & (rows["next_forced"] == 0)))

        done = batch.play_block(setup, first, number, on_deals)
        for failure in done.failures:
            raise LabError(f"the bot {failure.player} failed in pulka {failure.pulka + 1}, deal {failure.deal}: {failure.reason}")
        return found

    for found in question.blocks("positions", source, block, 50):
        rows = np.concatenate(found)
        # in an order of their own, whatever number of deals the engine hands over at a time
        rows = tables.chosen(rows, np.lexsort((rows["deal_no"], rows["pulka"])))
        for state in range(1, 4):
            some = tables.chosen(rows, rows["next_level"] == state)
            if len(some):
                kept.setdefault(state, []).append(some)
    joined = {state: np.concatenate(rows)[:KEPT] for state, rows in kept.items()}
    if not joined:
        raise LabError(f"the bot {question.names[0]} left no position to study: its pulkas end with their first deal")
    return {state: rows for state, rows in joined.items() if len(rows) >= 20 or state == min(joined)}


def _block(question: Question, terms: Terms, players: tuple[Player, ...], kept: Array, state: int, first: int, number: int) -> Tries:
    key = question.seed + 0x9A55 * state
    numbers = np.arange(first, first + number)
    place = numbers % 3
    tables_before = tables.chosen(kept, numbers % len(kept))
    seats = terms.seats
    own = (tables_before["next_dealer"].astype(np.int64) + 1 + place) % seats
    decks, fits = passed_by_others(question, terms, players, tables_before, own, place, key, numbers)
    tables_before, own, place, decks, numbers = tables.chosen(tables_before, fits), own[fits], place[fits], decks[fits], numbers[fits]
    n = len(numbers)
    seating = np.zeros((n, seats), dtype=np.int64)
    cards = numbers + LATER_STREAMS  # later deals: streams of their own, the same after a pass and after a bid
    rows = np.arange(n)
    settled, at_once, tricks = [], [], []
    for bidders in (np.full(n, tables.NOBODY), own):
        now = tables_before.copy()
        tables.bid_or_pass(terms, now, decks, bidders)
        one = now.copy()
        one["limit"] = one["deal_no"] + 1
        tables.play_on(terms, players, seating, one, key)
        at_once.append(tables.deal_whists(terms, one)[rows, own])
        tricks.append(np.where(one["ended"] == E_PLAYED, one["tricks"][rows, own], -1).astype(np.int64))
        now["limit"] = now["deal_no"] + LIMIT
        tables.play_on(terms, players, seating, now, key, cards)
        settled.append(tables.settled(terms, now)[rows, own])
    level = np.array(LEVEL)[one["contract"]]
    made = (one["ended"] == E_PLAYED) & (tricks[1] >= level) | np.isin(one["ended"], (E_UNPLAYED, E_HALF))
    edge, now_edge = settled[1] - settled[0], at_once[1] - at_once[0]
    return Tries(deal.masks_of(decks)[rows, place], np.full(n, state), place, edge, now_edge, made, tricks[0], tricks[1])


def passed_by_others(
    question: Question, terms: Terms, players: tuple[Player, ...], before: Array, own: Array, place: Array, key: int, numbers: Array
) -> tuple[Array, Array]:
    """For each table the first of a few decks in which the bot passes at all hands but `own`: decks (n, 32), and whether there was one."""
    n = len(before)
    decks, fits = np.zeros((n, 32), dtype=np.uint8), np.zeros(n, dtype=bool)
    table_of = (*players[:1], passing(players[0], catalogue.version_of(question.bots[0])))
    for attempt in range(TRIES):
        open_ = np.flatnonzero(~fits)
        if not len(open_):
            break
        tried = deal.decks(key, numbers[open_], attempt)
        if question.hand:
            tried = with_hand(tried, question.hand, place[open_])
        one = tables.chosen(before, open_)
        one["limit"] = one["deal_no"] + 1
        seating = np.zeros((len(open_), terms.seats), dtype=np.int64)
        seating[np.arange(len(open_)), own[open_]] = 1
        tables.dealt(terms, one, tried)
        tables.play_on(terms, table_of, seating, one, key)
        passed = one["kind"] == K_RASPAS
        decks[open_[passed]] = tried[passed]
        fits[open_[passed]] = True
    return decks, fits


def with_hand(decks: Array, hand: int, place: Array) -> Array:
    """Decks (n, 32) in which the hand at `place[i]` is `hand`, the other cards in the order of the given decks."""
    held = (np.int64(hand) >> decks.astype(np.int64)) & 1 == 1
    laid = np.take_along_axis(decks, np.argsort(~held, axis=1, kind="stable"), axis=1)
    result = np.concatenate([laid[:, 10:30], laid[:, 30:], laid[:, :10]], axis=1)  # two other hands, talon, the hand
    order = np.empty((3, 32), dtype=np.int64)
    for p in range(3):
        others = iter((np.arange(10), np.arange(10, 20)))
        parts = [np.arange(22, 32) if k == p else next(others) for k in range(3)]
        order[p] = np.concatenate([*parts, np.arange(20, 22)])
    return np.take_along_axis(result, order[place], axis=1)


def _findings(question: Question, terms: Terms, tries: Tries) -> Findings:
    rows: list[dict[str, Any]] = []
    count = COUNTS[MAIN].of(tries.hands)
    states = sorted(set(tries.state.tolist()))
    by_count: dict[int, dict[int, Estimate]] = {state: {} for state in states}
    for state in states:
        for label, value in [("all hands", None), *((str(c), c) for c in np.unique(count).tolist())]:
            chosen = tries.state == state if value is None else (tries.state == state) & (count == value)
            if chosen.sum() < FEWEST:
                continue
            edge = mean(tries.edge[chosen])
            if value is not None:
                by_count[state][value] = edge
            row: dict[str, Any] = {"state": state, "count": label, "hands": int(chosen.sum())}
            for column, e in (
                ("edge", edge),
                ("edge_at_once", mean(tries.at_once[chosen])),
                ("made", share(tries.made[chosen])),
                ("raspas_tricks", mean(tries.tricks_passed[chosen])),
            ):
                row |= columns_of(column, e)
            rows.append(row)
    page = _page(question, terms, tries, rows)
    return Findings("pass-or-play", "Pass or play", rows, page, lambda figure: _draw(figure, by_count), (8.0, 4.6))


def _told_apart(count: Array, tries: Tries) -> float:
    """The part of the edge's variance, state by state, that lies between different values of a count."""
    explained = total = 0.0
    for state in set(tries.state.tolist()):
        edge, values = tries.edge[tries.state == state], count[tries.state == state]
        total += float(((edge - edge.mean()) ** 2).sum())
        for value in np.unique(values):
            part = edge[values == value]
            explained += len(part) * float(part.mean() - edge.mean()) ** 2
    return explained / total if total else 0.0


@attrs.frozen
class Threshold:
    """A rule to play from a count on: the best one, those that cannot be told from it, and what it brings a hand over passing always."""

    best: int
    low: int
    high: int
    gain: Estimate


def threshold(count: Array, edge: Array) -> Threshold:
    """The count from which on playing brings most over all hands (n,)."""
    candidates = [*np.unique(count).tolist(), int(count.max()) + 1]
    brings = {c: np.where(count >= c, edge, 0.0) for c in candidates}
    best = max(candidates, key=lambda c: float(brings[c].sum()))
    alike = [c for c in candidates if not sure(mean(brings[best] - brings[c]))]
    return Threshold(best, min(alike), max(alike), mean(brings[best]))


def _page(question: Question, terms: Terms, tries: Tries, rows: list[dict[str, Any]]) -> list[str]:
    lowest = [int(x) for x in terms.rules["start_level"][0]]
    page = [
        question.rules_line(),
        f"{_subject(question, len(tries.hands))} in pulkas that it plays with itself, while it would pass at all other hands. Each pulka "
        "is played to its end twice, with the same cards: after three passes, and after this hand has bid the lowest contract "
        f"({', '.join(f'a {level} in state {k}' for k, level in enumerate(lowest, 1))}) and plays it. *Edge*: what playing settles to more "
        "than passing for this seat, in whists, at the end of the pulka; *at once*: what this deal alone makes of it. 95 % intervals.",
    ]
    if question.hand:
        lines = [(f"state {r['state']}", f"{r['hands']:,}", *_figures(r)) for r in rows if r["count"] == "all hands"]
        page.append(table(("", *HEAD), lines))
        page += [_verdict(r) for r in rows if r["count"] == "all hands"]
        return page
    states = list(dict.fromkeys(r["state"] for r in rows))
    page.append(_rules_to_remember(tries, states))
    count = COUNTS[MAIN].of(tries.hands)
    page.append(f"Below, hands are told apart by {COUNTS[MAIN].words}.")
    for state in states:
        mine = [r for r in rows if r["state"] == state]
        page.append(f"## State {state}: passing against a {lowest[state - 1]}")
        page.append(table(("count", *HEAD), [(r["count"], f"{r['hands']:,}", *_figures(r)) for r in mine]))
        at = threshold(count[tries.state == state], tries.edge[tries.state == state])
        alike = f"; these hands do not tell {at.low} to {at.high} apart" if at.low != at.high else ""
        page.append(
            f"**State {state}: play from {at.best} on**{alike}. "
            f"That brings {told(at.gain, 1, signed=True)} whists a hand more than always passing."
        )
    page.append("## By place, over all hands")
    page.append(table(("place", "edge", "at once", "what comes after"), [_by_place(tries, place) for place in range(3)]))
    return page


def _by_place(tries: Tries, place: int) -> tuple[str, ...]:
    mine = tries.place == place
    parts = (tries.edge[mine], tries.at_once[mine], tries.edge[mine] - tries.at_once[mine])
    return (PLACES[place], *(told(mean(part), 1, signed=True) for part in parts))


def _subject(question: Question, count: int) -> str:
    if question.hand:
        return f"The hand {pretty(question.hand)}: {count:,} deals in which {question.names[0]} holds it"
    return f"{count:,} hands that {question.names[0]} is dealt"


def _rules_to_remember(tries: Tries, states: list[int]) -> str:
    """For each count: what it tells apart, and from where on to play in each state."""
    lines = []
    for count in COUNTS.values():
        values = count.of(tries.hands)
        row = [count.words, f"{_told_apart(values, tries):.1%}"]
        for state in states:
            mine = tries.state == state
            at = threshold(values[mine], tries.edge[mine])
            alike = "" if at.low == at.high else f" ({at.low} to {at.high})"
            row.append(f"{at.best}{alike}, {told(at.gain, 1, signed=True)}")
        lines.append(row)
    text = table(("count", "of the variance", *(f"state {s}: play from, whists a hand" for s in states)), lines)
    return (
        "## Counts to play by\n\nWhat part of the edge's variance a count tells apart, the count from which on to play (in brackets "
        f"those that these hands do not tell from it), and what this rule brings over passing always.\n\n{text}"
    )


HEAD = ("hands", "edge", "at once", "contract made", "tricks in the raspas")


def _estimate(row: dict[str, Any], name: str) -> Estimate:
    return Estimate(row["hands"], row[name], None, row[f"{name}_low"], row[f"{name}_high"])


def _figures(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        told(_estimate(row, "edge"), 0, signed=True),
        told(_estimate(row, "edge_at_once"), 0, signed=True),
        told(_estimate(row, "made"), 0, percent=True),
        told(_estimate(row, "raspas_tricks"), 2),
    )


def _verdict(row: dict[str, Any]) -> str:
    e = _estimate(row, "edge")
    words = "play it" if (e.low or 0) > 0 else "pass" if (e.high or 0) < 0 else "these deals do not decide it"
    return f"State {row['state']}: {words}, edge {told(e, 1, signed=True)} whists."


def _draw(figure: Any, by_count: dict[int, dict[int, Estimate]]) -> None:
    axes = figure.subplots()
    plots.zero_line(axes)
    for k, (state, estimates) in enumerate(by_count.items()):
        at = [value + 0.12 * (k - 1) for value in estimates]
        plots.dots(axes, at, list(estimates.values()), plots.COLOURS[k], f"raspas state {state}", "osD"[k])
    axes.set_xlabel(COUNTS[MAIN].words)
    axes.set_ylabel("whists by which playing beats passing")
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.legend(frameon=False)
