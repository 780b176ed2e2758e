"""Conditional deals: exactly the layouts that agree with the knowledge, all equally likely, and clear words where there are none."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from itertools import combinations
from math import comb, factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import complete, deal
from engine.cards import DECK, RANKS, SUITS, cards_of, mask_of, parse_hand
from engine.complete import KnowledgeError
from engine.jit import JIT, plain, rule

WORD = (1 << 64) - 1
DATA = Path(__file__).parent / "data"
SAMPLES = 120_000 if JIT else 3_000


def enumerated(known, sizes, forbidden, cards):
    """Every layout that agrees with the knowledge, by trying all of them."""
    found = []

    def go(place, rest, layout):
        if place == len(known):
            found.append(tuple(layout))
            return
        free = [card for card in cards_of(rest & ~known[place] & ~forbidden[place]) if not any(k >> card & 1 for k in known)]
        for chosen in combinations(free, sizes[place] - known[place].bit_count()):
            hand = known[place] | mask_of(chosen)
            go(place + 1, rest & ~hand, [*layout, hand])

    go(0, cards, [])
    return [layout for layout in found if sum(layout) == cards]


def deviation(chi2: float, freedom: int) -> float:
    """How many standard deviations a chi-square value is from what it should be (Wilson and Hilferty's normal score)."""
    return ((chi2 / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)) ** 0.5


def uneven(rows: np.ndarray, layouts: list) -> float:
    """The deviation of the counts of `layouts` among `rows`; rows that are none of them are a failure."""
    counts = Counter(map(tuple, rows.tolist()))
    assert set(counts) <= set(layouts)
    expected = len(rows) / len(layouts)
    return deviation(sum((counts[layout] - expected) ** 2 for layout in layouts) / expected, len(layouts) - 1)


def hands(*texts):
    return [parse_hand(text) for text in texts]


# cards in play, sizes, known, voids, forbidden: small enough to be counted out
SMALL = {
    "nothing known": ("S789 C789", (2, 2, 2), ("", "", ""), (0, 0, 0), ("", "", "")),
    "uneven sizes": ("S789 C789", (1, 3, 2), ("", "", ""), (0, 0, 0), ("", "", "")),
    "one card known": ("S789 C789", (3, 2, 1), ("", "C8", ""), (0, 0, 0), ("", "", "")),
    "one void": ("S7 C789 D789", (3, 3, 1), ("", "", ""), (4, 0, 0), ("", "", "")),
    "two voids": ("S789 C78 D789", (3, 3, 2), ("", "", ""), (4, 1, 0), ("", "", "")),
    "three voids of four hands": ("S78 C78 D78 H78", (2, 2, 2, 2), ("", "", "", ""), (1, 2, 4, 0), ("", "", "", "")),
    "every hand lacks a suit": ("S789 C789 D789", (3, 3, 3), ("", "", ""), (1, 2, 4), ("", "", "")),
    "single cards forbidden": ("S789T C789", (3, 2, 2), ("", "", ""), (0, 0, 0), ("S7", "S8 C7", "C8")),
    "voids, cards forbidden and known": ("S789T C789 D78", (4, 3, 2), ("S7", "", ""), (4, 0, 0), ("", "S8", "C7 S9")),
    "cards confined to two places, not the widest": ("S789 C789", (2, 2, 2), ("", "", ""), (1, 0, 2), ("", "", "")),
    "a place fills up by itself": ("S789 C789", (3, 2, 1), ("", "", ""), (2, 0, 1), ("", "", "C8")),
    "five places": ("S789 C789 D7", (1, 2, 1, 2, 1), ("", "", "", "", ""), (1, 0, 2, 0, 4), ("", "", "", "S8", "")),
    "two places, one void": ("S789 C7", (1, 3), ("", ""), (2, 0), ("", "")),
    "an empty place": ("S789 C789", (3, 0, 3), ("", "", ""), (0, 0, 0), ("S7", "", "C7")),
}


def small(name):
    cards, sizes, known, voids, forbidden = SMALL[name]
    return parse_hand(cards), list(sizes), hands(*known), list(voids), hands(*forbidden)


@pytest.mark.parametrize("name", SMALL)
def test_every_layout_is_equally_likely(name):
    cards, sizes, known, voids, forbidden = small(name)
    barred = [f | complete.suits_mask(v) for f, v in zip(forbidden, voids, strict=True)]
    layouts = enumerated(known, sizes, barred, cards)
    keywords = {"voids": voids, "forbidden": forbidden, "cards": cards}
    assert complete.count(known, sizes, **keywords) == len(layouts) > 1
    rows = complete.complete(known, sizes, SAMPLES, 1, **keywords)
    assert abs(uneven(rows, layouts)) < 4


@pytest.mark.parametrize("name", ["two voids", "voids, cards forbidden and known"])
def test_the_first_rows_of_many_keys_are_as_even_as_many_rows_of_one(name):
    cards, sizes, known, voids, forbidden = small(name)
    layouts = enumerated(known, sizes, [f | complete.suits_mask(v) for f, v in zip(forbidden, voids, strict=True)], cards)
    first = [complete.complete(known, sizes, 1, key, voids=voids, forbidden=forbidden, cards=cards)[0] for key in range(3000)]
    assert abs(uneven(np.array(first), layouts)) < 4


def test_neighbouring_rows_and_keys_are_independent():
    cards, sizes, known, voids, forbidden = small("one void")
    n = len(enumerated(known, sizes, [complete.suits_mask(v) for v in voids], cards))
    keywords = {"voids": voids, "forbidden": forbidden, "cards": cards}
    rows = complete.complete(known, sizes, SAMPLES, 5, **keywords)
    after = complete.complete(known, sizes, SAMPLES, 6, **keywords)
    for one, two in ((rows[:-1], rows[1:]), (rows, after)):
        same = (one == two).all(axis=1).mean()
        assert abs(same - 1 / n) < 4 * (1 / n / len(one)) ** 0.5


@pytest.mark.parametrize("voids", [(0, 0, 0), (1, 0, 0), (1, 8, 0), (5, 2, 0)])
def test_the_length_of_a_suit_in_a_whole_hand_has_its_exact_distribution(voids):
    """22 unseen cards, as a defender sees them before the first trick; every length's share against counts of layouts."""
    mine = parse_hand("SAK9 CKT7 DQ8 HA7")
    cards, sizes, suit = DECK & ~mine, [10, 10, 2], 2
    in_suit = list(cards_of(cards & complete.suits_mask(1 << suit)))
    rows = complete.complete([0] * 3, sizes, SAMPLES, 3, voids=voids, cards=cards)
    lengths = np.bitwise_count(rows[:, 1] & np.uint32(complete.suits_mask(1 << suit)))
    whole = complete.count([0] * 3, sizes, voids=voids, cards=cards)
    total = chi2 = freedom = 0
    for length in range(len(in_suit) + 1):
        # every choice of that many cards of the suit is worth the same: one choice's layouts, times the choices
        held = mask_of(in_suit[:length])
        try:
            number = complete.count([0, held, 0], sizes, voids=voids, forbidden=[0, mask_of(in_suit[length:]), 0], cards=cards)
        except KnowledgeError:
            number = 0
        number *= comb(len(in_suit), length)
        total += number
        expected = SAMPLES * number / whole
        if expected > 5:
            chi2 += ((lengths == length).sum() - expected) ** 2 / expected
            freedom += 1
    assert total == whole
    assert abs(deviation(chi2, freedom - 1)) < 4


def test_counts_without_constraints_are_multinomials():
    assert complete.count([0] * 4, [10, 10, 10, 2]) == factorial(32) // (factorial(10) ** 3 * 2)
    assert complete.count([0] * 4, [8, 8, 8, 8]) == factorial(32) // factorial(8) ** 4
    assert complete.count([DECK], [32]) == complete.count([0], [32]) == 1


def test_counts_with_voids_are_those_of_inclusion_and_exclusion():
    """Four whole hands, each of which lacks a suit of its own: count out who has how many of each suit."""

    def ways(rooms, suit):
        if suit == 4:
            return 1
        total = 0
        others = [place for place in range(4) if place != suit]
        for a in range(9):
            for b in range(9 - a):
                taken = dict(zip(others, (a, b, 8 - a - b), strict=True))
                left = [room - taken.get(place, 0) for place, room in enumerate(rooms)]
                if min(left) >= 0:
                    total += comb(8, a) * comb(8 - a, b) * ways(left, suit + 1)
        return total

    assert complete.count([0] * 4, [10, 10, 10, 2], voids=[1, 2, 4, 8]) == ways([10, 10, 10, 2], 0)


MISERES = [
    (fact["id"], int(*re.findall(r"(\d+) cards make", fact["what"])), fact["recomputed"])
    for fact in json.loads((DATA / "probabilities.json").read_text())["facts"]
    if fact["id"].startswith("misere-ev-")
]


@pytest.mark.parametrize(("name", "useful", "published"), MISERES)
def test_the_talon_completes_a_known_misere_hand_as_often_as_published(name, useful, published):
    hand = 0
    for group in name.removeprefix("misere-ev-").split("_"):
        suit, ranks = group.split(":")
        hand |= mask_of(8 * SUITS.index(suit) + RANKS.index(rank) for rank in ranks)
    wanted = np.uint32(mask_of(list(cards_of(DECK & ~hand))[:useful]))
    rows = complete.complete([hand, 0, 0, 0], [10, 10, 10, 2], SAMPLES, 8)
    share = (rows[:, 3] & wanted != 0).mean()
    assert abs(share - published) < 4 * (published * (1 - published) / SAMPLES) ** 0.5


# --- knowledge is respected


@st.composite
def knowledge(draw):
    """True knowledge about a random layout, so that at least one completion exists."""
    order = deal.deck(draw(st.integers(0, WORD)), 0, 0).tolist()
    sizes = draw(st.sampled_from([(10, 10, 10, 2), (10, 10, 2), (7, 7, 2), (5, 5, 5), (3, 3), (1, 1, 1, 1, 1), (6, 0, 6, 2, 2), (10,)]))
    truth, begin = [], 0
    for size in sizes:
        truth.append(mask_of(order[begin : begin + size]))
        begin += size
    masks = st.integers(0, DECK)
    sparse = st.builds(lambda a, b: a & b, masks, masks)
    known = [hand & draw(sparse) for hand in truth]
    forbidden = [draw(sparse) & ~hand for hand in truth]
    voids = [draw(st.integers(0, 15)) & mask_of(s for s in range(4) if not hand >> 8 * s & 255) for hand in truth]
    return truth, known, list(sizes), voids, forbidden, sum(truth)


@settings(max_examples=150)
@given(knowledge(), st.integers(0, WORD))
def test_every_completion_respects_the_knowledge(case, key):
    truth, known, sizes, voids, forbidden, cards = case
    keywords = {"voids": voids, "forbidden": forbidden, "cards": cards}
    rows = complete.complete(known, sizes, 20, key, **keywords).astype(np.int64)
    assert (np.bitwise_count(rows) == sizes).all()
    assert (np.bitwise_or.reduce(rows, axis=1) == cards).all()
    assert (rows & np.array(known) == known).all()
    barred = np.array([f | complete.suits_mask(v) for f, v in zip(forbidden, voids, strict=True)])
    assert (rows & barred == 0).all()
    alone = complete.complete(known, sizes, 7, key, **keywords)
    assert (alone == rows[:7]).all()  # a row depends on its number, not on how many there are
    assert complete.count(known, sizes, **keywords) >= 1
    assert complete.count(truth, sizes, **keywords) == 1


@settings(max_examples=60)
@given(st.data())
def test_counts_and_contradictions_agree_with_trying_every_layout(data):
    sizes = data.draw(st.sampled_from([(2, 2, 2), (3, 2, 1), (1, 1, 1, 2), (4, 3)]))
    cards = mask_of(data.draw(st.permutations(range(32)))[: sum(sizes)])
    masks = st.integers(0, DECK)
    forbidden = [cards & data.draw(masks) & data.draw(masks) for _ in sizes]
    known = [0] * len(sizes)
    layouts = enumerated(known, sizes, forbidden, cards)
    if layouts:
        assert complete.count(known, sizes, forbidden=forbidden, cards=cards) == len(layouts)
    else:
        with pytest.raises(KnowledgeError, match=r"can lie in place \d.* only, with room for|no place can hold"):
            complete.count(known, sizes, forbidden=forbidden, cards=cards)


# --- both modes, compiled callers

CASES = """
from engine import complete
from engine.cards import DECK
for voids in ((0, 0, 0, 0), (1, 2, 4, 8), (0, 6, 0, 0)):
    for forbidden in ((0, 0, 0, 0), (1 << 31, 3 << 16, 0, 255 << 20)):
        print(complete.count([0] * 4, [3, 4, 3, 2], voids=voids, forbidden=forbidden, cards=0xF00F0F),
              complete.complete([0] * 4, [3, 4, 3, 2], 6, 2**64 - 1, voids=voids, forbidden=forbidden, cards=0xF00F0F).tolist())
print(complete.complete([0] * 4, [10, 10, 10, 2], 4, 9).tolist())
"""


def test_plain_python_gives_the_same_layouts_as_compiled_code():
    answers = []
    for disabled in ("0", "1"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": disabled}
        run = subprocess.run(
            [sys.executable, "-c", CASES], env=environment, cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=True
        )
        answers.append(run.stdout)
    assert answers[0] == answers[1]
    assert answers[0].count("\n") == 7


@rule
def sampling_bot(known, sizes, forbidden, cards, key, out):
    return complete.fill(known, sizes, forbidden, cards, key, out) + 1


def test_compiled_code_can_call_the_sampler():
    columns = [plain(np.array(column, dtype=np.int64)) for column in ([0, 0, 0], [10, 10, 2], [255, 0, 0])]
    cards = DECK & ~parse_hand("HAKQ CT97 D8 SA97")
    out = np.zeros((9, 3), dtype=np.uint32)
    number = sampling_bot(*columns, cards, np.uint64(77) if JIT else 77, plain(out))
    assert number == complete.count([0, 0, 0], [10, 10, 2], voids=[1, 0, 0], cards=cards) + 1
    assert (out == complete.complete([0, 0, 0], [10, 10, 2], 9, 77, voids=[1, 0, 0], cards=cards)).all()


@pytest.mark.parametrize(
    ("known", "sizes", "forbidden"),
    [
        ((7, 0), (2, 3), (0, 0)),  # more known than it holds
        ((1, 1), (2, 3), (0, 0)),  # known twice
        ((32, 0), (2, 3), (0, 0)),  # not in play
        ((1, 0), (2, 3), (1, 0)),  # known and forbidden
        ((0, 0), (2, 2), (0, 0)),  # too little room
        ((0, 0), (2, 3), (1, 1)),  # a card without a place
        ((0, 0), (2, 3), (0, 15)),  # four cards for two rooms
    ],
)
def test_the_compiled_sampler_writes_nothing_for_impossible_knowledge(known, sizes, forbidden):
    columns = [plain(np.array(column, dtype=np.int64)) for column in (known, sizes, forbidden)]
    out = np.zeros((3, 2), dtype=np.uint32)
    assert complete.fill(*columns, 31, np.uint64(1) if JIT else 1, plain(out)) == 0
    assert not out.any()


# --- bad input

face: Any = complete  # called with what its types forbid


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: face.complete([], [], 1, 1), "there are 0 places: 1 .. 5 are allowed"),
        (lambda: face.complete([0] * 6, [5] * 6, 1, 1), "there are 6 places"),
        (lambda: face.complete([0, 0], [30], 1, 1), "sizes has 1 entries for 2 places"),
        (lambda: face.complete([0, 0], [33, -1], 1, 1), r"sizes of place 0 is 33: 0 .. 32 is allowed"),
        (lambda: face.complete([0, 1 << 32], [16, 16], 1, 1), "known of place 1 is 4294967296: 0 .. 4294967295"),
        (lambda: face.complete([0, 0.5], [16, 16], 1, 1), r"known = \[0, 0.5\]: one whole number per place"),
        (lambda: face.complete([0, 0], [16, 16], 1, 1, voids=[16, 0]), "voids of place 0 is 16: 0 .. 15 is allowed"),
        (lambda: face.complete([0, 0], [16, 16], 1, 1, cards=-1), "cards of place 0 is -1"),
        (lambda: face.complete([0, 0], [16, 16], -1, 1), "n is a whole number from 0 on"),
        (lambda: face.complete([0, 0], [16, 16], 1, 1 << 64), "the key one of 0 .. 18446744073709551615"),
        (lambda: face.complete([0, 0], [16, 16], 1.0, 1), "n = 1.0 and key = 1 are whole numbers"),
        (lambda: face.complete([0, 0], [10, 10], 1, 1), "the places have room for 20 cards, but 32 cards lie in them"),
        (lambda: face.complete(hands("SAK", "SK"), [16, 16], 1, 1), "place 1 is known to hold SK, and so is another place"),
        (
            lambda: face.complete(hands("SA", ""), [1, 1], 1, 1, cards=3),
            "place 0 is known to hold SA, which is none of the cards",
        ),
        (
            lambda: face.complete(hands("SAK HA", ""), [16, 16], 1, 1, voids=[1, 0]),
            "place 0 is known to hold SAK, which it cannot",
        ),
        (lambda: face.complete(hands("SAK", ""), [1, 31], 1, 1), "place 0 is known to hold 2 cards, but its size is 1"),
        (lambda: face.complete([0] * 3, [10, 20, 2], 1, 1, forbidden=hands("H7", "H7", "H7")), "no place can hold H7"),
        (
            lambda: face.complete([0] * 3, [10, 20, 2], 1, 1, voids=[9, 8, 0]),
            r"HAKQJT987 \(8 cards\) can lie in place 2 only, with room for 2 more",
        ),
        (
            lambda: face.complete(hands("CA", "", ""), [5, 3, 24], 1, 1, voids=[0, 0, 9]),
            r"SAKQJT987 HAKQJT987 \(16 cards\) can lie in place 0 and place 1 only, with room for 7 more",
        ),
        (lambda: face.complete([0] * 5, [7, 7, 6, 6, 6], 1, 1), r"too many layouts to be counted exactly \(2\*\*62 or more\)"),
    ],
)
def test_contradictions_and_bad_input_are_one_clear_sentence(call, message):
    with pytest.raises(KnowledgeError, match=message) as error:
        call()
    assert "\n" not in str(error.value)
