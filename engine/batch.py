"""The fast core: blocks of tables played to their end (`docs/rules.md` throughout, through `machine`).

A block is a range of pulka numbers and a pure function of (setup, range): threads, processes and clusters give the same
bytes. One kernel, `advance`, plays every table of a block until its decks run out or a bot outside the compiled core
must decide; then NumPy deals the next chunk, or the outside bots are asked for all waiting tables at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import attrs
import numpy as np

from engine import deal, jit, machine, pulka, rng, view
from engine.jit import rule
from engine.table import P_DEAL, P_OVER, VIEW, new_tables
from engine.telling import ToldError, in_a_line, is_interrupt
from engine.terms import Terms
from engine.view import copy_table

NO_ACTION = -1
ILLEGAL = 255  # what an outside bot's failure is handed to the core as


class Policy(Protocol):
    """A bot outside the compiled core: views of all tables that wait for it in, actions out."""

    def act_batch(self, views: np.ndarray[Any, Any]) -> Sequence[int] | np.ndarray[Any, Any]:
        """`views`: shape (k,), dtype `VIEW`, valid during the call; returns k action numbers in the same order."""
        ...


@attrs.frozen(eq=False)
class Player:
    """A bot as the core knows it: compiled code by address, or a maker of policies (a fresh one for each block).

    `sees_all` marks a policy that is no fair player: its `act_batch(views, tables)` is handed copies of the tables too. That is
    for whoever sets up the run to say; no policy can claim it for itself.
    """

    name: str
    compiled: jit.Address | None = None
    make_policy: Callable[[], Policy] | None = None
    sees_all: bool = False


@attrs.frozen(eq=False)
class Setup:
    """A run's description, as far as the engine needs it.

    `seatings[j]` names, by index into `players`, who sits at each seat; pulka number *n* is played under seating
    n mod len(seatings). With `duplicate` the cards of pulka *n* are those of set n // len(seatings), so that a set
    of pulkas has the same cards under every seating. `limit` cuts a pulka after so many deals (0: never).
    """

    terms: Terms
    players: tuple[Player, ...]
    seatings: tuple[tuple[int, ...], ...]
    seed: int = 0
    target: int = 10
    limit: int = 0
    duplicate: bool = False

    def cards_of(self, numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Which card stream each pulka number plays with."""
        return numbers // len(self.seatings) if self.duplicate else numbers

    def seating_of(self, numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Player indexes, shape (n, seats)."""
        return np.asarray(self.seatings, dtype=np.int64)[numbers % len(self.seatings)]


@attrs.define(eq=False)
class Failure:
    """A bot that raised, or answered with an illegal action: its pulka ended there."""

    pulka: int
    deal: int
    seat: int
    player: str
    action: int
    reason: str
    view: np.ndarray[Any, Any]


@attrs.define(eq=False)
class Block:
    """A finished block: the tables as they ended, shape (count,), and what failed."""

    first: int
    tables: np.ndarray[Any, Any]
    failures: list[Failure]


@rule
def open_tables(tables, procedures, target, numbers, cards, seed, limit):
    """Begin a pulka on every table; seat 0 deals first. `cards[i]` keys the bots' random numbers too."""
    for i in range(len(numbers)):
        pulka.begin(tables[i], procedures[0], 0, target, numbers[i], rng.bot_key(seed, cards[i]), limit)


@rule
def advance(tables, procedures, scorer, rules, bots, start, decks, views, waiting, answers, n, rows, out):
    """Play the `n` tables listed in `waiting` until each needs a deck, an outside bot's word, or has ended.

    `bots[i, seat]`: address of a compiled bot, 0 for an outside one. `answers[j]`: the action for table `waiting[j]`, or
    -1. `decks[i, d]`: the deck of deal `start[i] + d`. Tables that wait for a word come back in `waiting[:k]` with their
    views in `views[:k]`; `out[0]` is the number of rows written. Returns k.
    """
    p = procedures[0]
    k = 0
    noted = 0
    for j in range(n):
        i = waiting[j]
        t = tables[i]
        action = answers[j]
        while t.phase != P_OVER:
            if t.phase == P_DEAL:
                d = t.deal_no - start[i]
                if d >= decks.shape[1]:
                    break
                machine.deal(t, p, decks[i, d])
            legal = machine.legal(t, p)
            if action == NO_ACTION:
                v = views[k]  # k <= j: no view that still waits is overwritten
                view.fill(t, v, t.actor, legal)
                bot = bots[i, t.actor]
                if bot == 0:
                    waiting[k] = i
                    k += 1
                    break
                action = jit.call_bot(bot, v, rules)
            if not machine.is_legal(t, legal, action):
                t.fault = 1 + t.actor
                t.bad = action
                t.stopped = t.phase
                t.phase = P_OVER
                break
            machine.apply(t, p, scorer, rules, action)
            action = NO_ACTION
            if t.phase == P_DEAL or t.phase == P_OVER:
                copy_table(t, rows[noted])
                noted += 1
    out[0] = noted
    return k


class _Unmade:
    """In place of a policy that could not be made: every pulka that needs it fails for that reason."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def act_batch(self, views: np.ndarray[Any, Any], *shown: np.ndarray[Any, Any]) -> Sequence[int]:
        raise ToldError(self.reason)


def policy_of(player: Player) -> Policy | None:
    """A fresh policy of an outside bot, None for a compiled one; what making it raises, it raises when it is asked."""
    if player.make_policy is None:
        return None
    try:
        return player.make_policy()
    except BaseException as error:
        if is_interrupt(error):
            raise
        return _Unmade(f"it could not be made anew: {in_a_line(error)}")


class _Outside:
    """The bots of one block that live outside the compiled core."""

    def __init__(self, setup: Setup, tables: np.ndarray[Any, Any], seating: np.ndarray[Any, Any]) -> None:
        self.setup = setup
        self.tables = tables
        self.seating = seating
        self.policies = [policy_of(player) for player in setup.players]
        self.failures: list[Failure] = []

    def ask(self, waiting: np.ndarray[Any, Any], views: np.ndarray[Any, Any], answers: np.ndarray[Any, Any]) -> None:
        """Fill `answers` for the tables in `waiting`, one call to each policy that is wanted."""
        wanted = self.seating[waiting, views["actor"]]
        for player in np.unique(wanted):
            at = np.flatnonzero(wanted == player)
            whole = len(at) == len(waiting)
            asked = views if whole else views.view(f"V{VIEW.itemsize}")[at].view(VIEW)
            answers[at] = self._answers(int(player), waiting[at], asked)

    def _answers(self, player: int, tables: np.ndarray[Any, Any], views: np.ndarray[Any, Any]) -> Any:
        policy = self.policies[player]
        assert policy is not None
        try:
            shown = (self.tables[tables],) if self.setup.players[player].sees_all else ()
            actions = np.asarray(policy.act_batch(views, *shown), dtype=np.int64)
            if actions.shape != (len(views),):
                raise ValueError(f"{len(views)} actions were asked for, {actions.shape} came back")
        except BaseException as error:  # a bot does not end the run
            if is_interrupt(error):
                raise
            if len(views) == 1:
                self.note(int(tables[0]), views[:1], -1, in_a_line(error))
                return ILLEGAL
            # one bad view must not end the other tables' pulkas: ask for each alone
            return [np.int64(self._answers(player, tables[j : j + 1], views[j : j + 1])).item() for j in range(len(views))]
        return np.where((actions >= 0) & (actions < ILLEGAL), actions, ILLEGAL)

    def note(self, i: int, one_view: np.ndarray[Any, Any], action: int, reason: str) -> None:
        table = self.tables[i]
        seat = int(one_view["actor"][0])
        name = self.setup.players[self.seating[i, seat]].name
        self.failures.append(Failure(int(table["pulka"]), int(table["deal_no"]) + 1, seat, name, action, reason, one_view.copy()))


def play_block(
    setup: Setup, first: int, count: int, on_deals: Callable[[np.ndarray[Any, Any]], None] | None = None, chunk: int = 12
) -> Block:
    """Play pulkas `first` … `first + count - 1` to their end.

    `on_deals` is handed the deals that were finished, as copies of their tables (dtype `TABLE`, the last deal's cards,
    log and entries intact), valid during the call; deals of one pulka come in their order.
    """
    terms = setup.terms
    numbers = np.arange(first, first + count, dtype=np.int64)
    cards = setup.cards_of(numbers)
    seating = setup.seating_of(numbers)
    tables = new_tables(count)
    bots = jit.address_array((count, 4))
    for at, player in enumerate(setup.players):
        if player.compiled is not None:
            bots[:, : terms.seats][seating == at] = player.compiled.number
    outside = _Outside(setup, tables, seating)
    start = np.zeros(count, dtype=np.int64)
    decks = np.zeros((count, chunk, 32), dtype=np.uint8)
    views = np.zeros(count, dtype=VIEW)
    waiting = np.arange(count, dtype=np.int64)
    answers = np.full(count, NO_ACTION, dtype=np.int64)
    rows = new_tables(count * chunk)
    out = np.zeros(1, dtype=np.int64)
    plain = jit.plain
    plain_tables, plain_decks, plain_views, plain_rows = plain(tables), plain(decks), plain(views), plain(rows)

    open_tables(plain_tables, terms.procedure, setup.target, plain(numbers), plain(cards), setup.seed, setup.limit)
    asked = 0  # how many tables wait for an outside bot: the first of `waiting`
    while True:
        dry = np.flatnonzero(tables["phase"] == P_DEAL)
        if len(dry):
            start[dry] = tables["deal_no"][dry]
            decks[dry] = deal.decks(setup.seed, cards[dry], start[dry][:, None] + np.arange(chunk))
            waiting[asked : asked + len(dry)] = dry
            answers[asked : asked + len(dry)] = NO_ACTION
        elif not asked:
            break
        asked = advance(
            plain_tables, terms.procedure, terms.scorer_number, terms.pointer, bots, plain(start), plain_decks, plain_views,
            plain(waiting), plain(answers), asked + len(dry), plain_rows, plain(out),
        )  # fmt: skip
        if on_deals is not None and out[0]:
            on_deals(rows[: out[0]])
        if asked:
            outside.ask(waiting[:asked], views[:asked], answers[:asked])
    for i in np.flatnonzero(tables["fault"]):
        _note_fault(outside, terms, int(i))
    return Block(first, tables, outside.failures)


@rule
def look(tables, i, procedures, views, seat):
    """Fill `views[0]` with what `seat` knows at table `i`."""
    t = tables[i]
    legal = machine.legal(t, procedures[0]) if t.actor == seat else 0
    view.fill(t, views[0], seat, legal)


def _note_fault(outside: _Outside, terms: Terms, i: int) -> None:
    """Report an illegal action, unless the bot's exception has been reported already."""
    table = outside.tables[i]
    if any(failure.pulka == table["pulka"] for failure in outside.failures):
        return
    views = np.zeros(1, dtype=VIEW)
    seat = int(table["fault"]) - 1
    restored = outside.tables[i : i + 1].copy()
    restored["phase"] = table["stopped"]
    look(jit.plain(restored), 0, terms.procedure, jit.plain(views), seat)
    action = int(table["bad"])
    outside.note(i, views, action, "raised an exception or gave no action" if action < 0 or action == ILLEGAL else "gave an illegal action")


def blocks(first: int, count: int, size: int) -> Iterator[tuple[int, int]]:
    """The ranges (first, count) that cover `count` pulkas."""
    for at in range(first, first + count, size):
        yield at, min(size, first + count - at)
