"""The condition language of `preferans deal --where`."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import cards, deal
from lab.where import FUNCTIONS, WhereError, condition

HANDS = deal.masks_of(deal.decks(1, [0], 0, count=2000)[0])


def spades(hands: np.ndarray, place: int) -> np.ndarray:
    return np.bitwise_count(hands[:, place] & np.uint32(0xFF))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('length(1, "S") >= 5', lambda h: spades(h, 0) >= 5),
        ('length(first, "♠") >= 5', lambda h: spades(h, 0) >= 5),
        ('length(0, "s") + length(talon, "S") == 3', lambda h: spades(h, 2) + spades(h, 3) == 3),
        ('3 <= length(2, "S") < 5 and not has(2, "SA")', lambda h: (spades(h, 1) >= 3) & (spades(h, 1) < 5) & (h[:, 1] & 0x80 == 0)),
        (
            'any(talon, "SA CA DA HA") or count(first, "A") == 4',
            lambda h: (h[:, 3] & 0x80808080 != 0) | (np.bitwise_count(h[:, 0] & 0x80808080) == 4),
        ),
        ('top(first, "S") == 2', lambda h: h[:, 0] & 0xE0 == 0xC0),
        ("voids(third) > 0", lambda h: np.any([h[:, 2] >> 8 * s & 0xFF == 0 for s in range(4)], axis=0)),
        ("longest(first) - shortest(first) * 2 > 1", None),
        ("True or False", lambda h: np.ones(len(h), dtype=bool)),
    ],
)
def test_a_condition_means_what_it_says(text: str, expected) -> None:  # type: ignore[no-untyped-def]
    got = condition(text)(HANDS)
    assert got.shape == (len(HANDS),) and got.dtype == np.bool_
    if expected is not None:
        assert np.array_equal(got, expected(HANDS))
    assert got.sum() > 0


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("", 1, "empty"),
        ("length(0,", 7, "cannot be read"),
        ('length(0, "X") > 1', 11, "a suit is needed"),
        ('length(5, "S") > 1', 8, "a seat that holds cards (0, 1, 2)"),
        ('length(0, "S")', 1, "true or false is needed"),
        ("1 == 1 and size(0) > 1", 12, "no such function"),
        ('has(0, "SASA")', 8, "stands twice"),
        ('has(0, "")', 8, "cards are needed"),
        ("length > 2", 1, "is a function"),
        ("__import__('os')", 1, "no such function"),
        ("(1).real == 1", 1, "not part of the language"),
        ("length(0, 'S') in (1, 2)", 19, "only < <="),
        ("1 == 1 if 1 else 2", 1, "not part"),
        ("[x for x in y]", 1, "not part"),
        ("lambda: 1", 1, "not part"),
        ("9999999999 > 1", 1, "too large"),
        ("2 ** 9 > 1", 1, "not part"),
        ("1 / 0 > 1", 1, "not part"),
        ("count(0, 'AA') > 1", 10, "a rank is needed"),
        ("♠ > 1", 1, ""),
        ("1 == 1 # x", 8, "'#'"),
        ("1 == 1\n", 7, "not part"),
        ("1 == 1) or (1 == 1", 7, "cannot be read"),
        ('  length(0, "X") > 1', 13, "a suit is needed"),
        ("top(0, 'S', 'S') > 1", 1, "do not fit"),
        ("(" * 300 + "1 == 1" + ")" * 300, None, ""),
        ("not " * 200 + "1 == 1", None, "nested"),
        ("1 == 1 and " * 400 + "1 == 1", 1, "characters"),
    ],
)
def test_an_error_points_at_the_character(text: str, at: int | None, words: str) -> None:
    with pytest.raises(WhereError) as error:
        condition(text)
    assert words in str(error.value)
    if at is not None:
        assert error.value.at == at


_WORDS = """and or not ( ) , + - * < >= == != 1 0 7 first talon "S" 'SAK' x . [ ] lambda : = ** \\ ♠ if else await yield f'' 0x 1e9 { } @"""
_WORDS_AND_WORSE = [*_WORDS.split(), "\0", *FUNCTIONS]
_SOME = st.lists(st.sampled_from(_WORDS_AND_WORSE), max_size=25)


@given(st.one_of(st.text(max_size=60), _SOME.map(" ".join), _SOME.map("".join)))
def test_no_text_does_anything_but_hold_or_be_refused(text: str) -> None:
    try:
        answer = condition(text)(HANDS[:5])
    except WhereError as refused:
        place = refused.at
    else:
        place = 1
        assert answer.shape == (5,)
        assert answer.dtype == np.bool_
    assert 1 <= place <= len(text) + 1


def test_deals_are_uniform_among_those_that_match() -> None:
    """Enumerated: the talon's two cards given that both are spade honours among A K Q J: six talons, equally often."""
    low = " + ".join(f'count(talon, "{rank}")' for rank in "789T")
    found = deal.where(condition(f'length(talon, "S") == 2 and {low} == 0'), 1500, 3)
    talons = deal.masks_of(found.decks)[:, 3]
    kinds = [cards.mask_of(pair) for pair in itertools.combinations(range(4, 8), 2)]
    counts = np.array([(talons == kind).sum() for kind in kinds])
    assert counts.sum() == 1500
    expected = 1500 / len(kinds)
    assert ((counts - expected) ** 2 / expected).sum() < 20.5  # chi-square with 5 degrees of freedom, 0.1 %


def test_nothing_that_matches_is_an_honest_refusal() -> None:
    with pytest.raises(deal.DealError, match="none of the 20,000 deals"):
        deal.where(condition('has(first, "SA") and has(second, "SA")'), 1, 1, limit=20_000)
