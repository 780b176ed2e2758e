"""Keyed dealing (`docs/rules.md` 1.3, 1.4): uniform, a function of the key alone, the published probabilities."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import deal
from engine.cards import ACE, DECK, SPADES, SUIT, mask_of
from engine.rng import GAMMA, mix

MILLION = 1 << 20
WORD = (1 << 64) - 1
words = st.integers(0, WORD)
FACTS = {f["id"]: f for f in json.loads((Path(__file__).parent / "data" / "probabilities.json").read_text())["facts"]}


@cache
def million():
    """A million decks of 1,024 pulkas, and the cards of their places as sets."""
    decks = deal.decks(2024, np.arange(1024), 0, count=MILLION // 1024).reshape(-1, 32)
    return decks, deal.masks_of(decks)


def deviation(chi2: float, freedom: int) -> float:
    """How many standard deviations a chi-square value is from what it should be (Wilson and Hilferty's normal score)."""
    return ((chi2 / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)) ** 0.5


def even(counts: np.ndarray, freedom: int | None = None) -> float:
    """The deviation of counts that should all be equal."""
    expected = counts.sum() / counts.size
    return deviation(float(((counts - expected) ** 2).sum() / expected), freedom or counts.size - 1)


def close(share: float, expected: float, trials: int) -> bool:
    """Within four standard errors."""
    return abs(share - expected) <= 4 * (expected * (1 - expected) / trials) ** 0.5


# --- what a deck is


@given(words, st.lists(words, min_size=1, max_size=5), st.lists(words, min_size=1, max_size=4))
def test_every_deck_is_a_permutation_of_the_32_cards(seed, pulkas, deals):
    decks = deal.decks(seed, pulkas, np.array(deals, dtype=np.uint64))
    assert decks.shape == (len(pulkas), len(deals), 32)
    assert decks.dtype == np.uint8
    assert (np.sort(decks, axis=-1) == np.arange(32)).all()


@given(words, words, words)
def test_a_deck_is_the_cards_sorted_by_splitmix64_words_of_the_key(seed, pulka, deal_no):
    state = 0
    for number in (seed ^ deal._DEALING, pulka, deal_no):
        state = int(mix(np.uint64(state ^ number)))
    order = sorted(range(32), key=lambda card: int(mix(np.uint64(state + card * GAMMA & WORD))) >> 5)
    assert deal.deck(seed, pulka, deal_no).tolist() == order


def test_the_cards_number_in_the_low_five_bits_changes_no_order_in_a_million_decks():
    """Full 64-bit words, sorted with the card beside them, give the same decks."""
    decks, _ = million()
    seed = int(mix(np.uint64(2024 ^ deal._DEALING)))
    pulkas = deal._mixed(np.uint64(seed) ^ np.arange(1024, dtype=np.uint64))
    for i in range(0, 1024, 64):
        states = deal._mixed(pulkas[i : i + 64, None] ^ np.arange(1024, dtype=np.uint64)).reshape(-1, 1)
        full = deal._mixed(states + np.arange(32, dtype=np.uint64) * np.uint64(GAMMA))
        chosen = decks[i * 1024 : (i + 64) * 1024]
        assert (np.diff(np.take_along_axis(full, chosen.astype(np.int64), axis=1) >> np.uint64(5), axis=1) > 0).all()
        assert (np.take_along_axis(full, chosen.astype(np.int64), axis=1) == np.sort(full, axis=1)).all()


def test_a_deck_never_changes():
    """The decks of a key are part of what a seed promises: other figures here mean other results for every old seed."""
    assert deal.deck(1, 2, 3).tolist() == [
        4,
        26,
        7,
        6,
        24,
        15,
        27,
        28,
        2,
        10,
        23,
        1,
        17,
        16,
        25,
        22,
        29,
        31,
        8,
        18,
        14,
        21,
        3,
        5,
        0,
        20,
        12,
        13,
        30,
        9,
        11,
        19,
    ]
    assert deal.deck(WORD, WORD, WORD).tolist() == [
        30,
        10,
        13,
        11,
        21,
        20,
        7,
        25,
        24,
        2,
        15,
        27,
        31,
        4,
        12,
        29,
        28,
        5,
        14,
        23,
        8,
        3,
        26,
        17,
        9,
        0,
        16,
        1,
        22,
        19,
        18,
        6,
    ]


# --- a function of the key alone


def test_any_subset_of_tables_in_any_order_gets_the_same_decks():
    whole = deal.decks(7, np.arange(300), 5, count=9)
    chosen = np.random.default_rng(0).permutation(300)[:77]
    assert (deal.decks(7, chosen, 5, count=9) == whole[chosen]).all()
    assert (deal.decks(7, chosen.astype(np.uint64), 8) == whole[chosen, 3]).all()
    assert (deal.decks(7, chosen, [13, 5, 5]) == whole[chosen][:, [8, 0, 0]]).all()
    assert (deal.decks(7, chosen, 5 + (chosen % 9)[:, None])[:, 0] == whole[chosen, chosen % 9]).all()
    starts = 5 + chosen % 4
    assert (
        deal.decks(7, chosen, starts, count=3) == np.stack([whole[p, s - 5 : s - 2] for p, s in zip(chosen, starts, strict=True)])
    ).all()
    assert (deal.deck(7, 299, 13) == whole[299, 8]).all()


@pytest.mark.parametrize("block", [1, 3, 100, 1024])
def test_given_memory_changes_nothing(block):
    memory = deal.working_memory(block)
    out = np.empty((70, 4, 32), dtype=np.uint8)
    returned = deal.decks(3, np.arange(70), 0, count=4, out=out, scratch=memory)
    assert returned is out
    assert (out == deal.decks(3, np.arange(70), 0, count=4)).all()
    assert (deal.decks(3, np.arange(70), 0, count=4, scratch=memory) == out).all()


def test_no_tables_and_no_deals_are_no_decks():
    assert deal.decks(1, [], 0).shape == (0, 32)
    assert deal.decks(1, [4, 5], 0, count=0).shape == (2, 0, 32)


def test_dealing_neither_reads_nor_moves_numpys_global_generator():
    np.random.seed(5)
    before = np.random.get_state(legacy=False)["state"]["key"].copy()
    first = deal.decks(1, [1, 2], 0, count=3)
    assert (np.random.get_state(legacy=False)["state"]["key"] == before).all()
    np.random.seed(6)
    assert (deal.decks(1, [1, 2], 0, count=3) == first).all()


def test_threads_that_deal_at_once_get_the_same_decks():
    expected = [deal.decks(9, np.arange(i, i + 50), 0, count=40) for i in range(8)]
    with ThreadPoolExecutor(4) as pool:
        got = list(pool.map(lambda i: deal.decks(9, np.arange(i, i + 50), 0, count=40), range(8)))
    assert all((a == b).all() for a, b in zip(got, expected, strict=True))


# --- uniform


def test_every_card_is_equally_often_at_every_place():
    decks, _ = million()
    counts = np.stack([np.bincount(decks[:, place], minlength=32) for place in range(32)])
    # the counts of a permutation matrix vary in 31 × 31 directions, with N / 31 in each
    chi2 = 31 * float(((counts - MILLION / 32) ** 2).sum()) / MILLION
    assert abs(deviation(chi2, 31 * 31)) < 4


@pytest.mark.parametrize(("one", "two"), [(0, 1), (9, 10), (0, 30), (19, 29), (30, 31)])
def test_every_pair_of_cards_is_equally_often_at_a_pair_of_places(one, two):
    decks, _ = million()
    counts = np.bincount(decks[:, one].astype(np.int64) * 32 + decks[:, two], minlength=1024).reshape(32, 32)
    assert counts.trace() == 0
    assert abs(even(counts[~np.eye(32, dtype=bool)])) < 4


STREAMS = {
    "deals": lambda i: ((1, 7, i), (1, 7, i + 1)),
    "pulkas": lambda i: ((1, i, 3), (1, i + 1, 3)),
    "seeds": lambda i: ((i, 2, 3), (i + 1, 2, 3)),
    "pulka and deal exchanged": lambda i: ((1, i, 100_000 + i), (1, 100_000 + i, i)),
    "seed and pulka exchanged": lambda i: ((i, 100_000 + i, 5), (100_000 + i, i, 5)),
    "the highest bit of the pulka": lambda i: ((4, i, 5), (4, i + (1 << 63), 5)),
}


@pytest.mark.parametrize("stream", STREAMS)
def test_neighbouring_keys_have_independent_decks(stream):
    n = 4_000 if "seed" in stream else 100_000
    keys = [STREAMS[stream](i) for i in range(n)]
    pair = []
    for side in range(2):
        seeds, pulkas, deals = (np.array([key[side][k] for key in keys], dtype=np.uint64) for k in range(3))
        if "seed" in stream:
            pair.append(np.stack([deal.deck(int(s), int(p), int(d)) for s, p, d in zip(seeds, pulkas, deals, strict=True)]))
        else:
            pair.append(deal.decks(int(seeds[0]), pulkas, deals[:, None])[:, 0])
    same = (pair[0] == pair[1]).sum(axis=1)  # places with the same card in both: mean 1, variance 1
    assert abs(same.mean() - 1) < 4 / n**0.5
    assert abs(((same - 1) ** 2).mean() - 1) < 4 * (3 / n) ** 0.5  # its fourth central moment is 4
    for place in (0, 15, 31):
        counts = np.bincount(pair[0][:, place].astype(np.int64) * 32 + pair[1][:, place], minlength=1024)
        assert abs(even(counts)) < 4


def test_no_two_keys_of_a_grid_meet():
    decks = np.concatenate([deal.decks(seed, np.arange(64), np.arange(64)).reshape(-1, 32) for seed in range(64)])
    codes = (decks[:, :12].astype(np.uint64) << (5 * np.arange(12, dtype=np.uint64))).sum(axis=1, dtype=np.uint64)
    assert len(np.unique(codes)) == 64**3


# --- published probabilities


def outstanding():
    """Spades that second and third hand hold when first hand has taken the talon, and second hand's part of them."""
    _, masks = million()
    spades = np.bitwise_count(masks & np.uint32(SUIT)).astype(int)
    return spades[:, 1] + spades[:, 2], spades[:, 1]


SPLITS = sorted(name for name in FACTS if name.startswith("split-"))


@pytest.mark.parametrize("name", SPLITS)
def test_suit_splits_are_as_published(name):
    out, long, short = map(int, re.findall(r"\d", name))
    cards, second = outstanding()
    these = second[cards == out]
    share = ((these == long) | (these == short)).mean()
    assert len(these) > 10_000
    assert close(share, FACTS[name]["recomputed"], len(these))
    assert FACTS[name]["recomputed"] == pytest.approx(FACTS[name]["published"], abs=6e-5)


@pytest.mark.parametrize(("name", "out"), [("third-queen", 3), ("fourth-jack", 4)])
def test_all_outstanding_trumps_lie_in_one_hand_as_published(name, out):
    cards, second = outstanding()
    these = second[cards == out]
    assert close(((these == 0) | (these == out)).mean(), FACTS[name]["recomputed"], len(these))


def test_a_particular_card_of_five_is_the_singleton_as_published():
    _, masks = million()
    spades = masks & np.uint32(SUIT)
    rest = spades[:, 1] | spades[:, 2]
    five = np.bitwise_count(rest) == 5
    highest = np.uint32(1) << (np.log2(np.maximum(rest, 1)).astype(np.uint32))
    alone = ((spades[:, 1] == highest) | (spades[:, 2] == highest))[five]
    assert close(alone.mean(), FACTS["particular-singleton-of-5"]["recomputed"], int(five.sum()))


def bought(useful: int) -> float:
    """How often the talon has at least one of so many cards that first hand lacks (its lowest ones)."""
    decks, masks = million()
    below = (np.uint32(1) << decks[:, deal.TALON].astype(np.uint32)) - np.uint32(1)
    rank = np.bitwise_count(below & ~masks[:, :1])  # among the 22 unseen cards
    return (rank < useful).any(axis=1).mean()


TALONS = [
    (name, int("".join(*re.findall(r"one of (\d+)|(\d+) cards make", fact["what"]))))
    for name, fact in FACTS.items()
    if name.startswith(("talon-useful", "misere-ev-"))
]


@pytest.mark.parametrize(("name", "useful"), TALONS)
def test_the_talon_has_a_useful_card_as_often_as_published(name, useful):
    assert close(bought(useful), FACTS[name]["recomputed"], MILLION)
    assert FACTS[name]["recomputed"] == pytest.approx(FACTS[name]["published"], abs=6e-3)


def test_seven_useful_cards_are_the_fewest_that_make_more_than_half():
    assert FACTS["rule-of-7-threshold"]["published"] == 7
    assert bought(6) < 0.5 < bought(7)


# --- hands on the table


def test_the_places_of_a_deck_are_three_hands_of_ten_and_the_talon():
    decks = deal.decks(3, np.arange(20), 0, count=5)
    masks = deal.masks_of(decks)
    assert masks.shape == (20, 5, 4)
    assert masks.dtype == np.uint32
    for place, cards in enumerate((slice(0, 10), slice(10, 20), slice(20, 30), slice(30, 32))):
        assert masks[4, 2, place] == mask_of(decks[4, 2, cards].tolist())
    assert (np.bitwise_or.reduce(masks, axis=-1) == DECK).all()


@pytest.mark.parametrize("seats", [3, 4])
def test_first_hand_is_next_clockwise_after_the_dealer_and_a_fourth_player_sits_on_the_talon(seats):
    deck = deal.deck(1, 1, 1)
    places = deal.masks_of(deck)
    for dealer in range(seats):
        hands, talon = deal.hands_of(deck, seats, dealer)
        for place in range(3):
            assert hands[(dealer + 1 + place) % seats] == places[place]
        assert np.bitwise_count(hands).tolist().count(10) == 3
        assert hands[dealer] == (places[2] if seats == 3 else 0)
        assert hands[3] == (0 if seats == 3 else hands[3])
        assert talon.tolist() == deck[30:].tolist()


def test_every_table_has_its_own_dealer():
    decks = deal.decks(1, np.arange(6), 0, count=2)
    dealers = np.arange(12).reshape(6, 2) % 4
    hands, talon = deal.hands_of(decks, 4, dealers)
    for i, k in np.ndindex(6, 2):
        one, two = deal.hands_of(decks[i, k], 4, int(dealers[i, k]))
        assert (hands[i, k] == one).all()
        assert (talon[i, k] == two).all()


# --- deals that satisfy a condition


def holds_ace(masks):
    return (masks[:, 0] >> np.uint32(8 * SPADES + ACE) & np.uint32(1)).astype(bool)


def test_where_returns_the_first_deals_that_satisfy_the_condition_and_how_many_it_took():
    found = deal.where(holds_ace, 500, 11, pulka=4, first=100)
    every = deal.decks(11, [4], 100, count=found.tried)[0]
    fits = holds_ace(deal.masks_of(every))
    assert fits[-1]
    assert fits.sum() == 500
    assert (found.deals == 100 + np.flatnonzero(fits)).all()
    assert (found.decks == every[fits]).all()
    assert (deal.deck(11, 4, int(found.deals[17])) == found.decks[17]).all()
    assert close(500 / found.tried, 10 / 32, found.tried)


def test_where_asked_for_more_finds_the_same_deals_first():
    few, many = deal.where(holds_ace, 10, 1), deal.where(holds_ace, 20_000, 1)
    assert (many.deals[:10] == few.deals).all()
    assert few.tried == few.deals[-1] + 1


def test_where_stops_at_the_limit_with_what_it_has():
    found = deal.where(holds_ace, 1_000_000, 1, limit=5000)
    assert found.tried == 5000
    assert len(found.deals) == len(found.decks) == holds_ace(deal.masks_of(deal.decks(1, [0], 0, count=5000)[0])).sum()


def test_where_nothing_matches_says_so():
    with pytest.raises(deal.DealError, match="none of the 10,000 deals looked at"):
        deal.where(lambda masks: np.zeros(len(masks), dtype=bool), 1, 1, limit=10_000)


# --- bad input

loose: Any = deal  # called with what its types forbid


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: loose.decks(-1, [0]), "the seed -1 is not allowed: it is a whole number 0 .. 18446744073709551615"),
        (lambda: loose.decks(1 << 64, [0]), "the seed 18446744073709551616 is not allowed"),
        (lambda: loose.decks(1.5, [0]), "the seed 1.5 is not allowed"),
        (lambda: loose.decks("7", [0]), "the seed '7' is not allowed"),
        (lambda: loose.decks(True, [0]), "the seed True is not allowed"),
        (lambda: loose.decks(1, [3, -4]), "the pulka -4 is not allowed: it is a whole number 0 .."),
        (lambda: loose.decks(1, [0.5]), "the pulka 0.5 is not allowed"),
        (lambda: loose.decks(1, [5, 1 << 63, -1]), "the pulka -1 is not allowed"),
        (lambda: loose.decks(1, [1 << 64]), "the pulka 18446744073709551616 is not allowed"),
        (lambda: loose.decks(1, [[1], [2, 3]]), "the pulka numbers do not form an array"),
        (lambda: loose.decks(1, [[1, 2]]), r"the pulkas have shape \(1, 2\)"),
        (lambda: loose.decks(1, [0], -1), "the deal -1 is not allowed"),
        (lambda: loose.decks(1, [0, 1], np.zeros((3, 2), dtype=int)), r"deals of shape \(3, 2\) do not fit 2 pulkas"),
        (lambda: loose.decks(1, [0], np.zeros((3, 2), dtype=int)), r"deals of shape \(3, 2\) do not fit 1 pulkas"),
        (lambda: loose.decks(1, [0], 0, count=-1), "the count of deals -1 is not allowed"),
        (lambda: loose.decks(1, [0], np.array([[1]]), count=2), r"the first deals have shape \(1, 1\)"),
        (lambda: loose.decks(1, [0], np.uint64(WORD), count=2), "are too large"),
        (lambda: loose.decks(1, [0], out=np.empty((1, 31), dtype=np.uint8)), r"out is uint8 of shape \(1, 31\)"),
        (lambda: loose.decks(1, [0], scratch=np.empty((2, 31), dtype=np.uint64)), r"scratch is uint64 of shape \(2, 31\)"),
        (lambda: deal.working_memory(0), "the count of decks 0 is not allowed"),
        (lambda: deal.deck(1, -2, 0), "the pulka -2 is not allowed"),
        (lambda: deal.deck(1, 0, 1 << 64), "the deal 18446744073709551616 is not allowed"),
        (lambda: deal.hands_of(deal.deck(1, 1, 1), 5, 0), "the number of seats 5 is not allowed: it is a whole number 3 .. 4"),
        (lambda: deal.hands_of(deal.deck(1, 1, 1), 3, 3), "the dealer 3 is not allowed: with 3 seats it is a seat 0 .. 2"),
        (lambda: deal.hands_of(deal.deck(1, 1, 1), 3, [0, 1]), r"dealers of shape \(2,\) do not fit decks of shape \(32,\)"),
        (lambda: loose.where(holds_ace, 0, 1), "the number of deals asked for 0 is not allowed"),
        (lambda: loose.where(holds_ace, 1, 1, limit=0), "the limit 0 is not allowed"),
        (lambda: loose.where(lambda masks: masks[:, 0], 1, 1), "the predicate answered uint32"),
        (lambda: loose.where(lambda masks: True, 1, 1), "the predicate answered bool of shape"),
    ],
)
def test_bad_input_is_one_clear_sentence(call, message):
    with pytest.raises(deal.DealError, match=message) as error:
        call()
    assert "\n" not in str(error.value)
