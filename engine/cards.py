"""Cards and sets of cards (`docs/rules.md` 1.1, 1.2).

A card is an int 0..31, index = 8 × suit + rank; suits rise S C D H, ranks 7 8 9 T J Q K A.
A set of cards is a 32-bit mask: bit *i* is card *i*.
"""

from collections.abc import Iterable, Iterator

SUITS = "SCDH"
RANKS = "789TJQKA"
SUIT_SYMBOLS = "♠♣♦♥"

SPADES, CLUBS, DIAMONDS, HEARTS, NO_TRUMP = range(5)
SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(8)

DECK = (1 << 32) - 1  # the mask of all cards
SUIT = 0xFF  # the mask of one suit, to be shifted by 8 × suit

_SUIT_OF = {c: i for i, c in enumerate(SUITS)} | {c: i for i, c in enumerate(SUIT_SYMBOLS)} | {"♤": 0, "♧": 1, "♢": 2, "♡": 3}
_RANK_OF = {c: i for i, c in enumerate(RANKS)}

CARD_NAMES = tuple(s + r for s in SUITS for r in RANKS)


class CardError(ValueError):
    """A text that is not a card, or cards that are not a hand."""


def card_text(card: int) -> str:
    """`SA`, `H7`: suit, then rank."""
    return CARD_NAMES[card]


def cards_of(mask: int) -> Iterator[int]:
    """The cards of a set, lowest index first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(cards: Iterable[int]) -> int:
    """The set that holds these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def hand_text(mask: int) -> str:
    """Suit groups in the order S C D H, ranks from the ace down, void suits left out: `SAKQ CT97 D8 HA97`."""
    groups = []
    for suit, name in enumerate(SUITS):
        ranks = (mask >> 8 * suit) & SUIT
        if ranks:
            groups.append(name + "".join(RANKS[r] for r in range(7, -1, -1) if ranks >> r & 1))
    return " ".join(groups)


def _normal(text: str) -> str:
    return text.upper().replace("10", "T")


def parse_card(text: str) -> int:
    """A card from `SA`, `sa`, `S10`, `♠A`; `CardError` names the text and what is allowed."""
    word = _normal(text.strip())
    if len(word) == 2 and word[0] in _SUIT_OF and word[1] in _RANK_OF:
        return 8 * _SUIT_OF[word[0]] + _RANK_OF[word[1]]
    raise CardError(f"{text!r} is not a card: a card is a suit (S C D H) and a rank (7 8 9 T J Q K A), such as SA or H7")


def parse_cards(text: str) -> list[int]:
    """Cards from suit groups, in the order written (`C7 D7`, `SAKQ CT97`); a card named twice is a `CardError`."""
    cards: list[int] = []
    suit: int | None = None
    for char in _normal(text):
        if char.isspace() or char == ",":
            continue
        if char in _SUIT_OF:
            suit = _SUIT_OF[char]
        elif suit is not None and char in _RANK_OF:
            card = 8 * suit + _RANK_OF[char]
            if card in cards:
                raise CardError(f"the card {card_text(card)} stands twice in {text!r}")
            cards.append(card)
        else:
            raise CardError(
                f"{char!r} in {text!r} is no part of a hand: a hand is suit groups such as SAKQ CT97 D8 HA97 "
                "(suits S C D H, ranks 7 8 9 T J Q K A)"
            )
    return cards


def parse_hand(text: str) -> int:
    """A hand as a mask, from suit groups in any order."""
    return mask_of(parse_cards(text))
