"""Raspas research: what the studies count is what the engine plays, and every study leaves a dataset, a plot and a page."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from bots import catalogue as bots
from bots import novice
from conventions import catalogue
from engine import actions, cards, contracts, deal, jit
from engine.game import Game
from engine.table import E_PLAYED, K_GAME, K_RASPAS
from lab import cli
from lab.raspas import counts, hands, pass_or_play, places, strategies, tables, talon
from lab.raspas.common import Question, apart, mean, share, told
from tests.helpers import terms


def question(deals: int = 24, seats: int = 3, name: str = "piter", names: tuple[str, ...] = ("novice",), **more: Any) -> Question:
    return Question(catalogue.get(name, seats), {}, (seats,), names, deals, 5, **more)


def played(name: str = "piter", seats: int = 3, count: int = 6, state: int = 1) -> tuple[Any, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    t = terms(name, seats)
    decks = deal.decks(3, np.arange(count))
    seating = np.zeros((count, seats), dtype=np.int64)
    return t, decks, tables.raspas(t, [bots.load("novice", t.rules)], seating, decks, state, np.arange(count), 3)


@pytest.mark.parametrize(("name", "seats"), [("piter", 3), ("piter", 4), ("rostov", 3), ("moscow", 4), ("skachki", 4), ("sochi", 4)])
def test_every_deal_becomes_a_raspas_of_the_state_asked_for(name: str, seats: int) -> None:
    _, decks, done = played(name, seats, state=2 if name == "piter" else 1)
    assert (done["kind"] == K_RASPAS).all() and (done["ended"] == E_PLAYED).all()
    assert (done["level"] == (2 if name == "piter" else 1)).all()
    assert (done["tricks"][:, :seats].sum(axis=1) == 10).all()
    assert (done["dealt"][:, [1, 2, 3 % seats]] == deal.masks_of(decks)[:, :3]).all()


def test_a_raspas_is_what_the_interactive_game_makes_of_the_same_words_and_cards() -> None:
    t, decks, done = played("piter", 4)
    game = Game(t, target=tables.TARGET)
    game.deal(decks[0])
    for action in done["log"][0][: int(done["words"][0])].tolist():
        game.act(action)
    table = game.finished_deals[0][0]
    for field in ("tricks", "d_pool", "d_mountain", "d_whists"):
        assert (table[field] == done[field][0]).all()


def test_whists_of_a_deal_sum_to_zero() -> None:
    for name, seats in (("piter", 4), ("rostov", 4), ("sochi", 3)):
        t, _, done = played(name, seats)
        assert np.abs(tables.deal_whists(t, done).sum(axis=1)).max() < 1e-9


def test_the_bidder_bids_the_lowest_contract_of_the_state_and_is_left_alone() -> None:
    t = terms("piter", 3)
    decks = deal.decks(3, np.arange(9))
    for state, level in ((1, 6), (2, 7), (3, 7)):
        opened = tables.opened(t, np.zeros(9), np.full(9, state), np.arange(9), 3)
        bidders = np.arange(9) % 3
        tables.bid_or_pass(t, opened, decks, bidders)
        assert (opened["bidder"] == bidders).all()
        assert [contracts.LEVEL[r] for r in opened["bid"].tolist()] == [level] * 9
        tables.play_on(t, [bots.load("novice", t.rules)], np.zeros((9, 3), dtype=np.int64), opened, 3)
        assert (opened["kind"] == K_GAME).all()


def test_the_talon_leads_or_stays_closed_as_told_and_nothing_else_changes() -> None:
    t = terms("piter", 3)
    lead, closed = tables.with_talon(t, True), tables.with_talon(t, False)
    assert lead.rules.tobytes() == t.rules.tobytes()
    changed = [n for n in t.rules.dtype.names or () if (closed.rules[n] != t.rules[n]).any()]
    assert changed == ["raspas_talon", "first_hand_leads_third"]
    decks = deal.decks(1, np.arange(4))
    seating = np.zeros((4, 3), dtype=np.int64)
    done = tables.raspas(closed, [bots.load("novice", t.rules)], seating, decks, 1, np.arange(4), 1)
    assert (done["talon_up"] == -1).all()


def test_paranoid_values_are_those_of_solve() -> None:
    from bots.solver import Position, paranoid

    decks = deal.decks(2, np.arange(2))
    for name, seats in (("piter", 4), ("rostov", 3)):
        t = terms(name, seats)
        leads = tables.talon_leads(t)
        for deck, found in zip(decks, tables.paranoid_values(t, decks, 1).tolist(), strict=True):
            masks = deal.masks_of(deck)[:3].tolist()
            up = tuple(deck[30:].tolist()) if leads else ()
            assert tuple(found) == paranoid(Position(masks, "raspas", leader=0, talon=up, talon_takes=leads and seats == 4))


def test_a_hand_holds_exactly_the_holding_asked_for_and_the_rest_is_uniform() -> None:
    n = 4000
    shuffled = deal.decks(9, np.arange(n))
    holdings, suits, at = np.arange(n) % 256, np.arange(n) // 256 % 4, np.arange(n) % 3
    decks = hands.decks_with(holdings, suits, at, shuffled)
    assert (np.sort(decks, axis=1) == np.arange(32)).all()
    own = deal.masks_of(decks)[np.arange(n), at].astype(np.int64)
    assert (own >> 8 * suits & 255 == holdings).all()
    # the void's other ten cards are any of the 24 others: each as often as the next
    void = hands.decks_with(np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64), shuffled)
    often = np.array([(void[:, :10] == card).sum() for card in range(8, 32)]) / n
    assert np.abs(often - 10 / 24).max() < 5 * np.sqrt(10 / 24 * 14 / 24 / n)


def test_shares_add_up_where_tricks_are_a_sum_over_suits() -> None:
    decks = deal.decks(4, np.arange(60_000))
    held = deal.masks_of(decks)[:, 0].astype(np.int64)
    worth = np.bitwise_count(np.arange(256).astype(np.uint8) & 0b11000000).astype(np.float64)  # a trick an ace or king
    tricks = sum(worth[held >> 8 * suit & 255] for suit in range(4))
    common = [h for h in range(256) if h.bit_count() <= 4]
    weights = np.ones(len(held))
    rare = np.concatenate([held, np.array([h | 0x3FF00 & 0xFFFFFF00 for h in range(256)])])  # every holding stands in it
    values, errors, explained = hands.shares(
        rare, np.append(tricks, [worth[h] + worth[255] for h in range(256)]), np.append(weights, np.full(256, 1e-9))
    )
    assert np.abs(values[common] - worth[common]).max() < 1e-3
    assert explained > 0.999 and errors[0] == 0


def test_the_chances_of_all_holdings_sum_to_one() -> None:
    assert abs(float(hands._chance_of_holding().sum()) - 1) < 1e-12


def test_changing_over_is_the_difference_between_two_players_among_the_same_others() -> None:
    who = strategies.seatings([1, 2, 0], 3)
    values = np.zeros((1, 8, 3, 3))
    for row, seats in enumerate(who):
        for place, seat in enumerate((1, 2, 0)):
            values[0, row, :, place] = 5.0 if seats[seat] == 0 else 1.0  # the first bot always gets five, the second one
    over, own = strategies.changes(values)
    assert over.tolist() == [[[4.0] * 3] * 2]
    assert own.tolist() == [[[5.0] * 3, [1.0] * 3]]


def test_equal_bots_differ_in_nothing() -> None:
    found = strategies.study(question(8, names=("novice", "novice")))
    assert {row["value"] for row in found.rows if row["comparison"].startswith("change")} == {0.0}


def test_rotations_give_every_place_the_same_three_hands() -> None:
    turned = deal.masks_of(places.rotations(deal.decks(1, np.arange(5))).reshape(-1, 32)).reshape(5, 3, 4)
    for rows in turned:
        assert {frozenset(column.tolist()) for column in rows[:, :3].T} == {frozenset(rows[0, :3].tolist())}
        assert len(set(rows[:, 3].tolist())) == 1


def test_cards_of_the_talon_suit_are_counted() -> None:
    decks = deal.decks(1, np.arange(20))
    for deck, found in zip(decks.tolist(), talon.in_talon_suit(decks).tolist(), strict=True):
        assert found == [sum(card // 8 == deck[30] // 8 for card in deck[10 * h : 10 * h + 10]) for h in range(3)]


def test_counts_are_what_their_words_say() -> None:
    hand = np.array([cards.parse_hand("SAKQ CT97 D8 HA97")], dtype=np.uint32)
    assert {name: int(count.of(hand)[0]) for name, count in counts.COUNTS.items()} == {
        "points": 13,
        "tops": 5,
        "tops and length": 8,
        "tops less small": 2,
        "both ends": 3 * 2 + 2 + 1 - 2 - 2 * 3,
    }
    assert counts.lengths(hand).tolist() == [[3, 3, 3, 1]]


def test_the_threshold_brings_most_over_all_hands() -> None:
    count = np.repeat([1, 2, 3, 4], 50)
    noise = np.tile([-1.0, 1.0], 100)
    at = pass_or_play.threshold(count, np.repeat([-10.0, -5.0, 6.0, 9.0], 50) + noise)
    assert (at.best, at.low, at.high) == (3, 3, 3)
    assert at.gain.value == pytest.approx(15 / 4)


def test_a_given_hand_stands_at_its_place_in_every_deal() -> None:
    hand = cards.parse_hand("SAKQ CT97 D8 HA97")
    at = np.arange(30) % 3
    decks = pass_or_play.with_hand(deal.decks(1, np.arange(30)), hand, at)
    assert (np.sort(decks, axis=1) == np.arange(32)).all()
    assert (deal.masks_of(decks)[np.arange(30), at] == hand).all()


def plain_view(game: Game) -> Any:
    return jit.plain(game.view(game.actor))[0]


def test_the_others_would_pass_in_the_deals_that_are_studied() -> None:
    asked = question(12)
    t = asked.terms()
    players = asked.players(t)
    kept = pass_or_play.positions(asked, t, players)
    before = tables.chosen(kept[1], np.arange(12))
    own = (before["next_dealer"].astype(np.int64) + 1) % 3
    decks, fits = pass_or_play.passed_by_others(asked, t, players, before, own, np.zeros(12, dtype=np.int64), 5, np.arange(12))
    assert fits.any()
    for i in np.flatnonzero(fits):
        game = Game(t)
        game.deal(decks[i])
        game.act("pass")
        for _ in range(2):
            assert novice.bid(plain_view(game), t.pointer) == actions.PASS
            game.act("pass")


def test_intervals() -> None:
    e = mean(np.array([1.0, 2.0, 3.0]))
    assert (e.value, round(e.low or 0, 3), round(e.high or 0, 3)) == (2.0, -0.484, 4.484)  # t with two degrees of freedom
    none = share(np.zeros(10, dtype=bool))
    assert (none.value, none.low, round(none.high or 0, 4)) == (0.0, 0.0, 0.2775)  # Wilson
    assert apart(np.array([3.0, 5.0]), np.array([1.0, 1.0])).value == 3.0
    assert told(none, 1, percent=True) == "0.0 % (0.0 to 27.8)"
    assert told(mean(np.array([])), 1) == "–"


STUDIES: list[tuple[str, list[str]]] = [
    ("hands", ["--deals", "3072"]),
    ("strategies", ["--deals", "8"]),
    ("talon", ["--deals", "16"]),
    ("pass-or-play", ["--deals", "90"]),
    ("seats", ["--deals", "12"]),
]


@pytest.mark.parametrize(("study", "size"), STUDIES)
def test_a_study_leaves_dataset_plot_and_page_the_same_for_any_number_of_workers(
    study: str, size: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib", reason="the extra `report` is not installed")
    for workers in ("1", "2"):
        assert cli.run(["raspas", study, *size, "--workers", workers, "--out", str(tmp_path / workers)]) == 0
        page = (tmp_path / workers / f"{study}.md").read_text(encoding="utf8")
        assert page.split("![")[0].strip() in capsys.readouterr().out
        assert re.search(r"\(\S+ to \S+\)", page), "figures have intervals"
        assert pl.read_parquet(tmp_path / workers / f"{study}.parquet").height >= 3
    for end in ("parquet", "svg", "md"):
        assert (tmp_path / "1" / f"{study}.{end}").read_bytes() == (tmp_path / "2" / f"{study}.{end}").read_bytes()


@pytest.mark.parametrize(
    "rules", [["--convention", "rostov", "--seats", "4"], ["--convention", "skachki"], ["--convention", "sochi", "--seats", "4"]]
)
@pytest.mark.parametrize(("study", "size"), [s for s in STUDIES if s[0] != "hands"])
def test_a_study_knows_every_kind_of_raspas(study: str, size: list[str], rules: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["raspas", study, *size, *rules]) == 0
    assert rules[1] in capsys.readouterr().out


def test_one_hand_may_be_asked_about(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["raspas", "pass-or-play", "--deals", "60", "--hand", "SAKQJT9 CAK DA HA"]) == 0
    assert capsys.readouterr().out.count("play it, edge +") >= 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["hands", "--deals", "5"], "--deals 5 is not allowed; allowed: a whole number from 3072 to"),
        (["hands", "--bots", "novice,random"], "--bots 'novice,random' is not allowed in the study hands"),
        (["strategies", "--bots", "novice"], "allowed: two, such as novice,random"),
        (["talon", "--bots", "nobody"], "bot 'nobody' is not known"),
        (["talon", "--convention", "nowhere"], "nowhere"),
        (["talon", "--option", "x=1"], "x"),
        (["talon", "--seats", "5"], "seats"),
        (["talon", "--hand", "SA"], "--hand belongs to the study pass-or-play"),
        (["pass-or-play", "--hand", "SA"], "has 1 cards; a hand has 10"),
        (["pass-or-play", "--hand", "XX"], "--hand:"),
        (["talon", "--seed", "-1"], "--seed -1 is not allowed"),
        (["talon", "--workers", "0"], "--workers 0 is not allowed"),
        (["luck"], "luck"),
    ],
)
def test_a_wrong_argument_gets_one_sentence(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["raspas", *arguments]) == 2
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1


FAULTY = {"raises": "raise RuntimeError('no')", "illegal": "return 103", "nothing": "return None"}


@pytest.mark.parametrize("fault", FAULTY)
def test_a_bot_that_fails_ends_the_study_with_a_sentence(fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "own.py"
    file.write_text(f"class Own:\n    def act(self, view):\n        {FAULTY[fault]}\n")
    assert cli.run(["raspas", "talon", "--deals", "4", "--bots", f"{file}:Own"]) == 1
    assert re.fullmatch(r"preferans raspas: the bot \S+ .*\n", capsys.readouterr().err)


def test_a_python_bot_plays_as_the_same_bot_compiled(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(
        "class Lowest:\n    def act(self, view):\n        return view.legal_actions()[0]\n\n"
        "from engine.jit import lowbit, rule\n\n@rule\ndef lowest(v, r):\n    return v.first_action + lowbit(v.legal)\n"
    )
    rows: dict[str, Any] = {}
    for name in ("Lowest", "lowest"):
        asked = question(10, names=(f"{file}:{name}",))
        rows[name] = json.dumps(talon.study(asked).rows)
    assert rows["Lowest"] == rows["lowest"]
