"""What many tests need: terms of a convention, positions from random play, reshuffled hidden cards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

import conventions
from conventions.terms import terms_of
from engine import cards
from engine.game import Game
from engine.terms import Terms

CASES = [(name, seats) for name in ("piter", "rostov", "vmk", "moscow", "sochi", "leningrad", "classic") for seats in (3, 4)] + [
    ("skachki", 4)
]


def terms(name: str = "piter", seats: int = 3, **options: Any) -> Terms:
    """The terms of a named convention with options."""
    return terms_of(conventions.get(name, seats, options), seats, options)


def random_game(game: Game, rng: random.Random, actions: int) -> Iterator[Game]:
    """Play uniformly random legal actions, dealing as needed; yields the game before each action."""
    for _ in range(actions):
        if game.waits_for_deal:
            game.deal()
        if game.over:
            return
        yield game
        game.act(rng.choice(game.legal()))


def reshuffle_hidden(table: np.ndarray[Any, Any], seat: int, rng: random.Random) -> None:
    """Deal the cards that `seat` cannot know afresh among the places where they may be (`table`: one `TABLE` record, in place).

    Known are its own hand and discard, hands that lie open, the hand the talon-sitter looked at, turned-up talon cards
    and all cards played.
    """
    t = table[0]
    seats = int(t["seats"])
    looker = seats == 4 and seat == int(t["dealer"]) and int(t["looked"]) >= 0
    known = [
        int(t["hands"][s]) if s == seat or (looker and s == int(t["looked"])) else int(t["shown"][s]) & int(t["hands"][s])
        for s in range(seats)
    ]
    hidden_talon = [k for k in range(2) if int(t["talon_up"][k]) < 0]
    hidden_discard = int(t["discard"]) if seat != int(t["declarer"]) else 0
    pool = [c for s in range(seats) for c in cards.cards_of(int(t["hands"][s]) & ~known[s])]
    pool += [int(t["talon"][k]) for k in hidden_talon] + list(cards.cards_of(hidden_discard))
    rng.shuffle(pool)
    for s in range(seats):
        count = (int(t["hands"][s]) & ~known[s]).bit_count()
        t["hands"][s] = known[s] | cards.mask_of(pool[:count])
        del pool[:count]
    for k in hidden_talon:
        t["talon"][k] = pool.pop()
    if hidden_discard:
        t["discard"] = cards.mask_of(pool)
        pool.clear()
    assert not pool
    t["dealt"] = [rng.getrandbits(32) for _ in range(4)]  # where cards came from is hidden altogether
