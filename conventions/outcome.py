"""One deal of a protocol (`docs/interfaces.md`, a protocol): read, checked, and turned into a row of numbers.

What can be known from the deal alone is checked here; what depends on the table (whose deal it is, the raspas state,
whether there is a choice) is checked where the deals are run (`conventions.protocol`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from conventions.rules_record import DUTY
from engine import cards, contracts
from engine.table import (
    C_MOUNTAIN,
    C_POOL,
    D_HALF,
    D_NONE,
    D_PASS,
    D_WHIST,
    E_GAVE_UP,
    E_HALF,
    E_PLAYED,
    E_UNPLAYED,
    K_GAME,
    K_MISERE,
    K_RASPAS,
)

# columns of a row
(DEALER, KIND, ENDED, BID, CONTRACT, DECLARER, SECOND, CHECKED, REFUSED, MISERE_SAID) = range(10)
DEFENCE, TRICKS, CHOICE, TALON = 10, 14, 18, 22
COLUMNS = 24

_WORDS = {"whist": D_WHIST, "half": D_HALF, "pass": D_PASS}
_CHOICES = {"pool": C_POOL, "mountain": C_MOUNTAIN}
_RASPAS_KEYS = frozenset({"dealer", "raspas", "tricks", "write"})
_GIVE_UP_KEYS = frozenset({"dealer", "give_up", "declarer", "talon", "overcalled_misere"})
_CONTRACT_KEYS = frozenset(
    {"dealer", "contract", "declarer", "defence", "second", "tricks", "talon", "refused", "overcalled_misere", "write"}
)


class ProtocolError(ValueError):
    """A protocol that does not stand up; the message names the deal (from 1), the field, the value and what is allowed."""


@attrs.frozen
class DealRules:
    """What of a convention's record a single deal is checked against."""

    seats: int
    give_up: bool
    refuse: bool
    stalingrad: bool
    ten_whisted: bool
    half_whist: bool
    talon_sitter_may_whist: bool
    raspas_talon: bool

    @classmethod
    def of(cls, record: Any) -> DealRules:
        """From a convention's compiled record."""
        flags = {a.name: bool(record[a.name][0]) for a in attrs.fields(cls) if a.name != "seats"}
        return cls(seats=int(record["seats"][0]), **flags)


def seat_of(value: Any, name: str, seats: int) -> int:
    """A seat number of a protocol."""
    if type(value) is not int or not 0 <= value < seats:
        raise ProtocolError(f"{name}: {value!r} is not a seat; allowed: 0 to {seats - 1}")
    return value


def _flag(deal: Mapping[str, Any], name: str) -> bool:
    value = deal.get(name)
    if value is None:
        return False
    if not isinstance(value, bool):
        raise ProtocolError(f"{name}: {value!r} is not allowed; allowed: true or false")
    return value


def _known(deal: Mapping[str, Any], keys: frozenset[str], what: str) -> None:
    for key in deal:
        if key not in keys and deal[key] is not None:
            raise ProtocolError(f"{key}: {what} has no such field; allowed: {', '.join(sorted(keys))}")


def _tricks(row: list[int], deal: Mapping[str, Any], rules: DealRules, sitter_most: int) -> None:
    tricks = deal.get("tricks")
    if tricks is None:
        raise ProtocolError("tricks are missing: a deal that is played has them, one number a seat, 10 in all")
    if not isinstance(tricks, list) or len(tricks) != rules.seats or any(type(n) is not int or not 0 <= n <= 10 for n in tricks):
        raise ProtocolError(f"tricks: {tricks!r} is not allowed; allowed: {rules.seats} whole numbers from 0 to 10, one a seat")
    if sum(tricks) != 10:
        raise ProtocolError(f"tricks: {tricks!r} are {sum(tricks)} in all; a deal has 10")
    if rules.seats == 4 and tricks[row[DEALER]] > sitter_most:
        reason = "the talon's two cards cannot take more" if sitter_most else "he holds no cards"
        raise ProtocolError(f"tricks: the talon-sitter, seat {row[DEALER]}, has {tricks[row[DEALER]]}; {reason}")
    row[TRICKS : TRICKS + rules.seats] = tricks


def _contract(text: Any, name: str) -> int:
    if not isinstance(text, str):
        raise ProtocolError(f"{name}: {text!r} is not a contract; allowed: 6S … 10N or misere, as a text")
    try:
        return contracts.parse_contract(text)
    except contracts.ContractError as error:
        raise ProtocolError(f"{name}: {error}") from None


def _declarer(row: list[int], deal: Mapping[str, Any], rules: DealRules) -> int:
    if "declarer" not in deal:
        raise ProtocolError(f"declarer is missing; allowed: a seat from 0 to {rules.seats - 1}")
    declarer = seat_of(deal["declarer"], "declarer", rules.seats)
    if rules.seats == 4 and declarer == row[DEALER]:
        raise ProtocolError(f"declarer: seat {declarer} deals and sits on the talon")
    row[DECLARER] = declarer
    return declarer


def _talon(row: list[int], deal: Mapping[str, Any]) -> None:
    text = deal.get("talon")
    if text is None:
        return
    try:
        talon = cards.parse_cards(text) if isinstance(text, str) else []
    except cards.CardError as error:
        raise ProtocolError(f"talon: {error}") from None
    if len(talon) != 2:
        raise ProtocolError(f"talon: {text!r} is not allowed; allowed: two cards such as 'SA D7'")
    row[TALON : TALON + 2] = talon


def _choice(value: Any, name: str) -> int:
    if not isinstance(value, str) or value not in _CHOICES:
        raise ProtocolError(f"{name}: {value!r} is not allowed; allowed: pool or mountain")
    return _CHOICES[value]


def _overcalled(row: list[int], deal: Mapping[str, Any], rung: int) -> None:
    if _flag(deal, "overcalled_misere"):
        if rung < contracts.NINE_SPADES:
            raise ProtocolError(f"overcalled_misere: {contracts.contract_text(rung)} does not beat misère; a nine or a ten does")
        row[MISERE_SAID] = 1


def read_deal(deal: Any, rules: DealRules) -> list[int]:
    """A deal as a row of `COLUMNS` numbers; `ProtocolError` (without the deal's number) where it is not one."""
    if not isinstance(deal, Mapping):
        raise ProtocolError(f"{deal!r} is not an object")
    row = [0] * COLUMNS
    row[DECLARER] = row[SECOND] = -1
    row[TALON + 1] = 1  # a talon left out counts as S7 S8, which are worth nothing
    if "dealer" not in deal:
        raise ProtocolError(f"dealer is missing; allowed: a seat from 0 to {rules.seats - 1}")
    row[DEALER] = seat_of(deal["dealer"], "dealer", rules.seats)
    kinds = [key for key in ("contract", "raspas", "give_up") if deal.get(key) is not None]
    if len(kinds) != 1:
        found = " and ".join(kinds) or "none of them"
        raise ProtocolError(f"a deal has exactly one of contract, raspas and give_up; this one has {found}")
    if kinds[0] == "raspas":
        _read_raspas(row, deal, rules)
    elif kinds[0] == "give_up":
        _read_give_up(row, deal, rules)
    else:
        _read_contract(row, deal, rules)
    return row


def _read_raspas(row: list[int], deal: Mapping[str, Any], rules: DealRules) -> None:
    _known(deal, _RASPAS_KEYS, "a raspas")
    if deal["raspas"] is not True:
        raise ProtocolError(f"raspas: {deal['raspas']!r} is not allowed; allowed: true")
    row[KIND] = K_RASPAS
    row[ENDED] = E_PLAYED
    _tricks(row, deal, rules, 2 if rules.raspas_talon else 0)
    write = deal.get("write")
    if write is None:
        return
    if not isinstance(write, Mapping):
        raise ProtocolError(f"write: {write!r} is not allowed in a raspas; allowed: an object of seats, such as {{'0': 'pool'}}")
    for seat, value in write.items():
        row[CHOICE + _seat_key(seat, "write", rules.seats)] = _choice(value, f"write of seat {seat}")


def _seat_key(key: Any, name: str, seats: int) -> int:
    number = int(key) if isinstance(key, str) and key in ("0", "1", "2", "3") else key
    return seat_of(number if type(number) is int else key, f"{name}: seat", seats)


def _read_give_up(row: list[int], deal: Mapping[str, Any], rules: DealRules) -> None:
    _known(deal, _GIVE_UP_KEYS, "a deal that was given up")
    if not rules.give_up:
        raise ProtocolError("give_up is not allowed here: the convention or its options have no «без трёх»")
    rung = _contract(deal["give_up"], "give_up")
    if rung == contracts.MISERE:
        raise ProtocolError("give_up: misere cannot be given up; allowed: 6S … 10N")
    row[KIND] = K_GAME
    row[ENDED] = E_GAVE_UP
    row[BID] = rung
    _declarer(row, deal, rules)
    _talon(row, deal)
    _overcalled(row, deal, rung)


def _read_contract(row: list[int], deal: Mapping[str, Any], rules: DealRules) -> None:
    _known(deal, _CONTRACT_KEYS, "a contract")
    rung = _contract(deal["contract"], "contract")
    row[BID] = row[CONTRACT] = rung
    declarer = _declarer(row, deal, rules)
    _talon(row, deal)
    if deal.get("write") is not None:
        row[CHOICE + declarer] = _choice(deal["write"], "write")
    if rung == contracts.MISERE:
        row[KIND] = K_MISERE
        row[ENDED] = E_PLAYED
        row[MISERE_SAID] = 1
        for name in ("defence", "second"):
            if deal.get(name) is not None:
                raise ProtocolError(f"{name}: a misère has no such field")
        for name in ("refused", "overcalled_misere"):
            if _flag(deal, name):
                raise ProtocolError(f"{name}: true is not allowed on a misère")
        _tricks(row, deal, rules, 0)
        return
    row[KIND] = K_GAME
    _overcalled(row, deal, rung)
    if _flag(deal, "refused"):
        if not rules.refuse:
            raise ProtocolError("refused: true is not allowed here: the convention or its options do not let the talon be refused")
        row[REFUSED] = 1
    _defence(row, deal, rules, rung)
    if row[ENDED] == E_PLAYED:
        _tricks(row, deal, rules, 0)
    elif deal.get("tricks") is not None:
        raise ProtocolError(f"tricks: {deal['tricks']!r} is not allowed: nobody whisted in full, so the deal was not played")


def _defence(row: list[int], deal: Mapping[str, Any], rules: DealRules, rung: int) -> None:
    """Who whisted (4.2): fills in the defence, the second whister and how the deal ended."""
    declarer, sitter = row[DECLARER], row[DEALER] if rules.seats == 4 else -1
    first, second = (s for k in range(1, rules.seats) if (s := (declarer + k) % rules.seats) != sitter)
    level = contracts.LEVEL[rung]
    defence = deal.get("defence")
    row[ENDED] = E_PLAYED
    if level == 10 and not rules.ten_whisted:
        row[CHECKED] = 1
        for name in ("defence", "second"):
            if deal.get(name) is not None:
                raise ProtocolError(f"{name}: a ten is not whisted here but checked, it has no such field")
        return
    stalingrad = rung == contracts.SIX_SPADES and rules.stalingrad
    if defence is None and not stalingrad:
        raise ProtocolError(f"defence is missing: what the defenders, seats {first} and {second}, were in the end (whist, half or pass)")
    said = _said(defence, rules, first, second, sitter) if defence is not None else {first: D_WHIST, second: D_WHIST}
    row[DEFENCE : DEFENCE + 4] = [said.get(seat, D_NONE) for seat in range(4)]
    if stalingrad and (said[first], said[second]) != (D_WHIST, D_WHIST):
        raise ProtocolError(f"defence: under Stalingrad both defenders, seats {first} and {second}, whist six spades")
    _check_half(said, rules, first, second, sitter, level)
    both = said[first] == D_WHIST and said[second] == D_WHIST
    if deal.get("second") is not None:
        if not both:
            raise ProtocolError("second: there is a second whister only where both defenders whist")
        if seat_of(deal["second"], "second", rules.seats) not in (first, second):
            raise ProtocolError(f"second: seat {deal['second']} is no defender; allowed: {first} or {second}")
    if both:
        row[SECOND] = second if deal.get("second") is None else deal["second"]
    elif D_HALF in said.values():
        row[ENDED] = E_HALF
    elif D_WHIST not in said.values():
        row[ENDED] = E_UNPLAYED


def _said(defence: Any, rules: DealRules, first: int, second: int, sitter: int) -> dict[int, int]:
    if not isinstance(defence, Mapping):
        raise ProtocolError(f"defence: {defence!r} is not allowed; allowed: an object such as {{'{first}': 'whist', '{second}': 'pass'}}")
    said = {}
    for key, word in defence.items():
        seat = _seat_key(key, "defence", rules.seats)
        if seat not in (first, second, sitter):
            raise ProtocolError(f"defence: seat {seat} is the declarer; the defenders are seats {first} and {second}")
        if not isinstance(word, str) or word not in _WORDS:
            raise ProtocolError(f"defence of seat {seat}: {word!r} is not allowed; allowed: whist, half or pass")
        said[seat] = _WORDS[word]
    for seat in (first, second):
        if seat not in said:
            raise ProtocolError(f"defence: seat {seat} is missing; both defenders, seats {first} and {second}, are named")
    return said


def _check_half(said: Mapping[int, int], rules: DealRules, first: int, second: int, sitter: int, level: int) -> None:
    """Half a whist and the talon-sitter's word (4.2, 4.3, 4.6)."""
    with_half = rules.half_whist and DUTY[level - 6] > 1
    if said[first] == D_HALF:
        raise ProtocolError(f"defence: seat {first} cannot take half a whist; only the second defender, seat {second}, can")
    if said[second] == D_HALF:
        if not with_half:
            raise ProtocolError(f"defence: half a whist is not allowed on a {level} here; it is on 6 and 7 where the convention has it")
        if said[first] != D_PASS:
            raise ProtocolError(f"defence: seat {second} takes half a whist only where seat {first} has passed")
    if sitter in said:
        if not (rules.talon_sitter_may_whist and with_half):
            raise ProtocolError(f"defence: seat {sitter} sits on the talon and has no word here")
        expected = {D_WHIST: D_PASS, D_PASS: D_HALF}.get(said[sitter])
        if expected is None or said[first] != D_PASS or said[second] != expected:
            raise ProtocolError(
                f"defence: the talon-sitter, seat {sitter}, says whist (both defenders pass then) or pass, after pass, half and pass"
            )
