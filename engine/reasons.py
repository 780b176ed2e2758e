"""Why an action is illegal, in words with the section of `docs/rules.md`.

The verdict is the legal mask's alone; these functions only find the words for an action that is not in it.
"""

from __future__ import annotations

from typing import Any

from engine import actions, contracts
from engine.actions import action_text
from engine.cards import SUIT, SUIT_SYMBOLS, card_text
from engine.table import (
    D_PASS,
    P_BID,
    P_CHOICE,
    P_DEAL,
    P_DISCARD,
    P_OPEN,
    P_ORDER,
    P_OVER,
    P_PLAY,
    P_TALON,
    P_WHIST,
    W_SECOND,
    W_SITTER,
)

# the action number of bit 0 of the legal mask, by phase
FIRST_ACTION = tuple(
    actions.PLAY if phase == P_PLAY else actions.DISCARD if phase == P_DISCARD else actions.WORDS for phase in range(P_OVER + 1)
)

_ASKED = {
    P_BID: ("a word of the auction (pass, a contract or misere)", "2.1"),
    P_TALON: ("the talon's word (take, refuse or give-up)", "3"),
    P_DISCARD: ("a discard (such as -SA)", "3.1"),
    P_ORDER: ("the order (a contract)", "3.2"),
    P_WHIST: ("a whist word", "4.2"),
    P_OPEN: ("open or closed", "5.3"),
    P_PLAY: ("a card", "5.1"),
    P_CHOICE: ("pool or mountain", "11"),
}


def why_not(t: Any, rules: Any, action: int) -> str:
    """The rule that forbids `action` at table `t` (read through `engine.plain.Plain`); `rules` is the convention's record array."""
    if not 0 <= action < actions.ACTIONS:
        return f"{action} is no action: actions are numbered 0 … {actions.ACTIONS - 1} (docs/interfaces.md)"
    name = action_text(action)
    if t.phase == P_OVER:
        return f"{name} is not possible: the pulka is over (docs/rules.md 7.2)"
    if t.phase == P_DEAL:
        return f"{name} is not possible: the next deal has not been dealt (docs/rules.md 1.4)"
    words, section = _reason(t, rules, action)
    if not words:
        asked, section = _ASKED[t.phase]
        words = f"seat {t.actor} is asked for {asked}"
    return f"{name} is illegal: {words} (docs/rules.md {section})"


def _reason(t: Any, rules: Any, action: int) -> tuple[str, str]:
    find = {P_BID: _bid, P_TALON: _talon, P_DISCARD: _discard, P_ORDER: _order, P_WHIST: _whist, P_PLAY: _card}.get(t.phase)
    return find(t, rules, action) if find else ("", "")


def _is_contract(action: int) -> bool:
    return actions.BID < action <= actions.BID + contracts.RUNGS


def _bid(t: Any, rules: Any, action: int) -> tuple[str, str]:
    if not _is_contract(action):
        return "", ""
    rung = action - actions.BID
    standing = contracts.contract_text(t.bid)
    if t.said[t.turn] == contracts.MISERE:
        return "a misère bid is bound: its bidder may only pass once it is overcalled", "2.4"
    if rung == contracts.MISERE and t.said[t.turn]:
        return "misère may only be a player's first word in the auction", "2.4"
    if t.bid and rung == t.bid:
        return (
            "the standing bid may be held only by the elder of the last two hands, on a trick contract, where the convention has the hold",
            "2.3",
        )
    if rung < t.bid:
        return f"a bid must be higher than the standing {standing}", "2.2"
    return f"at this raspas state bids begin at level {int(rules['start_level'][0][t.level - 1])}", "2.7"


def _talon(t: Any, rules: Any, action: int) -> tuple[str, str]:
    if action == actions.REFUSE:
        return "this convention does not let the declarer refuse the talon", "3.4, 3.5"
    if action == actions.GIVE_UP:
        return "this convention has no giving up without three", "3.3"
    return "", ""


def _discard(t: Any, rules: Any, action: int) -> tuple[str, str]:
    if not actions.DISCARD <= action < actions.WORDS:
        return "", ""
    card = action - actions.DISCARD
    if not t.hands[t.declarer] >> card & 1:
        return f"the declarer does not hold {card_text(card)}", "3.1"
    return "the two discards are named lower card first, so that one discard has one spelling", "3.1"


def _order(t: Any, rules: Any, action: int) -> tuple[str, str]:
    if not _is_contract(action):
        return "", ""
    if action == actions.MISERE:
        return "misère cannot be ordered after a trick bid", "3.2"
    return f"the order must be the winning bid {contracts.contract_text(t.bid)} or higher", "3.2"


def _whist(t: Any, rules: Any, action: int) -> tuple[str, str]:
    if action == actions.HALF:
        if contracts.LEVEL[t.contract] > 7:
            return "half a whist exists on sixes and sevens only", "4.2"
        if t.stage == W_SECOND and any(t.defence[seat] == D_PASS for seat in range(t.seats)):  # only the first one has spoken
            return "this convention has no half whist", "4.2"
        return "half a whist is the second defender's word after the first one's pass", "4.2"
    if actions.LOOK <= action < actions.OPEN:
        if t.stage != W_SITTER:
            return "only the talon-sitter, asked after pass, half, pass, may look at a hand", "4.6"
        if t.looked >= 0:
            return f"the talon-sitter has looked at seat {t.looked}'s hand already; one look is allowed", "4.6"
        return f"seat {action - actions.LOOK} holds no cards in this deal", "4.6"
    return "", ""


def _card(t: Any, rules: Any, action: int) -> tuple[str, str]:
    if action >= actions.DISCARD:
        return "", ""
    hand = t.hands[t.turn]
    if not hand >> action & 1:
        return f"seat {t.turn}, whose card it is, does not hold {card_text(action)}", "5.1"
    if hand & SUIT << 8 * t.led:
        return f"seat {t.turn} must follow suit, {SUIT_SYMBOLS[t.led]}", "5.1"
    return f"seat {t.turn} has no {SUIT_SYMBOLS[t.led]} and must trump with {SUIT_SYMBOLS[t.trump]}", "5.1"
