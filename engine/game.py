"""The interactive face of the engine: one table, action by action.

    game = Game(terms, seed=7)
    game.deal()
    game.act("pass")

The same compiled rules serve this table and the batch; nothing of the game is decided here.
"""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np

from engine import actions, batch, deal, jit, machine, pulka, reasons, record, rng, text
from engine.actions import ActionError
from engine.jit import rule
from engine.plain import Plain
from engine.table import P_DEAL, P_OVER, P_PLAY, PHASE_NAMES, TABLE, VIEW, new_tables
from engine.terms import Terms

_MASK = (1 << 40) - 1
_DECK = list(range(32))
_CHUNK = 16  # decks dealt at once
MOST_TARGET = 1_000_000  # points; the sheet counts them in sixths in 32 bits


@rule
def state(tables, procedures):
    """What Python needs to know of table 0 in one number: legal mask, then actor + 1, turn + 1, phase, four bits each."""
    t = tables[0]
    legal = machine.legal(t, procedures[0])
    return legal | (t.actor + 1) << 40 | (t.turn + 1) << 44 | t.phase << 48


@rule
def step(tables, procedures, scorer, rules, action):
    """Carry out a legal action at table 0 and return `state` and, above it, 1 + the seat that took a trick with it.

    -1, and nothing changed, if the action is not legal.
    """
    t = tables[0]
    p = procedures[0]
    if not machine.is_legal(t, machine.legal(t, p), action):
        return -1
    playing = t.phase == P_PLAY
    before = t.trick_no
    tricks = t.tricks[0] | t.tricks[1] << 4 | t.tricks[2] << 8 | t.tricks[3] << 12
    machine.apply(t, p, scorer, rules, action)
    took = 0
    if playing and t.trick_no != before:
        for seat in range(t.seats):
            if t.tricks[seat] != tricks >> 4 * seat & 15:
                took = 1 + seat
    return state(tables, procedures) | took << 52


@rule
def give(tables, procedures, deck):
    """Deal `deck` at table 0 and return `state`."""
    machine.deal(tables[0], procedures[0], deck)
    return state(tables, procedures)


def _number(action: Any) -> int:
    """An action as a number, from a whole number or a text; `ActionError` otherwise."""
    if isinstance(action, str):
        return actions.parse_action(action)
    try:
        if not isinstance(action, bool):
            return operator.index(action)
    except TypeError:
        pass
    raise ActionError(f"{action!r} is no action: an action is a whole number 0 … {actions.ACTIONS - 1} or a text such as pass, 7S or SA")


class Event(NamedTuple):
    """One action as it happened: in deal number `deal` (from 1), `actor` decided it for the hand or word of `seat`.

    `took` is the seat that took a trick with this card, -1 where no trick ended.
    """

    deal: int
    phase: int
    seat: int
    actor: int
    action: int
    took: int

    def __str__(self) -> str:
        who = f"seat {self.seat}" if self.seat == self.actor else f"seat {self.seat} (played by seat {self.actor})"
        return f"deal {self.deal}, {PHASE_NAMES[self.phase]}: {who}: {actions.action_text(self.action)}"


class Game:
    """A pulka at one table.

    `terms`: what is played (`engine.terms.Terms`); `target`: the pool's size in points; `dealer`: who deals first;
    `seed`, `pulka`: key of the cards that `deal()` gives out; `limit`: deals after which the pulka is cut (0: never).
    What is not allowed is a `ValueError` that says what is.
    """

    def __init__(self, terms: Terms, target: int = 10, dealer: int = 0, seed: int = 0, pulka: int = 0, limit: int = 0) -> None:
        if not isinstance(terms, Terms):
            raise ValueError(f"terms {terms!r} are not allowed: they are an engine.terms.Terms, as conventions.terms.terms_of makes them")
        dealer = deal.whole("dealer", dealer, 0, terms.seats - 1)
        target = deal.whole("target", target, 1, MOST_TARGET)
        seed = deal.whole("seed", seed, 0, 2**63 - 1)
        pulka = deal.whole("pulka", pulka, 0, 2**63 - 1)
        limit = deal.whole("limit", limit, 0, 2**31 - 1)
        self.terms = terms
        self.seed = seed
        self.pulka = pulka
        self.table = new_tables(1)
        self.events: list[Event] = []
        self._tables = jit.plain(self.table)
        self._procedure = terms.procedure
        self._scorer = terms.scorer_number
        self._rules = terms.pointer
        self._bytes = self.table.view(np.uint8)
        self._undo: list[tuple[bytes, int]] = []
        self._finished: list[np.ndarray[Any, Any]] = []
        self._decks: tuple[int, np.ndarray[Any, Any]] = (-1, np.zeros((0, 32), dtype=np.uint8))
        open_table(self._tables, self._procedure, dealer, target, pulka, seed, limit)
        self._read(state(self._tables, self._procedure))

    def _read(self, packed: int) -> None:
        self._legal = packed & _MASK
        self.actor: int = (packed >> 40 & 15) - 1
        self.turn: int = (packed >> 44 & 15) - 1
        self.phase: int = packed >> 48 & 15

    @property
    def over(self) -> bool:
        """Whether the pulka has ended."""
        return self.phase == P_OVER

    @property
    def waits_for_deal(self) -> bool:
        """Whether the next thing to do is `deal()`."""
        return self.phase == P_DEAL

    @property
    def finished_deals(self) -> list[np.ndarray[Any, Any]]:
        """Every finished deal as a copy of the table at its end (arrays of one `TABLE` record)."""
        return self._finished

    def legal(self) -> list[int]:
        """The legal actions, lowest number first; empty between deals and after the end (`docs/interfaces.md`, actions)."""
        return actions.actions_of(self._legal, self._first_action())

    def legal_texts(self) -> list[str]:
        """The legal actions as texts."""
        return [actions.action_text(a) for a in self.legal()]

    def _first_action(self) -> int:
        return reasons.FIRST_ACTION[self.phase]

    def deal(self, deck: Any = None) -> None:
        """Give out the next deal: 32 card numbers (first hand's ten, second's, third's, the talon), or the keyed deck."""
        if self.phase != P_DEAL:
            raise ActionError(f"no deal now: {'the pulka is over' if self.over else 'the deal on the table is not finished'}")
        if deck is None:
            deck = self._keyed_deck(int(self.table["deal_no"][0]))
        try:
            numbers = [operator.index(card) for card in deck]
        except (TypeError, ValueError, OverflowError):
            numbers = []
        if sorted(numbers) != _DECK:
            raise ActionError("a deck is the 32 card numbers 0 … 31, each once: ten for each hand from first hand on, then the talon")
        self._undo.append((self._bytes.tobytes(), len(self.events)))
        self._read(give(self._tables, self._procedure, jit.plain(np.array(numbers, dtype=np.uint8))))

    def _keyed_deck(self, number: int) -> np.ndarray[Any, Any]:
        chunk, at = divmod(number, _CHUNK)
        if self._decks[0] != chunk:
            self._decks = chunk, deal.decks(self.seed, np.array([self.pulka]), chunk * _CHUNK, count=_CHUNK)[0]
        return self._decks[1][at]

    def act(self, action: int | str) -> Event:
        """Carry out one action, a number or a text; an illegal one raises `ActionError` with the rule and changes nothing."""
        if type(action) is not int:
            action = _number(action)
        if not 0 <= action < actions.ACTIONS:
            raise ActionError(self.why_not(action))
        before = self._bytes.tobytes()
        packed = step(self._tables, self._procedure, self._scorer, self._rules, action)
        if packed < 0:
            raise ActionError(self.why_not(action))
        event = Event(len(self._finished) + 1, self.phase, self.turn, self.actor, action, (packed >> 52) - 1)
        self._undo.append((before, len(self.events)))
        self.events.append(event)
        self._read(packed)
        if self.phase == P_DEAL or self.phase == P_OVER:
            self._finished.append(self._bytes.copy().view(TABLE))
        return event

    def why_not(self, action: int | str) -> str | None:
        """The rule that forbids the action now, in words with its section of `docs/rules.md`; None if it is legal."""
        try:
            number = _number(action)
        except ActionError as error:
            return str(error)
        if number in self.legal():
            return None
        return reasons.why_not(Plain(self.table, 0), self.terms.rules, number)

    def undo(self) -> None:
        """Take back the last action (or deal), byte for byte."""
        if not self._undo:
            raise ActionError("nothing to undo: no action has been taken")
        before, events = self._undo.pop()
        self._bytes[:] = np.frombuffer(before, dtype=np.uint8)
        del self.events[events:]
        deals = int(self.table["deal_no"][0])
        del self._finished[deals:]
        self._read(state(self._tables, self._procedure))

    def view(self, seat: int) -> np.ndarray[Any, Any]:
        """What `seat` may know, an array of one `engine.table.VIEW` record; its `legal` is 0 unless the seat decides now."""
        seat = deal.whole("seat", seat, 0, self.terms.seats - 1)
        views = np.zeros(1, dtype=VIEW)
        batch.look(self._tables, 0, self._procedure, jit.plain(views), seat)
        return views

    def render(self, seat: int | None = None) -> str:
        """The table in text, from one seat's eyes, or from above (all cards) without a seat."""
        if seat is None:
            return text.from_above(self.table[0])
        return text.from_seat(self.view(seat)[0])

    def record(self, players: list[str], result: Any) -> dict[str, Any]:
        """The record of the deals finished so far (`docs/interfaces.md`); `result` settles the sheet (exact fractions)."""
        t = self.table[0]
        return record.pulka_record(
            self.terms.name, self.terms.options, int(t["target"]), players, [d[0] for d in self._finished], result, bool(t["finished"])
        )


@rule
def open_table(tables, procedures, dealer, target, number, seed, limit):
    """Begin a pulka at table 0."""
    pulka.begin(tables[0], procedures[0], dealer, target, number, rng.bot_key(seed, number), limit)
