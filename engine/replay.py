"""Reading pulka records and playing them through the engine (`docs/interfaces.md`, "A pulka record").

A record is checked in two steps: `read` looks at its form, `replay` plays it. Both raise `RecordError`, whose text
begins with the place: deals and actions are numbered from 1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from engine import actions, cards
from engine.actions import ActionError
from engine.cards import CardError
from engine.game import MOST_TARGET, Game
from engine.record import FORMAT, VERSION, exact, from_sixths, read_exact
from engine.table import P_OVER, UNIT
from engine.terms import Terms


class RecordError(ValueError):
    """A record that is damaged, or that the rules contradict."""


@attrs.frozen
class DealRecord:
    """One deal as a record tells it: masks by seat (0 for the talon-sitter), the talon as turned up, action numbers."""

    dealer: int
    hands: tuple[int, ...]
    talon: tuple[int, int]
    actions: tuple[int, ...]
    scored: dict[str, list[Any]]  # pool, mountain: seats fractions; whists: rows of them


@attrs.frozen
class PulkaRecord:
    """One pulka as a record tells it."""

    convention: str
    options: dict[str, Any]
    seats: int
    target: int
    players: tuple[str, ...]
    deals: tuple[DealRecord, ...]
    result: tuple[Fraction, ...]
    finished: bool


def _need(record: Any, name: str, kind: type | tuple[type, ...], words: str, place: str = "") -> Any:
    if not isinstance(record, dict):
        raise RecordError(f"{place}a JSON object is expected, {type(record).__name__} found")
    if name not in record:
        raise RecordError(f'{place}"{name}" is missing; it is {words}')
    value = record[name]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise RecordError(f'{place}"{name}" is {value!r}; it must be {words}')
    return value


def number(value: Any, place: str) -> Fraction:
    """An exact number: a JSON integer, or a text such as `"5/2"`; floats are refused."""
    try:
        return read_exact(value)
    except ValueError:
        raise RecordError(f'{place} is {value!r}; exact numbers are integers or texts such as "5/2"') from None


def _row(value: Any, seats: int, place: str) -> list[Fraction]:
    if not isinstance(value, list) or len(value) != seats:
        raise RecordError(f"{place} must be a list of {seats} numbers, one for each seat")
    return [number(v, f"{place}[{i}]") for i, v in enumerate(value)]


def _scored(value: Any, seats: int, place: str) -> dict[str, list[Any]]:
    whists = _need(value, "whists", list, f"{seats} rows of {seats} numbers", place + "scored: ")
    if len(whists) != seats:
        raise RecordError(f'{place}scored: "whists" has {len(whists)} rows; there are {seats} seats')
    return {
        "pool": _row(value.get("pool"), seats, place + "scored pool"),
        "mountain": _row(value.get("mountain"), seats, place + "scored mountain"),
        "whists": [_row(row, seats, f"{place}scored whists[{a}]") for a, row in enumerate(whists)],
    }


def _read_deal(value: Any, seats: int, place: str) -> DealRecord:
    dealer = _need(value, "dealer", int, f"a seat, 0 … {seats - 1}", place)
    if not 0 <= dealer < seats:
        raise RecordError(f'{place}"dealer" is {dealer}; a seat is 0 … {seats - 1}')
    hands_text = _need(value, "hands", list, f"{seats} hands", place)
    if len(hands_text) != seats:
        raise RecordError(f"{place}{len(hands_text)} hands are given; there are {seats} seats")
    hands = []
    try:
        for seat, text in enumerate(hands_text):
            if seats == 4 and seat == dealer:
                if text is not None:
                    raise RecordError(f"{place}seat {seat} deals and sits on the talon: its hand must be null")
                hands.append(0)
            elif not isinstance(text, str):
                raise RecordError(f"{place}the hand of seat {seat} is {text!r}; it must be ten cards such as SAKQ CT97 D8 HA97")
            else:
                hands.append(cards.parse_hand(text))
                if hands[-1].bit_count() != 10:
                    raise RecordError(f"{place}the hand of seat {seat} has {hands[-1].bit_count()} cards; a hand has 10")
        talon = cards.parse_cards(_need(value, "talon", str, "two cards such as C7 D7", place))
    except CardError as error:
        raise RecordError(f"{place}{error}") from None
    if len(talon) != 2:
        raise RecordError(f"{place}the talon has {len(talon)} cards; it has 2")
    seen = cards.mask_of(talon)
    for seat, hand in enumerate(hands):
        if seen & hand:
            twice = cards.card_text(next(cards.cards_of(seen & hand)))
            raise RecordError(f"{place}the card {twice} stands twice in the deal (again at seat {seat})")
        seen |= hand
    played = []
    for index, word in enumerate(_need(value, "actions", str, "the deal's actions separated by spaces", place).split(), 1):
        try:
            played.append(actions.parse_action(word))
        except ActionError as error:
            raise RecordError(f"{place}action {index}: {error}") from None
    return DealRecord(dealer, tuple(hands), (talon[0], talon[1]), tuple(played), _scored(value.get("scored"), seats, place))


def read(value: Any) -> PulkaRecord:
    """A record from its JSON object; `RecordError` names what is wrong and where."""
    if _need(value, "format", str, f'"{FORMAT}"') != FORMAT:
        raise RecordError(f'"format" is {value["format"]!r}; this is no pulka record unless it is "{FORMAT}"')
    if _need(value, "version", int, str(VERSION)) != VERSION:
        raise RecordError(f'"version" is {value["version"]}; version {VERSION} is read here')
    convention = _need(value, "convention", str, "a convention's name")
    options = value.get("options", {})
    if not isinstance(options, dict):
        raise RecordError(f'"options" is {options!r}; it must be an object of option names and values')
    seats = _need(value, "seats", int, "3 or 4")
    if seats not in (3, 4):
        raise RecordError(f'"seats" is {seats}; it must be 3 or 4')
    target = _need(value, "target", int, f"a number of points, 1 to {MOST_TARGET}")
    if not 1 <= target <= MOST_TARGET:
        raise RecordError(f'"target" is {target}; it must be a number of points, 1 to {MOST_TARGET}')
    players = _need(value, "players", list, f"{seats} names")
    if len(players) != seats or not all(isinstance(p, str) for p in players):
        raise RecordError(f'"players" must be {seats} names, one for each seat')
    deals = [_read_deal(d, seats, f"deal {i}: ") for i, d in enumerate(_need(value, "deals", list, "the list of deals"), 1)]
    if not deals:
        raise RecordError('"deals" is empty; a record has one deal or more')
    result = _row(_need(value, "result", list, f"{seats} numbers"), seats, '"result"')
    finished = value.get("finished", True)
    if not isinstance(finished, bool):
        raise RecordError(f'"finished" is {finished!r}; it must be true or false')
    return PulkaRecord(convention, options, seats, target, tuple(players), tuple(deals), tuple(result), finished)


def deck_of(deal: DealRecord, seats: int) -> np.ndarray[Any, Any]:
    """The deck (32 card numbers, first hand's first) that deals these hands."""
    order = [(deal.dealer + 1 + k) % seats for k in range(3)]
    return np.array([c for seat in order for c in cards.cards_of(deal.hands[seat])] + list(deal.talon), dtype=np.uint8)


def replay(record: PulkaRecord, terms: Terms) -> Game:
    """Play a record and check every action and entry; the game as it stands at the record's end (its result is not checked)."""
    game = Game(terms, target=record.target, dealer=record.deals[0].dealer)
    for number_, deal in enumerate(record.deals, 1):
        place = f"deal {number_}: "
        if game.over:
            raise RecordError(f"{place}the pulka has ended with deal {number_ - 1} (docs/rules.md 7.2)")
        dealer = int(game.table["next_dealer"][0])
        if deal.dealer != dealer:
            raise RecordError(f"{place}seat {deal.dealer} deals; it is for seat {dealer} to deal (docs/rules.md 1.5)")
        game.deal(deck_of(deal, record.seats))
        for index, action in enumerate(deal.actions, 1):
            if game.waits_for_deal or game.over:
                raise RecordError(f"{place}action {index}: the deal has ended before {actions.action_text(action)}")
            try:
                game.act(action)
            except ActionError as error:
                raise RecordError(f"{place}action {index}: {error}") from None
        if not (game.waits_for_deal or game.over):
            raise RecordError(f"{place}action {len(deal.actions) + 1}: the deal stops before its end, seat {game.actor} is to act")
        _check_entries(game, deal, place)
    if record.finished and game.phase != P_OVER:
        raise RecordError(
            f'deal {len(record.deals)}: the pulka stops before its end; such a record says "finished": false (docs/interfaces.md)'
        )
    return game


def _check_entries(game: Game, deal: DealRecord, place: str) -> None:
    seats = game.terms.seats
    table = game.table[0]
    for name in ("pool", "mountain"):
        for seat in range(seats):
            wrote = table[f"d_{name}"][seat]
            if Fraction(int(wrote), UNIT) != deal.scored[name][seat]:
                raise RecordError(
                    f"{place}scored {name} of seat {seat} is {exact(deal.scored[name][seat])}; the rules give {from_sixths(wrote)}"
                )
    for a in range(seats):
        for b in range(seats):
            wrote = table["d_whists"][a, b]
            said = deal.scored["whists"][a][b]
            if Fraction(int(wrote), UNIT) != said:
                raise RecordError(f"{place}scored whists of seat {a} on seat {b} are {exact(said)}; the rules give {from_sixths(wrote)}")
