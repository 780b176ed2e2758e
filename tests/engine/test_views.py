"""A seat's view holds nothing that the seat may not know (docs/rules.md 3.1, 4.6, 5.3, 5.4, 6.2)."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine import batch, cards, jit
from engine.actions import parse_action
from engine.game import Game
from engine.table import HIDDEN, K_MISERE, K_RASPAS, OWN, P_PLAY, PUBLIC, TABLE, VIEW
from tests.helpers import CASES, random_game, reshuffle_hidden, terms


def view_bytes(game: Game, table: np.ndarray, seat: int) -> bytes:
    views = np.zeros(1, dtype=VIEW)
    batch.look(jit.plain(table), 0, game.terms.procedure, jit.plain(views), seat)
    return views.tobytes()


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_a_view_does_not_change_when_unknown_cards_are_reshuffled(name: str, seats: int) -> None:
    rng = random.Random(f"{name} {seats}")
    changed = 0
    for seed in range(4 if jit.JIT else 1):
        game = Game(terms(name, seats), seed=seed)
        for position in random_game(game, rng, 700 if jit.JIT else 120):
            for seat in range(seats):
                before = view_bytes(position, position.table, seat)
                other = position.table.copy()
                reshuffle_hidden(other, seat, rng)
                changed += other.tobytes() != position.table.tobytes()
                assert view_bytes(position, other, seat) == before, (str(position.events[-1:]), seat)
    assert changed > 100


def test_every_hidden_field_is_behind_the_public_part_and_shared_fields_have_the_same_places() -> None:
    public = [f[0] for f in PUBLIC]
    hidden = {f[0] for f in HIDDEN}
    assert hidden == {
        "hands",
        "dealt",
        "talon",
        "discard",
        "key",
        "pulka",
        "limit",
        "finished",
        "fault",
        "bad",
        "stopped",
        "d_pool",
        "d_mountain",
        "d_whists",
    }
    table, view = dict(TABLE.fields or {}), dict(VIEW.fields or {})
    assert all(table[n] == view[n] for n in public)
    assert {f[0] for f in OWN}.isdisjoint(public)


def test_every_byte_of_a_view_is_written_anew() -> None:
    game = Game(terms(), seed=1)
    game.deal()
    dirty = np.frombuffer(b"\xff" * VIEW.itemsize, dtype=VIEW).copy()
    batch.look(jit.plain(game.table), 0, game.terms.procedure, jit.plain(dirty), 1)
    clean = game.view(1)
    for name in [n for n in VIEW.names or () if "hole" not in n]:
        assert np.array_equal(dirty[name], clean[name]), name


def bring(game: Game, *words: str) -> None:
    for word in words:
        game.act(word)


def discard_lowest(game: Game) -> None:
    game.act(game.legal()[0])
    game.act(game.legal()[0])


def test_the_talon_is_seen_by_all_once_the_auction_is_won_and_by_nobody_before() -> None:
    game = Game(terms(), seed=2)
    game.deal()
    assert all(game.view(s)["talon_up"][0].tolist() == [-1, -1] for s in range(3))
    bring(game, "6S", "pass", "pass")
    talon = game.table["talon"][0].tolist()
    assert all(game.view(s)["talon_up"][0].tolist() == talon for s in range(3))


def test_raspas_turns_up_one_talon_card_at_a_time() -> None:
    game = Game(terms(), seed=2)
    game.deal()
    bring(game, "pass", "pass", "pass")
    first, second = game.table["talon"][0].tolist()
    assert game.view(0)["talon_up"][0].tolist() == [first, -1]
    for _ in range(3):
        game.act(game.legal()[0])
    assert game.view(0)["talon_up"][0].tolist() == [first, second]


def test_an_unopened_talon_stays_unseen_in_rostov() -> None:
    game = Game(terms("rostov"), seed=2)
    game.deal()
    bring(game, "pass", "pass", "pass")
    while not game.waits_for_deal and not game.over:
        assert all(game.view(s)["talon_up"][0].tolist() == [-1, -1] for s in range(3))
        game.act(game.legal()[0])


def test_an_open_defence_shows_both_defenders_and_never_the_declarer() -> None:
    game = Game(terms(), seed=3)
    game.deal()
    bring(game, "pass", "7H", "pass", "take")
    declarer = game.actor
    discard_lowest(game)
    bring(game, "7H", "whist", "pass", "open")
    whister = game.view(0)["whister"][0]
    for seat in range(3):
        known = game.view(seat)["known"][0].tolist()
        for other in range(3):
            hand = int(game.table["hands"][0][other])
            assert known[other] == (hand if other != declarer or seat == declarer else 0)
    while game.phase == P_PLAY:
        assert game.actor == (declarer if game.turn == declarer else whister)
        game.act(game.legal()[0])


def test_a_closed_defence_shows_nothing_and_the_passer_plays_his_own_cards() -> None:
    game = Game(terms(), seed=3)
    game.deal()
    bring(game, "pass", "7H", "pass", "take")
    discard_lowest(game)
    bring(game, "7H", "whist", "pass", "closed")
    while game.phase == P_PLAY:
        assert game.actor == game.turn
        assert not game.view(game.actor)["shown"].any()
        game.act(game.legal()[0])


@pytest.mark.parametrize(("misere", "kept_dark"), [("dark", True), ("light", False)])
def test_misere_opens_the_defence_after_first_hands_dark_lead(misere: str, kept_dark: bool) -> None:
    game = Game(terms("piter", 3, declarer_first_lead_misere=misere), seed=4)
    game.deal()
    bring(game, "misere", "pass", "pass")
    discard_lowest(game)
    assert int(game.table["kind"][0]) == K_MISERE
    assert (not game.view(1)["shown"].any()) == kept_dark
    game.act(game.legal()[0])
    shown = game.view(1)["shown"][0]
    assert shown[2] == game.table["hands"][0][2] and shown[0] == game.table["hands"][0][0] and not shown[1]
    assert game.actor == game.turn == 2  # on misère each defender plays his own hand


def test_misere_opens_the_defence_before_a_defenders_lead() -> None:
    game = Game(terms(), seed=4)
    game.deal()
    bring(game, "pass", "misere", "pass")
    discard_lowest(game)
    assert game.turn == 1
    assert game.view(2)["known"][0].tolist()[0] == int(game.table["hands"][0][0])


@pytest.mark.parametrize(("game_lead", "shown_before"), [("light", True), ("dark", False)])
def test_a_declarer_on_first_hand_leads_to_an_open_defence_light_or_dark(game_lead: str, shown_before: bool) -> None:
    game = Game(terms("piter", 3, declarer_first_lead_game=game_lead), seed=5)
    game.deal()
    bring(game, "7S", "pass", "pass", "take")
    discard_lowest(game)
    bring(game, "7S", "whist", "pass", "open")
    assert game.turn == 1
    assert game.view(1)["shown"].any() == shown_before
    game.act(game.legal()[0])
    assert game.view(1)["shown"].any()


def test_the_talon_sitter_sees_the_one_hand_he_looked_at_and_then_directs_both() -> None:
    game = Game(terms("piter", 4), seed=6)
    game.deal()
    bring(game, "6C", "pass", "pass", "take")
    discard_lowest(game)
    bring(game, "6C", "pass", "half", "pass")
    assert game.actor == 0
    assert game.view(0)["known"][0].tolist() == [0, 0, 0, 0]
    game.act("look:1")  # the declarer's ten cards
    assert game.view(0)["known"][0].tolist() == [0, int(game.table["hands"][0][1]), 0, 0]
    assert game.view(2)["known"][0].tolist()[1] == 0
    assert parse_action("look:2") not in game.legal()
    game.act("whist")
    while game.phase == P_PLAY:
        assert game.actor == (1 if game.turn == 1 else 0)
        known = game.view(0)["known"][0].tolist()
        assert known[1:] == game.table["hands"][0].tolist()[1:]
        game.act(game.legal()[0])


def test_the_dealers_talon_cards_are_played_for_him_in_raspas_with_four() -> None:
    game = Game(terms("piter", 4), seed=7)
    game.deal()
    bring(game, "pass", "pass", "pass")
    assert int(game.table["kind"][0]) == K_RASPAS
    first = int(game.table["talon"][0][0])
    assert int(game.view(1)["played"][0][0]) == 1 << first
    assert cards.card_text(int(game.view(1)["trick"][0][0])) == cards.card_text(first)


def test_only_the_declarer_sees_the_discard() -> None:
    game = Game(terms(), seed=8)
    game.deal()
    bring(game, "6S", "pass", "pass", "take")
    discard_lowest(game)
    discarded = int(game.table["discard"][0])
    assert discarded and int(game.view(1)["discard"][0]) == discarded
    assert not int(game.view(0)["discard"][0]) and not int(game.view(2)["discard"][0])
