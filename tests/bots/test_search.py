"""The parts of search: imagined layouts, what they go on to, what the end is worth."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bots import catalogue, novice
from bots.search import futures, worlds, worth
from bots.search.candidates import candidates
from bots.solver.root import POSITION
from conventions import settlement
from conventions.rules_record import RULES
from engine import complete
from engine.actions import PASS
from engine.batch import Setup
from engine.cards import DECK, mask_of, parse_hand
from engine.deal import decks, masks_of
from engine.game import Game
from engine.jit import bot_address, plain
from engine.table import P_BID, P_DISCARD, P_PLAY, PUBLIC_FIELDS, VIEW, new_tables
from engine.terms import Terms
from tests.bots.tables import deals_of
from tests.helpers import random_game, terms

NOVICE = bot_address(novice.act, VIEW, RULES)


def imagined(played: Terms, view: np.ndarray, wanted: int, tries: int) -> np.ndarray:
    """Tables in layouts that agree with one view."""
    out = new_tables(wanted)
    one = np.zeros(1, dtype=np.int64)
    drawn, columns = np.zeros((tries, worlds.PLACES), dtype=np.int64), np.zeros((3, worlds.PLACES), dtype=np.int64)
    failed = worlds.imagine(
        plain(view), plain(one), plain(one), plain(one + wanted), plain(one + tries), played.procedure,
        played.scorer_number, played.pointer, NOVICE.number, plain(drawn), plain(np.zeros((2, 32), dtype=np.int64)),
        plain(new_tables(tries)), plain(np.zeros(1, dtype=VIEW)), plain(np.zeros(tries, dtype=np.int64)), plain(columns), plain(out),
    )  # fmt: skip
    assert failed == 0
    return out


@pytest.mark.parametrize(("name", "seats"), [("piter", 3), ("piter", 4), ("rostov", 3), ("sochi", 4), ("skachki", 4)])
def test_imagined_tables_look_to_the_seat_as_the_true_one(name: str, seats: int) -> None:
    """Whatever the seat may know is the same to the byte; whatever it does not know adds up to the deck."""
    played = terms(name, seats)
    rng = random.Random(5)
    kinds = set()
    for number in range(12):
        for game in random_game(Game(played, seed=number), rng, 140):
            if rng.random() < 0.7:
                continue
            view = game.view(game.actor)
            kinds.add((game.phase, int(view["kind"][0])))
            for table in imagined(played, view, 2, 4):
                for field in PUBLIC_FIELDS:
                    if field != "moves":
                        assert_array_equal(table[field], view[field][0], field)
                seat = int(view["seat"][0])
                for other in range(seats):
                    known = int(view["known"][0][other])
                    assert int(table["hands"][other]) & known == known
                assert int(table["hands"][seat]) == int(view["hand"][0])
                if game.phase in (P_BID, P_DISCARD, P_PLAY):
                    everything = [*table["hands"], table["discard"], *table["played"]]
                    seen = int(np.bitwise_or.reduce([int(m) for m in everything]))
                    if table["declarer"] < 0 or table["refused"]:
                        seen |= 1 << int(table["talon"][0]) | 1 << int(table["talon"][1])
                    assert seen == DECK
    assert {phase for phase, _ in kinds} >= {P_BID, P_DISCARD, P_PLAY}


def test_where_few_layouts_are_left_all_are_looked_at() -> None:
    """Every layout once, no more and no fewer than can be counted, each within what is known."""
    rng = random.Random(8)
    for _ in range(300):
        cards = rng.sample(range(32), rng.randrange(1, 10))
        sizes, known, forbidden = [0] * worlds.PLACES, [0] * worlds.PLACES, [0] * worlds.PLACES
        for card in cards:
            place = rng.randrange(worlds.PLACES)
            sizes[place] += 1
            for other in range(worlds.PLACES):
                if other != place and rng.random() < 0.5:
                    forbidden[other] |= 1 << card
            if rng.random() < 0.2:
                known[place] |= 1 << card
        everything = mask_of(cards)
        number = complete.count(known, sizes, forbidden=forbidden, cards=everything)
        rows = np.zeros((number, worlds.PLACES), dtype=np.int64)
        columns = [plain(np.array(column, dtype=np.int64)) for column in (known, sizes, forbidden)]
        assert worlds.all_layouts(*columns, everything, plain(rows), plain(np.zeros((2, 32), dtype=np.int64))) == number
        assert len(np.unique(rows, axis=0)) == number
        for row in rows.tolist():
            assert [cards.bit_count() for cards in row] == sizes
            assert sum(row) == everything
            assert all(held & k == k and held & f == 0 for held, k, f in zip(row, known, forbidden, strict=True))


def test_layouts_in_which_the_others_spoke_otherwise_count_less() -> None:
    """Two passes before the third hand: strong hands among them become rare."""
    played = terms("piter", 3)
    strong = [novice.highest_contract(int(hand), novice.TALON_WORTH, 1) > 0 for hand in masks_of(decks(1, np.arange(480)))[:, :2].ravel()]
    imagined_strong = []
    for seed in range(30):
        game = Game(played, seed=seed)
        game.deal()
        game.act("pass")
        game.act("pass")
        for table in imagined(played, game.view(game.actor), 16, 128):
            others = [int(table["hands"][seat]) for seat in range(3) if seat != game.actor]
            imagined_strong += [novice.highest_contract(hand, novice.TALON_WORTH, 1) > 0 for hand in others]
    assert 0 < np.mean(imagined_strong) < np.mean(strong) / 2


def test_a_deal_played_to_its_end_is_worth_what_the_settlement_says() -> None:
    """The difference that a deal makes to the settled sheet, for every seat, in every convention."""
    for name, seats in (("piter", 3), ("rostov", 4), ("vmk", 3), ("skachki", 4)):
        played = terms(name, seats)
        weights = worth.coefficients(played.rules)
        pool, mountain = int(played.rules["pool_worth"][0]), int(played.rules["mountain_worth"][0])
        players = (catalogue.load("novice", played.rules),)
        _, rows = deals_of(Setup(played, players, ((0,) * seats,), limit=12), 4)
        before = rows.copy()
        for field in ("pool", "mountain", "whists"):
            before[field] = rows[field] - rows[f"d_{field}"]
        made = settlement.settle_tables(rows, pool, mountain) - settlement.settle_tables(before, pool, mountain)
        for i in range(len(rows)):
            for seat in range(seats):
                assert worth.worth_of(plain(rows)[i], weights, seat) == made[i, seat]


@pytest.mark.parametrize(("name", "seats"), [("piter", 3), ("rostov", 3), ("sochi", 4)])
def test_every_number_of_tricks_is_worth_what_playing_to_it_writes(name: str, seats: int) -> None:
    """At the last card of a game, the worth of the tricks it ends with is the worth of playing it."""
    played = terms(name, seats)
    weights = worth.coefficients(played.rules)
    rng = random.Random(3)
    compared = 0
    for number in range(60):
        for game in random_game(Game(played, seed=100 + number), rng, 80):
            t = game.table[0]
            if game.phase != P_PLAY or int(t["declarer"]) < 0 or int(t["trick_no"]) != 9 or int(t["in_trick"]) != 2:
                continue
            jobs = np.zeros(2, dtype=futures.JOB)
            jobs["steps"] = futures.NONE
            jobs["seat"] = int(t["declarer"])
            jobs["solve"] = [0, 1]
            states, values = futures.empty(2)
            positions = np.zeros(2, dtype=POSITION)
            futures.explore(
                plain(game.table.copy()), plain(jobs), played.procedure, played.scorer_number, played.pointer, NOVICE.number, weights,
                plain(new_tables(futures.SCRATCH)), plain(np.zeros(1, dtype=VIEW)), plain(states), plain(positions), plain(values),
            )  # fmt: skip
            assert states.tolist() == [futures.PLAYED, futures.TO_SOLVE]
            after = Game(played)
            after.table[:] = game.table
            game.act(game.legal()[0])
            took = int(game.table["tricks"][0][int(t["declarer"])])
            if game.finished_deals:
                took = int(game.finished_deals[-1]["tricks"][0][int(t["declarer"])])
            assert values[0, 0] == values[1, took]
            compared += 1
            break
    assert compared > 3


def test_neighbouring_cards_are_one_candidate() -> None:
    view = np.zeros(1, dtype=VIEW)
    view["phase"], view["first_action"] = P_PLAY, 0
    view["trick"] = -1
    view["hand"] = view["legal"] = parse_hand("SAKJ D789")
    assert candidates(view[0], 0) == [(parse_hand(card).bit_length() - 1,) for card in ("SJ", "SK", "SA", "D9") if card != "SK"]
    view["played"][0][0] = parse_hand("SQ")
    assert candidates(view[0], 0) == [(parse_hand(card).bit_length() - 1,) for card in ("SA", "D9")]


def test_bids_are_pass_the_lowest_misere_and_what_the_bot_says() -> None:
    game = Game(terms("piter", 3), seed=1)
    game.deal()
    view = game.view(game.actor)
    assert [steps[0] for steps in candidates(view[0], PASS + 12)] == [PASS, PASS + 1, PASS + 2, PASS + 3, PASS + 12, PASS + 16]
