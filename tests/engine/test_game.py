"""The interactive face: actions, reasons, events, undo, rendering, records."""

from __future__ import annotations

import copy
import json
import random
from fractions import Fraction
from typing import Any

import pytest

from engine import actions
from engine.actions import ActionError
from engine.game import Game
from engine.replay import RecordError, read, replay
from tests.helpers import random_game, terms


def started(*words: str, **options: Any) -> Game:
    game = Game(terms("piter", 3, **options), seed=11)
    game.deal()
    for word in words:
        game.act(word)
    return game


@pytest.mark.parametrize(
    ("words", "action", "section"),
    [
        ((), "whist", "2.1"),
        (("7C",), "7S", "2.2"),
        (("7C",), "7C", "2.3"),
        (("6S",), "take", "2.1"),
        (("misere",), "8N", "2.2"),
        (("6S", "6C", "6D"), "misere", "2.4"),
        (("misere", "9S", "pass"), "9C", "2.4"),
        (("6S", "pass", "pass"), "refuse", "3.4, 3.5"),
        (("6S", "pass", "pass", "take"), "SA", "3.1"),
        (("7S", "pass", "pass", "give-up"), "pass", "1.4"),
    ],
)
def test_why_not_names_the_rule(words: tuple[str, ...], action: str, section: str) -> None:
    game = started(*words)
    before = game.table.tobytes()
    reason = game.why_not(action)
    assert reason is not None and f"docs/rules.md {section})" in reason
    with pytest.raises(ActionError) as error:
        game.act(action)
    assert str(error.value) == reason
    assert game.table.tobytes() == before


def test_why_not_explains_following_suit_and_trumping() -> None:
    seen = set()
    rng = random.Random(1)
    for position in random_game(Game(terms(), seed=1, limit=200), rng, 4000):
        for action in range(32):
            reason = position.why_not(action)
            if reason and "must follow" in reason:
                seen.add("follow")
            if reason and "must trump" in reason:
                seen.add("trump")
            assert (reason is None) == (action in position.legal())
    assert seen == {"follow", "trump"}


def test_text_that_is_no_action_is_refused_with_what_is_allowed() -> None:
    game = started()
    for text in ("banana", "", "S1", "11S", "-", "--SA", "look:9", "7X"):
        with pytest.raises(ActionError, match="is not an action"):
            game.act(text)
    with pytest.raises(ActionError, match="no action"):
        game.act(104)
    with pytest.raises(ActionError, match="no action"):
        game.act(-1)


def test_events_tell_who_decided_for_whom() -> None:
    game = Game(terms(), seed=3)
    game.deal()
    for word in ("pass", "7H", "pass", "take"):
        event = game.act(word)
        assert event.seat == event.actor and actions.action_text(event.action) == word
    game.act(game.legal()[0])
    game.act(game.legal()[0])
    for word in ("7H", "whist", "pass", "open"):
        game.act(word)
    events = [game.act(game.legal()[0]) for _ in range(6)]
    whister = int(game.table["whister"][0])
    assert {e.actor for e in events} == {2, whister}
    assert any("played by" in str(e) for e in events)


def test_undo_goes_back_to_the_beginning_byte_for_byte() -> None:
    game = Game(terms("skachki", 4), seed=5)
    start = game.table.tobytes()
    states = []
    for _ in random_game(game, random.Random(5), 300):
        states.append(game.table.tobytes())
    for state in reversed(states):
        game.undo()
        while game.table.tobytes() != state:  # a deal lies between
            game.undo()
    while game.table.tobytes() != start:
        game.undo()
    with pytest.raises(ActionError, match="nothing to undo"):
        game.undo()
    assert game.table.tobytes() == start and not game.events and not game.finished_deals


def test_a_deal_is_refused_while_one_is_on_and_a_deck_must_be_a_deck() -> None:
    game = started()
    with pytest.raises(ActionError, match="not finished"):
        game.deal()
    fresh = Game(terms())
    for deck in ([0] * 32, range(31), range(1, 33)):
        with pytest.raises(ActionError, match="deck"):
            fresh.deal(list(deck))


@pytest.mark.parametrize("arguments", [{"dealer": 3}, {"dealer": -1}, {"target": 0}])
def test_a_game_refuses_a_dealer_or_target_that_cannot_be(arguments: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"dealer|target"):
        Game(terms(), **arguments)


def test_rendering_from_a_seat_hides_what_the_seat_may_not_know() -> None:
    game = started("6S", "pass", "pass", "take")
    above, seat = game.render(), game.render(2)
    assert above.count("unknown") == 0 and seat.count("unknown") == 2
    assert "legal:" in game.render(game.actor) and "legal:" not in seat


def whole_record(limit: int = 12) -> tuple[dict[str, Any], Game]:
    game = Game(terms("piter", 4), seed=2, limit=limit, target=4)
    for _ in random_game(game, random.Random(2), 5000):
        pass
    return game.record(["a", "b", "c", "d"], [Fraction(1, 3)] * 4), game


def test_a_record_replays() -> None:
    record, game = whole_record()
    again = replay(read(json.loads(json.dumps(record))), game.terms)
    assert [d["deals"] for d in [again.record(["a", "b", "c", "d"], [Fraction(1, 3)] * 4)]] == [record["deals"]]


def change(record: dict[str, Any], *path: Any, to: Any) -> dict[str, Any]:
    changed = copy.deepcopy(record)
    at: Any = changed
    for step in path[:-1]:
        at = at[step]
    if to is KeyError:
        del at[path[-1]]
    else:
        at[path[-1]] = to
    return changed


@pytest.mark.parametrize(
    ("path", "to", "words"),
    [
        (("format",), "bridge", "format"),
        (("version",), 2, "version 1 is read"),
        (("seats",), 5, "seats"),
        (("players",), ["a"], "players"),
        (("deals",), [], "empty"),
        (("deals",), KeyError, "deals"),
        (("deals", 1, "dealer"), 7, "deal 2"),
        (("deals", 0, "hands", 0), "SA", "deal 1: seat 0 deals and sits on the talon"),
        (("deals", 0, "hands", 1), "SAKQJT987 CA", "deal 1"),
        (("deals", 0, "hands", 1), "S1", "deal 1: '1' in 'S1'"),
        (("deals", 0, "talon"), "SA", "deal 1"),
        (("deals", 0, "actions"), "banana", "deal 1: action 1: 'banana' is not an action"),
        (("deals", 0, "actions"), "6S 6S", "deal 1: action 2: 6S is illegal"),
        (("deals", 0, "actions"), "pass", "deal 1: action 2: the deal stops before its end"),
        (("deals", 0, "scored", "pool", 1), 12, "deal 1: scored pool of seat 1 is 12; the rules give"),
        (("deals", 0, "scored", "mountain", 1), 1.5, "exact numbers are integers"),
        (("deals", 0, "scored", "whists", 0), [0], "list of 4 numbers"),
        (("deals", 0, "scored"), KeyError, "deal 1"),
        (("result",), ["1", "x", "2", "3"], "result"),
        (("finished",), "no", "finished"),
        (("finished",), KeyError, "stops before its end"),
    ],
)
def test_a_damaged_record_is_refused_at_its_place(path: tuple[Any, ...], to: Any, words: str) -> None:
    record, game = whole_record()
    with pytest.raises(RecordError) as error:
        replay(read(change(record, *path, to=to)), game.terms)
    assert words in str(error.value)


def test_a_dealer_out_of_turn_is_a_fault() -> None:
    game = Game(terms(), seed=2, limit=3)
    for _ in random_game(game, random.Random(2), 5000):
        pass
    record = game.record(["a", "b", "c"], [Fraction(0)] * 3)
    with pytest.raises(RecordError, match="deal 2: seat 2 deals; it is for seat 1 to deal"):
        replay(read(change(record, "deals", 1, "dealer", to=2)), game.terms)


def test_actions_after_the_end_of_a_deal_and_deals_after_the_end_of_a_pulka_are_faults() -> None:
    record, game = whole_record()
    longer = change(record, "deals", 0, "actions", to=record["deals"][0]["actions"] + " pass")
    with pytest.raises(RecordError, match="the deal has ended before pass"):
        replay(read(longer), game.terms)
    limited = terms("piter", 4, deal_limit=2)
    with pytest.raises(RecordError, match="deal 3: the pulka has ended with deal 2"):
        replay(read(record), limited)


def test_numbers_are_read_as_integers_or_texts() -> None:
    record, game = whole_record()
    texts = copy.deepcopy(record)
    for deal in texts["deals"]:
        deal["scored"]["pool"] = [str(x) for x in deal["scored"]["pool"]]
        deal["hands"] = [h and " ".join(reversed(h.lower().replace("t", "10").split())) for h in deal["hands"]]
    texts["result"] = [1, 2, 3, 4]
    replay(read(texts), game.terms)
