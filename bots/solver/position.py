"""A position for people: three hands, the contract, who leads; solved to a value, the best plays and a line.

Three lines are enough (`docs/05-solver.md`):

    >>> from bots.solver import Position, solve
    >>> solution = solve(Position.read(["SAQ CJT9 DJ7 HKQ7", "SKJ CA8 DT98 HJ98", "ST987 CKQ DAKQ HA"], "6S", declarer=2, leader=1))
    >>> solution.tricks, solution.best
    (6, (15,))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import evolve, frozen

from bots.solver.batch import MISERE, NO_TRUMP, Positions, at_least_many, positions, solve_many, values_of_moves
from bots.solver.max_n import new_table, outcome_of
from engine import cards, contracts
from engine.jit import plain

RASPAS = "raspas"


class PositionError(ValueError):
    """A position that cannot be: the message says what is wrong and what is allowed."""


def _game(contract: str) -> int:
    """0..3 the trump suit, 4 no trump, 5 misère and raspas."""
    if contract == RASPAS:
        return MISERE
    rung = contracts.parse_contract(contract)
    return MISERE if rung == contracts.MISERE else contracts.TRUMP[rung]


def _seat(name: str, value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 2:
        raise PositionError(f"{name} {value!r} is not a seat: the three hands are seats 0, 1 and 2, clockwise")


def _are_whole(values: Any, highest: int) -> bool:
    return isinstance(values, (tuple, list)) and all(isinstance(v, (int, np.integer)) and 0 <= v <= highest for v in values)


@frozen
class Position:
    """Three hands of 1 to 10 cards with all cards known, at the start of a trick or within one.

    Raises `PositionError` (a `ValueError`) when built from what cannot be. See `Position.read` for texts.
    """

    hands: tuple[int, int, int]  # card masks, seats clockwise, without the cards on the table
    contract: str = "6N"  # 6S … 10N (only the trump matters), misere, raspas
    declarer: int = 0  # whose tricks are asked for; in a raspas, the seat that minimises against the two others
    leader: int = 0  # who leads this trick or has led it; while talon cards lead: first hand
    table: tuple[int, ...] = ()  # the cards played to this trick so far, in order
    talon: tuple[int, ...] = ()  # raspas: the talon cards that lead this trick and the next (6.2)
    talon_takes: bool = False  # raspas with four seats: a talon card can take its trick for the dealer

    def __attrs_post_init__(self) -> None:
        try:
            game = _game(self.contract)
        except (contracts.ContractError, AttributeError):
            raise PositionError(f"{self.contract!r} is not a contract: a contract is 6S … 10N, misere or raspas") from None
        _seat("declarer", self.declarer)
        _seat("leader", self.leader)
        if not _are_whole(self.hands, cards.DECK) or len(self.hands) != 3:
            raise PositionError(f"the hands are {self.hands!r}: they are three masks of cards (Position.read takes texts)")
        if not (_are_whole(self.table, 31) and _are_whole(self.talon, 31)):
            raise PositionError(f"table {self.table!r}, talon {self.talon!r}: each is a tuple of card numbers 0 … 31")
        if len(self.table) > 2:
            raise PositionError(f"{len(self.table)} cards lie on the table: a trick under way has none, one or two")
        if self.talon and self.contract != RASPAS:
            raise PositionError(f"a talon card leads a trick only in raspas, the contract is {self.contract}")
        if len(self.talon) > 2:
            raise PositionError(f"{len(self.talon)} talon cards are to be led: there are two at most")
        seen = 0
        for card in [c for hand in self.hands for c in cards.cards_of(hand)] + [*self.table, *self.talon]:
            if seen >> card & 1:
                raise PositionError(f"the card {cards.card_text(card)} stands in two places: every card is in one place only")
            seen |= 1 << card
        held = list(self.hands)
        for k, card in enumerate(self.table):
            held[(self.leader + k) % 3] |= 1 << card
        counts = [hand.bit_count() for hand in held]
        if len(set(counts)) > 1 or not 1 <= counts[0] <= 10:
            told = ", ".join(map(str, counts))
            raise PositionError(f"the hands have {told} cards (cards on the table included): three equal hands of 1 to 10 cards are solved")
        if counts[0] < len(self.talon):
            raise PositionError(f"{len(self.talon)} talon cards are to be led, but the hands have {counts[0]} card each")
        self._check_table(held, game)

    def _check_table(self, held: list[int], game: int) -> None:
        led = self.talon[0] // 8 if self.talon else -1
        for k, card in enumerate(self.table):
            seat = (self.leader + k) % 3
            if not _legal(held[seat], led, game) >> card & 1:
                raise PositionError(f"seat {seat} cannot have played {cards.card_text(card)}: it must follow suit, or else play a trump")
            led = card // 8 if led < 0 else led

    @classmethod
    def read(
        cls,
        hands: Sequence[str],
        contract: str,
        declarer: int = 0,
        leader: int = 0,
        table: str = "",
        talon: str = "",
        talon_takes: bool = False,
    ) -> Position:
        """From texts: hands `SAKQ CT97 D8 HA97`, the cards on the table and of the talon in order. `ValueError` if it cannot be."""
        masks = []
        if isinstance(hands, str) or not isinstance(hands, Sequence):
            raise PositionError(f"the hands are {hands!r}: a position has three, each a text such as SAKQ CT97 D8 HA97")
        for seat, text in enumerate(hands):
            if not isinstance(text, str):
                raise PositionError(f"the hand of seat {seat} is {text!r}: a hand is a text such as SAKQ CT97 D8 HA97")
            try:
                masks.append(cards.parse_hand(text))
            except cards.CardError as fault:
                raise PositionError(f"the hand of seat {seat}: {fault}") from None
        if not isinstance(contract, str):
            raise PositionError(f"{contract!r} is not a contract: a contract is 6S … 10N, misere or raspas")
        for place, text in (("table", table), ("talon", talon)):
            if not isinstance(text, str):
                raise PositionError(f"the {place} is {text!r}: it is cards in a text such as C7 D7")
        name = contract.strip().lower()
        name = name if name == RASPAS else contracts.contract_text(contracts.parse_contract(contract))
        if len(masks) != 3:
            raise PositionError(f"there are {len(masks)} hands: a position has three, seats 0, 1 and 2")
        led = tuple(cards.parse_cards(talon))
        return cls((masks[0], masks[1], masks[2]), name, declarer, leader, tuple(cards.parse_cards(table)), led, talon_takes)

    @property
    def game(self) -> int:
        return _game(self.contract)

    @property
    def turn(self) -> int:
        """The seat that plays next."""
        return (self.leader + len(self.table)) % 3

    @property
    def legal(self) -> int:
        """The cards the seat in turn may play, as a mask."""
        first = self.talon or self.table
        return _legal(self.hands[self.turn], first[0] // 8 if first else -1, self.game)

    @property
    def wants_many(self) -> bool:
        """Whether the seat in turn wants the declarer to take tricks."""
        return (self.turn == self.declarer) != (self.game == MISERE)

    def record(self) -> Positions:
        """This position as a one-element array of the solver's records."""
        return positions([self.hands], self.game, self.declarer, self.leader, self.table, self.talon, self.talon_takes)

    def played(self, card: int) -> Position | None:
        """The position after a legal card of the seat in turn; None after the last card of all."""
        held = list(self.hands)
        held[self.turn] &= ~(1 << card)
        hands = (held[0], held[1], held[2])
        if len(self.table) < 2:
            return evolve(self, hands=hands, table=(*self.table, card))
        if not any(hands):
            return None
        if self.talon:
            return evolve(self, hands=hands, table=(), talon=self.talon[1:])
        trick = (*self.table, card)
        trump = min(self.game, NO_TRUMP)
        best = max(range(3), key=lambda k: (trick[k] // 8 == trump, trick[k] // 8 == trick[0] // 8, trick[k]))
        return evolve(self, hands=hands, table=(), leader=(self.leader + best) % 3)


def _legal(hand: int, led: int, game: int) -> int:
    if led < 0:
        return hand
    trumps = hand & cards.SUIT << 8 * game if game < NO_TRUMP else 0
    return hand & cards.SUIT << 8 * led or trumps or hand


@frozen
class Solution:
    """What best play by all, all cards known, comes to."""

    tricks: int  # the declarer's from here on, the trick under way included if he takes it
    moves: dict[int, int]  # his tricks after each legal card of the seat in turn, by card number
    best: tuple[int, ...]  # the cards that keep the value, lowest first
    line: tuple[int, ...]  # a line of best play to the end: at every turn the lowest best card


def _choice(position: Position) -> tuple[dict[int, int], int, tuple[int, ...]]:
    row = values_of_moves(position.record(), threads=1)[0].tolist()
    moves = {card: value for card, value in enumerate(row) if value >= 0}
    value = max(moves.values()) if position.wants_many else min(moves.values())
    return moves, value, tuple(card for card, after in moves.items() if after == value)


def solve(position: Position) -> Solution:
    """The value, the value after each legal card, all best cards and a line; for a raspas, of the seat `declarer` against two."""
    moves, value, best = _choice(position)
    line = [best[0]]
    after = position.played(best[0])
    while after is not None:
        line.append(_choice(after)[2][0])
        after = after.played(line[-1])
    return Solution(value, moves, best, tuple(line))


def tricks(position: Position) -> int:
    """The declarer's tricks from here on, nothing else."""
    return int(solve_many(position.record())[0])


def takes_at_least(position: Position, number: int) -> bool:
    """Whether the declarer takes at least `number` tricks from here on: one yes-no question, cheaper than the value.

    A contract of level n makes if he takes n tricks; a misère is caught if he takes one.
    """
    return bool(at_least_many(position.record(), number)[0])


def paranoid(position: Position) -> tuple[int, int, int]:
    """For each seat of a raspas, what it takes when it minimises its tricks and the other two together maximise them."""
    record = np.repeat(position.record(), 3)
    record["declarer"] = range(3)
    a, b, c = solve_many(record, threads=1).tolist()
    return a, b, c


def max_n(position: Position) -> tuple[int, int, int]:
    """What each seat of a raspas takes if all three minimise their own tricks (the tie rule: see `bots.solver.max_n`).

    Nothing is pruned, but full deals too have few enough different positions for a fraction of a second.
    """
    vector = int(outcome_of(plain(position.record()), plain(new_table())))
    return vector & 15, vector >> 4 & 15, vector >> 8 & 15
