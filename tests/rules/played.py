"""Plays a protocol at the engine's table, card by card, so that the printed examples go through `Game` too.

The three players work together: a search with undo looks for cards that lead to the tricks the protocol names.
"""

from fractions import Fraction
from random import Random
from typing import Any

from conventions import get
from conventions.terms import terms_of
from engine import cards
from engine.game import Game
from engine.table import P_BID, P_CHOICE, P_OPEN, P_PLAY, P_TALON, P_WHIST, UNIT
from tests.slow_conventions import CONVENTIONS
from tests.slow_scorer import as_written, settle

Deal = dict[str, Any]
DECKS = 40  # tried for one deal
CARDS = 1500  # tried for one deck


class Unplayable(ValueError):
    """No deck was found in which the deal's tricks come about."""


def played(protocol: dict[str, Any]) -> dict[str, Any]:
    """The answer of `preferans score`, out of a pulka played with cards; ValueError names a deal that cannot be played."""
    convention, seats = protocol["convention"], protocol["seats"]
    terms = terms_of(get(convention, seats, protocol["options"]), seats, protocol["options"])
    game = Game(terms, target=protocol.get("target", CONVENTIONS[convention]["target"]), dealer=protocol["deals"][0]["dealer"])
    rng = Random(0)
    for number, deal in enumerate(protocol["deals"], 1):
        try:
            play_deal(game, deal, rng)
        except ValueError as error:
            raise type(error)(f"deal {number}: {error}") from error
    entries = [
        as_written(*(points(finished[f"d_{name}"][0], seats) for name in ("pool", "mountain", "whists")))
        for finished in game.finished_deals
    ]
    t = game.table[0]
    pool, mountain = points(t["pool"] + t["pool_done"], seats), points(t["mountain"] + t["mountain_done"], seats)
    whists = points(t["whists"], seats)
    return {
        "deals": entries,
        **as_written(pool, mountain, whists),
        "raspas_level": int(t["next_level"]),
        "finished": game.over,
        "result": [str(r) for r in settle(pool, mountain, whists, CONVENTIONS[convention]["pool_worth"])],
    }


def points(sixths: Any, seats: int) -> Any:
    """Points of the seats at the table, one or two dimensions."""
    if sixths.ndim == 2:
        return [[Fraction(int(x), UNIT) for x in row[:seats]] for row in sixths[:seats]]
    return [Fraction(int(x), UNIT) for x in sixths[:seats]]


def play_deal(game: Game, deal: Deal, rng: Random) -> None:
    """Deals cards until one deck can be played to the deal's end."""
    before = len(game.events)
    for _ in range(DECKS):
        dull = "S7 C8" if game.terms.name == "rostov" else None  # where the talon's quick tricks are written
        game.deal(likely_deck(rng, deal, game.terms.seats, deal.get("talon", dull)))
        if game.table["dealer"][0] != deal["dealer"]:
            raise ValueError(f"seat {game.table['dealer'][0]} deals")
        say_words(game, deal)
        if game.phase != P_PLAY or search(game, deal["tricks"], rng, [CARDS]):
            say_choices(game, deal)
            return
        while len(game.events) > before:
            game.undo()
        game.undo()  # the deal itself
    raise Unplayable("no cards were found for these tricks")


def likely_deck(rng: Random, deal: Deal, seats: int, talon: str | None) -> list[int]:
    """A random deck in which each seat has about as many of the ten best cards as it is to take tricks."""
    named = cards.parse_cards(talon) if talon else []
    rest = [card for card in range(32) if card not in named]
    trump = "SCDH".find(deal.get("contract", " ")[-1])
    rng.shuffle(rest)
    rest.sort(key=lambda card: -(card % 8 + 6 * (card // 8 == trump) + 2 * rng.random()))
    best, others = rest[:10], rest[10:]
    rng.shuffle(best)
    rng.shuffle(others)
    tricks = deal.get("tricks", [0] * seats)
    active = [(deal["dealer"] + i) % seats for i in (1, 2, 3)]
    hands: list[list[int]] = []
    for seat in active:
        hands.append([best.pop() for _ in range(min(tricks[seat], len(best)))])
    if not named:
        named = [best.pop() for _ in range(min(2, len(best)))]
        named += [others.pop() for _ in range(2 - len(named))]
    others += best
    return [card for hand in hands for card in hand + [others.pop() for _ in range(10 - len(hand))]] + named


def say_words(game: Game, deal: Deal) -> None:
    """Everything before the first card."""
    forced = bool(game.table["forced"][0])
    if deal.get("raspas"):
        for _ in range(0 if forced else 3):
            game.act("pass")
        return
    declarer = deal["declarer"]
    contract = deal.get("contract") or deal["give_up"]
    bid(game, declarer, contract, bool(deal.get("overcalled_misere")))
    if game.phase == P_TALON:
        game.act("refuse" if deal.get("refused") else "give-up" if "give_up" in deal else "take")
    elif deal.get("refused") or "give_up" in deal:
        raise ValueError("the talon's word is not asked for")
    if "give_up" in deal:
        return
    if not deal.get("refused"):
        game.act(game.legal()[0])
        game.act(game.legal()[0])
    if contract != "misere":
        game.act(contract)
    say_whist(game, deal)
    if game.phase == P_OPEN:
        game.act("closed")


def bid(game: Game, declarer: int, contract: str, over_misere: bool) -> None:
    """The declarer bids the contract at once, or after somebody's misère; the others pass."""
    said = not over_misere
    while game.phase == P_BID:
        if game.turn == declarer:
            game.act(contract if said else game.legal_texts()[1])  # first hand cannot wait for the misère: the lowest bid
        elif not said and "misere" in game.legal_texts():
            game.act("misere")
            said = True
        else:
            game.act("pass")


def say_whist(game: Game, deal: Deal) -> None:
    """The words of the defence, by whoever is asked."""
    words = {int(seat): word for seat, word in deal.get("defence", {}).items()}
    sitter_whists = game.terms.seats == 4 and words.get(deal["dealer"]) == "whist"
    while game.phase == P_WHIST:
        word = words.get(game.turn, "pass")
        if sitter_whists and word == "pass" and "half" in game.legal_texts():
            word = "half"  # which the talon-sitter's whist will undo
        game.act(word)


def search(game: Game, tricks: list[int], rng: Random, left: list[int]) -> bool:
    """Plays the cards out so that each seat has its tricks at the end; undoes them where there is no such way."""
    t = game.table
    deal_no = len(game.finished_deals)
    wants = 1 if t["tricks"][0][game.turn] < tricks[game.turn] else -1  # high cards first, or low ones
    for card in sorted(game.legal(), key=lambda card: -wants * (card % 8) + 3 * rng.random()):
        left[0] -= 1
        if left[0] < 0:
            return False
        game.act(card)
        if len(game.finished_deals) > deal_no or game.phase == P_CHOICE:
            last = game.finished_deals[-1] if len(game.finished_deals) > deal_no else t
            if last["tricks"][0][: len(tricks)].tolist() == tricks:
                return True
        elif possible(t, tricks) and search(game, tricks, rng, left):
            return True
        game.undo()
    return False


def possible(t: Any, tricks: list[int]) -> bool:
    """Whether nobody has too many tricks yet, nor the talon-sitter too few when the talon is played."""
    taken = t["tricks"][0]
    if any(taken[seat] > wanted for seat, wanted in enumerate(tricks)):
        return False
    sitter = int(t["dealer"][0])
    return len(tricks) == 3 or int(t["trick_no"][0]) < 2 or int(taken[sitter]) == tricks[sitter]


def say_choices(game: Game, deal: Deal) -> None:
    """Pool or mountain, clockwise from the dealer."""
    write = deal.get("write")
    unsaid = dict(write) if isinstance(write, dict) else {str(deal.get("declarer")): write} if write else {}
    while game.phase == P_CHOICE:
        game.act(unsaid.pop(str(game.turn), "pool"))
    if unsaid:
        raise ValueError(f"nobody asks for {unsaid}")
