"""One flat action space for the whole game (`docs/interfaces.md`, actions).

A legal-action mask, a record, a learning agent and a bot all speak these numbers:
0..31 a card to play, 32..63 a card to discard, 64..103 words. The actions legal at one moment lie in one of the
three windows, so that one non-negative int64 mask and the window's first number (`BASE`) hold them.
"""

from engine import cards, contracts

PLAY = 0  # + card
DISCARD = 32  # + card
WORDS = 64
PASS = 64  # + rung: a bid, a hold («здесь») or an order
BID = PASS
MISERE = BID + contracts.MISERE
WHIST = 91
HALF = 92
LOOK = 93  # + seat
OPEN = 97
CLOSED = 98
TAKE = 99
REFUSE = 100
GIVE_UP = 101
POOL = 102
MOUNTAIN = 103
ACTIONS = 104

ACTION_NAMES: tuple[str, ...] = (
    cards.CARD_NAMES
    + tuple("-" + c for c in cards.CARD_NAMES)
    + ("pass",)
    + contracts.CONTRACT_NAMES[1:]
    + ("whist", "half", "look:0", "look:1", "look:2", "look:3", "open", "closed", "take", "refuse", "give-up", "pool", "mountain")
)

_NUMBER_OF = {name.upper(): number for number, name in enumerate(ACTION_NAMES)}


class ActionError(ValueError):
    """A text or number that is no action of the game, or an action that the rules forbid now."""


def action_text(action: int) -> str:
    """The one spelling that records use: `7S`, `-SA`, `H7`, `look:2`."""
    return ACTION_NAMES[action]


def parse_action(text: str) -> int:
    """An action from its text (lower case, `10` for `T` in cards and ♠♣♦♥ are read too); `ActionError` otherwise."""
    word = text.strip().upper()
    number = _NUMBER_OF.get(word)
    if number is None and word.startswith("-"):
        try:
            return DISCARD + cards.parse_card(word[1:])
        except cards.CardError:
            pass
    elif number is None:
        try:
            return PLAY + cards.parse_card(word)
        except cards.CardError:
            pass
        try:
            return BID + contracts.parse_contract(word)
        except contracts.ContractError:
            pass
    if number is None:
        raise ActionError(
            f"{text!r} is not an action: an action is a card (SA), a discard (-SA), a contract (7S, misere) or one of "
            "pass, whist, half, look:SEAT, open, closed, take, refuse, give-up, pool, mountain"
        )
    return number


def actions_of(mask: int, base: int) -> list[int]:
    """The actions of a legal mask, lowest number first."""
    return [base + i for i in cards.cards_of(mask)]
