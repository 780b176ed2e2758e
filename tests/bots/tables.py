"""Tables for tests of bots: what they play for, what they did, what it came to."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from bots import catalogue
from engine.actions import action_text
from engine.batch import Block, Setup, look, play_block
from engine.contracts import LEVEL
from engine.game import Game
from engine.jit import plain
from engine.table import E_GAVE_UP, E_PLAYED, K_GAME, TABLE, VIEW
from engine.terms import Terms
from tests.helpers import CASES, reshuffle_hidden

# every convention and seat count, and some with options that lead to rare words
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    *((name, seats, {}) for name, seats in CASES),
    ("piter", 3, {"ten_whisted": True, "stalingrad": False, "sliding_raspas": False, "give_up": False, "raspas_exit": "6-7-8"}),
    ("piter", 4, {"talon_return": True, "unwhisted_exits": True, "gentleman": False, "raspas_progression": "2-4-8"}),
    ("piter", 4, {"talon_sitter_may_whist": False, "pass_pass_whist": False, "pool_end": "each", "hold": False}),
    ("rostov", 4, {"dealer_zero_bonus": True, "ten_whisted": True, "pass_pass_whist": True, "stalingrad": False}),
    ("skachki", 4, {"unwhisted_exits": True, "remise_whist_multiplier": 1}),
    ("sochi", 3, {"pass_pass_whist": True, "declarer_first_lead_game": "dark", "declarer_first_lead_misere": "light"}),
    ("vmk", 4, {"talon_sitter_may_whist": True, "pool_end": "first", "half_whist": False}),
]


def setup(terms: Terms, *bots: str, seed: int = 1, limit: int = 200, duplicate: bool = False, seatings: Any = None) -> Setup:
    """One bot: at every seat; several: one per seat, rotated."""
    players = tuple(catalogue.load(bot, terms.rules) for bot in bots)
    if seatings is None:
        at = tuple(range(len(bots))) if len(bots) > 1 else (0,) * terms.seats
        seatings = tuple(at[k:] + at[:k] for k in range(len(at))) if len(bots) > 1 else (at,)
    return Setup(terms, players, seatings, seed=seed, limit=limit, duplicate=duplicate)


def deals_of(setup: Setup, count: int) -> tuple[Block, np.ndarray[Any, Any]]:
    """A block and its finished deals, shape (deals,), dtype `TABLE`."""
    kept: list[np.ndarray[Any, Any]] = []
    block = play_block(setup, 0, count, lambda rows: kept.append(np.frombuffer(rows.tobytes(), dtype=TABLE)))
    return block, np.concatenate(kept)


def made(deals: np.ndarray[Any, Any]) -> tuple[int, int]:
    """Trick contracts made, and all of them; a give-up is a failed one."""
    games = deals[deals["kind"] == K_GAME]
    tricks = np.take_along_axis(games["tricks"], games["declarer"][:, None].astype(np.int64), 1)[:, 0]
    failed = (games["ended"] == E_PLAYED) & (tricks < np.array(LEVEL)[games["contract"]]) | (games["ended"] == E_GAVE_UP)
    return int((~failed).sum()), len(games)


def results(block: Block, terms: Terms) -> np.ndarray[Any, Any]:
    """Every seat's result of each pulka in whists, float64 (pulkas, seats): good enough for means."""
    tables, n = block.tables, terms.seats
    pool = (tables["pool"] + tables["pool_done"])[:, :n] / 6
    mountain = (tables["mountain"] + tables["mountain_done"])[:, :n] / 6
    whists = tables["whists"][:, :n, :n] / 6
    value = int(terms.rules["pool_worth"][0]) * pool - int(terms.rules["mountain_worth"][0]) * mountain
    return value - value.mean(1, keepdims=True) + whists.sum(2) - whists.sum(1)


def by_player(setup: Setup, block: Block) -> np.ndarray[Any, Any]:
    """Every player's mean result per set of seatings, float64 (sets, players): the unit of evidence."""
    outcome = results(block, setup.terms)
    count, seatings = len(outcome), len(setup.seatings)
    seating = np.array(setup.seatings)[np.arange(count) % seatings]
    mean = np.stack(
        [np.where(seating == p, outcome, 0).sum(1) / np.maximum(1, (seating == p).sum(1)) for p in range(len(setup.players))], 1
    )
    sets = count // seatings
    return mean[: sets * seatings].reshape(sets, seatings, -1).mean(1)


def interval(values: np.ndarray[Any, Any]) -> tuple[float, float]:
    """A 99.9 % interval for the mean of independent values."""
    half = 3.29 * values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean() - half), float(values.mean() + half)


def words_of(deal: np.ndarray[Any, Any]) -> set[str]:
    """The different words of one finished deal, every played card being `card`."""
    texts = [action_text(int(action)) for action in deal["log"][0][: int(deal["words"][0])]]
    return {"card" if len(text) == 2 and text[0] in "SCDH" else text for text in texts}


def both_views(game: Game, rng: random.Random) -> np.ndarray[Any, Any]:
    """What the seat to act sees, and what it sees once all that it cannot see has been dealt afresh: shape (2,), the same to the byte."""
    tables = np.frombuffer(game.table.tobytes(), dtype=TABLE).copy()
    seat = int(tables["actor"][0])
    views = np.zeros(2, dtype=VIEW)
    look(plain(tables), 0, game.terms.procedure, plain(views[:1]), seat)
    reshuffle_hidden(tables, seat, rng)
    look(plain(tables), 0, game.terms.procedure, plain(views[1:]), seat)
    assert views[:1].tobytes() == views[1:].tobytes()
    return views


def decisions_blind_to_hidden_cards(act: Any, terms: Terms, rng: random.Random, count: int) -> int:
    """Play `count` decisions; at each, deal afresh what the seat cannot see, compare view and action; returns `count`."""
    rules = plain(terms.rules)[0]
    game = Game(terms, seed=rng.randrange(1000))
    compared = 0
    while compared < count:
        if game.over:
            game = Game(terms, seed=rng.randrange(1000))
        if game.waits_for_deal:
            game.deal()
        views = both_views(game, rng)
        actions = [int(act(plain(views)[i], rules)) for i in range(2)]
        assert actions[0] == actions[1]
        game.act(actions[0])
        compared += 1
    return compared
