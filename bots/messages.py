"""What a bot in another language is told, as JSON objects: one greeting, then a question for each decision.

Cards, contracts and actions are texts of `docs/interfaces.md`; seats are numbers from 0; amounts are exact, integers or texts
such as `"5/2"`. `docs/09-league-and-other-languages.md` shows the lines.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from engine import actions, cards, contracts
from engine.record import exact
from engine.table import K_GAME, K_MISERE, K_RASPAS, PHASE_NAMES, UNIT

VERSION = 1
_DEFENCE = (None, "pass", "whist", "half")  # D_*
_CHOICE = (None, "pool", "mountain")  # C_*


def greeting(rules: np.ndarray[Any, Any]) -> dict[str, Any]:
    """The first line: which game this is. `rules`: the convention's record, shape (1,)."""
    from conventions.catalogue import PRESETS

    seats = int(rules["seats"][0])
    presets = {name: preset.compile(seats) for name, preset in PRESETS.items() if seats in preset.seats_allowed()}
    same = (name for name, compiled in presets.items() if compiled.tobytes() == rules.tobytes())
    return {
        "hello": "preferans",
        "version": VERSION,
        "convention": next(same, None),  # none: options or a convention of somebody's own; the rules say all
        "seats": seats,
        "rules": {name: rules[name][0].tolist() for name in rules.dtype.names or ()},
    }


def question(number: int, view: Any) -> dict[str, Any]:
    """One decision: `view` is an element of a `VIEW` array. It stands alone: nothing told before is needed to answer."""
    v = view
    seats = int(v["seats"])
    return {
        "question": number,
        "legal": legal_texts(v),
        "phase": PHASE_NAMES[v["phase"]],
        "seat": int(v["seat"]),  # who decides
        "turn": int(v["turn"]),  # whose hand the card comes from
        "hand": cards.hand_text(int(v["hand"])),
        "known": [cards.hand_text(int(mask)) or None for mask in v["known"][:seats]],
        "discard": [cards.card_text(card) for card in cards.cards_of(int(v["discard"]))],
        "deal": int(v["deal_no"]) + 1,
        "dealer": int(v["dealer"]),
        "raspas_state": int(v["level"]),
        "forced_raspas": bool(v["forced"]),
        "semester": int(v["semester"]),
        "target": int(v["target"]),
        "actions": " ".join(actions.action_text(int(a)) for a in v["log"][: v["words"]]),  # all that was said and played, but discards
        "bid": contracts.CONTRACT_NAMES[v["bid"]] or None,
        "bidder": _seat(v["bidder"]),
        "bids": [contracts.CONTRACT_NAMES[rung] or None for rung in v["said"][:seats]],
        "passed": [bool(int(v["passed"]) >> seat & 1) for seat in range(seats)],
        "contract": _contract(v),
        "declarer": _seat(v["declarer"]),
        "talon": [cards.card_text(int(card)) for card in v["talon_up"] if card >= 0],
        "talon_refused": bool(v["refused"]),
        "defence": [_DEFENCE[word] for word in v["defence"][:seats]],
        "second_whister": _seat(v["second"]),
        "lone_whister": _seat(v["whister"]),
        "open": bool(v["opened"]),
        "checked": bool(v["checked"]),
        "looked_at": _seat(v["looked"]),
        "trick": [cards.card_text(int(card)) if card >= 0 else None for card in v["trick"][:seats]],
        "leader": _seat(v["leader"]),
        "best": _seat(v["best_seat"]),
        "tricks": v["tricks"][:seats].tolist(),
        "played": [cards.hand_text(int(mask)) for mask in v["played"][:seats]],
        "voids": ["".join(cards.SUITS[suit] for suit in range(4) if int(mask) >> suit & 1) for mask in v["voids"][:seats]],
        "choice": [_CHOICE[choice] for choice in v["choice"][:seats]],
        "pool": _amounts(v["pool"][:seats].tolist()),
        "mountain": _amounts(v["mountain"][:seats].tolist()),
        "whists": [_amounts(row) for row in v["whists"][:seats, :seats].tolist()],
        "pool_before": _amounts(v["pool_done"][:seats].tolist()),  # of earlier semesters
        "mountain_before": _amounts(v["mountain_done"][:seats].tolist()),
        "random": int(v["random"]) >> 11,  # a number of its own for this decision, 53 bits: exact in every language
    }


def legal_texts(view: Any) -> list[str]:
    """The legal actions of a view as texts, lowest number first."""
    return [actions.action_text(action) for action in actions.actions_of(int(view["legal"]), int(view["first_action"]))]


def _amounts(sixths: list[int]) -> list[int | str]:
    return [n // UNIT if n % UNIT == 0 else exact(Fraction(n, UNIT)) for n in sixths]


def _contract(view: Any) -> str | None:
    if view["kind"] == K_RASPAS:
        return "raspas"
    return contracts.CONTRACT_NAMES[view["contract"]] or None if view["kind"] in (K_GAME, K_MISERE) else None


def _seat(value: Any) -> int | None:
    return int(value) if value >= 0 else None
