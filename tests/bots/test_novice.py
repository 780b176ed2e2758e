"""`novice` is a beginner, not a fool: legal everywhere, blind to what is hidden, better than chance at every part of the game."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots import novice
from bots.hands import holding
from engine.batch import play_block
from engine.cards import parse_hand
from engine.table import K_MISERE, K_RASPAS
from tests.bots.tables import TABLES, by_player, deals_of, decisions_blind_to_hidden_cards, interval, made, setup, words_of
from tests.helpers import terms


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_plays_legally_in_every_convention(name: str, seats: int, options: dict[str, Any]) -> None:
    """Against random bots too, who lead it into positions that its own kind never reaches."""
    played = terms(name, seats, **options)
    assert play_block(setup(played, "novice"), 0, 48).failures == []
    mixed = setup(played, *(["novice", "random", "random", "random"][:seats]), limit=40)
    assert play_block(mixed, 0, 48).failures == []


def test_is_asked_in_every_phase() -> None:
    """A run that never met a phase proves nothing about it."""
    seen = set()
    for name, seats in (("piter", 4), ("skachki", 4)):
        _, deals = deals_of(setup(terms(name, seats), "novice"), 32)
        assert len(deals) > 100
        for row in range(len(deals)):
            seen |= words_of(deals[row : row + 1])
    assert {"misere", "pass", "whist", "half", "open", "take", "card", "pool"} <= seen


def test_same_seed_same_pulkas() -> None:
    played = terms("piter", 3)
    one = play_block(setup(played, "novice", seed=5), 0, 12).tables.tobytes()
    again = play_block(setup(played, "novice", seed=5), 0, 12).tables.tobytes()
    other = play_block(setup(played, "novice", seed=6), 0, 12).tables.tobytes()
    assert one == again
    assert one != other


_PLAIN = """
import hashlib, json, sys
from tests.helpers import terms
from tests.bots.tables import setup
from engine.batch import play_block
print(json.dumps([hashlib.sha256(play_block(setup(terms(n, s), "novice", limit=3), 0, 2).tables.tobytes()).hexdigest()
                  for n, s in (("piter", 3), ("skachki", 4))]))
"""


def test_compiled_and_plain_python_agree() -> None:
    """The same function as ordinary Python, where a number that does not fit raises, plays the same deals."""
    answers = []
    for disabled in ("0", "1"):
        answer = subprocess.run(
            [sys.executable, "-c", _PLAIN], env={**os.environ, "NUMBA_DISABLE_JIT": disabled}, capture_output=True, text=True, check=True
        )
        answers.append(json.loads(answer.stdout))
    assert answers[0] == answers[1]


def test_hidden_cards_change_no_decision() -> None:
    """Positions of real play: whatever the seat cannot see is dealt afresh, the view stays the same to the byte, and so the action."""
    for name, seats in (("piter", 3), ("piter", 4), ("sochi", 4), ("rostov", 3)):
        assert decisions_blind_to_hidden_cards(novice.act, terms(name, seats), random.Random(11), 350) == 350


@pytest.mark.parametrize(("name", "seats"), [("piter", 3), ("piter", 4), ("rostov", 3), ("sochi", 4)])
def test_makes_most_of_the_contracts_it_bids(name: str, seats: int) -> None:
    _, deals = deals_of(setup(terms(name, seats), "novice"), 64)
    good, all_of_them = made(deals)
    assert all_of_them > 250
    assert good / all_of_them > 0.7


def test_pulkas_come_to_an_end_and_look_like_preferans() -> None:
    block, deals = deals_of(setup(terms("piter", 3), "novice", limit=500), 128)
    assert block.tables["finished"].all()
    assert len(deals) / 128 < 60
    assert 0.3 < (deals["kind"] == K_RASPAS).mean() < 0.65
    miseres = deals[deals["kind"] == K_MISERE]
    caught = np.take_along_axis(miseres["tricks"], miseres["declarer"][:, None].astype(np.int64), 1)[:, 0] > 0
    assert 0.05 < caught.mean() < 0.6


@pytest.mark.parametrize(("name", "seats"), [("piter", 3), ("rostov", 3), ("sochi", 3), ("piter", 4)])
def test_beats_random_bots(name: str, seats: int) -> None:
    """On duplicate sets: the same cards with `novice` in every seat."""
    table = setup(terms(name, seats), *(["novice", "random", "random", "random"][:seats]), limit=30, duplicate=True)
    block = play_block(table, 0, 60 * seats)
    low, _ = interval(by_player(table, block)[:, 0])
    assert low > 100


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=50)
def test_counts_stay_within_what_a_hand_can_take(hand: int) -> None:
    cards = hand.bit_count()
    for trump in range(5):
        assert 0 <= novice.count_tricks(hand, trump) <= 4 * cards


@pytest.mark.parametrize(
    ("hand", "trump", "tricks"),
    [
        ("SAKQJT987 CA HA", 0, 10),
        ("SAKQ CAKQ DAKQ HA", 4, 10),
        ("SAKQJ CA DA H789T", 0, 6),
        ("S789 C789 D78 H78", 0, 0),
    ],
)
def test_counts_the_obvious(hand: str, trump: int, tricks: int) -> None:
    assert novice.count_tricks(parse_hand(hand), trump) // 4 == tricks


@pytest.mark.parametrize(("suit", "bad"), [("S79JK", 0), ("S789TJQKA", 0), ("S8", 1), ("S7TA", 2), ("S7", 0), ("SAKQ", 3), ("S89", 2)])
def test_knows_the_bad_cards_of_misere(suit: str, bad: int) -> None:
    assert novice.BAD[holding(parse_hand(suit), 0)] == bad
