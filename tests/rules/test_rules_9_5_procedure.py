"""`docs/rules.md` 9.5: the auction (B), the play (C), the whist words (W) and the talon's tricks in raspas (Y), at the engine's table."""

from typing import Any

import pytest

from conventions import get
from conventions.terms import terms_of
from engine import cards
from engine.actions import ActionError
from engine.contracts import CONTRACT_NAMES
from engine.game import Game
from engine.table import D_NONE, D_PASS, D_WHIST, UNIT

ALL = set(range(32))


def deck(first: str = "", second: str = "", third: str = "", talon: str = "") -> list[int]:
    """A deck in which these hands and the talon have (at least) these cards; the rest follow in order."""
    named = [cards.parse_cards(text) for text in (first, second, third, talon)]
    rest = sorted(ALL - {card for hand in named for card in hand})
    whole: list[int] = []
    for hand, size in zip(named, (10, 10, 10, 2), strict=True):
        missing = size - len(hand)
        whole += hand + rest[:missing]
        rest = rest[missing:]
    return whole


def sit(convention: str = "piter", seats: int = 3, options: dict[str, Any] | None = None, cards_: list[int] | None = None) -> Game:
    """A game with its first deal on the table; with dealer 0 the hands in order are seats 1, 2 and 0 (of four: 3)."""
    game = Game(terms_of(get(convention, seats, options), seats, options), target=1000, dealer=0)
    game.deal(deck() if cards_ is None else cards_)
    return game


def act(game: Game, words: str) -> Game:
    for word in words.split():
        game.act(word)
    return game


def refused(game: Game, word: str) -> str:
    """The word is illegal: not offered, refused with a reason, and nothing changes."""
    assert word not in game.legal_texts()
    before = game.table.tobytes()
    with pytest.raises(ActionError) as error:
        game.act(word)
    assert game.table.tobytes() == before
    reason = game.why_not(word)
    assert reason is not None
    assert reason == str(error.value)
    return reason


def discard(game: Game, count: int = 2) -> Game:
    for _ in range(count):
        game.act(game.legal()[0])
    return game


def contract_of(game: Game) -> str:
    return CONTRACT_NAMES[int(game.table["contract"][0])]


def declarer_of(game: Game) -> int:
    return int(game.table["declarer"][0])


# -- the auction


def test_B1_the_younger_hand_may_not_hold() -> None:
    refused(act(sit(), "6S"), "6S")


def test_B2_the_last_to_bid_declares() -> None:
    game = act(sit(), "6S pass 7H pass")
    assert declarer_of(game) == 0  # third hand
    assert CONTRACT_NAMES[int(game.table["bid"][0])] == "7H"


def test_B3_three_passes_are_a_raspas() -> None:
    game = act(sit(), "pass pass pass")
    assert contract_of(game) == ""
    assert declarer_of(game) == -1
    assert all(len(text) == 2 for text in game.legal_texts()), "cards are asked for"


def test_B4_the_elder_hand_holds() -> None:
    game = act(sit(), "6D pass 6H")
    assert "6H" in game.legal_texts()
    game.act("6H")
    refused(game, "6H")
    assert {"pass", "6N", "7S"} <= set(game.legal_texts())
    game.act("pass")
    assert declarer_of(game) == 1
    refused(act(sit("piter", 3, {"hold": False}), "6D pass 6H"), "6H")


def test_2_3_no_hold_while_three_are_in() -> None:
    refused(act(sit(), "6D 6H 6N"), "6N")


def test_B5_misere_is_a_first_word() -> None:
    game = act(sit(), "6S 7C pass 7D")
    refused(game, "misere")


def test_B6_only_a_nine_beats_misere() -> None:
    game = act(sit(), "misere")
    for word in ("8S", "8N", "misere"):
        refused(game, word)
    assert "9S" in game.legal_texts()
    act(game, "9S pass")
    for word in ("misere", "9S", "9C", "10N"):
        refused(game, word)
    assert game.legal_texts() == ["pass"], "misère is bound"


def test_B7_an_order_is_at_or_above_the_bid() -> None:
    game = discard(act(sit(), "7D pass pass take"))
    orders = set(game.legal_texts())
    rungs = CONTRACT_NAMES[CONTRACT_NAMES.index("7D") :]
    assert orders == set(rungs) - {"misere"}
    for word in ("7S", "7C", "6S", "6N", "misere", "pass"):
        refused(game, word)


def test_B8_misere_is_what_a_misere_bidder_plays() -> None:
    game = act(sit(), "misere pass pass")
    refused(game, "9H")
    discard(game)
    refused(game, "9H")
    assert contract_of(game) == "misere"


def raspas_played(convention: str, options: dict[str, Any] | None = None, times: int = 1) -> Game:
    """The next deal after so many raspas."""
    game = sit(convention, 3, options)
    for _ in range(times):
        act(game, "pass pass pass")
        while not game.waits_for_deal:
            game.act(game.legal()[0])
        game.deal(deck())
    return game


def test_B9_the_bidding_starts_higher_in_raspas() -> None:
    game = raspas_played("piter")
    for word in ("6S", "6N"):
        refused(game, word)
    assert {"pass", "7S", "misere"} <= set(game.legal_texts())
    game = raspas_played("piter", {"raspas_exit": "6-7-8"}, 2)
    refused(game, "7N")
    assert {"pass", "8S", "misere"} <= set(game.legal_texts())


# -- the play of a card; first hand is declarer and leads, its talon ♠7 ♠8 goes into the discard


FOLLOWS = deck("SKQJT HAKQJ CAK", "SA9 H7 C789T D789", "CJQ DTJQKA HT98", "S7 S8")
VOID = deck("SKQJT9 HAKQ CAK", "H89 DA789 C789T", "SA HJT7 CJQ DTJQK", "S7 S8")
RUFFS = deck("SAKQJT9 DAKQ CA", "D78 C789T H789T", "D9TJ CJQK HJQKA", "S7 S8")
NO_TRUMP = deck("H9TJQ CAKQJ DAK", "SA9TJQK D789T", "HKA78 C789T DJQ", "S7 S8")


def ordered(contract: str, hands: list[int]) -> Game:
    """First hand plays this contract, whisted by both."""
    game = discard(act(sit("sochi", 3, None, hands), f"{contract} pass pass"))
    return game if contract == "misere" else act(game, f"{contract} whist whist")


def test_C1_no_duty_to_beat() -> None:
    assert act(ordered("6H", FOLLOWS), "SK").legal_texts() == ["S9", "SA"]


def test_C2_a_void_hand_must_trump() -> None:
    assert act(ordered("6H", VOID), "SK").legal_texts() == ["H8", "H9"]


@pytest.mark.parametrize("contract", ["8N", "misere"])
def test_C3_without_trump_a_void_hand_plays_anything(contract: str) -> None:
    assert len(act(ordered(contract, VOID), "SK").legal()) == 10


def test_C3_in_raspas_a_void_hand_plays_anything() -> None:
    game = act(sit("rostov", 3, None, VOID), "pass pass pass SK")
    assert len(game.legal()) == 10


def test_C4_the_higher_trump_wins() -> None:
    game = act(ordered("6D", RUFFS), "SK D7 D9")
    assert game.table["tricks"][0].tolist() == [1, 0, 0, 0], "third hand sits at 0"
    assert game.turn == 0


def test_C5_without_trump_the_led_suit_wins() -> None:
    game = act(ordered("6N", NO_TRUMP), "H9 SA HK")
    assert game.table["tricks"][0].tolist() == [1, 0, 0, 0]


# -- the whist words; first hand (seat 1) is declarer, W1 sits at 2, W2 at 0


def whist_words(contract: str, convention: str = "piter") -> Game:
    game = act(sit(convention), f"{contract} pass pass")
    if "take" in game.legal_texts():
        game.act("take")
    return act(discard(game), contract)


def test_W1_no_half_whist_on_an_eight() -> None:
    game = act(whist_words("8S"), "pass")
    refused(game, "half")
    assert set(game.legal_texts()) == {"pass", "whist"}


def test_W2_no_half_whist_after_whist() -> None:
    game = act(whist_words("6C"), "whist")
    refused(game, "half")
    assert set(game.legal_texts()) == {"pass", "whist"}


def test_W3_the_first_defender_raises_and_is_alone() -> None:
    game = act(whist_words("7H"), "pass half")
    assert game.turn == 2
    refused(game, "half")
    game.act("whist")
    assert game.table["defence"][0].tolist() == [D_PASS, D_NONE, D_WHIST, D_NONE]
    assert (game.turn, set(game.legal_texts())) == (2, {"open", "closed"}), "the second defender has no further word"


def test_W4_the_first_defender_is_asked_again_on_an_eight() -> None:
    game = act(whist_words("8H"), "pass pass")
    assert (game.turn, set(game.legal_texts())) == (2, {"pass", "whist"})
    game.act("whist")
    assert game.table["defence"][0].tolist() == [D_PASS, D_NONE, D_WHIST, D_NONE]
    assert act(whist_words("8H", "sochi"), "pass pass").waits_for_deal, "not without the option"


@pytest.mark.parametrize("contract", ["6H", "7H"])
def test_W5_two_passes_on_a_six_or_seven_end_the_deal(contract: str) -> None:
    game = act(whist_words(contract), "pass pass")
    assert game.waits_for_deal
    (deal,) = game.finished_deals
    assert (deal["pool"][0] // UNIT).tolist() == [0, 2 if contract == "6H" else 4, 0, 0]
    assert not deal["mountain"].any()
    assert not deal["whists"].any()


def test_W6_both_whist_six_spades_closed() -> None:
    game = whist_words("6S")
    assert game.table["defence"][0].tolist() == [D_WHIST, D_NONE, D_WHIST, D_NONE]
    assert game.table["opened"][0] == 0
    assert game.turn == 1
    assert set(game.legal_texts()) <= set(cards.CARD_NAMES), "a card is asked for"
    assert set(whist_words("6S", "sochi").legal_texts()) == {"pass", "whist"}, "not where it is not played"


# -- the talon's tricks in raspas; first hand is seat 1, second 2, third 0 (with four: 3)


RASPAS = deck("H7 C7", "HJ CK", "H9 C9", "HA CA")


def test_Y1_of_three_the_highest_of_the_suit_takes_the_talons_trick() -> None:
    game = act(sit("piter", 3, None, RASPAS), "pass pass pass H7 HJ H9")
    assert game.table["tricks"][0].tolist() == [0, 0, 1, 0]
    assert game.turn == 1, "first hand begins trick 2"


def test_Y2_of_four_the_dealer_may_take_it() -> None:
    game = act(sit("piter", 4, None, RASPAS), "pass pass pass H7 HJ H9")
    assert game.table["tricks"][0].tolist() == [1, 0, 0, 0]
    assert game.turn == 1


@pytest.mark.parametrize(("seats", "tricks"), [(3, [0, 0, 2, 0]), (4, [2, 0, 0, 0])])
def test_Y3_first_hand_leads_to_the_third_trick(seats: int, tricks: list[int]) -> None:
    game = act(sit("piter", seats, None, RASPAS), "pass pass pass H7 HJ H9 C7 CK C9")
    assert game.table["tricks"][0].tolist() == tricks
    assert game.turn == 1
    assert len(game.legal()) == 8, "it leads what it likes"


def test_6_2_from_the_fourth_trick_on_the_winner_leads() -> None:
    hands = deck("H7 C7 S7", "HJ CK SA", "H9 C9 S9", "HA CA")
    game = act(sit("piter", 3, None, hands), "pass pass pass H7 HJ H9 C7 CK C9 S7 SA S9")
    assert game.turn == 2
