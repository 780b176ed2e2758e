"""Contracts as small integers, the rungs of the ladder (`docs/rules.md` 2.2).

Rung 1 is 6♠, rung 16 misère (мизер), rung 26 a ten without trump; 0 is "no contract". A bid (заявка) and an
order (заказ) are rungs too.
"""

NONE = 0
MISERE = 16
RUNGS = 26
SIX_SPADES = 1
NINE_SPADES = 17  # the lowest bid that beats misère
TEN_NO_TRUMP = 26

TRUMPS = "SCDHN"

# level and trump (4: none) by rung; misère stands as level 0 without trump
LEVEL = (0,) + tuple(6 + i // 5 for i in range(15)) + (0,) + tuple(9 + i // 5 for i in range(10))
TRUMP = (4,) + tuple(i % 5 for i in range(15)) + (4,) + tuple(i % 5 for i in range(10))


def _name(rung: int) -> str:
    return "misere" if rung == MISERE else f"{LEVEL[rung]}{TRUMPS[TRUMP[rung]]}"


CONTRACT_NAMES = ("",) + tuple(_name(r) for r in range(1, RUNGS + 1))
_RUNG_OF = {name.upper(): rung for rung, name in enumerate(CONTRACT_NAMES) if rung}


class ContractError(ValueError):
    """A text that is not a contract."""


def contract_text(rung: int) -> str:
    """`6S` … `10N`, `misere`."""
    return CONTRACT_NAMES[rung]


def rung_of(level: int, trump: int) -> int:
    """The rung of a trick contract: level 6..10, trump 0..4 (4: no trump)."""
    return (level - 6) * 5 + trump + (1 if level < 9 else 2)


def parse_contract(text: str) -> int:
    """A rung from `7S`, `10n`, `misere`, `7♠`; `ContractError` names the text and what is allowed."""
    word = text.strip().upper()
    for symbol, letter in zip("♠♣♦♥", TRUMPS, strict=False):
        word = word.replace(symbol, letter)
    rung = _RUNG_OF.get(word)
    if rung is None:
        raise ContractError(f"{text!r} is not a contract: a contract is 6S … 10N (level, then S C D H or N) or misere")
    return rung
